//! `kalah bench`: the signature of the search, or its share of best moves on a suite.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::engines::engine;
use super::failure::Failure;
use super::output::write_document;
use kalah_engine::Engine;
use kalah_engine::bench::{self, Signature};
use kalah_engine::search::{Limits, Stopper};
use kalah_record::suite;
use kalah_sys::files;
use kalah_terminal::progress::ProgressLine;
use kalah_text::names::shortened;
use kalah_text::typed::{POSITIVE_TIME, PlainNumber, duration, number};

/// Measure the search: nodes, time and signature, or the share of best moves found in a suite
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah bench                          the signature is the same on every machine
  kalah bench --threads 2 --deeper 2   time to depth on two threads
  kalah bench --suite tests/data/suite_34_46.tsv --movetime 100ms")]
pub(super) struct BenchArgs {
    /// Search threads; the signature requires exactly one
    #[arg(long, default_value_t = 1, value_parser = number::<u16>(1..=512))]
    threads: u16,
    /// Search DEPTH sowings deeper than the built-in depths
    #[arg(long, value_name = "DEPTH", default_value_t = 0,
          conflicts_with_all = ["suite", "movetime", "nodes", "options"], value_parser = number::<u16>(0..=100))]
    deeper: u16,
    /// Find the best move of each position in FILE, a list with the exact gain of every move
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Time per position of the suite (2s, 500ms, or a number of milliseconds)
    #[arg(long, value_name = "TIME", default_value = "100ms", requires = "suite",
          value_parser = duration(PlainNumber::Milliseconds, POSITIVE_TIME))]
    movetime: Duration,
    /// Nodes per position of the suite instead of a time, for reproducible results
    #[arg(long, requires = "suite", conflicts_with = "movetime", value_parser = number::<u64>(1..))]
    nodes: Option<u64>,
    /// Set an engine option for the suite, such as Hash=256 or EvalFile=weights.txt
    #[arg(
        long = "option",
        value_name = "NAME=VALUE",
        requires = "suite",
        value_parser = assignment
    )]
    options: Vec<(String, String)>,
    /// Print a line for each position
    #[arg(long, short, conflicts_with = "json")]
    verbose: bool,
    /// Print the results as one JSON document that includes each position (doc/records.md)
    #[arg(long)]
    json: bool,
}

/// The fields of `bench --json` that summarise all positions.
#[derive(Serialize)]
struct Measured {
    threads: u16,
    deeper: u16,
    #[serde(flatten)]
    all: Signature,
    signature: Option<u64>,
}

#[derive(Serialize)]
struct MeasuredPosition {
    position: String,
    #[serde(flatten)]
    one: Signature,
}

/// Engine options that the suite or another argument determines.
const DETERMINED: [&str; 7] =
    ["Threads", "OwnBook", "BookFile", "Move Overhead", "Pits", "Seeds", "Capture"];

/// Splits NAME=VALUE; the value may be empty or contain another `=`.
fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("expected NAME=VALUE, got '{}'", shortened(text)))?;
    if DETERMINED.iter().any(|determined| determined.eq_ignore_ascii_case(name)) {
        return Err(format!("'{name}' is determined by the suite or by another argument"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

impl BenchArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match &self.suite {
            Some(suite) => self.solve_suite(suite, out),
            None => self.print_signature(out),
        }
    }

    fn print_signature(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut written = Ok(());
        let mut positions = Vec::new();
        let stopper = Stopper::new();
        let all = bench::measure(self.threads.into(), self.deeper, &stopper, |position, one| {
            if self.verbose && written.is_ok() {
                let ms = one.time.as_millis();
                written = writeln!(out, "{:>12} nodes {ms:>6} ms  {position}", one.nodes);
            }
            // Nobody reads the rest, as in `kalah bench -v | head -1`.
            if written.is_err() {
                stopper.stop();
            }
            positions.push(MeasuredPosition { position: position.to_string(), one });
        })?;
        written?;
        let Self { threads, deeper, .. } = *self;
        let signature = if threads == 1 && deeper == 0 { Some(all.nodes) } else { None };
        if self.json {
            let measured = Measured { threads, deeper, all, signature };
            return write_document("bench", measured, positions, out);
        }
        writeln!(out, "{all}")?;
        if let Some(signature) = signature {
            writeln!(out, "signature {signature}")?;
        }
        Ok(())
    }

    fn solve_suite(&self, file: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        let text = files::read_text(file)?;
        let problems = suite::parse(&text).map_err(Failure::in_file(file))?;
        let mut engine = engine(Engine::DEFAULT_HASH)?;
        // The position sets the variant, which the options must fit: TablePath and EvalFile
        // refuse files for other boards.
        if let Some(problem) = problems.first() {
            engine.set_position(problem.position);
        }
        engine.settings_mut().threads = self.threads.into();
        for (name, value) in &self.options {
            engine.set_option(name, value).map_err(Failure::usage)?;
        }
        engine.require_address_space()?;
        let limits = match self.nodes {
            Some(nodes) => Limits::nodes(nodes),
            None => Limits::time(self.movetime),
        };
        let mut written = Ok(());
        let mut answers = Vec::new();
        let progress = ProgressLine::with_length(problems.len() as u64, "positions");
        let score = suite::solve(&mut engine, &problems, limits, |answer| {
            progress.inc(1);
            if self.verbose && written.is_ok() {
                written = progress.suspend(|| writeln!(out, "{answer}"));
            }
            answers.push(answer);
        });
        drop(progress);
        written?;
        if self.json {
            return write_document("bench --suite", score, answers, out);
        }
        Ok(write!(out, "{score}")?)
    }
}
