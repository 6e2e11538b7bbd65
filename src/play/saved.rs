//! Games in files: saved after every step, loaded and resumed.
//!
//! A file is a `.kgn` record with an additional tag for the seats. Games saved by other
//! programs can be loaded, too.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::seat::Seat;
use crate::game::Side;
use crate::record::{self, Ending, Game, Outcome, Player, RecordError, Variation, kgn};
use crate::sys::clock::now;
use crate::sys::files::{self, AccessError};
use crate::sys::folders;
use crate::sys::names::{choice, shortened};

/// Error of saving or loading a game.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    #[error("the file {} already exists; choose another name", .0.display())]
    Exists(PathBuf),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error("{}: {}", .0.display(), .1)]
    Damaged(PathBuf, RecordError),
    #[error("expected {} of {}, got {number}", choice("game", *.games), path.display())]
    NoSuchGame { path: PathBuf, games: usize, number: usize },
    #[error("there are no saved games in {}", .0.display())]
    NothingSaved(PathBuf),
    #[error("there is no unfinished game in {}", .0.display())]
    NothingToResume(PathBuf),
    #[error("expected the name of a saved game, got '{}'", shortened(.0))]
    NoSuchName(String),
    #[error("the game in this file is finished and stays as it is; save another one")]
    Finished,
    #[error("the file holds {0} games; save a game of its own")]
    SeveralGames(usize),
    #[error("no folder for games: set HOME or XDG_STATE_HOME, or use --games DIR")]
    NoFolder,
}

/// Which saved game to resume.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resume {
    /// The last unfinished game.
    Last,
    /// The game with this number in the [list](SavedGames::list).
    Numbered(usize),
}

/// A game read from a file.
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
    let [south, north] = seats;
    record.tags.insert(SEATS.to_owned(), tag(south, north));
}

fn tag(south: Seat, north: Seat) -> String {
    format!("{south}, {north}")
}

/// The name of a person in the records of this program, and that of the engine.
pub(crate) const PERSON: &str = "human";
const ENGINE: &str = "kalah";

/// South's and North's names, if they have no others.
pub(crate) fn names(seats: [Seat; 2]) -> [String; 2] {
    seats.map(|seat| if seat.is_person() { PERSON } else { ENGINE }.to_owned())
}

/// Swaps sides if the pie rule allows it; false if not.
pub(crate) fn swap(record: &mut Game) -> bool {
    let swapped = record.swap();
    if let Some([south, north]) = seats_of(record).filter(|_| swapped) {
        record.tags.insert(SEATS.to_owned(), tag(north, south));
    }
    swapped
}

/// South's and North's players, if this program saved the record.
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
    let text = read_text(path)?;
    let (_, mut records) =
        record::format::read(&text).map_err(|error| FileError::Damaged(path.to_owned(), error))?;
    let count = records.len();
    if !(1..=count).contains(&number) {
        return Err(FileError::NoSuchGame { path: path.to_owned(), games: count, number });
    }
    Ok(Loaded { record: records.swap_remove(number - 1), number, count })
}

fn read_text(path: &Path) -> Result<String, AccessError> {
    const LARGEST_BYTES: u64 = 64 << 20;
    let mut text = String::new();
    let read = files::open(path)?.take(LARGEST_BYTES).read_to_string(&mut text);
    read.map(|_| text).map_err(AccessError::reading(path))
}

/// The default folder for saved games.
///
/// # Errors
/// [`FileError::NoFolder`] if the environment names none.
pub(crate) fn folder() -> Result<PathBuf, FileError> {
    folders::state().map(|state| state.join("games")).ok_or(FileError::NoFolder)
}

/// How a game ended, in a word or two.
pub(crate) fn in_short(game: &Game) -> String {
    let Some(ending) = game.ending() else { return "unfinished".to_owned() };
    match (ending.outcome, ending.margin) {
        (Outcome::Draw, _) => "draw".to_owned(),
        (Outcome::Won(side), Some(margin)) => format!("{side} by {}", margin.0.abs()),
        (Outcome::Won(side), None) => format!("{side} ({})", ending.reason),
    }
}

/// Where games are saved while they are played, each in a separate file.
#[derive(Clone, Debug)]
pub(crate) struct SavedGames {
    /// None if games are not saved, except for copies.
    folder: Option<PathBuf>,
    /// The file of the current game, once it has been saved.
    file: Option<PathBuf>,
    /// The game in that file if it is finished: it must not change any more.
    finished: Option<(Variation, Ending)>,
    /// Files that the player has named and this session has written: it may overwrite
    /// them.
    copies: Vec<PathBuf>,
}

impl SavedGames {
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, file: None, finished: None, copies: Vec::new() }
    }

    /// The saved games with their files, most recent first, and the errors of other files.
    pub(crate) fn list(&self) -> (Vec<(PathBuf, Game)>, Vec<FileError>) {
        let mut games = Vec::new();
        let mut damaged = Vec::new();
        for path in self.files() {
            match load_numbered(&path, 1) {
                Ok(loaded) => games.push((path, loaded.record)),
                Err(error) => damaged.push(error),
            }
        }
        (games, damaged)
    }

    /// The game with this number, from 1, in the [list](Self::list).
    ///
    /// # Errors
    /// [`FileError::NoSuchGame`] if there is none.
    pub(crate) fn find(&self, number: usize) -> Result<(PathBuf, Game), FileError> {
        let path = self.folder.clone().ok_or(FileError::NoFolder)?;
        let mut games = self.list().0;
        let count = games.len();
        match number {
            _ if count == 0 => Err(FileError::NothingSaved(path)),
            1.. if number <= count => Ok(games.swap_remove(number - 1)),
            _ => Err(FileError::NoSuchGame { path, games: count, number }),
        }
    }

    /// The files of games, those that were changed last first.
    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = self.folder.iter().flat_map(fs::read_dir).flatten().flatten();
        let games = entries
            .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "kgn"));
        let mut files: Vec<_> = games
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        files.into_iter().rev().map(|(_, path)| path)
    }

    /// Loads a game of the [list](Self::list), and continues to save it in its file.
    ///
    /// # Errors
    /// [`FileError::NoSuchGame`], or [`FileError::NothingToResume`] if none is
    /// unfinished. A damaged file is an error only if no other game can be resumed.
    pub(crate) fn resume(&mut self, game: Resume) -> Result<Loaded, FileError> {
        let (path, record) = match game {
            Resume::Numbered(number) => self.find(number)?,
            Resume::Last => {
                let folder = self.folder.clone().ok_or(FileError::NoFolder)?;
                let (games, damaged) = self.list();
                let unfinished = games.into_iter().find(|(_, game)| game.ending().is_none());
                unfinished.ok_or_else(|| {
                    damaged.into_iter().next().unwrap_or(FileError::NothingToResume(folder))
                })?
            }
        };
        self.file = Some(path);
        self.finished = finished(&record);
        Ok(Loaded { record, number: 1, count: 1 })
    }

    /// Loads the game in the file with this name. The name is compared with those of the
    /// [list](Self::list), so that it leads nowhere else.
    ///
    /// # Errors
    /// [`FileError::NoSuchName`], or if the file is damaged.
    pub(crate) fn named(&self, name: &str) -> Result<(PathBuf, Loaded), FileError> {
        let path = self.files().find(|path| path.file_name().is_some_and(|file| file == name));
        let path = path.ok_or_else(|| FileError::NoSuchName(name.to_owned()))?;
        let loaded = load_numbered(&path, 1)?;
        Ok((path, loaded))
    }

    /// Saves a game in place of the one in the file with this name, or in a new file if there
    /// is none and [`is_new_name`] allows the name; returns the file, if games are saved.
    ///
    /// # Errors
    /// [`FileError::Finished`] if the game in the file is finished and differs,
    /// [`FileError::SeveralGames`], those of [`named`](Self::named) and
    /// [`save`](Self::save).
    pub(crate) fn save_as(
        &mut self,
        name: &str,
        record: &Game,
    ) -> Result<Option<&Path>, FileError> {
        match (self.named(name), &self.folder) {
            (Ok((path, Loaded { record: before, count: 1, .. })), _) => {
                self.file = Some(path);
                self.finished = finished(&before);
            }
            (Ok((_, Loaded { count, .. })), _) => return Err(FileError::SeveralGames(count)),
            (Err(FileError::NoSuchName(_)), Some(folder)) if is_new_name(name) => {
                self.file = Some(folder.join(name));
                self.finished = None;
            }
            (Err(error), Some(_)) => return Err(error),
            (Err(_), None) => return Ok(None),
        }
        if self.is_finished_otherwise(record) {
            return Err(FileError::Finished);
        }
        self.save(record)
    }

    /// Whether the game in the current file is finished, and `record` is not the same.
    fn is_finished_otherwise(&self, record: &Game) -> bool {
        self.finished.is_some() && self.finished != finished(record)
    }

    /// Whether games are saved and there is none yet.
    pub(crate) fn are_new(&self) -> bool {
        self.folder.is_some() && self.files().next().is_none()
    }

    /// The next game gets a new file.
    pub(crate) fn begin_game(&mut self) {
        self.file = None;
        self.finished = None;
    }

    /// Whether the game in the current file is not finished.
    pub(crate) fn is_in_play(&self) -> bool {
        self.file.is_some() && self.finished.is_none()
    }

    /// The number of the current file's game in the [list](Self::list), from 1.
    pub(crate) fn number(&self) -> Option<usize> {
        let file = self.file()?;
        self.list().0.iter().position(|(path, _)| path == file).map(|index| index + 1)
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// A command line of this program for the games that are saved here.
    pub(crate) fn command(&self, words: &str) -> String {
        match &self.folder {
            Some(given) if folder().ok().as_ref() != Some(given) => {
                format!("kalah {words} --games {}", given.display())
            }
            _ => format!("kalah {words}"),
        }
    }

    /// Games are no longer saved, except for copies.
    pub(crate) fn disable(&mut self) {
        self.folder = None;
        self.file = None;
    }

    /// Saves the current game and returns its file, if there is one. A finished game stays
    /// in its file; what is played instead of its end gets a new one.
    ///
    /// # Errors
    /// [`FileError::Access`].
    pub(crate) fn save(&mut self, record: &Game) -> Result<Option<&Path>, FileError> {
        if self.is_finished_otherwise(record) {
            self.file = None;
        }
        let Some(folder) = &self.folder else { return Ok(None) };
        let text = kgn::write(record);
        fs::create_dir_all(folder).map_err(AccessError::writing(folder))?;
        let file = match &self.file {
            Some(file) => {
                files::replace(file, [text])?;
                file.clone()
            }
            None => create_file(folder, &text)?,
        };
        self.finished = finished(record);
        Ok(Some(self.file.insert(file)))
    }

    /// Saves a copy in the file `name` and returns its path.
    ///
    /// # Errors
    /// [`FileError::Exists`] if the file exists and was not written by this session, or
    /// [`FileError::Access`].
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

/// The part of a finished game that must not change in its file.
fn finished(record: &Game) -> Option<(Variation, Ending)> {
    record.ending().map(|ending| (record.main_line(), ending.clone()))
}

/// Whether a new file may get this name: a digit, then letters, digits and hyphens, and the
/// extension of games. Such a name leads to no other folder and to no device.
fn is_new_name(name: &str) -> bool {
    const MAX_LENGTH: usize = 64;
    let stem = name.strip_suffix(".kgn").unwrap_or_default();
    name.len() <= MAX_LENGTH
        && stem.starts_with(|first: char| first.is_ascii_digit())
        && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// A file name with `~/` expanded as shells do.
fn expand_home(name: &str) -> String {
    match (name.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) if !home.is_empty() => format!("{home}/{rest}"),
        _ => name.to_owned(),
    }
}

/// The files and folders whose paths begin with `name`.
pub(crate) fn files_beginning(name: &str) -> Vec<String> {
    let (folder, beginning) = name
        .rsplit_once('/')
        .map_or(("", name), |(folder, beginning)| (&name[..=folder.len()], beginning));
    let place = if folder.is_empty() { "./".to_owned() } else { expand_home(folder) };
    let mut files: Vec<String> = fs::read_dir(place)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let hidden = name.starts_with('.') && beginning.is_empty();
            let end = if entry.path().is_dir() { "/" } else { "" };
            let fits = name.starts_with(beginning) && !hidden;
            fits.then(|| format!("{folder}{name}{end}"))
        })
        .collect();
    files.sort();
    files
}

/// A new file with this text. Its name is one that no other game takes at the same time.
///
/// # Errors
/// [`AccessError`].
fn create_file(folder: &Path, text: &str) -> Result<PathBuf, AccessError> {
    let stem = now().replace(':', "");
    let mut number = 1;
    loop {
        let path = folder.join(format!("{stem}-{}-{number}.kgn", std::process::id()));
        match files::create(&path, [text]) {
            Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => number += 1,
            created => return created.map(|()| path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Pit, Position, Rules};
    use crate::record::{Move, Reason};

    fn record() -> Game {
        let mut record = Game::new(Position::start(Rules::default()), Default::default());
        record.play(Move::new(Pit::new(0))).unwrap();
        let seats = ["casual", "human"].map(|text| text.parse().unwrap());
        set_players(&mut record, seats, &["kalah", "you"].map(str::to_owned));
        record
    }

    #[test]
    fn the_last_unfinished_game_is_resumed_and_finished_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut games = SavedGames::new(Some(folder.path().to_owned()));
        assert!(matches!(games.clone().resume(Resume::Last), Err(FileError::NothingToResume(_))));
        let mut record = record();
        let mut first = games.clone();
        first.save(&record).unwrap();
        record.finish(Ending::lost_by(Side::South, Reason::Resignation, None)).unwrap();
        let mut second = games.clone();
        second.save(&record).unwrap();
        assert_ne!(first.file(), second.file());
        assert_eq!(games.resume(Resume::Last).unwrap().record.steps().len(), 1);
        assert_eq!(games.file(), first.file());
        fs::write(folder.path().join("damaged.kgn"), "?").unwrap();
        let (listed, damaged) = games.list();
        assert_eq!((listed.len(), damaged.len()), (2, 1));
        let number = 1 + listed.iter().position(|(_, game)| game.ending().is_some()).unwrap();
        assert!(games.resume(Resume::Numbered(number)).unwrap().record.ending().is_some());
        assert_eq!(games.file(), second.file());
        let error = games.resume(Resume::Numbered(3)).unwrap_err().to_string();
        assert!(error.starts_with("expected game 1 to 2 of "), "{error}");
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
