//! Where each position's byte lies.
//!
//! Layers of equal seeds in play follow one another, the fewest first. A layer
//! is cut into blocks by how many seeds the poorer row holds, n = 0 up to half.
//! A block with the poorer row's rank as the line and the richer row's rank as
//! the place in the line is stored twice: first with the owner of the poorer
//! row to move, then with the owner of the richer one. Rows equally rich make
//! one block, the mover's row as the line.
//!
//! So every position has exactly one byte, C(N + 2m, 2m) in all for N seeds and
//! m pits a row, finished positions included.

use super::rank::{Counts, Ranks};
use crate::game::{Board, Row};

/// The positions of one split of the seeds in play between the rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// Where the position with both ranks 0 lies.
    pub base: usize,
    /// The distance from one rank of the mover's row to the next.
    pub own: usize,
    /// The distance from one rank of the opponent's row to the next.
    pub opponent: usize,
}

/// The places of all positions with up to a number of seeds in play.
#[derive(Clone, Debug)]
pub struct Layout {
    ranks: Ranks,
    /// By the mover's seeds and the opponent's: `own * (seeds + 1) + opponent`.
    blocks: Box<[Block]>,
    /// Where each layer begins, and where the last one ends.
    layers: Box<[usize]>,
}

impl Layout {
    /// The layout for `pits` pits a row and up to `seeds` seeds, which an
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

    /// The ranks of rows.
    #[inline]
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Pits a row.
    #[inline]
    pub fn pits(&self) -> usize {
        self.ranks.pits()
    }

    /// The most seeds in play.
    #[inline]
    pub fn seeds(&self) -> u32 {
        self.ranks.seeds()
    }

    /// The places of the positions with exactly `seeds` seeds in play.
    #[inline]
    pub fn layer(&self, seeds: u32) -> std::ops::Range<usize> {
        self.layers[seeds as usize]..self.layers[seeds as usize + 1]
    }

    /// The number of positions in all layers.
    pub fn positions(&self) -> usize {
        self.layers[self.layers.len() - 1]
    }

    /// The positions in which the mover has `own` seeds and the other player
    /// `opponent`, together at most [`Layout::seeds`].
    #[inline]
    pub(super) fn block(&self, own: u32, opponent: u32) -> Block {
        self.blocks[own as usize * (self.seeds() as usize + 1) + opponent as usize]
    }

    /// The rows, the mover's first, of the position at `slot`.
    pub(super) fn rows_at(&self, slot: usize) -> [Counts; 2] {
        let seeds = self.layers.partition_point(|&begin| begin <= slot) as u32 - 1;
        // Blocks come by the seeds of the poorer row, the poorer to move first.
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
    /// together at most [`Layout::seeds`].
    #[inline]
    pub fn index<R: Row>(&self, board: Board<R>, own: u32, opponent: u32) -> usize {
        let block = self.block(own, opponent);
        block.base
            + self.ranks.rank(board.own, own) * block.own
            + self.ranks.rank(board.opponent, opponent) * block.opponent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::extent::bytes;

    #[test]
    fn every_position_has_a_place_of_its_own() {
        for (pits, seeds) in [(1, 12), (2, 9), (3, 7), (6, 4), (16, 2)] {
            let layout = Layout::new(pits, seeds);
            assert_eq!(bytes(pits, seeds), Some(layout.positions() as u64));
            let mut seen = vec![false; layout.positions()];
            let ranks = layout.ranks();
            for own in 0..=seeds {
                for opponent in 0..=seeds - own {
                    let block = layout.block(own, opponent);
                    for a in 0..ranks.rows(own) {
                        for b in 0..ranks.rows(opponent) {
                            let place = block.base + a * block.own + b * block.opponent;
                            assert!(layout.layer(own + opponent).contains(&place));
                            assert!(!std::mem::replace(&mut seen[place], true));
                            let rows = [ranks.row(own, a), ranks.row(opponent, b)];
                            assert_eq!(layout.rows_at(place), rows);
                        }
                    }
                }
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }
}
