//! What the solver remembers: proved bounds by whole position.
//!
//! A position's number (see [`Numbering`]) is mixed by a bijection. Some of the
//! mixed bits choose a bucket, and an entry keeps *all* the others, so that an
//! entry found is about this very position: no collision can change a result.
//! An entry is one word, read and written at once, so that threads may share
//! the memory without locks:
//!
//! ```text
//! 63          24 23     17 16     10 9    5 4    0
//! |  the others |  lower  |  upper  | move | work |
//! ```
//!
//! `lower` and `upper` count the seeds the mover wins at least and at most; a
//! gain has the parity of the seeds in play, so that halving loses nothing.
//! `work` is the logarithm of the positions visited for it, from 1: an empty
//! slot is 0. `move` is a pit's index and 1, or 0.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

use crate::game::{Board, Pit, Row};
use crate::score::{Gain, Interval};
use crate::sys::pages;
use crate::sys::prefetch::prefetch;

use super::number::Numbering;

/// Entries in a bucket: half a cache line.
const WAYS: usize = 4;
const DATA_BITS: u32 = 24;
/// The most seeds in play that a bound of 7 bits can count.
const MOST_SEEDS: u32 = 127;

#[derive(Zeroable)]
#[repr(align(32))]
struct Bucket([AtomicU64; WAYS]);

/// Bounds that were proved, shared by all threads.
pub(super) struct Memory {
    buckets: Box<[Bucket]>,
    numbering: Numbering,
    /// Bits of a mixed number that an entry keeps.
    rest_bits: u32,
}

/// A position's place in the memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    bucket: u32,
    rest: u64,
}

impl Place {
    /// A number of the position; two positions of one board hardly ever share it.
    pub fn bits(self) -> u64 {
        u64::from(self.bucket) << (u64::BITS - DATA_BITS) ^ self.rest
    }
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memo {
    /// What is proved of the gain.
    pub proved: Interval<Gain>,
    /// The move that proved it or came nearest.
    pub best: Option<Pit>,
}

impl Memory {
    /// A memory of at most `bytes`, and at least one bucket, for positions of
    /// `pits` a row with at most `most` seeds in play.
    ///
    /// Positions with so many seeds that an entry has no room for them are not
    /// remembered.
    ///
    /// # Errors
    /// If the allocation is refused.
    pub fn new(pits: usize, most: u32, bytes: usize) -> Result<Self, TryReserveError> {
        let bucket_bits = (bytes / size_of::<Bucket>()).max(1).ilog2().min(31);
        let room = u64::BITS - DATA_BITS + bucket_bits;
        let numbering = Numbering::new(pits, most.min(MOST_SEEDS), room.min(62));
        let bucket_bits = bucket_bits.min(numbering.bits());
        let rest_bits = numbering.bits() - bucket_bits;
        let buckets = pages::zeroed(1 << bucket_bits)?;
        Ok(Self { buckets, numbering, rest_bits })
    }

    /// The most seeds in play of a position that can be remembered.
    pub fn most_seeds(&self) -> u32 {
        self.numbering.most()
    }

    /// Where `board` belongs; it has at most [`Memory::most_seeds`] in play.
    #[inline]
    pub fn place<R: Row>(&self, board: Board<R>) -> Place {
        let mixed = self.mix(self.numbering.of(board));
        Place { bucket: (mixed >> self.rest_bits) as u32, rest: mixed & self.mask(self.rest_bits) }
    }

    /// Begins to load what `place` needs.
    #[inline]
    pub fn prefetch(&self, place: Place) {
        prefetch(&self.buckets[place.bucket as usize]);
    }

    /// What is remembered of the position at `place`, with `in_play` seeds.
    #[inline]
    pub fn probe(&self, place: Place, in_play: u32) -> Option<Memo> {
        self.buckets[place.bucket as usize].0.iter().find_map(|slot| {
            let word = slot.load(Relaxed);
            (word >> DATA_BITS == place.rest && word != 0).then(|| unpacked(word, in_play))
        })
    }

    /// Remembers `memo` for the position at `place`, together with what was
    /// proved of it before. If no slot is free, the entry that cost least gives way.
    pub fn store(&self, place: Place, in_play: u32, memo: Memo, work: u64) {
        let bucket = &self.buckets[place.bucket as usize].0;
        let mut memo = memo;
        let mut work = u64::from(work.max(1).ilog2()) + 1;
        let mut victim = (&bucket[0], u64::MAX);
        for slot in bucket {
            let word = slot.load(Relaxed);
            if word != 0 && word >> DATA_BITS == place.rest {
                let known = unpacked(word, in_play).proved;
                memo.proved.lower = memo.proved.lower.max(known.lower);
                memo.proved.upper = memo.proved.upper.min(known.upper);
                work = work.max(word & 31);
                victim = (slot, 0);
                break;
            }
            if (word & 31) < victim.1 {
                victim = (slot, word & 31);
            }
        }
        let seeds = |gain: Gain| (gain.0 + in_play as i32) as u64 / 2;
        let best = memo.best.map_or(0, |pit| pit.index() as u64 + 1);
        let word = place.rest << DATA_BITS
            | seeds(memo.proved.lower) << 17
            | seeds(memo.proved.upper) << 10
            | best << 5
            | work.min(31);
        victim.0.store(word, Relaxed);
    }

    /// The part of the slots in use, in permille, from a sample.
    pub fn fill(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let used = sample.iter().flat_map(|bucket| &bucket.0);
        let used = used.filter(|slot| slot.load(Relaxed) != 0).count();
        (used * 1000 / (sample.len() * WAYS)) as u32
    }

    /// A bijection of the numbers of [`Numbering::bits`] bits: shifting down
    /// and multiplying by an odd number can both be undone.
    #[inline]
    fn mix(&self, number: u64) -> u64 {
        let bits = self.numbering.bits();
        let half = bits.div_ceil(2);
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & self.mask(bits);
        let mixed = mixed ^ mixed >> half;
        mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) & self.mask(bits)
    }

    #[inline]
    fn mask(&self, bits: u32) -> u64 {
        (1 << bits) - 1
    }
}

#[inline]
fn unpacked(word: u64, in_play: u32) -> Memo {
    let gain = |seeds: u64| Gain(2 * (seeds & 127) as i32 - in_play as i32);
    let best = word >> 5 & 31;
    Memo {
        proved: Interval { lower: gain(word >> 17), upper: gain(word >> 10) },
        best: (best > 0).then(|| Pit::new(best as usize - 1)),
    }
}
