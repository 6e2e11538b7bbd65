//! A node of a proof, its generated moves, and the best move so far.

use arrayvec::ArrayVec;

use super::table::{Entry, Key};
use crate::game::score::{Gain, Interval, Score, Turn, Window};
use crate::game::{Board, MAX_PITS, Pit};

/// A position to search, which is not over.
#[derive(Clone, Copy)]
pub(super) struct Node<R> {
    pub board: Board<R>,
    pub in_play: u32,
    /// None if the position is too big for the transposition table or not worth an entry.
    pub key: Option<Key>,
    /// The move to try first.
    pub tt_move: Option<Pit>,
}

/// A move that needs a probe of the transposition table or a search.
#[derive(Clone, Copy)]
pub(super) struct Child<R> {
    pub node: Node<R>,
    pub pit: Pit,
    pub banked: Gain,
    pub turn: Turn,
}

impl<R> Child<R> {
    /// The window for the player to move after this move.
    #[inline]
    pub(super) fn window(&self, window: Window<Gain>) -> Window<Gain> {
        window.after(self.banked).for_child(self.turn)
    }
}

/// A move into the endgame tables, whose byte has been prefetched.
pub(super) struct TabledChild {
    pub slot: usize,
    pub in_play: u32,
    pub pit: Pit,
    pub banked: Gain,
    pub turn: Turn,
}

/// A node and its generated moves.
pub(super) struct Generated<R> {
    pub node: Node<R>,
    pub best: Best,
    /// Moves into the endgame tables.
    pub tabled: ArrayVec<TabledChild, MAX_PITS>,
    /// Moves that only the transposition table or a search can decide.
    pub open: ArrayVec<Child<R>, MAX_PITS>,
}

impl<R> Generated<R> {
    /// A node with no moves generated yet.
    #[inline]
    pub(super) fn new(node: Node<R>) -> Self {
        Self { node, best: Best::NONE, tabled: ArrayVec::new(), open: ArrayVec::new() }
    }
}

/// Two sets of generated moves: those of the child being searched, and those of the
/// next one, whose table entries are loaded in the meantime. Proofs are bound by the
/// latency of memory: almost every probe misses the caches.
pub(super) struct Pipeline<R> {
    pub generated: [Generated<R>; 2],
    /// Which of the two belongs to the child being searched.
    pub current: usize,
    /// The child that the other one belongs to.
    pub next: Option<usize>,
}

impl<R: Copy> Pipeline<R> {
    /// No child generated; `node` is a placeholder.
    #[inline]
    pub(super) fn new(node: Node<R>) -> Self {
        let generated = [Generated::new(node), Generated::new(node)];
        Self { generated, current: 0, next: None }
    }

    /// Makes the next child the current one.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.current = 1 - self.current;
        self.next = None;
    }

    #[inline]
    pub(super) fn current(&mut self) -> &mut Generated<R> {
        &mut self.generated[self.current]
    }
}

/// The best gain so far and its move.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub gain: Gain,
    pub pit: Option<Pit>,
}

impl Best {
    pub(super) const NONE: Self = Self { gain: Gain::MIN, pit: None };

    /// Records that `pit` gains at most (or, for a cutoff, at least) `gain`.
    #[inline]
    pub(super) fn improve(&mut self, gain: Gain, pit: Pit) {
        if gain > self.gain {
            *self = Self { gain, pit: Some(pit) };
        }
    }

    /// The bound that it proves of a position with `in_play` seeds. Fail-soft: the gain
    /// may be further from the window than its edge.
    #[inline]
    pub(super) fn entry(&self, window: Window<Gain>, in_play: u32) -> Entry {
        // Below alpha, every move has an upper bound of at most the best one's; at or above
        // beta, a single move is enough.
        let all = Interval::within(Gain(in_play as i32));
        Entry { proved: all.narrowed(window, self.gain), best_move: self.pit }
    }
}
