//! `kalah tune`: the data and the weights of the evaluation.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args as ClapArgs, Subcommand};
use indicatif::ProgressBar;

use super::Failure;
use super::arguments::{CaptureArgs, Threads};
use crate::endgame::Tables;
use crate::engine::bench;
use crate::game::{Rules, Variant};
use crate::search::network::Inputs;
use crate::tune::fit::{Sample, fit};
use crate::tune::positions::{self, Labels, Sampling, problems};

/// Make positions with the gain of each move, and fit the evaluation to them
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah tune positions --least 12 --most 40 --games 1000 --per-game 6 -o a.tsv
  kalah tune positions --least 37 --most 72 --searched 10000 -o b.tsv
  kalah tune eval a.tsv b.tsv -o weights.txt
  kalah match -o t.jsonl -e 'kalah name=new option.EvalFile=weights.txt' -e 'kalah name=old' \\
      --each nodes=5000

doc/strength.md says how the weights built in were made.")]
pub(super) struct Args {
    #[command(subcommand)]
    command: TuneCommand,
}

#[derive(Debug, Subcommand)]
enum TuneCommand {
    Positions(PositionsArgs),
    Eval(EvalArgs),
}

/// Take positions from games and find the exact gain of each move
///
/// The games begin with random sowings; then a weak engine plays both sides, and
/// errs at random. The file is a suite for `kalah bench --suite`.
#[derive(Debug, ClapArgs)]
struct PositionsArgs {
    /// Pits a row, 1 to 16
    #[arg(long, default_value_t = 6)]
    pits: u32,
    /// Seeds a pit at the start of the games; of several, each in turn
    #[arg(long, value_delimiter = ',', default_values_t = [4, 5, 6])]
    seeds: Vec<u32>,
    #[command(flatten)]
    capture: CaptureArgs,
    /// Fewest seeds in play
    #[arg(long, default_value_t = 23)]
    least: u32,
    /// Most seeds in play; from about 40 on, each position takes seconds
    #[arg(long, default_value_t = 36)]
    most: u32,
    /// Games to play
    #[arg(long, default_value_t = 300)]
    games: u64,
    /// Positions of a game, at most
    #[arg(long, default_value_t = 1)]
    per_game: usize,
    /// Nodes of each search of the players
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Seed of the random sowings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search each move with so many nodes instead of solving it: not exact
    #[arg(long, value_name = "NODES")]
    searched: Option<u64>,
    /// Build endgame tables up to SEEDS in play
    #[arg(long, value_name = "SEEDS", default_value_t = 20)]
    table_seeds: u32,
    /// Write the positions into FILE
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.command {
            TuneCommand::Positions(args) => args.run(out),
            TuneCommand::Eval(args) => args.run(out),
        }
    }
}

impl PositionsArgs {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let rules = self.seeds.iter().map(|&seeds| Rules::new(self.pits, seeds, self.capture.rule));
        let starts = rules.collect::<Result<Vec<_>, _>>().map_err(Failure::usage)?;
        let variant =
            Variant::new(self.pits as usize, self.capture.rule).map_err(Failure::usage)?;
        let threads = self.threads.count();
        let tables = Arc::new(Tables::build(variant, self.table_seeds, threads)?);
        let sampling = Sampling {
            starts,
            in_play: self.least..=self.most,
            per_game: self.per_game,
            nodes: self.nodes,
            seed: self.seed,
            labels: self.searched.map_or(Labels::Exact, Labels::Searched),
        };
        let failed = |error| Failure::writing(&self.output)(error);
        let write = || -> io::Result<_> {
            let mut file = BufWriter::new(File::create_new(&self.output)?);
            writeln!(file, "board\tcapture\tin_play\tbest\tgains")?;
            writeln!(file, "# {}", self.provenance())?;
            Ok(file)
        };
        let mut file = write().map_err(failed)?;
        let bar = ProgressBar::new(self.games);
        let mut count = 0;
        for first in (0..self.games).step_by(GAMES_AT_ONCE) {
            let last = self.games.min(first + GAMES_AT_ONCE as u64);
            for problem in problems(&sampling, &tables, first..last, threads)? {
                writeln!(file, "{problem}").map_err(failed)?;
                count += 1;
            }
            file.flush().map_err(failed)?;
            bar.set_position(last);
        }
        bar.finish_and_clear();
        writeln!(out, "{count} positions of {} games in {}", self.games, self.output.display())?;
        Ok(())
    }

    /// The command that makes the same positions with the same version.
    fn provenance(&self) -> String {
        let seeds: Vec<String> = self.seeds.iter().map(u32::to_string).collect();
        let labels = self.searched.map(|nodes| format!(" --searched {nodes}")).unwrap_or_default();
        format!(
            "kalah {} tune positions --pits {} --seeds {} --capture {} --least {} --most {} \
             --games {} --per-game {} --nodes {} --seed {}{labels}",
            env!("CARGO_PKG_VERSION"),
            self.pits,
            seeds.join(","),
            self.capture.rule,
            self.least,
            self.most,
            self.games,
            self.per_game,
            self.nodes,
            self.seed,
        )
    }
}

/// Fit the network of the evaluation to labelled positions
///
/// A tenth of them is held out to measure the error. The option EvalFile of the
/// engine reads the weights.
#[derive(Debug, ClapArgs)]
struct EvalArgs {
    /// Files of labelled positions, all of one width
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Passes over the data
    #[arg(long, default_value_t = 20)]
    epochs: usize,
    /// Seed of the first weights and of the order of the data
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the weights into FILE
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Games between two steps of the progress bar.
const GAMES_AT_ONCE: usize = 32;
/// Positions in a row, so mostly of one game, that are fitted to or held out together.
const BLOCK: usize = 100;
/// One block in so many is held out.
const HELD_OUT: usize = 10;

impl EvalArgs {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut problems = Vec::new();
        for file in &self.files {
            let text = fs::read_to_string(file).map_err(Failure::reading(file))?;
            problems.extend(bench::parse(&text).map_err(Failure::in_file(file))?);
        }
        let mut widths = problems.iter().map(|problem| problem.position.pits());
        let pits = match widths.next() {
            Some(pits @ 1..=8) if widths.all(|other| other == pits) => pits,
            _ => {
                let expected = "expected positions of one width, 1 to 8 pits";
                return Err(Failure::Usage(expected.to_owned()));
            }
        };
        let inputs = Inputs::new(pits);
        let (mut fitted, mut held) = (Vec::new(), Vec::new());
        for (index, problem) in problems.iter().enumerate() {
            let held_out = index / BLOCK % HELD_OUT == HELD_OUT - 1;
            let samples = if held_out { &mut held } else { &mut fitted };
            for (board, gain) in positions::labels(problem) {
                samples.push(Sample::new(inputs, board, gain.0));
            }
        }
        writeln!(out, "{} boards, {} held out", fitted.len() + held.len(), held.len())?;
        let mut written = Ok(());
        let model = fit(inputs, &mut fitted, self.epochs, self.seed, |epoch, model| {
            if written.is_ok() {
                written = writeln!(out, "epoch {epoch}: error {:.3}", model.error(&held));
            }
        });
        written?;
        let fitted_error = model.error(&fitted);
        let text = format!(
            "# Weights of the evaluation, fitted by kalah tune eval --epochs {} --seed {}\n\
             # to {} boards: error {fitted_error:.3} seeds, {:.3} on {} boards held out.\n{}",
            self.epochs,
            self.seed,
            fitted.len(),
            model.error(&held),
            held.len(),
            model.network(pits),
        );
        fs::write(&self.output, text).map_err(Failure::writing(&self.output))
    }
}
