//! The output of a search: the events that it reports and its result.

use std::time::Duration;

use crate::search::transposition::Bound;
use kalah_game::{Depth, Gain, Pit, Position, Value};

/// A pv and its value after an iteration, or a bound within one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The depth of the iteration, in sowings.
    pub depth: Depth,
    /// The longest path searched, in sowings.
    pub seldepth: u16,
    /// Time since the start of the search.
    pub time: Duration,
    /// Boards visited by all threads.
    pub nodes: u64,
    /// Leaves evaluated, including repeats, by an algorithm that counts them.
    pub leaves: Option<u64>,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// Boards found in the endgame tables.
    pub tbhits: u64,
    /// The rank of the pv among those requested, from 1.
    pub multipv: usize,
    /// The mover's margin at the end of the game, stores included, or a bound on it if
    /// `bound` is not [`Bound::Exact`].
    pub margin: Value,
    /// How `margin` relates to the true margin.
    pub bound: Bound,
    /// Whether `margin` and `bound` hold to the end of the game and do not depend on a static
    /// evaluation.
    pub proved: bool,
    /// At least one sowing; several in a row by one side if it has extra turns.
    pub pv: Vec<Pit>,
}

impl Info {
    /// The opponent's reply in the pv, if the turn passes after its first move.
    pub(super) fn ponder(&self, position: &Position) -> Option<Pit> {
        let [first, reply, ..] = self.pv[..] else { return None };
        let mut after = *position;
        after.play(first).ok()?;
        // After an extra turn, the next move of the pv is the engine's own.
        if after.side() == position.side() { None } else { Some(reply) }
    }
}

/// A root move whose search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The depth of the iteration, in sowings.
    pub depth: Depth,
    /// A legal move at the root.
    pub pit: Pit,
    /// Its place among the moves that need a search, from 1 in each aspiration window.
    pub number: usize,
}

/// An event that a search reports. [`search`](super::search) returns its result instead of
/// reporting it; a search in the background reports it last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEvent {
    /// A pv of a finished iteration, or a bound within an iteration.
    Info(Info),
    /// The search has proceeded to this root move; reported only after three seconds.
    RootMove(RootMove),
    /// The search has ended; nothing follows.
    Finished(SearchResult),
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The move to play; none if the game is over.
    pub best: Option<Pit>,
    /// The reply expected from the opponent, if the turn passes.
    pub ponder: Option<Pit>,
    /// The pv of `best` and its value; none if the game is over.
    pub info: Option<Info>,
}

impl SearchResult {
    /// The boards visited; 0 if the game is over.
    pub fn nodes(&self) -> u64 {
        match &self.info {
            Some(info) => info.nodes,
            None => 0,
        }
    }

    /// The result for a `position` that needs no search, given its mover's exact margin and
    /// best play, which is not empty.
    pub fn proved(position: &Position, margin: Gain, pv: Vec<Pit>) -> Self {
        let info = Info {
            depth: Depth(pv.len() as u16),
            seldepth: pv.len() as u16,
            multipv: 1,
            margin: margin.into(),
            proved: true,
            pv,
            ..Info::default()
        };
        Self { best: info.pv.first().copied(), ponder: info.ponder(position), info: Some(info) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::Rules;

    #[test]
    fn only_a_move_of_the_opponent_is_expected_as_a_reply() {
        let start = Position::start(Rules::default());
        // C keeps the turn; A passes it.
        for (moves, reply) in
            [(&[2, 0][..], None), (&[0, 3], Some(Pit::new(3))), (&[0], None), (&[], None)]
        {
            let pv: Vec<Pit> = moves.iter().copied().map(Pit::new).collect();
            let result = SearchResult::proved(&start, Gain(4), pv.clone());
            assert_eq!((result.best, result.ponder), (pv.first().copied(), reply), "{moves:?}");
            let info = result.info.unwrap();
            assert_eq!((info.margin, info.proved, info.multipv), (Gain(4).into(), true, 1));
            assert_eq!((info.depth, info.seldepth), (Depth(pv.len() as u16), pv.len() as u16));
            assert_eq!(info.pv, pv);
        }
    }
}
