//! The words after `go`: the table of limits. Knows no search.

use std::time::Duration;

use thiserror::Error;

use crate::depth::Depth;
use crate::game::notation::MoveError;
use crate::game::{PitSet, Position, Side};
use crate::search::{Clock, Limits};
use crate::sys::names::shortened;

/// The words of a `go`, read but not yet applied to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Count move sequences of this length instead of searching.
    pub perft: Option<Depth>,
    /// What could not be read, or not as it stands.
    pub errors: Vec<GoError>,
    /// Words that mean nothing here.
    pub skipped: Vec<String>,
    searchmoves: Vec<String>,
    ponder: bool,
    infinite: bool,
    depth: Option<Depth>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    time: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
}

/// Why a limit was not taken as it stands. The search is done all the same.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GoError {
    /// The number is missing or is none; the limit is left out.
    #[error("go {limit}: expected a number, got {got}")]
    NoNumber {
        /// The limit.
        limit: &'static str,
        /// What came.
        got: String,
    },
    /// The number is brought into the range.
    #[error("go {limit}: expected {least} to {most}, got {got}; taking {taken}")]
    OutOfRange {
        /// The limit.
        limit: &'static str,
        /// The least number.
        least: u64,
        /// The greatest number.
        most: u64,
        /// What came.
        got: String,
        /// What is taken.
        taken: u64,
    },
    /// A move to be searched cannot be played; it is left out.
    #[error("go searchmoves, move {index}: {error}")]
    Move {
        /// Which one, from 1.
        index: usize,
        /// What is wrong.
        error: MoveError,
    },
    /// There are clocks, but not for the side to move.
    #[error("go: expected a clock for {0}, who is to move")]
    NoClock(Side),
}

/// A limit as it is listed.
#[derive(Debug)]
pub struct LimitSpec {
    /// Its word.
    pub name: &'static str,
    /// What it means, with its unit.
    pub doc: &'static str,
    takes: Takes,
}

/// What follows the word of a limit.
#[derive(Debug)]
enum Takes {
    Nothing(fn(&mut Go)),
    /// A number in the range from the first to the second.
    Number(u64, u64, fn(&mut Go, u64)),
    Moves,
}

/// About 30 years; more would mean the same.
const LONGEST_MS: u64 = 1_000_000_000_000;
const MOST_MOVES: u64 = 1_000_000;
const DEEPEST: u64 = Depth::MAX.0 as u64;

const fn time(set: fn(&mut Go, u64)) -> Takes {
    Takes::Number(0, LONGEST_MS, set)
}

fn ms(number: u64) -> Duration {
    Duration::from_millis(number)
}

fn depth(number: u64) -> Option<Depth> {
    u16::try_from(number).ok().map(Depth)
}

fn set_time(go: &mut Go, [south, north]: [Option<u64>; 2]) {
    let [own, other] = &mut go.time;
    *own = south.map(ms).or(*own);
    *other = north.map(ms).or(*other);
}

fn set_increment(go: &mut Go, [south, north]: [Option<u64>; 2]) {
    let [own, other] = &mut go.increment;
    *own = south.map_or(*own, ms);
    *other = north.map_or(*other, ms);
}

/// Every limit.
pub static LIMITS: [LimitSpec; 17] = [
    LimitSpec {
        name: "searchmoves",
        doc: "only these moves of the position, up to the next limit",
        takes: Takes::Moves,
    },
    LimitSpec {
        name: "ponder",
        doc: "the clock starts at ponderhit",
        takes: Takes::Nothing(|go| go.ponder = true),
    },
    LimitSpec {
        name: "wtime",
        doc: "milliseconds on South's clock",
        takes: time(|go, number| set_time(go, [Some(number), None])),
    },
    LimitSpec {
        name: "btime",
        doc: "milliseconds on North's clock",
        takes: time(|go, number| set_time(go, [None, Some(number)])),
    },
    LimitSpec {
        name: "winc",
        doc: "milliseconds added to South's clock for each sowing",
        takes: time(|go, number| set_increment(go, [Some(number), None])),
    },
    LimitSpec {
        name: "binc",
        doc: "milliseconds added to North's clock for each sowing",
        takes: time(|go, number| set_increment(go, [None, Some(number)])),
    },
    LimitSpec {
        name: "p1time",
        doc: "the same as wtime",
        takes: time(|go, number| set_time(go, [Some(number), None])),
    },
    LimitSpec {
        name: "p2time",
        doc: "the same as btime",
        takes: time(|go, number| set_time(go, [None, Some(number)])),
    },
    LimitSpec {
        name: "p1inc",
        doc: "the same as winc",
        takes: time(|go, number| set_increment(go, [Some(number), None])),
    },
    LimitSpec {
        name: "p2inc",
        doc: "the same as binc",
        takes: time(|go, number| set_increment(go, [None, Some(number)])),
    },
    LimitSpec {
        name: "movestogo",
        doc: "sowings until time is added to the clock",
        takes: Takes::Number(1, MOST_MOVES, |go, number| {
            go.moves_to_go = u32::try_from(number).ok();
        }),
    },
    LimitSpec {
        name: "depth",
        doc: "sowings to look ahead",
        takes: Takes::Number(1, DEEPEST, |go, number| go.limit_depth(depth(number))),
    },
    LimitSpec {
        name: "nodes",
        doc: "boards to visit, all threads together",
        takes: Takes::Number(1, u64::MAX, |go, number| go.nodes = Some(number)),
    },
    LimitSpec {
        name: "mate",
        doc: "turns of each side to look ahead; two sowings each",
        takes: Takes::Number(1, DEEPEST / 2, |go, number| {
            go.limit_depth(depth(number.saturating_mul(2)));
        }),
    },
    LimitSpec {
        name: "movetime",
        doc: "milliseconds to use, Move Overhead included",
        takes: time(|go, number| go.movetime = Some(ms(number))),
    },
    LimitSpec {
        name: "infinite",
        doc: "search until stop, even when the result is proved",
        takes: Takes::Nothing(|go| go.infinite = true),
    },
    LimitSpec {
        name: "perft",
        doc: "count the move sequences of so many sowings instead; no bestmove",
        takes: Takes::Number(0, DEEPEST, |go, number| go.perft = depth(number)),
    },
];

impl Go {
    /// Reads the words after `go`.
    pub fn read(words: &[&str]) -> Self {
        let mut go = Self::default();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            let Some(spec) = LimitSpec::named(word) else {
                go.skipped.push(shortened(word));
                continue;
            };
            match spec.takes {
                Takes::Nothing(set) => set(&mut go),
                Takes::Number(least, most, set) => match number(spec.name, rest, least..=most) {
                    Ok((number, error)) => {
                        set(&mut go, number);
                        go.errors.extend(error);
                        rest = rest.get(1..).unwrap_or_default();
                    }
                    Err(error) => go.errors.push(error),
                },
                Takes::Moves => {
                    while let [word, after @ ..] = rest
                        && LimitSpec::named(word).is_none()
                    {
                        go.searchmoves.push((*word).to_owned());
                        rest = after;
                    }
                }
            }
        }
        go
    }

    /// What is to be searched at `position`, and what is wrong with it. If
    /// nothing is left to end the search, it looks one sowing ahead: who asked
    /// for a limit is not left waiting for ever.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<GoError>) {
        let mut errors = self.errors.clone();
        let moves = self.searched(position, &mut errors);
        let clock = self.clock(position.side());
        if clock.is_none() && self.time.iter().any(Option::is_some) {
            errors.push(GoError::NoClock(position.side()));
        }
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            clock,
            infinite: self.infinite,
            ponder: self.ponder,
            moves,
        };
        if !errors.is_empty() && !limits_something(&limits) {
            limits.depth = Some(Depth::ONE);
        }
        (limits, errors)
    }

    fn limit_depth(&mut self, depth: Option<Depth>) {
        self.depth = match (self.depth, depth) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }

    /// The legal ones of the moves to be searched; none if there are none, so
    /// that all are.
    fn searched(&self, position: &Position, errors: &mut Vec<GoError>) -> Option<PitSet> {
        let mut legal = PitSet::default();
        for (index, word) in (1..).zip(&self.searchmoves) {
            match position.parse_move(word) {
                Ok(pit) => legal = legal.with(pit),
                Err(error) => errors.push(GoError::Move { index, error }),
            }
        }
        (!legal.is_empty()).then_some(legal)
    }

    fn clock(&self, side: Side) -> Option<Clock> {
        let [south, north] = [0, 1].map(|index| {
            let remaining = (*self.time.get(index)?)?;
            let increment = *self.increment.get(index)?;
            Some(Clock { remaining, increment, moves_to_go: self.moves_to_go })
        });
        match side {
            Side::South => south,
            Side::North => north,
        }
    }
}

fn limits_something(limits: &Limits) -> bool {
    limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.movetime.is_some()
        || limits.clock.is_some()
        || limits.infinite
        || limits.ponder
}

impl LimitSpec {
    fn named(word: &str) -> Option<&'static Self> {
        LIMITS.iter().find(|spec| spec.name == word)
    }
}

/// The number at the head of `words`, brought into the range, and what was
/// wrong with it.
fn number(
    limit: &'static str,
    words: &[&str],
    range: std::ops::RangeInclusive<u64>,
) -> Result<(u64, Option<GoError>), GoError> {
    let Some(&word) = words.first() else {
        return Err(GoError::NoNumber { limit, got: "nothing".to_owned() });
    };
    let got = shortened(word);
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(GoError::NoNumber { limit, got: format!("'{got}'") });
    }
    // What has too many digits is beyond every range.
    let size = digits.parse().unwrap_or(u64::MAX);
    let number = if word.starts_with('-') { 0 } else { size };
    let (least, most) = (*range.start(), *range.end());
    let taken = number.clamp(least, most);
    let exact = taken == size && (!word.starts_with('-') || size == 0);
    let error = GoError::OutOfRange { limit, least, most, got, taken };
    Ok((taken, (!exact).then_some(error)))
}
