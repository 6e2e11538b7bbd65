//! What a front end shows.

use crate::game::{Played, Position};
use crate::view::text::Line;

/// A message of a session.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    /// A move was made; `text` says the same in words.
    Moved {
        played: Played,
        before: Position,
        text: String,
    },
    /// The board has changed in another way, or was requested.
    Board,
    /// The title of what follows.
    Heading(String),
    Text(String),
    /// Several lines, none wider than the session's width.
    Page {
        title: &'static str,
        lines: Vec<Line>,
    },
    /// Moves of the game analysed so far, and their total.
    Progress(usize, usize),
    /// Why an action was refused.
    Error(String),
}
