//! Move ordering: the moves of a node in the order in which they are searched. The order
//! determines how many nodes a search visits and which moves late-move reductions apply to,
//! but no cutoff relies on it, so a guess is good enough.
//!
//! Most of the order needs no statistics: the table's move, extra turns,
//! captures, then the pits nearest the store. Killers (Akl and Newborn, "The
//! principal continuation and the killer heuristic", ACM 1977) and history
//! (Schaeffer, "The history heuristic", ICCA Journal 6(3), 1983) refine it.

use kalah_game::{Board, Depth, MAX_PITS, Pit, PitSet, Ply, Row, Sown, Turn};

/// A move that has been made and awaits its search.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove<R> {
    pub pit: Pit,
    pub sown: Sown<R>,
    /// The key of the board after the move.
    pub key: u64,
    /// The move with the highest rank is searched first.
    pub rank: i32,
    /// The number of moves before it in the order, set when the move is taken out.
    pub place: usize,
}

impl<R: Row> RankedMove<R> {
    /// Whether the move neither captures nor keeps the turn: it banks at most
    /// the one seed that drops into the store before the opponent's row.
    #[inline]
    pub(super) fn is_quiet(&self, before: Board<R>) -> bool {
        // After a passed turn, `own` is the opponent's row. It has changed if the sowing went
        // past the store, which banks one seed.
        self.sown.turn == Turn::Passes
            && self.sown.banked <= u32::from(self.sown.board.own != before.opponent)
    }
}

/// The moves of a node that are still to be searched, taken out in the order of their ranks.
#[derive(Debug)]
pub(super) struct MoveList<R> {
    list: [Option<RankedMove<R>>; MAX_PITS],
    len: usize,
}

impl<R: Row> MoveList<R> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { list: [None; MAX_PITS], len: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, child: RankedMove<R>) {
        // Insertion sort, with the best last: there are at most 16 moves, and those of equal
        // rank keep their order.
        let mut place = self.len;
        while place > 0 && self.list[place - 1].is_some_and(|other| other.rank >= child.rank) {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = Some(child);
        self.len += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All remaining moves, worst first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &RankedMove<R>> {
        self.list[..self.len].iter().flatten()
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<RankedMove<R>> {
        self.len = self.len.checked_sub(1)?;
        self.list[self.len]
    }
}

/// Number of plies with killers of their own; deeper plies share them.
const PLIES: usize = 256;
/// Numbers of seeds with a history of their own; larger ones share the last.
const COUNTS: usize = 32;
/// The largest absolute value of a history counter.
const HISTORY_LIMIT: i32 = 1 << 14;

#[derive(Clone, Debug)]
pub(super) struct Ordering {
    killers: [[Option<Pit>; 2]; PLIES],
    /// Indexed by a pit and the seeds in it: the same pit with a different number of seeds is
    /// a different move.
    history: [[i32; COUNTS]; MAX_PITS],
}

impl Ordering {
    pub(super) fn new() -> Self {
        Self { killers: [[None; 2]; PLIES], history: [[0; COUNTS]; MAX_PITS] }
    }

    /// Records that sowing `best` caused a cutoff in a search of `board` to `depth`, after
    /// the moves in `tried` had not. The deeper the cutoff, the more nodes it saves and the
    /// more it counts.
    pub(super) fn reward<R: Row>(
        &mut self,
        board: Board<R>,
        ply: Ply,
        depth: Depth,
        best: Pit,
        tried: PitSet,
    ) {
        // The square, because the nodes that a cutoff saves grow fast with its depth. A quarter of
        // the limit keeps a single deep cutoff from outweighing all others.
        let bonus = i32::from(depth.0).pow(2).min(HISTORY_LIMIT / 4);
        self.shift(best, board.own.count(best), bonus);
        // These moves were ranked too high here.
        for pit in tried {
            self.shift(pit, board.own.count(pit), -bonus);
        }
        // Killers: a move that refuted one line often refutes its siblings.
        let killers = &mut self.killers[usize::from(ply.0) % PLIES];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
    }

    /// Moves a history counter towards its limit, in steps that shrink as it approaches, so
    /// that it never overflows and recent cutoffs count more than old ones.
    fn shift(&mut self, pit: Pit, count: u32, bonus: i32) {
        let history = &mut self.history[pit.index()][(count as usize).min(COUNTS - 1)];
        *history += bonus - *history * bonus.abs() / HISTORY_LIMIT;
    }

    /// The rank of a move of `board`: the table's move comes first, then extra turns,
    /// captures and killers, then the others by history and nearness to the store.
    #[inline]
    pub(super) fn rank<R: Row>(
        &self,
        board: Board<R>,
        child: &RankedMove<R>,
        tt_move: Option<Pit>,
        ply: Ply,
    ) -> i32 {
        const CLASS: i32 = 4 * HISTORY_LIMIT;
        let nearness = child.pit.index() as i32;
        // The transposition table's move was best or cut off in an earlier search of this
        // very board, usually the iteration before.
        if tt_move == Some(child.pit) {
            return 4 * CLASS;
        }
        // Extra turns, nearest the store first: sowing a farther pit adds a seed to the
        // nearer ones, which then no longer end in the store.
        if child.sown.turn == Turn::Keeps {
            return 3 * CLASS + nearness;
        }
        // Captures, the largest first.
        if !child.is_quiet(board) {
            return 2 * CLASS + 16 * child.sown.banked as i32 + nearness;
        }
        // Quiet moves: the killers of this ply, then the others by history. Among moves without
        // a history, the pit nearest the store comes first.
        let is_killer = self.killers[usize::from(ply.0) % PLIES].contains(&Some(child.pit));
        let killer = if is_killer { CLASS } else { 0 };
        let count = board.own.count(child.pit);
        let history = self.history[child.pit.index()][(count as usize).min(COUNTS - 1)];
        killer + history + nearness * (HISTORY_LIMIT / 16)
    }
}
