//! `kalah proof`: proofs that are too long for one search, in pieces.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Arg, Args, Subcommand};

use super::arguments::{BoardArgs, SolverArgs, output_file};
use super::failure::Failure;
use super::output::write_result;
use kalah_engine::solve::{Order, SolveError};
use kalah_game::{Gain, Interval, Position};
use kalah_proof::{
    ClaimedBounds, PieceCost, Pieces, PiecesError, ProofStatus, Review, WorkEvent, estimator,
    sample,
};
use kalah_terminal::console::Console;
use kalah_text::format::counted;
use kalah_text::names::{argument, shortened};
use kalah_text::typed::{POSITIVE_TIME, PlainNumber, duration, number};

/// Prove a margin in pieces, with any number of workers
///
/// A proof is kept in a folder. Its ledger records every proved bound and how the
/// position is split into questions; each worker answers one question at a time.
/// Workers may run on several machines that share the folder, and a worker that is
/// killed loses at most one piece of work.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  kalah proof plan six-six --seeds 6      prove the exact margin of (6,6)
  kalah proof work six-six                answer its questions until it is proved
  kalah proof status six-six              show proved bounds and open questions
  kalah proof check six-six --sample 0.1  check the ledger, re-prove a tenth of it")]
pub(super) enum ProofCommand {
    Plan(PlanArgs),
    Work(WorkArgs),
    Status(StatusArgs),
    Check(CheckArgs),
}

/// Begin a proof, or change the goal of an existing one
#[derive(Debug, Args)]
#[command(after_help = "\
An existing proof keeps everything proved so far and its --piece, --piece-nodes, --lease and
--fresh unless others are given; its new goal may be about a different position of the same
board. Bounds far from the margin are proved faster, and each of them
is a result in its own right, so prove those first.

Examples:
  kalah proof plan five-four --pits 5                 the exact margin of (5,4)
  kalah proof plan six-six --seeds 6 --at-least 4     is it at least 4?
  kalah proof plan six-six --seeds 6 --piece 60       pieces of at most a minute")]
pub(super) struct PlanArgs {
    /// The folder of the proof, which is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    board: BoardArgs,
    /// Decide whether the margin is at least N [default: prove the exact margin]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<i32>(..))]
    at_least: Option<i32>,
    /// Split a question that takes longer than TIME (90s, 500ms, or a number of seconds) [default:
    /// 600s]
    #[arg(long, value_name = "TIME",
          value_parser = duration(PlainNumber::Seconds, POSITIVE_TIME))]
    piece: Option<Duration>,
    /// Also split a question that takes more than N nodes
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..))]
    piece_nodes: Option<u64>,
    /// Search each question from an empty transposition table, so that its answer can be
    /// reproduced on its own
    #[arg(long)]
    fresh: bool,
    /// Reassign a question if its worker has not reported for TIME [default: 120s]
    #[arg(long, value_name = "TIME",
          value_parser = duration(PlainNumber::Seconds, POSITIVE_TIME))]
    lease: Option<Duration>,
}

/// Answer questions of a proof until its goal is reached
#[derive(Debug, Args)]
#[command(after_help = "\
Ctrl-C stops the worker and releases its question. By default, a worker chooses its tables as
if all free memory were its own: if several workers share a machine, give each of them
--hash and either --tables or --table-seeds.

Examples:
  kalah proof work six-six                            one worker, all processors
  kalah proof work six-six --threads 1 --tables tables --hash 1024
  kalah proof work six-six --time 3600                stop after an hour")]
pub(super) struct WorkArgs {
    /// The folder of the proof
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    resources: SolverArgs,
    /// Keep the transposition table in FILE, so that a worker restarted with that file loses
    /// nothing; each worker needs its own file
    #[arg(long, value_name = "FILE", value_parser = output_file())]
    keep_table: Option<PathBuf>,
    /// Stop after TIME (90s, 500ms, or a number of seconds)
    #[arg(long, value_name = "TIME",
          value_parser = duration(PlainNumber::Seconds, POSITIVE_TIME))]
    time: Option<Duration>,
}

/// Show the proved bounds and the open questions
#[derive(Debug, Args)]
#[command(after_help = "Example:
  kalah proof status openings/6x6-standard-proof")]
pub(super) struct StatusArgs {
    /// The folder of the proof
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Check every line of the ledger, and re-prove a sample of them
#[derive(Debug, Args)]
#[command(mut_args(needs_sample))]
#[command(after_help = "\
The ledger is replayed: every answer must belong to a question that was open, and no two
bounds may contradict each other. The sampled lines are then re-proved by a search with a
different move order that imports nothing from the ledger.

Examples:
  kalah proof check six-six                           replay only
  kalah proof check six-six --sample 1                re-prove every line")]
pub(super) struct CheckArgs {
    /// The folder of the proof
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Re-prove each line with this probability
    #[arg(long, value_name = "PROBABILITY", default_value_t = 0.0, value_parser = probability)]
    sample: f64,
    #[command(flatten)]
    resources: SolverArgs,
}

/// The solver options affect only lines that are re-proved.
fn needs_sample(option: Arg) -> Arg {
    let is_about_all = ["folder", "sample"].contains(&option.get_id().as_str());
    if is_about_all { option } else { option.requires("sample") }
}

fn probability(text: &str) -> Result<f64, String> {
    let probability = text.parse().ok().filter(|p| (0.0..=1.0).contains(p));
    let expected = "expected a probability from 0 to 1";
    probability.ok_or_else(|| format!("{expected}, got '{}'", shortened(text)))
}

impl ProofCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            ProofCommand::Plan(plan) => plan.run(out),
            ProofCommand::Work(work) => work.run(out),
            ProofCommand::Status(status) => status.run(out),
            ProofCommand::Check(check) => check.run(out),
        }
    }
}

impl PlanArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let position = self.board.position()?;
        let Interval { lower, upper } = position.margins();
        if let Some(got) = self.at_least.map(Gain).filter(|got| !(lower..=upper).contains(got)) {
            let fault = format!("expected a margin from {lower} to {upper}, got {got}");
            return Err(Failure::wrong("--at-least", fault));
        }
        // Read before planning, which creates the ledger.
        let known = Pieces::read(&self.folder).ok();
        let done = if known.is_some() { "goal changed" } else { "proof begun" };
        let mut goal = kalah_proof::goal(&position, known.as_ref().map(Pieces::goal))?;
        goal.at_least = self.at_least;
        goal.piece_nodes = self.piece_nodes.or(goal.piece_nodes);
        goal.fresh |= self.fresh;
        if let Some(time) = self.piece {
            goal.piece_seconds = time.as_secs_f64();
        }
        if let Some(time) = self.lease {
            goal.lease_seconds = time.as_secs_f64();
        }
        let pieces = Pieces::plan(&self.folder, goal)?;
        if pieces.question().is_none() {
            writeln!(out, "{done}; the goal is already decided:")?;
            return Ok(write!(out, "{}", pieces.goal_margin())?);
        }
        let folder = argument(&self.folder);
        Ok(writeln!(
            out,
            "{done}; now run 'kalah proof work {folder}', with any number of workers"
        )?)
    }
}

impl WorkArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let started = Instant::now();
        let console = Console::new(None)?;
        let mut pieces = Pieces::open(&self.folder)?;
        if self.keep_table.is_some() && pieces.goal().fresh {
            let refused = "--keep-table: each question of this proof (--fresh) starts with an empty \
                           transposition table";
            return Err(Failure::usage(refused));
        }
        let root = *pieces.root();
        let settings = self.resources.settings_with_cache(root.variant())?;
        let mut solver = console.solver(&root, settings.kept_table(self.keep_table.clone()))?;
        let mut estimate = estimator(pieces.estimate_nodes())?;
        let mut written = Ok(());
        let done = pieces.work(&mut solver, &mut estimate, &mut |event| {
            let continues = match event {
                WorkEvent::Waiting => console.show_message("all questions are taken".to_owned()),
                WorkEvent::Unsaved => {
                    console.show_message("proved bounds are not saved yet".to_owned())
                }
                WorkEvent::Searching(question, progress) => {
                    let asked = format!("at least {}", question.at_least);
                    console.show_search(&format!("{} {asked}", question.letters()), &progress)
                }
                WorkEvent::Finished(question, outcome, cost) => {
                    let outcome = format!("at least {}: {outcome}", question.at_least);
                    let line = question.letters();
                    written = write_searched(&question.position, &outcome, cost, &line, out);
                    !console.stopped()
                }
            };
            continues && !self.is_late(started) && written.is_ok()
        });
        written?;
        match done {
            // The time limit is a normal end, unlike Ctrl-C.
            Err(PiecesError::Solve(SolveError::Stopped)) if self.is_late(started) => {}
            Err(PiecesError::Solve(error)) => return Err(error.into()),
            done => drop(done?),
        }
        Ok(write!(out, "{}", pieces.goal_margin())?)
    }

    fn is_late(&self, started: Instant) -> bool {
        started.elapsed() >= self.time.unwrap_or(Duration::MAX)
    }
}

impl CheckArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let console = Console::new(None)?;
        let (mut review, claims) = Review::replay(&self.folder)?;
        // A different sample each time, so that repeated checks cover more of the ledger.
        let sampled = sample(&claims, self.sample, rand::random());
        self.reprove(&sampled, &mut review, &console, out)?;
        let proved = review.proved;
        let split = review.split;
        let reproved = sampled.len();
        writeln!(out, "lines     {proved} prove bounds, {split} split a question")?;
        writeln!(out, "sampled   {reproved} re-proved by an independent search")?;
        for fault in &review.faults {
            writeln!(out, "fault     {fault}")?;
        }
        if !review.faults.is_empty() {
            let faults = counted(review.faults.len() as u64, "fault");
            return Err(Failure::work(format!("{faults} in the ledger")));
        }
        let pieces = review.into_pieces(&self.folder)?;
        Ok(write!(out, "{}", pieces.goal_margin())?)
    }

    fn reprove(
        &self,
        sampled: &[&ClaimedBounds],
        review: &mut Review,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        // The sample is sorted by seeds in play, so the solver for the last position accepts all.
        let Some(largest) = sampled.last() else { return Ok(()) };
        let settings = self.resources.settings(largest.bare.variant())?;
        let mut solver = console.solver(&largest.bare, settings.order(Order::Independent))?;
        for claim in sampled {
            let name = format!("line {}", claim.line);
            let started = Instant::now();
            let before = solver.nodes();
            let is_right = console.watch(|_| {
                review.reprove(claim, &mut solver, &mut |progress| {
                    console.show_search(&name, &progress)
                })
            })?;
            let outcome = if is_right { "confirmed" } else { "wrong" };
            let seconds = started.elapsed().as_secs_f64();
            let cost = PieceCost { nodes: solver.nodes() - before, seconds };
            let outcome = format!("{}: {outcome}", claim.gain);
            write_searched(&claim.bare, &outcome, cost, &name, out)?;
        }
        Ok(())
    }
}

/// Writes the outcome of a search about a position.
fn write_searched(
    position: &Position,
    outcome: &str,
    cost: PieceCost,
    name: &str,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let in_play = position.in_play();
    let seconds = cost.seconds;
    let nodes = cost.nodes as f64 / 1e6;
    writeln!(
        out,
        "{in_play:>3} seeds  {outcome:<24} {nodes:>9.1} M nodes {seconds:>8.1} s  {name}"
    )?;
    out.flush()
}

impl StatusArgs {
    fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let status = ProofStatus::read(&self.folder)?;
        write_result(&status, self.json, out)
    }
}
