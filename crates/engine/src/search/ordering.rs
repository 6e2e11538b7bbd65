//! Move ordering: the moves of a node in the order in which they are searched. The order
//! determines how many nodes a search visits and which moves late-move reductions apply to,
//! but no cutoff relies on it, so a guess is good enough.
//!
//! The table's move comes first, and often cuts off before the others are ranked. The others are
//! ranked by the static evaluation of the resulting board or, near the horizon, by their class
//! ([`class_rank`]). Killers and history saved no further nodes and were removed
//! (`doc/lab/strength.md`).

use arrayvec::ArrayVec;

use kalah_game::{Board, MAX_PITS, Pit, Row, Sown, Turn};

use crate::evaluation::Estimate;

/// A move that has been made and awaits its search.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove<R> {
    pub pit: Pit,
    pub sown: Sown<R>,
    /// The key of the board after the move.
    pub key: u64,
    /// The static evaluation of the board after the move, if the move was ranked by it.
    pub estimate: Option<Estimate>,
    /// The move with the highest rank is searched first.
    pub rank: i32,
    /// The number of moves before it in the order, set when the move is taken out. With a `usize`, a
    /// move would be 8 bytes longer, and the search 1 % slower.
    pub place: u32,
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
    taken: u32,
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

    /// Removes the next move: `first`, if it is in the list, then the others in order of rank.
    /// `rank` is called once for each of them, when the first of them is needed.
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
pub(super) fn class_rank<R: Row>(before: Board<R>, child: &RankedMove<R>) -> i32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Capture, Position, Sowing};

    /// The moves of the start, and the ranks that they get.
    const RANKS: [i32; 6] = [3, 7, 7, -2, 9, 0];

    fn list() -> MoveList<u64> {
        let start = Position::start(kalah_game::Rules::default());
        let sowing = Sowing::new(start.variant());
        let board = start.board::<u64>();
        let mut list = MoveList::new();
        for pit in board.moves(start.variant()) {
            list.push(RankedMove::new(pit, board.sow(&sowing, pit)));
        }
        list
    }

    fn set_rank(child: &mut RankedMove<u64>) {
        child.rank = RANKS[child.pit.index()];
    }

    /// The pits in the order in which they are taken out, with `first` before all others.
    fn order(first: Option<usize>) -> Vec<usize> {
        let mut list = list();
        let first = first.map(Pit::new);
        let taken: Vec<_> = std::iter::from_fn(|| list.next(first, set_rank)).collect();
        assert!(taken.iter().enumerate().all(|(at, child)| child.place == at as u32));
        taken.iter().map(|child| child.pit.index()).collect()
    }

    #[test]
    fn the_first_move_is_followed_by_the_others_from_the_highest_rank_down() {
        assert_eq!(order(None), [4, 1, 2, 0, 5, 3]);
        assert_eq!(order(Some(3)), [3, 4, 1, 2, 0, 5]);
        assert_eq!(order(Some(9)), [4, 1, 2, 0, 5, 3], "a pit without a move");
    }

    #[test]
    fn moves_are_ranked_once_and_only_if_the_first_one_does_not_suffice() {
        let mut list = list();
        let mut ranked = 0;
        let mut next = |list: &mut MoveList<u64>| {
            list.next(Some(Pit::new(2)), |child| {
                ranked += 1;
                set_rank(child);
            })
        };
        assert_eq!(next(&mut list).map(|child| child.pit), Some(Pit::new(2)));
        while next(&mut list).is_some() {}
        assert_eq!(ranked, 5);
        let mut list = self::list();
        list.next(Some(Pit::new(2)), |_| panic!("ranked before it was needed"));
    }

    #[test]
    fn extra_turns_come_before_captures_and_captures_before_quiet_moves() {
        // A gives an extra turn, B captures, and C is quiet.
        let position =
            Position::parse("<6,0,0,6,1,0,1,1,0,1,1,5,1,1,1> S", Capture::Standard).unwrap();
        let board = position.board::<u64>();
        let sowing = Sowing::new(position.variant());
        let ranks = [0, 1, 3].map(|index| {
            let pit = Pit::new(index);
            class_rank(board, &RankedMove::new(pit, board.sow(&sowing, pit)))
        });
        assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
    }
}
