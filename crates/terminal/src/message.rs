//! What a front end shows.

use kalah_game::{Played, Position};
use kalah_view::styled::StyledLine;

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
        /// Determines the title.
        topic: ListingTopic,
        /// Without the title.
        lines: Vec<StyledLine>,
    },
    /// The number of moves analysed so far, and their total.
    Progress(usize, usize),
    /// Why an action was refused.
    Error(String),
}

/// What a listing is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingTopic {
    /// The moves of the game.
    Moves,
    /// The variations of the game.
    Variations,
    /// The values of the pits.
    Values,
    /// The mistakes of the game.
    Analysis,
    /// The engine's levels.
    Levels,
    /// The commands that can be typed.
    Commands,
    /// The rules of the game.
    Rules,
}

impl ListingTopic {
    /// The title of the listing.
    pub fn title(self) -> &'static str {
        match self {
            Self::Moves => "Moves",
            Self::Variations => "Variations",
            Self::Values => "Values",
            Self::Analysis => "Analysis",
            Self::Levels => "Levels",
            Self::Commands => "Commands",
            Self::Rules => "Rules",
        }
    }
}
