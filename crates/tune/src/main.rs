//! `kalah-tune`: generates training data for the evaluation network, fits its weights, and tunes
//! the parameters of the search.
//!
//! A tool for developers: it parses its arguments, calls the library of this package and writes
//! files. Ctrl-C ends it; the positions of finished batches are then in the file.

#[cfg(feature = "spsa")]
mod tune_parameters;

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, value_parser};
use indicatif::ProgressBar;

use kalah_engine::endgame::Tables;
use kalah_engine::evaluation::network::file::NetworkError;
use kalah_engine::evaluation::network::inputs::Inputs;
use kalah_engine::evaluation::network::{NEURONS, Network};
use kalah_game::{Capture, MAX_SEEDS, Rules, Variant};
use kalah_record::suite;
use kalah_sys::files::{self, AccessError};
use kalah_sys::machine::processors;
use kalah_text::foreign::Foreign;
use kalah_text::format::counted;
use kalah_tune::fit::TrainableNetwork;
use kalah_tune::positions::{Labellers, Sampling, problems};
use kalah_tune::training::TrainingData;

/// Fit the evaluation to positions labelled with the gain of each move
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:
  kalah-tune positions --min-seeds 12 --max-seeds 40 --games 1000 --per-game 6 -o a.tsv
  kalah-tune positions --min-seeds 37 --max-seeds 72 --searched 10000 -o b.tsv
  kalah-tune eval a.tsv b.tsv -o weights.txt
  kalah match -o t.jsonl -e 'kalah name=new option.EvalFile=weights.txt' -e 'kalah name=old' \\
      --each nodes=5000

doc/lab/strength.md documents how the built-in weights were made."
)]
enum TuneCommand {
    Positions(PositionsArgs),
    Eval(EvalArgs),
    #[cfg(feature = "spsa")]
    Spsa(tune_parameters::SpsaArgs),
}

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    let result = match TuneCommand::parse() {
        TuneCommand::Positions(args) => args.run(&mut out),
        TuneCommand::Eval(args) => args.run(&mut out),
        #[cfg(feature = "spsa")]
        TuneCommand::Spsa(args) => args.run(&mut out),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The number of seeds in play, or per pit at the start.
fn seeds() -> clap::builder::RangedI64ValueParser<u32> {
    value_parser!(u32).range(..=i64::from(MAX_SEEDS))
}

/// Sample positions from games and find the exact gain of each move
///
/// The games start with random sowings; then a weak engine plays both sides and makes random
/// errors. The output file can serve as a suite for `kalah bench --suite`.
#[derive(Debug, Args)]
struct PositionsArgs {
    /// Pits per row, 1 to 16
    #[arg(long, default_value_t = 6)]
    pits: u32,
    /// Capture rule: standard or empty-capture
    #[arg(long, value_name = "RULE", default_value_t)]
    capture: Capture,
    /// Seeds per pit at the start of the games; several values are used in turn
    #[arg(long, value_delimiter = ',', default_values_t = [4, 5, 6],
          value_parser = value_parser!(u32).range(1..=i64::from(MAX_SEEDS)))]
    seeds: Vec<u32>,
    /// Minimum number of seeds in play
    #[arg(long, value_name = "SEEDS", default_value_t = 23, value_parser = seeds())]
    min_seeds: u32,
    /// Maximum number of seeds in play; from about 40 upwards, each position takes seconds
    #[arg(long, value_name = "SEEDS", default_value_t = 36, value_parser = seeds())]
    max_seeds: u32,
    /// Games to play
    #[arg(long, default_value_t = 300, value_parser = value_parser!(u64).range(1..))]
    games: u64,
    /// Take at most N positions from each game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    per_game: u64,
    /// Nodes per move of the engine that plays the games
    #[arg(long, default_value_t = 1000)]
    nodes: u64,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Search each move for N nodes instead of solving it; the gains are then estimates
    #[arg(long, value_name = "N")]
    searched: Option<u64>,
    /// Keep only positions in which the engine, searching N nodes, plays a move that loses value.
    /// The games have no random errors, and only positions after which the mover's value fell are
    /// considered
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), conflicts_with = "searched")]
    errors: Option<u64>,
    /// Build endgame tables of up to SEEDS seeds in play
    #[arg(long, value_name = "SEEDS", default_value_t = 20, value_parser = seeds())]
    table_seeds: u32,
    /// Read the endgame tables in DIR (see 'kalah tables build')
    #[arg(long, value_name = "DIR", conflicts_with = "table_seeds")]
    tables: Option<PathBuf>,
    /// Write the positions to FILE
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", default_value_t = processors().min(512) as u16, hide_default_value = true,
          value_parser = value_parser!(u16).range(1..=512))]
    threads: u16,
}

/// Games in a batch, after which positions are written and the progress line advances. In
/// smaller batches, threads would spend more time waiting for the slowest game.
const GAMES_AT_ONCE: usize = 64;

impl PositionsArgs {
    fn run(self, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        if self.min_seeds > self.max_seeds {
            let min = self.min_seeds;
            let max = self.max_seeds;
            let error = format!("--min-seeds: expected at most --max-seeds, {max}, got {min}");
            return Err(error.into());
        }
        let starts = self.seeds.iter().map(|&seeds| Rules::new(self.pits, seeds, self.capture));
        let starts = starts.collect::<Result<_, _>>()?;
        let threads = usize::from(self.threads);
        let variant = Variant::new(self.pits as usize, self.capture)?;
        let tables = Arc::new(match &self.tables {
            Some(folder) => Tables::open(folder, variant)?.warning_of_unused_layers(),
            None => Tables::build(variant, self.table_seeds, threads)?,
        });
        let sampling = Sampling {
            starts,
            in_play: self.min_seeds..=self.max_seeds,
            per_game: self.per_game as usize,
            nodes: self.nodes,
            seed: self.seed,
            searched: self.searched,
            errors: self.errors,
        };
        let labellers = Labellers::new(tables);
        let mut file = self.begin().map_err(AccessError::writing(&self.out))?;
        let progress = ProgressBar::new(self.games);
        // Kept across batches, so that no position occurs twice in the file.
        let mut seen = HashSet::new();
        for first in (0..self.games).step_by(GAMES_AT_ONCE) {
            let last = self.games.min(first + GAMES_AT_ONCE as u64);
            for problem in problems(&sampling, &labellers, first..last, threads, &mut seen)? {
                writeln!(file, "{problem}").map_err(AccessError::writing(&self.out))?;
            }
            file.flush().map_err(AccessError::writing(&self.out))?;
            progress.set_position(last);
        }
        progress.finish_and_clear();
        let positions = counted(seen.len() as u64, "position");
        let games = counted(self.games, "game");
        writeln!(out, "{positions} from {games} in {}", self.out.display())?;
        Ok(())
    }

    /// Creates the output file with its header, which records the version and the arguments.
    fn begin(&self) -> io::Result<BufWriter<File>> {
        let mut file = BufWriter::new(File::create_new(&self.out)?);
        let arguments: Vec<String> =
            env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        let command = arguments.join(" ");
        writeln!(file, "board\tcapture\tin_play\tbest\tgains")?;
        writeln!(file, "# kalah-tune {} {}", env!("CARGO_PKG_VERSION"), Foreign(&command))?;
        Ok(file)
    }
}

/// Fit the network of the evaluation to labelled positions
///
/// About a tenth of the positions are held out to measure the error; the weights in --from may
/// have been fitted to them already. To use the new weights, set the engine's option EvalFile.
#[derive(Debug, Args)]
struct EvalArgs {
    /// Files of labelled positions, all with the same number of pits per row, 1 to 8
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of passes over the data
    #[arg(long, default_value_t = 20)]
    epochs: usize,
    /// Seed for the order of the data and, without --from, for the initial weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Refine the weights in FILE instead of starting from random ones, with smaller steps
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Neurons of the hidden layer, without --from: 64 or 128
    #[arg(long, default_value = "128", value_parser = neurons())]
    neurons: usize,
    /// Write the weights to FILE
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

fn neurons() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["64", "128"]).map(|text| text.parse().expect("a number"))
}

impl EvalArgs {
    fn run(self, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        let mut problems = Vec::new();
        let mut origins = String::new();
        for file in &self.files {
            let text = files::read_text(file)?;
            problems.extend(suite::parse(&text).map_err(in_file(file))?);
            origins += &comments(&text);
        }
        let data = TrainingData::new(&problems)?;
        let TrainingData { pits, mut fitted, held } = data;
        let mut model = match &self.from {
            Some(file) => {
                let text = files::read_text(file)?;
                origins += &format!("# Refined from {}:\n{}", file.display(), comments(&text));
                TrainableNetwork::from(&network(&text, pits).map_err(in_file(file))?)
            }
            None => {
                let inputs = Inputs::new(pits);
                TrainableNetwork::random(inputs, &fitted, self.neurons / NEURONS, self.seed)
            }
        };
        writeln!(out, "{} boards, {} held out", fitted.len() + held.len(), held.len())?;
        writeln!(out, "before the fit: error {:.3}", model.error(&held))?;
        let mut written = Ok(());
        model.fit(&mut fitted, self.epochs, self.seed, |epoch, model| {
            if written.is_ok() {
                written = writeln!(out, "epoch {epoch}: error {:.3}", model.error(&held));
            }
        });
        written?;
        let fitted_error = model.error(&fitted);
        let text = format!(
            "# Weights of the evaluation, fitted by kalah-tune eval --epochs {} --seed {}\n\
             # to {} boards: error {fitted_error:.3} seeds, {:.3} on {} boards held out.\n\
             {origins}{}",
            self.epochs,
            self.seed,
            fitted.len(),
            model.error(&held),
            held.len(),
            model.network(pits),
        );
        Ok(files::replace(&self.out, [text])?)
    }
}

/// The comment lines, which record the origin of data and weights.
fn comments(text: &str) -> String {
    text.lines().filter(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// Parses a file of weights, which must be for boards with `pits` pits per row.
fn network(text: &str, pits: usize) -> Result<Network, String> {
    let network: Network = text.parse().map_err(|error: NetworkError| error.to_string())?;
    if network.pits() == pits {
        return Ok(network);
    }
    Err(format!("expected weights for {pits} pits per row, got {}", network.pits()))
}

/// An error in the file at `path`, for `map_err`.
fn in_file<E: std::fmt::Display>(path: &Path) -> impl FnOnce(E) -> String {
    move |error| format!("{}: {error}", path.display())
}
