//! Where the byte of each position is stored: the rank of a row, and the place of a pair of
//! rows.
//!
//! Rows with the same number of seeds are ranked in lexicographic order, the pit farthest
//! from the store most significant. A sowing that stays in its row only carries seeds
//! towards the store, so it always lowers the rank; adding the same seeds to two rows keeps
//! their order. The builder relies on both.
//!
//! Layers of equal seeds in play follow one another, the fewest first. A layer is divided into
//! blocks by the number of seeds in the poorer row, from 0 up to half. In a block the poorer row's
//! rank chooses the line and the richer row's rank the place in the line. Each block is stored
//! twice, first with the owner of the poorer row to move, then with the owner of the richer one;
//! equally rich rows make only one block, in which the mover's row chooses the line. So every
//! position has exactly one byte, including finished ones.

use std::ops::Range;

use kalah_game::{Board, MAX_PITS, Pit, Row};

/// C(n, k); `None` if 64 bits cannot hold it.
pub(crate) fn binomial(n: u32, k: u32) -> Option<u64> {
    let Some(rest) = n.checked_sub(k) else { return Some(0) };
    // Each step is a binomial itself, so it divides evenly.
    (1..=k).try_fold(1u64, |product, i| {
        u64::try_from(u128::from(product) * u128::from(rest + i) / u128::from(i)).ok()
    })
}

/// The positions with up to `seeds` seeds in play and `pits` pits per row, one
/// byte each: C(seeds + 2 pits, 2 pits). `None` if 64 bits cannot count them.
pub(crate) fn positions(pits: usize, seeds: u32) -> Option<u64> {
    binomial(seeds + 2 * pits as u32, 2 * pits as u32)
}

/// The rows of `seeds` seeds on `pits` pits. `None` if 64 bits cannot count them.
pub(super) fn rows(pits: usize, seeds: u32) -> Option<u64> {
    binomial(seeds + pits as u32 - 1, pits as u32 - 1)
}

/// Like [`rows`], in the 32 bits of a rank.
///
/// # Panics
/// If it does not fit in 32 bits.
fn ranked_rows(pits: usize, seeds: u32) -> u32 {
    let rows = rows(pits, seeds).and_then(|rows| u32::try_from(rows).ok());
    rows.expect("ranks fit in 32 bits")
}

/// The seeds in each pit of a row, pit 0 first; 0 beyond the last pit.
pub(super) type RowCounts = [u8; MAX_PITS];

/// The rank of each row of one width among the rows with the same number of seeds.
///
/// With `S(i)` the seeds in pit `i` and beyond, and `W(s, p)` the number of
/// rows of s seeds on p pits, a row of n seeds on m pits has rank
/// `W(n, m) - 1 - sum of W(S(i) - 1, m - i + 1)` over the pits `i` from 1 to
/// m - 1 with `S(i) > 0`: one look-up per pit.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    pub pits: usize,
    pub seeds: u32,
    /// `W(n, m)` for each n.
    rows: Box<[usize]>,
    /// `W(s - 1, m - i + 1)` (0 for s = 0) at `[i - 1][s]`; with 256 entries in a line, a
    /// byte as index needs no bounds check.
    above: Box<[[u32; 256]; MAX_PITS - 1]>,
}

impl Ranks {
    /// Ranks of rows of `pits` pits (1 to [`MAX_PITS`]) and up to `seeds` seeds (at most 255).
    ///
    /// # Panics
    /// If some rank does not fit in 32 bits; such tables would not fit in memory either.
    pub(super) fn new(pits: usize, seeds: u32) -> Self {
        assert!((1..=MAX_PITS).contains(&pits) && seeds <= 255);
        let mut above = Box::new([[0; 256]; MAX_PITS - 1]);
        for i in 1..pits {
            for s in 1..=seeds {
                above[i - 1][s as usize] = ranked_rows(pits - i + 1, s - 1);
            }
        }
        let rows = (0..=seeds).map(|seeds| ranked_rows(pits, seeds) as usize).collect();
        Self { pits, seeds, rows, above }
    }

    #[inline]
    pub(super) fn rows(&self, seeds: u32) -> usize {
        self.rows[seeds as usize]
    }

    /// The rank of `row`, which holds `seeds` seeds, among such rows: from 0 to
    /// `rows(seeds) - 1`.
    #[inline]
    pub(super) fn rank<R: Row>(&self, row: R, seeds: u32) -> usize {
        self.rank_by(seeds, |index| row.count(Pit::new(index)) as u8)
    }

    #[inline]
    pub(super) fn rank_counts(&self, row: &RowCounts) -> usize {
        self.rank_by(sum(row), |index| row[index])
    }

    #[inline]
    fn rank_by(&self, seeds: u32, count: impl Fn(usize) -> u8) -> usize {
        // The width that searches probe most gets a loop of constant length, which the
        // compiler unrolls. That and the missing bounds checks made a look-up take 9 ns
        // instead of 15.
        let below_highest = match self.pits {
            6 => self.below_highest(6, seeds, count),
            pits => self.below_highest(pits, seeds, count),
        };
        self.rows[seeds as usize] - 1 - below_highest as usize
    }

    /// The distance of the row's rank from the highest rank.
    #[inline(always)]
    fn below_highest(&self, pits: usize, seeds: u32, count: impl Fn(usize) -> u8) -> u32 {
        let mut beyond = seeds as u8;
        let mut below = 0;
        for i in 1..pits {
            beyond = beyond.wrapping_sub(count(i - 1));
            below += self.above[i - 1][usize::from(beyond)];
        }
        below
    }

    pub(super) fn row(&self, seeds: u32, rank: usize) -> RowCounts {
        debug_assert!(rank < self.rows(seeds));
        let mut row = [0; MAX_PITS];
        let mut beyond = seeds as usize;
        // The distance below the highest rank is divided among the pits: each in turn takes
        // as much as still fits.
        let mut below = self.rows(seeds) - 1 - rank;
        for i in 1..self.pits {
            let above = &self.above[i - 1];
            let rest = (0..=beyond).rev().find(|&rest| above[rest] as usize <= below).unwrap_or(0);
            below -= above[rest] as usize;
            row[i - 1] = (beyond - rest) as u8;
            beyond = rest;
        }
        row[self.pits - 1] = beyond as u8;
        row
    }

    /// All rows of `seeds` seeds in the order of their ranks.
    pub(super) fn each_row(&self, seeds: u32) -> impl Iterator<Item = RowCounts> {
        let last = self.pits - 1;
        let mut first = [0; MAX_PITS];
        first[last] = seeds as u8;
        std::iter::successors(Some(first), move |row| {
            // The next row in order: the last filled pit gives one seed to the pit before
            // it and the others to the last pit.
            let filled = (1..=last).rev().find(|&index| row[index] > 0)?;
            let mut next = *row;
            let rest = std::mem::take(&mut next[filled]) - 1;
            next[filled - 1] += 1;
            next[last] = rest;
            Some(next)
        })
    }
}

pub(super) fn sum(row: &RowCounts) -> u32 {
    row.iter().map(|&count| u32::from(count)).sum()
}

/// The positions of one split of the seeds in play between the rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// The place of the position whose ranks are both 0.
    pub base: usize,
    /// The distance from one rank of the mover's row to the next.
    pub own: usize,
    /// The distance from one rank of the opponent's row to the next.
    pub opponent: usize,
}

/// The places of all positions with up to a given number of seeds in play.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub ranks: Ranks,
    /// By the mover's seeds and the opponent's: `own * (seeds + 1) + opponent`.
    blocks: Box<[Block]>,
    /// The start of each layer, and the end of the last one.
    layers: Box<[usize]>,
}

impl Layout {
    /// The layout for `pits` pits per row and up to `seeds` seeds, which an
    /// [`Extent`](super::Extent) allows.
    pub(super) fn new(pits: usize, seeds: u32) -> Self {
        let ranks = Ranks::new(pits, seeds);
        let width = seeds as usize + 1;
        let mut blocks = vec![Block::default(); width * width];
        let mut layers = vec![0];
        let mut base = 0;
        for layer in 0..=seeds {
            for poor in 0..=layer / 2 {
                let rich = layer - poor;
                let line = ranks.rows(rich);
                blocks[poor as usize * width + rich as usize] =
                    Block { base, own: line, opponent: 1 };
                base += ranks.rows(poor) * line;
                // Equally rich rows need only one block: it holds each pair of rows in both
                // orders.
                if poor < rich {
                    blocks[rich as usize * width + poor as usize] =
                        Block { base, own: 1, opponent: line };
                    base += ranks.rows(poor) * line;
                }
            }
            layers.push(base);
        }
        Self { ranks, blocks: blocks.into(), layers: layers.into() }
    }

    /// The places of the positions with exactly `seeds` seeds in play.
    #[inline]
    pub(super) fn layer(&self, seeds: u32) -> Range<usize> {
        self.layers[seeds as usize]..self.layers[seeds as usize + 1]
    }

    pub(super) fn positions(&self) -> usize {
        self.layers[self.layers.len() - 1]
    }

    /// The positions in which the mover has `own` seeds and the other player
    /// `opponent`, together at most the seeds of the ranks.
    #[inline]
    pub(super) fn block(&self, own: u32, opponent: u32) -> Block {
        self.blocks[own as usize * (self.ranks.seeds as usize + 1) + opponent as usize]
    }

    /// The rows, the mover's first, of the position at `slot`.
    pub(super) fn rows_at(&self, slot: usize) -> [RowCounts; 2] {
        let seeds = self.layers.partition_point(|&begin| begin <= slot) as u32 - 1;
        // Blocks are ordered by the seeds of the poorer row, those with that row to move first.
        let poor = (0..=seeds / 2)
            .take_while(|&poor| self.block(poor, seeds - poor).base <= slot)
            .last()
            .expect("a layer begins with its first block");
        let rich = seeds - poor;
        let turned = self.block(rich, poor);
        let rich_moves = poor < rich && turned.base <= slot;
        let base = if rich_moves { turned.base } else { self.block(poor, rich).base };
        let line = self.ranks.rows(rich);
        let poor_row = self.ranks.row(poor, (slot - base) / line);
        let rich_row = self.ranks.row(rich, (slot - base) % line);
        if rich_moves { [rich_row, poor_row] } else { [poor_row, rich_row] }
    }

    /// The place of `board`, whose rows hold `own` and `opponent` seeds,
    /// together at most the seeds of the ranks.
    #[inline]
    pub(super) fn index<R: Row>(&self, board: Board<R>, own: u32, opponent: u32) -> usize {
        let block = self.block(own, opponent);
        block.base
            + self.ranks.rank(board.own, own) * block.own
            + self.ranks.rank(board.opponent, opponent) * block.opponent
    }
}
