//! The known openings: exact margins, and how often and how well the moves were played in
//! the games on the command line.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Serialize;

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::board::PositionText;
use crate::engine::book::{self, Book};
use crate::engine::known::{self, KnownStart};
use crate::game::score::{Gain, Interval};
use crate::game::{Capture, Pit, Position};

/// What is proved of a margin: nothing, bounds or the margin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Bounds {
    margin: Option<i32>,
    lower: Option<i32>,
    upper: Option<i32>,
}

impl Bounds {
    /// `possible` is what the rules alone say.
    pub(super) fn of(margin: Interval<Gain>, possible: Interval<Gain>) -> Self {
        let exact = margin.is_exact();
        let lower = Some(margin.lower.0).filter(|_| exact || margin.lower > possible.lower);
        let upper = Some(margin.upper.0).filter(|_| exact || margin.upper < possible.upper);
        Self { margin: lower.filter(|_| exact), lower, upper }
    }
}

/// How often a move was played, and the points of those who played it: 1 for a win, ½ for
/// a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Record {
    games: usize,
    points: f64,
}

#[derive(Debug, Serialize)]
pub(super) struct Explored {
    #[serde(flatten)]
    bounds: Bounds,
    games: usize,
    moves: Vec<ExploredMove>,
}

#[derive(Debug, Serialize)]
struct ExploredMove {
    pit: char,
    #[serde(flatten)]
    bounds: Bounds,
    /// Whether no move can lead to more.
    best: bool,
    #[serde(flatten)]
    record: Record,
}

impl Explored {
    /// `played` are the moves that were made from the position, with the half points of those
    /// who made them.
    fn of(position: &Position, played: &[(Pit, u32)]) -> Self {
        let book = Book::built_in();
        let whole = book.margin(position);
        let moves = position.children().map(|(sown, after)| {
            let [margin, possible] = [book.margin(&after), book::possible_margin(&after)]
                .map(|margin| margin.from_child(Gain::ZERO, sown.turn));
            ExploredMove {
                pit: sown.letter(),
                bounds: Bounds::of(margin, possible),
                best: margin.lower >= whole.upper,
                record: Record::of(sown.pit, played),
            }
        });
        Self {
            bounds: Bounds::of(whole, book::possible_margin(position)),
            games: played.len(),
            moves: moves.collect(),
        }
    }
}

impl Record {
    fn of(pit: Pit, played: &[(Pit, u32)]) -> Self {
        let points: Vec<u32> =
            played.iter().filter(|(other, _)| *other == pit).map(|&(_, points)| points).collect();
        Self { games: points.len(), points: f64::from(points.iter().sum::<u32>()) / 2.0 }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Boards {
    boards: Vec<Board>,
}

/// A start whose margin is known.
#[derive(Debug, Serialize)]
struct Board {
    pits: usize,
    seeds: u32,
    capture: Capture,
    position: String,
    margin: i32,
    /// Listed openings of this start.
    positions: usize,
    source: &'static str,
}

impl Board {
    fn of(KnownStart { rules, margin, source }: KnownStart) -> Self {
        Self {
            pits: rules.pits(),
            seeds: rules.seeds(),
            capture: rules.capture(),
            position: Position::start(rules).to_string(),
            margin: margin.0,
            positions: Book::built_in().count(rules),
            source,
        }
    }
}

pub(super) async fn boards(State(shared): State<Arc<Shared>>) -> Result<Response, ApiError> {
    shared.answer(|_| Ok(Boards { boards: known::starts().map(Board::of).collect() })).await
}

pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    asked: Result<Query<PositionText>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(asked) = asked?;
    let position = asked.position()?;
    let collection = Arc::clone(&shared.content.collection);
    let explored =
        shared.answer(move |_| Ok(Explored::of(&position, &collection.played_from(&position))));
    explored.await
}
