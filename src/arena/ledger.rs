//! The file of a match: what is written there has happened, nothing else has.
//!
//! The first line is the configuration, `{"match":{…}}`; every other line is
//! one finished game (see `doc/records.md`). A line is written at once and
//! synced before the game counts. A file may end in a part of a line if the
//! machine or the process died while writing it: that game is not finished and
//! is cut off when the match is resumed.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::schedule::{Config, ConfigError, Schedule};
use crate::record::{Game, RecordError, json};

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// The system refuses.
    #[error("cannot {what} {}: {error}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// It must not be overwritten.
    #[error("{} is there already: choose another file, or go on with --resume", .0.display())]
    Exists(PathBuf),
    /// Another match is writing.
    #[error("{} is in use by another match", .0.display())]
    InUse(PathBuf),
    /// It cannot be appended to and read.
    #[error("expected a file that keeps what is written, got {}", .0.display())]
    NoFile(PathBuf),
    /// It does not begin with a configuration.
    #[error("{}: expected a match's configuration in the first line, got {got}", path.display())]
    NoConfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with the line.
        got: String,
    },
    /// A line is no game.
    #[error("{}: {error}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: RecordError,
    },
    /// The match in the file cannot be.
    #[error("{}: {error}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ConfigError,
    },
    /// A game is of another match.
    #[error("{}: game {id} does not belong to this match", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The game.
        id: String,
    },
    /// Two games have one id.
    #[error("{}: game {id} is there twice and differs", path.display())]
    Conflict {
        /// The file in which the second was found.
        path: PathBuf,
        /// The game.
        id: String,
    },
}

#[derive(Serialize, Deserialize)]
struct Header {
    r#match: Config,
}

/// What a file holds.
#[derive(Debug)]
pub struct Contents {
    /// The configuration; if it was extended, the last one.
    pub config: Config,
    /// The games in the order of the file.
    pub games: Vec<Game>,
    /// Bytes of whole lines.
    length: u64,
}

/// Reads a match's file. A part of a line at its end is left out.
///
/// # Errors
/// [`LedgerError`] if it cannot be read or holds anything else.
pub fn read(path: &Path) -> Result<Contents, LedgerError> {
    let mut file = File::open(path).map_err(io_error("open", path))?;
    ensure_it_keeps(&file, path)?;
    contents(&mut file, path)
}

/// A device would give or take bytes for ever.
fn ensure_it_keeps(file: &File, path: &Path) -> Result<(), LedgerError> {
    let metadata = file.metadata().map_err(io_error("look at", path))?;
    if metadata.is_file() { Ok(()) } else { Err(LedgerError::NoFile(path.to_owned())) }
}

fn contents(file: &mut File, path: &Path) -> Result<Contents, LedgerError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(io_error("read", path))?;
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&bytes[..length]);
    let mut config = None;
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if index == 0 || line.starts_with(r#"{"match":"#) {
            let header: Header = serde_json::from_str(line).map_err(|error| {
                LedgerError::NoConfig { path: path.to_owned(), got: error.to_string() }
            })?;
            config = Some(header.r#match);
            continue;
        }
        let game = json::from_line(line, index + 1);
        games.push(game.map_err(|error| LedgerError::Record { path: path.to_owned(), error })?);
    }
    let config = config.ok_or_else(|| LedgerError::NoConfig {
        path: path.to_owned(),
        got: "no whole line".to_owned(),
    })?;
    Ok(Contents { config, games, length: length as u64 })
}

/// A match's file, open for writing; nobody else writes to it.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
}

impl Ledger {
    /// Begins a new file with a configuration.
    ///
    /// # Errors
    /// [`LedgerError`] if the file exists or cannot be written.
    pub fn create(path: &Path, config: &Config) -> Result<Self, LedgerError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LedgerError::Exists(path.to_owned()),
            _ => io_error("create", path)(error),
        })?;
        let mut ledger = Self { path: path.to_owned(), file, length: 0 };
        ledger.lock()?;
        let begun = ledger.append_config(config);
        sync_name(path);
        if begun.is_err() {
            // An empty file would stand in the way of the next attempt.
            let _ = std::fs::remove_file(path);
        }
        begun.map(|()| ledger)
    }

    /// Opens a file to go on with; a part of a line at its end is cut off.
    ///
    /// # Errors
    /// [`LedgerError`] if it cannot be read and written, or is no match's.
    pub fn resume(path: &Path) -> Result<(Self, Contents), LedgerError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(io_error("open", path))?;
        ensure_it_keeps(&file, path)?;
        let mut ledger = Self { path: path.to_owned(), file, length: 0 };
        ledger.lock()?;
        let contents = contents(&mut ledger.file, path)?;
        ledger.length = contents.length;
        ledger.cut().map_err(io_error("write", path))?;
        Ok((ledger, contents))
    }

    fn lock(&self) -> Result<(), LedgerError> {
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            // A file system without locks must do without.
            let locked = flock(&self.file, FlockOperation::NonBlockingLockExclusive);
            if locked == Err(rustix::io::Errno::WOULDBLOCK) {
                return Err(LedgerError::InUse(self.path.clone()));
            }
        }
        Ok(())
    }

    /// Writes a configuration, of a match that is made longer for example.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn append_config(&mut self, config: &Config) -> Result<(), LedgerError> {
        let header = serde_json::to_string(&Header { r#match: config.clone() });
        self.append(&header.unwrap_or_else(|error| unreachable!("strings and numbers: {error}")))
    }

    /// Writes a finished game; when this returns, it is safe.
    ///
    /// # Errors
    /// [`LedgerError::Io`]; the file then ends with the last whole line, as far
    /// as the system allows.
    pub fn append_game(&mut self, game: &Game) -> Result<(), LedgerError> {
        self.append(&json::to_line(game))
    }

    fn append(&mut self, line: &str) -> Result<(), LedgerError> {
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Should this fail too, the next resume cuts the rest off.
            let _ = self.cut();
            return Err(io_error("write", &self.path)(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Ends the file after its last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }
}

/// Makes the name of a new file as safe as what is in it, where the system can
/// sync directories.
fn sync_name(path: &Path) {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Ok(directory) = File::open(directory.unwrap_or(Path::new("."))) {
        // The file itself is there and synced; more cannot be asked for.
        let _ = directory.sync_all();
    }
}

fn io_error(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LedgerError {
    move |error| LedgerError::Io { what, path: path.to_owned(), error }
}

/// The finished games of a match, by their place in its list.
pub type Results = BTreeMap<usize, Game>;

/// Finds the places of games in a match's list. Identical duplicates count
/// once.
///
/// # Errors
/// [`LedgerError::Foreign`] for a game of another match,
/// [`LedgerError::Conflict`] for two games that should be one.
pub fn place(
    games: Vec<Game>,
    schedule: &Schedule,
    path: &Path,
    results: &mut Results,
) -> Result<(), LedgerError> {
    let places: HashMap<&str, usize> =
        schedule.fixtures.iter().map(|fixture| (fixture.id.as_str(), fixture.index)).collect();
    for game in games {
        let id = game.id.clone().unwrap_or_default();
        let Some(&index) = places.get(id.as_str()) else {
            return Err(LedgerError::Foreign { path: path.to_owned(), id });
        };
        match results.get(&index) {
            Some(known) if !is_same(known, &game) => {
                return Err(LedgerError::Conflict { path: path.to_owned(), id });
            }
            Some(_) => {}
            None => {
                results.insert(index, game);
            }
        }
    }
    Ok(())
}

/// Whether two records tell the same game; when and how fast it was played may
/// differ.
fn is_same(one: &Game, other: &Game) -> bool {
    let pits = |game: &Game| game.moves().map(|r#move| r#move.pit).collect::<Vec<_>>();
    let ending = |game: &Game| game.ending().map(|e| (e.outcome, e.reason, e.margin));
    one.start() == other.start() && pits(one) == pits(other) && ending(one) == ending(other)
}
