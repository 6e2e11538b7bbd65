//! Who plays a side: a person, the engine at a level, the full engine within limits, or an
//! algorithm from the lab.
//!
//! Each level scores at least 65 % against the one below it. `tests/program/play/levels.rs`
//! measures this; `doc/lab/levels.md` has the results.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use kalah_engine::Engine;
use kalah_engine::search::{Clock, LimitError, Limits, Skill};
use kalah_lab::{LabSearcher, Method};
use kalah_text::names::{UnknownName, shortened};

/// A named playing strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The name, in lower case.
    pub name: &'static str,
    /// Its style of play, in a few words.
    pub about: &'static str,
    skill: Skill,
    /// Time per move. Only slow machines reach it, because the skill of every level but the
    /// last limits the number of nodes.
    movetime: Duration,
}

/// All levels, weakest first.
pub const LEVELS: [Level; 7] = [
    level(
        "starter",
        "plays half of its moves at random; for your first games",
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

    /// Whether people meet this level in their first games, in which the coach encourages.
    pub fn is_for_newcomers(&self) -> bool {
        LEVELS[..2].contains(self)
    }

    /// The limits of each search.
    pub fn limits(&self) -> Limits {
        Limits::time(self.movetime)
    }
}

impl Default for Level {
    /// The level of a first game in every front end: a player who has only taken the lessons can
    /// win against it.
    fn default() -> Self {
        LEVELS[0]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// Parses a name or an unambiguous prefix of one, ignoring case.
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

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person at a front end.
    Person,
    /// The engine at a named level.
    Level(Level),
    /// The full engine, limited by time, depth or nodes.
    Limits(Limits),
    /// A strength on the scale of [`Skill::from_elo`].
    Elo(u32),
    /// An algorithm from the lab, limited in the same ways.
    Algorithm(Method, Limits),
}

/// The time per move at an Elo rating; only slow machines reach it.
const ELO_TIME: Duration = Duration::from_secs(1);

/// The default time per move for an algorithm.
const ALGORITHM_TIME: Duration = Duration::from_secs(1);

impl Seat {
    /// Whether a person plays this side.
    pub fn is_person(self) -> bool {
        self == Seat::Person
    }

    /// The engine's skill; full for a person, who has none, and for algorithms.
    pub fn skill(self) -> Skill {
        match self {
            Seat::Level(level) => level.skill(),
            Seat::Elo(elo) => Skill::from_elo(elo),
            _ => Skill::FULL,
        }
    }

    /// The Elo rating at which the engine plays; none at full strength.
    pub fn elo(self) -> Option<u32> {
        match self {
            Seat::Elo(elo) => Some(elo),
            _ if self.skill().is_full() => None,
            _ => Some(self.skill().elo()),
        }
    }

    /// The algorithm that searches in place of the engine's own, if any.
    pub fn algorithm(self) -> Option<Method> {
        match self {
            Seat::Algorithm(method, _) => Some(method),
            _ => None,
        }
    }

    /// Makes an engine play like this player. For a person, it has its full strength.
    pub fn set_up(self, engine: &mut Engine) {
        engine.settings_mut().skill = self.skill();
        LabSearcher::select(engine, self.algorithm());
    }

    /// Parses a level, `elo=N` or an algorithm.
    ///
    /// # Errors
    /// [`SeatError`] for any other text.
    pub fn parse_opponent(text: &str) -> Result<Self, SeatError> {
        if let Some(elo) = text.strip_prefix("elo=") {
            let [min, max] = Skill::ELO;
            let elo = elo.parse().ok().filter(|elo| (min..=max).contains(elo));
            return elo.map(Seat::Elo).ok_or_else(|| {
                SeatError(format!("expected elo={min} to elo={max}, got '{}'", shortened(text)))
            });
        }
        text.parse().map(Seat::Level).or_else(|error: UnknownName| {
            Self::parse_algorithm(text)
                .ok_or_else(|| SeatError(format!("{error}; 'kalah play --levels' describes them")))
        })
    }

    /// Parses an algorithm, optionally with limits after `@`.
    fn parse_algorithm(text: &str) -> Option<Self> {
        let (name, limits) = match text.split_once('@') {
            Some((name, limits)) => (name, limits.parse().ok()?),
            None => (text, Limits::time(ALGORITHM_TIME)),
        };
        Some(Seat::Algorithm(name.parse().ok()?, limits))
    }

    /// A description in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Seat::Level(level) => level.about,
            Seat::Algorithm(method, _) => method.algorithm.about(),
            _ => "the full engine",
        }
    }

    /// The limits of the engine's searches. A clock replaces the time limit of a level.
    pub fn limits(self, clock: Option<Clock>) -> Limits {
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

/// Error for text that does not name a player: what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SeatError(String);

impl FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        if ["human", "person", "me"].iter().any(|name| name.eq_ignore_ascii_case(text)) {
            return Ok(Seat::Person);
        }
        Seat::parse_opponent(text).or_else(|_| {
            let limits = text.parse().map(Seat::Limits);
            let [min, max] = Skill::ELO;
            limits.map_err(|LimitError(limits)| {
                SeatError(format!(
                    "expected a person ('human'), a level, 'elo=N' ({min} to {max}), an algorithm, \
                     {limits}, got '{}'",
                    shortened(text)
                ))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_prefixes_of_levels_are_parsed() {
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
