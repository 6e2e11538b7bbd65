//! Move ordering: the moves of a node in the order in which they are searched. The order
//! determines how many nodes a search visits and which moves late-move reductions apply to,
//! but no cutoff relies on it, so a guess is good enough.
//!
//! The table's move comes first, and often cuts off before the others are ranked. They are ranked
//! by the static evaluations of the boards after them or, near the horizon, by their [`class`].
//! Killers and history saved no nodes beyond that and were removed (`doc/strength.md`).

use arrayvec::ArrayVec;

use kalah_game::{Board, MAX_PITS, Pit, Row, Sown, Turn, Value};

/// A move that has been made and awaits its search.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove<R> {
    pub pit: Pit,
    pub sown: Sown<R>,
    /// The key of the board after the move.
    pub key: u64,
    /// The static evaluation of the board after the move, if the move was ranked by it.
    pub estimate: Option<Value>,
    /// The move with the highest rank is searched first.
    pub rank: i32,
    /// The number of moves before it in the order, set when the move is taken out.
    pub place: usize,
}

impl<R: Row> RankedMove<R> {
    /// A move without a key, to be ranked later.
    #[inline]
    pub(super) fn new(pit: Pit, sown: Sown<R>) -> Self {
        Self { pit, sown, key: 0, estimate: None, rank: 0, place: 0 }
    }

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

/// The moves of a node that are still to be searched, taken out in order.
#[derive(Debug)]
pub(super) struct MoveList<R> {
    moves: ArrayVec<RankedMove<R>, MAX_PITS>,
    /// The number of moves taken out.
    taken: usize,
    /// Whether the moves are ranked and sorted, the best last.
    is_sorted: bool,
}

impl<R: Row> MoveList<R> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { moves: ArrayVec::new(), taken: 0, is_sorted: false }
    }

    #[inline]
    pub(super) fn push(&mut self, child: RankedMove<R>) {
        self.moves.push(child);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// All remaining moves.
    pub(super) fn iter(&self) -> impl Iterator<Item = &RankedMove<R>> {
        self.moves.iter()
    }

    /// Takes out the next move: `first`, if it is in the list, and then the others by their ranks,
    /// which `rank` sets the first time that one of them is needed.
    #[inline]
    pub(super) fn next(
        &mut self,
        first: Option<Pit>,
        rank: impl FnMut(&mut RankedMove<R>),
    ) -> Option<RankedMove<R>> {
        let first = first.filter(|_| self.taken == 0);
        let at = first.and_then(|pit| self.moves.iter().position(|child| child.pit == pit));
        let mut next = match at {
            Some(at) => self.moves.remove(at),
            None => {
                self.sort(rank);
                self.moves.pop()?
            }
        };
        next.place = self.taken;
        self.taken += 1;
        Some(next)
    }

    #[inline]
    fn sort(&mut self, rank: impl FnMut(&mut RankedMove<R>)) {
        if self.is_sorted {
            return;
        }
        self.is_sorted = true;
        self.moves.iter_mut().for_each(rank);
        // Insertion sort, because there are at most 16 moves: with `sort_by_key`, the whole search
        // was 8 % slower. Of moves with equal ranks, the one pushed first is taken out first.
        for end in 1..self.moves.len() {
            let child = self.moves[end];
            let mut place = end;
            while place > 0 && self.moves[place - 1].rank >= child.rank {
                self.moves[place] = self.moves[place - 1];
                place -= 1;
            }
            self.moves[place] = child;
        }
    }
}

/// The rank of a move by its class alone: extra turns, captures, then the others, in each class
/// those nearest the store first.
#[inline]
pub(super) fn class<R: Row>(before: Board<R>, child: &RankedMove<R>) -> i32 {
    const CLASS: i32 = 1 << 16;
    let nearness = child.pit.index() as i32;
    if child.sown.turn == Turn::Keeps {
        // Nearest the store first: sowing a farther pit adds a seed to the nearer ones, which then
        // no longer end in the store.
        2 * CLASS + nearness
    } else if child.is_quiet(before) {
        nearness
    } else {
        // The largest capture first.
        CLASS + 16 * child.sown.banked as i32 + nearness
    }
}
