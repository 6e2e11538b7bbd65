//! `kalah solve --plan`, `--work`, `--status` and `--check`: a proof in pieces.

use std::cmp::Reverse;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use clap::Args as ClapArgs;
use serde::Serialize;

use super::arguments::number;
use super::failure::Failure;
use super::output::write_json;
use super::solving::{Console, seconds};
use crate::engine::Engine;
use crate::game::depth::Depth;
use crate::game::score::{Gain, Interval};
use crate::game::{Capture, Pit, Position};
use crate::report::format::{counted, duration, short};
use crate::report::{Cell, Style, Table};
use crate::search::{Limits, Stopper};
use crate::solve::ledger::{Cost, Goal};
use crate::solve::pieces::{Event, Outcome, Pieces, PiecesError};
use crate::solve::review::{Open, Review, Status};
use crate::solve::{Order, SolveError, Solver};
use crate::sys::random::SplitMix64;

/// What a proof in pieces cannot be combined with.
const OTHERS: [&str; 6] = ["file", "grid", "moves", "verify", "checkpoint", "limit"];
/// What a mode that does not search ignores.
const SEARCH: [&str; 5] = ["keep_table", "tables", "threads", "hash", "table_seeds"];
/// What `--plan` alone takes.
const BOARD: [&str; 4] = ["position", "pits", "seeds", "rule"];

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Proofs in pieces (doc/pieces.md)")]
pub(super) struct PieceArgs {
    /// Begin a proof of the position in the folder DIR, or give it another goal:
    /// --work answers its questions
    #[arg(long, value_name = "DIR", conflicts_with_all = OTHERS, conflicts_with_all = SEARCH,
          conflicts_with = "json")]
    plan: Option<PathBuf>,
    /// With --plan: prove whether the margin is at least N [default: prove the
    /// exact margin]
    #[arg(long, value_name = "N", requires = "plan", allow_negative_numbers = true, value_parser = number::<i32>(..))]
    at_least: Option<i32>,
    /// With --plan: prove the exact margin
    #[arg(long, requires = "plan", conflicts_with = "at_least")]
    exact: bool,
    /// With --plan: split a question that takes longer
    #[arg(long, value_name = "SECONDS", requires = "plan", default_value_t = 600.0,
          value_parser = seconds)]
    piece: f64,
    /// With --plan: split a question that takes more nodes, too
    #[arg(long, value_name = "N", requires = "plan",
          value_parser = number::<u64>(1..))]
    piece_nodes: Option<u64>,
    /// With --plan: give a question to another worker if its own does not
    /// renew its lease for so long
    #[arg(long, value_name = "SECONDS", requires = "plan", default_value_t = 120.0,
          value_parser = seconds)]
    lease: f64,
    /// Answer questions of the proof in DIR until it is done; any number of workers
    /// may do so at once, on machines that share the folder
    #[arg(long, value_name = "DIR", conflicts_with_all = OTHERS, conflicts_with_all = BOARD,
          conflicts_with_all = ["plan", "json"])]
    work: Option<PathBuf>,
    /// With --work: stop after so long
    #[arg(long, value_name = "SECONDS", requires = "work", value_parser = seconds)]
    time: Option<f64>,
    /// Show how far the proof in DIR is
    #[arg(long, value_name = "DIR", conflicts_with_all = OTHERS, conflicts_with_all = BOARD,
          conflicts_with_all = SEARCH, conflicts_with_all = ["plan", "work"])]
    status: Option<PathBuf>,
    /// Check the proof in DIR: replay every line of its ledger
    #[arg(long, value_name = "DIR", conflicts_with_all = OTHERS, conflicts_with_all = BOARD,
          conflicts_with_all = ["plan", "work", "status", "json", "keep_table"])]
    check: Option<PathBuf>,
    /// With --check: prove each line again with this probability, independently
    #[arg(long, value_name = "PROBABILITY", requires = "check", default_value_t = 0.0,
          value_parser = probability)]
    sample: f64,
}

fn probability(text: &str) -> Result<f64, &'static str> {
    let probability = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    probability.ok_or("expected a probability from 0 to 1")
}

/// Makes a solver for the boards of a position.
type MakeSolver<'s> = dyn Fn(&Position, Order) -> Result<Solver, Failure> + 's;

impl PieceArgs {
    /// Whether the command is about a proof in pieces.
    pub(super) fn are_given(&self) -> bool {
        [&self.plan, &self.work, &self.status, &self.check].iter().any(|folder| folder.is_some())
    }

    /// `position` is that of the board's arguments.
    pub(super) fn run(
        &self,
        position: impl FnOnce() -> Result<Position, Failure>,
        solver: &MakeSolver<'_>,
        json: bool,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if let Some(folder) = &self.plan {
            return self.begin(folder, &position()?, out);
        }
        if let Some(folder) = &self.work {
            return self.work(folder, solver, console, out);
        }
        if let Some(folder) = &self.check {
            return self.check(folder, solver, console, out);
        }
        match &self.status {
            Some(folder) => show_status(folder, json, out),
            None => Ok(()),
        }
    }

    fn begin(
        &self,
        folder: &Path,
        position: &Position,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        /// Nodes of the search that says what the exact margin may be.
        const NODES: u64 = 1_000_000;
        let all = position.total() as i32;
        if let Some(got) = self.at_least.filter(|at_least| !(-all..=all).contains(at_least)) {
            let range = format!("expected --at-least from -{all} to {all}, all seeds");
            return Err(Failure::usage(format!("{range}, got {got}")));
        }
        let goal = Goal {
            root: position.to_string(),
            capture: position.capture(),
            at_least: self.at_least,
            estimate: estimator(NODES)?(position).0,
            piece_seconds: self.piece,
            piece_nodes: self.piece_nodes,
            lease_seconds: self.lease,
        };
        let done = if Pieces::read(folder).is_ok() { "changed the goal" } else { "begun" };
        let pieces = Pieces::plan(folder, goal)?;
        if pieces.question().is_none() {
            writeln!(out, "{done}, which is decided:")?;
            return write_margin(pieces.margin(), pieces.goal().at_least, pieces.reached(), out);
        }
        let folder = folder.display();
        Ok(writeln!(out, "{done}: now run 'kalah solve --work {folder}', any number at once")?)
    }

    fn work(
        &self,
        folder: &Path,
        solver: &MakeSolver<'_>,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let started = Instant::now();
        let mut pieces = Pieces::open(folder)?;
        let root = *pieces.root();
        let mut solver = solver(&root, Order::Standard)?;
        // A hundredth of the work of a piece goes into estimating each of its moves.
        let piece = pieces.piece_nodes() as u64;
        let mut estimate = estimator((piece / 100).clamp(200, 1_000_000))?;
        let is_late = || self.time.is_some_and(|time| started.elapsed().as_secs_f64() >= time);
        let mut written = Ok(());
        let done = pieces.work(&mut solver, &mut estimate, &mut |event| {
            let goes_on = match event {
                Event::Waiting => console.shows("all questions are taken".to_owned()),
                Event::Unsaved => console.shows("what is proved is not saved yet".to_owned()),
                Event::Searching(question, progress) => {
                    let line: String = root.letters(&question.line).collect();
                    console.searches(&format!("{line} at least {}", question.at_least), &progress)
                }
                Event::Finished(question, outcome, cost) => {
                    let line: String = root.letters(&question.line).collect();
                    let asked = (question.position.in_play(), question.at_least);
                    written = write_piece(&line, asked, outcome, cost, out);
                    !console.stopped()
                }
            };
            goes_on && !is_late() && written.is_ok()
        });
        written?;
        match done {
            Err(PiecesError::Solve(SolveError::Stopped)) if is_late() => {}
            Err(PiecesError::Solve(error @ SolveError::Stopped)) => {
                return Err(Failure::Interrupted(error.to_string()));
            }
            done => drop(done?),
        }
        write_margin(pieces.margin(), pieces.goal().at_least, pieces.reached(), out)
    }

    fn check(
        &self,
        folder: &Path,
        solver: &MakeSolver<'_>,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let (mut review, claims) = Review::replay(folder)?;
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut random = SplitMix64::new(clock.as_nanos() as u64);
        let mut sampled: Vec<_> = claims.iter().filter(|_| random.unit() < self.sample).collect();
        // Positions late in the game first, for those before them rest on them; of one
        // position the last line first, for it says most.
        sampled.sort_by_key(|claim| (claim.bare.in_play(), Reverse(claim.line)));
        if let Some(largest) = sampled.last() {
            let mut solver = solver(&largest.bare, Order::Independent)?;
            for claim in &sampled {
                let name = format!("line {}", claim.line);
                let (started, before) = (Instant::now(), solver.nodes());
                let mut watch = |progress| console.searches(&name, &progress);
                let faults_before = review.faults.len();
                review.prove_again(claim, &mut solver, &mut watch).map_err(
                    |error| match error {
                        SolveError::Stopped => Failure::Interrupted(error.to_string()),
                        error => error.into(),
                    },
                )?;
                let is_right = review.faults.len() == faults_before;
                let outcome = if is_right { "proved again" } else { "wrong" };
                let seconds = started.elapsed().as_secs_f64();
                let cost = Cost { nodes: solver.nodes() - before, seconds };
                let in_play = claim.bare.in_play();
                let outcome = format!("{}: {outcome}", claim.gain);
                write_searched(in_play, &outcome, cost, &name, out)?;
            }
        }
        let [proved, split] = review.lines;
        let again = sampled.len();
        writeln!(out, "lines     {proved} prove bounds, {split} split a question")?;
        writeln!(out, "again     {again} proved again by an independent search")?;
        for fault in &review.faults {
            writeln!(out, "fault     {fault}")?;
        }
        if !review.faults.is_empty() {
            return Err(Failure::work(format!(
                "{} in the ledger",
                counted(review.faults.len() as u64, "fault")
            )));
        }
        let pieces = Pieces::read(folder)?;
        write_margin(pieces.margin(), pieces.goal().at_least, pieces.reached(), out)
    }
}

/// What is proved, and the answer to `--at-least` once there is one.
fn write_margin(
    margin: Interval<Gain>,
    at_least: Option<i32>,
    reached: Option<bool>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "margin    {margin}")?;
    if let (Some(at_least), Some(reached)) = (at_least, reached) {
        let answer = if reached { "yes" } else { "no" };
        writeln!(out, "at least  {at_least:+}: {answer}")?;
    }
    Ok(())
}

/// A search that says what a margin may be, with so many nodes for each.
fn estimator(nodes: u64) -> Result<impl FnMut(&Position) -> Gain, Failure> {
    const MEBIBYTES: usize = 16;
    const DEPTH: Depth = Depth(40);
    let mut engine = Engine::with_hash(MEBIBYTES).map_err(Failure::work)?;
    let limits = Limits { depth: Some(DEPTH), ..Limits::nodes(nodes) };
    Ok(move |position: &Position| {
        engine.set_position(*position);
        let found = engine.search(limits, &Stopper::new(), &mut |_| ()).info;
        found.map_or(position.lead(position.side()), |info| info.margin.rounded())
    })
}

fn write_piece(
    line: &str,
    (in_play, at_least): (u32, Gain),
    outcome: Outcome,
    cost: Cost,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let outcome = match outcome {
        Outcome::Proved(gain) => gain.to_string(),
        Outcome::Split => "split".to_owned(),
        Outcome::Superseded => "superseded".to_owned(),
    };
    write_searched(in_play, &format!("at least {at_least}: {outcome}"), cost, line, out)
}

/// The outcome of a search about a position with so many seeds in play.
fn write_searched(
    in_play: u32,
    outcome: &str,
    cost: Cost,
    name: &str,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let nodes = cost.nodes as f64 / 1e6;
    let seconds = cost.seconds;
    writeln!(
        out,
        "{in_play:>3} seeds  {outcome:<24} {nodes:>9.1} M nodes {seconds:>8.1} s  {name}"
    )?;
    out.flush()
}

/// Open questions that are listed beside those being answered.
const LISTED: usize = 8;

/// How far a proof is, as JSON.
#[derive(Serialize)]
struct StatusRow {
    root: String,
    capture: Capture,
    lower: i32,
    upper: i32,
    at_least: Option<i32>,
    reached: Option<bool>,
    asked: Option<i32>,
    moves: Vec<MoveRow>,
    answered: u64,
    split: u64,
    open: usize,
    at_work: usize,
    nodes: u64,
    seconds: f64,
    /// The tenth, fiftieth and ninetieth percentile.
    nodes_left: [f64; 3],
}

#[derive(Serialize)]
struct MoveRow {
    r#move: char,
    lower: i32,
    upper: i32,
}

fn show_status(folder: &Path, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let status = Status::read(folder, LISTED)?;
    match json {
        true => write_json(&StatusRow::of(&status), out),
        false => write_status(&status, out),
    }
}

impl StatusRow {
    fn of(status: &Status) -> Self {
        let side = status.root.side();
        let of_move = |(pit, margin): &(Pit, Interval<Gain>)| MoveRow {
            r#move: pit.letter(side),
            lower: margin.lower.0,
            upper: margin.upper.0,
        };
        Self {
            root: status.root.to_string(),
            capture: status.root.capture(),
            lower: status.margin.lower.0,
            upper: status.margin.upper.0,
            at_least: status.at_least,
            reached: status.reached,
            asked: status.asked.map(|asked| asked.0),
            moves: status.moves.iter().map(of_move).collect(),
            answered: status.finished[0],
            split: status.finished[1],
            open: status.leaves,
            at_work: status.at_work,
            nodes: status.spent.0,
            seconds: status.spent.1,
            nodes_left: status.remaining,
        }
    }
}

fn write_status(status: &Status, out: &mut dyn Write) -> Result<(), Failure> {
    let Status { root, finished: [answered, split], .. } = status;
    let (nodes, seconds) = status.spent;
    writeln!(out, "position  {root} {}", root.capture())?;
    write_margin(status.margin, status.at_least, status.reached, out)?;
    for (pit, margin) in &status.moves {
        writeln!(out, "move {}    {margin}", pit.letter(root.side()))?;
    }
    writeln!(out, "pieces    {answered} answered, {split} split, {} open", status.leaves)?;
    // Before anything is done there is no rate.
    let rate = nodes as f64 / seconds.max(1e-9);
    let (done, took) = (short(nodes as f64), duration(seconds));
    writeln!(out, "done      {done} nodes in {took} of work, {}/s", short(rate))?;
    let Some(asked) = status.asked else { return Ok(writeln!(out, "left      nothing")?) };
    let [low, middle, high] = status.remaining.map(short);
    writeln!(out, "left      about {middle} nodes, 80 % between {low} and {high}")?;
    if nodes > 0 {
        let workers = status.at_work.max(1);
        let seconds = status.remaining.map(|nodes| nodes / rate / workers as f64);
        let [low, middle, high] = seconds.map(duration);
        let who = counted(workers as u64, "worker");
        writeln!(out, "          about {middle}, 80 % between {low} and {high} with {who}")?;
    }
    let caption = format!("Open questions, for a margin of at least {asked}");
    let mut table = Table::new(&caption, &["in play", "at least", "nodes", "moves", "worker"]);
    for Open { question, worker, expected } in &status.open {
        table.push(vec![
            Cell::Count(question.position.in_play().into()),
            Cell::Signed(question.at_least.0.into(), 0),
            Cell::Text(short(*expected)),
            Cell::Text(root.letters(&question.line).collect()),
            worker.clone().map_or(Cell::Empty, Cell::Text),
        ]);
    }
    Ok(write!(out, "\n{}", table.to_text(Style::Aligned))?)
}
