//! The player of a side: a person, the engine at a level, the full engine within limits,
//! or an algorithm of the lab.
//!
//! Each level scores at least 65 % against the one below it. `tests/program/play/levels.rs`
//! measures this; `doc/play.md` has the results.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::lab::Method;
use crate::search::{Clock, Limits, Skill};
use crate::sys::names::{UnknownName, shortened};

/// A strength of play with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The name, in lower case.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    skill: Skill,
    /// Per move. Only slow machines reach it, because the skill limits the nodes of all
    /// levels but the last.
    movetime: Duration,
}

/// All levels, weakest first.
pub const LEVELS: [Level; 7] = [
    level(
        "starter",
        "makes every other move at random; for the first games",
        Skill::HALF_RANDOM,
        250,
    ),
    level("beginner", "hardly looks ahead, makes many mistakes", Skill::new(0).unwrap(), 250),
    level("novice", "takes what it can, overlooks replies", Skill::new(2).unwrap(), 250),
    level("casual", "plans extra turns, makes some mistakes", Skill::new(3).unwrap(), 500),
    level("club", "spots most threatened captures", Skill::new(4).unwrap(), 500),
    level("expert", "looks far ahead, makes few mistakes", Skill::new(5).unwrap(), 1000),
    level("perfect", "the full engine, five seconds per move", Skill::FULL, 5000),
];

const fn level(name: &'static str, about: &'static str, skill: Skill, millis: u64) -> Level {
    Level { name, about, skill, movetime: Duration::from_millis(millis) }
}

impl Level {
    /// The engine's skill at this level.
    pub fn skill(&self) -> Skill {
        self.skill
    }

    /// The limits of each of its searches.
    pub fn limits(&self) -> Limits {
        Limits::time(self.movetime)
    }
}

impl Default for Level {
    /// `casual`: a game that a new player can learn from.
    fn default() -> Self {
        LEVELS[3]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// Reads a name or an unambiguous beginning of one, ignoring case.
impl FromStr for Level {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let wanted = text.to_lowercase();
        let mut begun = LEVELS.iter().filter(|level| level.name.starts_with(&wanted));
        match (begun.next(), begun.next()) {
            (Some(&level), None) => Ok(level),
            _ => Err(UnknownName::new("a level:", LEVELS.map(|level| level.name), text)),
        }
    }
}

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seat {
    Person,
    Level(Level),
    /// The full engine, limited by time, depth or nodes.
    Limits(Limits),
    /// A strength on the scale of [`Skill::of_elo`].
    Elo(u32),
    /// An algorithm of the lab, limited likewise.
    Algorithm(Method, Limits),
}

/// The time limit of a move at an Elo; only slow machines reach it.
const ELO_TIME: Duration = Duration::from_secs(1);

/// The default time per move of an algorithm.
const ALGORITHM_TIME: Duration = Duration::from_secs(1);

impl Seat {
    pub(crate) fn is_person(self) -> bool {
        self == Seat::Person
    }

    pub(crate) fn skill(self) -> Skill {
        match self {
            Seat::Level(level) => level.skill(),
            Seat::Elo(elo) => Skill::of_elo(elo),
            _ => Skill::FULL,
        }
    }

    pub(crate) fn algorithm(self) -> Option<Method> {
        match self {
            Seat::Algorithm(method, _) => Some(method),
            _ => None,
        }
    }

    /// Reads a level, an Elo or an algorithm.
    ///
    /// # Errors
    /// A message about what was expected.
    pub(crate) fn opponent(text: &str) -> Result<Self, String> {
        if let Some(elo) = text.strip_prefix("elo=") {
            let [least, most] = Skill::ELO;
            let elo = elo.parse().ok().filter(|elo| (least..=most).contains(elo));
            return elo.map(Seat::Elo).ok_or_else(|| {
                format!("expected elo={least} to elo={most}, got '{}'", shortened(text))
            });
        }
        text.parse().map(Seat::Level).or_else(|error: UnknownName| {
            Self::of_algorithm(text).ok_or_else(|| {
                format!("{error}; or an algorithm from 'kalah compare tree --help': uct, scout@2s")
            })
        })
    }

    /// Reads an algorithm, with limits after `@`.
    fn of_algorithm(text: &str) -> Option<Self> {
        let (name, limits) = match text.split_once('@') {
            Some((name, limits)) => (name, limits.parse().ok()?),
            None => (text, Limits::time(ALGORITHM_TIME)),
        };
        Some(Seat::Algorithm(name.parse().ok()?, limits))
    }

    /// A description in a few words.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Seat::Level(level) => level.about,
            Seat::Algorithm(method, _) => method.algorithm.about(),
            _ => "the full engine",
        }
    }

    /// The limits of the engine's searches. A clock replaces the time of a level.
    pub(crate) fn limits(self, clock: Option<Clock>) -> Limits {
        let limits = match self {
            Seat::Level(level) if clock.is_none() => level.limits(),
            Seat::Person | Seat::Level(_) => Limits::default(),
            Seat::Elo(_) => Limits::time(ELO_TIME),
            Seat::Limits(limits) | Seat::Algorithm(_, limits) => limits,
        };
        Limits { clock, ..limits }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Person => f.pad("human"),
            Seat::Level(level) => level.fmt(f),
            Seat::Limits(limits) => limits.fmt(f),
            Seat::Elo(elo) => f.pad(&format!("elo={elo}")),
            Seat::Algorithm(method, limits) => match limits.movetime {
                Some(ALGORITHM_TIME) => method.fmt(f),
                _ => f.pad(&format!("{method}@{limits}")),
            },
        }
    }
}

impl FromStr for Seat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if ["human", "person", "me"].iter().any(|name| name.eq_ignore_ascii_case(text)) {
            return Ok(Seat::Person);
        }
        Seat::opponent(text).or_else(|_| {
            text.parse().map(Seat::Limits).map_err(|limits: &str| {
                let ([least, most], got) = (Skill::ELO, shortened(text));
                format!(
                    "expected a person ('human'), a level, 'elo=N' ({least} to {most}), \
                     an algorithm, {limits}, got '{got}'"
                )
            })
        })
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
            "expected a level: 'starter', 'beginner', 'novice', 'casual', 'club', 'expert' or \
             'perfect', got 'godlike'"
        );
    }

    #[test]
    fn the_strongest_level_is_the_full_engine_and_skills_rise() {
        assert!(LEVELS[LEVELS.len() - 1].skill().is_full());
        assert!(LEVELS.is_sorted_by_key(|level| level.skill()));
    }

    #[test]
    fn a_clock_replaces_the_time_of_a_level_and_adds_to_other_limits() {
        let clock = Some(Clock {
            remaining: Duration::from_secs(60),
            increment: Duration::ZERO,
            moves_to_go: None,
        });
        for (text, movetime) in [("perfect", None), ("2s", Some(Duration::from_secs(2)))] {
            let limits = text.parse::<Seat>().unwrap().limits(clock);
            assert_eq!((limits.clock, limits.movetime), (clock, movetime));
        }
    }

    #[test]
    fn players_parse_back_from_their_display() {
        for text in
            "human beginner elo=700 2s 500ms depth=8 nodes=10000 uct f3+tt@depth=5".split(' ')
        {
            assert_eq!(text.parse::<Seat>().unwrap().to_string(), text);
        }
        assert_eq!("0.5s".parse::<Seat>().unwrap().to_string(), "500ms");
    }

    #[test]
    fn invalid_players_are_refused() {
        let texts = " elo= elo=99999 depth=0 depth=501 nodes=0 0s -1s 1e99s NaNs 7 9x f3@";
        for text in texts.split(' ') {
            assert!(text.parse::<Seat>().is_err(), "{text}");
        }
    }
}
