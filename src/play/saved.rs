//! Games in files: saved after every step, loaded, resumed.
//!
//! A file is a `.kgn` record with an additional tag for the seats. Games of other
//! programs can be loaded as well.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::seat::Seat;
use crate::game::Side;
use crate::record::{self, Ending, Game, Player, RecordError, Variation, kgn};
use crate::sys::clock::now;
use crate::sys::files::{self, WriteError};

/// Error when a game is saved or loaded.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("there is a file {} already; choose another name", .0.display())]
    Exists(PathBuf),
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, io::Error),
    #[error("in {}, {}", .0.display(), .1)]
    Damaged(PathBuf, RecordError),
    #[error("expected a game from 1 to {games} of {}, got {number}", path.display())]
    NoSuchGame { path: PathBuf, games: usize, number: usize },
    #[error("there is no unfinished game in {}", .0.display())]
    NothingToResume(PathBuf),
    #[error("no folder for games: set HOME or XDG_STATE_HOME, or use --games DIR")]
    NoFolder,
}

/// A game of a file.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) record: Game,
    /// The place of the game in its file, from 1.
    pub(crate) number: usize,
    /// Games in the file.
    pub(crate) count: usize,
}

/// The tag for who plays South and North.
const SEATS: &str = "Seats";

/// Sets the players of `record`; `seats` and `names` are South's and North's.
pub(crate) fn set_players(record: &mut Game, seats: [Seat; 2], names: &[String; 2]) {
    record.players = Side::BOTH.map(|side| {
        let seat = seats[side.index()];
        let limit = (!seat.is_person()).then(|| seat.to_string());
        Player { limit, ..Player::named(&names[side.index()]) }
    });
    record.tags.insert(SEATS.to_owned(), seats.map(|seat| seat.to_string()).join(", "));
}

/// South's and North's players, if this program wrote the record.
pub(crate) fn seats_of(record: &Game) -> Option<[Seat; 2]> {
    let (south, north) = record.tags.get(SEATS)?.split_once(", ")?;
    Some([south.parse().ok()?, north.parse().ok()?])
}

/// Loads a game; `name` may end with `#2` for the second game of the file.
///
/// # Errors
/// [`FileError`] if the file cannot be read or has no such game.
pub(crate) fn load(name: &str) -> Result<Loaded, FileError> {
    let name = expand_home(name);
    let (path, number) = files::numbered(&name);
    load_numbered(path, number.unwrap_or(1))
}

fn load_numbered(path: &Path, number: usize) -> Result<Loaded, FileError> {
    let text = read_text(path).map_err(|error| FileError::Read(path.to_owned(), error))?;
    let (_, mut records) =
        record::read(&text).map_err(|error| FileError::Damaged(path.to_owned(), error))?;
    let count = records.len();
    if !(1..=count).contains(&number) {
        return Err(FileError::NoSuchGame { path: path.to_owned(), games: count, number });
    }
    Ok(Loaded { record: records.swap_remove(number - 1), number, count })
}

fn read_text(path: &Path) -> io::Result<String> {
    const LARGEST_BYTES: u64 = 64 << 20;
    let mut text = String::new();
    files::open(path)?.take(LARGEST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// The folder for saved games if none is given.
///
/// # Errors
/// [`FileError::NoFolder`] if the environment names none.
pub(crate) fn folder() -> Result<PathBuf, FileError> {
    let from = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("XDG_STATE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".local/state")))
        .or_else(|| from("LOCALAPPDATA"))
        .map(|state| state.join("kalah/games"))
        .ok_or(FileError::NoFolder)
}

/// Where games are saved while they are played, each in a separate file.
#[derive(Clone, Debug)]
pub(crate) struct SavedGames {
    /// None if games are not saved, except for copies.
    folder: Option<PathBuf>,
    /// The file of the current game, once it was saved.
    file: Option<PathBuf>,
    /// The game in that file, if it is finished: it stays as it is.
    finished: Option<(Variation, Ending)>,
    /// Files of the player's choice, which may be overwritten.
    copies: Vec<PathBuf>,
}

impl SavedGames {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, file: None, finished: None, copies: Vec::new() }
    }

    /// Loads the game that was played last and not finished, and goes on saving
    /// it in its file.
    ///
    /// # Errors
    /// [`FileError::NothingToResume`] if there is none. A damaged file is an error
    /// only if no other game can be resumed.
    pub(crate) fn resume(&mut self) -> Result<Loaded, FileError> {
        let folder = self.folder.as_ref().ok_or(FileError::NoFolder)?;
        let changed = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            let path = entry.path();
            let changed = entry.metadata().ok()?.modified().ok()?;
            (path.extension()? == "kgn").then_some((changed, path))
        };
        let mut files: Vec<_> =
            fs::read_dir(folder).into_iter().flatten().filter_map(changed).collect();
        files.sort();
        let mut damage = None;
        for (_, path) in files.into_iter().rev() {
            match load_numbered(&path, 1) {
                Ok(loaded) if loaded.record.ending().is_none() => {
                    self.file = Some(path);
                    return Ok(loaded);
                }
                Ok(_) => {}
                Err(error) => damage = damage.or(Some(error)),
            }
        }
        Err(damage.unwrap_or_else(|| FileError::NothingToResume(folder.clone())))
    }

    /// The next game gets a new file.
    pub(crate) fn begin_game(&mut self) {
        self.file = None;
        self.finished = None;
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// What resumes the game in [`SavedGames::file`].
    pub(crate) fn resume_command(&self) -> String {
        match &self.folder {
            Some(given) if folder().ok().as_ref() != Some(given) => {
                format!("kalah play --resume --games {}", given.display())
            }
            _ => "kalah play --resume".to_owned(),
        }
    }

    /// Games are no longer saved, except for copies.
    pub(crate) fn disable(&mut self) {
        self.folder = None;
        self.file = None;
    }

    /// Saves the current game, and returns its file if there is one. A finished game
    /// stays in its file; what becomes of it later gets a new one.
    ///
    /// # Errors
    /// [`FileError::Write`].
    pub(crate) fn save(&mut self, record: &Game) -> Result<Option<&Path>, FileError> {
        let finished = record.ending().map(|ending| (record.main_line(), ending.clone()));
        if self.finished.is_some() && self.finished != finished {
            self.file = None;
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        let file = match &self.file {
            Some(file) => file.clone(),
            None => {
                fs::create_dir_all(folder)
                    .map_err(|error| WriteError { path: folder.clone(), error })?;
                new_file(folder)
            }
        };
        files::replace(&file, [kgn::write(record)])?;
        self.finished = finished;
        Ok(Some(self.file.insert(file)))
    }

    /// Saves a copy in the file `name`, and returns its path.
    ///
    /// # Errors
    /// [`FileError::Exists`] if a file that is no copy made here is there, or
    /// [`FileError::Write`].
    pub(crate) fn save_copy(&mut self, name: &str, record: &Game) -> Result<PathBuf, FileError> {
        let path = PathBuf::from(expand_home(name));
        if self.copies.contains(&path) {
            files::replace(&path, [kgn::write(record)])?;
            return Ok(path);
        }
        match files::create(&path, [kgn::write(record)]) {
            Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => {
                return Err(FileError::Exists(path));
            }
            written => written?,
        }
        self.copies.push(path.clone());
        Ok(path)
    }
}

/// A file name with `~/` as shells read it.
fn expand_home(name: &str) -> String {
    match (name.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) if !home.is_empty() => format!("{home}/{rest}"),
        _ => name.to_owned(),
    }
}

/// A name that no file in the folder has.
fn new_file(folder: &Path) -> PathBuf {
    let stem = now().replace(':', "");
    (1..)
        .map(|number| folder.join(format!("{stem}-{}-{number}.kgn", std::process::id())))
        .find(|path| !path.exists())
        .unwrap_or_else(|| unreachable!("names do not run out"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Pit, Position, Rules};
    use crate::record::{Move, Reason};

    fn seats() -> [Seat; 2] {
        ["casual", "human"].map(|text| text.parse().unwrap())
    }

    fn record() -> Game {
        let mut record = Game::new(Position::start(Rules::default()), Default::default());
        record.play(Move::new(Pit::new(0))).unwrap();
        set_players(&mut record, seats(), &["kalah", "you"].map(str::to_owned));
        record
    }

    #[test]
    fn a_record_reads_back_with_its_seats() {
        let text = kgn::write(&record());
        assert!(text.contains("[Seats \"casual, human\"]"), "{text}");
        assert_eq!(seats_of(&kgn::read(&text).unwrap()[0]), Some(seats()));
    }

    #[test]
    fn the_last_unfinished_game_is_resumed_and_finished_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut games = SavedGames::new(Some(folder.path().to_owned()));
        assert!(matches!(games.clone().resume(), Err(FileError::NothingToResume(_))));
        let mut record = record();
        let mut first = games.clone();
        first.save(&record).unwrap();
        record.finish(Ending::lost_by(Side::South, Reason::Resignation, None)).unwrap();
        let mut second = games.clone();
        second.save(&record).unwrap();
        assert_ne!(first.file(), second.file());
        assert_eq!(games.resume().unwrap().record.steps().len(), 1);
        assert_eq!(games.file(), first.file());
    }

    #[test]
    fn games_of_a_match_can_be_loaded_by_their_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let game = record::json::to_line(&record());
        fs::write(&path, format!("{{\"match\":{{}}}}\n{game}\n{game}\n")).unwrap();
        let loaded = load(&format!("{}#2", path.display())).unwrap();
        assert_eq!((loaded.number, loaded.count, loaded.record), (2, 2, record()));
    }

    #[test]
    fn a_damaged_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.kgn");
        fs::write(&path, "[South \"a\"]\n\n1. A z *\n").unwrap();
        let error = load(path.to_str().unwrap()).unwrap_err().to_string();
        assert!(error.contains("bad.kgn, line 3, column"), "{error}");
    }

    #[test]
    fn another_file_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.kgn");
        let path = path.to_str().unwrap();
        let mut games = SavedGames::new(Some(folder.path().to_owned()));
        games.save_copy(path, &record()).unwrap();
        games.save_copy(path, &record()).unwrap();
        let mut other = SavedGames::new(Some(folder.path().to_owned()));
        assert!(matches!(other.save_copy(path, &record()), Err(FileError::Exists(_))));
    }
}
