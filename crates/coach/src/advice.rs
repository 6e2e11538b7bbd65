//! The coach's sentences: hints, and explanations of mistakes.

use kalah_game::score::Turn;
use kalah_game::{Pit, Position};
use kalah_record::mark::Mark;
use kalah_record::sentence::seeds;

use crate::explain::{Judgement, Outlook, comparison};

/// Why a person's move was a mistake, if it was one.
pub fn coaching(position: &Position, judgement: &Judgement) -> Option<String> {
    Mark::for_loss(judgement.loss())?;
    let why = comparison(position, judgement, Some(position.side()));
    Some(format!("Coach: {why}."))
}

/// The comment on a newcomer's move: first what it achieved, then that there was a better one, but
/// not which.
pub fn encouragement(position: &Position, judgement: &Judgement) -> String {
    let mark = Mark::for_loss(judgement.loss());
    let praise = match position.replay(&judgement.played.pv).next() {
        // `captured` includes the capturing seed: more than 1 means that the opponent has lost
        // seeds.
        Some(played) if played.captured > 1 => "A capture, well done.",
        Some(played) if played.turn == Turn::Keeps => "An extra turn, well done.",
        _ if mark == Some(Mark::Blunder) => "There is more in this position.",
        _ => "A fair move.",
    };
    if mark.is_none() {
        return praise.to_owned();
    }
    let gain = seeds(judgement.loss().rounded().0.unsigned_abs().max(1));
    format!("{praise} A different pit would gain about {gain} more.")
}

/// The engine's move: its immediate gain and its value, and why the next best move is worse.
pub fn hint(position: &Position, judgement: &Judgement) -> Vec<String> {
    let (side, Judgement { best, played }) = (position.side(), judgement);
    let mover = Outlook { side, reader: Some(side), is_proved: best.proved };
    let proved = if best.proved { ", proved" } else { "" };
    let reason = match position.replay(&best.pv).next() {
        Some(first) if first.turn == Turn::Keeps => ", an extra turn".to_owned(),
        Some(first) if first.captured > 1 => format!(", captures {}", first.captured - 1),
        _ => String::new(),
    };
    let mut texts = vec![format!(
        "Hint: {} ({}){reason}, with which {}{proved}. Line: {}.",
        best.pit().letter(side),
        seeds(u32::from(position.row(side)[best.pit().index()])),
        mover.of(best.margin),
        pv_text(position, &best.pv, 10)
    )];
    if Mark::for_loss(judgement.loss()).is_some() {
        let next = played.pit().letter(side);
        let why = comparison(position, judgement, Some(side));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::JudgedMove;
    use kalah_game::Rules;
    use kalah_game::score::Value;

    #[test]
    fn newcomers_are_told_what_a_move_achieved_but_not_which_one_was_better() {
        let start = Position::start(Rules::default());
        let judged = |pit: &str, margin| JudgedMove {
            pv: vec![start.parse_pit(pit).unwrap()],
            margin: Value(margin),
            proved: false,
        };
        for (played, expected) in [
            (judged("C", 800), "An extra turn, well done."),
            (judged("A", 780), "A fair move."),
            (judged("A", 400), "A fair move. A different pit would gain about 4 seeds more."),
            (
                judged("A", 300),
                "There is more in this position. A different pit would gain about 5 seeds more.",
            ),
            (judged("A", 740), "A fair move. A different pit would gain about 1 seed more."),
        ] {
            let judgement = Judgement { played, best: judged("C", 800) };
            assert_eq!(encouragement(&start, &judgement), expected);
        }
    }
}
