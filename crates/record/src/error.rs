//! The errors of the readers of records and openings.

use kalah_sys::files::AccessError;
use thiserror::Error;

/// Error when reading a record. Lines and columns (in characters) count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct RecordError {
    /// The line of the file.
    pub line: usize,
    /// The column of the line; 1 for errors of a whole JSON line.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
}

/// Error of a text or a file of games or openings: what is wrong with it, and where.
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub struct TextError(pub(crate) String);

impl From<AccessError> for TextError {
    fn from(error: AccessError) -> Self {
        Self(error.to_string())
    }
}

impl From<RecordError> for TextError {
    fn from(error: RecordError) -> Self {
        Self(error.to_string())
    }
}
