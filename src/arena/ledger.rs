//! The file of a match: a game is finished when it is in this file.
//!
//! It is a [journal]. The first line is the configuration and how
//! the match was run, `{"match":{…},"run":{…}}`; every other line is one finished game
//! (see `doc/records.md`). A game counts once its line is synced; one whose line was
//! torn by a crash is played again when the match is resumed.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::MatchError;
use super::config::MatchConfig;
use super::schedule::Schedule;
use crate::record::{Game, json};
use crate::sys::files::{self, AccessError};
use crate::sys::journal::{self, Journal, Kind, Tail, with_checksum};

#[derive(Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) r#match: MatchConfig,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<Run>,
}

impl Header {
    fn line(config: &MatchConfig, run: Option<&Run>) -> String {
        let header = Self { r#match: config.clone(), run: run.cloned() };
        serde_json::to_string(&header)
            .unwrap_or_else(|error| unreachable!("strings and numbers: {error}"))
    }
}

/// How a match, or a part of it, was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    pub(crate) version: String,
    pub(crate) command: String,
    /// The processors and the operating system that the match ran on.
    pub(crate) machine: String,
}

impl Run {
    /// Whether both had the same version and machine; the commands of a match's parts
    /// always differ.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        (&self.version, &self.machine) == (&other.version, &other.machine)
    }
}

const KIND: Kind<'_> = Kind { begin: r#"{"match":{"#, may_lack_checksums: true };

/// The contents of a match's file.
#[derive(Debug)]
pub struct Contents {
    /// The configuration; the last one if the match was extended.
    pub config: MatchConfig,
    /// How it was run, without repetitions.
    pub(crate) runs: Vec<Run>,
    /// The games in the order of the file.
    pub games: Vec<Game>,
}

/// Reads a match's file. A torn line at its end is left out.
///
/// # Errors
/// [`MatchError::Failed`] if it cannot be read or is not the file of a match.
pub fn read(path: &Path) -> Result<Contents, MatchError> {
    let lines = journal::read_kind(path, KIND).map_err(AccessError::reading(path))?;
    contents(&lines, path)
}

fn contents(lines: &[String], path: &Path) -> Result<Contents, MatchError> {
    let mut config = None;
    let mut runs = Vec::new();
    let mut games = Vec::new();
    for (number, line) in (1..).zip(lines) {
        match Entry::of(line, number, path)? {
            // Each extension of a match has appended its configuration.
            Entry::Begun(header) => {
                config = Some(header.r#match);
                runs.extend(header.run);
            }
            Entry::Played(game) => games.push(*game),
        }
    }
    let config = config.ok_or_else(|| failed(path, &"expected a configuration, got none"))?;
    Ok(Contents { config, runs, games })
}

/// A line of a match's file.
pub(super) enum Entry {
    Begun(Box<Header>),
    Played(Box<Game>),
}

impl Entry {
    /// Reads line `number`, counted from 1.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if it is neither a configuration nor a finished game.
    pub(super) fn of(line: &str, number: usize, path: &Path) -> Result<Self, MatchError> {
        if json::is_header(line) {
            let header: Header = serde_json::from_str(line)
                .map_err(|error| failed(path, &format_args!("line {number}: {error}")))?;
            return Ok(Self::Begun(header.into()));
        }
        let game = json::from_line(line, number).map_err(|error| failed(path, &error))?;
        if game.ending().is_none() {
            let fault = "expected a finished game, got one without a result";
            return Err(failed(path, &format_args!("line {number}: {fault}")));
        }
        Ok(Self::Played(game.into()))
    }
}

/// A match's file, to be read line by line while it may still grow.
pub(super) fn tail(path: &Path) -> Result<Tail, MatchError> {
    Ok(Tail::open(path, KIND).map_err(AccessError::reading(path))?)
}

pub(super) fn failed(path: &Path, error: &dyn Display) -> MatchError {
    MatchError::Failed(format!("{}: {error}", path.display()))
}

/// Whether there is a file at `path` that begins like that of a match.
///
/// # Errors
/// [`AccessError`] if it cannot be read.
pub(crate) fn is_match(path: &Path) -> Result<bool, AccessError> {
    const BEGIN: &[u8] = br#"{"match":"#;
    let file = match files::open(path) {
        Err(error) if error.error.kind() == ErrorKind::NotFound => return Ok(false),
        file => file?,
    };
    let mut begin = Vec::new();
    file.take(BEGIN.len() as u64).read_to_end(&mut begin).map_err(AccessError::reading(path))?;
    Ok(begin == BEGIN)
}

/// A match's file, open for writing and locked.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    journal: Journal,
    header: String,
}

impl Ledger {
    /// Starts a new file with a configuration.
    pub(crate) fn create(
        path: &Path,
        config: &MatchConfig,
        run: Option<&Run>,
    ) -> Result<Self, MatchError> {
        let header = Header::line(config, run);
        let journal = Journal::create(path, KIND, &header).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => MatchError::Failed(format!(
                "{} already exists: choose another file, or continue it with --resume",
                path.display()
            )),
            ErrorKind::InvalidData => MatchError::Failed(format!(
                "{} already exists and is not the file of a match: choose another file",
                path.display()
            )),
            _ => cannot_open(path, error),
        })?;
        Ok(Self { path: path.to_owned(), journal, header })
    }

    /// Opens a file to continue its match; none if the match has not started, because
    /// there is no file or no whole line in it.
    pub(crate) fn resume(path: &Path) -> Result<Option<(Self, Contents)>, MatchError> {
        if !path.exists() {
            return Ok(None);
        }
        let opened = Journal::reopen(path, KIND);
        let (journal, lines) = opened.map_err(|error| cannot_open(path, error))?;
        if lines.is_empty() {
            return Ok(None);
        }
        let contents = contents(&lines, path)?;
        let header = Header::line(&contents.config, contents.runs.first());
        Ok(Some((Self { path: path.to_owned(), journal, header }, contents)))
    }

    /// Appends a configuration, for example that of an extended match.
    pub(crate) fn append_config(
        &mut self,
        config: &MatchConfig,
        run: Option<&Run>,
    ) -> Result<(), MatchError> {
        self.header = Header::line(config, run);
        self.append(&self.header.clone())
    }

    /// Appends a finished game; when this returns, it survives a crash.
    ///
    /// # Errors
    /// [`MatchError::Failed`]; the file then ends with the last whole line, as far
    /// as the system allows.
    pub(crate) fn append_game(&mut self, game: &Game) -> Result<(), MatchError> {
        self.append(&json::to_line(game))
    }

    fn append(&mut self, line: &str) -> Result<(), MatchError> {
        if !self.journal.is_in_place() {
            return Err(self.rescue(Some(line)));
        }
        Ok(self.journal.append(line).map_err(AccessError::writing(&self.path))?)
    }

    /// Checks at the end of a match that the games are in its file.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if not; they are then in another file, which the
    /// message names.
    pub(crate) fn verify(&self) -> Result<(), MatchError> {
        if self.journal.is_intact() { Ok(()) } else { Err(self.rescue(None)) }
    }

    /// Writes what is left of the file and one more line into a new file beside it: a
    /// match of many hours must not lose its games because its file was moved.
    fn rescue(&self, more: Option<&str>) -> MatchError {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".rescued-{}", std::process::id()));
        let rescued = PathBuf::from(name);
        let written = self.journal.intact_lines().and_then(|mut lines| {
            if !lines.first().is_some_and(|line| json::is_header(line)) {
                lines.insert(0, with_checksum(&self.header));
            }
            lines.extend(more.map(with_checksum));
            let lines = lines.into_iter().map(|line| line + "\n");
            files::create(&rescued, lines).map_err(|error| error.error)
        });
        let (path, rescued) = (self.path.display(), rescued.display());
        let changed = format!("{path} was removed, moved or changed while the match ran");
        MatchError::Failed(match written {
            Ok(()) => format!("{changed}: the remaining contents are in {rescued}"),
            Err(error) => format!("{changed}, and {rescued} cannot be written: {error}"),
        })
    }
}

fn cannot_open(path: &Path, error: io::Error) -> MatchError {
    match error.kind() {
        ErrorKind::WouldBlock => {
            MatchError::Failed(format!("{} is in use by another match", path.display()))
        }
        ErrorKind::InvalidData => failed(path, &error),
        _ => AccessError::writing(path)(error).into(),
    }
}

impl From<AccessError> for MatchError {
    fn from(error: AccessError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The finished games of a match, by their place in its schedule.
pub type Games = BTreeMap<usize, Game>;

/// Adds games of a file to those of a match. Identical duplicates count once.
///
/// # Errors
/// [`MatchError::Foreign`] for a game of another match, [`MatchError::Failed`]
/// for two different games with one id.
pub fn place(
    games: Vec<Game>,
    schedule: &Schedule,
    path: &Path,
    placed: &mut Games,
) -> Result<(), MatchError> {
    let places = Places::of(schedule);
    for game in games {
        let index = places.find(&game, path)?;
        match placed.get(&index) {
            Some(known) if !is_same(known, &game) => return Err(contradicted(&game, path)),
            Some(_) => {}
            None => drop(placed.insert(index, game)),
        }
    }
    Ok(())
}

/// The places of the games of a schedule, by their ids.
#[derive(Debug)]
pub(super) struct Places(HashMap<String, usize>);

impl Places {
    pub(super) fn of(schedule: &Schedule) -> Self {
        let fixtures = schedule.fixtures.iter();
        Self(fixtures.map(|fixture| (fixture.id.clone(), fixture.index)).collect())
    }

    /// The place of a game of the file at `path`.
    ///
    /// # Errors
    /// [`MatchError::Foreign`] for a game of another match.
    pub(super) fn find(&self, game: &Game, path: &Path) -> Result<usize, MatchError> {
        let id = game.id.as_deref().unwrap_or_default();
        self.0.get(id).copied().ok_or_else(|| {
            let path = path.display();
            MatchError::Foreign(format!("{path}: game {id} does not belong to this match"))
        })
    }
}

/// The error of a game that is recorded twice, and differently.
pub(super) fn contradicted(game: &Game, path: &Path) -> MatchError {
    let (id, path) = (game.id.as_deref().unwrap_or_default(), path.display());
    let fault = "occurs twice with different moves or results";
    MatchError::Failed(format!("{path}: game {id} {fault}"))
}

/// Whether two records are of the same game. Dates and times of moves may
/// differ: two parts may both have played it.
fn is_same(one: &Game, other: &Game) -> bool {
    let [one_ending, other_ending] =
        [one, other].map(|game| game.ending().map(|e| (e.outcome, e.reason, e.margin)));
    one.start() == other.start()
        && one.moves().map(|r#move| r#move.pit).eq(other.moves().map(|r#move| r#move.pit))
        && one_ending == other_ending
}
