//! Writes games as `.kgn` text.

use super::annotation;
use crate::game::{Game, Player, Step, turn_numbers};
use kalah_game::Outcome;
use kalah_game::Side;
use kalah_text::foreign;
use kalah_text::format::wrapped;

/// The result of an unfinished game.
pub(super) const UNFINISHED: &str = "*";

/// The word for a swap of sides in a variation; a swap in the main line is a tag.
pub(super) const SWAP: &str = "swap";

/// Moves and comments are wrapped to lines of at most this many columns, unless a word is longer.
const WIDTH: usize = 80;

/// The game as text, with a blank line between tags and moves and one at the end.
pub fn write(game: &Game) -> String {
    let lines = wrapped(&movetext(game).join(" "), WIDTH);
    format!("{}\n{}\n\n", tags(game), lines.join("\n"))
}

#[derive(Default)]
struct TagText(String);

impl TagText {
    fn push(&mut self, name: &str, value: &str) {
        let quoted = value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
            .replace('\r', "\\r");
        // Other control characters are escaped, so that printing a record is always safe.
        self.0 += &format!("[{name} \"{}\"]\n", foreign::lines(&quoted));
    }

    fn push_some(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }
}

fn tags(game: &Game) -> String {
    let mut tags = TagText::default();
    tags.push_some("Event", game.event.as_deref());
    tags.push_some("Date", game.date.as_deref());
    tags.push_some("Number", game.number.map(|number| number.to_string()).as_deref());
    tags.push_some("Id", game.id.as_deref());
    for side in Side::BOTH {
        let Player { name, version, limit, options } = &game.players[side.index()];
        tags.push(side.name(), name);
        tags.push_some(&format!("{side}Version"), version.as_deref());
        tags.push_some(&format!("{side}Limit"), limit.as_deref());
        for (option, value) in options {
            tags.push(&format!("{side}Option"), &format!("{option}={value}"));
        }
    }
    tags.push_some("Opening", game.opening.as_deref());
    tags.push("Position", &game.start().without_rule().to_string());
    tags.push("Capture", game.start().capture().name());
    for (name, value) in game.tags_in_files() {
        tags.push(&name, &value);
    }
    for warning in &game.warnings {
        tags.push("Warning", warning);
    }
    tags.push("Result", result(game));
    if let Some(ending) = game.ending() {
        tags.push("Termination", ending.reason.name());
        tags.push_some("Margin", ending.margin.map(|margin| margin.to_string()).as_deref());
        tags.push_some("Detail", ending.detail.as_deref());
    }
    tags.0
}

fn result(game: &Game) -> &'static str {
    result_name(game.ending().map(|ending| ending.outcome))
}

/// The name of an outcome, or `*` for an unfinished game.
pub(super) fn result_name(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(outcome) => outcome.name(),
        None => UNFINISHED,
    }
}

/// Numbers, letters, comments, variations and the result. A line may end after each of them, and
/// within a comment.
fn movetext(game: &Game) -> Vec<String> {
    let last = game.steps().len().saturating_sub(1);
    let mut variations: Vec<Vec<String>> = vec![Vec::new(); last + 1];
    for line in game.variations() {
        // A variation replaces the move before it, so a variation that continues after the last
        // move has to repeat that move.
        let from = game.shared_moves(&line).min(last);
        let swap = line.swapped_after().filter(|&moves| moves >= from);
        let mut words = line_words(line.steps(), from, swap, &[]);
        words.first_mut().into_iter().for_each(|word| word.insert(0, '('));
        words.last_mut().into_iter().for_each(|word| word.push(')'));
        variations[from].extend(words);
    }
    let comment = game.comment.as_deref().and_then(annotation::write_comment);
    let mut words = Vec::from_iter(comment.as_deref().map(braced));
    words.extend(line_words(game.steps(), 0, None, &variations));
    if game.steps().is_empty() {
        words.append(&mut variations[0]);
    }
    words.push(result(game).to_owned());
    words
}

/// The words of a line of moves, from the move with index `from`: the swap comes before the move
/// with index `swap`, and the `variations` of each move after it.
fn line_words(
    steps: &[Step],
    from: usize,
    swap: Option<usize>,
    variations: &[Vec<String>],
) -> Vec<String> {
    let mut words = Vec::new();
    let mut letters = String::new();
    let mut last_number = None;
    for (index, (number, step)) in turn_numbers(steps).zip(steps).enumerate().skip(from) {
        if last_number.replace(number) != Some(number) {
            end_word(&mut words, &mut letters);
            words.push(format!("{number}."));
        }
        if swap == Some(index) {
            end_word(&mut words, &mut letters);
            words.push(SWAP.to_owned());
        }
        letters.push(step.played.letter());
        if let Some(comment) = annotation::write(&step.r#move) {
            end_word(&mut words, &mut letters);
            words.push(braced(&comment));
        }
        if let Some(variation) = variations.get(index).filter(|words| !words.is_empty()) {
            end_word(&mut words, &mut letters);
            words.extend_from_slice(variation);
        }
    }
    end_word(&mut words, &mut letters);
    if swap == Some(steps.len()) {
        words.push(SWAP.to_owned());
    }
    words
}

fn braced(comment: &str) -> String {
    format!("{{{comment}}}")
}

/// Moves the letters collected so far to `words`, if there are any.
fn end_word(words: &mut Vec<String>, letters: &mut String) {
    if !letters.is_empty() {
        words.push(std::mem::take(letters));
    }
}
