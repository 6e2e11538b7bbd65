//! What can be wrong with a record, and where.

use thiserror::Error;

use super::Outcome;
use crate::game::notation::{MoveError, PositionError};
use crate::game::{RulesError, Side};
use crate::score::Gain;
use crate::sys::names::UnknownName;

/// Why an ending does not fit its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EndingError {
    /// Normal endings are of games that are over.
    #[error("expected a finished game for the reason 'normal', but seeds are left in both rows")]
    NotOver,
    /// The seeds say otherwise.
    #[error("expected result {expected} of a game that South ends with {margin}, got {got}")]
    Outcome {
        /// The result by the rules.
        expected: Outcome,
        /// South's margin.
        margin: Gain,
        /// The result that was claimed.
        got: Outcome,
    },
    /// The seeds say otherwise.
    #[error("expected margin {expected} for South, got {got}")]
    Margin {
        /// South's margin by the rules.
        expected: Gain,
        /// The margin that was claimed.
        got: Gain,
    },
}

/// Where a record is wrong, and how. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line of the text.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// Something else stands where a part of the record should.
    #[error("expected {expected}, got {got}")]
    Unexpected {
        /// What should stand there.
        expected: String,
        /// What stands there, shortened.
        got: String,
    },
    /// A tag that can stand once stands again.
    #[error("expected one {0} tag, got another")]
    Repeated(String),
    /// The capture rule is none.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The start is no position.
    #[error("start position: {0}")]
    Position(#[from] PositionError),
    /// A move is none, or not legal.
    #[error("move {index}: {error}")]
    Move {
        /// Which move of the game, from 1.
        index: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A letter of the other side.
    #[error(
        "move {index}: it is {side}'s turn, expected a letter from {first} to {last}, got '{got}'"
    )]
    Turn {
        /// Which move of the game, from 1.
        index: usize,
        /// Whose turn it is.
        side: Side,
        /// The side's first pit.
        first: char,
        /// The side's last pit.
        last: char,
        /// What came.
        got: char,
    },
    /// A result, reason or side that does not exist.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// The ending contradicts the game.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The result stands twice and differs.
    #[error("expected the result of the Result tag, {tag}, got {text}")]
    Results {
        /// In the tag.
        tag: String,
        /// After the moves.
        text: String,
    },
    /// The line is no JSON of a game.
    #[error("{0}")]
    Json(String),
}
