//! The known openings: exact margins, and how often and how well the moves were played in
//! the games on the command line.

use serde::Serialize;

use kalah_engine::book::known::{self, KnownStart};
use kalah_engine::book::{self, Book};
use kalah_game::score::{Gain, Interval};
use kalah_game::{Pit, Position, Rules};

use crate::board::AskedPosition;
use crate::error::ApiError;
use crate::page_host::PageHost;

/// What is proved about a margin: nothing, bounds, or the exact margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct MarginBounds {
    margin: Option<i32>,
    lower: Option<i32>,
    upper: Option<i32>,
}

impl MarginBounds {
    /// `possible` are the bounds that follow from the rules alone; bounds that are no tighter
    /// than these are left out.
    pub(crate) fn new(margin: Interval<Gain>, possible: Interval<Gain>) -> Self {
        let exact = margin.is_exact();
        let lower = Some(margin.lower.0).filter(|_| exact || margin.lower > possible.lower);
        let upper = Some(margin.upper.0).filter(|_| exact || margin.upper < possible.upper);
        Self { margin: lower.filter(|_| exact), lower, upper }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct ExploredPosition {
    #[serde(flatten)]
    bounds: MarginBounds,
    games: usize,
    moves: Vec<ExploredMove>,
}

#[derive(Debug, Serialize)]
struct ExploredMove {
    pit: char,
    #[serde(flatten)]
    bounds: MarginBounds,
    /// Whether it is proved that no other move leads to a larger margin.
    best: bool,
    /// How often the move was played.
    games: usize,
    /// The points it scored: 1 for a win, ½ for a draw.
    points: f64,
}

impl ExploredPosition {
    /// `played` are the moves made from the position in games, with the half points that they
    /// scored.
    fn new(position: &Position, played: &[(Pit, u32)]) -> Self {
        let book = Book::built_in();
        let whole = book.margin(position);
        let moves = position.children().map(|(sown, after)| {
            let margin = book.margin(&after).from_child(Gain::ZERO, sown.turn);
            let possible = book::possible_margin(&after).from_child(Gain::ZERO, sown.turn);
            let of_move = played.iter().filter(|(pit, _)| *pit == sown.pit);
            ExploredMove {
                pit: sown.letter(),
                bounds: MarginBounds::new(margin, possible),
                best: margin.lower >= whole.upper,
                games: of_move.clone().count(),
                points: f64::from(of_move.map(|(_, points)| points).sum::<u32>()) / 2.0,
            }
        });
        Self {
            bounds: MarginBounds::new(whole, book::possible_margin(position)),
            games: played.len(),
            moves: moves.collect(),
        }
    }
}

/// A starting position whose margin is known.
#[derive(Debug, Serialize)]
pub(crate) struct ListedBoard {
    #[serde(flatten)]
    rules: Rules,
    position: String,
    margin: i32,
    /// The number of positions in the book that come from this start.
    positions: usize,
    source: &'static str,
}

impl ListedBoard {
    fn new(KnownStart { rules, margin, source }: KnownStart) -> Self {
        Self {
            rules,
            position: Position::start(rules).to_string(),
            margin: margin.0,
            positions: Book::built_in().count(rules),
            source,
        }
    }
}

/// The starts whose margins are known.
pub(crate) fn boards() -> Vec<ListedBoard> {
    known::starts().map(ListedBoard::new).collect()
}

/// What is known about a position of an opening.
pub(crate) fn explore(
    asked: &AskedPosition,
    host: &dyn PageHost,
) -> Result<ExploredPosition, ApiError> {
    let position = asked.position()?;
    Ok(ExploredPosition::new(&position, &host.played_from(&position)))
}
