//! The error of the files that the engine keeps: endgame tables, ledgers, transposition tables.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A file that cannot be read or written, or is damaged.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct FileError {
    /// The file, or its folder.
    pub path: PathBuf,
    /// Its fault.
    #[source]
    pub error: io::Error,
}

/// The fault of a file with these contents.
pub(crate) fn invalid(fault: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault.into())
}
