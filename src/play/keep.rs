//! Games in files: kept after every step, saved, loaded, taken up again.
//!
//! Games are written as `.kgn` records, under a temporary name that is then
//! renamed, so that a file is whole at any moment. Who sits where stands in
//! tags of the record; a game of any other program can be loaded as well.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

use super::game::{Game, Outcome, Player, Step};
use super::seat::Seat;
use crate::game::Side;
use crate::record::{self, Ending, Reason, RecordError, kgn};
use crate::sys::clock::now;

/// Why a game cannot be written or read.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is such a file already, and it is not this game's.
    #[error("{} is there already and holds something else; choose another name", .0.display())]
    Exists(PathBuf),
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file holds no record that can be read.
    #[error("{}, {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where and why.
        error: RecordError,
    },
    /// The file holds fewer games.
    #[error("{} holds {games} games, there is no number {wanted}", path.display())]
    NoSuchGame {
        /// The file.
        path: PathBuf,
        /// Games that it holds.
        games: usize,
        /// The number asked for, from 1.
        wanted: usize,
    },
    /// No game was left unfinished.
    #[error("there is no unfinished game in {}", .0.display())]
    NothingToResume(PathBuf),
    /// There is no place for games.
    #[error("no folder for games: set HOME or XDG_STATE_HOME, or use --games DIR")]
    NoFolder,
}

/// A game that was read.
#[derive(Debug)]
pub struct Loaded {
    /// The game, at its end.
    pub game: Game,
    /// Who plays, if this program wrote it.
    pub seats: Option<[Seat; 2]>,
    /// The record as it was.
    pub record: record::Game,
    /// Which game of how many in the file.
    pub number: (usize, usize),
}

const SEATS: &str = "Seats";

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The game as a record.
pub fn to_record(game: &Game, seats: &[Seat; 2], names: &[String; 2], date: &str) -> record::Game {
    let by_side = |side| game.player_at(side).index();
    let players = Side::BOTH.map(|side| record::Player {
        limit: match seats[by_side(side)] {
            Seat::Person => None,
            Seat::Engine(strength) => Some(strength.to_string()),
        },
        ..record::Player::named(&names[side.index()])
    });
    let mut record = record::Game::new(*game.start(), Default::default());
    record.date = Some(date.to_owned());
    record.tags.insert(
        SEATS.to_owned(),
        Side::BOTH.map(|side| seats[by_side(side)].to_string()).join(", "),
    );
    record.pie_rule = game.has_pie_rule();
    for made in game.steps() {
        match made.step {
            Step::Sow(pit) => {
                let sowing = made.remark.clone().unwrap_or_else(|| record::Move::new(pit));
                record.play(sowing).unwrap_or_else(|error| unreachable!("{error}"));
            }
            Step::Swap => assert!(record.swap(), "the game allowed it"),
        }
    }
    // They are named by their sides now, the swap included.
    record.players = players;
    let ending = match game.outcome() {
        None => None,
        Some(Outcome::Finished(margin)) => Some(Ending::by_margin(margin, Reason::Normal)),
        Some(Outcome::Resigned(side)) => Some(Ending::lost_by(side, Reason::Resignation, None)),
    };
    if let Some(ending) = ending {
        record.finish(ending).unwrap_or_else(|error| unreachable!("{error}"));
    }
    record
}

/// The game of a record, and who plays it if the record says so.
pub fn from_record(record: &record::Game) -> (Game, Option<[Seat; 2]>) {
    let mut game = Game::new(*record.start(), record.pie_rule);
    for index in 0..=record.moves().len() {
        if record.swapped_after() == Some(index) {
            game.make(Step::Swap).unwrap_or_else(|error| unreachable!("{error}"));
        }
        if let Some(sowing) = record.moves().nth(index) {
            game.make(Step::Sow(sowing.pit)).unwrap_or_else(|error| unreachable!("{error}"));
            game.remark(sowing.clone());
        }
    }
    if let Some(Ending {
        outcome: record::Outcome::Won(winner), reason: Reason::Resignation, ..
    }) = record.ending()
    {
        game.resign(winner.other());
    }
    let seats = record.tags.get(SEATS).and_then(|text| {
        let (south, north) = text.split_once(", ")?;
        Some([south.parse().ok()?, north.parse().ok()?])
    });
    let seats = seats.map(|by_side: [Seat; 2]| {
        Side::BOTH.map(|side| by_side[game.side_of(Player(side)).index()])
    });
    (game, seats)
}

/// Writes `record` to `path` under a temporary name, then renames it.
///
/// # Errors
/// [`FileError::Write`]; what was at `path` is then as it was.
pub fn write(path: &Path, record: &record::Game) -> Result<(), FileError> {
    let failed = |error| FileError::Write { path: path.to_owned(), error };
    let name = path.file_name().ok_or_else(|| failed(io::ErrorKind::InvalidFilename.into()))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let written = File::create(&temporary)
        .and_then(|mut file| {
            file.write_all(kgn::write(record).as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        failed(error)
    })
}

/// Reads a game; `name` may end with `#2` for the second game of the file.
///
/// # Errors
/// [`FileError`] if the file cannot be read or is damaged, with the line.
pub fn load(name: &str) -> Result<Loaded, FileError> {
    let numbered =
        name.rsplit_once('#').and_then(|(path, number)| Some((path, number.parse().ok()?)));
    match numbered {
        Some((path, number)) if !Path::new(name).exists() => load_game(Path::new(path), number),
        _ => load_game(Path::new(name), 1),
    }
}

fn load_game(path: &Path, number: usize) -> Result<Loaded, FileError> {
    let mut records = read(path)?;
    let games = records.len();
    if !(1..=games).contains(&number) {
        return Err(FileError::NoSuchGame { path: path.to_owned(), games, wanted: number });
    }
    let record = records.swap_remove(number - 1);
    let (game, seats) = from_record(&record);
    Ok(Loaded { game, seats, record, number: (number, games) })
}

fn read(path: &Path) -> Result<Vec<record::Game>, FileError> {
    let text = read_text(path).map_err(|error| FileError::Read { path: path.to_owned(), error })?;
    kgn::read(&text).map_err(|error| FileError::Damaged { path: path.to_owned(), error })
}

fn read_text(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text)?;
    Ok(text)
}

/// The folder that games are kept in if none is given.
///
/// # Errors
/// [`FileError::NoFolder`] if the environment names none.
pub fn folder() -> Result<PathBuf, FileError> {
    let from = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("XDG_STATE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".local/state")))
        .or_else(|| from("LOCALAPPDATA"))
        .map(|state| state.join("kalah/games"))
        .ok_or(FileError::NoFolder)
}

/// The game in `folder` that was played last and not finished, with its file.
///
/// # Errors
/// [`FileError::NothingToResume`] if there is none. A damaged file is passed
/// over if another game can be taken up, and is the error if not.
pub fn last_unfinished(folder: &Path) -> Result<(PathBuf, Loaded), FileError> {
    let mut files: Vec<(SystemTime, PathBuf)> = fs::read_dir(folder)
        .map(|entries| {
            let path = |entry: io::Result<fs::DirEntry>| {
                let entry = entry.ok()?;
                let path = entry.path();
                let changed = entry.metadata().ok()?.modified().ok()?;
                (path.extension()? == "kgn").then_some((changed, path))
            };
            entries.filter_map(path).collect()
        })
        .unwrap_or_default();
    files.sort();
    let mut damage = None;
    for (_, path) in files.into_iter().rev() {
        match load_game(&path, 1) {
            Ok(loaded) if loaded.record.ending().is_none() => return Ok((path, loaded)),
            Ok(_) => {}
            Err(error) => damage = damage.or(Some(error)),
        }
    }
    Err(damage.unwrap_or_else(|| FileError::NothingToResume(folder.to_owned())))
}

/// Where one game is kept while it is played.
#[derive(Clone, Debug)]
pub struct Keeper {
    folder: PathBuf,
    file: Option<PathBuf>,
    saved: Vec<PathBuf>,
}

impl Keeper {
    /// Keeps games in `folder`, each in a new file.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, file: None, saved: Vec::new() }
    }

    /// Keeps on in `file`, for a game taken up again.
    pub fn resumed(folder: PathBuf, file: PathBuf) -> Self {
        Self { folder, file: Some(file), saved: Vec::new() }
    }

    /// The next game gets a file of its own.
    pub fn forget(&mut self) {
        self.file = None;
    }

    /// The file of this game, once it is written.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Writes the game.
    ///
    /// # Errors
    /// [`FileError::Write`] if it cannot be written.
    pub fn keep(&mut self, record: &record::Game) -> Result<(), FileError> {
        if let Some(file) = &self.file {
            return write(file, record);
        }
        fs::create_dir_all(&self.folder)
            .map_err(|error| FileError::Write { path: self.folder.clone(), error })?;
        let file = self.fresh_name();
        write(&file, record)?;
        self.file = Some(file);
        Ok(())
    }

    /// A name that no file in the folder has.
    fn fresh_name(&self) -> PathBuf {
        let stem = now().replace(':', "");
        let names = (1..).map(|number| format!("{stem}-{}-{number}.kgn", std::process::id()));
        names
            .map(|name| self.folder.join(name))
            .find(|path| !path.exists())
            .unwrap_or_else(|| unreachable!("names do not run out"))
    }

    /// Writes the game to a file of its player's choice.
    ///
    /// # Errors
    /// [`FileError`] if it cannot be written, or if the file holds something
    /// that was not saved here.
    pub fn save(&mut self, path: &Path, record: &record::Game) -> Result<(), FileError> {
        let path = path.to_owned();
        if path.exists() && !self.saved.contains(&path) {
            return Err(FileError::Exists(path));
        }
        write(&path, record)?;
        self.saved.push(path);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Pit, Position, Rules};

    fn names() -> [String; 2] {
        ["you", "kalah"].map(str::to_owned)
    }

    fn seats() -> [Seat; 2] {
        ["human", "casual"].map(|text| text.parse().unwrap())
    }

    fn swapped_game() -> Game {
        let mut game = Game::new(Position::start(Rules::default()), true);
        for step in [Step::Sow(Pit::new(0)), Step::Swap, Step::Sow(Pit::new(2))] {
            game.make(step).unwrap();
        }
        game
    }

    #[test]
    fn a_game_reads_back_with_its_seats_and_its_swap() {
        let game = swapped_game();
        let record = to_record(&game, &seats(), &names(), "2026-11-20");
        let text = kgn::write(&record);
        let (again, its_seats) = from_record(&kgn::read(&text).unwrap()[0]);
        assert_eq!(its_seats, Some(seats()));
        assert_eq!(again.position(), game.position());
        assert_eq!(again.player_at(Side::South), Player(Side::North));
        assert!(text.contains("[Seats \"casual, human\"]"), "{text}");
    }

    #[test]
    fn a_resignation_reads_back() {
        let mut game = swapped_game();
        game.resign(Side::North);
        let record = to_record(&game, &seats(), &names(), "2026-11-20");
        let (again, _) = from_record(&kgn::read(&kgn::write(&record)).unwrap()[0]);
        assert_eq!(again.outcome(), Some(Outcome::Resigned(Side::North)));
    }

    #[test]
    fn the_last_unfinished_game_is_taken_up_and_finished_ones_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        assert!(matches!(last_unfinished(&path), Err(FileError::NothingToResume(_))));
        let mut game = swapped_game();
        let record = |game: &Game| to_record(game, &seats(), &names(), "2026-11-20");
        let mut first = Keeper::new(path.clone());
        first.keep(&record(&game)).unwrap();
        game.resign(Side::South);
        let mut second = Keeper::new(path.clone());
        second.keep(&record(&game)).unwrap();
        assert_ne!(first.file(), second.file());
        let (file, loaded) = last_unfinished(&path).unwrap();
        assert_eq!((Some(file.as_path()), loaded.game.steps().len()), (first.file(), 3));
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
        let mut keeper = Keeper::new(folder.path().to_owned());
        let record = to_record(&swapped_game(), &seats(), &names(), "2026-11-20");
        keeper.save(&path, &record).unwrap();
        keeper.save(&path, &record).unwrap();
        let mut other = Keeper::new(folder.path().to_owned());
        assert!(matches!(other.save(&path, &record), Err(FileError::Exists(_))));
    }
}
