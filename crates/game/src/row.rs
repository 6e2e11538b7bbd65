//! One player's pits, packed into lanes that are added in parallel.
//!
//! ```text
//! u64, a byte per pit (up to 8 pits, 255 seeds); A4 B4 C0 D6 E5 F5 on 6 pits:
//!
//!   lane   7    6    5    4    3    2    1    0
//!         00   00   05   05   06   00   04   04      = 0x0000_0505_0600_0404
//!          -    -    F    E    D    C    B    A
//! ```
//!
//! Lane 0 is farthest from the owner's store. [`Wide`] is the same with 16 lanes of 16 bits, which
//! the compiler turns into vector additions. Rows are independent of stores, rules and whose turn
//! it is.

use core::{fmt::Debug, hash::Hash};

use super::pit::{Pit, PitSet};

/// A packed row of pits.
pub trait Row: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// The maximum number of pits.
    const LANES: usize;
    /// The maximum number of seeds, all pits together.
    const CAPACITY: u32;

    /// A row with these counts, pit 0 first.
    fn from_counts(counts: &[u16]) -> Self;
    /// The seeds in `pit`.
    fn count(self, pit: Pit) -> u32;
    /// The row with `pit` emptied.
    #[must_use]
    fn without(self, pit: Pit) -> Self;
    /// The lane-by-lane sum of the row and a change from [`Row::delta`], which may be
    /// negative in some lanes.
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
    /// In each lane, the seeds of that lane and of all lanes before it; valid for rows of at most
    /// [`Row::CAPACITY`] seeds.
    #[must_use]
    fn prefix_sums(self) -> Self;
    /// In each lane, the seeds of that lane and of all lanes after it; valid for rows of at most
    /// [`Row::CAPACITY`] seeds.
    #[must_use]
    fn suffix_sums(self) -> Self;
    /// The number of lanes, of [`Row::LANES`], in which both rows hold the same count.
    fn lanes_equal(self, other: Self) -> u32;
    /// Whether any lane of this row exceeds the same lane of `limits`, all of which are at
    /// most 127.
    fn any_lane_above(self, limits: Self) -> bool;
    /// Calls `visit` with the index and the value of each nonzero byte of the row, and perhaps of
    /// some zero bytes; indices are below [`Row::BYTES`].
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

    #[inline]
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
        // Wrapping, because a delta with negative lanes is a large number.
        self.wrapping_add(delta)
    }

    #[inline]
    fn delta(changes: &[i32]) -> Self {
        // A negative lane borrows from the next one, and adding the change to a row carries
        // back into it: only the sum of the whole words must be right.
        changes
            .iter()
            .rev()
            .fold(0u64, |row, &change| (row << 8).wrapping_add_signed(change.into()))
    }

    #[inline]
    fn sum(self) -> u32 {
        // Each lane of the product is the sum of the lanes up to it, and no sum exceeds the
        // capacity, so nothing is carried from one lane to the next.
        (self.wrapping_mul(ONES) >> 56) as u32
    }

    #[inline]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline]
    fn occupied(self) -> PitSet {
        // Sets the high bit of each nonzero lane; a multiplication gathers these bits into a
        // byte.
        let highs = (((self & !HIGHS) + !HIGHS) | self) & HIGHS;
        PitSet(((highs >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16)
    }

    #[inline]
    fn prefix_sums(self) -> Self {
        self.wrapping_mul(ONES)
    }

    #[inline]
    fn suffix_sums(self) -> Self {
        self.swap_bytes().prefix_sums().swap_bytes()
    }

    #[inline]
    fn lanes_equal(self, other: Self) -> u32 {
        // A lane of the difference is zero if neither its low bits nor its high bit is set.
        let difference = self ^ other;
        let zeros = !(((difference & !HIGHS) + !HIGHS) | difference) & HIGHS;
        zeros.count_ones()
    }

    #[inline]
    fn any_lane_above(self, limits: Self) -> bool {
        // Adding 127 minus the limit to the low bits of a lane sets its high bit if and only if
        // they exceed the limit. A lane whose high bit is already set exceeds any limit.
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

    #[inline]
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

    #[inline]
    fn delta(changes: &[i32]) -> Self {
        let mut row = Self::default();
        for (lane, &change) in row.0.iter_mut().zip(changes) {
            // In two's complement, so that `plus` wraps to the difference.
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
    fn suffix_sums(mut self) -> Self {
        let mut sum = 0;
        for lane in self.0.iter_mut().rev() {
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
