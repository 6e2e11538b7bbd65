//! The known openings: exact margins, and how often and how well the moves were played in
//! the games on the command line.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Serialize;

use super::super::error::ApiError;
use super::super::shared::Shared;
use super::board::PositionText;
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
    /// `margin` is a margin of `position`, from either point of view.
    pub(super) fn of(margin: Interval<Gain>, position: &Position) -> Self {
        let exact = margin.is_exact();
        // All that the seeds in play could still change.
        let (lead, gain) = (position.lead(position.side()).0.abs(), position.in_play() as i32);
        let [lower, upper] = [margin.lower, margin.upper]
            .map(|bound| Some(bound.0).filter(|bound| exact || bound.abs() < gain - lead));
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
    fn of(position: &Position, played: impl IntoIterator<Item = (Pit, u32)>) -> Self {
        let mut records: BTreeMap<Pit, Record> = BTreeMap::new();
        for (pit, half_points) in played {
            let record = records.entry(pit).or_default();
            record.games += 1;
            record.points += f64::from(half_points) / 2.0;
        }
        let margins: Vec<_> = position
            .children()
            .map(|(played, after)| {
                (played, known::margin(&after).from_child(Gain::ZERO, played.turn))
            })
            .collect();
        let upper = margins.iter().map(|(_, margin)| margin.upper).max();
        let moves = margins.iter().map(|(played, margin)| ExploredMove {
            pit: played.letter(),
            bounds: Bounds::of(*margin, position),
            best: Some(margin.lower) == upper,
            record: records.get(&played.pit).copied().unwrap_or_default(),
        });
        Self {
            bounds: Bounds::of(known::margin(position), position),
            games: records.values().map(|record| record.games).sum(),
            moves: moves.collect(),
        }
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
            positions: known::listed(rules),
            source,
        }
    }
}

pub(super) async fn boards(State(shared): State<Arc<Shared>>) -> Result<Json<Boards>, ApiError> {
    shared.run(|_| Ok(Boards { boards: known::starts().map(Board::of).collect() })).await.map(Json)
}

pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    asked: Result<Query<PositionText>, QueryRejection>,
) -> Result<Json<Explored>, ApiError> {
    let Query(asked) = asked?;
    let position = asked.position()?;
    let library = Arc::clone(&shared.content.library);
    let explored = shared.run(move |_| Ok(Explored::of(&position, library.played_from(&position))));
    explored.await.map(Json)
}
