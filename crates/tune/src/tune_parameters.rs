//! The command `kalah-tune spsa`: arguments, the journal of a run, and the table at its end.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, value_parser};
use indicatif::ProgressBar;
use kalah_engine::endgame::Tables;
use kalah_game::{Capture, MAX_SEEDS, Rules};
use kalah_record::TimeControl;
use kalah_sys::files::AccessError;
use kalah_sys::journal::Journal;
use kalah_sys::machine::processors;
use kalah_tables::{Cell, Style, Table};
use kalah_tune::spsa::{self, ParameterValue, Spsa, Step, Tuning, TuningLimit};

/// Tune parameters of the search by games between engines of this process
///
/// After each step, the values are appended to the journal. The same command continues an
/// interrupted run. A match must show whether the new values are better.
#[derive(Debug, Args)]
pub(crate) struct SpsaArgs {
    /// Parameters to tune, each with its first value if it is not the one in use
    #[arg(required = true, value_name = "NAME[=VALUE]")]
    parameters: Vec<String>,
    /// Pairs of games in the whole run; it determines how fast the steps shrink
    #[arg(long, default_value_t = 20_000, value_parser = value_parser!(u64).range(1..))]
    pairs: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// The time control of each player instead, such as 0.1+0.001 (seconds); parameters of time
    /// management need it
    #[arg(long, value_name = "[MOVES/]TIME[+TIME]", conflicts_with = "nodes")]
    tc: Option<TimeControl>,
    /// Pits per row, 1 to 16
    #[arg(long, default_value_t = 6)]
    pits: u32,
    /// Seeds per pit at the start of the games
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u32).range(1..=i64::from(MAX_SEEDS)))]
    seeds: u32,
    /// Random sowings at the start of each pair
    #[arg(long, value_name = "N", default_value_t = 6)]
    random_plies: usize,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Append the values to FILE
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", default_value_t = processors() as u16, hide_default_value = true,
          value_parser = value_parser!(u16).range(1..))]
    threads: u16,
}

/// The maximum number of seeds in play in the endgame tables of a player, as in `kalah`.
const TABLE_SEEDS: u32 = 18;
/// The number of values of each parameter that show the trend.
const TREND: usize = 4;

impl SpsaArgs {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
        let rules = Rules::new(self.pits, self.seeds, Capture::Standard)?;
        let tuning = self.tuning()?;
        let header = serde_json::to_string(&tuning)?;
        let (mut journal, lines) =
            Journal::open(&self.out, &header, None).map_err(AccessError::writing(&self.out))?;
        let steps = lines.iter().map(|line| serde_json::from_str(line));
        let mut steps = steps.collect::<Result<Vec<Step>, _>>()?;
        let threads = usize::from(self.threads);
        let tables = Arc::new(Tables::build(rules.variant(), TABLE_SEEDS, threads)?);
        let mut run = Spsa::new(tuning.clone(), rules, tables, steps.last().cloned())?;
        let progress = ProgressBar::new(self.pairs);
        while run.last().pairs < self.pairs {
            let step = run.step(threads)?;
            journal
                .append(&serde_json::to_string(step)?)
                .map_err(AccessError::writing(&self.out))?;
            progress.set_position(step.pairs);
            steps.push(step.clone());
        }
        progress.finish_and_clear();
        write!(out, "{}", trend(&tuning, &steps).to_text(Style::Aligned))?;
        Ok(())
    }

    fn tuning(&self) -> Result<Tuning, Box<dyn Error>> {
        let mut first = Vec::new();
        for words in &self.parameters {
            let (name, value) = match words.split_once('=') {
                Some((name, value)) => (name, Some(value.parse::<f64>()?)),
                None => (words.as_str(), None),
            };
            let in_use = f64::from(spsa::parameter(name)?.value);
            first.push(ParameterValue { name: name.to_owned(), value: value.unwrap_or(in_use) });
        }
        let limit = match self.tc {
            Some(control) => TuningLimit::Clock(control),
            None => TuningLimit::Nodes(self.nodes),
        };
        // Before the journal is begun, which would keep them.
        spsa::tunable(&first, limit)?;
        Ok(Tuning {
            first,
            pairs: self.pairs,
            limit,
            board: [self.pits, self.seeds],
            random_plies: self.random_plies,
            seed: self.seed,
        })
    }
}

/// The values of a run after each quarter of its steps.
fn trend(tuning: &Tuning, steps: &[Step]) -> Table {
    let mut table =
        Table::new("Values", &["Parameter", "First", "After 1/4", "1/2", "3/4", "Last"]);
    for (at, ParameterValue { name, value }) in tuning.first.iter().enumerate() {
        let mut row: Vec<Cell> = vec![name.as_str().into(), Cell::Number(*value, 1)];
        for quarter in 1..=TREND {
            let step = (steps.len() * quarter).div_ceil(TREND).max(1) - 1;
            row.push(Cell::Number(steps[step].values[at], 1));
        }
        table.push(row);
    }
    table
}
