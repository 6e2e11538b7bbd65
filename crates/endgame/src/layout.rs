//! Where the value of each position is stored: the rank of a row, and the place of a pair of
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
//! position has exactly one value, including finished ones.
//!
//! A value is the number of seeds that the mover wins, packed in as few bits as the seeds in play
//! need. Each block starts on a byte boundary, so that threads can fill several at once.

use std::ops::Range;

use super::packed::{packed_len, width};
use kalah_game::{Board, MAX_PITS, Pit, Row};

/// C(n, k); `None` if 64 bits cannot hold it.
pub fn binomial(n: u32, k: u32) -> Option<u64> {
    let Some(rest) = n.checked_sub(k) else { return Some(0) };
    // Each step is a binomial itself, so it divides evenly.
    (1..=k).try_fold(1u64, |product, i| {
        u64::try_from(u128::from(product) * u128::from(rest + i) / u128::from(i)).ok()
    })
}

/// The positions with up to `seeds` seeds in play and `pits` pits per row:
/// C(seeds + 2 pits, 2 pits). `None` if 64 bits cannot count them.
pub fn positions(pits: usize, seeds: u32) -> Option<u64> {
    binomial(seeds + 2 * pits as u32, 2 * pits as u32)
}

/// The bytes of the layer of `seeds` seeds in play. `None` if 64 bits cannot count them.
pub(super) fn layer_bytes(pits: usize, seeds: u32) -> Option<u64> {
    let mut blocks = blocks(pits, seeds).map(|block| packed_len(block?, width(seeds)));
    blocks.try_fold(0_u64, |all, bytes| all.checked_add(bytes?))
}

/// The number of positions in each block of a layer, in the order in which they are stored.
/// `None` for those that 64 bits cannot count.
pub(super) fn blocks(pits: usize, seeds: u32) -> impl Iterator<Item = Option<u64>> {
    (0..=seeds / 2).flat_map(move |poor| {
        let rich = seeds - poor;
        let pairs = rows(pits, poor).zip(rows(pits, rich));
        let block = pairs.and_then(|(poor, rich)| poor.checked_mul(rich));
        std::iter::repeat_n(block, blocks_of_split(poor, rich))
    })
}

/// The number of blocks with `poor` and `rich` seeds in the rows. Equally rich rows need only one:
/// it holds each pair of rows in both orders.
pub(super) fn blocks_of_split(poor: u32, rich: u32) -> usize {
    if poor < rich { 2 } else { 1 }
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

/// Where a position's value is stored: its first bit, counted from the first layer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableSlot(pub(super) u64);

/// The positions of one split of the seeds in play between the rows. All distances are in bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// The place of the position whose ranks are both 0.
    pub base: u64,
    /// The distance from one rank of the mover's row to the next.
    pub own: u64,
    /// The distance from one rank of the opponent's row to the next.
    pub opponent: u64,
}

/// The places of all positions with up to a given number of seeds in play.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub ranks: Ranks,
    /// By the mover's seeds and the opponent's: `own * (seeds + 1) + opponent`.
    blocks: Box<[Block]>,
    /// The first byte of each layer, and the end of the last one.
    layers: Box<[u64]>,
}

impl Layout {
    /// The layout for `pits` pits per row and up to `seeds` seeds, which an
    /// [`Extent`](super::Extent) allows.
    pub(super) fn new(pits: usize, seeds: u32) -> Self {
        let ranks = Ranks::new(pits, seeds);
        let columns = seeds as usize + 1;
        let mut blocks = vec![Block::default(); columns * columns];
        let mut layers = vec![0];
        let mut byte = 0;
        for layer in 0..=seeds {
            let width = width(layer);
            for poor in 0..=layer / 2 {
                let rich = layer - poor;
                let line = ranks.rows(rich) as u64 * u64::from(width);
                let value = width.into();
                let positions = ranks.rows(poor) as u64 * ranks.rows(rich) as u64;
                let bytes = packed_len(positions, width).expect("an extent that is not too large");
                blocks[poor as usize * columns + rich as usize] =
                    Block { base: 8 * byte, own: line, opponent: value };
                byte += bytes;
                if blocks_of_split(poor, rich) == 2 {
                    blocks[rich as usize * columns + poor as usize] =
                        Block { base: 8 * byte, own: value, opponent: line };
                    byte += bytes;
                }
            }
            layers.push(byte);
        }
        Self { ranks, blocks: blocks.into(), layers: layers.into() }
    }

    /// The bytes of the positions with exactly `seeds` seeds in play.
    #[inline]
    pub(super) fn layer(&self, seeds: u32) -> Range<usize> {
        self.layers[seeds as usize] as usize..self.layers[seeds as usize + 1] as usize
    }

    /// The number of positions with exactly `seeds` seeds in play.
    pub(super) fn layer_len(&self, seeds: u32) -> u64 {
        let blocks = blocks(self.ranks.pits, seeds);
        blocks.map(|block| block.expect("an extent that is not too large")).sum()
    }

    /// The bytes of all positions.
    pub(super) fn bytes(&self) -> usize {
        self.layers[self.layers.len() - 1] as usize
    }

    /// The positions in which the mover has `own` seeds and the other player
    /// `opponent`, together at most the seeds of the ranks.
    #[inline]
    pub(super) fn block(&self, own: u32, opponent: u32) -> Block {
        self.blocks[own as usize * (self.ranks.seeds as usize + 1) + opponent as usize]
    }

    /// The rows, the mover's first, of the position with this number in the layer of `seeds`
    /// seeds.
    pub(super) fn rows_at(&self, seeds: u32, number: u64) -> [RowCounts; 2] {
        let mut index = number as usize;
        for poor in 0..=seeds / 2 {
            let rich = seeds - poor;
            let line = self.ranks.rows(rich);
            let block = self.ranks.rows(poor) * line;
            let blocks = blocks_of_split(poor, rich);
            if index < blocks * block {
                let poor_row = self.ranks.row(poor, index % block / line);
                let rich_row = self.ranks.row(rich, index % line);
                return if index < block { [poor_row, rich_row] } else { [rich_row, poor_row] };
            }
            index -= blocks * block;
        }
        panic!("expected a number below {}, got {number}", self.layer_len(seeds));
    }

    /// The place of `board`, whose rows hold `own` and `opponent` seeds,
    /// together at most the seeds of the ranks.
    #[inline]
    pub(super) fn slot<R: Row>(&self, board: Board<R>, own: u32, opponent: u32) -> TableSlot {
        let block = self.block(own, opponent);
        let own = self.ranks.rank(board.own, own) as u64 * block.own;
        let opponent = self.ranks.rank(board.opponent, opponent) as u64 * block.opponent;
        TableSlot(block.base + own + opponent)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use kalah_game::Wide;

    #[test]
    fn each_position_of_a_layer_has_its_own_bits() {
        for (pits, seeds) in [(1, 70), (2, 20), (3, 9), (6, 4)] {
            let layout = Layout::new(pits, seeds);
            for layer in 0..=seeds {
                let bits = layout.layer(layer);
                let bits = 8 * bits.start as u64..8 * bits.end as u64;
                let width = u64::from(width(layer));
                let mut taken = HashSet::new();
                for number in 0..layout.layer_len(layer) {
                    let rows = layout.rows_at(layer, number);
                    let [own, opponent] =
                        rows.map(|row| Wide::from_counts(&row.map(u16::from)[..Wide::LANES]));
                    let slot = layout.slot(Board { own, opponent }, sum(&rows[0]), sum(&rows[1]));
                    for bit in slot.0..slot.0 + width {
                        assert!(bits.contains(&bit) && taken.insert(bit), "{rows:?}");
                    }
                }
                assert_eq!(layer_bytes(pits, layer), Some(layout.layer(layer).len() as u64));
            }
        }
    }
}
