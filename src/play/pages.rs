//! Longer messages as lines of text: moves, values, the analysis of a game, help.
//!
//! Pure functions; the lines are at most as wide as asked for, from 40 columns on.

use super::command::COMMANDS;
use super::event::MoveLoss;
use super::game::Game;
use super::seat::{LEVELS, Level};
use crate::game::score::{Turn, Value};
use crate::game::{Pit, Position, Side};
use crate::record::{self, Step};
use crate::report::format::{counted, signed, wrapped};
use crate::search::Info;
use crate::view::board::Glyphs;
use crate::view::sentence::{self, seeds};
use crate::view::text::{Line, Role};

/// A value in seeds, with its sign: `+2.5`, or `+4` if it is proved.
pub(crate) fn in_seeds(value: Value, proved: bool) -> String {
    signed(value.seeds(), if proved { 0 } else { 1 })
}

/// `one move`, `12 moves`.
pub(crate) fn number_of_moves(count: usize) -> String {
    if count == 1 { "one move".to_owned() } else { format!("{count} moves") }
}

/// The moves made: South's turn and North's turn after it on each line, which has the
/// number of its first move.
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
    let mut note = |text| lines.push(Line::default().with(Role::Quiet, text));
    if game.undone() > 0 {
        note(format!("({} undone)", game.undone()));
    }
    match game.whole().variations().len() {
        0 => {}
        1 => note("(1 variation)".to_owned()),
        count => note(format!("({count} variations)")),
    }
    lines
}

/// The lines that are not played on, numbered, each from where it leaves the game.
pub(crate) fn variations(game: &record::Game) -> Vec<Line> {
    let lines: Vec<Line> = (1..)
        .zip(game.variations())
        .map(|(number, line)| {
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
            Line::default().with(Role::Quiet, format!("{number:>3}. ")).with(Role::Plain, text)
        })
        .collect();
    if lines.is_empty() { vec![Line::plain("No variations.")] } else { lines }
}

/// The number of its first move, the side and the letters of each turn, extra turns
/// together.
fn turns(record: &record::Game) -> Vec<(usize, Side, String)> {
    let mut turns: Vec<(usize, Side, String)> = Vec::new();
    let mut add = |number, side, text: &str| match turns.last_mut() {
        Some((_, last, letters)) if *last == side => letters.push_str(text),
        _ => turns.push((number, side, text.to_owned())),
    };
    for (number, step) in (1..).zip(record.steps()) {
        add(number, step.played.side, step.played.letter().encode_utf8(&mut [0; 4]));
        if record.swapped_after() == Some(number) {
            add(number + 1, step.after.side(), "(swap) ");
        }
    }
    turns
}

/// The values of the pits, the best first.
pub(crate) fn values(position: &Position, values: &[Info], width: usize) -> Vec<Line> {
    let side = position.side();
    let Some(best) = values.first() else {
        return vec![Line::plain("No pit can be sown.")];
    };
    let mut page = vec![
        Line::default().with(Role::Strong, format!("{side}'s margin at the end, pit by pit:")),
    ];
    for info in values {
        let Some(pit) = info.pv.first() else { continue };
        let value = in_seeds(info.margin, info.proved);
        let role = if info.margin == best.margin { Role::Good } else { Role::Plain };
        let mut line = Line::plain("  ").with(Role::Mover(side), pit.letter(side).to_string());
        line.push(role, format!("  {value:>6}"));
        let kind = if info.proved { "exact".to_owned() } else { format!("depth {}", info.depth) };
        let mut pv = pv_text(position, &info.pv, 10);
        // Cut at the end of a turn.
        while line.width() + 13 + pv.len() > width {
            pv.truncate(pv.rfind(' ').unwrap_or(0));
        }
        line.push(Role::Quiet, format!("  {kind:<9}  {pv}"));
        page.push(line);
    }
    page
}

/// The letters of the first `longest` moves of a pv, spaces where the turn passes.
fn pv_text(position: &Position, pv: &[Pit], longest: usize) -> String {
    let mut text = String::new();
    for played in position.replay(pv).take(longest) {
        text.push(played.letter());
        if played.turn == Turn::Passes {
            text.push(' ');
        }
    }
    text.trim_end().to_owned()
}

/// The commands and what they do.
pub(crate) fn help(position: &Position, width: usize) -> Vec<Line> {
    let line = |names: &str, about: &str| {
        let names = Line::default().with(Role::Strong, format!("{names:<23}"));
        names.with(Role::Plain, format!("  {about}"))
    };
    let pits = position.pit_letters(position.side());
    let mut page = vec![line(&pits, "sow that pit; case does not matter")];
    let mut names = Vec::new();
    for command in &COMMANDS {
        names.push(match command.short {
            "" => command.usage(),
            short => format!("{} ({short})", command.usage()),
        });
        if !command.about.is_empty() {
            page.push(line(&std::mem::take(&mut names).join(", "), command.about));
        }
    }
    let tail = "The beginning of a command is enough if no other begins so.";
    page.extend(wrapped(tail, width).into_iter().map(Line::plain));
    page
}

/// The line, or as many as it takes where it is too long; they have no roles.
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
    let line = |level: Level| {
        let mark = if current == Some(level) { "* " } else { "  " };
        Line::plain(mark)
            .with(Role::Strong, format!("{:<9}", level.name))
            .with(Role::Plain, format!(" {}", level.about))
    };
    let more = "or an algorithm of 'kalah compare tree --help': uct, scout@2s";
    LEVELS.map(line).into_iter().chain([Line::plain(more)]).collect()
}

/// The rules of the game on this board.
pub(crate) fn rules(position: &Position, width: usize) -> Vec<Line> {
    let sentences = sentence::rules(position);
    sentences.iter().flat_map(|text| wrapped(text, width)).map(Line::plain).collect()
}

/// Where each side lost how many seeds: a summary, the moves that lost most,
/// and a chart of South's margin.
pub(crate) fn analysis(
    record: &record::Game,
    losses: &[MoveLoss],
    width: usize,
    glyphs: Glyphs,
) -> Vec<Line> {
    let moves: Vec<_> = record.steps().iter().zip(losses).collect();
    if moves.is_empty() {
        return vec![Line::plain("No moves to analyse yet.")];
    }
    let mut page = Side::BOTH.map(|side| summary(&moves, side)).to_vec();
    page.push(Line::default());
    page.extend(mistakes(&moves));
    page.push(Line::default());
    page.extend(chart(&moves, width, glyphs));
    page
}

fn summary(moves: &[(&Step, &MoveLoss)], side: Side) -> Line {
    let losses = moves.iter().filter(|(step, _)| step.played.side == side);
    let losses: Vec<Value> = losses.map(|(_, loss)| loss.loss()).collect();
    // An empty sum is -0.
    let lost: f64 = losses.iter().map(|&loss| loss.seeds()).sum::<f64>() + 0.0;
    let mistakes = losses.iter().filter(|&&loss| is_mistake(loss)).count();
    let [moves, mistakes] = [(losses.len(), "move"), (mistakes, "mistake")]
        .map(|(count, noun)| counted(count as u64, noun));
    let text = format!(" lost {lost:.1} seeds in {moves}, {mistakes}");
    Line::default().with(Role::Mover(side), side.name()).with(Role::Plain, text)
}

/// Whether a loss is listed: half a seed or more.
fn is_mistake(loss: Value) -> bool {
    loss.0 >= Value::SEED / 2
}

fn mistakes(moves: &[(&Step, &MoveLoss)]) -> Vec<Line> {
    let head = "   #  side  sown  best  lost";
    let mut lines = vec![Line::default().with(Role::Quiet, head)];
    for (index, (step, loss)) in moves.iter().enumerate() {
        if !is_mistake(loss.loss()) {
            continue;
        }
        let side = step.played.side;
        let exact = if loss.proved { "exact" } else { "" };
        let line = Line::default()
            .with(Role::Quiet, format!("{:>4}  ", index + 1))
            .with(Role::Of(side), format!("{:<6}", side.name()))
            .with(Role::Strong, format!("{:>4}", loss.pit.letter(side)))
            .with(Role::Good, format!("{:>6}", loss.best.letter(side)))
            .with(Role::Bad, format!("{:>6.1}", loss.loss().seeds()))
            .with(Role::Quiet, format!("  {exact}"));
        lines.push(line);
    }
    if lines.len() == 1 {
        return vec![Line::plain("No move lost half a seed or more.")];
    }
    lines
}

/// Lines of the chart above and below its middle.
const CHART_HEIGHT: i32 = 4;

/// South's margin at the end as the game went on, as wide as there is room: some columns
/// for a move, or one for several.
fn chart(moves: &[(&Step, &MoveLoss)], width: usize, glyphs: Glyphs) -> Vec<Line> {
    // The widest bars that still look like bars.
    const WIDEST: usize = 8;
    let room = width.saturating_sub(8).max(8);
    let moves_a_column = moves.len().div_ceil(room);
    let columns_a_move = (room / moves.len()).clamp(1, WIDEST);
    let south_margin = |&(step, loss): &(&Step, &MoveLoss)| step.played.side.view_of(loss.margin.0);
    let columns = moves.chunks(moves_a_column);
    let margins: Vec<i32> = columns.filter_map(|moves| moves.last().map(south_margin)).collect();
    let largest = margins.iter().map(|margin| margin.abs()).max().unwrap_or(0);
    let step = (largest / CHART_HEIGHT).max(Value::SEED / 2);
    let mut lines = vec![Line::default().with(Role::Strong, "South's margin, sowing by sowing")];
    for level in (-CHART_HEIGHT..=CHART_HEIGHT).rev() {
        let bar = |&margin: &i32| {
            let reached = (f64::from(margin) / f64::from(step)).round() as i32;
            match level {
                0 => '─',
                1.. if reached >= level => '█',
                ..0 if reached <= level => '█',
                _ => ' ',
            }
        };
        let label = match level.abs() {
            CHART_HEIGHT | 0 => format!("{:>5} ", signed(Value(level * step).seeds(), 0)),
            _ => " ".repeat(6),
        };
        let role = match level {
            0 => Role::Quiet,
            1.. => Role::Of(Side::South),
            _ => Role::Of(Side::North),
        };
        let bars: String =
            margins.iter().flat_map(|margin| vec![bar(margin); columns_a_move]).collect();
        lines.push(Line::default().with(Role::Quiet, label).with(role, bars));
    }
    if moves_a_column > 1 {
        lines.push(Line::plain(format!("One column stands for {moves_a_column} moves.")));
    }
    glyphs.replace_in(lines)
}

/// What a person's move lost, if it is worth a word.
pub(crate) fn coaching(side: Side, loss: &MoveLoss) -> Option<String> {
    let [pit, best] = [loss.pit, loss.best].map(|pit| pit.letter(side));
    let [margin, best_margin] =
        [loss.margin, loss.best_margin].map(|margin| in_seeds(margin, loss.proved));
    let (exact, lost) = match loss.proved {
        true => ("", seeds(loss.loss().rounded().0.unsigned_abs())),
        false => ("about ", format!("{:.1} seeds", loss.loss().seeds())),
    };
    is_mistake(loss.loss()).then(|| {
        format!(
            "Coach: {pit} loses {exact}{lost}: {best} gives a margin of {best_margin}, {pit} of \
             {margin}. undo takes it back."
        )
    })
}

/// The engine's move, in a sentence: what it gains at once, and its value.
pub(crate) fn hint(position: &Position, pit: Pit, info: &Info) -> String {
    let side = position.side();
    let value = in_seeds(info.margin, info.proved);
    let exact = if info.proved { "exactly" } else { "about" };
    let proved = if info.proved { ", proved" } else { "" };
    let played = position.replay(&[pit]).next();
    let reason = played.map_or_else(String::new, |played| match played.turn {
        Turn::Keeps => ", an extra turn".to_owned(),
        Turn::Passes if played.captured > 1 => format!(", captures {}", played.captured - 1),
        Turn::Passes => String::new(),
    });
    format!(
        "Hint: {} ({}){reason}, for a margin of {exact} {value} at the end{proved}. Line: {}",
        pit.letter(side),
        seeds(u32::from(position.row(side)[pit.index()])),
        pv_text(position, &info.pv, 10)
    )
}
