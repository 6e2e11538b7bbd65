//! The file of a match: a game is finished when it is in this file.
//!
//! It is a [journal]. The first line holds the configuration and the circumstances of the
//! run, `{"match":{…},"run":{…}}`; every other line is one finished game (see
//! `doc/records.md`). A game counts once its line is synced. If a crash has torn its line,
//! the game is replayed when the match is resumed.

use std::env;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::MatchError;
use crate::config::MatchConfig;
use crate::schedule::{PlacedGames, Schedule};
use crate::standing::GameResult;
use kalah_record::{Game, json};
use kalah_sys::files::{self, AccessError};
use kalah_sys::journal::{self, Journal, JournalKind, Tail, with_checksum};
use kalah_sys::{clock, machine};

#[derive(Serialize, Deserialize)]
struct MatchHeader {
    r#match: MatchConfig,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<MatchRun>,
}

impl MatchHeader {
    fn line(config: &MatchConfig, run: Option<&MatchRun>) -> String {
        let header = Self { r#match: config.clone(), run: run.cloned() };
        serde_json::to_string(&header)
            .unwrap_or_else(|error| unreachable!("strings and numbers: {error}"))
    }
}

/// How a match, or a part of it, was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchRun {
    /// The name and version of the program that ran it.
    pub version: String,
    /// Its command line, quoted as in a shell.
    pub command: String,
    /// The processors and the operating system of the machine.
    pub machine: String,
}

impl MatchRun {
    /// A run by this process.
    pub(crate) fn current() -> Self {
        let mut words = vec!["kalah".to_owned()];
        words.extend(env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()));
        Self {
            version: concat!("kalah ", env!("CARGO_PKG_VERSION")).to_owned(),
            // Only zero bytes cannot be quoted, and process arguments cannot contain any.
            command: shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default(),
            machine: machine::description(),
        }
    }

    /// Whether version and machine agree. The commands are ignored because those of a
    /// match's parts always differ.
    pub fn is_alike(&self, other: &Self) -> bool {
        (&self.version, &self.machine) == (&other.version, &other.machine)
    }
}

const KIND: JournalKind<'_> = JournalKind { begin: r#"{"match":{"#, may_lack_checksums: true };

/// The contents of a match's file.
#[derive(Debug)]
pub struct Contents {
    /// The configuration; the last one if the match was extended.
    pub config: MatchConfig,
    /// Its runs, without repetitions.
    pub runs: Vec<MatchRun>,
    /// The games in the order of the file, which is the order in which they finished.
    pub games: Vec<Game>,
}

/// Reads a match's file, ignoring a torn last line.
///
/// # Errors
/// [`MatchError`] if the file cannot be read or is not the file of a match.
pub fn read(path: &Path) -> Result<Contents, MatchError> {
    let lines = journal::read_kind(path, KIND).map_err(AccessError::reading(path))?;
    contents(&lines, path)
}

fn contents(lines: &[String], path: &Path) -> Result<Contents, MatchError> {
    let mut headers = HeadersRead::default();
    let mut games = Vec::new();
    for (number, line) in (1..).zip(lines) {
        games.extend(headers.game_of(line, number, path)?);
    }
    let HeadersRead { config, runs } = headers;
    Ok(Contents { config: config.ok_or_else(|| without_configuration(path))?, runs, games })
}

pub(super) fn without_configuration(path: &Path) -> MatchError {
    MatchError::in_file(path, "expected a configuration, got none")
}

/// What the headers of a match's file say, of which each extension of the match has appended one.
#[derive(Debug, Default)]
pub(super) struct HeadersRead {
    /// The last configuration.
    pub(super) config: Option<MatchConfig>,
    /// Without repetitions.
    pub(super) runs: Vec<MatchRun>,
}

impl HeadersRead {
    /// Reads line `number`, counted from 1, and returns its game unless it is a header.
    ///
    /// # Errors
    /// [`MatchError`] if it is neither a header nor a finished game.
    pub(super) fn game_of(
        &mut self,
        line: &str,
        number: usize,
        path: &Path,
    ) -> Result<Option<Game>, MatchError> {
        if json::is_header(line) {
            let MatchHeader { r#match, run } = serde_json::from_str(line).map_err(|error| {
                MatchError::in_file(path, format_args!("line {number}: {error}"))
            })?;
            self.config = Some(r#match);
            self.runs.extend(run.filter(|run| !self.runs.contains(run)));
            return Ok(None);
        }
        let game =
            json::from_line(line, number).map_err(|error| MatchError::in_file(path, error))?;
        if game.ending().is_none() {
            let error =
                format!("line {number}: expected a finished game, got one without a result");
            return Err(MatchError::in_file(path, error));
        }
        Ok(Some(game))
    }
}

/// Opens a match's file for reading line by line while it may still grow.
pub(super) fn tail(path: &Path) -> Result<Tail, MatchError> {
    Ok(Tail::open(path, KIND).map_err(AccessError::reading(path))?)
}

/// Whether `path` is a file that begins like that of a match.
pub fn is_match(path: &Path) -> Result<bool, AccessError> {
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
pub struct MatchFile {
    path: PathBuf,
    journal: Journal,
    header: String,
}

impl MatchFile {
    /// Starts a new file with a configuration.
    pub fn create(
        path: &Path,
        config: &MatchConfig,
        run: Option<&MatchRun>,
    ) -> Result<Self, MatchError> {
        let header = MatchHeader::line(config, run);
        let journal = Journal::create(path, KIND, &header).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => MatchError::Exists(path.to_owned()),
            ErrorKind::InvalidData => MatchError::Failed(format!(
                "{} already exists and is not the file of a match: choose another file",
                path.display()
            )),
            _ => cannot_open(path, error),
        })?;
        Ok(Self { path: path.to_owned(), journal, header })
    }

    /// Writes a new file with the games of a match, all at once, and a header for each of its runs,
    /// as in the file of a resumed match.
    pub fn write(
        path: &Path,
        config: &MatchConfig,
        runs: &[MatchRun],
        games: &PlacedGames,
    ) -> Result<(), MatchError> {
        let first = MatchHeader::line(config, runs.first());
        let others = runs.iter().skip(1).map(|run| MatchHeader::line(config, Some(run)));
        let lines = [first].into_iter().chain(others).chain(games.values().map(json::to_line));
        let written = files::create(path, lines.map(|line| with_checksum(&line) + "\n"));
        written.map_err(|error| match error.error.kind() {
            ErrorKind::AlreadyExists => MatchError::Failed(format!(
                "--out: {} already exists: choose another file",
                path.display()
            )),
            _ => error.into(),
        })
    }

    /// Opens a file to continue its match; none if there is no match to continue, because
    /// the file does not exist or has no complete line.
    pub fn resume(path: &Path) -> Result<Option<(Self, Contents)>, MatchError> {
        if !path.exists() {
            return Ok(None);
        }
        let opened = Journal::reopen(path, KIND);
        let (journal, lines) = opened.map_err(|error| cannot_open(path, error))?;
        if lines.is_empty() {
            return Ok(None);
        }
        let contents = contents(&lines, path)?;
        let header = MatchHeader::line(&contents.config, contents.runs.first());
        Ok(Some((Self { path: path.to_owned(), journal, header }, contents)))
    }

    /// Appends a configuration and a run unless the file, with these `contents`, has them already.
    /// Every version and every machine is recorded, because either may affect timed games.
    pub(crate) fn append_changes(
        &mut self,
        contents: &Contents,
        config: &MatchConfig,
        run: &MatchRun,
    ) -> Result<(), MatchError> {
        let is_known = contents.runs.iter().any(|known| known.is_alike(run));
        if contents.config == *config && is_known {
            return Ok(());
        }
        self.append_config(config, Some(run))
    }

    /// Appends a configuration, for example when a match is extended.
    pub fn append_config(
        &mut self,
        config: &MatchConfig,
        run: Option<&MatchRun>,
    ) -> Result<(), MatchError> {
        // Kept for `rescue`, whose file needs the latest configuration.
        self.header = MatchHeader::line(config, run);
        self.append(&self.header.clone())
    }

    /// Appends a finished game; once this returns, the game survives a crash.
    ///
    /// # Errors
    /// [`MatchError`]; the file is then cut back to its last complete line if the
    /// system allows it.
    pub fn append_game(&mut self, game: &Game) -> Result<(), MatchError> {
        self.append(&json::to_line(game))
    }

    fn append(&mut self, line: &str) -> Result<(), MatchError> {
        // On Unix, a removed or replaced file can still be written to, so that its games would
        // vanish when it is closed; the journal refuses that. Its place is checked only after the
        // journal has done so: the file could be removed between two checks, and its games would
        // not be rescued.
        self.journal.append(line).map_err(|error| {
            if self.journal.is_in_place() {
                AccessError::writing(&self.path)(error).into()
            } else {
                self.rescue(Some(line))
            }
        })
    }

    /// Checks at the end of a match that the games are in its file.
    ///
    /// # Errors
    /// [`MatchError`] if they are not. The message names the file to which they
    /// were rescued.
    pub(crate) fn verify(&self) -> Result<(), MatchError> {
        if self.journal.is_intact() { Ok(()) } else { Err(self.rescue(None)) }
    }

    /// Writes the remaining lines of the file and one more line into a new file next to it:
    /// a match of many hours must not lose its games because its file was moved.
    fn rescue(&self, more: Option<&str>) -> MatchError {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".rescued-{}", std::process::id()));
        let rescued = PathBuf::from(name);
        let written = self.journal.intact_lines().and_then(|mut lines| {
            // Without its header, the rescued file could not be resumed.
            match lines.first() {
                Some(line) if json::is_header(line) => {}
                _ => lines.insert(0, with_checksum(&self.header)),
            }
            lines.extend(more.map(with_checksum));
            let lines = lines.into_iter().map(|line| line + "\n");
            files::create(&rescued, lines).map_err(|error| error.error)
        });
        let rescued = rescued.display();
        let outcome = match written {
            Ok(()) => format!(": the remaining contents are in {rescued}"),
            Err(source) => format!(", and {rescued} cannot be written: {source}"),
        };
        let path = self.path.display();
        let fault = format!("{path} was removed, moved or changed while the match ran{outcome}");
        MatchError::Failed(fault)
    }
}

fn cannot_open(path: &Path, source: io::Error) -> MatchError {
    match source.kind() {
        ErrorKind::WouldBlock => {
            MatchError::Failed(format!("{} is in use by another match", path.display()))
        }
        ErrorKind::InvalidData => MatchError::in_file(path, source),
        _ => AccessError::writing(path)(source).into(),
    }
}

/// A name for the file of a match that has none, which no file has yet.
pub fn unused_name() -> PathBuf {
    // Colons are not allowed in file names on Windows.
    let time = clock::now().replace([':', '-'], "");
    let names = (1..).map(|number| match number {
        1 => format!("match-{time}.jsonl"),
        _ => format!("match-{time}-{number}.jsonl"),
    });
    let mut paths = names.map(PathBuf::from);
    paths.find(|path| !path.exists()).expect("endless names")
}

/// Adds the games of a file to those of a match. Identical duplicates count once.
///
/// # Errors
/// [`MatchError::Foreign`] for a game of a different match,
/// [`MatchError::Failed`] for two different games with the same id.
pub fn place(
    games: Vec<Game>,
    schedule: &Schedule,
    path: &Path,
    placed: &mut PlacedGames,
) -> Result<(), MatchError> {
    for game in games {
        let index = schedule.place_of(&game, path)?;
        match placed.get(&index) {
            Some(known) if !is_same(known, &game) => return Err(contradicted(&game, path)),
            // Several parts of a match may have played the game; it counts once.
            Some(_) => {}
            None => drop(placed.insert(index, game)),
        }
    }
    Ok(())
}

/// The error for a game that has two different records.
pub(super) fn contradicted(game: &Game, path: &Path) -> MatchError {
    let id = game.id.as_deref().unwrap_or_default();
    let error = format!("game {id} occurs twice with different moves or results");
    MatchError::in_file(path, error)
}

/// Whether course and result agree.
fn is_same(one: &Game, other: &Game) -> bool {
    let results = [one, other].map(GameResult::from_game);
    matches!(&results, [Some(one), Some(other)] if one.is_same_game(other))
}
