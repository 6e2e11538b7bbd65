//! Games as `.kgn` text, in the manner of chess's PGN.
//!
//! ```text
//! [Event "casual"]
//! [South "Ann"]
//! [North "kalah"]
//! [Position "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S"]
//! [Capture "standard"]
//! [Result "*"]
//!
//! 1. CF b {+0.50/12 0.012s 4501n} 2. A {a quiet move} *
//! ```
//!
//! A number stands before each turn of South; the letters of one turn may
//! stand together. A comment belongs to the letter before it. The grammar is
//! in `doc/records.md`.

mod annotation;
mod read;

use std::fmt::Write;

use super::{Game, Player};
use crate::game::Side;

pub use read::read;

/// Names of the tags that have a field of [`Game`](super::Game).
mod tag {
    pub(super) const EVENT: &str = "Event";
    pub(super) const DATE: &str = "Date";
    pub(super) const ROUND: &str = "Round";
    pub(super) const ID: &str = "Id";
    pub(super) const OPENING: &str = "Opening";
    pub(super) const POSITION: &str = "Position";
    pub(super) const CAPTURE: &str = "Capture";
    pub(super) const RESULT: &str = "Result";
    pub(super) const TERMINATION: &str = "Termination";
    pub(super) const MARGIN: &str = "Margin";
    pub(super) const DETAIL: &str = "Detail";
    pub(super) const WARNING: &str = "Warning";
    /// After `South` or `North`.
    pub(super) const VERSION: &str = "Version";
    /// After `South` or `North`.
    pub(super) const LIMIT: &str = "Limit";
    /// After `South` or `North`; one tag an option, `name=value`.
    pub(super) const OPTION: &str = "Option";
}

/// The result of an unfinished game.
const UNFINISHED: &str = "*";

/// Moves and comments are wrapped at this many columns, where words allow it.
const WIDTH: usize = 80;

/// The game as text, with a blank line between tags and moves and one at the end.
pub fn write(game: &Game) -> String {
    let mut text = tags(game);
    text.push('\n');
    let mut column = 0;
    for word in movetext(game) {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += width;
    }
    text.push_str("\n\n");
    text
}

fn tags(game: &Game) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let value = value.replace('\n', "\\n").replace('\r', "\\r");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let mut some = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            tag(name, value);
        }
    };
    some(tag::EVENT, game.event.as_deref());
    some(tag::DATE, game.date.as_deref());
    some(tag::ROUND, game.round.map(|round| round.to_string()).as_deref());
    some(tag::ID, game.id.as_deref());
    for side in Side::BOTH {
        let Player { name, version, limit, options } = &game.players[side.index()];
        some(side.name(), Some(name));
        some(&format!("{side}{}", tag::VERSION), version.as_deref());
        some(&format!("{side}{}", tag::LIMIT), limit.as_deref());
        for (option, value) in options {
            some(&format!("{side}{}", tag::OPTION), Some(&format!("{option}={value}")));
        }
    }
    some(tag::OPENING, game.opening.as_deref());
    some(tag::POSITION, Some(&game.start().to_string()));
    some(tag::CAPTURE, Some(game.start().capture().name()));
    for (name, value) in game.tags_in_files() {
        some(&name, Some(&value));
    }
    for warning in &game.warnings {
        some(tag::WARNING, Some(warning));
    }
    some(tag::RESULT, Some(&result(game)));
    if let Some(ending) = game.ending() {
        some(tag::TERMINATION, Some(ending.reason.name()));
        some(tag::MARGIN, ending.margin.map(|margin| margin.to_string()).as_deref());
        some(tag::DETAIL, ending.detail.as_deref());
    }
    text
}

fn result(game: &Game) -> String {
    game.ending().map_or(UNFINISHED.to_owned(), |ending| ending.outcome.to_string())
}

/// Numbers, letters, comments and the result, each a word that may be followed
/// by a line end. The words of a comment stand by themselves.
fn movetext(game: &Game) -> Vec<String> {
    let mut words = Vec::new();
    let mut number = 0;
    let mut last_side = None;
    let mut letters = String::new();
    for step in game.steps() {
        let side = step.played.side;
        if last_side != Some(side) {
            words.extend(Some(std::mem::take(&mut letters)).filter(|word| !word.is_empty()));
            match (side, last_side) {
                (Side::South, _) => {
                    number += 1;
                    words.push(format!("{number}."));
                }
                (Side::North, None) => {
                    number += 1;
                    words.push(format!("{number}..."));
                }
                (Side::North, Some(_)) => {}
            }
            last_side = Some(side);
        }
        letters.push(step.played.letter());
        if let Some(comment) = annotation::write(&step.r#move) {
            words.push(std::mem::take(&mut letters));
            words.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
        }
    }
    words.extend(Some(letters).filter(|word| !word.is_empty()));
    words.push(result(game));
    words
}
