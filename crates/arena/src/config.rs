//! The configuration of a match: its players and their limits, its openings,
//! and when games and the match end.
//!
//! It is the first line of a match's file. A game's id is a hash of the JSON of
//! its parts, so the names and the order of serialised fields never change.
//!
//! A player is described in words: `kalah name=a nodes=1000 option.Hash=16`. The
//! first word is `kalah` (this engine, in-process), `random` or `greedy`, or
//! `cmd=PATH` for a child process. The other words are `key=value`, quoted as in a shell, except
//! that on Windows backslashes are literal.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ConfigError;
use crate::stats::Sprt;
use kalah_engine::endgame::Tables;
use kalah_engine::search::{LimitError, Limits};
use kalah_game::score::Value;
use kalah_play::seat::{Level, Seat};
use kalah_protocol::dialect::Dialect;
use kalah_record::TimeControl;
use kalah_record::opening::{self, Opening};
use kalah_record::time_control::milliseconds;
use kalah_text::format::counted;
use kalah_text::named_enum;
use kalah_text::names::{UnknownName, shortened};

/// Everything that the games of a match depend on, and when the match ends. The default has
/// no players and no openings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// The match's name in records; may be empty.
    pub event: String,
    /// At least two, with different names.
    pub players: Vec<PlayerConfig>,
    /// Which players meet.
    pub format: TournamentFormat,
    /// Pairs of games of each pairing.
    pub rounds: u32,
    /// Seed for random players.
    pub seed: u64,
    /// When games end early; by default never.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// How long the runner waits for players.
    pub timing: Timing,
    /// The test that ends the match when it has decided; only for two players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// One for each round, in order; reused from the first if there are too few.
    pub openings: Vec<Opening>,
}

impl MatchConfig {
    /// Warnings if pairs begin with the same position, or if two players are the same but for their
    /// names.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let different = self.openings.iter().map(Opening::position).collect::<HashSet<_>>().len();
        if different < self.rounds as usize {
            warnings.push(format!(
                "{} for {}: openings are reused, and deterministic engines will repeat games",
                counted(different as u64, "opening"),
                counted(self.rounds.into(), "pair")
            ));
        }
        for [one, other] in self.equal_players() {
            warnings.push(format!(
                "{one} and {other} are the same player with the same settings: the match measures \
                 noise"
            ));
        }
        warnings
    }

    /// The endgame tables that adjudicate games, if any do.
    ///
    /// # Errors
    /// [`ConfigError`] if the openings have different boards or rules, or if the tables cannot be
    /// built.
    pub fn tables(&self) -> Result<Option<Tables>, ConfigError> {
        let Some(seeds) = self.adjudication.table_seeds else { return Ok(None) };
        let variant = self.openings[0].start.variant();
        if self.openings.iter().any(|opening| opening.start.variant() != variant) {
            let message = "--adjudicate-table: expected one board and capture rule, got several";
            return Err(ConfigError(message.to_owned()));
        }
        let tables = Tables::build(variant, seeds, 1);
        tables.map(Some).map_err(|error| ConfigError(error.to_string()))
    }

    /// The names of each two players that differ by their names alone. A copy of a program is the
    /// same program.
    pub fn equal_players(&self) -> Vec<[&str; 2]> {
        let mut equal = Vec::new();
        for (at, one) in self.players.iter().enumerate() {
            for other in &self.players[at + 1..] {
                if one.is_same_but_for_its_name(other) {
                    equal.push([one.name.as_str(), other.name.as_str()]);
                }
            }
        }
        equal
    }

    /// Whether a player is a program of its own.
    pub fn has_programs(&self) -> bool {
        self.players.iter().any(PlayerConfig::is_program)
    }

    /// Changes the number of pairs.
    ///
    /// # Errors
    /// [`ConfigError`] if more openings are needed than are known: those of a file are kept only for
    /// the pairs of the match, but random ones can be repeated from their seed.
    pub fn set_rounds(&mut self, rounds: u32) -> Result<(), ConfigError> {
        let known = self.openings.len();
        if rounds as usize > known && known == self.rounds as usize {
            let start = self.openings[0].start;
            // A game on a small board can end before the last random move.
            let plies = self.openings.iter().map(|opening| opening.moves.len()).max();
            let openings = opening::random(start, plies.unwrap_or(0), rounds as usize, self.seed);
            if openings[..known] != self.openings {
                let pairs = counted(self.rounds.into(), "pair");
                return Err(ConfigError(format!(
                    "the file holds only the openings of its {pairs}; repeat --engine, --openings \
                     and the other options of the first run"
                )));
            }
            self.openings = openings;
        }
        self.openings.truncate(rounds as usize);
        self.rounds = rounds;
        Ok(())
    }
}

named_enum! {
    /// How players are paired.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum TournamentFormat: "format" {
        /// Every player against every other
        #[default]
        RoundRobin = "round-robin",
        /// The first against each of the others
        Gauntlet = "gauntlet",
    }
}

/// When a game ends before its last seed, because its result is certain or it takes too
/// long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// As a win, when a store holds more than half of all seeds.
    #[serde(default)]
    pub majority: bool,
    /// With the exact margin from an endgame table, when at most this many seeds are in play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_seeds: Option<u32>,
    /// As a draw, after this many moves of both sides, including the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<u32>,
    /// As a loss of the player whose own values are this far below zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ScoreRule>,
    /// As a draw, when the values of both players are this close to zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<ScoreRule>,
}

/// A rule for ending a game by the values that players report with their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoreRule {
    /// The number of a player's latest moves that must agree; each is one sowing.
    pub(crate) moves: u32,
    /// The distance from zero, in hundredths of a seed.
    pub(crate) score: i32,
    /// Moves of both sides before the rule applies, including the opening.
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
    type Err = ConfigError;

    /// Parses the words `moves=N score=SEEDS`, optionally with `after=N` and `twosided`.
    fn from_str(words: &str) -> Result<Self, ConfigError> {
        let mut moves = None;
        let mut score = None;
        let mut after = 0;
        let mut twosided = false;
        for word in words.split_whitespace() {
            let unknown = || {
                let got = shortened(word);
                let words = "moves=N, score=SEEDS, after=N or twosided";
                ConfigError(format!("expected {words}, got '{got}'"))
            };
            match word.split_once('=').unwrap_or((word, "")) {
                ("moves", number) => {
                    let number = number.parse().ok().filter(|&moves| moves > 0);
                    moves = Some(number.ok_or_else(unknown)?);
                }
                ("score", seeds) => {
                    let seeds = seeds.parse().ok().filter(|seeds| (0.0..=1e6).contains(seeds));
                    let seeds: f64 = seeds.ok_or_else(unknown)?;
                    score = Some((seeds * f64::from(Value::SEED)).round() as i32);
                }
                ("after", number) => after = number.parse().map_err(|_| unknown())?,
                ("twosided", "" | "true") => twosided = true,
                _ => return Err(unknown()),
            }
        }
        let (Some(moves), Some(score)) = (moves, score) else {
            let got = shortened(words);
            return Err(ConfigError(format!("expected moves=N and score=SEEDS, got '{got}'")));
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

/// How long the runner waits for players. The limits of a game bound the time that a player
/// may use; these bound the time that a broken player can cost the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// Tolerance for exceeding a clock or the time for a move.
    #[serde(with = "milliseconds")]
    pub margin: Duration,
    /// Maximum time for a move without a time limit.
    #[serde(with = "milliseconds")]
    pub patience: Duration,
    /// Maximum time for a program to get ready.
    #[serde(with = "milliseconds")]
    pub start: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            margin: Duration::from_millis(10),
            patience: Duration::from_secs(60),
            // Building endgame tables takes long on a busy core, which is not the program's fault.
            start: Duration::from_secs(60),
        }
    }
}

/// A player of a match: what chooses its moves, and within which limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerConfig {
    /// The name in tables, unique within a match.
    pub(crate) name: String,
    pub(crate) kind: PlayerKind,
    #[serde(rename = "allowance")]
    pub(crate) limits: GameLimits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) options: BTreeMap<String, String>,
}

impl PlayerConfig {
    fn is_same_but_for_its_name(&self, other: &Self) -> bool {
        let mut renamed = Self { name: self.name.clone(), ..other.clone() };
        if renamed == *self {
            return true;
        }
        let (PlayerKind::Process(mine), PlayerKind::Process(theirs)) =
            (&self.kind, &mut renamed.kind)
        else {
            return false;
        };
        let path = std::mem::replace(&mut theirs.command, mine.command.clone());
        renamed == *self && are_copies(mine.command.as_ref(), path.as_ref())
    }
}

/// Whether two paths name copies of one program. Bare names, which are looked up in PATH, are never
/// copies, and neither are scripts: equal scripts may start different programs in their own folders.
fn are_copies(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| Some(fs::metadata(path).ok()?.len());
    let is_named = |path: &Path| path.components().count() > 1;
    if !is_named(one) || !is_named(other) || length(one) != length(other) {
        return false;
    }
    match (fs::read(one), fs::read(other)) {
        (Ok(one), Ok(other)) => one == other && !one.starts_with(b"#!"),
        _ => false,
    }
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

impl PlayerKind {
    /// The word for it, which is also the player's default name.
    fn name(&self) -> &str {
        match self {
            Self::Kalah => "kalah",
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Process(program) => &program.command,
        }
    }

    /// Whether a word of a player's description has an effect on this kind of player.
    fn uses(&self, word: &str) -> bool {
        let Some(key) = key(word) else { return true };
        match self {
            Self::Process(_) => true,
            // The seed of the match determines that of each game.
            Self::Kalah => {
                !["arg", "dir", "proto"].contains(&key)
                    && !key.eq_ignore_ascii_case("option.Random Seed")
            }
            // These players do not search.
            Self::Random | Self::Greedy => key == "name",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Program {
    /// The executable, looked up in PATH as in a shell.
    pub(crate) command: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<String>,
    /// The working directory; by default that of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) directory: Option<PathBuf>,
    pub(crate) protocol: Dialect,
}

/// A player's limits in a game; the first limit reached ends a search.
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
    /// Whether the player is a program of its own, not one of this process.
    pub(crate) fn is_program(&self) -> bool {
        matches!(self.kind, PlayerKind::Process(_))
    }

    /// A player known only by name, for games that were not played here.
    pub(super) fn named(name: String) -> Self {
        let kind = PlayerKind::Process(Program::default());
        Self { name, kind, limits: GameLimits::default(), options: BTreeMap::new() }
    }

    /// Parses a player from words; `common` words are read first, so that the player's own
    /// words override them.
    pub fn parse(words: &str, common: &str) -> Result<Self, ConfigError> {
        Self::from_words(words, common).map_err(ConfigError)
    }

    fn from_words(words: &str, common: &str) -> Result<Self, String> {
        let mut builder = PlayerBuilder::default();
        let common = split(common)?;
        let mut own = split(words)?;
        for (index, word) in own.iter().enumerate() {
            let key = key(word);
            if key != Some("arg") && own[..index].iter().any(|other| self::key(other) == key) {
                let what = key.unwrap_or("kind of player");
                return Err(format!("expected one {what} in '{}', got several", shortened(words)));
            }
        }
        if let Some(word) = common.iter().find(|word| is_strength(word)) {
            return Err(format!("expected a strength in --engine, got '{word}' in --each"));
        }
        common.iter().try_for_each(|word| builder.take(word))?;
        if own.iter().any(|word| key(word) == Some("arg")) {
            builder.program.arguments.clear();
        }
        // A strength comes before the words that may change what it stands for.
        own.sort_by_key(|word| !is_strength(word));
        own.iter().try_for_each(|word| builder.take(word))?;
        let player = builder.finish(words)?;
        // Common words may be meant for other players.
        match own.iter().find(|word| !player.kind.uses(word)) {
            Some(word) => Err(format!("expected no '{word}' with '{}'", player.kind.name())),
            None => Ok(player),
        }
    }
}

/// What a word sets; none for the kind of player.
fn key(word: &str) -> Option<&str> {
    match word.split_once('=')?.0 {
        "level" | "elo" => Some("strength"),
        key => Some(key),
    }
}

/// Splits words that are quoted as in a shell. On Windows, a backslash separates folders instead of
/// quoting the next character.
fn split(words: &str) -> Result<Vec<String>, String> {
    let split = if cfg!(windows) {
        shlex::split(&with_literal_backslashes(words))
    } else {
        shlex::split(words)
    };
    split.ok_or_else(|| format!("expected a closing quote in {}", shortened(words)))
}

/// Doubles each backslash that is special in a shell: all but those in single quotes.
fn with_literal_backslashes(words: &str) -> String {
    let mut literal = String::new();
    let mut quote = None;
    for character in words.chars() {
        match character {
            '\\' if quote != Some('\'') => literal.push('\\'),
            '\'' | '"' if quote.is_none() => quote = Some(character),
            '\'' | '"' if quote == Some(character) => quote = None,
            _ => {}
        }
        literal.push(character);
    }
    literal
}

/// A player while its words are read. Errors are messages.
#[derive(Default)]
struct PlayerBuilder {
    name: Option<String>,
    kind: Option<PlayerKind>,
    program: Program,
    strength: Option<Seat>,
    limits: GameLimits,
    options: BTreeMap<String, String>,
}

impl PlayerBuilder {
    /// Takes a strength, `level=club` or `elo=1200`, which stands for options of this engine.
    fn take_strength(&mut self, strength: &str) -> Result<(), String> {
        let seat = match strength.strip_prefix("level=") {
            Some(level) => {
                let level: Result<Level, UnknownName> = level.parse();
                Seat::Level(level.map_err(|error| error.to_string())?)
            }
            None => Seat::parse_opponent(strength).map_err(|error| error.to_string())?,
        };
        if let Some(elo) = seat.elo() {
            self.options.insert("UCI_LimitStrength".to_owned(), "true".to_owned());
            self.options.insert("UCI_Elo".to_owned(), elo.to_string());
        }
        self.kind = Some(PlayerKind::Kalah);
        self.name = Some(seat.to_string());
        self.strength = Some(seat);
        Ok(())
    }

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
                let set = self.limits.each_move.set(key, value);
                set.map_err(|LimitError(expected)| wrong(expected))?;
            }
            "level" | "elo" => self.take_strength(word)?,
            "tc" => {
                let control = value.parse().map_err(|_| wrong(TimeControl::EXPECTED))?;
                self.limits.control = Some(control);
            }
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
        let Self { name, kind, program, strength, mut limits, options } = self;
        let (kind, usual_name) = match (program.command.as_str(), kind) {
            (command, None) if !command.is_empty() => {
                let stem = Path::new(command).file_stem().unwrap_or(OsStr::new(command));
                let name = stem.to_string_lossy().into_owned();
                (PlayerKind::Process(program), name)
            }
            ("", Some(kind)) => {
                let name = kind.name().to_owned();
                (kind, name)
            }
            (_, Some(_)) if strength.is_some() => {
                let got = shortened(words);
                return Err(format!("expected no level= or elo= with cmd=, got '{got}'"));
            }
            _ => {
                let got = shortened(words);
                return Err(format!("expected 'kalah', 'random', 'greedy' or cmd=PATH in '{got}'"));
            }
        };
        match kind {
            // These players do not search.
            PlayerKind::Random | PlayerKind::Greedy => limits = GameLimits::default(),
            // Without a limit, a search would never end.
            _ if limits == GameLimits::default() => {
                limits.each_move = match strength {
                    Some(seat) => seat.limits(None),
                    None => Limits::time(Duration::from_millis(100)),
                };
            }
            _ => {}
        }
        Ok(PlayerConfig { name: name.unwrap_or(usual_name), kind, limits, options })
    }
}

/// Whether a word gives a player's strength.
fn is_strength(word: &str) -> bool {
    key(word) == Some("strength")
}

fn unknown(word: &str) -> String {
    format!(
        "expected name=, cmd=, arg=, dir=, proto=, nodes=, depth=, movetime=, tc=, \
         option.NAME=, level= or elo=, got '{}'",
        shortened(word)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_backslashes_can_be_quoted_or_not() {
        for (words, expected) in [
            (r"cmd=C:\a\x.exe name=x", [r"cmd=C:\a\x.exe", "name=x"]),
            (r"cmd='C:\a b\x.exe' name=x", [r"cmd=C:\a b\x.exe", "name=x"]),
            (r#"cmd="C:\a b\x.exe" dir="C:\'a'\""#, [r"cmd=C:\a b\x.exe", r"dir=C:\'a'\"]),
            (r#"cmd='C:\"a"' dir=\\server\x"#, [r#"cmd=C:\"a""#, r"dir=\\server\x"]),
        ] {
            let split = shlex::split(&with_literal_backslashes(words));
            assert_eq!(split.unwrap(), expected, "{words}");
        }
    }
}
