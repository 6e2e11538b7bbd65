//! The analysis of a game: where each side lost seeds, marked as in chess, and the move that
//! decided the game.

use kalah_coach::explain::{JudgedMove, Judgement, comparison, in_seeds};
use kalah_game::{Side, score::Value};
use kalah_record::mark::{self, Mark};
use kalah_record::{Game, Outcome, Step, turn_numbers};
use kalah_text::format::{counted, signed, wrapped};
use kalah_view::board::Glyphs;
use kalah_view::styled::{Role, StyledLine};

/// Where each side lost seeds: a summary, the move that decided the game, the mistakes, and
/// a chart of South's margin.
pub fn listing(
    record: &Game,
    judgements: &[Judgement],
    width: usize,
    glyphs: Glyphs,
) -> Vec<StyledLine> {
    let moves: Vec<_> = record.steps().iter().zip(judgements).collect();
    if moves.is_empty() {
        return vec![StyledLine::plain("No moves to analyse yet.")];
    }
    let mut lines = Side::BOTH.map(|side| summary(&moves, side)).to_vec();
    lines.extend(
        decision(record, &moves)
            .into_iter()
            .flat_map(|text| wrapped(&text, width))
            .map(StyledLine::plain),
    );
    lines.push(StyledLine::default());
    lines.extend(mistakes(record, &moves, width));
    if width >= LABEL_WIDTH + MIN_CHART_WIDTH {
        lines.push(StyledLine::default());
        lines.extend(chart(&moves, width, glyphs));
    }
    lines
}

fn summary(moves: &[(&Step, &Judgement)], side: Side) -> StyledLine {
    let own_moves = moves.iter().filter(|(step, _)| step.played.side == side);
    let losses: Vec<Value> = own_moves.map(|(_, judgement)| judgement.loss()).collect();
    // An empty sum of floats is -0.0, which would be printed with its sign.
    let lost: f64 = losses.iter().map(|&loss| loss.seeds()).sum::<f64>() + 0.0;
    let mut counts = Vec::new();
    for mark in Mark::ALL {
        let count = losses.iter().filter(|&&loss| Mark::for_loss(loss) == Some(mark)).count();
        if count > 0 {
            counts.push(format!("{} ({mark})", mark.counted(count)));
        }
    }
    let mistakes = if counts.is_empty() { "no mistakes".to_owned() } else { counts.join(", ") };
    let moves = counted(losses.len() as u64, "move");
    let text = format!(" lost {lost:.1} seeds in {moves}: {mistakes}");
    StyledLine::default().with(Role::Mover(side), side.name()).with(Role::Plain, text)
}

/// The mistake that decided the game, or the part of it played so far, in a sentence.
fn decision(record: &Game, moves: &[(&Step, &Judgement)]) -> Option<String> {
    let mut margins = Vec::new();
    for (step, judgement) in moves {
        margins.push(Some(judgement.margin_change(step.played.side)));
    }
    let (step, judgement) = moves.last()?;
    let margin = step.played.side.view_of(judgement.played.margin);
    let index = mark::decisive(&margins, Outcome::from_margin(margin.rounded()))?;
    let (step, judgement) = moves[index];
    let side = step.played.side;
    let before = in_prospect(&judgement.best);
    let after = in_prospect(&judgement.played);
    let letter = step.played.letter();
    let turn = turn_numbers(record.steps()).nth(index)?;
    Some(format!("Turn {turn} decided the game: {letter} turned {before} for {side} into {after}."))
}

/// `a win by about 7.6`
fn in_prospect(judged: &JudgedMove) -> String {
    let about = if judged.proved { "" } else { "about " };
    let size = in_seeds(Value(judged.margin.0.abs()), judged.proved);
    match judged.margin.rounded().0 {
        0 => "a draw".to_owned(),
        1.. => format!("a win by {about}{}", &size[1..]),
        _ => format!("a loss by {about}{}", &size[1..]),
    }
}

/// Each mistake, with the reason below it.
fn mistakes(record: &Game, moves: &[(&Step, &Judgement)], width: usize) -> Vec<StyledLine> {
    let head = "turn  side  sown  best  lost";
    let mut lines = vec![StyledLine::default().with(Role::Quiet, head)];
    let turns = turn_numbers(record.steps());
    for ((index, (step, judgement)), turn) in moves.iter().enumerate().zip(turns) {
        let Some(mark) = Mark::for_loss(judgement.loss()) else { continue };
        let side = step.played.side;
        let exact = if judgement.is_proved() { "exact" } else { "" };
        let sown = judgement.played.pit().letter(side);
        let best = judgement.best.pit().letter(side);
        let line = StyledLine::default()
            .with(Role::Quiet, format!("{turn:>4}  "))
            .with(Role::Of(side), format!("{:<6}", side.name()))
            .with(Role::Strong, format!("{sown:>2}{mark:<2}"))
            .with(Role::Good, format!("{best:>6}"))
            .with(Role::Bad, format!("{:>6.1}", judgement.loss().seeds()))
            .with(Role::Quiet, format!("  {exact}"));
        lines.push(line);
        let why = format!("{}.", comparison(record.position_after(index), judgement, None));
        for text in wrapped(&why, width.saturating_sub(6)) {
            lines.push(StyledLine::plain(format!("      {text}")));
        }
    }
    if lines.len() == 1 {
        return vec![StyledLine::plain("No move lost half a seed or more.")];
    }
    lines
}

/// Lines of the chart above and below its middle.
const CHART_HEIGHT: i32 = 4;

/// Columns to the left of the chart.
const LABEL_WIDTH: usize = 6;

/// A narrower chart would show next to nothing, and it cannot be folded.
const MIN_CHART_WIDTH: usize = 8;

/// South's expected final margin over the course of the game, scaled to the width: several
/// columns per move, or several moves per column.
fn chart(moves: &[(&Step, &Judgement)], width: usize, glyphs: Glyphs) -> Vec<StyledLine> {
    // Wider bars no longer look like bars.
    const MAX_BAR_WIDTH: usize = 8;
    let room = (width - LABEL_WIDTH).saturating_sub(2).max(MIN_CHART_WIDTH);
    let moves_a_column = moves.len().div_ceil(room);
    let columns_a_move = (room / moves.len()).clamp(1, MAX_BAR_WIDTH);
    // The last of several moves in a column, so that the chart ends with the result.
    let last_moves = moves.chunks(moves_a_column).filter_map(|moves| moves.last());
    let margins: Vec<i32> =
        last_moves.map(|(step, loss)| step.played.side.view_of(loss.played.margin.0)).collect();
    let largest = margins.iter().map(|margin| margin.abs()).max().unwrap_or(0);
    let step = (largest / CHART_HEIGHT).max(Value::SEED / 2);
    let mut lines = vec![StyledLine::default().with(Role::Strong, "South's margin, move by move")];
    for level in (-CHART_HEIGHT..=CHART_HEIGHT).rev() {
        let label = match level.abs() {
            0 => "    0 ".to_owned(),
            CHART_HEIGHT => format!("{:>5} ", signed(Value(level * step).seeds(), 0)),
            _ => " ".repeat(LABEL_WIDTH),
        };
        let role = match level {
            0 => Role::Quiet,
            1.. => Role::Of(Side::South),
            _ => Role::Of(Side::North),
        };
        let bars: String = margins
            .iter()
            .flat_map(|&margin| {
                vec![bar(f64::from(margin) / f64::from(step), level); columns_a_move]
            })
            .collect();
        lines.push(StyledLine::default().with(Role::Quiet, label).with(role, bars));
    }
    if moves_a_column > 1 {
        lines.push(StyledLine::plain(format!("One column stands for {moves_a_column} moves.")));
    }
    glyphs.replace_in(lines)
}

/// The character at one level of a bar whose height is given in levels.
fn bar(height: f64, level: i32) -> char {
    let height = height.round() as i32;
    match level {
        0 => '─',
        1.. if height >= level => '█',
        ..0 if height <= level => '█',
        _ => ' ',
    }
}
