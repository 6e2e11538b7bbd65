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
//! stand together. A comment belongs to the letter before it, and variations in
//! parentheses stand after the move that they replace. The grammar is in
//! `doc/records.md`.

mod annotation;
mod read;

use std::fmt::Write;

use super::{Game, Player, Step};
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

/// A swap of sides in a variation; in the main line a tag says where it is.
const SWAP: &str = "swap";

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

/// Numbers, letters, comments, variations and the result, each a word that may be
/// followed by a line end. The words of a comment stand by themselves.
fn movetext(game: &Game) -> Vec<String> {
    let last = game.steps().len().saturating_sub(1);
    let mut variations: Vec<Vec<String>> = vec![Vec::new(); last + 1];
    for line in game.variations() {
        // In place of the move before it; one that goes on after the last move
        // repeats that.
        let from = game.shared_moves(&line).min(last);
        let swap = line.swapped_after().filter(|&moves| moves >= from);
        let mut words = words(line.steps(), from, swap, &[]);
        words.first_mut().into_iter().for_each(|word| word.insert(0, '('));
        words.last_mut().into_iter().for_each(|word| word.push(')'));
        variations[from].extend(words);
    }
    let mut words = words(game.steps(), 0, None, &variations);
    if game.steps().is_empty() {
        words.append(&mut variations[0]);
    }
    words.push(result(game));
    words
}

/// The words of a line of moves: those after the first `from`, the swap before the
/// move `swap`, and after each move its `variations`.
fn words(
    steps: &[Step],
    from: usize,
    swap: Option<usize>,
    variations: &[Vec<String>],
) -> Vec<String> {
    let mut words = Vec::new();
    let mut number = 0;
    let mut last_side = None;
    let mut letters = String::new();
    let end_turn = |words: &mut Vec<String>, letters: &mut String| {
        words.extend(Some(std::mem::take(letters)).filter(|word| !word.is_empty()));
    };
    for (index, step) in steps.iter().enumerate() {
        let side = step.played.side;
        let is_turn = last_side != Some(side);
        number += usize::from(is_turn && (side == Side::South || last_side.is_none()));
        last_side = Some(side);
        if index < from {
            continue;
        }
        if is_turn || index == from {
            end_turn(&mut words, &mut letters);
            match side {
                Side::South => words.push(format!("{number}.")),
                Side::North if index == from => words.push(format!("{number}...")),
                Side::North => {}
            }
        }
        if swap == Some(index) {
            end_turn(&mut words, &mut letters);
            words.push(SWAP.to_owned());
        }
        letters.push(step.played.letter());
        if let Some(comment) = annotation::write(&step.r#move) {
            end_turn(&mut words, &mut letters);
            words.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
        }
        if let Some(variation) = variations.get(index).filter(|words| !words.is_empty()) {
            end_turn(&mut words, &mut letters);
            words.extend_from_slice(variation);
        }
    }
    end_turn(&mut words, &mut letters);
    if swap == Some(steps.len()) {
        words.push(SWAP.to_owned());
    }
    words
}
