//! Games in files: saved after every step, loaded and resumed.
//!
//! A file is a `.kgn` record with an additional tag for the seats. Games saved by other
//! programs can be loaded, too. Nobody's moves are lost: a file is replaced only by a writer that
//! has seen its contents, and [`SavedGameError::Conflict`] tells any other to save elsewhere.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::seat::Seat;
use kalah_game::Side;
use kalah_record::format::{AnyTextError, RecordFormat};
use kalah_record::{Ending, Game, Player, Variation, json, kgn};
use kalah_sys::clock::now;
use kalah_sys::files::{self, AccessError, ContentHash, ReplaceError};
use kalah_sys::folders::{self, expand_home};
use kalah_text::names::{choice, shortened};

/// Error when saving or loading a game.
#[derive(Debug, Error)]
pub enum SavedGameError {
    /// The file of a copy exists, and was not written by this program.
    #[error("the file {} already exists; choose a different name", .0.display())]
    Exists(PathBuf),
    /// The file is no longer what this writer last read or wrote; it was left as it is. The game
    /// can be saved in a file of its own.
    #[error("another program has changed the game in {}", .0.display())]
    Conflict(PathBuf),
    /// The file cannot be read or written.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The file is not a record of games.
    #[error("{}: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        #[source]
        error: AnyTextError,
    },
    /// The number is not that of a game.
    #[error("expected {} of {}, got {number}", choice("game", *games), path.display())]
    NoSuchGame {
        /// The file or folder.
        path: PathBuf,
        /// Games in it.
        games: usize,
        /// The number that was asked for.
        number: usize,
    },
    /// The folder has no games at all.
    #[error("there are no saved games in {}", .0.display())]
    NothingSaved(PathBuf),
    /// All games in the folder are finished.
    #[error("there is no unfinished game in {}", .0.display())]
    NothingToResume(PathBuf),
    /// No file in the folder has this name.
    #[error("expected the name of a saved game, got '{}'", shortened(.0))]
    NoSuchName(String),
    /// A finished game must not change in its file.
    #[error("the game in this file is finished; save this one under a different name")]
    Finished,
    /// Saving one game would drop the others in the file.
    #[error("the file holds other games; save this one under a different name")]
    SeveralGames,
    /// The last line of the file was cut off, and with it a game.
    #[error("{}: the last line is incomplete, so its game is missing", .0.display())]
    Torn(PathBuf),
    /// The environment names no folder for games.
    #[error("no folder for games: set HOME or XDG_STATE_HOME, or use --games DIR")]
    NoFolder,
}

impl From<ReplaceError> for SavedGameError {
    fn from(error: ReplaceError) -> Self {
        match error {
            ReplaceError::Changed(path) => Self::Conflict(path),
            ReplaceError::Access(error) => error.into(),
        }
    }
}

/// Which saved game to resume.
#[derive(Clone, Copy, Debug)]
pub enum Resume {
    /// The last unfinished game.
    Last,
    /// The game with this number in the [list](SavedGames::list).
    Numbered(usize),
}

/// A game read from a file.
#[derive(Debug)]
pub struct Loaded {
    /// The game as it is in the file.
    pub record: Game,
    /// The place of the game in its file, from 1.
    pub number: usize,
    /// Games in the file.
    pub count: usize,
    /// Whether the last line of the file is incomplete; its game is not counted.
    pub is_torn: bool,
    /// The contents of the file.
    pub version: ContentHash,
}

impl Loaded {
    /// Whether the file holds nothing but this game, so that saving it drops no other.
    fn is_alone(&self) -> bool {
        self.count == 1 && !self.is_torn
    }
}

/// A file as a writer last read or wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFile {
    /// The file.
    pub path: PathBuf,
    /// Its contents, by which the next save recognises it.
    pub version: ContentHash,
}

/// The extension of the files in the folder of the saved games.
const EXTENSION: &str = "kgn";

/// The tag that says who plays South and North.
const SEATS: &str = "Seats";

/// Sets the players of `record`; `seats` and `names` are South's and North's.
pub fn set_players(record: &mut Game, seats: [Seat; 2], names: &[String; 2]) {
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

/// The name of a person in the records of this program.
pub const PERSON: &str = "human";
const ENGINE: &str = "kalah";

/// The default names of South and North.
pub fn names(seats: [Seat; 2]) -> [String; 2] {
    seats.map(|seat| if seat.is_person() { PERSON } else { ENGINE }.to_owned())
}

/// The names of South and North for the person who played: the only person is "you".
pub fn shown_names(record: &Game) -> [String; 2] {
    let people = record.players.iter().filter(|player| player.name == PERSON).count();
    record.players.clone().map(|player| match player.name.as_str() {
        PERSON if people == 1 => "you".to_owned(),
        _ => player.in_full(),
    })
}

/// Whether a game was given up after its first move, so that a list can leave it out.
pub fn is_abandoned(record: &Game) -> bool {
    record.steps().len() <= 1 && record.ending().is_none()
}

/// Swaps sides if the pie rule allows it, and their seats; returns whether it did.
pub fn swap(record: &mut Game) -> bool {
    let swapped = record.swap();
    if let Some([south, north]) = seats_of(record).filter(|_| swapped) {
        record.tags.insert(SEATS.to_owned(), tag(north, south));
    }
    swapped
}

/// Who plays South and North, if this program saved the record.
pub fn seats_of(record: &Game) -> Option<[Seat; 2]> {
    let (south, north) = record.tags.get(SEATS)?.split_once(", ")?;
    Some([south.parse().ok()?, north.parse().ok()?])
}

/// Loads a game; `name` may end with `#2` for the second game of the file.
///
/// # Errors
/// [`SavedGameError`] if the file cannot be read or has no such game.
pub fn load(name: &str) -> Result<Loaded, SavedGameError> {
    let name = expand_home(name);
    let (path, number) = files::numbered(&name);
    load_numbered(path, number.unwrap_or(1))
}

fn load_numbered(path: &Path, number: usize) -> Result<Loaded, SavedGameError> {
    let (text, version) = files::read_version(path)?;
    let (_, mut records) = kalah_record::format::read(&text)
        .map_err(|error| SavedGameError::Damaged { path: path.to_owned(), error })?;
    let count = records.len();
    if !(1..=count).contains(&number) {
        return Err(SavedGameError::NoSuchGame { path: path.to_owned(), games: count, number });
    }
    let (record, is_torn) = (records.swap_remove(number - 1), kalah_record::format::is_torn(&text));
    Ok(Loaded { record, number, count, is_torn, version })
}

/// The default folder for saved games.
///
/// # Errors
/// [`SavedGameError::NoFolder`] if the environment names none.
pub fn folder() -> Result<PathBuf, SavedGameError> {
    folders::state().map(|state| state.join("games")).ok_or(SavedGameError::NoFolder)
}

/// Where games are saved while they are played, each in a separate file.
#[derive(Clone, Debug)]
pub struct SavedGames {
    /// None if games are not saved, except for copies.
    folder: Option<PathBuf>,
    /// The file of the current game, once it has been saved.
    current: Option<SavedFile>,
    /// The game in that file if it is finished: it must no longer change.
    finished: Option<(Variation, Ending)>,
    /// Files that this value has written under names given by the player: it may overwrite only
    /// these.
    copies: Vec<SavedFile>,
    /// Whether the temporary files of killed processes have been removed from the folder.
    is_tidy: bool,
}

impl SavedGames {
    /// The games in a folder, which need not exist yet.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, current: None, finished: None, copies: Vec::new(), is_tidy: false }
    }

    /// The folder; none if games are not saved.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The saved games with their files, most recent first, and the errors of files that could
    /// not be loaded completely.
    pub fn list(&self) -> (Vec<(PathBuf, Game)>, Vec<SavedGameError>) {
        let (games, damaged) = self.load_all();
        (games.into_iter().map(|(path, loaded)| (path, loaded.record)).collect(), damaged)
    }

    fn load_all(&self) -> (Vec<(PathBuf, Loaded)>, Vec<SavedGameError>) {
        let mut games = Vec::new();
        let mut damaged = Vec::new();
        let files = self.files().unwrap_or_else(|error| {
            damaged.push(error.into());
            Vec::new()
        });
        for path in files {
            // This program saves one game per file; a file with several is listed by its first
            // game.
            match load_numbered(&path, 1) {
                Ok(loaded) => {
                    damaged.extend(loaded.is_torn.then(|| SavedGameError::Torn(path.clone())));
                    games.push((path, loaded));
                }
                Err(error) => damaged.push(error),
            }
        }
        (games, damaged)
    }

    /// The game with this number, from 1, in the [list](Self::list).
    ///
    /// # Errors
    /// [`SavedGameError::NoSuchGame`] if there is none.
    pub fn find(&self, number: usize) -> Result<(PathBuf, Game), SavedGameError> {
        self.load_numbered(number).map(|(path, loaded)| (path, loaded.record))
    }

    fn load_numbered(&self, number: usize) -> Result<(PathBuf, Loaded), SavedGameError> {
        let path = self.folder.clone().ok_or(SavedGameError::NoFolder)?;
        let (mut games, damaged) = self.load_all();
        let count = games.len();
        match number {
            _ if count == 0 => {
                Err(damaged.into_iter().next().unwrap_or(SavedGameError::NothingSaved(path)))
            }
            1.. if number <= count => Ok(games.swap_remove(number - 1)),
            _ => Err(SavedGameError::NoSuchGame { path, games: count, number }),
        }
    }

    /// The files of games, most recently changed first. The folder need not exist yet.
    fn files(&self) -> Result<Vec<PathBuf>, AccessError> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(AccessError::reading(folder))?,
        };
        let games = entries
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|found| found == EXTENSION));
        let mut files: Vec<_> = games
            // A file that was removed in the meantime is left out.
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        // Paths break ties between files of the same time, so that numbers in the list are stable.
        files.sort();
        Ok(files.into_iter().rev().map(|(_, path)| path).collect())
    }

    /// Loads a game of the [list](Self::list); saving it replaces it in its file.
    ///
    /// # Errors
    /// [`SavedGameError::NoSuchGame`], or [`SavedGameError::NothingToResume`] if none is
    /// unfinished. A damaged file is an error only if no other game can be resumed.
    pub fn resume(&mut self, game: Resume) -> Result<Loaded, SavedGameError> {
        let (path, loaded) = match game {
            Resume::Numbered(number) => self.load_numbered(number)?,
            Resume::Last => {
                let folder = self.folder.clone().ok_or(SavedGameError::NoFolder)?;
                let (games, damaged) = self.load_all();
                let unfinished =
                    games.into_iter().find(|(_, loaded)| loaded.record.ending().is_none());
                unfinished.ok_or_else(|| {
                    damaged.into_iter().next().unwrap_or(SavedGameError::NothingToResume(folder))
                })?
            }
        };
        self.begin_game();
        // Saving would drop the other games of a file that another program wrote.
        if loaded.is_alone() {
            self.current = Some(SavedFile { path, version: loaded.version });
            self.finished = finished(&loaded.record);
        }
        Ok(loaded)
    }

    /// Loads the game in the file with this name. The name is only compared with the names in
    /// the folder, so that it cannot lead out of it.
    ///
    /// # Errors
    /// [`SavedGameError::NoSuchName`], or if the file is damaged.
    pub fn named(&self, name: &str) -> Result<(PathBuf, Loaded), SavedGameError> {
        let mut files = self.files()?.into_iter();
        let path = files.find(|path| path.file_name().is_some_and(|file| file == name));
        let path = path.ok_or_else(|| SavedGameError::NoSuchName(name.to_owned()))?;
        let loaded = load_numbered(&path, 1)?;
        Ok((path, loaded))
    }

    /// Saves a game in place of the one in the file with this name, or in a new file if there is
    /// none, for which the name must be a digit, then letters, digits and hyphens, and `.kgn`.
    /// Returns the file, if games are saved. `seen` is the version of the file that the game
    /// continues; none if it should not exist yet. A file that already holds this game is left as
    /// it is, so that a request can be repeated.
    ///
    /// # Errors
    /// [`SavedGameError::Conflict`] if the file is not the one that was seen,
    /// [`SavedGameError::Finished`] if the game in the file is finished and differs,
    /// [`SavedGameError::SeveralGames`] if the file holds more than one, or an error of
    /// [`named`](Self::named) or [`save`](Self::save).
    pub fn save_as(
        &mut self,
        name: &str,
        record: &Game,
        seen: Option<ContentHash>,
    ) -> Result<Option<&SavedFile>, SavedGameError> {
        let Some(folder) = self.folder.clone() else { return Ok(None) };
        self.begin_game();
        match self.named(name) {
            Ok((_, loaded)) if !loaded.is_alone() => return Err(SavedGameError::SeveralGames),
            Ok((path, loaded)) => {
                let is_same = ContentHash::new(kgn::write(record)) == loaded.version;
                if !is_same && seen != Some(loaded.version) {
                    return Err(SavedGameError::Conflict(path));
                }
                self.current = Some(SavedFile { path, version: loaded.version });
                self.finished = finished(&loaded.record);
            }
            Err(SavedGameError::NoSuchName(_)) if is_new_name(name) => {
                return self.create(record, |text| create_named(&folder.join(name), text));
            }
            Err(error) => return Err(error),
        }
        if self.is_finished_otherwise(record) {
            return Err(SavedGameError::Finished);
        }
        self.save(record)
    }

    /// Whether the game in the current file is finished and differs from `record`.
    fn is_finished_otherwise(&self, record: &Game) -> bool {
        self.finished.is_some() && self.finished != finished(record)
    }

    /// Whether games are saved, but none has been saved yet.
    pub fn are_new(&self) -> bool {
        self.folder.is_some() && self.files().is_ok_and(|files| files.is_empty())
    }

    /// Lets the next game get a new file.
    pub fn begin_game(&mut self) {
        self.current = None;
        self.finished = None;
    }

    /// Whether the game in the current file is not finished.
    pub fn is_in_play(&self) -> bool {
        self.current.is_some() && self.finished.is_none()
    }

    /// The number of the current file's game in the [list](Self::list), from 1.
    pub fn number(&self) -> Option<usize> {
        let file = self.file()?;
        self.list().0.iter().position(|(path, _)| path == file).map(|index| index + 1)
    }

    /// The file of the current game, once it has been saved.
    pub fn file(&self) -> Option<&Path> {
        self.current.as_ref().map(|file| file.path.as_path())
    }

    /// The folder, unless it is the default or games are not saved.
    pub fn other_folder(&self) -> Option<&Path> {
        self.folder.as_deref().filter(|given| folder().ok().as_deref() != Some(*given))
    }

    /// Saves the current game and returns its file, if games are saved. A finished game stays
    /// unchanged in its file; if play continues differently after an undo, it gets a new file.
    ///
    /// # Errors
    /// [`SavedGameError::Conflict`] if another program has changed the file; after
    /// [`begin_game`](Self::begin_game) the game is saved in a new one. Otherwise
    /// [`SavedGameError::Access`].
    pub fn save(&mut self, record: &Game) -> Result<Option<&SavedFile>, SavedGameError> {
        let Some(folder) = self.folder.clone() else { return Ok(None) };
        if self.is_finished_otherwise(record) {
            self.current = None;
        }
        let Some(file) = &mut self.current else {
            return self.create(record, |text| create_file(&folder, text));
        };
        let text = kgn::write(record);
        files::replace_unchanged(&file.path, file.version, &text)?;
        file.version = ContentHash::new(text);
        self.finished = finished(record);
        self.tidy();
        Ok(self.current.as_ref())
    }

    /// Removes what killed processes left in the folder, once.
    fn tidy(&mut self) {
        if let Some(folder) = &self.folder
            && !std::mem::replace(&mut self.is_tidy, true)
        {
            files::remove_abandoned(folder, EXTENSION);
        }
    }

    /// Saves the current game in a new file, which `create` writes.
    fn create(
        &mut self,
        record: &Game,
        create: impl FnOnce(&str) -> Result<PathBuf, SavedGameError>,
    ) -> Result<Option<&SavedFile>, SavedGameError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        fs::create_dir_all(folder).map_err(AccessError::writing(folder))?;
        let text = kgn::write(record);
        let path = create(&text)?;
        self.tidy();
        self.finished = finished(record);
        Ok(Some(self.current.insert(SavedFile { path, version: ContentHash::new(text) })))
    }

    /// Saves a copy in the file `name` and returns its path. The extension determines the format:
    /// JSON lines for `.json` and `.jsonl`, otherwise `.kgn` text.
    ///
    /// # Errors
    /// [`SavedGameError::Exists`] if the file exists and was not written by this value,
    /// [`SavedGameError::Conflict`] if another program has changed it since, or
    /// [`SavedGameError::Access`].
    pub fn save_copy(&mut self, name: &str, record: &Game) -> Result<PathBuf, SavedGameError> {
        let path = PathBuf::from(expand_home(name));
        let text = match RecordFormat::from_path(&path) {
            Some(RecordFormat::Json) => json::to_line(record) + "\n",
            Some(RecordFormat::Kgn) | None => kgn::write(record),
        };
        let version = ContentHash::new(&text);
        if let Some(copy) = self.copies.iter_mut().find(|copy| copy.path == path) {
            files::replace_unchanged(&path, copy.version, &text)?;
            copy.version = version;
            return Ok(path);
        }
        match create_named(&path, &text) {
            // The player chose the name, so the message asks for a different one.
            Err(SavedGameError::Conflict(path)) => return Err(SavedGameError::Exists(path)),
            created => created?,
        };
        self.copies.push(SavedFile { path: path.clone(), version });
        Ok(path)
    }
}

/// The part of a finished game that must not change in its file.
fn finished(record: &Game) -> Option<(Variation, Ending)> {
    record.ending().map(|ending| (record.main_line(), ending.clone()))
}

/// Whether a new file may get this name: a digit, then letters, digits and hyphens, and the
/// extension `.kgn`. Such a name cannot lead to another folder, nor to a device, as a name like
/// `nul.kgn` may on Windows.
fn is_new_name(name: &str) -> bool {
    const MAX_LENGTH: usize = 64;
    let stem = name.strip_suffix(&format!(".{EXTENSION}")).unwrap_or_default();
    name.len() <= MAX_LENGTH
        && stem.starts_with(|first: char| first.is_ascii_digit())
        && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Creates a file with this text. The process number and a counter make its name unique: two
/// clients may save their first moves at the same moment.
fn create_file(folder: &Path, text: &str) -> Result<PathBuf, SavedGameError> {
    // Windows allows no colons in file names.
    let stem = now().replace(':', "");
    let mut number = 1;
    loop {
        let path = folder.join(format!("{stem}-{}-{number}.{EXTENSION}", std::process::id()));
        match create_named(&path, text) {
            Err(SavedGameError::Conflict(_)) => number += 1,
            created => return created,
        }
    }
}

/// Creates the file at `path` with this text; [`SavedGameError::Conflict`] if it exists.
fn create_named(path: &Path, text: &str) -> Result<PathBuf, SavedGameError> {
    match files::create(path, [text]) {
        Err(refused) if refused.error.kind() == ErrorKind::AlreadyExists => {
            Err(SavedGameError::Conflict(path.to_owned()))
        }
        created => Ok(created.map(|()| path.to_owned())?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Pit, Position, Rules};
    use kalah_record::{Move, Reason};

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
        assert!(matches!(
            games.clone().resume(Resume::Last),
            Err(SavedGameError::NothingToResume(_))
        ));
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
    fn a_file_whose_last_line_was_cut_off_is_reported_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.kgn");
        let game = json::to_line(&record());
        let torn = format!("{game}\n{}", &game[..game.len() / 2]);
        fs::write(&path, &torn).unwrap();
        let mut games = SavedGames::new(Some(folder.path().to_owned()));
        let (listed, damaged) = games.list();
        assert_eq!(listed.len(), 1);
        assert!(matches!(&damaged[..], [SavedGameError::Torn(torn)] if *torn == path));
        assert!(load(path.to_str().unwrap()).unwrap().is_torn);
        let mut longer = games.resume(Resume::Last).unwrap().record;
        longer.play(Move::new(Pit::new(1))).unwrap();
        games.save(&longer).unwrap();
        assert_ne!(games.file(), Some(path.as_path()));
        let seen = Some(ContentHash::new(&torn));
        let refused = games.save_as("1.kgn", &longer, seen).unwrap_err();
        assert!(matches!(refused, SavedGameError::SeveralGames));
        assert_eq!(fs::read_to_string(&path).unwrap(), torn);
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_not_an_empty_one() {
        let place = tempfile::NamedTempFile::new().unwrap();
        let mut games = SavedGames::new(Some(place.path().to_owned()));
        let (listed, damaged) = games.list();
        assert!(listed.is_empty() && matches!(damaged[..], [SavedGameError::Access(_)]));
        assert!(!games.are_new());
        for error in [
            games.find(1).unwrap_err(),
            games.named("1.kgn").unwrap_err(),
            games.resume(Resume::Last).unwrap_err(),
        ] {
            assert!(matches!(error, SavedGameError::Access(_)), "{error}");
        }
    }

    #[test]
    fn games_of_a_match_can_be_loaded_by_their_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let game = kalah_record::json::to_line(&record());
        fs::write(&path, format!("{{\"match\":{{}}}}\n{game}\n{game}\n")).unwrap();
        let loaded = load(&format!("{}#2", path.display())).unwrap();
        assert_eq!((loaded.number, loaded.count, loaded.record), (2, 2, record()));
    }

    #[test]
    fn of_two_writers_the_second_gets_a_conflict_and_neither_loses_its_game() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = SavedGames::new(Some(folder.path().to_owned()));
        let mut record = record();
        one.save(&record).unwrap();
        let mut other = SavedGames::new(Some(folder.path().to_owned()));
        other.resume(Resume::Last).unwrap();
        let mut longer = record.clone();
        longer.play(Move::new(Pit::new(1))).unwrap();
        other.save(&longer).unwrap();
        record.play(Move::new(Pit::new(2))).unwrap();
        let refused = one.save(&record).unwrap_err();
        assert!(
            matches!(&refused, SavedGameError::Conflict(path) if Some(path.as_path()) == other.file())
        );
        one.begin_game();
        one.save(&record).unwrap();
        let kept = [one.file(), other.file()].map(|file| load(file.unwrap().to_str().unwrap()));
        assert_eq!(kept.map(|game| game.unwrap().record), [record, longer.clone()]);
        // Repeating a save, or saving after the file was removed, is not a conflict.
        other.save(&longer).unwrap();
        fs::remove_file(other.file().unwrap()).unwrap();
        other.save(&longer).unwrap();
    }

    #[test]
    fn a_game_in_any_encoding_of_a_text_is_continued_in_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let text = kgn::write(&record());
        let wide = [
            &[0xff, 0xfe],
            text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(),
        ]
        .concat();
        for bytes in [format!("\u{feff}{text}").into_bytes(), wide] {
            let path = folder.path().join("1.kgn");
            fs::write(&path, bytes).unwrap();
            let mut games = SavedGames::new(Some(folder.path().to_owned()));
            let mut longer = games.resume(Resume::Last).unwrap().record;
            assert_eq!(longer, record());
            longer.play(Move::new(Pit::new(1))).unwrap();
            games.save(&longer).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), kgn::write(&longer));
        }
    }

    #[test]
    fn a_named_file_is_replaced_only_by_one_that_has_seen_it() {
        const NAME: &str = "1.kgn";
        let folder = tempfile::tempdir().unwrap();
        let games = || SavedGames::new(Some(folder.path().to_owned()));
        let save = |record: &Game, seen: Option<&str>| {
            let seen = seen.map(|seen| seen.parse().unwrap());
            let saved = games().save_as(NAME, record, seen)?.map(|file| file.version.to_string());
            Ok::<_, SavedGameError>(saved.unwrap())
        };
        let mut record = record();
        let first = save(&record, None).unwrap();
        assert_eq!(games().named(NAME).unwrap().1.version.to_string(), first);
        assert_eq!(save(&record, None).unwrap(), first);
        record.play(Move::new(Pit::new(1))).unwrap();
        assert!(matches!(save(&record, None), Err(SavedGameError::Conflict(_))));
        let second = save(&record, Some(&first)).unwrap();
        record.play(Move::new(Pit::new(2))).unwrap();
        assert!(matches!(save(&record, Some(&first)), Err(SavedGameError::Conflict(_))));
        record.finish(Ending::lost_by(Side::South, Reason::Resignation, None)).unwrap();
        let last = save(&record, Some(&second)).unwrap();
        record.take_ending();
        assert!(matches!(save(&record, Some(&last)), Err(SavedGameError::Finished)));
        assert!(matches!(
            games().save_as("a.kgn", &record, None),
            Err(SavedGameError::NoSuchName(_))
        ));
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_what_is_being_written_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["1.kgn.aB3xyz.tmp", "1.kgn.writes.tmp", "1.kgn.mine.tmp", "puzzles.tmp"] {
            fs::write(path(name), "").unwrap();
        }
        let written = fs::File::open(path("1.kgn.writes.tmp")).unwrap();
        written.lock().unwrap();
        SavedGames::new(Some(folder.path().to_owned())).save(&record()).unwrap();
        assert!(!path("1.kgn.aB3xyz.tmp").exists());
        for name in ["1.kgn.writes.tmp", "1.kgn.mine.tmp", "puzzles.tmp"] {
            assert!(path(name).exists(), "{name}");
        }
    }

    #[test]
    fn a_copy_has_the_format_of_its_extension_and_a_long_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let mut games = SavedGames::new(None);
        for (name, start) in [("a.jsonl", "{\""), ("a.json", "{\""), ("a.kgn", "["), ("a", "[")] {
            games.save_copy(&path(name), &record()).unwrap();
            assert!(fs::read_to_string(path(name)).unwrap().starts_with(start), "{name}");
            assert_eq!(load(&path(name)).unwrap().record.steps().len(), 1);
        }
        fs::File::create(path("long.kgn")).unwrap().set_len((64 << 20) + 1).unwrap();
        assert!(load(&path("long.kgn")).unwrap_err().to_string().contains("at most 64 MiB"));
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
        assert!(matches!(other.save_copy(path, &record()), Err(SavedGameError::Exists(_))));
        fs::write(path, "changed").unwrap();
        assert!(matches!(games.save_copy(path, &record()), Err(SavedGameError::Conflict(_))));
    }
}
