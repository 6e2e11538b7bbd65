//! What ends a search, and how much of a clock it may use.
//!
//! [`Limits`] are those of one search, [`TimeControl`] is the agreement for a
//! whole game, [`Clock`] what one player has left of it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::PitSet;
use crate::game::depth::Depth;

/// When a search ends. It ends at the first limit reached; without any, when
/// it is stopped, has proved its result or has reached [`Depth::MAX`].
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
    /// Time to use for this move, whatever the clock says.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "milliseconds::optional")]
    pub movetime: Option<Duration>,
    /// The mover's clock, to be shared among this move and those to come.
    #[serde(skip)]
    pub clock: Option<Clock>,
    /// Search on until stopped, even when the result is proved.
    #[serde(skip)]
    pub infinite: bool,
    /// The clock starts at [`Stopper::ponderhit`](super::Stopper::ponderhit).
    #[serde(skip)]
    pub ponder: bool,
    /// The moves to choose from; none: all.
    #[serde(skip)]
    pub moves: Option<PitSet>,
}

/// The time of a game, the same for every sowing of it; every sowing is charged.
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
    /// The base is added again after so many sowings; none: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// A player's clock during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left on the mover's clock.
    pub remaining: Duration,
    /// Time added after each sowing.
    pub increment: Duration,
    /// Sowings until more time is added; none: for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// How long a search may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// No further iteration starts after this, more or less by how clear the best
    /// move is; none if the time given is meant to be used.
    pub soft: Option<Duration>,
    /// The search stops at this.
    pub hard: Duration,
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

    /// Whether the search ends at a depth or a number of nodes, and so must give the same
    /// result whatever the machine and its load: nothing that takes time, such as the
    /// building of tables or a solver, may then change what it visits.
    pub(crate) fn are_reproducible(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }

    /// The time to use with `in_play` seeds in the pits, `overhead` being lost
    /// between the engine and the clock; none if time is not limited.
    pub(super) fn budget(&self, in_play: u32, overhead: Duration) -> Option<TimeBudget> {
        let fixed = self.movetime.map(|time| {
            let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
            TimeBudget { soft: None, hard: time }
        });
        let managed = self.clock.map(|clock| clock.budget(in_play, overhead));
        match (fixed, managed) {
            (Some(fixed), Some(managed)) => {
                Some(TimeBudget { soft: managed.soft, hard: fixed.hard.min(managed.hard) })
            }
            (fixed, managed) => fixed.or(managed),
        }
    }
}

/// The longest time a sowing that can be written as text.
const MAX_MOVETIME: Duration = Duration::from_secs(24 * 60 * 60);

impl Limits {
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

/// A number of units of `unit` seconds, at most a million seconds, to the
/// nearest millisecond.
fn seconds(number: &str, unit: f64) -> Option<Duration> {
    let seconds = number.parse::<f64>().ok()? * unit;
    let milliseconds = |seconds: f64| Duration::from_millis((seconds * 1000.0).round() as u64);
    (0.0..=1e6).contains(&seconds).then(|| milliseconds(seconds))
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
        let seconds = |time: Duration| time.as_millis() as f64 / 1000.0;
        write!(f, "{}s", seconds(self.base))?;
        match self.increment {
            Duration::ZERO => Ok(()),
            increment => write!(f, "+{}s", seconds(increment)),
        }
    }
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

    /// Every sowing is charged, so what is left is shared among those that are
    /// likely still to be searched long: with fewer than about twenty seeds in play
    /// the result is soon proved, and each sowing before banks a seed or two.
    fn budget(self, in_play: u32, overhead: Duration) -> TimeBudget {
        let to_come = (in_play.saturating_sub(20) / 3).clamp(4, 30);
        let sowings = self.moves_to_go.unwrap_or(to_come).clamp(1, to_come);
        let usable = self.remaining.saturating_sub(overhead);
        let share = usable / sowings + self.increment.saturating_sub(overhead) * 3 / 4;
        // The last sowing before more time may use nearly all of it; any
        // other leaves most of it to those that follow.
        let most = if sowings == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
        TimeBudget { soft: Some(share * 3 / 4), hard: (share * 4).min(most) }
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

    pub(super) mod optional {
        use super::*;

        pub(in super::super) fn serialize<S: Serializer>(
            time: &Option<Duration>,
            to: S,
        ) -> Result<S::Ok, S::Error> {
            time.map(|time| time.as_millis() as u64).serialize(to)
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Option<Duration>, D::Error> {
            Ok(Option::deserialize(from)?.map(Duration::from_millis))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(remaining: u32, increment: u32, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock { remaining: MS * remaining, increment: MS * increment, moves_to_go };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    #[test]
    fn the_hard_limit_leaves_the_overhead_on_the_clock() {
        for remaining in [0, 1, 5, 20, 100, 1000, 60_000] {
            for increment in [0, 10, 1000] {
                for moves_to_go in [None, Some(1), Some(40), Some(0)] {
                    for in_play in [0, 1, 10, 48, 2000] {
                        let limits = clock(remaining, increment, moves_to_go);
                        let budget = limits.budget(in_play, MS * 5).unwrap();
                        assert!(budget.hard <= (MS * remaining).saturating_sub(MS * 5));
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_played_at_the_hard_limit_keeps_time_on_the_clock() {
        let mut remaining = MS * 100;
        for sowing in 0..60 {
            let clock = Clock { remaining, increment: MS * 10, moves_to_go: None };
            let budget = clock.budget(48 - 48 * sowing / 60, MS * 5);
            remaining =
                remaining.checked_sub(budget.hard + MS * 4).expect("no time loss") + MS * 10;
        }
    }

    #[test]
    fn a_fixed_time_and_a_clock_give_the_shorter_of_both() {
        let both = Limits { movetime: Some(MS * 20), ..clock(60_000, 0, None) };
        assert_eq!(both.budget(48, MS * 5).unwrap().hard, MS * 15);
        assert_eq!(Limits::default().budget(48, MS), None);
    }

    #[test]
    fn limits_and_time_controls_read_back_as_they_are_written() {
        for text in ["2s", "500ms", "depth=8", "nodes=10000"] {
            assert_eq!(text.parse::<Limits>().unwrap().to_string(), text);
        }
        for text in ["", "depth=0", "depth=501", "nodes=0", "0s", "-1s", "1e99s", "NaNs", "7"] {
            text.parse::<Limits>().unwrap_err();
        }
        let control: TimeControl = "40/10+0.1".parse().unwrap();
        assert_eq!(control.to_string(), "40/10s+0.1s");
        for text in ["", "-1", "0", "0/1", "x/1", "1+", "1+-1", "1e7"] {
            text.parse::<TimeControl>().unwrap_err();
        }
        let limits = Limits { depth: Some(Depth(9)), ..Limits::time(MS * 250) };
        let json = serde_json::to_string(&(limits, control)).unwrap();
        let expected = r#"[{"depth":9,"movetime":250},{"base":10000,"increment":100,"moves":40}]"#;
        assert_eq!(json, expected);
        assert_eq!(
            serde_json::from_str::<(Limits, TimeControl)>(&json).unwrap(),
            (limits, control)
        );
    }

    #[test]
    fn clocks_charge_add_and_begin_again() {
        let control = TimeControl { base: MS * 100, increment: MS * 10, moves: Some(2) };
        let mut clock = Clock::start(control);
        assert!(clock.charge(MS * 50, MS, control));
        assert_eq!((clock.remaining, clock.moves_to_go), (MS * 60, Some(1)));
        assert!(clock.charge(MS * 61, MS, control), "within the margin");
        assert_eq!((clock.remaining, clock.moves_to_go), (MS * 110, Some(2)));
        assert!(!clock.charge(MS * 112, MS, control));
    }
}
