//! What a front end shows.

use kalah_game::{Played, Position};
use kalah_view::styled::StyledLine;

/// The title of the list of commands.
pub const COMMANDS: &str = "Commands";

/// Something to show.
#[derive(Clone, Debug, PartialEq)]
pub enum GameMessage {
    // More than a sentence, because full-screen mode shows the sowing before its text.
    /// A move was made; `text` describes it in words.
    Moved {
        /// What was sown, and by whom.
        played: Played,
        /// The position before the move.
        before: Position,
        /// Sentences about the move.
        text: String,
    },
    /// The board has changed other than by a move, or the player asked to see it.
    Board,
    /// The title of the messages that follow.
    Heading(String),
    /// One or more sentences.
    Text(String),
    /// Several lines, none wider than the columns available.
    Listing {
        /// What they are about.
        title: &'static str,
        /// Without the title.
        lines: Vec<StyledLine>,
    },
    /// The number of moves analysed so far, and their total.
    Progress(usize, usize),
    /// Why an action was refused.
    Error(String),
}
