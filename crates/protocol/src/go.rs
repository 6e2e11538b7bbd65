//! The words after `go`: their table, and how they are parsed into limits and written from
//! them.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::time::Duration;

use kalah_engine::search::{Clock, Limits};
use kalah_game::depth::Depth;
use kalah_game::{PitSet, Position, Side};
use kalah_text::names::shortened;

use super::dialect::Dialect;

/// Bounds a search none of whose limits is valid: a fraction of a second, so that a mistake in one
/// command costs neither the game nor the strength of the move.
const NODES_WITHOUT_LIMIT: u64 = 100_000;

/// The words of a `go`, parsed but not yet applied to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Count move sequences of this length instead of searching.
    pub perft: Option<Depth>,
    /// Errors in limits, and words that are not limits. The search is run regardless.
    pub errors: Vec<String>,
    searchmoves: String,
    /// The limits that do not depend on the position.
    limits: Limits,
    /// The clocks of South and North.
    clocks: [Option<Duration>; 2],
    increments: [Duration; 2],
    moves_to_go: Option<u32>,
}

/// A limit as `protocol.md` lists it.
#[derive(Debug)]
pub struct LimitSpec {
    /// The word after `go` that sets it.
    pub name: &'static str,
    /// The meaning, with its unit.
    pub doc: &'static str,
    argument: Argument,
}

/// The argument of a limit.
#[derive(Debug)]
enum Argument {
    None,
    /// A number, which is clamped to this range.
    Number(RangeInclusive<u64>),
    /// Moves, up to the next limit.
    Moves,
}

impl LimitSpec {
    /// The UCI name of what it sets.
    fn setting(&self) -> &'static str {
        self.doc.strip_prefix(SAME_AS).unwrap_or(self.name)
    }
}

/// Precedes the other name of a limit in its meaning.
const SAME_AS: &str = "the same as ";

const fn spec(name: &'static str, argument: Argument, doc: &'static str) -> LimitSpec {
    LimitSpec { name, doc, argument }
}

/// About 30 years: any larger number would mean the same.
const MS: Argument = Argument::Number(0..=1_000_000_000_000);
const MOVES_TO_GO: Argument = Argument::Number(1..=1_000_000);
const MAX_DEPTH: u64 = Depth::MAX.0 as u64;

/// Every limit that `go` takes.
pub static LIMITS: [LimitSpec; 17] = [
    spec("searchmoves", Argument::Moves, "search only these moves; the next limit ends the list"),
    spec("ponder", Argument::None, "the clock starts at ponderhit"),
    spec("wtime", MS, "milliseconds on South's clock"),
    spec("btime", MS, "milliseconds on North's clock"),
    spec("winc", MS, "milliseconds added to South's clock for each sowing"),
    spec("binc", MS, "milliseconds added to North's clock for each sowing"),
    spec("p1time", MS, "the same as wtime"),
    spec("p2time", MS, "the same as btime"),
    spec("p1inc", MS, "the same as winc"),
    spec("p2inc", MS, "the same as binc"),
    spec("movestogo", MOVES_TO_GO, "sowings until time is added to the clock"),
    spec("depth", Argument::Number(1..=MAX_DEPTH), "sowings to look ahead"),
    spec("nodes", Argument::Number(1..=u64::MAX), "nodes to visit, by all threads together"),
    spec(
        "mate",
        Argument::Number(1..=MAX_DEPTH / 2),
        "turns of each side to look ahead, each counted as two sowings",
    ),
    spec("movetime", MS, "milliseconds to use, including Move Overhead"),
    spec("infinite", Argument::None, "search until stop, even when the result is proved"),
    spec(
        "perft",
        Argument::Number(0..=MAX_DEPTH),
        "count the sequences of this many sowings instead of searching; no bestmove",
    ),
];

/// Maximum number of errors reported for one `go`: a line may contain hundreds of thousands of
/// wrong words.
const MAX_ERRORS: usize = 8;

fn note(error: String, errors: &mut Vec<String>) {
    if errors.len() < MAX_ERRORS {
        errors.push(error);
    }
}

fn limit(word: &str) -> Option<&'static LimitSpec> {
    LIMITS.iter().find(|spec| spec.name == word)
}

/// The words after the value of a limit, which is missing if a limit follows at once.
fn without_value<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    match words {
        [value, rest @ ..] if limit(value).is_none() => rest,
        _ => words,
    }
}

/// The words before the next limit, and the rest.
fn words_before_a_limit<'a, 'b>(words: &'a [&'b str]) -> (&'a [&'b str], &'a [&'b str]) {
    let end = words.iter().position(|word| limit(word).is_some());
    words.split_at(end.unwrap_or(words.len()))
}

impl Go {
    /// Parses the words after `go`.
    pub fn parse(words: &[&str]) -> Self {
        let mut go = Self::default();
        let mut given = HashSet::new();
        let mut rest = words;
        while let [word, after @ ..] = rest {
            let words = std::mem::replace(&mut rest, after);
            let Some(spec @ LimitSpec { name, argument, .. }) = limit(word) else {
                let (unknown, after) = words_before_a_limit(words);
                let got = shortened(&unknown.join(" "));
                note(format!("go: expected a limit, got '{got}'"), &mut go.errors);
                rest = after;
                continue;
            };
            let setting = spec.setting();
            let is_repeated = !matches!(argument, Argument::Moves) && !given.insert(setting);
            if is_repeated {
                note(
                    format!("go {name}: expected {setting} once; using the first"),
                    &mut go.errors,
                );
            }
            match argument {
                Argument::None => go.set(setting, 0),
                Argument::Number(_) if is_repeated => rest = without_value(rest),
                Argument::Moves => {
                    let (moves, after) = words_before_a_limit(rest);
                    // A second list adds to the first.
                    go.searchmoves.extend(moves.iter().flat_map(|word| [word, " "]));
                    rest = after;
                }
                Argument::Number(range) => match number(rest.first().copied(), range) {
                    Ok((number, error)) => {
                        go.set(setting, number);
                        if let Some(error) = error {
                            note(format!("go {name}: {error}"), &mut go.errors);
                        }
                        rest = rest.get(1..).unwrap_or_default();
                    }
                    Err(error) => {
                        note(format!("go {name}: {error}"), &mut go.errors);
                        rest = without_value(rest);
                    }
                },
            }
        }
        go
    }

    /// Approximate memory of its texts, in bytes.
    pub(super) fn size(&self) -> usize {
        self.errors.iter().fold(self.searchmoves.len(), |size, error| {
            size.saturating_add(size_of::<String>()).saturating_add(error.len())
        })
    }

    /// Sets a limit of the table to a number, which is in range.
    fn set(&mut self, name: &str, number: u64) {
        let ms = Duration::from_millis(number);
        let [south, north] = &mut self.clocks;
        let [south_increment, north_increment] = &mut self.increments;
        match name {
            "wtime" => *south = Some(ms),
            "btime" => *north = Some(ms),
            "winc" => *south_increment = ms,
            "binc" => *north_increment = ms,
            "movestogo" => self.moves_to_go = u32::try_from(number).ok(),
            "depth" => self.limit_depth(number),
            "mate" => self.limit_depth(number.saturating_mul(2)),
            "nodes" => self.limits.nodes = Some(number),
            "movetime" => self.limits.movetime = Some(ms),
            "infinite" => self.limits.infinite = true,
            "ponder" => self.limits.ponder = true,
            "perft" => self.perft = depth_of(number),
            _ => (),
        }
    }

    /// Limits the depth; if `depth` and `mate` are both given, the smaller one counts.
    fn limit_depth(&mut self, number: u64) {
        self.limits.depth = self.limits.depth.into_iter().chain(depth_of(number)).min();
    }

    /// The limits of a search of `position`, and the first errors. If no limit remains after an
    /// error, the search visits 100,000 nodes, so that a manager that meant to limit it does not
    /// wait indefinitely.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<String>) {
        let mut errors = self.errors.clone();
        let side = position.side();
        let [south, north] = self.clocks;
        let [south_increment, north_increment] = self.increments;
        let (remaining, increment) = match side {
            Side::South => (south, south_increment),
            Side::North => (north, north_increment),
        };
        let moves_to_go = self.moves_to_go;
        let clock = remaining.map(|remaining| Clock { remaining, increment, moves_to_go });
        if clock.is_none() && self.clocks.iter().any(Option::is_some) {
            errors.push(format!("go: expected a clock for {side}, the side to move"));
        }
        let mut legal = PitSet::default();
        for (index, word) in (1..).zip(self.searchmoves.split_whitespace()) {
            match position.parse_move(word) {
                Ok(pit) => legal = legal.with(pit),
                Err(error) => {
                    note(format!("go searchmoves, move {index}: {error}"), &mut errors);
                }
            }
        }
        let mut limits = Limits { clock, ..self.limits };
        let endless = Limits { ponder: limits.ponder, ..Limits::default() };
        if !errors.is_empty() && limits == endless {
            limits.nodes = Some(NODES_WITHOUT_LIMIT);
            let used = format!("using nodes {NODES_WITHOUT_LIMIT}");
            errors.push(format!("go: expected a limit, got none that is valid; {used}"));
        }
        // A list without any legal move is ignored, so that there is a move to play.
        let moves = if legal.is_empty() { None } else { Some(legal) };
        (Limits { moves, ..limits }, errors)
    }
}

fn depth_of(number: u64) -> Option<Depth> {
    u16::try_from(number).ok().map(Depth)
}

/// The `go` command for a search within `limits` by `side`; `opponent` is the other side's clock.
/// Times are in whole milliseconds, rounded down.
pub fn text(limits: &Limits, opponent: Option<Clock>, side: Side, dialect: Dialect) -> String {
    let mut go = "go".to_owned();
    for (of_side, [time, increment]) in Side::BOTH.into_iter().zip(dialect.clock_limits()) {
        let clock = if of_side == side { limits.clock } else { opponent };
        add(&mut go, time, clock.map(|clock| clock.remaining.as_millis()));
        add(&mut go, increment, clock.map(|clock| clock.increment.as_millis()));
    }
    add(&mut go, "movestogo", limits.clock.and_then(|clock| clock.moves_to_go).map(u128::from));
    add(&mut go, "movetime", limits.movetime.map(|time| time.as_millis()));
    add(&mut go, "depth", limits.depth.map(|depth| depth.0.into()));
    add(&mut go, "nodes", limits.nodes.map(u128::from));
    go
}

fn add(go: &mut String, name: &str, value: Option<u128>) {
    if let Some(value) = value {
        // Writing to a string cannot fail.
        let _ = write!(go, " {name} {value}");
    }
}

/// The number in a word, clamped to the range, and an error if clamping changed it.
///
/// # Errors
/// If the word is not a number.
fn number(
    word: Option<&str>,
    range: &RangeInclusive<u64>,
) -> Result<(u64, Option<String>), String> {
    let Some(word) = word else { return Err("expected a number, got nothing".to_owned()) };
    let got = shortened(word);
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("expected a number, got '{got}'"));
    }
    // A number with too many digits is beyond every range.
    let size = digits.parse().unwrap_or(u64::MAX);
    let is_negative = word.starts_with('-') && size > 0;
    let min = *range.start();
    let max = *range.end();
    let taken = if is_negative { min } else { size.clamp(min, max) };
    if !is_negative && taken == size {
        return Ok((taken, None));
    }
    Ok((taken, Some(format!("expected {min} to {max}, got {got}; using {taken}"))))
}
