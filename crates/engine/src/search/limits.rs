//! The limits of a search. How much of a clock it may use is decided in `time`.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use kalah_game::{Depth, PitSet};
use kalah_text::duration;

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

/// The conditions under which a search ends: at the first limit reached or, without any,
/// when it is stopped, has proved its result or has reached [`Depth::MAX`].
///
/// In JSON, the fields are `nodes`, `depth` and `movetime` (milliseconds), in this order,
/// because the ids of match games are hashes of that text. As text, a limit is written
/// `depth=8`, `nodes=1000`, `500ms` or `2s`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "files", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Boards to visit, by all threads together.
    #[cfg_attr(feature = "files", serde(default, skip_serializing_if = "Option::is_none"))]
    pub nodes: Option<u64>,
    /// The last depth to finish.
    #[cfg_attr(feature = "files", serde(default, skip_serializing_if = "Option::is_none"))]
    pub depth: Option<Depth>,
    /// Time to use for this move, regardless of the clock.
    #[cfg_attr(
        feature = "files",
        serde(default, skip_serializing_if = "Option::is_none", with = "optional_milliseconds")
    )]
    pub movetime: Option<Duration>,
    /// The mover's clock, to be shared among this move and those to come.
    #[cfg_attr(feature = "files", serde(skip))]
    pub clock: Option<Clock>,
    /// Search until stopped, even when the result is proved.
    #[cfg_attr(feature = "files", serde(skip))]
    pub infinite: bool,
    /// The clock starts at [`Stopper::ponderhit`](super::Stopper::ponderhit).
    #[cfg_attr(feature = "files", serde(skip))]
    pub ponder: bool,
    /// The moves to choose from; all of them if `None`.
    #[cfg_attr(feature = "files", serde(skip))]
    pub moves: Option<PitSet>,
}

impl Limits {
    /// A time limit alone.
    pub fn time(movetime: Duration) -> Self {
        Self { movetime: Some(movetime), ..Self::default() }
    }

    /// A depth limit alone.
    pub fn depth(depth: Depth) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A node limit alone.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The `legal` moves that may be chosen.
    pub fn allowed(&self, legal: PitSet) -> PitSet {
        match self.moves {
            Some(moves) => legal.iter().filter(|&pit| moves.contains(pit)).collect(),
            None => legal,
        }
    }

    /// Whether nothing but a stop or a proof ends the search.
    pub fn are_endless(&self) -> bool {
        let is_timed = self.movetime.is_some() || self.clock.is_some();
        let is_limited = self.are_reproducible() || is_timed;
        self.infinite || self.ponder || !is_limited
    }

    /// Whether the search ends on its own within what the caller asked for. A clock does not
    /// count: it may have hours left.
    pub fn ends_unattended(&self) -> bool {
        !Self { clock: None, ..*self }.are_endless()
    }

    /// Whether the search ends at a depth or a number of nodes, and so must return the same
    /// result on every machine and under every load: nothing that runs in parallel, such as a
    /// solver or the building of tables, may then change which nodes it visits.
    pub(crate) fn are_reproducible(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }

    /// Sets the limit with this name from text: `depth`, `nodes`, or `time` with its unit
    /// (`2s`, `500ms`), which `movetime` may omit for milliseconds.
    ///
    /// # Errors
    /// [`LimitError`] if there is no such limit or it does not accept the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), LimitError> {
        let number = value.parse().ok().filter(|&number: &u64| number > 0);
        match name {
            "nodes" => self.nodes = Some(number.ok_or(LimitError("a number of at least 1"))?),
            "depth" => {
                let max = u64::from(Depth::MAX.0);
                let depth = number.filter(|&depth| depth <= max).map(|depth| Depth(depth as u16));
                self.depth = Some(depth.ok_or(LimitError("a depth from 1 to 500"))?);
            }
            "movetime" => {
                let time = duration::parse_or_number(value, 1e-3).filter(|time| !time.is_zero());
                let expected = "a time such as 2s, or a whole number of milliseconds, at least 1";
                self.movetime = Some(time.ok_or(LimitError(expected))?);
            }
            // A plain number could mean seconds or milliseconds, so the unit is required.
            "time" => {
                let time =
                    duration::parse(value).filter(|time| !time.is_zero() && *time <= MAX_MOVETIME);
                self.movetime = Some(time.ok_or(LimitError(duration::EXPECTED))?);
            }
            _ => return Err(LimitError("depth, nodes, movetime or time")),
        }
        Ok(())
    }
}

/// The longest time per sowing that can be written as text.
const MAX_MOVETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Error for a text that is not a limit, or for a limit's name or value: what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {0}")]
pub struct LimitError(pub &'static str);

impl FromStr for Limits {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').unwrap_or(("time", text));
        let mut limits = Self::default();
        let set = limits.set(name, value).map(|()| limits);
        set.map_err(|_| LimitError("a time ('2s', '500ms'), 'depth=N' (1 to 500) or 'nodes=N'"))
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.movetime.map(duration::shown),
        ];
        f.pad(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// The form of an optional time in files: whole milliseconds.
#[cfg(feature = "files")]
mod optional_milliseconds {
    use super::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_millis() as u64).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::deserialize(from)?.map(Duration::from_millis))
    }
}
