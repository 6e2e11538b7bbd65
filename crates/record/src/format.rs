//! Reading files of games in either format, and texts that a person may paste instead.

use std::path::Path;

use super::error::{RecordError, TextError};
use super::game::{Game, Move};
use super::opening::{self, Opening};
use super::{json, kgn};
use kalah_game::{Position, Rules};
use kalah_text::foreign::without_mark;
use kalah_text::named_enum;

named_enum! {
    /// The format of a file of games.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RecordFormat: "format" {
        /// One JSON object per line
        Json = "json",
        /// Text similar to the PGN of chess
        Kgn = "kgn",
    }
}

impl RecordFormat {
    /// The format that the extension of a file name stands for, if any.
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "kgn" => Some(RecordFormat::Kgn),
            "json" | "jsonl" => Some(RecordFormat::Json),
            _ => None,
        }
    }

    /// The other of the two formats, to convert to.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            RecordFormat::Json => RecordFormat::Kgn,
            RecordFormat::Kgn => RecordFormat::Json,
        }
    }
}

/// Reads all games from a text of any kind, as [`read_any`] does.
///
/// # Errors
/// [`TextError`] at the first place where the text is wrong, or if it has no game.
pub fn read(text: &str) -> Result<(RecordFormat, Vec<Game>), TextError> {
    read_any(text, Rules::default(), &mut |_| true)
}

/// Whether the last line of a text is incomplete. Readers skip it, because a match in progress may
/// be writing it; all others who read a truncated file must report it.
pub fn is_torn(text: &str) -> bool {
    let text = without_mark(text).trim_start();
    text.starts_with('{') && json::is_torn(text)
}

/// Reads games in either format up to the first one for which `continues` returns `false`. Skips the
/// configuration in a match's file.
//
// Limits on the number and size of games must apply while they are read: reading all of a
// hostile text of 290 kB took two minutes and 1.8 GB.
fn read_games(
    text: &str,
    continues: &mut dyn FnMut(&Game) -> bool,
) -> Result<(RecordFormat, Vec<Game>), RecordError> {
    let (format, games) = if text.trim_start().starts_with('{') {
        read_braced(text, continues)?
    } else {
        (RecordFormat::Kgn, kgn::read_while(text, continues)?)
    };
    if games.is_empty() {
        let got = if is_torn(text) { "an incomplete line" } else { "none" };
        let message = format!("expected a game, got {got}");
        return Err(RecordError { line: 1, column: 1, message });
    }
    Ok((format, games))
}

/// Reads a text that begins with a brace: JSON lines, or `.kgn` text with a comment before the
/// first move.
fn read_braced(
    text: &str,
    continues: &mut dyn FnMut(&Game) -> bool,
) -> Result<(RecordFormat, Vec<Game>), RecordError> {
    let json_error = match json::read(text, continues) {
        Ok(games) => return Ok((RecordFormat::Json, games)),
        Err(error) => error,
    };
    let kgn_error = match kgn::read_while(text, continues) {
        Ok(games) => return Ok((RecordFormat::Kgn, games)),
        Err(error) => error,
    };
    // An object is empty or has a quoted key.
    let is_object = text.trim_start()[1..].trim_start().starts_with(['"', '}']);
    Err(if is_object { json_error } else { kgn_error })
}

/// Reads the games in a text of any kind: positions, one per line, each optionally followed by
/// moves; the engine protocol's `position` commands; a list of moves from the usual start; `.kgn`
/// text; or JSON lines. Stops at the first game for which `continues` returns false. `usual`
/// gives the usual start, and the capture rule where the text does not specify it. Positions and
/// moves count as `.kgn` text.
///
/// # Errors
/// [`TextError`] at the first place where the text is wrong, or if it has no game.
pub fn read_any(
    text: &str,
    usual: Rules,
    continues: &mut dyn FnMut(&Game) -> bool,
) -> Result<(RecordFormat, Vec<Game>), TextError> {
    let start = Position::start(usual);
    let text = without_mark(text);
    if opening::is_list_of_positions(text) {
        return Ok((RecordFormat::Kgn, read_positions(text, start, continues)?));
    }
    if !text.trim().is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c.is_whitespace())
    {
        let opening = Opening::new(String::new(), start, text)
            .map_err(|(column, error)| TextError(format!("column {column}: {error}")))?;
        return Ok((RecordFormat::Kgn, vec![opened(opening)]));
    }
    Ok(read_games(text, continues)?)
}

fn read_positions(
    text: &str,
    start: Position,
    continues: &mut dyn FnMut(&Game) -> bool,
) -> Result<Vec<Game>, TextError> {
    let mut games = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(opening) = opening::read_line(number, line, start)? else { continue };
        let game = opened(opening);
        let is_last = !continues(&game);
        games.push(game);
        if is_last {
            break;
        }
    }
    // A single line needs no name to distinguish it from others.
    if let [game] = &mut games[..] {
        game.opening = None;
    }
    Ok(games)
}

/// The game that an opening begins.
fn opened(opening: Opening) -> Game {
    let mut game = Game::new(opening.start, Default::default());
    game.opening = Some(opening.name).filter(|name| !name.is_empty());
    for pit in opening.moves {
        game.play(Move::new(pit)).expect("the moves of an opening are legal");
    }
    game
}
