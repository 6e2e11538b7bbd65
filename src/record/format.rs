//! Files of games in either format.

use std::path::Path;

use super::error::RecordError;
use super::game::Game;
use super::{json, kgn};

/// A format of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// One JSON object per line
    Json,
    /// Text similar to the PGN of chess
    Kgn,
}

impl Format {
    /// The format with the extension of a file's name, if any.
    pub fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "kgn" => Some(Format::Kgn),
            "json" | "jsonl" => Some(Format::Json),
            _ => None,
        }
    }

    /// The other of the two formats, to convert to.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Format::Json => Format::Kgn,
            Format::Kgn => Format::Json,
        }
    }
}

/// Reads all games of a text in either format. The configuration in a match's
/// file is skipped.
///
/// # Errors
/// [`RecordError`] at the first place where the text is wrong, or if it has no game.
pub fn read(text: &str) -> Result<(Format, Vec<Game>), RecordError> {
    read_while(text, &mut |_| true)
}

/// As [`read`], up to the first game for which `goes_on` does not hold.
///
/// # Errors
/// As [`read`], of those games.
pub(crate) fn read_while(
    text: &str,
    goes_on: &mut dyn FnMut(&Game) -> bool,
) -> Result<(Format, Vec<Game>), RecordError> {
    // JSON lines begin with a brace, .kgn text does not.
    let (format, games) = if text.trim_start().starts_with('{') {
        (Format::Json, json::read(text, goes_on)?)
    } else {
        (Format::Kgn, kgn::read_while(text, goes_on)?)
    };
    if games.is_empty() {
        let message = "expected a game, got none".to_owned();
        return Err(RecordError { line: 1, column: 1, message });
    }
    Ok((format, games))
}
