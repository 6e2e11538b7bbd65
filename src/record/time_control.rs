//! The time of a game: the [`TimeControl`] that both players agree on, and the [`Clock`]
//! of one of them. How a search spends what is on a clock is not decided here.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The time of a game, the same for both players. Every sowing is charged.
///
/// As text `[MOVES/]SECONDS[+SECONDS]`, as in `0.1+0.01` or `40/10+0.1`; as JSON
/// in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time at the start.
    #[serde(with = "milliseconds")]
    pub base: Duration,
    /// Time added after each sowing.
    #[serde(with = "milliseconds")]
    pub increment: Duration,
    /// The base is added each time a player has sown this often; none: only at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// A player's clock during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each sowing.
    pub increment: Duration,
    /// Sowings until more time is added; none: it lasts for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The clock at the beginning of a game.
    pub fn start(control: TimeControl) -> Self {
        let TimeControl { base, increment, moves } = control;
        Self { remaining: base, increment, moves_to_go: moves }
    }

    /// Charges a sowing by the `control` that the clock was started with. False
    /// if it used more than `margin` beyond the time left.
    pub fn charge(&mut self, used: Duration, margin: Duration, control: TimeControl) -> bool {
        let in_time = used <= self.remaining + margin;
        self.remaining = self.remaining.saturating_sub(used) + self.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves = moves.saturating_sub(1);
            if *moves == 0 {
                self.moves_to_go = control.moves;
                self.remaining += control.base;
            }
        }
        in_time
    }
}

/// A number of units of `unit` seconds, at most a million seconds, to the
/// nearest millisecond.
pub(crate) fn seconds(number: &str, unit: f64) -> Option<Duration> {
    let seconds = number.parse::<f64>().ok()? * unit;
    let milliseconds = (seconds * 1000.0).round() as u64;
    (0.0..=1e6).contains(&seconds).then(|| Duration::from_millis(milliseconds))
}

impl FromStr for TimeControl {
    /// What was expected.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "[MOVES/]SECONDS[+SECONDS], as in 0.1+0.01 or 40/10+0.1";
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let moves = moves.parse().ok().filter(|&moves| moves > 0);
                (Some(moves.ok_or(EXPECTED)?), time)
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let base = seconds(base, 1.0).filter(|base| !base.is_zero()).ok_or(EXPECTED)?;
        Ok(Self { base, increment: seconds(increment, 1.0).ok_or(EXPECTED)?, moves })
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
pub(crate) mod milliseconds {
    use super::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        (time.as_millis() as u64).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}
