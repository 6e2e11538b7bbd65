//! The solver's transposition table: proved bounds by whole position.
//!
//! A position's number (see [`Numbering`]) is mixed by a bijection ([`Mixing`]). Some of the mixed
//! bits select a bucket, and an entry holds *all* the others. Because the mixing is reversible,
//! bucket and entry together identify the position: no collision can change a result. An
//! entry is a single word, read and written atomically, so that threads can share the table
//! without locks:
//!
//! ```text
//! 63             24 23     17 16     10 9    5 4    0
//! | check | others |  lower  |  upper  | move | work |
//! ```
//!
//! The remaining bits hold a check of the word, so that an entry damaged by faulty memory or, for a
//! table kept in a file, by a faulty disk is ignored. `lower` and `upper` are the minimum and
//! maximum number of seeds that the mover wins; a gain has the parity of the seeds in play, so
//! halving loses nothing. `work` is the binary logarithm of the nodes spent on the position, plus
//! 1: an empty slot is 0. `move` is a pit's index plus 1, or 0.

use std::{io, path::Path, sync::atomic::Ordering::Relaxed};

use crate::endgame::{binomial, positions};
use kalah_game::{Board, Gain, Interval, MAX_PITS, Pit, Row, Variant};
use kalah_sys::memory::{Memory, Words, prefetch};

const DATA_BITS: u32 = 24;
/// The maximum number of seeds in play that 7 bits can count.
const MAX_SEEDS: u32 = 127;

/// Proved bounds, shared by all threads.
pub(super) struct ProofTable {
    variant: Variant,
    buckets: Memory,
    pub numbering: Numbering,
    mixing: Mixing,
    /// The bits of an entry below its check.
    contents: u64,
}

/// The key of a position: its mixed number, split into a bucket and the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofKey {
    bucket: u32,
    rest: u64,
}

impl ProofKey {
    /// The key as one word, which two positions of one variant rarely share.
    pub(super) fn bits(self) -> u64 {
        u64::from(self.bucket) << (u64::BITS - DATA_BITS) ^ self.rest
    }
}

/// The proved bounds of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofEntry {
    pub proved: Interval<Gain>,
    /// The move that proved the lower bound or came nearest to it.
    pub best_move: Option<Pit>,
}

impl ProofTable {
    /// A table of at most `bytes`, and at least one bucket, for positions of
    /// `variant` with at most `max_seeds` seeds in play. Positions with more seeds than
    /// an entry has room for are not stored. If `file` is given, the table is kept
    /// there.
    ///
    /// # Errors
    /// If the allocation is refused, or the file cannot be used or holds a different table.
    pub(super) fn new(
        variant: Variant,
        max_seeds: u32,
        bytes: usize,
        file: Option<&Path>,
    ) -> io::Result<Self> {
        let max_bucket_bits = (bytes / size_of::<Words>()).max(1).ilog2().min(31);
        // The bits that select the bucket take no space in an entry.
        let room = u64::BITS - DATA_BITS + max_bucket_bits;
        let numbering = Numbering::new(variant.pits(), max_seeds.min(MAX_SEEDS), room.min(62));
        let bucket_bits = max_bucket_bits.min(numbering.bits);
        let mixing = Mixing::new(numbering.bits, bucket_bits);
        let buckets = match file {
            None => Memory::allocate(1 << bucket_bits)?,
            Some(path) => {
                let pits = variant.pits();
                let capture = variant.capture();
                let max_seeds = numbering.max_seeds;
                // The version is part of the header, so that a table with bounds from a different
                // version is refused.
                let header = format!(
                    "{{\"table\":\"kalah proofs 2\",\"version\":\"{}\",\"pits\":{pits},\
                     \"capture\":\"{capture}\",\"seeds\":{max_seeds},\"buckets\":{}}}\n",
                    env!("CARGO_PKG_VERSION"),
                    1u64 << bucket_bits
                );
                Memory::map(path, &header, 1 << bucket_bits)?
            }
        };
        let rest_bits = numbering.bits - bucket_bits;
        let contents = u64::MAX >> (u64::BITS - DATA_BITS - rest_bits);
        Ok(Self { variant, buckets, numbering, mixing, contents })
    }

    /// Forgets every entry.
    pub(super) fn clear(&self) {
        self.buckets.iter().flat_map(|bucket| &bucket.0).for_each(|slot| slot.store(0, Relaxed));
    }

    /// A word with its check.
    #[inline]
    fn sealed(&self, contents: u64) -> u64 {
        // The high bits of a product depend on all lower ones.
        contents | contents.wrapping_mul(0x9e37_79b9_7f4a_7c15) & !self.contents
    }

    /// The key of `board`, which has at most [`Numbering::max_seeds`] seeds in play.
    #[inline]
    pub(super) fn key<R: Row>(&self, board: Board<R>) -> ProofKey {
        self.mixing.key(self.numbering.number(board))
    }

    #[inline]
    pub(super) fn prefetch(&self, key: ProofKey) {
        prefetch(&self.buckets[key.bucket as usize]);
    }

    /// The entry of the position with this key and `in_play` seeds.
    #[inline]
    pub(super) fn probe(&self, key: ProofKey, in_play: u32) -> Option<ProofEntry> {
        self.buckets[key.bucket as usize].0.iter().find_map(|slot| {
            // Relaxed suffices: an entry is one word, independent of all others.
            let word = slot.load(Relaxed);
            if self.is_of(word, key) { Some(self.unpack(word, in_play)) } else { None }
        })
    }

    /// Whether a word is an intact entry for the position with this key.
    #[inline]
    fn is_of(&self, word: u64, key: ProofKey) -> bool {
        let contents = word & self.contents;
        // The rest of a key may be 0, like an empty slot.
        contents >> DATA_BITS == key.rest && word != 0 && self.sealed(contents) == word
    }

    /// Stores `entry`, intersected with the bounds already stored. If no slot is free, it
    /// replaces the entry that took the fewest nodes.
    pub(super) fn store(&self, key: ProofKey, in_play: u32, mut entry: ProofEntry, work: u64) {
        let bucket = &self.buckets[key.bucket as usize].0;
        let mut work = u64::from(work.max(1).ilog2()) + 1;
        let mut victim = (&bucket[0], u64::MAX);
        for slot in bucket {
            let word = slot.load(Relaxed);
            if self.is_of(word, key) {
                // Both are proved, so their intersection is, too.
                entry.proved = entry.proved.and(self.unpack(word, in_play).proved);
                work = work.max(word & 31);
                victim = (slot, 0);
                break;
            }
            // Cheap entries are replaced first, because they are quickly proved again. No scheme
            // could save more than a larger table does: (6,4) takes 9.36 million nodes with
            // 64 MiB and 9.35 million with 1 GiB.
            if (word & 31) < victim.1 {
                victim = (slot, word & 31);
            }
        }
        let best_move = match entry.best_move {
            Some(pit) => pit.index() as u64 + 1,
            None => 0,
        };
        let word = key.rest << DATA_BITS
            | u64::from(self.variant.won(entry.proved.lower, in_play)) << 17
            | u64::from(self.variant.won(entry.proved.upper, in_play)) << 10
            | best_move << 5
            | work.min(31);
        // If another thread has stored here meanwhile, one of the entries is lost, which
        // only costs time.
        victim.0.store(self.sealed(word), Relaxed);
    }

    #[inline]
    fn unpack(&self, word: u64, in_play: u32) -> ProofEntry {
        let gain = |word| self.variant.gain((word & 127) as u32, in_play);
        let best_move = word >> 5 & 31;
        ProofEntry {
            proved: Interval { lower: gain(word >> 17), upper: gain(word >> 10) },
            best_move: if best_move > 0 { Some(Pit::new(best_move as usize - 1)) } else { None },
        }
    }

    /// The fraction of the slots in use, in permille, from a sample.
    pub(super) fn hashfull(&self) -> u32 {
        // Neighbours share a page, so the sample is spread over the whole table.
        let sample = self.buckets.iter().step_by(self.buckets.len().div_ceil(1000));
        let slots = sample.flat_map(|bucket| &bucket.0).map(|slot| slot.load(Relaxed));
        let (used, all) =
            slots.fold((0, 0), |(used, all), word| (used + u32::from(word != 0), all + 1));
        used * 1000 / all
    }
}

/// Numbers that differ only in this many low bits belong to neighbouring positions, which share a
/// page. With more bits, some pages evict entries that are still needed.
const NEIGHBOUR_BITS: u32 = 12;
/// The binary logarithm of the number of buckets in 4 KiB. Huge pages do not make this
/// superfluous: the host may back a virtual machine's memory with small pages. Where an allocation
/// does not begin at a page, a few of these buckets lie in the next one.
const PAGE_BITS: u32 = (4096 / size_of::<Words>()).ilog2();

/// A bijection from the numbers of positions to buckets and rests.
///
/// ```text
/// number:  | high        | low                   |     high is mixed by itself, low together with it
/// key:     | page | rest | bucket in page | rest |
/// ```
///
/// Without mixing, the positions of one search would crowd into few buckets. Neighbouring
/// positions are only spread over one page, because many children of a node are neighbours
/// ([`Numbering`]), and probing all of them then causes fewer TLB misses. With tables of 29 seeds
/// and 4 GiB on a virtual machine with slow memory, this saved a fifth to a third of the time of a
/// proof and cost 1 % more nodes (`doc/lab/kalah66.md`).
#[derive(Clone, Copy, Debug)]
struct Mixing {
    high_bits: u32,
    low_bits: u32,
    /// The bits of the high part that select a page.
    page_bits: u32,
    /// The bits of the low part that select a bucket within the page.
    place_bits: u32,
}

impl Mixing {
    /// Mixes numbers of `number_bits` bits, `bucket_bits` of which select a bucket.
    fn new(number_bits: u32, bucket_bits: u32) -> Self {
        let place_bits = PAGE_BITS.min(bucket_bits);
        let page_bits = bucket_bits - place_bits;
        let low_bits = NEIGHBOUR_BITS.min(number_bits - page_bits);
        Self { high_bits: number_bits - low_bits, low_bits, page_bits, place_bits }
    }

    #[inline]
    fn key(self, number: u64) -> ProofKey {
        let Self { high_bits, low_bits, page_bits, place_bits } = self;
        let high_rest = high_bits - page_bits;
        let low_rest = low_bits - place_bits;
        let high = mix(number >> low_bits, high_bits);
        // The product spreads neighbours evenly over the page; the sum gives the neighbours of
        // other positions that share the page different places.
        let sum = (number & mask(low_bits)).wrapping_add(high);
        let low = sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask(low_bits);
        ProofKey {
            bucket: (high >> high_rest << place_bits | low >> low_rest) as u32,
            rest: (high & mask(high_rest)) << low_rest | low & mask(low_rest),
        }
    }
}

/// A bijection of the numbers of `bits` bits: multiplying by an odd number and combining a number
/// with its upper half by XOR can both be undone.
#[inline]
fn mix(number: u64, bits: u32) -> u64 {
    let product = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask(bits);
    let combined = product ^ product >> bits.div_ceil(2);
    combined.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask(bits)
}

#[inline]
fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// The number of sums for which the terms of a [`Numbering`] are tabulated: all that a byte can
/// hold, so the index needs no check.
const SUMS: usize = 256;

/// Gives each position of one board size a number of its own.
///
/// With P_k the seeds in the first k + 1 of all 2m pits, the sums P_k + k rise strictly, so the
/// combinatorial number system applies: the sum of C(P_k + k, k + 1) over all k numbers the
/// positions with at most n seeds from 0 to C(n + 2m, 2m) - 1, without gaps. For 6 pits and 48
/// seeds that is 41 bits, so an entry has room for the whole position.
///
/// The pits are those of the player who is not to move, the one nearest the store first, and then
/// those of the other. Positions that differ only in the first pits have neighbouring numbers.
/// A move within the mover's own row changes no other pits, so many children of a node are
/// neighbours: on average, 2.4 probed children lie in 1.8 pages.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// C(sum + k, k + 1) by k and sum.
    terms: Box<[[u64; SUMS]; 2 * MAX_PITS]>,
    pits: usize,
    /// The maximum number of seeds in play.
    pub max_seeds: u32,
    /// Bits of the highest number.
    bits: u32,
}

impl Numbering {
    /// Numbers positions with at most `max_seeds` seeds in play (below [`SUMS`]), or
    /// with fewer if their numbers would have more than `bits` (below 64) bits.
    fn new(pits: usize, max_seeds: u32, bits: u32) -> Self {
        let counts = (0..=max_seeds).map_while(|seeds| positions(pits, seeds));
        let max_seeds = counts.take_while(|&count| count <= 1 << bits).count() as u32 - 1;
        let count = positions(pits, max_seeds).unwrap_or(1);
        let mut terms = Box::new([[0; SUMS]; 2 * MAX_PITS]);
        for (k, terms) in terms.iter_mut().enumerate().take(2 * pits) {
            for (sum, term) in terms.iter_mut().enumerate().take(max_seeds as usize + 1) {
                *term = binomial((sum + k) as u32, k as u32 + 1).unwrap_or(u64::MAX);
            }
        }
        Self { terms, pits, max_seeds, bits: u64::BITS - (count - 1).leading_zeros() }
    }

    #[inline]
    fn number<R: Row>(&self, board: Board<R>) -> u64 {
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
        let opponent = board.opponent.suffix_sums();
        let opponent_seeds = opponent.count(Pit::new(0));
        let mut number = 0;
        for index in 0..pits {
            let sum = opponent.count(Pit::new(pits - 1 - index));
            number += self.terms[index][sum as usize % SUMS];
            let sum = opponent_seeds + own.count(Pit::new(index));
            number += self.terms[(pits + index) % (2 * MAX_PITS)][sum as usize % SUMS];
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::Capture;

    #[test]
    fn every_position_has_its_own_number_without_gaps() {
        let numbering = Numbering::new(2, 7, 62);
        let mut seen = vec![false; binomial(7 + 4, 4).unwrap() as usize];
        for code in 0..8u16.pow(4) {
            let counts: Vec<u16> = (0..4).map(|k| code >> (3 * k) & 7).collect();
            if counts.iter().sum::<u16>() <= 7 {
                let rows = [&counts[..2], &counts[2..]].map(u64::from_counts);
                let number = numbering.number(Board { own: rows[0], opponent: rows[1] });
                assert!(!std::mem::replace(&mut seen[number as usize], true), "{counts:?}");
            }
        }
        assert!(seen.iter().all(|&seen| seen));
        assert_eq!(numbering.bits, 9);
    }

    #[test]
    fn every_number_has_its_own_bucket_and_rest() {
        for number_bits in [0, 1, 5, 9, 16] {
            for bucket_bits in 0..=number_bits {
                let mixing = Mixing::new(number_bits, bucket_bits);
                let rest_bits = number_bits - bucket_bits;
                let mut seen = vec![false; 1 << number_bits];
                for number in 0..1 << number_bits {
                    let ProofKey { bucket, rest } = mixing.key(number);
                    assert!(bucket >> bucket_bits == 0 && rest >> rest_bits == 0, "{mixing:?}");
                    let at = (u64::from(bucket) << rest_bits | rest) as usize;
                    assert!(!std::mem::replace(&mut seen[at], true), "{mixing:?}: {number}");
                }
            }
        }
    }

    #[test]
    fn neighbours_share_a_page_and_are_spread_over_it() {
        let mixing = Mixing::new(45, 27);
        let page = mixing.key(123 << NEIGHBOUR_BITS).bucket >> PAGE_BITS;
        let mut buckets: Vec<u32> = (0..1 << NEIGHBOUR_BITS)
            .map(|low| mixing.key(123 << NEIGHBOUR_BITS | low).bucket)
            .collect();
        assert!(buckets.iter().all(|bucket| bucket >> PAGE_BITS == page));
        for few in buckets.chunks_mut(16) {
            few.sort_unstable();
            assert!(few.chunk_by(|a, b| a == b).count() >= 12, "{few:?}");
        }
    }

    #[test]
    fn moves_near_the_store_lead_to_neighbours() {
        /// The page of a board on which the player not to move has these pits.
        fn page(opponent: [u16; 6]) -> u64 {
            let own = u64::from_counts(&[3, 4, 0, 5, 2, 1]);
            let board = Board { own, opponent: u64::from_counts(&opponent) };
            Numbering::new(6, 48, 62).number(board) >> NEIGHBOUR_BITS
        }
        assert_eq!(page([2, 0, 4, 0, 3, 1]), page([2, 0, 4, 2, 0, 2]));
        assert_ne!(page([2, 0, 4, 0, 3, 1]), page([0, 1, 5, 0, 3, 1]));
    }

    #[test]
    fn the_slots_in_use_are_counted_in_permille() {
        let variant = Variant::new(6, Capture::Standard).unwrap();
        let table = ProofTable::new(variant, 48, 1 << 20, None).unwrap();
        for (every, permille) in [(usize::MAX, 0), (4, 250), (2, 500), (1, 1000)] {
            table.clear();
            for bucket in table.buckets.iter() {
                bucket.0.iter().rev().step_by(every).for_each(|slot| slot.store(1, Relaxed));
            }
            let slots = table.buckets[0].0.len() as u32;
            let permille = if permille == 0 { 1000 / slots } else { permille };
            assert_eq!(table.hashfull(), permille);
        }
        table.clear();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn kept_tables_of_the_same_format_have_the_same_layout() {
        // If this changes, kept tables of earlier versions must be refused: raise the number of
        // their format.
        let variant = Variant::new(6, Capture::Standard).unwrap();
        let table = ProofTable::new(variant, 48, 1 << 20, None).unwrap();
        let board = Board {
            own: u64::from_counts(&[3, 4, 0, 5, 2, 1]),
            opponent: u64::from_counts(&[2, 0, 4, 0, 3, 1]),
        };
        let ProofKey { bucket, rest } = table.key(board);
        assert_eq!((bucket, rest), (7021, 66_851_832));
    }

    #[test]
    fn large_boards_are_numbered_up_to_fewer_seeds() {
        assert_eq!(Numbering::new(6, 48, 41).max_seeds, 48);
        assert_eq!(Numbering::new(6, 48, 40).max_seeds, 46);
        assert_eq!(Numbering::new(16, 1000, 45).max_seeds, 18);
    }
}
