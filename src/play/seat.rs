//! Who plays: a person, or the engine at some strength.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::levels::Level;
use crate::depth::Depth;
use crate::search::{Limits, Skill};
use crate::sys::names::shortened;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Somebody who types.
    Person,
    /// The engine.
    Engine(Strength),
}

/// How strong the engine plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// A level by name.
    Level(Level),
    /// The full engine for a time a sowing.
    Time(Duration),
    /// The full engine to a depth.
    Depth(Depth),
    /// The full engine for a number of boards.
    Nodes(u64),
}

/// A text names nobody who plays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected a person ('human'), a level, a time ('2s', '500ms'), 'depth=N' (1 to {}) or \
     'nodes=N', got '{got}'",
    Depth::MAX
)]
pub struct UnknownSeat {
    /// What came, shortened.
    got: String,
}

/// The longest time a sowing that can be asked for.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

impl Seat {
    /// Whether somebody types for it.
    pub fn is_person(self) -> bool {
        self == Seat::Person
    }
}

impl Strength {
    /// How skilful the engine is to be.
    pub fn skill(self) -> Skill {
        match self {
            Strength::Level(level) => level.skill(),
            _ => Skill::FULL,
        }
    }

    /// The limits of its searches.
    pub fn limits(self) -> Limits {
        match self {
            Strength::Level(level) => level.limits(),
            Strength::Time(time) => Limits::time(time),
            Strength::Depth(depth) => Limits::depth(depth),
            Strength::Nodes(nodes) => Limits::nodes(nodes),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.pad("human"),
            Seat::Engine(strength) => strength.fmt(f),
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Level(level) => level.fmt(f),
            Strength::Time(time) if time.as_millis().is_multiple_of(1000) => {
                write!(f, "{}s", time.as_secs())
            }
            Strength::Time(time) => write!(f, "{}ms", time.as_millis()),
            Strength::Depth(depth) => write!(f, "depth={depth}"),
            Strength::Nodes(nodes) => write!(f, "nodes={nodes}"),
        }
    }
}

impl FromStr for Seat {
    type Err = UnknownSeat;

    fn from_str(text: &str) -> Result<Self, UnknownSeat> {
        if ["human", "person", "me"].iter().any(|name| name.eq_ignore_ascii_case(text)) {
            return Ok(Seat::Person);
        }
        text.parse().map(Seat::Engine)
    }
}

impl FromStr for Strength {
    type Err = UnknownSeat;

    fn from_str(text: &str) -> Result<Self, UnknownSeat> {
        strength(text).ok_or_else(|| UnknownSeat { got: shortened(text) })
    }
}

fn strength(text: &str) -> Option<Strength> {
    if let Some(depth) = text.strip_prefix("depth=") {
        let depth = depth.parse().ok().map(Depth)?;
        return (Depth::ONE..=Depth::MAX).contains(&depth).then_some(Strength::Depth(depth));
    }
    if let Some(nodes) = text.strip_prefix("nodes=") {
        return nodes.parse().ok().filter(|&nodes| nodes > 0).map(Strength::Nodes);
    }
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        let (number, unit) = match text.strip_suffix("ms") {
            Some(number) => (number, 0.001),
            None => (text.strip_suffix('s')?, 1.0),
        };
        let seconds = number.parse::<f64>().ok()? * unit;
        let time = Duration::try_from_secs_f64(seconds).ok()?;
        let time = Duration::from_millis(u64::try_from(time.as_millis()).ok()?);
        return (!time.is_zero() && time <= LONGEST).then_some(Strength::Time(time));
    }
    text.parse().ok().map(Strength::Level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_read_back_as_they_are_written() {
        for text in ["human", "beginner", "perfect", "2s", "500ms", "depth=8", "nodes=10000"] {
            assert_eq!(text.parse::<Seat>().unwrap().to_string(), text);
        }
        assert_eq!("0.5s".parse::<Seat>().unwrap().to_string(), "500ms");
    }

    #[test]
    fn what_is_no_seat_is_refused() {
        for text in ["", "depth=0", "depth=501", "nodes=0", "0s", "-1s", "1e99s", "NaNs", "7", "9x"]
        {
            assert!(text.parse::<Seat>().is_err(), "{text}");
        }
    }
}
