//! The configuration of a match: its players and their limits, its openings,
//! and when games and the match stop.
//!
//! It is the first line of a match's file. A game's id is a hash of the JSON of
//! its parts, so the names and the order of serialised fields never change.
//!
//! A player is given as words: `kalah name=a nodes=1000 option.Hash=16`. The
//! first word is `kalah` (this engine, in-process), `random` or `greedy`; a
//! child process is given by `cmd=PATH` instead. The other words are
//! `key=value`, quoted as in a shell.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::MatchError;
use super::opening::Opening;
use super::stats::Sprt;
use crate::game::score::Value;
use crate::protocol::dialect::Dialect;
use crate::record::TimeControl;
use crate::record::time_control::milliseconds;
use crate::search::Limits;
use crate::sys::names::shortened;

/// All that the games of a match depend on, and when it stops. The default has no
/// players and no openings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The match's name in records; may be empty.
    pub(crate) event: String,
    /// At least two, with different names.
    pub(crate) players: Vec<PlayerConfig>,
    pub(crate) format: Format,
    /// Pairs of games of each pairing.
    pub(crate) rounds: u32,
    /// Seeds the players that are random.
    pub(crate) seed: u64,
    #[serde(default)]
    pub(crate) adjudication: Adjudication,
    pub(crate) timing: Timing,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<Sprt>,
    /// One for each round, in order; used again from the first if too few.
    pub(crate) openings: Vec<Opening>,
}

/// How players are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    /// Every player against every other
    #[default]
    RoundRobin,
    /// The first against each of the others
    Gauntlet,
}

/// When a game is ended before its last seed, because its result is certain or
/// it takes too long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Adjudication {
    /// When a store holds more than half of all seeds.
    #[serde(default)]
    pub(crate) majority: bool,
    /// When an endgame table has the result: with at most this many seeds in
    /// play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) table_seeds: Option<u32>,
    /// As a draw, after this many moves of both sides, the opening's included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) move_limit: Option<u32>,
    /// As lost by the player whose own values are this far below zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) resign: Option<ScoreRule>,
    /// As a draw, when the values of both players are this close to zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) draw: Option<ScoreRule>,
}

/// When the values that players report with their moves end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScoreRule {
    /// The last moves of a player that must agree, each of them one sowing.
    pub(crate) moves: u32,
    /// The distance from zero, in hundredths of a seed.
    pub(crate) score: i32,
    /// Moves of both sides before the rule applies, the opening's included.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) after: u32,
    /// Whether the winner's values must agree with the loser's; a draw always needs both.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(crate) twosided: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl FromStr for ScoreRule {
    type Err = String;

    /// Parses the words `moves=N score=SEEDS`, and `after=N` and `twosided` if given.
    fn from_str(words: &str) -> Result<Self, String> {
        let (mut moves, mut score, mut after, mut twosided) = (None, None, 0, false);
        for word in words.split_whitespace() {
            let known = match word.split_once('=').unwrap_or((word, "")) {
                ("moves", number) => {
                    moves = number.parse().ok().filter(|&moves| moves > 0);
                    moves.is_some()
                }
                ("score", seeds) => {
                    let seeds = seeds.parse().ok().filter(|seeds| (0.0..=1e6).contains(seeds));
                    score = seeds.map(|seeds: f64| (seeds * f64::from(Value::SEED)).round() as i32);
                    score.is_some()
                }
                ("after", number) => number.parse().map(|number| after = number).is_ok(),
                ("twosided", "" | "true") => {
                    twosided = true;
                    true
                }
                _ => false,
            };
            if !known {
                return Err(format!(
                    "expected moves=N, score=SEEDS, after=N or twosided, got '{}'",
                    shortened(word)
                ));
            }
        }
        let (Some(moves), Some(score)) = (moves, score) else {
            return Err(format!("expected moves=N and score=SEEDS, got '{}'", shortened(words)));
        };
        Ok(Self { moves, score, after, twosided })
    }
}

impl fmt::Display for ScoreRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, score, after, twosided } = self;
        write!(f, "moves={moves} score={}", Value(*score).seeds())?;
        if *after > 0 {
            write!(f, " after={after}")?;
        }
        f.write_str(if *twosided { " twosided" } else { "" })
    }
}

/// How long the runner waits for players. The limits of a game bound what a player may
/// use; these bound what a broken one may cost the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Timing {
    /// A clock or a time for a move may be exceeded by this much.
    #[serde(with = "milliseconds")]
    pub(crate) margin: Duration,
    /// The longest time for a move without a limit of time.
    #[serde(with = "milliseconds")]
    pub(crate) patience: Duration,
    /// The longest time for a program to get ready.
    #[serde(with = "milliseconds")]
    pub(crate) start: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        let [margin, patience, start] = [10, 60_000, 10_000].map(Duration::from_millis);
        Self { margin, patience, start }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayerConfig {
    /// The name in tables, different for each player of a match.
    pub(crate) name: String,
    pub(crate) kind: PlayerKind,
    #[serde(rename = "allowance")]
    pub(crate) limits: GameLimits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) options: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PlayerKind {
    /// This engine, on a thread of the match's own process.
    Kalah,
    Random,
    Greedy,
    Process(Program),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Program {
    /// The file, looked up as a shell does.
    pub(crate) command: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<String>,
    /// Its working directory; that of the match if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) directory: Option<PathBuf>,
    pub(crate) protocol: Dialect,
}

/// A player's limits in a game; the first one reached ends a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameLimits {
    #[serde(flatten)]
    pub(crate) each_move: Limits,
    #[serde(rename = "clock", default, skip_serializing_if = "Option::is_none")]
    pub(crate) control: Option<TimeControl>,
}

impl fmt::Display for GameLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let control = self.control.map(|control| control.to_string()).unwrap_or_default();
        f.write_str(format!("{} {control}", self.each_move).trim())
    }
}

impl PlayerConfig {
    /// A player of whom only the name is known.
    pub(super) fn named(name: String) -> Self {
        let kind = PlayerKind::Process(Program::default());
        Self { name, kind, limits: GameLimits::default(), options: BTreeMap::new() }
    }

    /// Parses a player from words; `common` words are read first, so that its own
    /// override them.
    pub(crate) fn parse(words: &str, common: &str) -> Result<Self, MatchError> {
        let mut draft = Draft::default();
        let parsed = split(common).and_then(|common| {
            common.into_iter().chain(split(words)?).try_for_each(|word| draft.take(&word))
        });
        parsed.and_then(|()| draft.finish(words)).map_err(MatchError::Config)
    }
}

fn split(words: &str) -> Result<Vec<String>, String> {
    shlex::split(words).ok_or_else(|| format!("expected a closing quote in {}", shortened(words)))
}

/// A player while its words are read. Errors are messages.
#[derive(Default)]
struct Draft {
    name: Option<String>,
    kind: Option<PlayerKind>,
    program: Program,
    limits: GameLimits,
    options: BTreeMap<String, String>,
}

impl Draft {
    fn take(&mut self, word: &str) -> Result<(), String> {
        let Some((key, value)) = word.split_once('=') else {
            self.kind = Some(match word {
                "kalah" => PlayerKind::Kalah,
                "random" => PlayerKind::Random,
                "greedy" => PlayerKind::Greedy,
                _ => return Err(unknown(word)),
            });
            return Ok(());
        };
        let wrong =
            |expected: &str| format!("{key}: expected {expected}, got '{}'", shortened(value));
        match key {
            "name" => self.name = Some(value.to_owned()),
            "cmd" => self.program.command = value.to_owned(),
            "arg" => self.program.arguments.push(value.to_owned()),
            "dir" => self.program.directory = Some(value.into()),
            "proto" => {
                let known = [Dialect::Uci, Dialect::Ugi].into_iter().find(|d| d.hello() == value);
                self.program.protocol = known.ok_or_else(|| wrong("uci or ugi"))?;
            }
            "nodes" | "depth" | "movetime" => {
                self.limits.each_move.set(key, value).map_err(wrong)?;
            }
            "tc" => self.limits.control = Some(value.parse().map_err(wrong)?),
            _ => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => {
                    self.options.insert(option.to_owned(), value.to_owned());
                }
                _ => return Err(unknown(word)),
            },
        }
        Ok(())
    }

    fn finish(self, words: &str) -> Result<PlayerConfig, String> {
        let Self { name, kind, program, mut limits, options } = self;
        let (kind, usual_name) = match (program.command.as_str(), kind) {
            (command, None) if !command.is_empty() => {
                let stem = Path::new(command).file_stem();
                let name = stem.map_or(command.into(), |stem| stem.to_string_lossy()).into_owned();
                (PlayerKind::Process(program), name)
            }
            ("", Some(kind)) => {
                if let Some(argument) = program.arguments.first() {
                    return Err(format!("expected cmd=PATH with 'arg={argument}'"));
                }
                let name = match kind {
                    PlayerKind::Random => "random",
                    PlayerKind::Greedy => "greedy",
                    _ => "kalah",
                };
                (kind, name.to_owned())
            }
            _ => {
                let got = shortened(words);
                return Err(format!("expected 'kalah', 'random', 'greedy' or cmd=PATH in '{got}'"));
            }
        };
        match kind {
            // They do not search.
            PlayerKind::Random | PlayerKind::Greedy => limits = GameLimits::default(),
            // Something must end a search.
            _ if limits == GameLimits::default() => {
                limits.each_move = Limits::time(Duration::from_millis(100));
            }
            _ => {}
        }
        Ok(PlayerConfig { name: name.unwrap_or(usual_name), kind, limits, options })
    }
}

fn unknown(word: &str) -> String {
    format!(
        "expected name=, cmd=, arg=, dir=, proto=, nodes=, depth=, movetime=, tc= or \
         option.NAME=, got '{}'",
        shortened(word)
    )
}
