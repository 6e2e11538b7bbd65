//! The file of a match: exactly the games in it are finished.
//!
//! The first line is the configuration and by what the match was run,
//! `{"match":{…},"run":{…}}`; every other line is one finished game (see
//! `doc/records.md`). A line ends with its checksum and is
//! synced before the game counts. The file may end in a torn line if the machine
//! or the process died while writing it: that game is not finished, and its part
//! of a line is cut off when the match is resumed.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::MatchError;
use super::config::MatchConfig;
use super::schedule::Schedule;
use crate::record::{Game, json};
use crate::sys::files::{self, ReadError, WriteError};

#[derive(Serialize, Deserialize)]
struct Header {
    r#match: MatchConfig,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<Run>,
}

/// By what a match, or a part of it, was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The version of this program.
    pub(crate) version: String,
    /// The command line that began it.
    pub(crate) command: String,
    /// The processors and the operating system that the match ran on.
    pub(crate) machine: String,
}

impl Run {
    /// Whether both were on such a machine with the same version; commands differ
    /// between the parts of a match.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        (&self.version, &self.machine) == (&other.version, &other.machine)
    }
}

/// How a configuration's line begins.
const HEADER_BEGIN: &[u8] = br#"{"match":{"#;
/// Bytes of a file without a whole line that could be a torn configuration.
const MAX_TORN: u64 = 1 << 24;

/// The contents of a match's file.
#[derive(Debug)]
pub struct Contents {
    /// The configuration; if it was extended, the last one.
    pub config: MatchConfig,
    /// By what it was run, one for each time that differs.
    pub(crate) runs: Vec<Run>,
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
    contents(&mut files::open(path)?, path)
}

fn contents(file: &mut File, path: &Path) -> Result<Contents, MatchError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(ReadError::of(path))?;
    let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let wrong = |error: &dyn Display| MatchError::Failed(format!("{}: {error}", path.display()));
    let text = std::str::from_utf8(&bytes[..length]).map_err(|error| wrong(&error))?;
    let no_config = |got: &dyn Display| {
        wrong(&format_args!("expected a match's configuration in the first line, got {got}"))
    };
    let mut config = None;
    let mut runs = Vec::new();
    let mut games = Vec::new();
    let mut has_checksums = false;
    for (index, line) in text.lines().enumerate() {
        let at = |error: &dyn Display| wrong(&format_args!("line {}: {error}", index + 1));
        // Files of earlier versions have none, unless they were resumed.
        let is_checked = json::has_checksum(line).map_err(|error| at(&error))?;
        if has_checksums && !is_checked {
            return Err(at(&"expected a checksum at the end"));
        }
        has_checksums = is_checked;
        // A match that was extended has a configuration for each time.
        if index == 0 || json::is_header(line) {
            let header: Header = serde_json::from_str(line).map_err(|error| no_config(&error))?;
            config = Some(header.r#match);
            runs.extend(header.run);
        } else {
            let game = json::from_line(line, index + 1).map_err(|error| wrong(&error))?;
            if game.ending().is_none() {
                return Err(at(&"expected a finished game, got one without a result"));
            }
            games.push(game);
        }
    }
    let config = config.ok_or_else(|| no_config(&"no whole line"))?;
    Ok(Contents { config, runs, games, length: length as u64 })
}

/// Whether a file has a whole line: without one, its match has not begun. A file
/// that cannot be read is taken to have one.
pub(crate) fn has_begun(path: &Path) -> bool {
    let first_line = || {
        let file = files::open(path).ok()?;
        let mut line = Vec::new();
        BufReader::new(file).read_until(b'\n', &mut line).ok()?;
        Some(line)
    };
    path.exists() && first_line().is_none_or(|line| line.ends_with(b"\n"))
}

/// A match's file, open for writing and locked.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
    /// The line of the configuration.
    header: String,
}

impl Ledger {
    /// Begins a new file with a configuration. A file that a process left while
    /// it began a match is taken for a new one.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if the file exists or cannot be written.
    pub(crate) fn create(
        path: &Path,
        config: &MatchConfig,
        run: Option<&Run>,
    ) -> Result<Self, MatchError> {
        let is_new = !path.exists();
        if !is_new {
            files::open(path)?;
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.map_err(WriteError::of(path))?;
        let header = header(config, run);
        let mut ledger = Self { path: path.to_owned(), file, length: 0, header };
        ledger.lock()?;
        let mut begun = Vec::new();
        let read = (&ledger.file).take(MAX_TORN).read_to_end(&mut begun);
        read.map_err(ReadError::of(path))?;
        let is_header = begun.starts_with(HEADER_BEGIN) || HEADER_BEGIN.starts_with(&begun);
        if !is_header || begun.contains(&b'\n') || begun.len() as u64 == MAX_TORN {
            return Err(MatchError::Failed(format!(
                "{} already exists: choose another file, or go on with --resume",
                path.display()
            )));
        }
        let header = ledger.header.clone();
        let begun = ledger.cut().map_err(|error| WriteError::of(path)(error).into());
        let begun = begun.and_then(|()| ledger.append(&header));
        sync_name(path);
        if begun.is_err() && is_new {
            let _ = std::fs::remove_file(path);
        }
        begun.map(|()| ledger)
    }

    /// Opens a file to go on with; a torn line at its end is cut off.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if it cannot be read and written, or is no match's.
    pub(crate) fn resume(path: &Path) -> Result<(Self, Contents), MatchError> {
        files::open(path)?;
        let file = OpenOptions::new().read(true).append(true).open(path);
        let file = file.map_err(WriteError::of(path))?;
        let mut ledger = Self { path: path.to_owned(), file, length: 0, header: String::new() };
        ledger.lock()?;
        let contents = contents(&mut ledger.file, path)?;
        ledger.length = contents.length;
        ledger.header = header(&contents.config, contents.runs.first());
        ledger.cut().map_err(WriteError::of(path))?;
        Ok((ledger, contents))
    }

    fn lock(&self) -> Result<(), MatchError> {
        let in_use = |_| format!("{} is in use by another match", self.path.display());
        files::lock(&self.file).map_err(in_use).map_err(MatchError::Failed)
    }

    /// Writes a configuration, for example of a match that is extended.
    ///
    /// # Errors
    /// [`MatchError::Failed`].
    pub(crate) fn append_config(
        &mut self,
        config: &MatchConfig,
        run: Option<&Run>,
    ) -> Result<(), MatchError> {
        self.header = header(config, run);
        self.append(&self.header.clone())
    }

    /// Writes a finished game; when this returns, it survives a crash.
    ///
    /// # Errors
    /// [`MatchError::Failed`]; the file then ends with the last whole line, as far
    /// as the system allows.
    pub(crate) fn append_game(&mut self, game: &Game) -> Result<(), MatchError> {
        self.append(&json::with_checksum(&json::to_line(game)))
    }

    /// Checks at the end of a match that the games are in its file.
    ///
    /// # Errors
    /// [`MatchError::Failed`] if not; they are then in another file, which the
    /// message names.
    pub(crate) fn verify(&self) -> Result<(), MatchError> {
        let bytes = self.whole_lines().map(|lines| lines.iter().map(Vec::len).sum::<usize>());
        let is_whole = bytes.is_ok_and(|bytes| bytes as u64 == self.length);
        if is_whole && self.is_in_place() { Ok(()) } else { Err(self.rescue("")) }
    }

    fn append(&mut self, line: &str) -> Result<(), MatchError> {
        if !self.is_in_place() {
            return Err(self.rescue(&format!("{line}\n")));
        }
        // One write for the line and its end, so that a line without an end is
        // always a torn one. Data alone is synced: that includes the length of
        // the file, and its times do not matter.
        let line = format!("{line}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // If this fails too, the next resume cuts the torn line off.
            let _ = self.cut();
            return Err(WriteError::of(&self.path)(error).into());
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Ends the file after its last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)
    }

    /// Whether the path still leads to the file that was opened, and that has the
    /// length of the lines that were written.
    fn is_in_place(&self) -> bool {
        files::is_in_place(&self.file, &self.path)
            && self.file.metadata().is_ok_and(|opened| opened.len() == self.length)
    }

    /// The lines of the file that are whole and as they were written.
    fn whole_lines(&self) -> io::Result<Vec<Vec<u8>>> {
        (&self.file).seek(SeekFrom::Start(0))?;
        let mut file = BufReader::new((&self.file).take(self.length));
        let (mut lines, mut line) = (Vec::new(), Vec::new());
        let mut has_checksums = false;
        while file.read_until(b'\n', &mut line)? > 0 {
            let line = std::mem::take(&mut line);
            let text = line.strip_suffix(b"\n").and_then(|line| str::from_utf8(line).ok());
            let is_checked = text.and_then(|line| json::has_checksum(line).ok());
            has_checksums |= is_checked == Some(true);
            if is_checked == Some(has_checksums) {
                lines.push(line);
            }
        }
        Ok(lines)
    }

    /// Writes what is known of the file into a new one beside it: what is left of
    /// it, and `more`.
    fn rescue(&self, more: &str) -> MatchError {
        let mut name = self.path.as_os_str().to_owned();
        name.push(format!(".rescued-{}", std::process::id()));
        let rescued = PathBuf::from(name);
        let written = self.whole_lines().and_then(|lines| {
            let mut file = File::create_new(&rescued)?;
            if !lines.first().is_some_and(|line| line.starts_with(HEADER_BEGIN)) {
                writeln!(file, "{}", self.header)?;
            }
            file.write_all(&lines.concat())?;
            file.write_all(more.as_bytes())?;
            file.sync_all()
        });
        let path = self.path.display();
        let changed = format!("{path} was removed, moved or changed while the match ran");
        MatchError::Failed(match written {
            Ok(()) => format!("{changed}: what is left of it is in {}", rescued.display()),
            Err(error) => {
                format!("{changed}, and {} cannot be written: {error}", rescued.display())
            }
        })
    }
}

/// The line of a configuration.
fn header(config: &MatchConfig, run: Option<&Run>) -> String {
    let header = Header { r#match: config.clone(), run: run.cloned() };
    let header = serde_json::to_string(&header);
    let header = header.unwrap_or_else(|error| unreachable!("strings and numbers: {error}"));
    json::with_checksum(&header)
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

impl From<ReadError> for MatchError {
    fn from(error: ReadError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<WriteError> for MatchError {
    fn from(error: WriteError) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::PlayerConfig;
    use crate::arena::opening;
    use crate::game::{Position, Rules, Side};
    use crate::record::{Ending, Move, Reason};

    fn config() -> MatchConfig {
        let start = Position::start(Rules::default());
        let player = |name| PlayerConfig::parse(&format!("random name={name}"), "").unwrap();
        MatchConfig {
            players: ["a", "b"].map(player).to_vec(),
            rounds: 1,
            openings: opening::random(start, 2, 1, 1),
            ..MatchConfig::default()
        }
    }

    fn game(id: &str) -> Game {
        let mut game = Game::new(Position::start(Rules::default()), Default::default());
        game.id = Some(id.to_owned());
        let pit = game.position().moves().nearest().unwrap();
        game.play(Move::new(pit)).unwrap();
        game.finish(Ending::lost_by(Side::North, Reason::Time, None)).unwrap();
        game
    }

    /// A file with two games, in a new directory.
    fn begun() -> (tempfile::TempDir, PathBuf, Ledger) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.jsonl");
        let mut ledger = Ledger::create(&path, &config(), None).unwrap();
        for id in ["one", "two"] {
            ledger.append_game(&game(id)).unwrap();
        }
        (directory, path, ledger)
    }

    /// The games in the file that an error names.
    fn rescued(error: &MatchError) -> usize {
        let message = error.to_string();
        let path = message.rsplit_once(" is in ").expect("a file is named").1;
        read(Path::new(path)).unwrap().games.len()
    }

    #[test]
    fn a_bit_that_was_flipped_is_found() {
        let (_directory, path, ledger) = begun();
        drop(ledger);
        let bytes = std::fs::read(&path).unwrap();
        let games = read(&path).unwrap().games;
        let header = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        // Without its end the last line is a torn one.
        for index in header..bytes.len() - 1 {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[index] ^= 1 << bit;
                std::fs::write(&path, &changed).unwrap();
                assert!(read(&path).is_err(), "bit {bit} of byte {index}");
            }
        }
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path).unwrap().games, games);
    }

    #[test]
    fn lines_without_checksums_are_read_where_all_have_none() {
        let (_directory, path, ledger) = begun();
        drop(ledger);
        let text = std::fs::read_to_string(&path).unwrap();
        let old: String = text
            .lines()
            .map(|line| line.rsplit_once(r#","check":""#).unwrap().0.to_owned() + "}\n")
            .collect();
        std::fs::write(&path, &old).unwrap();
        let (mut ledger, contents) = Ledger::resume(&path).unwrap();
        assert_eq!(contents.games.len(), 2);
        ledger.append_game(&game("three")).unwrap();
        assert_eq!(read(&path).unwrap().games.len(), 3);
        std::fs::write(&path, format!("{text}{}", old.lines().last().unwrap().to_owned() + "\n"))
            .unwrap();
        assert!(read(&path).unwrap_err().to_string().ends_with("expected a checksum at the end"));
    }

    #[test]
    fn a_file_that_was_removed_moved_or_changed_is_an_error_and_its_games_are_kept() {
        let (_directory, path, mut ledger) = begun();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(rescued(&ledger.append_game(&game("three")).unwrap_err()), 3);

        let (directory, path, ledger) = begun();
        std::fs::rename(&path, directory.path().join("y.jsonl")).unwrap();
        assert_eq!(rescued(&ledger.verify().unwrap_err()), 2);

        let (_directory, path, mut ledger) = begun();
        std::fs::write(&path, "").unwrap();
        assert_eq!(rescued(&ledger.append_game(&game("three")).unwrap_err()), 1);

        // What is left of it is kept: here all but the last line.
        let (_directory, path, mut ledger) = begun();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(ledger.length - 9).unwrap();
        assert_eq!(rescued(&ledger.append_game(&game("three")).unwrap_err()), 2);

        let (_directory, path, ledger) = begun();
        let mut bytes = std::fs::read(&path).unwrap();
        let at = bytes.len() - 9;
        bytes[at] ^= 1;
        OpenOptions::new().write(true).open(&path).unwrap().write_all(&bytes).unwrap();
        assert_eq!(rescued(&ledger.verify().unwrap_err()), 1);

        let (_directory, path, ledger) = begun();
        ledger.verify().unwrap();
        assert_eq!(read(&path).unwrap().games.len(), 2);
    }

    #[test]
    fn a_file_without_a_whole_line_is_new_and_one_of_another_kind_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.jsonl");
        let header = header(&config(), None);
        let other = r#"{"match":{"players":[{"name":"of another match"#;
        for begun in ["", &header[..1], &header[..40], &header, other] {
            std::fs::write(&path, begun).unwrap();
            assert!(!has_begun(&path));
            drop(Ledger::create(&path, &config(), None).unwrap());
            assert_eq!(read(&path).unwrap().games.len(), 0, "{begun}");
            assert!(has_begun(&path));
            Ledger::create(&path, &config(), None).unwrap_err();
        }
        std::fs::write(&path, "my notes").unwrap();
        Ledger::create(&path, &config(), None).unwrap_err();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes");
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_let_go_within_a_second_is_waited_for() {
        let (_directory, path, ledger) = begun();
        let holder = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            drop(ledger);
        });
        Ledger::resume(&path).unwrap();
        holder.join().unwrap();
    }
}
