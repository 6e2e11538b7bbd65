//! Errors in saving and loading games.

use std::path::PathBuf;

use kalah_record::TextError;
use kalah_sys::files::AccessError;
use kalah_text::names::{missing, shortened};
use thiserror::Error;

/// An error in saving or loading a game.
#[derive(Debug, Error)]
pub enum SavedGameError {
    /// The target of a copy exists, and was not written by this program.
    #[error("the file {} already exists; choose a different name", .0.display())]
    Exists(PathBuf),
    /// The file is no longer what this writer last read or wrote; it was left as it is. The game
    /// can be saved in a new file.
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
        error: TextError,
    },
    /// The number is not that of a game.
    #[error("{}: {}", path.display(), missing("game", number, *games))]
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
    #[error("no saved game '{}'", shortened(.0))]
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
