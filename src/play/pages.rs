//! Longer answers as lines of text: moves, values, the analysis of a game, help.
//!
//! All pure, and at most as wide as they are told, from 40 columns on.

use super::game::{Game, Made, Step};
use super::input::COMMANDS;
use super::levels::{LEVELS, Level};
use super::thinker::Judged;
use crate::game::{Pit, Position, Side};
use crate::score::{Turn, Value};
use crate::search::Info;
use crate::view::board::Glyphs;
use crate::view::sentence::{self, seeds};
use crate::view::text::{Line, Role, wrapped};

/// A value in seeds, with its sign: `+2.5`, or `+4` if it is proved.
pub fn in_seeds(value: Value, proved: bool) -> String {
    let seeds = value.seeds();
    if proved { format!("{seeds:+.0}") } else { format!("{seeds:+.1}") }
}

/// The moves made, a line for each turn of South and the answer to it.
pub fn moves(game: &Game) -> Vec<Line> {
    let turns = turns(game.steps());
    if turns.is_empty() {
        return vec![Line::plain("No moves yet.")];
    }
    let mut lines: Vec<Line> = Vec::new();
    let mut number = 0;
    for (side, letters) in turns {
        if side == Side::South || lines.is_empty() {
            number += 1;
            let mut line = Line::default().with(Role::Quiet, format!("{number:>3}. "));
            let start = if side == Side::South {
                format!("{letters:<10}")
            } else {
                format!("{:<10}", "...")
            };
            line.push(Role::Of(Side::South), start);
            if side == Side::North {
                line.push(Role::Of(side), letters);
            }
            lines.push(line);
        } else if let Some(line) = lines.last_mut() {
            line.push(Role::Of(side), letters);
        }
    }
    let undone = game.undone().len();
    if undone > 0 {
        lines.push(
            Line::default().with(Role::Quiet, format!("({undone} more undone; redo or next)")),
        );
    }
    lines
}

/// The letters of each turn; extra turns stand together.
pub fn turns(steps: &[Made]) -> Vec<(Side, String)> {
    let mut turns: Vec<(Side, String)> = Vec::new();
    for made in steps {
        let text = match made.step {
            Step::Sow(pit) => pit.letter(made.side).to_string(),
            Step::Swap => "(swap) ".to_owned(),
        };
        match turns.last_mut() {
            Some((side, letters)) if *side == made.side => letters.push_str(&text),
            _ => turns.push((made.side, text)),
        }
    }
    turns
}

/// What each pit is worth, the best first.
pub fn values(position: &Position, lines: &[Info], width: usize) -> Vec<Line> {
    let side = position.side();
    let Some(best) = lines.first() else {
        return vec![Line::plain("There is nothing to judge.")];
    };
    let mut page = vec![
        Line::default().with(Role::Strong, format!("{side}'s margin at the end, pit by pit:")),
    ];
    for info in lines {
        let Some(pit) = info.pv.first() else { continue };
        let value = in_seeds(info.margin, info.proved);
        let role = if info.margin == best.margin { Role::Good } else { Role::Plain };
        let mut line = Line::plain("  ").with(Role::Mover(side), pit.letter(side).to_string());
        line.push(role, format!("  {value:>6}"));
        let kind = if info.proved { "exact".to_owned() } else { format!("depth {}", info.depth) };
        let mut play = line_of_play(position, &info.pv, 10);
        // Cut at the end of a turn.
        while line.width() + 13 + play.len() > width {
            play.truncate(play.rfind(' ').unwrap_or(0));
        }
        line.push(Role::Quiet, format!("  {kind:<9}  {play}"));
        page.push(line);
    }
    page
}

/// The letters of a line of play, spaces where the turn passes.
pub fn line_of_play(position: &Position, pits: &[Pit], longest: usize) -> String {
    let mut text = String::new();
    for played in position.replay(pits).take(longest) {
        text.push(played.letter());
        if played.turn == Turn::Passes {
            text.push(' ');
        }
    }
    text.trim_end().to_owned()
}

/// The commands and what they do.
pub fn help(position: &Position, width: usize) -> Vec<Line> {
    let [first, last] = super::input::ends(position, position.side());
    let mut page = vec![
        Line::default()
            .with(Role::Strong, format!("{first} to {last}"))
            .with(Role::Plain, "  sow that pit; case does not matter"),
    ];
    for command in COMMANDS {
        let usage = command.usage();
        let short = command.short.map(|short| format!(" ({short})")).unwrap_or_default();
        page.push(
            Line::default()
                .with(Role::Strong, format!("{usage}{short}"))
                .with(
                    Role::Plain,
                    " ".repeat(14usize.saturating_sub(usage.len() + short.len()).max(1)),
                )
                .with(Role::Plain, command.about),
        );
    }
    let tail = "The beginning of a command is enough if no other begins so.";
    page.extend(wrapped(tail, width).into_iter().map(Line::plain));
    page
}

/// The line in as many as it needs, roles lost where it is too long.
pub fn folded(line: Line, width: usize) -> Vec<Line> {
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

/// The levels; `now` is marked.
pub fn levels(now: Option<Level>) -> Vec<Line> {
    let line = |level: Level| {
        let mark = if now == Some(level) { "* " } else { "  " };
        Line::plain(mark)
            .with(Role::Strong, format!("{:<9}", level.name))
            .with(Role::Plain, format!(" {}", level.about))
    };
    LEVELS.map(line).into()
}

/// The rules of the game on this board.
pub fn rules(position: &Position, width: usize) -> Vec<Line> {
    let sentences = sentence::rules(position);
    sentences.iter().flat_map(|text| wrapped(text, width)).map(Line::plain).collect()
}

/// Where each side lost how many seeds: a summary, the moves that lost most,
/// and a chart of what the game was worth.
pub fn analysis(game: &Game, judged: &[Judged], width: usize, glyphs: Glyphs) -> Vec<Line> {
    let sowings: Vec<&Made> = game.steps().iter().filter(|made| made.played.is_some()).collect();
    let both: Vec<(&Made, &Judged)> = sowings.into_iter().zip(judged).collect();
    if both.is_empty() {
        return vec![Line::plain("No moves to analyse yet.")];
    }
    let mut page = summary(&both);
    page.push(Line::default());
    page.extend(losses(&both));
    page.push(Line::default());
    page.extend(chart(&both, width, glyphs));
    page
}

fn summary(both: &[(&Made, &Judged)]) -> Vec<Line> {
    Side::BOTH
        .map(|side| {
            let mine = both.iter().filter(|(made, _)| made.side == side);
            let (count, lost, slips) =
                mine.fold((0, Value::ZERO, 0), |(count, lost, slips), (_, judged)| {
                    let loss = judged.loss();
                    (count + 1, lost + loss, slips + u32::from(is_slip(loss)))
                });
            let lost = lost.seeds();
            Line::default()
                .with(Role::Mover(side), side.name())
                .with(Role::Plain, format!(" lost {lost:.1} seeds in {count} sowings,"))
                .with(Role::Plain, format!(" {slips} of them slips"))
        })
        .into()
}

/// Whether a loss is worth a line in the table: half a seed or more.
fn is_slip(loss: Value) -> bool {
    loss.0 >= Value::SEED / 2
}

/// The sowings that lost at least half a seed.
fn losses(both: &[(&Made, &Judged)]) -> Vec<Line> {
    let slips = both.iter().enumerate().filter(|(_, (_, judged))| is_slip(judged.loss()));
    let mut lines: Vec<Line> = slips
        .map(|(index, (made, judged))| {
            let letter = |pit: Pit| pit.letter(made.side);
            let lost = judged.loss().seeds();
            let exact = if judged.proved { "exact" } else { "" };
            Line::default()
                .with(Role::Quiet, format!("{:>4}  ", index + 1))
                .with(Role::Of(made.side), format!("{:<6}", made.side.name()))
                .with(Role::Strong, format!("{:>4}", letter(judged.pit)))
                .with(Role::Good, format!("{:>6}", letter(judged.best)))
                .with(Role::Bad, format!("{lost:>6.1}"))
                .with(Role::Quiet, format!("  {exact}"))
        })
        .collect();
    if lines.is_empty() {
        return vec![Line::plain("Nobody lost as much as half a seed in one sowing.")];
    }
    let head = "   #  side  sown  best  lost";
    lines.insert(0, Line::default().with(Role::Quiet, head));
    lines
}

/// Lines of the chart above and below its middle.
const CHART_HEIGHT: i32 = 4;

/// South's margin at the end as the game went on, a column for a sowing, or
/// for several if there is no room.
fn chart(both: &[(&Made, &Judged)], width: usize, glyphs: Glyphs) -> Vec<Line> {
    let room = width.saturating_sub(8).clamp(8, 72);
    let for_each = both.len().div_ceil(room);
    let margins: Vec<i32> = both
        .chunks(for_each)
        .map(|sowings| {
            let (made, judged) = sowings[sowings.len() - 1];
            match made.side {
                Side::South => judged.value.0,
                Side::North => -judged.value.0,
            }
        })
        .collect();
    let largest = margins.iter().map(|margin| margin.abs()).max().unwrap_or(0);
    let step = (largest / CHART_HEIGHT).max(Value::SEED / 2);
    let [full, middle] = match glyphs {
        Glyphs::Unicode => ['█', '─'],
        Glyphs::Ascii => ['#', '-'],
    };
    let mut lines = vec![Line::default().with(Role::Strong, "South's margin, sowing by sowing")];
    for level in (-CHART_HEIGHT..=CHART_HEIGHT).rev() {
        let side = if level > 0 { Side::South } else { Side::North };
        let bar = |&margin: &i32| {
            let reached = (f64::from(margin) / f64::from(step)).round() as i32;
            match level {
                0 => middle,
                1.. if reached >= level => full,
                ..0 if reached <= level => full,
                _ => ' ',
            }
        };
        let label = match level.abs() {
            CHART_HEIGHT | 0 => {
                format!("{:>+5.0} ", Value(level * step).seeds())
            }
            _ => " ".repeat(6),
        };
        let bars: String = margins.iter().map(bar).collect();
        let role = if level == 0 { Role::Quiet } else { Role::Of(side) };
        lines.push(Line::default().with(Role::Quiet, label).with(role, bars));
    }
    if for_each > 1 {
        lines.push(Line::plain(format!("One column stands for {}.", sowings(for_each))));
    }
    lines
}

fn sowings(count: usize) -> String {
    format!("{count} sowings")
}

/// What the engine would sow, in a sentence.
pub fn hint(position: &Position, info: &Info) -> String {
    let side = position.side();
    let Some(&pit) = info.pv.first() else {
        return "There is nothing to hint at.".to_owned();
    };
    let value = in_seeds(info.margin, info.proved);
    let exact = if info.proved { "exactly" } else { "about" };
    let count = u32::from(position.row(side)[pit.index()]);
    format!(
        "Hint: {} ({}), for a margin of {exact} {value} at the end. Line: {}",
        pit.letter(side),
        seeds(count),
        line_of_play(position, &info.pv, 10)
    )
}
