//! The time of a game: the [`TimeControl`] that both players agree on, and the [`Clock`]
//! of one of them. The engine's `search::time` decides how a search uses its time.

use std::{fmt, str::FromStr, time::Duration};

use kalah_engine::search::Clock;
use kalah_text::duration::parse_or_number;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The time of a game, the same for both players. Every sowing is charged.
///
/// As text `[MOVES/]TIME[+TIME]`, as in `40/10s+100ms`, where a plain number is in seconds
/// (`40/10+0.1`); as JSON in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time at the start.
    #[serde(with = "milliseconds")]
    pub base: Duration,
    /// Time added after each sowing.
    #[serde(with = "milliseconds")]
    pub increment: Duration,
    /// The number of sowings after which a player receives the base again; none if it is given
    /// only at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// Error of a text that is not a [`TimeControl`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {}", TimeControl::EXPECTED)]
pub struct TimeControlError;

impl TimeControl {
    /// The form of its text, for messages.
    pub const EXPECTED: &str = "[MOVES/]TIME[+TIME] in whole milliseconds, as in 0.1+0.01 or 40/10s+100ms; \
         the first TIME must be above 0";

    /// The clock of a player at the start of a game.
    pub fn clock(self) -> Clock {
        let TimeControl { base, increment, moves } = self;
        Clock { remaining: base, increment, moves_to_go: moves }
    }

    /// Charges a sowing to a clock that [`TimeControl::clock`] started. Returns `false` if it
    /// used more than `margin` beyond the time left.
    pub fn charge(self, clock: &mut Clock, used: Duration, margin: Duration) -> bool {
        let in_time = used <= clock.remaining + margin;
        // Time used within the margin is forgiven and does not shorten later moves.
        clock.remaining = clock.remaining.saturating_sub(used) + clock.increment;
        if let Some(moves) = &mut clock.moves_to_go {
            *moves = moves.saturating_sub(1);
            if *moves == 0 {
                clock.moves_to_go = self.moves;
                clock.remaining += self.base;
            }
        }
        in_time
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let moves = moves.parse().ok().filter(|&moves| moves > 0);
                (Some(moves.ok_or(TimeControlError)?), time)
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let base =
            parse_or_number(base, 1.0).filter(|base| !base.is_zero()).ok_or(TimeControlError)?;
        Ok(Self {
            base,
            increment: parse_or_number(increment, 1.0).ok_or(TimeControlError)?,
            moves,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}s", self.base.as_millis() as f64 / 1000.0)?;
        if !self.increment.is_zero() {
            write!(f, "+{}s", self.increment.as_millis() as f64 / 1000.0)?;
        }
        Ok(())
    }
}

/// Times in files: whole milliseconds.
pub mod milliseconds {
    use super::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// For serde's `with`. Fractions of a millisecond are dropped.
    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        (time.as_millis() as u64).serialize(to)
    }

    /// For serde's `with`.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}
