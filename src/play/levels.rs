//! The levels that a person can play against, by name.
//!
//! Each one beats the one below it in at least 65 of 100 games: see
//! `tests/play/levels.rs`, which plays them, and `doc/play.md` for the results.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::search::{Limits, Skill};
use crate::sys::names::shortened;

/// A strength with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What it is called.
    pub name: &'static str,
    /// Whom it suits, in a few words.
    pub about: &'static str,
    /// The engine's skill.
    skill: u8,
    /// The most boards for a sowing; none: as many as the skill allows.
    nodes: Option<u64>,
    /// The longest time for a sowing.
    longest: Duration,
}

/// All levels, the weakest first. Those below the last are bounded by boards,
/// so that they are the same on every machine; the time is for slow ones.
pub const LEVELS: [Level; 6] = [
    level("beginner", "sees little, slips often", 0, None, 250),
    level("novice", "takes what lies open, misses what comes back", 1, None, 250),
    level("casual", "plans an extra turn, slips now and then", 2, None, 500),
    level("club", "sees most captures that threaten", 3, None, 500),
    level("expert", "looks far ahead, slips rarely", 4, None, 1000),
    level("perfect", "the full engine, five seconds a move", 10, None, 5000),
];

const fn level(
    name: &'static str,
    about: &'static str,
    skill: u8,
    nodes: Option<u64>,
    millis: u64,
) -> Level {
    Level { name, about, skill, nodes, longest: Duration::from_millis(millis) }
}

/// There is no such level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a level ({}), got '{got}'", names())]
pub struct UnknownLevel {
    /// What came, shortened.
    got: String,
}

fn names() -> String {
    LEVELS.map(|level| level.name).join(", ")
}

impl Level {
    /// The engine's skill at this level.
    pub fn skill(&self) -> Skill {
        Skill::new(self.skill).unwrap_or(Skill::FULL)
    }

    /// The limits of its searches.
    pub fn limits(&self) -> Limits {
        Limits { nodes: self.nodes, ..Limits::time(self.longest) }
    }
}

impl Default for Level {
    /// In the middle: a game that a new player can learn from.
    fn default() -> Self {
        LEVELS[2]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// Reads a name, or a beginning that no other level has, in either case.
impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, UnknownLevel> {
        let wanted = text.to_lowercase();
        let mut begun = LEVELS.iter().filter(|level| level.name.starts_with(&wanted));
        match (begun.next(), begun.next()) {
            (Some(&level), None) => Ok(level),
            _ => Err(UnknownLevel { got: shortened(text) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_beginnings_are_levels() {
        for level in LEVELS {
            assert_eq!(level.name.parse(), Ok(level));
        }
        assert_eq!("Beg".parse::<Level>().map(|level| level.name), Ok("beginner"));
        assert!("".parse::<Level>().is_err());
        assert_eq!(
            "godlike".parse::<Level>().unwrap_err().to_string(),
            "expected a level (beginner, novice, casual, club, expert, perfect), got \
             'godlike'"
        );
    }

    #[test]
    fn the_strongest_level_is_the_full_engine_and_skills_rise() {
        assert!(LEVELS[LEVELS.len() - 1].skill().is_full());
        assert!(LEVELS.is_sorted_by_key(|level| level.skill()));
    }
}
