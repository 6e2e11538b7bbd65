//! Suites: positions with the exact gain of every move, for measuring how well an engine plays.
//! [`parse`] reads one, and [`solve`] scores an engine on it.

use std::error::Error;
use std::fmt;
use std::num::ParseIntError;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use kalah_engine::Engine;
use kalah_engine::search::{Limits, Stopper};
use kalah_game::{Gain, Position};
use kalah_text::format::counted;

/// A position with the exact gain of each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position to search; its game is not over.
    pub position: Position,
    /// The gain of each pit in sowing order; none where the pit is empty.
    pub gains: Vec<Option<Gain>>,
}

impl Problem {
    /// The position's own gain.
    pub fn best(&self) -> Gain {
        self.gains.iter().flatten().max().copied().unwrap_or_default()
    }
}

/// The position's line in a suite, as [`parse`] reads it.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, gains } = self;
        let capture = position.capture();
        let in_play = position.in_play();
        let best = self.best().0;
        write!(f, "{}\t{capture}\t{in_play}\t{best}", position.without_rule())?;
        for (pit, gain) in gains.iter().enumerate() {
            f.write_str(if pit == 0 { "\t" } else { "," })?;
            match gain {
                Some(gain) => write!(f, "{}", gain.0)?,
                None => f.write_str("-")?,
            }
        }
        Ok(())
    }
}

/// The engine's result on a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SuiteScore {
    /// Positions of the suite that were searched.
    pub positions: usize,
    /// Positions in which a best move was found.
    pub best: usize,
    /// Seeds lost by not playing best moves, in all positions together.
    pub lost: i32,
    /// Positions in which the move spoilt a win, or turned a draw into a loss.
    pub spoilt: usize,
    /// Boards visited by all threads.
    pub nodes: u64,
    /// The maximum number of seeds in play in the endgame tables of the last board.
    pub table_seeds: u32,
}

impl fmt::Display for SuiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, best, lost, .. } = *self;
        let searched = positions.max(1) as f64;
        writeln!(f, "positions {positions}")?;
        writeln!(f, "best      {best} ({:.1} %)", 100.0 * best as f64 / searched)?;
        writeln!(f, "mean loss {:.3} seeds per position", f64::from(lost) / searched)?;
        writeln!(f, "spoilt    {}", counted(self.spoilt as u64, "result"))?;
        writeln!(f, "nodes     {}", self.nodes)?;
        writeln!(f, "tables    {}", counted(self.table_seeds.into(), "seed"))
    }
}

/// Error for a line of a suite that is not a problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {number}: {fault}")]
#[non_exhaustive]
pub struct SuiteError {
    /// The line number, from 1.
    pub number: usize,
    /// What is wrong with the line.
    pub fault: String,
}

/// Parses a suite: lines of `board capture in_play best gains`, separated by tabs, with a gain for
/// each pit in sowing order and `-` for an empty one. All are from the point of view of the player
/// to move. A line with the names of the columns is skipped.
///
/// # Errors
/// [`SuiteError`] about the first faulty line, or about the last one if no line is a problem.
pub fn parse(text: &str) -> Result<Vec<Problem>, SuiteError> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line.starts_with('#') || line.starts_with("board\t") {
            continue;
        }
        let problem =
            problem(line).map_err(|fault| SuiteError { number, fault: fault.to_string() })?;
        problems.push(problem);
    }
    if problems.is_empty() {
        let number = text.lines().count().max(1);
        let fault = "expected at least one position, got none".to_owned();
        return Err(SuiteError { number, fault });
    }
    Ok(problems)
}

fn problem(line: &str) -> Result<Problem, Box<dyn Error>> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[board, capture, _, _, gains] = columns.as_slice() else {
        let got = columns.len();
        let expected = "expected board, capture, seeds in play, best gain and gains";
        return Err(format!("{expected}, got {}", counted(got as u64, "column")).into());
    };
    let capture =
        capture.parse().map_err(|_| format!("expected a capture rule, got '{capture}'"))?;
    let position = Position::parse(board, capture)?;
    let wrong = || format!("expected a gain for each pit with seeds, got '{gains}'");
    let gains: Vec<_> =
        gains.split(',').map(gain).collect::<Result<_, _>>().map_err(|_| wrong())?;
    let row = position.row(position.side());
    if !row.iter().map(|&seeds| seeds > 0).eq(gains.iter().map(Option::is_some)) {
        return Err(wrong().into());
    }
    Ok(Problem { position, gains })
}

/// Parses a gain; `None` for `-`.
fn gain(text: &str) -> Result<Option<Gain>, ParseIntError> {
    if text == "-" { Ok(None) } else { text.parse().map(|gain| Some(Gain(gain))) }
}

/// The move that an engine chose in a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuiteAnswer {
    /// The position of the problem.
    pub position: Position,
    /// The letter of the pit.
    #[serde(rename = "move")]
    pub letter: char,
    /// Seeds that the move loses: 0 for a best move.
    pub lost: Gain,
}

impl fmt::Display for SuiteAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, letter, lost } = self;
        let seeds = counted(lost.0.unsigned_abs().into(), "seed");
        write!(f, "{letter} loses {seeds}  {position}")
    }
}

/// Searches each problem within `limits`, from an empty transposition table, and scores the moves that
/// the engine chooses; `report` receives each of them.
pub fn solve(
    engine: &mut Engine,
    problems: &[Problem],
    limits: Limits,
    mut report: impl FnMut(SuiteAnswer),
) -> SuiteScore {
    let mut score = SuiteScore::default();
    // The search itself is measured: no time is lost between the engine and a manager, and no
    // book may answer.
    engine.settings_mut().overhead = Duration::ZERO;
    engine.settings_mut().own_book = false;
    for problem in problems {
        engine.new_game();
        engine.set_position(problem.position);
        engine.prepare();
        let result = engine.search(limits, &Stopper::new(), &mut |_| ());
        let Some(pit) = result.best else { continue };
        let best = problem.best();
        let lost = best - problem.gains[pit.index()].unwrap_or(best);
        let position = problem.position;
        let letter = pit.letter(position.side());
        report(SuiteAnswer { position, letter, lost });
        score.positions += 1;
        score.best += usize::from(lost == Gain::ZERO);
        score.lost += lost.0;
        let lead = position.lead(position.side());
        let outcomes = [best, best - lost].map(|gain| (lead + gain).0.signum());
        score.spoilt += usize::from(outcomes[0] != outcomes[1]);
        score.nodes += result.nodes();
        let tables = engine.resources().tables(&limits);
        score.table_seeds = tables.map(|tables| tables.seeds()).unwrap_or_default();
    }
    score
}
