//! A node of the search: what is asked of it, and the best of its moves so far.

use crate::depth::{Depth, Ply};
use crate::game::{Board, Pit, PitSet, Row};
use crate::score::{Score, Value, Window};

use super::children::Found;

/// A board, and what is asked of it: the best of `moves` within `window`,
/// looking `depth` sowings ahead.
pub(super) struct Node<R> {
    pub board: Board<R>,
    /// All moves of the board, or at the root some of them.
    pub moves: PitSet,
    /// The board's, if memory is in use.
    pub key: u64,
    pub window: Window<Value>,
    pub depth: Depth,
    pub ply: Ply,
}

impl<R: Row> Node<R> {
    /// Whether what is found is true of the board.
    pub(super) fn is_whole(&self) -> bool {
        self.moves == self.board.moves()
    }
}

/// The best of a node's moves so far.
pub(super) struct Best {
    pub found: Found,
    pub pit: Option<Pit>,
    /// Whether what was found of every move is proved.
    all_proved: bool,
}

impl Best {
    pub(super) fn none() -> Self {
        Self { found: Found { value: Value::MIN, proved: true }, pit: None, all_proved: true }
    }

    #[inline]
    pub(super) fn consider(&mut self, pit: Pit, found: Found) -> bool {
        self.all_proved &= found.proved;
        let better = found.value > self.found.value;
        if better {
            self.found = found;
            self.pit = Some(pit);
        }
        better
    }

    /// Takes over what is known of a move that this search has yet to look at.
    pub(super) fn take_over(&mut self, pit: Pit, found: Found) {
        self.found = found;
        self.pit = Some(pit);
    }

    /// The node's result: a lower bound is proved by the one move that gives
    /// it, anything else by all moves together.
    pub(super) fn result(&self, window: Window<Value>) -> Found {
        let proved = match window.fails_high(self.found.value) {
            true => self.found.proved,
            false => self.all_proved && self.found.proved,
        };
        Found { proved, ..self.found }
    }
}
