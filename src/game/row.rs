//! One player's pits, packed into lanes that are added at once.
//!
//! ```text
//! u64, a byte a pit (up to 8 pits, 255 seeds); A4 B4 C0 D6 E5 F5 on 6 pits:
//!
//!   lane   7    6    5    4    3    2    1    0
//!         00   00   05   05   06   00   04   04      = 0x0000_0505_0600_0404
//!          -    -    F    E    D    C    B    A
//! ```
//!
//! Lane 0 is farthest from the owner's store. [`Wide`] is the same with 16
//! lanes of 16 bits, which the compiler turns into vector additions.
//! A row knows nothing of stores, rules or whose turn it is.

use std::fmt::Debug;
use std::hash::Hash;

use super::pit::{Pit, PitSet};

/// A packed row of pits.
pub trait Row: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// How many pits fit.
    const LANES: usize;
    /// The most seeds a row can hold, all pits together.
    const CAPACITY: u32;

    /// A row with these counts, pit 0 first.
    fn from_counts(counts: &[u16]) -> Self;
    /// The seeds in `pit`.
    fn count(self, pit: Pit) -> u32;
    /// The row with `pit` emptied.
    #[must_use]
    fn without(self, pit: Pit) -> Self;
    /// Lane by lane, the sum of the row and a change that may be negative in a
    /// lane (wrapped), as [`Row::delta`] makes them.
    #[must_use]
    fn plus(self, delta: Self) -> Self;
    /// The change that adds these numbers, lane 0 first.
    fn delta(changes: &[i32]) -> Self;
    /// All seeds of the row.
    fn sum(self) -> u32;
    /// Whether there are no seeds.
    fn is_empty(self) -> bool;
    /// The pits that hold seeds.
    fn occupied(self) -> PitSet;
    /// In each lane, the seeds of that lane and of all before it; a row with
    /// more seeds than a lane holds has no prefix sums.
    #[must_use]
    fn prefix_sums(self) -> Self;
    /// In how many of the [`Row::LANES`] both rows hold the same number.
    fn lanes_equal(self, other: Self) -> u32;
    /// Whether some lane of this row exceeds that of `limits`, which are at most 127.
    fn any_lane_above(self, limits: Self) -> bool;
    /// Calls `visit` with the index and the value of each byte of the row that
    /// is not zero; there are at most [`Row::BYTES`].
    fn for_each_byte(self, visit: impl FnMut(usize, u8));
    /// Bytes in a row.
    const BYTES: usize;
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

impl Row for u64 {
    const LANES: usize = 8;
    const CAPACITY: u32 = 255;
    const BYTES: usize = 8;

    fn from_counts(counts: &[u16]) -> Self {
        debug_assert!(counts.len() <= Self::LANES);
        counts.iter().rev().fold(0, |row, &count| row << 8 | u64::from(count))
    }

    #[inline]
    fn count(self, pit: Pit) -> u32 {
        (self >> (8 * pit.index())) as u32 & 0xff
    }

    #[inline]
    fn without(self, pit: Pit) -> Self {
        self & !(0xff << (8 * pit.index()))
    }

    #[inline]
    fn plus(self, delta: Self) -> Self {
        self.wrapping_add(delta)
    }

    fn delta(changes: &[i32]) -> Self {
        // A borrow out of a negative lane is undone by the carry that its
        // addition causes: the sum of the whole words is what counts.
        changes
            .iter()
            .rev()
            .fold(0u64, |row, &change| (row << 8).wrapping_add_signed(change.into()))
    }

    #[inline]
    fn sum(self) -> u32 {
        // Each lane of the product is the sum of the lanes up to it, and no sum exceeds
        // the capacity, so that nothing is carried from one lane to the next.
        (self.wrapping_mul(ONES) >> 56) as u32
    }

    #[inline]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline]
    fn occupied(self) -> PitSet {
        // The high bit of each lane that is not zero, gathered into 8 bits.
        let highs = (((self & !HIGHS) + !HIGHS) | self) & HIGHS;
        PitSet(((highs >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16)
    }

    #[inline]
    fn prefix_sums(self) -> Self {
        self.wrapping_mul(ONES)
    }

    #[inline]
    fn lanes_equal(self, other: Self) -> u32 {
        // A lane of the difference is zero if neither its low bits nor its high
        // bit are set.
        let difference = self ^ other;
        let zeros = !(((difference & !HIGHS) + !HIGHS) | difference) & HIGHS;
        zeros.count_ones()
    }

    #[inline]
    fn any_lane_above(self, limits: Self) -> bool {
        // A lane without its high bit exceeds its limit if adding what is
        // missing from the limit to 127 sets the high bit.
        (((self & !HIGHS) + (!HIGHS - limits)) | self) & HIGHS != 0
    }

    #[inline]
    fn for_each_byte(self, mut visit: impl FnMut(usize, u8)) {
        for pit in self.occupied() {
            visit(pit.index(), self.count(pit) as u8);
        }
    }
}

/// A row of up to 16 pits and 65,535 seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(32))]
pub struct Wide([u16; 16]);

impl Row for Wide {
    const LANES: usize = 16;
    const CAPACITY: u32 = u16::MAX as u32;
    const BYTES: usize = 32;

    fn from_counts(counts: &[u16]) -> Self {
        let mut row = Self::default();
        row.0[..counts.len()].copy_from_slice(counts);
        row
    }

    #[inline]
    fn count(self, pit: Pit) -> u32 {
        self.0[pit.index()].into()
    }

    #[inline]
    fn without(mut self, pit: Pit) -> Self {
        self.0[pit.index()] = 0;
        self
    }

    #[inline]
    fn plus(mut self, delta: Self) -> Self {
        for (lane, change) in self.0.iter_mut().zip(delta.0) {
            *lane = lane.wrapping_add(change);
        }
        self
    }

    fn delta(changes: &[i32]) -> Self {
        let mut row = Self::default();
        for (lane, &change) in row.0.iter_mut().zip(changes) {
            *lane = change as u16;
        }
        row
    }

    #[inline]
    fn sum(self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    #[inline]
    fn occupied(self) -> PitSet {
        let bits = self.0.iter().enumerate();
        PitSet(bits.fold(0, |set, (lane, &count)| set | u16::from(count != 0) << lane))
    }

    #[inline]
    fn prefix_sums(mut self) -> Self {
        let mut sum = 0;
        for lane in &mut self.0 {
            sum += *lane;
            *lane = sum;
        }
        self
    }

    #[inline]
    fn lanes_equal(self, other: Self) -> u32 {
        self.0.iter().zip(other.0).map(|(&count, other)| u32::from(count == other)).sum()
    }

    #[inline]
    fn any_lane_above(self, limits: Self) -> bool {
        self.0.iter().zip(limits.0).any(|(&count, limit)| count > limit)
    }

    #[inline]
    fn for_each_byte(self, mut visit: impl FnMut(usize, u8)) {
        for pit in self.occupied() {
            let [low, high] = self.0[pit.index()].to_le_bytes();
            visit(2 * pit.index(), low);
            visit(2 * pit.index() + 1, high);
        }
    }
}
