//! The solver's transposition table: proved bounds by whole position.
//!
//! A position's number (see [`Numbering`]) is mixed by a bijection. Some of the
//! mixed bits choose a bucket, and an entry holds *all* the others, so that an
//! entry found is about this very position: no collision can change a result.
//! An entry is one word, read and written at once, so that threads may share
//! the table without locks:
//!
//! ```text
//! 63             24 23     17 16     10 9    5 4    0
//! | check | others |  lower  |  upper  | move | work |
//! ```
//!
//! Bits that the others leave free hold a check of the word: an entry that memory
//! or, in a table that is kept, a disk has damaged is taken for none.
//! `lower` and `upper` count the seeds the mover wins at least and at most; a
//! gain has the parity of the seeds in play, so that halving loses nothing.
//! `work` is the logarithm of the positions visited for it, from 1: an empty
//! slot is 0. `move` is a pit's index and 1, or 0.

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use crate::endgame::{binomial, positions};
use crate::game::score::{Gain, Interval};
use crate::game::{Board, MAX_PITS, Pit, Row, Variant};
use crate::sys::pages::{Memory, Words};
use crate::sys::prefetch::prefetch;

const DATA_BITS: u32 = 24;
/// The most seeds in play that a bound of 7 bits can count.
const MAX_SEEDS: u32 = 127;

/// Proved bounds, shared by all threads.
pub(super) struct ProofTable {
    buckets: Memory,
    numbering: Numbering,
    /// Bits of a mixed number that an entry holds.
    rest_bits: u32,
    /// The bits of an entry below its check.
    contents: u64,
}

/// The key of a position: the mixed number, divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    bucket: u32,
    rest: u64,
}

impl Key {
    /// The key as one word; two positions of one board hardly ever share it.
    pub(super) fn bits(self) -> u64 {
        u64::from(self.bucket) << (u64::BITS - DATA_BITS) ^ self.rest
    }
}

/// What is proved of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Bounds of the gain.
    pub proved: Interval<Gain>,
    /// The move that proved it or came nearest.
    pub best_move: Option<Pit>,
}

impl ProofTable {
    /// A table of at most `bytes`, and at least one bucket, for positions of
    /// `variant` with at most `most` seeds in play. Positions with more seeds than
    /// an entry has room for are not stored. If `file` is given, the table is kept
    /// there.
    ///
    /// # Errors
    /// If the allocation is refused, or the file is another table or cannot be used.
    pub(super) fn new(
        variant: Variant,
        most: u32,
        bytes: usize,
        file: Option<&Path>,
    ) -> io::Result<Self> {
        let bucket_bits = (bytes / size_of::<Words>()).max(1).ilog2().min(31);
        // What the bucket's index says of a number, an entry need not hold.
        let room = u64::BITS - DATA_BITS + bucket_bits;
        let numbering = Numbering::new(variant.pits(), most.min(MAX_SEEDS), room.min(62));
        let bucket_bits = bucket_bits.min(numbering.bits);
        let rest_bits = numbering.bits - bucket_bits;
        let buckets = match file {
            None => Memory::allocate(1 << bucket_bits)?,
            Some(path) => {
                let (pits, capture) = (variant.pits(), variant.capture());
                let most = numbering.most;
                let header = format!(
                    "{{\"table\":\"kalah proofs 1\",\"pits\":{pits},\"capture\":\"{capture}\",\
                     \"seeds\":{most},\"buckets\":{}}}\n",
                    1u64 << bucket_bits
                );
                Memory::map(path, &header, 1 << bucket_bits)?
            }
        };
        let contents = u64::MAX >> (u64::BITS - DATA_BITS - rest_bits);
        Ok(Self { buckets, numbering, rest_bits, contents })
    }

    /// A word with its check.
    #[inline]
    fn sealed(&self, contents: u64) -> u64 {
        // The high bits of a product depend on all lower ones.
        contents | contents.wrapping_mul(0x9e37_79b9_7f4a_7c15) & !self.contents
    }

    /// The most seeds in play of a position that can be stored.
    pub(super) fn most_seeds(&self) -> u32 {
        self.numbering.most
    }

    /// The key of `board`, which has at most [`ProofTable::most_seeds`] in play.
    #[inline]
    pub(super) fn key<R: Row>(&self, board: Board<R>) -> Key {
        let mixed = self.mix(self.numbering.of(board));
        Key { bucket: (mixed >> self.rest_bits) as u32, rest: mixed & mask(self.rest_bits) }
    }

    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        prefetch(&self.buckets[key.bucket as usize]);
    }

    /// The entry of the position with this key and `in_play` seeds.
    #[inline]
    pub(super) fn probe(&self, key: Key, in_play: u32) -> Option<Entry> {
        self.buckets[key.bucket as usize].0.iter().find_map(|slot| {
            // Relaxed suffices: an entry is one word and says nothing about others.
            let word = slot.load(Relaxed);
            self.is_of(word, key).then(|| unpack(word, in_play))
        })
    }

    /// Whether a word is a whole entry of the position with this key.
    #[inline]
    fn is_of(&self, word: u64, key: Key) -> bool {
        let contents = word & self.contents;
        // The rest of a key may be 0, as an empty slot is.
        contents >> DATA_BITS == key.rest && word != 0 && self.sealed(contents) == word
    }

    /// Stores `entry`, narrowed by the bounds that the table has already. If no
    /// slot is free, it replaces the entry that cost least.
    pub(super) fn store(&self, key: Key, in_play: u32, mut entry: Entry, work: u64) {
        let bucket = &self.buckets[key.bucket as usize].0;
        let mut work = u64::from(work.max(1).ilog2()) + 1;
        let mut victim = (&bucket[0], u64::MAX);
        for slot in bucket {
            let word = slot.load(Relaxed);
            if self.is_of(word, key) {
                entry.proved = entry.proved.and(unpack(word, in_play).proved);
                work = work.max(word & 31);
                victim = (slot, 0);
                break;
            }
            // Cheap entries go first: they are soon proved again.
            if (word & 31) < victim.1 {
                victim = (slot, word & 31);
            }
        }
        let seeds = |gain: Gain| (gain.0 + in_play as i32) as u64 / 2;
        let best_move = entry.best_move.map_or(0, |pit| pit.index() as u64 + 1);
        let word = key.rest << DATA_BITS
            | seeds(entry.proved.lower) << 17
            | seeds(entry.proved.upper) << 10
            | best_move << 5
            | work.min(31);
        // Another thread may have stored here meanwhile. One of the entries is
        // lost then, which costs time only.
        victim.0.store(self.sealed(word), Relaxed);
    }

    /// The part of the slots in use, in permille, from a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let used = sample.iter().flat_map(|bucket| &bucket.0);
        let used = used.filter(|slot| slot.load(Relaxed) != 0).count();
        (used * 1000 / (sample.len() * sample[0].0.len())) as u32
    }

    /// A bijection of the numbers of [`Numbering::bits`] bits: shifting down
    /// and multiplying by an odd number can both be undone.
    #[inline]
    fn mix(&self, number: u64) -> u64 {
        let bits = self.numbering.bits;
        // Neighbouring numbers are neighbouring positions; without mixing they
        // would share few buckets.
        let half = bits.div_ceil(2);
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask(bits);
        let mixed = mixed ^ mixed >> half;
        mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask(bits)
    }
}

#[inline]
fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[inline]
fn unpack(word: u64, in_play: u32) -> Entry {
    let gain = |seeds: u64| Gain(2 * (seeds & 127) as i32 - in_play as i32);
    let best_move = word >> 5 & 31;
    Entry {
        proved: Interval { lower: gain(word >> 17), upper: gain(word >> 10) },
        best_move: (best_move > 0).then(|| Pit::new(best_move as usize - 1)),
    }
}

/// Sums of seeds that the terms of a [`Numbering`] are tabulated for: all that
/// a byte can hold, so that the index needs no check.
const SUMS: usize = 256;

/// A number for every position of one width: different positions, different
/// numbers.
///
/// With P_k the seeds in the first k + 1 of all 2m pits, the sums P_k + k rise
/// strictly, so that the combinatorial number system applies: the sum of
/// C(P_k + k, k + 1) over all k numbers the positions with at most n seeds from
/// 0 to C(n + 2m, 2m) - 1, without gaps. For 6 pits and 48 seeds that is 41
/// bits, so that an entry has room for the whole position.
#[derive(Clone, Debug)]
struct Numbering {
    /// C(sum + k, k + 1) by k and sum.
    terms: Box<[[u64; SUMS]; 2 * MAX_PITS]>,
    pits: usize,
    /// The most seeds in play that a numbered position has.
    most: u32,
    /// Bits of the highest number.
    bits: u32,
}

impl Numbering {
    /// Numbers positions with at most `most` seeds in play (below [`SUMS`]), or
    /// with fewer if their numbers would have more than `bits` (below 64) bits.
    fn new(pits: usize, most: u32, bits: u32) -> Self {
        let fits = |&seeds: &u32| positions(pits, seeds).is_some_and(|n| n <= 1 << bits);
        let most = (0..=most).take_while(fits).last().unwrap_or(0);
        let count = positions(pits, most).unwrap_or(1);
        let mut terms = Box::new([[0; SUMS]; 2 * MAX_PITS]);
        for (k, terms) in terms.iter_mut().enumerate().take(2 * pits) {
            for (sum, term) in terms.iter_mut().enumerate().take(most as usize + 1) {
                *term = binomial((sum + k) as u32, k as u32 + 1).unwrap_or(u64::MAX);
            }
        }
        Self { terms, pits, most, bits: u64::BITS - (count - 1).leading_zeros() }
    }

    #[inline]
    fn of<R: Row>(&self, board: Board<R>) -> u64 {
        // The common widths are unrolled.
        match self.pits {
            6 => self.sum_terms::<R>(board, 6),
            5 => self.sum_terms::<R>(board, 5),
            4 => self.sum_terms::<R>(board, 4),
            pits => self.sum_terms::<R>(board, pits),
        }
    }

    #[inline(always)]
    fn sum_terms<R: Row>(&self, board: Board<R>, pits: usize) -> u64 {
        let own = board.own.prefix_sums();
        let opponent = board.opponent.prefix_sums();
        let own_seeds = own.count(Pit::new(pits - 1));
        let mut number = 0;
        for index in 0..pits {
            number += self.terms[index][own.count(Pit::new(index)) as usize % SUMS];
            let sum = own_seeds + opponent.count(Pit::new(index));
            number += self.terms[(pits + index) % (2 * MAX_PITS)][sum as usize % SUMS];
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_its_own_number_without_gaps() {
        let numbering = Numbering::new(2, 7, 62);
        let mut seen = vec![false; binomial(7 + 4, 4).unwrap() as usize];
        for code in 0..8u16.pow(4) {
            let counts: Vec<u16> = (0..4).map(|k| code >> (3 * k) & 7).collect();
            if counts.iter().sum::<u16>() <= 7 {
                let rows = [&counts[..2], &counts[2..]].map(u64::from_counts);
                let number = numbering.of(Board { own: rows[0], opponent: rows[1] });
                assert!(!std::mem::replace(&mut seen[number as usize], true), "{counts:?}");
            }
        }
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(numbering.bits, 9);
    }

    #[test]
    fn boards_too_big_for_the_bits_are_numbered_up_to_fewer_seeds() {
        assert_eq!(Numbering::new(6, 48, 41).most, 48);
        assert_eq!(Numbering::new(6, 48, 40).most, 46);
        assert_eq!(Numbering::new(16, 1000, 45).most, 18);
    }
}
