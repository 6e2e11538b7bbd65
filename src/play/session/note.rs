//! What there is to show, as front ends get it.

use crate::game::{Played, Position};
use crate::view::text::Line;

/// Something to show.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A pit was sown; the board has changed.
    Sowed {
        /// What it did.
        played: Played,
        /// The position before it.
        before: Position,
        /// The same in words.
        sentence: String,
    },
    /// The board is to be shown.
    Board,
    /// A sentence.
    Said(String),
    /// A longer answer.
    Page {
        /// What it is.
        title: &'static str,
        /// Its lines.
        lines: Vec<Line>,
    },
    /// So many sowings of so many are judged.
    Progress(usize, usize),
    /// What was asked for cannot be done.
    Trouble(String),
}

pub(super) fn said(text: impl Into<String>) -> Note {
    Note::Said(text.into())
}

pub(super) fn trouble(error: impl ToString) -> Note {
    Note::Trouble(error.to_string())
}
