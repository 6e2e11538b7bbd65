//! Longer messages as lines of text: moves, values, the analysis of a game, help.
//!
//! Pure functions; no line is wider than the given width, which must be 40 or more.

use super::command::COMMANDS;
use super::explain::{Judgement, comparison, in_seeds};
use super::game::Game;
use super::seat::{LEVELS, Level};
use crate::game::score::Turn;
use crate::game::{Pit, Position, Side};
use crate::record;
use crate::record::mark::Mark;
use crate::record::{Ending, Outcome, Reason};
use crate::search::Info;
use crate::sys::format::{counted, wrapped};
use crate::view::sentence::{self, seeds};
use crate::view::text::{Line, Role};

/// An error as a sentence.
pub(crate) fn error(error: &str) -> String {
    let mut letters = error.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str().trim_end_matches('.'))
}

/// The moves made: each line has a turn of South and the following turn of North, after
/// the number of its first move.
pub(crate) fn moves(game: &Game) -> Vec<Line> {
    let turns = turns(game.record());
    if turns.is_empty() {
        return vec![Line::plain("No moves yet.")];
    }
    let mut lines: Vec<Line> = Vec::new();
    for (number, side, letters) in turns {
        match lines.last_mut() {
            Some(line) if side == Side::North => line.push(Role::Of(side), letters),
            _ => {
                let mut line = Line::default().with(Role::Quiet, format!("{number:>3}. "));
                if side == Side::North {
                    line.push(Role::Of(Side::South), format!("{:<10}", "..."));
                    line.push(Role::Of(side), letters);
                } else {
                    line.push(Role::Of(side), format!("{letters:<10}"));
                }
                lines.push(line);
            }
        }
    }
    if game.undone() > 0 {
        lines.push(Line::default().with(Role::Quiet, format!("({} undone)", game.undone())));
    }
    let variations = game.whole().variations().len() as u64;
    if variations > 0 {
        let text = format!("({})", counted(variations, "variation"));
        lines.push(Line::default().with(Role::Quiet, text));
    }
    lines
}

/// The variations, numbered, each from where it leaves the game.
pub(crate) fn variations(game: &record::Game) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(game.variations()) {
        let after = game.shared_moves(&line);
        let mut text = format!("after move {after}:");
        let mut last = None;
        for (index, step) in line.steps().iter().enumerate().skip(after) {
            if line.swapped_after() == Some(index) {
                text += " swap";
            }
            if last.replace(step.played.side) != Some(step.played.side) {
                text.push(' ');
            }
            text.push(step.played.letter());
        }
        let number = format!("{number:>3}. ");
        lines.push(Line::default().with(Role::Quiet, number).with(Role::Plain, text));
    }
    if lines.is_empty() { vec![Line::plain("No variations.")] } else { lines }
}

/// Each turn of a player with its extra turns: the number of its first move, the side and
/// the letters of its moves.
fn turns(record: &record::Game) -> Vec<(usize, Side, String)> {
    let mut turns: Vec<(usize, Side, String)> = Vec::new();
    for (number, step) in (1..).zip(record.steps()) {
        let (side, letter) = (step.played.side, step.played.letter());
        match turns.last_mut() {
            Some((_, last, letters)) if *last == side => letters.push(letter),
            _ => turns.push((number, side, letter.to_string())),
        }
        if record.swapped_after() == Some(number) {
            turns.push((number + 1, step.after.side(), "(swap) ".to_owned()));
        }
    }
    turns
}

/// The values of the pits, best first.
pub(crate) fn values(position: &Position, values: &[Info], width: usize) -> Vec<Line> {
    let side = position.side();
    let Some(best) = values.first() else {
        return vec![Line::plain("No pit can be sown.")];
    };
    let mut page =
        vec![Line::default().with(Role::Strong, format!("{side}'s final margin, pit by pit:"))];
    for info in values {
        let Some(pit) = info.pv.first() else { continue };
        let value = in_seeds(info.margin, info.proved);
        let role = if info.margin == best.margin { Role::Good } else { Role::Plain };
        let mut line = Line::plain("  ").with(Role::Mover(side), pit.letter(side).to_string());
        line.push(role, format!("  {value:>6}"));
        let kind = if info.proved { "exact".to_owned() } else { format!("depth {}", info.depth) };
        let mut pv = pv_text(position, &info.pv, 10);
        // Cut after a whole turn.
        while line.width() + 13 + pv.len() > width {
            pv.truncate(pv.rfind(' ').unwrap_or(0));
        }
        line.push(Role::Quiet, format!("  {kind:<9}  {pv}"));
        page.push(line);
    }
    page
}

/// The letters of the first `count` moves of a principal variation, with spaces where the
/// turn passes.
fn pv_text(position: &Position, pv: &[Pit], count: usize) -> String {
    let mut text = String::new();
    for played in position.replay(pv).take(count) {
        text.push(played.letter());
        if played.turn == Turn::Passes {
            text.push(' ');
        }
    }
    text.trim_end().to_owned()
}

/// The commands and what they do.
pub(crate) fn help(position: &Position, width: usize) -> Vec<Line> {
    let pits = position.pit_letters(position.side());
    let mut page = vec![help_line(&pits, "sow that pit; case does not matter")];
    let mut names = Vec::new();
    for command in &COMMANDS {
        names.push(match command.short {
            "" => command.usage(),
            short => format!("{} ({short})", command.usage()),
        });
        if !command.about.is_empty() {
            page.push(help_line(&std::mem::take(&mut names).join(", "), command.about));
        }
    }
    let tail = "A command can be shortened to any unambiguous beginning.";
    page.extend(wrapped(tail, width).into_iter().map(Line::plain));
    page
}

fn help_line(names: &str, about: &str) -> Line {
    Line::default()
        .with(Role::Strong, format!("{names:<23}"))
        .with(Role::Plain, format!("  {about}"))
}

/// The line, folded if it is too long; folded lines lose their roles.
pub(crate) fn folded(line: Line, width: usize) -> Vec<Line> {
    if line.width() <= width {
        return vec![line];
    }
    let text = line.text();
    let mut lines = wrapped(&text, width).into_iter();
    let first = lines.next().unwrap_or_default();
    std::iter::once(Line::plain(first))
        .chain(lines.map(|rest| Line::plain(format!("  {rest}"))))
        .collect()
}

/// The levels, `current` marked.
pub(crate) fn levels(current: Option<Level>) -> Vec<Line> {
    let mut lines = Vec::new();
    for level in LEVELS {
        let mark = if current == Some(level) { "* " } else { "  " };
        let line = Line::plain(mark).with(Role::Strong, format!("{:<9}", level.name));
        lines.push(line.with(Role::Plain, format!(" {}", level.about)));
    }
    lines.push(Line::plain("or an algorithm from 'kalah compare tree --help': uct, scout@2s"));
    lines
}

/// The rules of the game on this board.
pub(crate) fn rules(position: &Position, width: usize) -> Vec<Line> {
    let sentences = sentence::rules(position);
    sentences.iter().flat_map(|text| wrapped(text, width)).map(Line::plain).collect()
}

/// How a game ended, in a sentence: `South wins 40 to 8.`
pub(crate) fn ending(record: &record::Game) -> Option<String> {
    let ending = record.ending()?;
    Some(match (ending.reason, ending.outcome) {
        (Reason::Normal, _) => sentence::of_result(record.position()),
        (Reason::Resignation, Outcome::Won(winner)) => {
            format!("{} resigned; {winner} wins.", winner.other())
        }
        (Reason::Time, Outcome::Won(winner)) => {
            format!("{} ran out of time; {winner} wins.", winner.other())
        }
        _ => result_of(ending),
    })
}

/// How a recorded game ended, in a sentence.
pub(crate) fn result_of(ending: &Ending) -> String {
    let reason = match ending.reason {
        Reason::Normal => String::new(),
        reason => format!(" ({reason})"),
    };
    match ending.outcome {
        Outcome::Won(side) => format!("{side} won{reason}."),
        Outcome::Draw => format!("It was a draw{reason}."),
    }
}

/// The result of a game, what decided it, and what to do next.
#[cfg(feature = "tui")]
pub(crate) fn result(record: &record::Game, person: Option<Side>) -> Vec<Line> {
    let Some(ending) = record.ending() else { return Vec::new() };
    let (role, title) = match (ending.outcome, person) {
        (Outcome::Draw, _) => (Role::Strong, "The game is a draw.".to_owned()),
        (Outcome::Won(winner), Some(side)) if winner == side => (Role::Good, "You win.".to_owned()),
        (Outcome::Won(_), Some(_)) => (Role::Bad, "You lose.".to_owned()),
        (Outcome::Won(winner), None) => (Role::Strong, format!("{winner} wins.")),
    };
    let mut lines = vec![Line::default().with(role, title)];
    if let Outcome::Won(winner) = ending.outcome {
        let loser = winner.other();
        lines.push(Line::plain(match (ending.reason, ending.margin) {
            (Reason::Resignation, _) => format!("{loser} resigned."),
            (Reason::Time, _) => format!("{loser} ran out of time."),
            (_, Some(margin)) => {
                let by = seeds(margin.0.unsigned_abs());
                format!("{} The margin is {by}.", sentence::of_result(record.position()))
            }
            _ => sentence::of_result(record.position()),
        }));
        if let Some(text) = lead_taken(record, winner) {
            lines.push(Line::plain(text));
        }
    }
    let next = "Esc closes this; then x analyses the game, u undoes, :new plays another.";
    lines.extend([Line::default(), Line::default().with(Role::Quiet, next)]);
    lines
}

/// The move from which on the winner had more seeds in store, if it was ahead at the end.
#[cfg(feature = "tui")]
fn lead_taken(record: &record::Game, winner: Side) -> Option<String> {
    let steps = record.steps();
    let behind = steps.iter().rposition(|step| step.after.lead(winner).0 <= 0);
    let number = behind.map_or(1, |index| index + 2);
    let step = steps.get(number - 1)?;
    Some(format!(
        "{winner} took the lead for good at move {number} ({} by {}).",
        step.played.letter(),
        step.played.side
    ))
}

/// Why a person's move was a mistake, if it was one.
pub(crate) fn coaching(position: &Position, judgement: &Judgement) -> Option<String> {
    Mark::of(judgement.loss())?;
    let why = comparison(position, judgement);
    Some(format!("Coach: {why}. Type undo to take it back."))
}

/// The engine's move: its immediate gain and its value, and why the next best move is worse.
pub(crate) fn hint(position: &Position, judgement: &Judgement) -> Vec<String> {
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
    if Mark::of(judgement.loss()).is_some() {
        let next = played.pit().letter(side);
        let why = comparison(position, judgement);
        texts.push(format!("Why not {next}, the next best? {why}."));
    }
    texts
}
