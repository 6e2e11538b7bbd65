//! The errors of matches. A caller can distinguish a wrong configuration, a game of a different
//! match, and a file that exists when a match begins.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use kalah_sys::files::AccessError;
use thiserror::Error;

/// Error when preparing or running a match.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The players, openings or SPRT cannot form a match on this machine.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A game of a file is not in the schedule of its match.
    #[error("{}: game {id} does not belong to this match", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The game's id; empty if it has none.
        id: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The file to create exists.
    #[error("{} already exists: choose another file, or continue it with --resume", .0.display())]
    Exists(PathBuf),
    /// The file of a match is wrong, in use, or no longer the one that it writes; a player is never
    /// ready; or the system refuses a program or a thread.
    #[error("{0}")]
    Failed(String),
}

impl MatchError {
    /// The file at `path` is wrong.
    pub(crate) fn in_file(path: &Path, error: impl fmt::Display) -> Self {
        Self::Failed(format!("{}: {error}", path.display()))
    }

    /// The system refuses a thread, a process, memory or a file.
    pub(crate) fn cannot_start(what: &str, source: &io::Error) -> Self {
        Self::Failed(format!("cannot start a {what}: {source}"))
    }
}

/// Error of a configuration that cannot form a match on this machine, or of the words that describe
/// a part of it. Its message states what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ConfigError(pub(crate) String);

/// Error when a program is started.
#[derive(Debug, Error)]
#[error("cannot {action}: {source}{hint}")]
pub(crate) struct ProgramError {
    pub(crate) action: String,
    /// The system's error.
    pub(crate) source: io::Error,
    /// What the user may have meant.
    pub(crate) hint: String,
}

impl ProgramError {
    /// The error of an action, for `map_err`.
    pub(crate) fn at(action: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        move |source| Self { action: action.into(), source, hint: String::new() }
    }
}
