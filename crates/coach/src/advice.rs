//! The coach's sentences: hints, and explanations of mistakes.

use kalah_game::score::Turn;
use kalah_game::{Pit, Position};
use kalah_record::mark::Mark;
use kalah_record::sentence::seeds;

use crate::explain::{Judgement, comparison, in_seeds};

/// Why a person's move was a mistake, if it was one.
pub fn coaching(position: &Position, judgement: &Judgement) -> Option<String> {
    Mark::for_loss(judgement.loss())?;
    let why = comparison(position, judgement);
    Some(format!("Coach: {why}."))
}

/// The engine's move: its immediate gain and its value, and why the next best move is worse.
pub fn hint(position: &Position, judgement: &Judgement) -> Vec<String> {
    let (side, Judgement { best, played }) = (position.side(), judgement);
    let value = in_seeds(best.margin, best.proved);
    let exact = if best.proved { "exactly" } else { "about" };
    let proved = if best.proved { ", proved" } else { "" };
    let first = position.replay(&best.pv).next();
    let reason = first.map_or_else(String::new, |played| match played.turn {
        Turn::Keeps => ", an extra turn".to_owned(),
        Turn::Passes if played.captured > 1 => format!(", captures {}", played.captured - 1),
        Turn::Passes => String::new(),
    });
    let mut texts = vec![format!(
        "Hint: {} ({}){reason}, for a margin of {exact} {value} at the end{proved}. Line: {}.",
        best.pit().letter(side),
        seeds(u32::from(position.row(side)[best.pit().index()])),
        pv_text(position, &best.pv, 10)
    )];
    if Mark::for_loss(judgement.loss()).is_some() {
        let next = played.pit().letter(side);
        let why = comparison(position, judgement);
        texts.push(format!("Why not {next}, the next best? {why}."));
    }
    texts
}

/// The letters of the first `count` moves of a principal variation, with spaces where the
/// turn passes.
pub fn pv_text(position: &Position, pv: &[Pit], count: usize) -> String {
    let mut text = String::new();
    for played in position.replay(pv).take(count) {
        text.push(played.letter());
        if played.turn == Turn::Passes {
            text.push(' ');
        }
    }
    text.trim_end().to_owned()
}
