//! The file of a match: exactly the games in it are finished.
//!
//! The first line is the configuration, `{"match":{…}}`; every other line is
//! one finished game (see `doc/records.md`). A line is synced before the game
//! counts. The file may end in a torn line if the machine or the process died
//! while writing it: that game is not finished, and its part of a line is cut
//! off when the match is resumed.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::MatchError;
use super::config::MatchConfig;
use super::schedule::Schedule;
use crate::record::{Game, json};

#[derive(Serialize, Deserialize)]
struct Header {
    r#match: MatchConfig,
}

/// The contents of a match's file.
#[derive(Debug)]
pub struct Contents {
    /// The configuration; if it was extended, the last one.
    pub config: MatchConfig,
    /// The games in the order of the file.
    pub games: Vec<Game>,
    /// Bytes of whole lines.
    length: u64,
}

/// Reads a match's file. A torn line at its end is left out.
///
/// # Errors
/// [`MatchError::Failed`] if it cannot be read or holds anything else.
pub fn read(path: &Path) -> Result<Contents, MatchError> {
    let mut file = File::open(path).map_err(io_error("open", path))?;
    check_is_file(&file, path)?;
    contents(&mut file, path)
}

/// Devices are refused: they would give or take bytes for ever.
fn check_is_file(file: &File, path: &Path) -> Result<(), MatchError> {
    let metadata = file.metadata().map_err(io_error("open", path))?;
    match metadata.is_file() {
        true => Ok(()),
        false => {
            Err(MatchError::Failed(format!("expected a regular file, got {}", path.display())))
        }
    }
}

fn contents(file: &mut File, path: &Path) -> Result<Contents, MatchError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(io_error("read", path))?;
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&bytes[..length]);
    let wrong = |error: &dyn Display| MatchError::Failed(format!("{}: {error}", path.display()));
    let no_config = |got: &dyn Display| {
        wrong(&format_args!("expected a match's configuration in the first line, got {got}"))
    };
    let mut config = None;
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // A match that was extended has a configuration for each time.
        if index == 0 || json::is_header(line) {
            let header: Header = serde_json::from_str(line).map_err(|error| no_config(&error))?;
            config = Some(header.r#match);
        } else {
            games.push(json::from_line(line, index + 1).map_err(|error| wrong(&error))?);
        }
    }
    let config = config.ok_or_else(|| no_config(&"no whole line"))?;
    Ok(Contents { config, games, length: length as u64 })
}

/// A match's file, open for writing and locked.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
}

impl Ledger {
    /// Begins a new file with a configuration.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if the file exists or cannot be written.
    pub(crate) fn create(path: &Path, config: &MatchConfig) -> Result<Self, MatchError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => MatchError::Failed(format!(
                "{} already exists: choose another file, or go on with --resume",
                path.display()
            )),
            _ => io_error("create", path)(error),
        })?;
        let mut ledger = Self { path: path.to_owned(), file, length: 0 };
        ledger.lock()?;
        let begun = ledger.append_config(config);
        sync_name(path);
        if begun.is_err() {
            // An empty file would make the next attempt fail.
            let _ = std::fs::remove_file(path);
        }
        begun.map(|()| ledger)
    }

    /// Opens a file to go on with; a torn line at its end is cut off.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if it cannot be read and written, or is no match's.
    pub(crate) fn resume(path: &Path) -> Result<(Self, Contents), MatchError> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.map_err(io_error("open", path))?;
        check_is_file(&file, path)?;
        let mut ledger = Self { path: path.to_owned(), file, length: 0 };
        ledger.lock()?;
        let contents = contents(&mut ledger.file, path)?;
        ledger.length = contents.length;
        ledger.cut().map_err(io_error("write", path))?;
        Ok((ledger, contents))
    }

    fn lock(&self) -> Result<(), MatchError> {
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            // Some network file systems have no locks: matches run there without.
            let locked = flock(&self.file, FlockOperation::NonBlockingLockExclusive);
            if locked == Err(rustix::io::Errno::WOULDBLOCK) {
                return Err(MatchError::Failed(format!(
                    "{} is in use by another match",
                    self.path.display()
                )));
            }
        }
        Ok(())
    }

    /// Writes a configuration, for example of a match that is extended.
    ///
    /// # Errors
    /// [`MatchError::Failed`].
    pub(crate) fn append_config(&mut self, config: &MatchConfig) -> Result<(), MatchError> {
        let header = serde_json::to_string(&Header { r#match: config.clone() });
        self.append(&header.unwrap_or_else(|error| unreachable!("strings and numbers: {error}")))
    }

    /// Writes a finished game; when this returns, it survives a crash.
    ///
    /// # Errors
    /// [`MatchError::Failed`]; the file then ends with the last whole line, as far
    /// as the system allows.
    pub(crate) fn append_game(&mut self, game: &Game) -> Result<(), MatchError> {
        self.append(&json::to_line(game))
    }

    fn append(&mut self, line: &str) -> Result<(), MatchError> {
        // One write for the line and its end, so that a line without an end is
        // always a torn one. Data alone is synced: that includes the length of
        // the file, and its times do not matter.
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // If this fails too, the next resume cuts the torn line off.
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

/// Syncs the directory of a new file: without that a crash may lose the name,
/// though the contents are synced. Not all systems can open directories.
fn sync_name(path: &Path) {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Ok(directory) = File::open(directory.unwrap_or(Path::new("."))) {
        // The file itself is synced; a system that refuses this has no better.
        let _ = directory.sync_all();
    }
}

fn io_error(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MatchError {
    move |error| MatchError::Failed(format!("cannot {what} {}: {error}", path.display()))
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
    let places: HashMap<&str, usize> =
        schedule.fixtures.iter().map(|fixture| (fixture.id.as_str(), fixture.index)).collect();
    let path = path.display();
    for game in games {
        let id = game.id.as_deref().unwrap_or_default();
        let Some(&index) = places.get(id) else {
            return Err(MatchError::Foreign(format!(
                "{path}: game {id} does not belong to this match"
            )));
        };
        match placed.get(&index) {
            Some(known) if !is_same(known, &game) => {
                return Err(MatchError::Failed(format!(
                    "{path}: game {id} is there twice and differs"
                )));
            }
            Some(_) => {}
            None => drop(placed.insert(index, game)),
        }
    }
    Ok(())
}

/// Whether two records are of the same game. Dates and times of moves may
/// differ: two shards may both have played it.
fn is_same(one: &Game, other: &Game) -> bool {
    let ending = |game: &Game| game.ending().map(|e| (e.outcome, e.reason, e.margin));
    let pits = |game: &Game| game.moves().map(|r#move| r#move.pit).collect::<Vec<_>>();
    one.start() == other.start() && pits(one) == pits(other) && ending(one) == ending(other)
}
