//! Measurements of the engine: its signature, and the share of best moves that it finds.
//!
//! The signature is the number of nodes that one thread visits on a fixed set of
//! positions at fixed depths. It is the same on every machine, and a change that is not
//! meant to alter the search must not change it. A suite ([`solve`]), which is a list of
//! positions with the exact gain of each move, measures the quality of play.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::num::ParseIntError;
use std::time::Duration;

use thiserror::Error;

use crate::Engine;
use crate::endgame::Extent;
use crate::search::{self, Limits, Stopper};
use kalah_game::{Depth, Gain, Pit, Position, Variant};
use kalah_sys::clock::Instant;
use kalah_sys::machine::{MemoryError, THREAD_BYTES, processors, require_address_space};
use kalah_sys::stop::Flag;
use kalah_text::format::counted;

/// The positions, one per line: depth, capture rule, position text.
const POSITIONS: &str = include_str!("positions.txt");

/// MiB of the transposition table: part of the signature.
const HASH: usize = 16;

/// Nodes and time of the bench, or of one of its positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "files", derive(serde::Serialize))]
pub struct Signature {
    /// Boards visited by all threads.
    pub nodes: u64,
    /// Wall-clock time.
    #[cfg_attr(feature = "files", serde(rename = "seconds", serialize_with = "seconds"))]
    pub time: Duration,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nodes     {}", self.nodes)?;
        writeln!(f, "time      {} ms", self.time.as_millis())?;
        write!(f, "rate      {:.2} million nodes per second", self.rate() / 1e6)
    }
}

#[cfg(feature = "files")]
fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Signature {
    /// Boards visited per second.
    pub(crate) fn rate(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Bytes of address space that the bench takes: its transposition table, the endgame tables of
/// all boards, and the threads.
fn address_space(threads: usize) -> u64 {
    let variants: HashSet<Variant> = positions().map(|(position, _)| position.variant()).collect();
    let tables = variants.into_iter().map(|variant| Extent::small(variant).build_memory());
    let threads = threads as u64 * (search::STACK_BYTES as u64 + THREAD_BYTES);
    ((HASH as u64) << 20) + tables.sum::<u64>() + threads
}

/// Searches each position from an empty table, `deeper` sowings beyond its depth;
/// `report` receives each position with its nodes. With one thread and `deeper` 0 the
/// nodes are the signature. A stop ends all searches.
///
/// # Errors
/// If there is not enough memory. Searches without their endgame tables would have a different
/// signature.
pub fn measure(
    threads: usize,
    deeper: u16,
    stopper: &Stopper,
    mut report: impl FnMut(&Position, Signature),
) -> Result<Signature, MemoryError> {
    require_address_space(address_space(threads))?;
    let mut engine = Engine::with_hash(HASH)?;
    engine.settings_mut().threads = threads;
    let mut all = Signature::default();
    for (position, depth) in positions() {
        engine.new_game();
        engine.set_position(position);
        // The table is cleared before the clock starts: only the searches are measured.
        let cleared = engine.resources().hash.prepare(&Flag::default(), processors());
        cleared.expect("the flag is never raised");
        let started = Instant::now();
        let limits = Limits::depth(depth + Depth(deeper));
        let result = engine.search(limits, stopper, &mut |_| ());
        let one = Signature { nodes: result.nodes(), time: started.elapsed() };
        all.nodes += one.nodes;
        all.time += one.time;
        report(&position, one);
        if stopper.is_stopped() {
            break;
        }
    }
    Ok(all)
}

fn positions() -> impl Iterator<Item = (Position, Depth)> {
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (depth, rest) = line.split_once(' ').expect("three words");
        let (capture, position) = rest.split_once(' ').expect("three words");
        let capture = capture.parse().expect("a capture rule");
        let position = Position::parse(position, capture).expect("a position");
        (position, Depth(depth.parse().expect("a depth")))
    })
}

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "files", derive(serde::Serialize))]
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

/// Lets `engine` choose a move in each problem within `limits`, from an empty table;
/// `report` receives each problem with the move and the seeds that the move loses.
pub fn solve(
    engine: &mut Engine,
    problems: &[Problem],
    limits: Limits,
    mut report: impl FnMut(&Problem, Pit, Gain),
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
        report(problem, pit, lost);
        score.positions += 1;
        score.best += usize::from(lost == Gain::ZERO);
        score.lost += lost.0;
        let lead = problem.position.lead(problem.position.side());
        let outcomes = [best, best - lost].map(|gain| (lead + gain).0.signum());
        score.spoilt += usize::from(outcomes[0] != outcomes[1]);
        score.nodes += result.nodes();
        let tables = engine.resources().tables(&limits);
        score.table_seeds = tables.map(|tables| tables.seeds()).unwrap_or_default();
    }
    score
}
