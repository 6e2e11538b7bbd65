//! Rows as numbers: the rank of a row among all rows with as many seeds.
//!
//! The order is lexicographic, the pit farthest from the store most
//! significant. A sowing that stays in its row only carries seeds toward the
//! store, so it always lowers the rank; adding the same seeds to two rows keeps
//! their order. The builder lives on both facts.

use crate::game::{MAX_PITS, Pit, Row};

/// The seeds in each pit of a row, pit 0 first; pits that do not exist are 0.
pub(super) type Counts = [u8; MAX_PITS];

/// Ranks of the rows of one width with up to a number of seeds.
///
/// With `S(i)` the seeds in pit `i` and beyond, and `W(s, p)` the number of
/// ways to put s seeds into p pits, a row of n seeds on m pits has rank
/// `W(n, m) - 1 - sum of W(S(i) - 1, m - i + 1)` over the pits `i` from 1 to
/// m - 1 with `S(i) > 0`: one look-up a pit.
#[derive(Clone, Debug)]
pub struct Ranks {
    pits: usize,
    seeds: u32,
    /// `W(n, m)` for each n.
    rows: Box<[usize]>,
    /// `W(s - 1, m - i + 1)` (0 for s = 0) at `[i - 1][s]`; lines of 256 let a
    /// byte be an index that needs no check.
    above: Box<[[u32; 256]; MAX_PITS - 1]>,
}

impl Ranks {
    /// Ranks of rows of `pits` pits (1 to [`MAX_PITS`]) and up to `seeds` seeds
    /// (to 255).
    ///
    /// # Panics
    /// If some rank would not fit 32 bits: no memory holds such a table.
    pub fn new(pits: usize, seeds: u32) -> Self {
        assert!((1..=MAX_PITS).contains(&pits) && seeds <= 255);
        let most = seeds as usize;
        // ways[p][s] = W(s, p): each row of Pascal's triangle sums up the last.
        let mut ways = vec![vec![0u64; most + 1]; pits + 1];
        ways[0][0] = 1;
        for p in 1..=pits {
            for s in 0..=most {
                let fewer = if s > 0 { ways[p][s - 1] } else { 0 };
                ways[p][s] = ways[p - 1][s].saturating_add(fewer);
            }
        }
        let narrow = |ways: u64| u32::try_from(ways).expect("ranks of 32 bits");
        let mut above = Box::new([[0; 256]; MAX_PITS - 1]);
        for i in 1..pits {
            for s in 1..=most {
                above[i - 1][s] = narrow(ways[pits - i + 1][s - 1]);
            }
        }
        let rows = ways[pits].iter().map(|&ways| narrow(ways) as usize).collect();
        Self { pits, seeds, rows, above }
    }

    /// Pits a row.
    #[inline]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// The most seeds of a row.
    #[inline]
    pub fn seeds(&self) -> u32 {
        self.seeds
    }

    /// How many rows hold exactly `seeds`.
    #[inline]
    pub fn rows(&self, seeds: u32) -> usize {
        self.rows[seeds as usize]
    }

    /// The rank of `row`, which holds `seeds` seeds, among such rows: from 0 to
    /// `rows(seeds) - 1`.
    #[inline]
    pub fn rank<R: Row>(&self, row: R, seeds: u32) -> usize {
        self.rank_by(seeds, |index| row.count(Pit::new(index)) as u8)
    }

    /// The rank of a row given by its counts.
    #[inline]
    pub(super) fn rank_counts(&self, row: &Counts) -> usize {
        self.rank_by(sum(row), |index| row[index])
    }

    #[inline]
    fn rank_by(&self, seeds: u32, count: impl Fn(usize) -> u8) -> usize {
        // The width that search probes most gets a loop of fixed length.
        let fewer = match self.pits {
            6 => self.fewer::<6>(seeds, count),
            _ => {
                (1..self.pits)
                    .fold((seeds as u8, 0), |(beyond, fewer), i| {
                        let beyond = beyond.wrapping_sub(count(i - 1));
                        (beyond, fewer + self.above[i - 1][usize::from(beyond)])
                    })
                    .1
            }
        };
        self.rows[seeds as usize] - 1 - fewer as usize
    }

    /// How many ranks the row lies below the highest.
    #[inline]
    fn fewer<const PITS: usize>(&self, seeds: u32, count: impl Fn(usize) -> u8) -> u32 {
        let mut beyond = seeds as u8;
        let mut fewer = 0;
        for i in 1..PITS {
            beyond = beyond.wrapping_sub(count(i - 1));
            fewer += self.above[i - 1][usize::from(beyond)];
        }
        fewer
    }

    /// The row of `seeds` seeds with this rank, below `rows(seeds)`.
    pub(super) fn row(&self, seeds: u32, rank: usize) -> Counts {
        debug_assert!(rank < self.rows(seeds));
        let mut row = [0; MAX_PITS];
        let mut beyond = seeds as usize;
        // How many ranks the row lies below the highest, split by place: what a
        // pit and those before it take is the most that still fits.
        let mut fewer = self.rows(seeds) - 1 - rank;
        for i in 1..self.pits {
            let above = &self.above[i - 1];
            let rest = (0..=beyond).rev().find(|&rest| above[rest] as usize <= fewer).unwrap_or(0);
            fewer -= above[rest] as usize;
            row[i - 1] = (beyond - rest) as u8;
            beyond = rest;
        }
        row[self.pits - 1] = beyond as u8;
        row
    }

    /// All rows of `seeds` seeds in the order of their ranks.
    pub(super) fn each_row(&self, seeds: u32) -> impl Iterator<Item = Counts> {
        let last = self.pits - 1;
        let mut first = [0; MAX_PITS];
        first[last] = seeds as u8;
        std::iter::successors(Some(first), move |row| {
            // One seed moves from beyond to the rightmost pit that can take it;
            // the others beyond that pit gather at the end.
            let filled = (1..=last).rev().find(|&index| row[index] > 0)?;
            let mut next = *row;
            let rest = std::mem::take(&mut next[filled]) - 1;
            next[filled - 1] += 1;
            next[last] = rest;
            Some(next)
        })
    }
}

/// All seeds of a row.
pub(super) fn sum(row: &Counts) -> u32 {
    row.iter().map(|&count| u32::from(count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Wide;
    use proptest::prelude::*;

    fn wide(row: &Counts) -> Wide {
        Wide::from_counts(&row.map(u16::from))
    }

    #[test]
    fn ranks_number_all_rows_in_lexicographic_order() {
        for (pits, most) in [(1, 40), (2, 30), (3, 20), (6, 10), (8, 7), (16, 4)] {
            let ranks = Ranks::new(pits, most);
            for seeds in 0..=most {
                let rows: Vec<_> = ranks.each_row(seeds).collect();
                assert_eq!(rows.len(), ranks.rows(seeds), "{pits} pits, {seeds} seeds");
                assert!(rows.is_sorted_by(|row, next| row < next));
                for (rank, row) in rows.iter().enumerate() {
                    assert_eq!(sum(row), seeds);
                    assert_eq!(ranks.rank_counts(row), rank, "{row:?}");
                    assert_eq!(ranks.rank(wide(row), seeds), rank, "{row:?}");
                    assert_eq!(ranks.row(seeds, rank), *row);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_order_of_ranks_is_the_order_of_rows(
            (row, other) in (1usize..=8).prop_flat_map(|pits| {
                let row = prop::collection::vec(0u8..=9, pits);
                (row.clone(), row)
            })
        ) {
            let ranks = Ranks::new(row.len(), 72);
            let counts = |row: &[u8]| {
                let mut counts = [0; MAX_PITS];
                counts[..row.len()].copy_from_slice(row);
                counts
            };
            let (row, other) = (counts(&row), counts(&other));
            let (n, k) = (sum(&row), sum(&other));
            prop_assert!(ranks.rank_counts(&row) < ranks.rows(n));
            let packed = u64::from_counts(&row.map(u16::from)[..8]);
            prop_assert_eq!(ranks.rank(packed, n), ranks.rank_counts(&row));
            if n == k {
                let order = ranks.rank_counts(&row).cmp(&ranks.rank_counts(&other));
                prop_assert_eq!(order, row.cmp(&other));
            }
        }
    }
}
