//! How often the engine finds a best move, on positions with known values.

use std::time::Duration;

use thiserror::Error;

use crate::engine::Engine;
use crate::game::notation::PositionError;
use crate::game::{Pit, Position};
use crate::score::Gain;
use crate::search::{Limits, Stopper};

/// A position with the exact gain of each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// The gain of each pit in sowing order; none where the pit is empty.
    pub gains: Vec<Option<Gain>>,
}

/// What the engine reached on a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Positions tried.
    pub positions: usize,
    /// Positions on which a best move was found.
    pub best: usize,
    /// Seeds lost against best moves, all positions together.
    pub lost: i32,
    /// Boards visited.
    pub nodes: u64,
}

/// Why a suite cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SuiteError {
    /// A line has not the columns of a suite.
    #[error(
        "line {line}: expected board, capture, seeds in play, best gain and gains, got {got} columns"
    )]
    Columns {
        /// The line, from 1.
        line: usize,
        /// The columns there are.
        got: usize,
    },
    /// A board cannot be read.
    #[error("line {line}: {error}")]
    Position {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// A field is no capture rule or no list of a gain for each pit.
    #[error("line {line}: expected {expected}, got '{got}'")]
    Field {
        /// The line, from 1.
        line: usize,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        got: String,
    },
}

/// Reads a suite: a header, then `board capture in_play best gains`, separated
/// by tabs; a gain for each pit in sowing order, `-` for an empty one. The
/// board is seen from the player to move.
///
/// # Errors
/// [`SuiteError`] names the first line that is wrong.
pub fn parse(text: &str) -> Result<Vec<Problem>, SuiteError> {
    let lines = text.lines().enumerate().skip(1);
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(index, line)| problem(index + 1, line)).collect()
}

fn problem(line: usize, text: &str) -> Result<Problem, SuiteError> {
    let columns: Vec<&str> = text.split('\t').collect();
    let &[board, capture, _, _, gains] = columns.as_slice() else {
        return Err(SuiteError::Columns { line, got: columns.len() });
    };
    let wrong = |expected, got: &str| SuiteError::Field { line, expected, got: got.to_owned() };
    let capture = capture.parse().map_err(|_| wrong("a capture rule", capture))?;
    let position =
        Position::parse(board, capture).map_err(|error| SuiteError::Position { line, error })?;
    let values: Option<Vec<_>> = gains.split(',').map(gain).collect();
    let values = values.filter(|values| {
        let given = values.iter().map(Option::is_some);
        let row = position.row(position.side()).iter().map(|&seeds| seeds > 0);
        given.eq(row)
    });
    let gains = values.ok_or_else(|| wrong("a gain for each pit with seeds", gains))?;
    Ok(Problem { position, gains })
}

/// A gain, or nothing for `-`; fails on anything else.
fn gain(text: &str) -> Option<Option<Gain>> {
    match text {
        "-" => Some(None),
        _ => text.parse().ok().map(|gain| Some(Gain(gain))),
    }
}

/// Lets `engine` choose a move on each problem within `limits`, its memory empty
/// at first; `report` hears of each with the move and the seeds it loses.
pub fn solve(
    engine: &mut Engine,
    problems: &[Problem],
    limits: Limits,
    mut report: impl FnMut(&Problem, Pit, Gain),
) -> Score {
    let mut score = Score::default();
    // The time is the engine's own here: nothing is lost on the way.
    engine.settings_mut().overhead = Duration::ZERO;
    for problem in problems {
        engine.new_game();
        engine.set_position(problem.position);
        let result = engine.search(limits, &Stopper::new(), &mut |_| ());
        let Some(pit) = result.best else { continue };
        let best = problem.gains.iter().flatten().max().copied().unwrap_or_default();
        let lost = best - problem.gains[pit.index()].unwrap_or(best);
        report(problem, pit, lost);
        score.positions += 1;
        score.best += usize::from(lost == Gain::ZERO);
        score.lost += lost.0;
        score.nodes += result.info.map_or(0, |info| info.nodes);
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "board\tcapture\tin_play\tbest\tgains\n";

    #[test]
    fn wrong_lines_are_named() {
        let error = |line: &str| parse(&format!("{HEADER}{line}")).unwrap_err().to_string();
        assert!(error("x").contains("line 2: expected board, capture"));
        assert!(error("x\tstandard\t2\t0\t0,-").starts_with("line 2: expected '<'"));
        assert!(error("<2,0,0,1,0,1,0>\twild\t2\t0\t0,-").contains("a capture rule, got 'wild'"));
        assert!(error("<2,0,0,1,0,1,0>\tstandard\t2\t0\t0,0").contains("each pit with seeds"));
    }

    #[test]
    fn a_best_move_loses_nothing() {
        let text = format!("{HEADER}<2,0,0,1,1,1,1>\tstandard\t4\t2\t0,2\n");
        let problems = parse(&text).unwrap();
        let mut engine = Engine::with_hash(1).unwrap();
        let mut moves = Vec::new();
        let score = solve(&mut engine, &problems, Limits::nodes(1000), |_, pit, lost| {
            moves.push((pit, lost));
        });
        assert_eq!(moves, [(Pit::new(1), Gain(0))]);
        assert_eq!((score.positions, score.best, score.lost), (1, 1, 0));
    }
}
