//! A node of the search: a board with its window and depth, the result of a search, and
//! the best move so far.

use kalah_game::{Board, Depth, Gain, Pit, PitSet, Ply, Row, Score, Sown, Value, Variant, Window};

use crate::evaluation::Estimate;

/// The result of a search: the mover's gain, and whether it is proved to the end of the game.
///
/// The value is fail-soft: an upper bound if it fails low in the window of the search,
/// a lower bound if it fails high. `proved` means that this bound, or the value inside the
/// window, does not depend on any static evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeValue {
    pub value: Value,
    pub proved: bool,
}

impl NodeValue {
    #[inline]
    pub(super) fn proved(gain: Gain) -> Self {
        Self { value: gain.into(), proved: true }
    }

    /// The result of a move, derived from that of the board after it: the sign flips if the
    /// turn passes, and the seeds that the move banked are added.
    #[inline]
    pub(super) fn from_child<R>(self, sown: &Sown<R>) -> Self {
        Self { value: Value::from(sown.gain()) + sown.turn.from_child(self.value), ..self }
    }
}

/// The value of the move that led to `sown`, if it needs no search: the exact value if the
/// game is over, or a bound that closes `window`, because neither side can gain more than
/// the seeds left in play.
#[inline]
pub(super) fn bound_by_seeds<R: Row>(
    sown: &Sown<R>,
    variant: Variant,
    window: Window<Value>,
) -> Option<NodeValue> {
    let board = sown.board;
    if board.is_over(variant) {
        return Some(NodeValue::proved(board.final_gain(variant)).from_child(sown));
    }
    let gains = variant.gains(board.in_play());
    let most = NodeValue::proved(sown.gain() + gains.upper);
    let least = NodeValue::proved(sown.gain() + gains.lower);
    if window.fails_low(most.value) {
        // Futility pruning without an estimate: even all seeds in play would not lift the move
        // above alpha.
        Some(most)
    } else if window.fails_high(least.value) {
        // The lead is safe: the move reaches beta even if it wins no further seed.
        Some(least)
    } else {
        None
    }
}

/// A board to search for the best of `moves`, in `window` and to `depth`.
pub(super) struct SearchNode<R> {
    pub board: Board<R>,
    /// All moves of the board, or some of them at the root.
    pub moves: PitSet,
    /// The key of `board`; meaningless if the transposition table is off.
    pub key: u64,
    pub window: Window<Value>,
    pub depth: Depth,
    pub ply: Ply,
    /// The static evaluation of `board`, if it was needed.
    pub estimate: Option<Estimate>,
}

impl<R: Row> SearchNode<R> {
    /// Whether the result applies to the board, not only to some of its moves.
    pub(super) fn is_whole(&self, variant: Variant) -> bool {
        self.moves == self.board.moves(variant)
    }

    /// Whether the window is open, and a pv is therefore wanted.
    #[inline]
    pub(super) fn is_pv(&self) -> bool {
        !self.window.is_null()
    }
}

/// The best of a node's moves so far.
pub(super) struct BestMove {
    pub found: NodeValue,
    pub pit: Option<Pit>,
    all_proved: bool,
}

impl BestMove {
    pub(super) fn none() -> Self {
        Self { found: NodeValue { value: Value::MIN, proved: true }, pit: None, all_proved: true }
    }

    /// Takes the result of a move into account, and returns whether it is the best so far.
    #[inline]
    pub(super) fn consider(&mut self, pit: Pit, found: NodeValue) -> bool {
        self.all_proved &= found.proved;
        let better = found.value > self.found.value;
        if better {
            self.found = found;
            self.pit = Some(pit);
        }
        better
    }

    /// Adopts another thread's result for a move that this thread has yet to search.
    pub(super) fn take_over(&mut self, pit: Pit, found: NodeValue) {
        self.found = found;
        self.pit = Some(pit);
    }

    /// The node's result: a lower bound is proved by a single move, anything else only by
    /// all moves together.
    pub(super) fn result(&self, window: Window<Value>) -> NodeValue {
        // Moves that were not searched after a cutoff can only raise the value, so they do not
        // weaken a lower bound.
        let is_lower_bound = window.fails_high(self.found.value);
        let proved = self.found.proved && (is_lower_bound || self.all_proved);
        NodeValue { proved, ..self.found }
    }
}
