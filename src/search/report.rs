//! What a search answers.

use std::time::Duration;

use crate::depth::Depth;
use crate::game::Pit;
use crate::score::Value;
use crate::search::table::Bound;

/// What is known of one line after an iteration, or inside one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Sowings looked ahead.
    pub depth: Depth,
    /// The longest line looked at, in sowings.
    pub seldepth: u16,
    /// Time since the start of the search.
    pub time: Duration,
    /// Boards visited by all threads.
    pub nodes: u64,
    /// How full the memory is, in permille.
    pub hashfull: u32,
    /// Boards found in the endgame tables.
    pub tbhits: u64,
    /// Which line this is, from 1.
    pub multipv: usize,
    /// The mover's margin at the end of the game, stores included, for
    /// [`Bound::Exact`] pvs; else a bound of it.
    pub margin: Value,
    /// What kind of bound `margin` is.
    pub bound: Bound,
    /// Whether `margin` and `bound` hold to the end of the game, whatever the
    /// evaluation says.
    pub proved: bool,
    /// The line: sowings, several of one side in a row where a turn is kept.
    pub pv: Vec<Pit>,
}

/// A move of the root that the search turns to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// Sowings looked ahead.
    pub depth: Depth,
    /// The move.
    pub pit: Pit,
    /// Its place, from 1, in the order of the moves that are not settled at once.
    /// It begins anew with each window.
    pub number: usize,
}

/// What a search reports. [`search`](super::search) returns its result instead of
/// reporting it; a search in the background reports it last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A pv of a finished iteration, or a bound inside an iteration.
    Info(Info),
    /// A search of more than three seconds begins with another move of the root.
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
    /// What is known of the best line; none if the game is over.
    pub info: Option<Info>,
}
