//! The tables in memory and how they are asked.

use thiserror::Error;

use super::build::Builder;
use super::layout::{Layout, MOST_SEEDS, bytes};
use crate::kalah::{Board, Capture, MAX_PITS, Row};
use crate::prefetch::prefetch;
use crate::score::Gain;

/// Why tables cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TablesError {
    /// No such board.
    #[error("expected 1 to {MAX_PITS} pits a row, got {0}")]
    Pits(usize),
    /// A byte cannot count that many seeds.
    #[error("expected at most {MOST_SEEDS} seeds in play, got {0}")]
    Seeds(u32),
    /// More positions than can be addressed.
    #[error("tables of {pits} pits a row and {seeds} seeds are beyond any memory")]
    Size {
        /// Pits a row.
        pits: usize,
        /// Seeds in play.
        seeds: u32,
    },
}

/// The exact gains of all positions with up to N seeds in play.
#[derive(Debug)]
pub struct Tables {
    layout: Layout,
    capture: Capture,
    /// The seeds that the mover still wins.
    wins: Box<[u8]>,
}

impl Tables {
    /// Tables for rows of `pits` pits and up to `seeds` seeds in play, built by
    /// `threads` threads.
    ///
    /// # Errors
    /// [`TablesError`] if no such tables can be.
    pub fn build(
        pits: usize,
        seeds: u32,
        capture: Capture,
        threads: usize,
    ) -> Result<Self, TablesError> {
        if !(1..=MAX_PITS).contains(&pits) {
            return Err(TablesError::Pits(pits));
        }
        if seeds > MOST_SEEDS {
            return Err(TablesError::Seeds(seeds));
        }
        bytes(pits, seeds)
            .filter(|&bytes| bytes < 1 << 40)
            .ok_or(TablesError::Size { pits, seeds })?;
        let layout = Layout::new(pits, seeds);
        let mut wins = vec![0; layout.positions()];
        let mut builder = Builder::new(&layout, capture == Capture::EmptyCapture);
        for layer in 0..=seeds {
            builder.fill(&mut wins[..layout.layer(layer).end], layer, threads);
        }
        Ok(Self { layout, capture, wins: wins.into() })
    }

    /// Pits a row.
    #[inline]
    pub fn pits(&self) -> usize {
        self.layout.pits()
    }

    /// The most seeds in play.
    #[inline]
    pub fn seeds(&self) -> u32 {
        self.layout.seeds()
    }

    /// The capture rule.
    #[inline]
    pub fn capture(&self) -> Capture {
        self.capture
    }

    /// Where each position lies.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The gain of `board`, a board of [`Tables::pits`] pits a row; `None` if it
    /// holds more than [`Tables::seeds`] seeds. Finished positions count too.
    #[inline]
    pub fn gain<R: Row>(&self, board: Board<R>) -> Option<Gain> {
        let (own, opponent) = (board.own.sum(), board.opponent.sum());
        (own + opponent <= self.seeds()).then(|| {
            let slot = self.layout.index(board, own, opponent);
            self.gain_at(slot, own + opponent)
        })
    }

    /// The place of `board`, whose rows hold `own` and `opponent` seeds, at most
    /// [`Tables::seeds`] together: for [`Tables::gain_at`] and
    /// [`Tables::prefetch`].
    #[inline]
    pub fn slot<R: Row>(&self, board: Board<R>, own: u32, opponent: u32) -> usize {
        self.layout.index(board, own, opponent)
    }

    /// The gain of the position at `slot`, which has `in_play` seeds.
    #[inline]
    pub fn gain_at(&self, slot: usize, in_play: u32) -> Gain {
        Gain(2 * i32::from(self.wins[slot]) - in_play as i32)
    }

    /// Asks for the byte at `slot` to be brought near; it changes no result.
    #[inline]
    pub fn prefetch(&self, slot: usize) {
        if let Some(byte) = self.wins.get(slot) {
            prefetch(byte);
        }
    }

    /// A check value of the layer of `seeds` seeds that other programs can
    /// compare: FNV-1a (64 bit) over the seeds that the mover wins in each
    /// unfinished position, by the mover's seeds, the rank of the mover's row,
    /// the rank of the other row.
    ///
    /// The basis is that of the values known, 1469598103934665603; the usual
    /// one of FNV has another digit, 14695981039346656037.
    pub fn check_value(&self, seeds: u32) -> u64 {
        const BASIS: u64 = 1_469_598_103_934_665_603;
        const PRIME: u64 = 0x100_0000_01b3;
        let ranks = self.layout.ranks();
        let mut hash = BASIS;
        for own in 1..seeds {
            let block = self.layout.block(own, seeds - own);
            for row in 0..ranks.rows(own) {
                for other in 0..ranks.rows(seeds - own) {
                    let slot = block.base + row * block.own + other * block.opponent;
                    hash = (hash ^ u64::from(self.wins[slot])).wrapping_mul(PRIME);
                }
            }
        }
        hash
    }
}
