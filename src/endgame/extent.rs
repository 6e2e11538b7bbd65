//! Which tables: the board, the rule, and how many seeds; and what they cost.

use thiserror::Error;

use super::layout::Layout;
use crate::game::Variant;

/// The most seeds that tables can hold: a byte counts the seeds won.
pub const MOST_SEEDS: u32 = 250;

/// The most positions that tables can hold; more is beyond any memory.
const MOST_POSITIONS: u64 = 1 << 40;

/// Positions of the tables that an engine starts with: built in a moment.
const SMALL: u64 = 10_000_000;

/// Why there are no such tables.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExtentError {
    /// More positions than can be counted or addressed.
    #[error(
        "expected at most {most} seeds in play with {pits} pits a row, got {seeds}: \
         tables beyond that fit no memory"
    )]
    Seeds {
        /// Pits a row.
        pits: usize,
        /// Seeds asked for.
        seeds: u32,
        /// Seeds possible.
        most: u32,
    },
}

/// The positions that tables hold: all with up to `seeds` seeds in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    variant: Variant,
    seeds: u32,
}

impl Extent {
    /// Tables for `variant` and up to `seeds` seeds in play.
    ///
    /// # Errors
    /// [`ExtentError`] if the tables are too large.
    pub fn new(variant: Variant, seeds: u32) -> Result<Self, ExtentError> {
        let largest = Self::largest(variant, MOST_POSITIONS);
        if seeds > largest.seeds {
            return Err(ExtentError::Seeds { pits: variant.pits(), seeds, most: largest.seeds });
        }
        Ok(Self { seeds, ..largest })
    }

    /// The largest tables of at most `positions` positions (or of none but the
    /// empty board).
    pub fn largest(variant: Variant, positions: u64) -> Self {
        let fits =
            |&seeds: &u32| bytes(variant.pits(), seeds).is_some_and(|bytes| bytes <= positions);
        let seeds = (0..=MOST_SEEDS).take_while(fits).last().unwrap_or(0);
        Self { variant, seeds }
    }

    /// Tables small enough to be built whenever an engine starts.
    pub fn small(variant: Variant) -> Self {
        Self::largest(variant, SMALL)
    }

    /// The board and rule.
    pub fn variant(self) -> Variant {
        self.variant
    }

    /// The most seeds in play.
    pub fn seeds(self) -> u32 {
        self.seeds
    }

    /// The number of positions, each of which takes a byte.
    pub fn positions(self) -> u64 {
        bytes(self.variant.pits(), self.seeds).expect("an extent is made countable")
    }

    /// Memory that building takes at most, in bytes: the tables, and what the
    /// builder works out for sets of rows.
    pub fn build_memory(self) -> u64 {
        // A byte a position with both rows equally rich, for its other half;
        // then places, sowings and runs, all in proportion to the rows.
        let pits = self.variant.pits() as u32;
        let rows = |seeds: u32| binomial(seeds + pits - 1, pits - 1);
        let equal = rows(self.seeds / 2).unwrap_or(u64::MAX).pow(2);
        let all_rows = binomial(self.seeds + pits, pits).unwrap_or(u64::MAX);
        self.positions() + equal + all_rows.saturating_mul(40 * u64::from(pits))
    }

    pub(super) fn layout(self) -> Layout {
        Layout::new(self.variant.pits(), self.seeds)
    }
}

/// The bytes that tables up to `seeds` seeds take with `pits` pits a row: one a
/// position, C(seeds + 2 pits, 2 pits). `None` if 64 bits cannot count them.
pub fn bytes(pits: usize, seeds: u32) -> Option<u64> {
    binomial(seeds + 2 * pits as u32, 2 * pits as u32)
}

/// C(n, k), if 64 bits can count it.
fn binomial(n: u32, k: u32) -> Option<u64> {
    // Each step is a binomial itself, so it divides evenly.
    let step = |product: u128, i: u32| {
        product.checked_mul((n - k + i).into()).map(|product| product / u128::from(i))
    };
    u64::try_from((1..=k).try_fold(1, step)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Capture;

    fn standard(pits: usize) -> Variant {
        Variant::new(pits, Capture::Standard).unwrap()
    }

    #[test]
    fn sizes_are_those_of_the_literature() {
        for (seeds, positions) in
            [(12, 2_704_156), (16, 30_421_755), (20, 225_792_840), (24, 1_251_677_700)]
        {
            assert_eq!(bytes(6, seeds), Some(positions));
        }
        assert_eq!(bytes(6, 34), Some(38_910_617_655));
        assert_eq!(bytes(16, 250), None);
    }

    #[test]
    fn small_tables_are_small_on_every_board() {
        for variant in Variant::all() {
            let small = Extent::small(variant);
            assert!(small.positions() <= SMALL);
            assert!(small.seeds() >= 6, "{small:?}");
        }
        assert_eq!(Extent::small(standard(6)).seeds(), 14);
    }

    #[test]
    fn what_fits_no_memory_is_refused_with_what_would() {
        assert_eq!(
            Extent::new(standard(6), 100).unwrap_err().to_string(),
            "expected at most 46 seeds in play with 6 pits a row, got 100: \
             tables beyond that fit no memory"
        );
        assert!(Extent::new(standard(1), MOST_SEEDS).is_ok());
        assert!(Extent::new(standard(1), MOST_SEEDS + 1).is_err());
    }
}
