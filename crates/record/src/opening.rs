//! Openings: the positions in which the games of a match begin.
//!
//! A file of openings has one per line: a position text, a list of moves from the
//! start, or a position followed by moves (`<6,…> S cA`). `#` begins a comment, whose
//! text up to the first tab is the opening's name. The games of a file can be
//! openings too. Without a file, openings are random moves that a seed determines.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::{Game, TextError, kgn};
use kalah_game::{
    BoardError, Capture, IllegalMove, MoveError, Pit, Position, PositionText, Variant,
};
use kalah_sys::random::SplitMix64;
use kalah_text::format::counted;
use serde::{Deserialize, Serialize};

/// A position, and the moves that the runner plays from there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "OpeningText", try_from = "OpeningText")]
pub struct Opening {
    /// For people; may be empty.
    pub name: String,
    /// The position before the moves.
    pub start: Position,
    /// Legal moves from `start` that do not end the game.
    pub moves: Vec<Pit>,
}

impl Opening {
    /// The position in which the players take over.
    pub fn position(&self) -> Position {
        let mut position = self.start;
        for &pit in &self.moves {
            let played = position.play(pit);
            debug_assert!(played.is_ok(), "an opening's moves are legal");
        }
        position
    }

    /// The opening that was played in a game: its first moves that are marked as book.
    pub fn from_game(game: &Game) -> Self {
        let book = game.moves().take_while(|r#move| r#move.book);
        Self {
            name: game.opening.clone().unwrap_or_default(),
            start: *game.start(),
            moves: book.map(|r#move| r#move.pit).collect(),
        }
    }

    /// The letters of the moves, without spaces.
    pub fn letters(&self) -> String {
        self.start.letters(&self.moves).collect()
    }

    /// Parses the letters of moves from `start`, with or without spaces between them.
    ///
    /// # Errors
    /// The column, from 1, of the first letter that cannot be played, and the reason.
    pub fn new(name: String, start: Position, letters: &str) -> Result<Self, (usize, MoveError)> {
        let columns = (1..).zip(letters.char_indices()).filter(|(_, (_, c))| !c.is_whitespace());
        let words = columns.clone().map(|(_, (at, c))| &letters[at..at + c.len_utf8()]);
        let moves =
            { start }.play_moves(words).map_err(|IllegalMove { number, error, .. }| {
                let (column, _) =
                    columns.clone().nth(number - 1).expect("an illegal move has a letter");
                (column, error)
            })?;
        Ok(Self { name, start, moves })
    }
}

/// Reads a list of openings; moves without a position start from `start`.
pub(crate) fn read(text: &str, start: Position) -> Result<Vec<Opening>, TextError> {
    let mut openings = Vec::new();
    for ListLine { number, opening, .. } in lines(text, start)? {
        openings.push(checked(opening?, number)?);
    }
    some(openings)
}

/// A line of a list of openings.
pub struct ListLine<'a> {
    number: usize,
    /// The line without its comment.
    pub text: &'a str,
    /// Its opening, whose position may be over.
    pub opening: Result<Opening, TextError>,
}

/// The lines of a list that are not blank. Moves without a position start from `start`.
///
/// # Errors
/// [`TextError`] if the list was cut off within its last line.
pub fn lines(text: &str, start: Position) -> Result<Vec<ListLine<'_>>, TextError> {
    check_last_line(text)?;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(opening) = read_line(number, line, start).transpose() {
            // The lists of `kalah openings` have a name and more columns after the position.
            let text = line.split('#').next().unwrap_or_default().trim();
            lines.push(ListLine { number, text, opening });
        }
    }
    Ok(lines)
}

/// Checks whether a list was cut off within its last line. Only a missing column, position or side
/// to move can be detected: a line with some of its moves is an opening, too.
fn check_last_line(text: &str) -> Result<(), TextError> {
    let mut lines = text.lines().rev().filter(|line| !line.trim().is_empty());
    let (Some(last), Some(before)) = (lines.next(), lines.next()) else { return Ok(()) };
    if text.ends_with('\n') || last.starts_with('#') || columns(last) >= columns(before) {
        return Ok(());
    }
    let number = text.lines().count();
    Err(TextError(format!(
        "line {number}: expected as many columns as on the line before, got fewer and no line end: \
         the file may have been cut off"
    )))
}

/// The columns of a line, where the side to move counts as a column of its own.
fn columns(line: &str) -> usize {
    line.split('\t').count() + usize::from(!line.trim_end().ends_with('>'))
}

/// The words of a list that are not part of a comment.
fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines.flat_map(str::split_whitespace)
}

fn first_word(text: &str) -> &str {
    words(text).next().unwrap_or_default()
}

/// Whether a text is a list of openings. Games have tags, comments, move numbers or a result.
pub(crate) fn is_list(text: &str) -> bool {
    !ends_with_result(text)
        && !first_word(text).starts_with(|c: char| "[{(;".contains(c) || c.is_ascii_digit())
}

/// A result may have spaces around its dash.
fn ends_with_result(text: &str) -> bool {
    let mut end = String::new();
    words(text).rev().take(3).any(|word| {
        end.insert_str(0, word);
        kgn::is_result(&end)
    })
}

/// Whether the first line of a text is a position or the engine protocol's command for one.
pub(crate) fn is_list_of_positions(text: &str) -> bool {
    let first = first_word(text);
    first.starts_with('<') || first == POSITION
}

/// The first word of the engine protocol's command for a position.
const POSITION: &str = "position";

/// A line in which the words of a `position` command are blank, so that columns stay the same.
fn without_command(line: &str, start: Position) -> Cow<'_, str> {
    if line.split_whitespace().next() != Some(POSITION) {
        return line.into();
    }
    let words = line.split_inclusive(char::is_whitespace).map(|word| match word.trim_end() {
        POSITION | "fen" | "startpos" | "moves" => " ".repeat(word.len()).into(),
        _ => Cow::Borrowed(word),
    });
    let line: String = words.collect();
    if line.trim().is_empty() { start.to_string().into() } else { line.into() }
}

/// Reads line `number` of a list; none if it is blank.
pub(crate) fn read_line(
    number: usize,
    line: &str,
    start: Position,
) -> Result<Option<Opening>, TextError> {
    let (body, comment) = line.split_once('#').unwrap_or((line, ""));
    let body = &*without_command(body, start);
    if body.trim().is_empty() {
        return Ok(None);
    }
    // The lists of `kalah openings` have more columns after the name.
    let name = match comment.trim().split('\t').next() {
        None | Some("") => format!("line {number}"),
        Some(name) => name.to_owned(),
    };
    let (position, letters, before) = split_position(body, start.variant())
        .map_err(|error| TextError(format!("line {number}: {error}")))?;
    let opening = Opening::new(name, position.unwrap_or(start), letters);
    opening.map(Some).map_err(|(column, error)| {
        TextError(format!("line {number}, column {}: {error}", before + column))
    })
}

/// The opening on line `number`, unless its moves end the game.
fn checked(opening: Opening, number: usize) -> Result<Opening, TextError> {
    if opening.position().is_over() {
        let expected = "expected a position with moves left to play, got a finished game";
        return Err(TextError(format!("line {number}: {expected}")));
    }
    Ok(opening)
}

/// The position at the beginning of a line, if there is one, the rest of the line, and
/// the number of characters before the rest.
fn split_position(
    body: &str,
    variant: Variant,
) -> Result<(Option<Position>, &str, usize), BoardError> {
    if !body.trim_start().starts_with('<') {
        return Ok((None, body, 0));
    }
    let Some(close) = body.find('>') else {
        return Ok((Some(Position::parse_or(body, variant.capture())?), body, 0));
    };
    let after = &body[close + 1..];
    // A side to move is a word of its own: the S of `SB` is a move.
    let side = after.trim_start();
    let is_side = side.starts_with(['S', 's', 'N', 'n'])
        && !side[1..].starts_with(|c: char| !c.is_whitespace());
    let mut end = if is_side { body.len() - side.len() + 1 } else { close + 1 };
    // So is a capture rule.
    let rule = body[end..].trim_start();
    let word = rule.split_whitespace().next().unwrap_or_default();
    if word.parse::<Capture>().is_ok() {
        end = body.len() - rule.len() + word.len();
    }
    let (text, rest) = body.split_at(end);
    Ok((Some(Position::parse_or(text, variant.capture())?), rest, text.chars().count()))
}

/// Games as different openings: all moves of an unfinished game, and those of a
/// finished one that are marked as its opening, as in the games of a match.
///
/// # Errors
/// [`TextError`] if a game is over after these moves. Its number is reported as its line.
pub(crate) fn from_games(games: &[Game]) -> Result<Vec<Opening>, TextError> {
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    for (number, game) in (1..).zip(games) {
        let mut opening = Opening::from_game(game);
        if game.ending().is_none() || opening.moves.is_empty() {
            opening.moves = game.moves().map(|r#move| r#move.pit).collect();
        }
        if opening.name.is_empty() {
            opening.name = game.event.clone().unwrap_or_else(|| format!("game {number}"));
        }
        let opening = checked(opening, number)?;
        if seen.insert((opening.start, opening.moves.clone())) {
            openings.push(opening);
        }
    }
    some(openings)
}

fn some(openings: Vec<Opening>) -> Result<Vec<Opening>, TextError> {
    if openings.is_empty() {
        return Err(TextError("expected at least one opening, got none".to_owned()));
    }
    Ok(openings)
}

/// `count` openings of `plies` random moves from `start`, leading to different positions
/// where possible. The ids of a match's games depend on them, so a seed must give the same
/// openings in every version. Logs a warning if games were over before that many moves.
pub fn random(start: Position, plies: usize, count: usize, seed: u64) -> Vec<Opening> {
    // Consecutive draws that may hit known positions. With few plies there can be fewer
    // positions than openings; a repeated position is accepted after that many draws.
    const MAX_REPEATED_DRAWS: usize = 200;
    let mut random = SplitMix64::new(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    let mut tries = 0;
    while openings.len() < count {
        let opening = random_opening(start, plies, openings.len() + 1, &mut random);
        // By position and not by moves: transpositions would repeat games under other names.
        tries += 1;
        if seen.insert(opening.position()) || tries > MAX_REPEATED_DRAWS {
            openings.push(opening);
            tries = 0;
        }
    }
    let short = openings.iter().filter(|opening| opening.moves.len() < plies).count();
    if short > 0 {
        let moves = counted(plies as u64, "move");
        log::warn!("{short} of {count} openings have fewer than {moves}: games would be over");
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
        let Some(pit) = legal.iter().nth(random.below(legal.len().max(1))) else { break };
        // On a small board a random game can end early: the players need a move to make.
        if after.play(pit).is_err() || after.is_over() {
            break;
        }
        position = after;
        moves.push(pit);
    }
    Opening { name: format!("random {number}"), start, moves }
}

/// An opening as the configuration of a match stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningText {
    name: String,
    #[serde(flatten)]
    position: PositionText,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    moves: String,
}

impl From<Opening> for OpeningText {
    fn from(opening: Opening) -> Self {
        Self {
            moves: opening.letters(),
            position: PositionText::new(&opening.start),
            name: opening.name,
        }
    }
}

impl TryFrom<OpeningText> for Opening {
    type Error = TextError;

    fn try_from(text: OpeningText) -> Result<Self, TextError> {
        let OpeningText { name, position, moves } = text;
        let start =
            position.position().map_err(|error| TextError(format!("opening {name}: {error}")))?;
        Self::new(name.clone(), start, &moves).map_err(|(column, error)| {
            TextError(format!("opening {name}: column {column}: {error}"))
        })
    }
}
