//! Openings: where the games of a match begin.
//!
//! A file of openings has one per line: a position text, a list of moves from the
//! start, or a position and moves after it (`<6,…> S cA`). `#` begins a
//! comment, which up to its first tab is the opening's name. The games of a `.kgn`
//! file can be openings too. Without a file, openings are random moves by a seed.

use std::collections::HashSet;
use std::path::Path;

use super::MatchError;
use crate::game::{Capture, IllegalMove, MoveError, Pit, Position, PositionError};
use crate::record::{Game, kgn};
use crate::sys::files;
use crate::sys::random::SplitMix64;
use serde::{Deserialize, Serialize};

/// A position, and moves from there that the runner plays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "OpeningText", try_from = "OpeningText")]
pub(crate) struct Opening {
    pub(crate) name: String,
    /// The position before its moves.
    pub(crate) start: Position,
    /// Legal moves from there that do not end the game.
    pub(crate) moves: Vec<Pit>,
}

impl Opening {
    /// The position in which the players take over.
    pub(crate) fn position(&self) -> Position {
        let mut position = self.start;
        for &pit in &self.moves {
            let played = position.play(pit);
            debug_assert!(played.is_ok(), "an opening's moves are legal");
        }
        position
    }

    pub(super) fn of(game: &Game) -> Self {
        let book = game.moves().take_while(|r#move| r#move.book);
        Self {
            name: game.opening.clone().unwrap_or_default(),
            start: *game.start(),
            moves: book.map(|r#move| r#move.pit).collect(),
        }
    }

    pub(super) fn letters(&self) -> String {
        self.start.letters(&self.moves).collect()
    }

    /// Parses the letters of moves from `start`, with or without blanks between them.
    ///
    /// # Errors
    /// The column of the letter that cannot be played, and why.
    pub(crate) fn new(
        name: String,
        start: Position,
        letters: &str,
    ) -> Result<Self, (usize, MoveError)> {
        let columns =
            || letters.char_indices().enumerate().filter(|(_, (_, c))| !c.is_whitespace());
        let words = columns().map(|(_, (at, c))| &letters[at..at + c.len_utf8()]);
        let moves = { start }.play_moves(words).map_err(|IllegalMove { number, error }| {
            let column = columns().nth(number - 1).map_or(0, |(index, _)| index + 1);
            (column, error)
        })?;
        Ok(Self { name, start, moves })
    }
}

/// Reads the openings of a file: the games of a `.kgn` file, or a list.
pub(crate) fn load(path: &Path, start: Position) -> Result<Vec<Opening>, MatchError> {
    let text = files::read_text(path).map_err(MatchError::config)?;
    let is_kgn = path.extension().is_some_and(|extension| extension == "kgn");
    let openings = if is_kgn { of_games(&text) } else { read(&text, start) };
    openings.map_err(|error| MatchError::Config(format!("{}: {error}", path.display())))
}

/// Reads a list of openings; move lists without a position begin at `start`.
fn read(text: &str, start: Position) -> Result<Vec<Opening>, MatchError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(opening) = read_line(number, line, start)? {
            openings.push(checked(opening, number)?);
        }
    }
    some(openings)
}

/// Reads line `number` of a list, unless it is blank; moves without a position begin at
/// `start`.
///
/// # Errors
/// [`MatchError::Config`] if it is neither a position nor legal moves.
pub(crate) fn read_line(
    number: usize,
    line: &str,
    start: Position,
) -> Result<Option<Opening>, MatchError> {
    let (body, comment) = line.split_once('#').unwrap_or((line, ""));
    if body.trim().is_empty() {
        return Ok(None);
    }
    // The lists of `kalah openings` have more columns after the name.
    let name = match comment.trim().split('\t').next() {
        None | Some("") => format!("line {number}"),
        Some(name) => name.to_owned(),
    };
    let (position, letters, before) = split_position(body, start.capture())
        .map_err(|error| MatchError::config(format!("line {number}: {error}")))?;
    let opening = Opening::new(name, position.unwrap_or(start), letters);
    opening.map(Some).map_err(|(column, error)| {
        MatchError::config(format!("line {number}, column {}: {error}", before + column))
    })
}

/// An opening of line `number` that leaves moves to the players.
fn checked(opening: Opening, number: usize) -> Result<Opening, MatchError> {
    if opening.position().is_over() {
        return Err(MatchError::config(format!(
            "line {number}: expected a position with moves left to play, got a finished game"
        )));
    }
    Ok(opening)
}

/// The position at the beginning of a line, if there is one, the rest of the line, and
/// the number of characters before the rest.
fn split_position(
    body: &str,
    capture: Capture,
) -> Result<(Option<Position>, &str, usize), PositionError> {
    let Some(close) = body.find('>').filter(|_| body.trim_start().starts_with('<')) else {
        let position = body.trim_start().starts_with('<').then(|| Position::parse(body, capture));
        return position.transpose().map(|position| (position, body, 0));
    };
    let after = &body[close + 1..];
    // A side stands alone; the first of several letters is a move.
    let side = after.trim_start();
    let is_side = side.starts_with(['S', 's', 'N', 'n'])
        && side[1..].chars().next().is_none_or(char::is_whitespace);
    let end = if is_side { body.len() - side.len() + 1 } else { close + 1 };
    let (text, rest) = body.split_at(end);
    Ok((Some(Position::parse(text, capture)?), rest, text.chars().count()))
}

/// The games of a `.kgn` text as openings.
///
/// # Errors
/// [`MatchError::Config`] if the text is wrong or a game is over; such a game is named by
/// its number as if it were a line.
fn of_games(text: &str) -> Result<Vec<Opening>, MatchError> {
    let games = kgn::read(text).map_err(MatchError::config)?;
    let openings = (1..).zip(&games).map(|(number, game)| {
        let name = game.opening.clone().or_else(|| game.event.clone());
        let name = name.unwrap_or_else(|| format!("game {number}"));
        let moves = game.moves().map(|r#move| r#move.pit).collect();
        checked(Opening { name, start: *game.start(), moves }, number)
    });
    some(openings.collect::<Result<_, _>>()?)
}

fn some(openings: Vec<Opening>) -> Result<Vec<Opening>, MatchError> {
    if openings.is_empty() {
        return Err(MatchError::config("expected at least one opening, got none"));
    }
    Ok(openings)
}

/// `count` openings of `plies` random moves from `start`, leading to different positions
/// as far as there are enough. The ids of a match's games depend on them, so a seed must
/// give the same openings in every version.
pub(crate) fn random(start: Position, plies: usize, count: usize, seed: u64) -> Vec<Opening> {
    // Consecutive draws that may repeat known positions. With few plies there can be
    // fewer positions than openings; then a repeated one is accepted.
    const MAX_REPEATED_DRAWS: usize = 200;
    let mut random = SplitMix64::new(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    let mut tries = 0;
    while openings.len() < count {
        let opening = random_opening(start, plies, openings.len() + 1, &mut random);
        tries += 1;
        if seen.insert(opening.position()) || tries > MAX_REPEATED_DRAWS {
            openings.push(opening);
            tries = 0;
        }
    }
    openings
}

fn random_opening(
    start: Position,
    plies: usize,
    number: usize,
    random: &mut SplitMix64,
) -> Opening {
    let mut position = start;
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.moves();
        let mut after = position;
        let Some(pit) = { legal }.nth(random.below(legal.len().max(1))) else { break };
        // The last moves of a short game are left to the players.
        if after.play(pit).is_err() || after.is_over() {
            break;
        }
        position = after;
        moves.push(pit);
    }
    Opening { name: format!("random {number}"), start, moves }
}

/// Shuffles openings into an order that depends on the seed alone.
pub(crate) fn shuffle(openings: &mut [Opening], seed: u64) {
    let mut random = SplitMix64::new(seed);
    // The Fisher-Yates shuffle.
    for last in (1..openings.len()).rev() {
        openings.swap(last, random.below(last + 1));
    }
}

/// An opening in a match's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OpeningText {
    name: String,
    position: String,
    capture: Capture,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    moves: String,
}

impl From<Opening> for OpeningText {
    fn from(opening: Opening) -> Self {
        Self {
            moves: opening.letters(),
            position: opening.start.to_string(),
            capture: opening.start.capture(),
            name: opening.name,
        }
    }
}

impl TryFrom<OpeningText> for Opening {
    type Error = String;

    fn try_from(text: OpeningText) -> Result<Self, String> {
        let name = &text.name;
        let start = Position::parse(&text.position, text.capture)
            .map_err(|error| format!("opening {name}: {error}"))?;
        Self::new(name.clone(), start, &text.moves)
            .map_err(|(column, error)| format!("opening {name}: column {column}: {error}"))
    }
}
