//! A node of a proof, its generated moves, and the best move so far.

use arrayvec::ArrayVec;

use super::proof_table::{ProofEntry, ProofKey};
use crate::endgame::TableSlot;
use kalah_game::{Board, Gain, Interval, MAX_PITS, Pit, Score, Turn, Value, Window};

/// A position to search. Its game is not over.
#[derive(Clone, Copy)]
pub(super) struct ProofNode<R> {
    pub board: Board<R>,
    pub in_play: u32,
    /// None if the position has too many seeds for the transposition table or is not worth an
    /// entry.
    pub key: Option<ProofKey>,
    /// The move to try first.
    pub tt_move: Option<Pit>,
}

/// A move that needs a probe of the transposition table or a search.
#[derive(Clone, Copy)]
pub(super) struct ProofChild<R> {
    pub node: ProofNode<R>,
    pub pit: Pit,
    pub banked: Gain,
    pub turn: Turn,
}

impl<R> ProofChild<R> {
    /// The window for the player to move after this move.
    #[inline]
    pub(super) fn window(&self, window: Window<Gain>) -> Window<Gain> {
        window.after(self.banked).for_child(self.turn)
    }

    /// The gain of this move if the position after it has this value for its mover.
    #[inline]
    pub(super) fn gain(&self, value: Value) -> Value {
        Value::from(self.banked) + self.turn.from_child(value)
    }
}

/// A move to a position in the endgame tables, whose cache line has been prefetched.
pub(super) struct TabledChild {
    pub slot: TableSlot,
    pub in_play: u32,
    pub pit: Pit,
    pub banked: Gain,
    pub turn: Turn,
}

/// A node and its generated moves.
pub(super) struct Generated<R> {
    pub node: ProofNode<R>,
    pub best: BestGain,
    /// Moves into the endgame tables.
    pub tabled: ArrayVec<TabledChild, MAX_PITS>,
    /// Moves that only the transposition table or a search can decide.
    pub open: ArrayVec<ProofChild<R>, MAX_PITS>,
}

impl<R> Generated<R> {
    /// A node with no moves generated yet.
    #[inline]
    pub(super) fn new(node: ProofNode<R>) -> Self {
        Self { node, best: BestGain::NONE, tabled: ArrayVec::new(), open: ArrayVec::new() }
    }
}

/// Two sets of generated moves: those of the child being searched, and those of the
/// next one, whose table entries are loaded in the meantime. Proofs are bound by the
/// latency of memory, because almost every probe misses the caches: when this was added,
/// (6,4) took 6.3 s instead of 8.3 s for the same tree.
//
// Two alternatives saved no time (doc/lab/kalah66.md). Generating a third position ahead took up to
// 14 % longer. Two searches per thread, each on a stack of its own, visited 20 % more nodes per
// second but needed 18 % more nodes, because they divide the tree as threads do.
pub(super) struct Pipeline<R> {
    pub generated: [Generated<R>; 2],
    /// Which of the two belongs to the child being searched.
    pub current: usize,
    /// The index of the child that the other set belongs to.
    pub next: Option<usize>,
}

impl<R: Copy> Pipeline<R> {
    /// A pipeline without generated children; `node` is a placeholder.
    #[inline]
    pub(super) fn new(node: ProofNode<R>) -> Self {
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
pub(super) struct BestGain {
    pub gain: Gain,
    pub pit: Option<Pit>,
}

impl BestGain {
    pub(super) const NONE: Self = Self { gain: Gain::MIN, pit: None };

    /// Records that `pit` gains at most (or, for a cutoff, at least) `gain`.
    #[inline]
    pub(super) fn improve(&mut self, gain: Gain, pit: Pit) {
        if gain > self.gain {
            *self = Self { gain, pit: Some(pit) };
        }
    }

    /// The bounds that it proves for a position whose gain is one of `all`. Fail-soft: the gain may
    /// lie beyond the edge of the window, which makes the bound tighter.
    #[inline]
    pub(super) fn entry(&self, window: Window<Gain>, all: Interval<Gain>) -> ProofEntry {
        // If all moves fail low, the largest of their upper bounds is an upper bound of the
        // position. If one move fails high, its lower bound alone is enough.
        ProofEntry { proved: all.narrowed(window, self.gain), best_move: self.pit }
    }
}
