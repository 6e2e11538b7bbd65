//! Players as the page needs them: what to tell an engine so that it plays as one of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use super::super::error::ApiError;
use super::super::shared::Shared;
use crate::play::seat::{LEVELS, Level, Seat};
use crate::search::{Clock, Limits, Skill};

/// A player; its name is that of `kalah play`.
#[derive(Debug, Serialize)]
pub(super) struct SeatData {
    name: String,
    about: &'static str,
    person: bool,
    /// Options of the engine by name.
    options: BTreeMap<&'static str, String>,
    /// Limits of `go`, without a clock and beside those of one.
    go: String,
    go_on_clock: String,
}

impl SeatData {
    pub(super) fn of(seat: Seat) -> Self {
        let mut options = BTreeMap::new();
        if !seat.is_person() {
            let algorithm = seat.algorithm().map(|method| ("Algorithm", method.to_string()));
            options.extend(algorithm);
            let elo = elo(seat);
            options.insert("UCI_LimitStrength", elo.is_some().to_string());
            options.extend(elo.map(|elo| ("UCI_Elo", elo.to_string())));
        }
        Self {
            name: seat.to_string(),
            about: if seat.is_person() { "a person" } else { seat.about() },
            person: seat.is_person(),
            options,
            go: go(seat.limits(None)),
            go_on_clock: go(seat.limits(Some(CLOCK))),
        }
    }
}

/// Any clock.
const CLOCK: Clock =
    Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };

/// The strength of an engine below full strength.
fn elo(seat: Seat) -> Option<u32> {
    Some(seat.skill()).filter(|skill| !skill.is_full()).map(Skill::elo)
}

/// Limits as arguments of `go`, except a clock.
fn go(limits: Limits) -> String {
    let movetime = limits.movetime.map(|time| format!("movetime {}", time.as_millis()));
    let depth = limits.depth.map(|depth| format!("depth {depth}"));
    let nodes = limits.nodes.map(|nodes| format!("nodes {nodes}"));
    [movetime, depth, nodes].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[derive(Serialize)]
pub(super) struct Levels {
    /// Weakest first.
    levels: Vec<LevelData>,
    default: &'static str,
    /// The smallest and the largest Elo that the engine can play at.
    elo: [u32; 2],
}

#[derive(Serialize)]
struct LevelData {
    #[serde(flatten)]
    seat: SeatData,
    elo: Option<u32>,
}

fn levels() -> Levels {
    let seats = LEVELS.map(Seat::Level);
    let levels = seats.map(|seat| LevelData { seat: SeatData::of(seat), elo: elo(seat) });
    Levels { levels: levels.into(), default: Level::default().name, elo: Skill::ELO }
}

pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Result<Response, ApiError> {
    shared.answer(|_| Ok(levels())).await
}
