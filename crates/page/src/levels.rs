//! Players as the page needs them.

use serde::Serialize;

use kalah_engine::search::Skill;
use kalah_game::Capture;
use kalah_play::seat::{LEVELS, Level, Seat};
use kalah_record::sentence;

/// A player, named as in `kalah play`.
#[derive(Debug, Serialize)]
pub(crate) struct ShownSeat {
    name: String,
    about: &'static str,
    person: bool,
    /// Whether the coach encourages first in games against this player.
    gentle: bool,
    /// The rating of the engine's play; none at full strength.
    elo: Option<u32>,
    /// Whether an algorithm plays.
    algorithm: bool,
}

impl ShownSeat {
    pub(crate) fn new(seat: Seat) -> Self {
        Self {
            name: seat.to_string(),
            about: if seat.is_person() { "a person" } else { seat.about() },
            person: seat.is_person(),
            gentle: matches!(seat, Seat::Level(level) if level.is_for_newcomers()),
            elo: seat.elo(),
            algorithm: seat.algorithm().is_some(),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct LevelList {
    /// Weakest first.
    levels: Vec<ShownSeat>,
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
    let levels = LEVELS.map(|level| ShownSeat::new(Seat::Level(level)));
    let captures = Capture::ALL.map(|name| ListedRule { name, about: sentence::captures(name) });
    LevelList {
        levels: levels.into(),
        default: Level::default().name,
        elo: Skill::ELO,
        captures: captures.into(),
    }
}
