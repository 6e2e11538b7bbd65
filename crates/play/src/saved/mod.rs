//! Games in files: saved after every step, loaded and resumed.
//!
//! A file is a `.kgn` record with a tag for the [players'](crate::players) seats. Games saved by
//! other programs can be loaded, too. No moves are lost: a file is replaced only by a writer that
//! has seen its contents, and [`SavedGameError::Conflict`] makes any other save elsewhere.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::players;
use kalah_record::format::RecordFormat;
use kalah_record::{Ending, Game, Variation, json, kgn};
use kalah_sys::clock::now;
use kalah_sys::files::{self, AccessError, ContentHash};
use kalah_sys::folders::{self, expand_home};

pub use error::SavedGameError;

mod error;
#[cfg(test)]
mod tests;

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

/// Whether a game was given up after its first move, so that a list can leave it out.
pub fn is_abandoned(record: &Game) -> bool {
    record.steps().len() <= 1 && record.ending().is_none()
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

/// The given folder, or else the default one.
///
/// # Errors
/// [`SavedGameError::NoFolder`] as for [`folder`].
pub fn folder_or(given: Option<&Path>) -> Result<PathBuf, SavedGameError> {
    given.map(Path::to_owned).map_or_else(folder, Ok)
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

    /// The saved games with their files, most recent first, and the errors for files that could
    /// not be loaded completely. [Abandoned](is_abandoned) games come last, unless it is the latest
    /// game: lists leave them out, and the numbers of the others have no gaps.
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
        if let Some((_, earlier)) = games.split_first_mut() {
            earlier.sort_by_key(|(_, loaded)| is_abandoned(&loaded.record));
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
        // Paths break ties between files with the same time, so that numbers in the list are
        // stable.
        files.sort();
        Ok(files.into_iter().rev().map(|(_, path)| path).collect())
    }

    /// Loads a game from the [list](Self::list); saving it replaces it in its file.
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
        // In a file that another program wrote, saving would drop other games, and the names of the
        // players of this one.
        if loaded.is_alone() && players::seats(&loaded.record).is_some() {
            self.current = Some(SavedFile { path, version: loaded.version });
            self.finished = finished(&loaded.record);
        }
        Ok(loaded)
    }

    /// Loads the game in the file with this name. The name is only compared with the names in
    /// the folder, so it cannot refer to a file elsewhere.
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

    /// Makes the next game start a new file.
    pub fn begin_game(&mut self) {
        self.current = None;
        self.finished = None;
        self.copies.clear();
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
        if !files::replace_unchanged(&file.path, file.version, &text)? {
            return Err(SavedGameError::Conflict(file.path.clone()));
        }
        file.version = ContentHash::new(text);
        self.finished = finished(record);
        self.tidy();
        Ok(self.current.as_ref())
    }

    /// Removes the files that killed processes left in the folder, once.
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
            if !files::replace_unchanged(&path, copy.version, &text)? {
                return Err(SavedGameError::Conflict(path));
            }
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
/// clients may save their first moves at the same time.
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
