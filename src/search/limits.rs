//! The limits of a search. How much of a clock it may use is decided in `time`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::PitSet;
use crate::game::depth::Depth;
use crate::record::Clock;
use crate::record::time_control::seconds;

/// The conditions under which a search ends: at the first limit reached or, without any,
/// when it is stopped, has proved its result or has reached [`Depth::MAX`].
///
/// As JSON it has `nodes`, `depth` and `movetime` (milliseconds), in this order:
/// ids of match games are hashes of it. As text it is one of them: `depth=8`, `nodes=1000`,
/// `500ms` or `2s`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Boards to visit, all threads together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The last depth to finish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Depth>,
    /// Time to use for this move, regardless of the clock.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_milliseconds")]
    pub movetime: Option<Duration>,
    /// The mover's clock, to be shared among this move and those to come.
    #[serde(skip)]
    pub clock: Option<Clock>,
    /// Search until stopped, even when the result is proved.
    #[serde(skip)]
    pub infinite: bool,
    /// The clock starts at [`Stopper::ponderhit`](super::Stopper::ponderhit).
    #[serde(skip)]
    pub ponder: bool,
    /// The moves to choose from; all of them if `None`.
    #[serde(skip)]
    pub moves: Option<PitSet>,
}

impl Limits {
    /// Limits of time alone.
    pub fn time(movetime: Duration) -> Self {
        Self { movetime: Some(movetime), ..Self::default() }
    }

    /// Limits of depth alone.
    pub fn depth(depth: Depth) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Limits of nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The `legal` moves that may be chosen.
    pub(crate) fn allowed(&self, legal: PitSet) -> PitSet {
        legal.filter(|&pit| self.moves.is_none_or(|moves| moves.contains(pit))).collect()
    }

    /// Whether the search ends at a depth or a number of nodes, and so must return the same
    /// result on every machine and under every load: nothing that takes time, such as a
    /// solver or the building of tables, may then change which nodes it visits.
    pub(crate) fn are_reproducible(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }

    /// Sets the limit with this name from text: `depth`, `nodes`, `movetime` in
    /// milliseconds, or `time` with its unit (`2s`, `500ms`).
    ///
    /// # Errors
    /// What was expected.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        let number = value.parse().ok().filter(|&number: &u64| number > 0);
        match name {
            "nodes" => self.nodes = Some(number.ok_or("a number from 1")?),
            "depth" => {
                let depth = number.and_then(|number| u16::try_from(number).ok()).map(Depth);
                let depth = depth.filter(|&depth| depth <= Depth::MAX);
                self.depth = Some(depth.ok_or("a depth from 1 to 500")?);
            }
            "movetime" => {
                let number = number.ok_or("milliseconds from 1")?;
                self.movetime = Some(Duration::from_millis(number));
            }
            "time" => {
                let time = match value.strip_suffix("ms") {
                    Some(number) => seconds(number, 1e-3),
                    None => value.strip_suffix('s').and_then(|number| seconds(number, 1.0)),
                };
                let time = time.filter(|time| !time.is_zero() && *time <= MAX_MOVETIME);
                self.movetime = Some(time.ok_or("a time, as in 2s or 500ms")?);
            }
            _ => return Err("depth, nodes, movetime or time"),
        }
        Ok(())
    }
}

/// The longest time per sowing that can be written as text.
const MAX_MOVETIME: Duration = Duration::from_secs(24 * 60 * 60);

impl FromStr for Limits {
    /// What was expected.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').unwrap_or(("time", text));
        let mut limits = Self::default();
        let set = limits.set(name, value).map(|()| limits);
        set.map_err(|_| "a time ('2s', '500ms'), 'depth=N' (1 to 500) or 'nodes=N'")
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.movetime.map(|time| match time.as_millis() {
                ms if ms.is_multiple_of(1000) => format!("{}s", ms / 1000),
                ms => format!("{ms}ms"),
            }),
        ];
        f.pad(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// An optional time as it is stored in files: whole milliseconds.
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
