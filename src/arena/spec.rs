//! Players as words: `kalah name=a nodes=1000 option.Hash=16`.
//!
//! The first word is `kalah` (this engine, in-process), `random` or `greedy`;
//! a child process is given by `cmd=PATH` instead. The other words are
//! `key=value`; quotes keep blanks together, as in a shell.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sys::names::shortened;

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// This engine, in-process.
    Kalah,
    /// Any legal move, by the match's seed.
    Random,
    /// The move that banks most seeds at once; an extra turn breaks ties.
    Greedy,
    /// A program that speaks a protocol.
    Process(Program),
}

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The file, looked up as a shell does.
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Where it runs; none: here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
}

/// The dialects that engines speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Like chess's UCI.
    #[default]
    Uci,
    /// Its sister without rules, which can be asked for results.
    Ugi,
}

/// What a player may use for a move; the first limit reached ends its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Positions to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Sowings to look ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
    /// Milliseconds for each pit played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// A clock for the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockAllowance>,
}

/// A clock; every pit played is charged and earns the increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockAllowance {
    /// Milliseconds at the start.
    pub base: u64,
    /// Milliseconds added after each pit played.
    pub increment: u64,
    /// After so many pits the base is added again; none: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// The name in tables, different for each player of a match.
    pub name: String,
    /// What plays.
    pub kind: Kind,
    /// What it may use for a move.
    pub allowance: Allowance,
    /// Options to set, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// Why words give no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// A quote is open.
    #[error("expected a closing quote in {0}")]
    Quote(String),
    /// Nothing says what plays.
    #[error("expected 'kalah', 'random', 'greedy' or cmd=PATH in '{0}'")]
    Kind(String),
    /// A word is no key and value, or the key is unknown.
    #[error(
        "expected name=, cmd=, arg=, dir=, proto=, nodes=, depth=, movetime=, tc= or option.NAME=, got '{0}'"
    )]
    Key(String),
    /// A value cannot be read.
    #[error("{key}: expected {expected}, got '{got}'")]
    Value {
        /// The key.
        key: String,
        /// What should stand there.
        expected: &'static str,
        /// What stands there, shortened.
        got: String,
    },
    /// Arguments without a program.
    #[error("expected cmd=PATH with '{0}'")]
    NoProgram(String),
}

impl Spec {
    /// Reads a player from words; `common` words count as if they stood first.
    ///
    /// # Errors
    /// [`SpecError`] if a word means nothing.
    pub fn parse(words: &str, common: &str) -> Result<Self, SpecError> {
        let mut draft = Draft::default();
        for word in split(common)?.into_iter().chain(split(words)?) {
            draft.take(&word)?;
        }
        draft.finish(words)
    }
}

fn split(words: &str) -> Result<Vec<String>, SpecError> {
    shlex::split(words).ok_or_else(|| SpecError::Quote(shortened(words)))
}

#[derive(Default)]
struct Draft {
    name: Option<String>,
    kind: Option<Kind>,
    command: Option<String>,
    arguments: Vec<String>,
    directory: Option<PathBuf>,
    protocol: Option<Protocol>,
    allowance: Allowance,
    options: BTreeMap<String, String>,
}

impl Draft {
    fn take(&mut self, word: &str) -> Result<(), SpecError> {
        let unknown = || SpecError::Key(shortened(word));
        let Some((key, value)) = word.split_once('=') else {
            self.kind = Some(match word {
                "kalah" => Kind::Kalah,
                "random" => Kind::Random,
                "greedy" => Kind::Greedy,
                _ => return Err(unknown()),
            });
            return Ok(());
        };
        match key {
            "name" => self.name = Some(value.to_owned()),
            "cmd" => self.command = Some(value.to_owned()),
            "arg" => self.arguments.push(value.to_owned()),
            "dir" => self.directory = Some(value.into()),
            "proto" => {
                self.protocol = Some(match value {
                    "uci" => Protocol::Uci,
                    "ugi" => Protocol::Ugi,
                    _ => return Err(wrong(key, "uci or ugi", value)),
                });
            }
            "nodes" => self.allowance.nodes = Some(number(key, "nodes from 1", value)?),
            "depth" => {
                let depth: u64 = number(key, "a depth from 1 to 500", value)?;
                let depth = u16::try_from(depth).ok().filter(|depth| *depth <= 500);
                let depth = depth.ok_or_else(|| wrong(key, "a depth from 1 to 500", value))?;
                self.allowance.depth = Some(depth);
            }
            "movetime" => {
                self.allowance.movetime = Some(number(key, "milliseconds from 1", value)?);
            }
            "tc" => self.allowance.clock = Some(value.parse()?),
            _ => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => {
                    self.options.insert(option.to_owned(), value.to_owned());
                }
                _ => return Err(unknown()),
            },
        }
        Ok(())
    }

    fn finish(self, words: &str) -> Result<Spec, SpecError> {
        let (kind, name) = match (self.command, self.kind) {
            (Some(command), None) => {
                let name = PathBuf::from(&command)
                    .file_stem()
                    .map_or_else(|| command.clone(), |stem| stem.to_string_lossy().into_owned());
                let program = Program {
                    command,
                    arguments: self.arguments,
                    directory: self.directory,
                    protocol: self.protocol.unwrap_or_default(),
                };
                (Kind::Process(program), name)
            }
            (None, Some(kind)) => {
                if let Some(argument) = self.arguments.first() {
                    return Err(SpecError::NoProgram(format!("arg={argument}")));
                }
                let name = match kind {
                    Kind::Random => "random",
                    Kind::Greedy => "greedy",
                    _ => "kalah",
                };
                (kind, name.to_owned())
            }
            _ => return Err(SpecError::Kind(shortened(words))),
        };
        let mut allowance = self.allowance;
        let plays_at_once = matches!(kind, Kind::Random | Kind::Greedy);
        if plays_at_once {
            allowance = Allowance::default();
        } else if allowance == Allowance::default() {
            // Something must end a search.
            allowance.movetime = Some(100);
        }
        let name = self.name.unwrap_or(name);
        Ok(Spec { name, kind, allowance, options: self.options })
    }
}

fn wrong(key: &str, expected: &'static str, got: &str) -> SpecError {
    SpecError::Value { key: key.to_owned(), expected, got: shortened(got) }
}

fn number(key: &str, expected: &'static str, text: &str) -> Result<u64, SpecError> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| wrong(key, expected, text))
}

impl FromStr for ClockAllowance {
    type Err = SpecError;

    /// Reads `[MOVES/]SECONDS[+SECONDS]`.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        const EXPECTED: &str = "[MOVES/]SECONDS[+SECONDS], as in 0.1+0.01 or 40/10+0.1";
        let error = || wrong("tc", EXPECTED, text);
        let (moves, time) = text.split_once('/').map_or((None, text), |(m, t)| (Some(m), t));
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let moves = moves.map(|moves| moves.parse().ok().filter(|&moves: &u32| moves > 0));
        let seconds = |text: &str| -> Option<u64> {
            let seconds: f64 = text.parse().ok()?;
            (0.0..=1e6).contains(&seconds).then(|| (seconds * 1000.0).round() as u64)
        };
        Ok(Self {
            base: seconds(base).filter(|&base| base > 0).ok_or_else(error)?,
            increment: seconds(increment).ok_or_else(error)?,
            moves: moves.map(|moves| moves.ok_or_else(error)).transpose()?,
        })
    }
}

impl fmt::Display for ClockAllowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base as f64 / 1000.0)?;
        match self.increment {
            0 => write!(f, "s"),
            increment => write!(f, "s+{}s", increment as f64 / 1000.0),
        }
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
            self.movetime.map(|time| format!("{time} ms a move")),
            self.clock.map(|clock| clock.to_string()),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(words: &str) -> String {
        Spec::parse(words, "").unwrap_err().to_string()
    }

    #[test]
    fn words_make_players() {
        let spec = Spec::parse("kalah name='two words' option.Hash=8", "nodes=1000").unwrap();
        assert_eq!((spec.name.as_str(), &spec.kind), ("two words", &Kind::Kalah));
        assert_eq!(spec.allowance.to_string(), "1000 nodes");
        assert_eq!(spec.options["Hash"], "8");

        let spec =
            Spec::parse("cmd=./engines/x.sh arg=-v arg=1 proto=ugi tc=40/10+0.1", "").unwrap();
        let Kind::Process(program) = spec.kind else { panic!("a process") };
        assert_eq!((spec.name.as_str(), program.arguments.len()), ("x", 2));
        assert_eq!(program.protocol, Protocol::Ugi);
        assert_eq!(spec.allowance.to_string(), "40/10s+0.1s");
    }

    #[test]
    fn the_players_own_words_come_after_the_common_ones() {
        let spec = Spec::parse("kalah nodes=5", "nodes=1000 depth=3").unwrap();
        assert_eq!(spec.allowance.to_string(), "5 nodes, depth 3");
    }

    #[test]
    fn words_that_mean_nothing_are_named() {
        for (words, message) in [
            ("", "expected 'kalah', 'random', 'greedy' or cmd=PATH in ''"),
            ("kalah cmd=x", "expected 'kalah', 'random', 'greedy' or cmd=PATH in 'kalah cmd=x'"),
            ("stockfish", "option.NAME=, got 'stockfish'"),
            ("kalah ndoes=3", "got 'ndoes=3'"),
            ("kalah nodes=0", "nodes: expected nodes from 1, got '0'"),
            ("kalah depth=501", "depth: expected a depth from 1 to 500, got '501'"),
            ("kalah tc=-1", "as in 0.1+0.01 or 40/10+0.1, got '-1'"),
            ("kalah tc=0/1", "got '0/1'"),
            ("kalah proto=xboard", "proto: expected uci or ugi, got 'xboard'"),
            ("kalah arg=x", "expected cmd=PATH with 'arg=x'"),
            ("kalah name='x", "expected a closing quote in kalah name=\\'x"),
        ] {
            let got = error(words);
            assert!(got.ends_with(message), "{words}: {got}");
        }
    }
}
