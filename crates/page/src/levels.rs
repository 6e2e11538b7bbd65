//! Players as the page needs them: the options and limits with which an engine plays as one of
//! them.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use kalah_engine::search::{Clock, Limits, Skill};
use kalah_game::Capture;
use kalah_play::seat::{LEVELS, Level, Seat};
use kalah_record::sentence;

/// A player, named as in `kalah play`.
#[derive(Debug, Serialize)]
pub(crate) struct SeatOptions {
    name: String,
    about: &'static str,
    person: bool,
    /// Whether the coach encourages first in games against this player.
    gentle: bool,
    /// Values of engine options, by name.
    options: BTreeMap<&'static str, String>,
    /// The limits of `go` in a game without a clock.
    go: String,
    /// The limits of `go` in addition to the clock.
    go_on_clock: String,
}

impl SeatOptions {
    pub(crate) fn new(seat: Seat) -> Self {
        let mut options = BTreeMap::new();
        if !seat.is_person() {
            let algorithm = seat.algorithm().map(|method| ("Algorithm", method.to_string()));
            options.extend(algorithm);
            options.insert("UCI_LimitStrength", seat.elo().is_some().to_string());
            options.extend(seat.elo().map(|elo| ("UCI_Elo", elo.to_string())));
        }
        Self {
            name: seat.to_string(),
            about: if seat.is_person() { "a person" } else { seat.about() },
            person: seat.is_person(),
            gentle: matches!(seat, Seat::Level(level) if level.is_for_newcomers()),
            options,
            go: go(seat.limits(None)),
            go_on_clock: go(seat.limits(Some(CLOCK))),
        }
    }
}

/// Any clock will do: only its presence changes the other limits.
const CLOCK: Clock =
    Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };

/// Limits as arguments of `go`, except a clock.
fn go(limits: Limits) -> String {
    let movetime = limits.movetime.map(|time| format!("movetime {}", time.as_millis()));
    let depth = limits.depth.map(|depth| format!("depth {depth}"));
    let nodes = limits.nodes.map(|nodes| format!("nodes {nodes}"));
    [movetime, depth, nodes].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[derive(Serialize)]
pub(crate) struct LevelList {
    /// Weakest first.
    levels: Vec<SeatOptions>,
    default: &'static str,
    /// The smallest and the largest Elo that the engine can play at.
    elo: [u32; 2],
    captures: Vec<ListedRule>,
}

/// A capture rule to choose.
#[derive(Serialize)]
struct ListedRule {
    name: Capture,
    about: &'static str,
}

pub(crate) fn levels() -> LevelList {
    let levels = LEVELS.map(|level| SeatOptions::new(Seat::Level(level)));
    let captures = Capture::ALL.map(|name| ListedRule { name, about: sentence::captures(name) });
    LevelList {
        levels: levels.into(),
        default: Level::default().name,
        elo: Skill::ELO,
        captures: captures.into(),
    }
}
