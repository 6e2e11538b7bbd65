//! `kalah compare noe`: SCOUT and alpha-beta on Kalah.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::output::ComparisonArgs;
use crate::arguments::GivenOptions;
use crate::failure::Failure;
use kalah_game::{Capture, MAX_PITS, Position, Rules};
use kalah_lab::experiment::claim::Comparison;
use kalah_lab::experiment::condition::{Condition, Evaluation, KalahTrees};
use kalah_lab::experiment::ensemble::Ensemble;
use kalah_lab::experiment::measure::ComparisonPlan;
use kalah_lab::experiment::plan::{GAMES, POSITIONS, Plan};
use kalah_lab::{Algorithm, ChildOrder, ExtraTurns, Method, findings};
use kalah_record::{file, opening::Opening};
use kalah_sys::files;
use kalah_text::typed::{Numbers, number, numbers};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EnsembleKind {
    /// The start position
    Start,
    /// Positions up to 16 random or greedy turns from the start
    Positions,
    /// All positions of games between equal searches
    Games,
}

/// Test claims about SCOUT and alpha-beta on Kalah, as in Noe (1980)
///
/// Without options, the comparison covers boards (6,4) and (6,6), four move orders, three ways to
/// count extra turns, two evaluations and both capture rules, on at least 40 positions and 8 games:
/// a minute and a half on two cores. A sample on which a claim about counts is open doubles up to
/// twice. An option that chooses a condition replaces all of that by a single comparison under the
/// chosen conditions, with these defaults: (6,4), standard captures, depths 1-5, order far,
/// compound turns, 300 positions, algorithms f3,f1,scout,negascout,pvs.
#[derive(Debug, Args)]
#[command(after_long_help = Algorithm::help())]
pub(crate) struct NoeArgs {
    #[command(flatten)]
    options: GivenOptions,
    /// Pits per row: 6 or 4,6 or 3-6
    #[arg(long, default_value = "6", hide_default_value = true,
          value_parser = numbers(1..=MAX_PITS as u16))]
    pits: Numbers,
    /// Seeds per pit: 4 or 4,6
    #[arg(long, default_value = "4", hide_default_value = true,
          value_parser = numbers(1..=u16::MAX))]
    seeds: Numbers,
    /// Capture rule: standard or empty-capture
    #[arg(long, default_value_t, hide_default_value = true)]
    capture: Capture,
    /// Depths in moves: 5 or 2,4 or 1-5
    #[arg(long, default_value = "1-5", hide_default_value = true, value_parser = numbers(1..=200))]
    depths: Numbers,
    /// Move orders: far, near, random, static
    #[arg(long, value_delimiter = ',', default_value = "far", hide_default_value = true)]
    orders: Vec<ChildOrder>,
    /// Depth that an extra turn costs: compound (a whole turn is one move), ply, or free, which for
    /// SCOUT and PVS is a different tree and not only a different way to count
    #[arg(long, value_delimiter = ',', default_value = "compound", hide_default_value = true)]
    extra_turns: Vec<ExtraTurns>,
    /// Source of the positions
    #[arg(long, value_enum, conflicts_with_all = ["position", "openings"])]
    ensemble: Option<EnsembleKind>,
    /// Search this position, as `<pits,S store,N store,S row…,N row…> S`
    #[arg(long, value_name = "TEXT", conflicts_with = "seeds")]
    position: Option<String>,
    /// Search the positions in FILE: lines with a position, moves from the start or both, or games
    /// in either format
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    openings: Option<PathBuf>,
    /// Static evaluation: stores, or mobility, which adds a quarter of a seed for each pit from
    /// which a side can sow
    #[arg(long, default_value_t, hide_default_value = true)]
    evaluation: Evaluation,
    /// Number of positions or games in each sample; without other options, those with which the
    /// samples of the default comparison begin
    #[arg(long, conflicts_with_all = ["position", "openings"], value_parser = number::<usize>(1..=100_000))]
    count: Option<usize>,
    /// Algorithms, as listed by --help; add +tt, +id or +asp for a transposition table,
    /// iterative deepening or aspiration windows: scout,negascout,f3+tt+id. Values that
    /// differ from those of the first algorithm count as wrong
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "f3,f1,scout,negascout,pvs",
        hide_default_value = true
    )]
    algorithms: Vec<Method>,
    /// Timed runs of each search, whose median is used; with 0, nothing is timed [default: 3, and 5
    /// with --full]
    #[arg(long, value_parser = number::<u8>(0..=99))]
    timed_runs: Option<u8>,
    /// Compare all orders, extra turns, ensembles and algorithms, one move deeper; this takes
    /// a long time
    #[arg(long)]
    full: bool,
    /// Also write the counts of every search into FILE, as lines of JSON: per position, algorithm
    /// and condition
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,
    #[command(flatten)]
    output: ComparisonArgs,
}

impl NoeArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let seed = self.output.seed;
        let plan = match (self.chooses(), self.full) {
            (true, true) => {
                let words = "expected either --full or options that choose a condition, got both";
                return Err(Failure::usage(words));
            }
            (true, false) => Plan::chosen(Comparison::Noe, seed, self.chosen()?),
            (false, true) => Plan::of(Comparison::NoeFull, seed, self.count),
            (false, false) => Plan::of(Comparison::Noe, seed, self.count),
        };
        let plan = plan.with_rounds(self.timed_runs.map(usize::from));
        let results = self.output.run(&plan)?;
        if let Some(path) = &self.raw {
            let mut lines = Vec::new();
            findings::raw(&results, &mut lines)?;
            files::replace(path, [lines])?;
        }
        self.output.show("noe", &findings::report(&results), out)
    }

    /// Whether any option chooses a condition.
    fn chooses(&self) -> bool {
        const CONDITIONS: &str = "pits seeds capture depths orders extra_turns ensemble position \
                                  openings evaluation algorithms";
        CONDITIONS.split(' ').any(|id| self.options.has(id))
    }

    fn chosen(&self) -> Result<ComparisonPlan, Failure> {
        let boards = self.boards()?;
        let ensemble = self.ensemble(&boards)?;
        let kalah = KalahTrees { evaluation: self.evaluation, ensemble, ..KalahTrees::default() };
        let trees = kalah.varied(&boards, &self.extra_turns, &self.orders).into_iter();
        let seed = self.output.seed;
        let plan = ComparisonPlan {
            conditions: trees.map(|trees| Condition { trees, seed }).collect(),
            depths: self.depths.0.clone(),
            methods: self.algorithms.clone(),
            timed_runs: 3,
        };
        plan.check().map_err(|error| Failure::wrong("--algorithms", error))?;
        Ok(plan)
    }

    fn boards(&self) -> Result<Vec<Rules>, Failure> {
        let mut boards = Vec::new();
        for &pits in &self.pits.0 {
            for &seeds in &self.seeds.0 {
                let rules = Rules::new(pits.into(), seeds.into(), self.capture);
                boards.push(rules.map_err(Failure::usage)?);
            }
        }
        Ok(boards)
    }

    fn ensemble(&self, boards: &[Rules]) -> Result<Ensemble, Failure> {
        if self.position.is_some() || self.openings.is_some() {
            let [rules] = boards else {
                let words = "expected one board for --position and --openings, got several";
                return Err(Failure::usage(words));
            };
            return Ok(Ensemble::Given(self.given(*rules)?.into()));
        }
        Ok(match self.ensemble {
            Some(EnsembleKind::Start) => Ensemble::Start,
            Some(EnsembleKind::Games) => Ensemble::Games(self.count.unwrap_or(GAMES)),
            Some(EnsembleKind::Positions) | None => {
                Ensemble::Positions(self.count.unwrap_or(POSITIONS))
            }
        })
    }

    /// The positions that the caller chooses.
    fn given(&self, rules: Rules) -> Result<Vec<Position>, Failure> {
        let (option, positions) = match (&self.position, &self.openings) {
            (Some(text), _) => {
                let position = Position::parse(text, rules.capture());
                ("--position", vec![position.map_err(|error| Failure::wrong("--position", error))?])
            }
            (None, Some(path)) => {
                let openings = file::read_openings(path, Position::start(rules))
                    .map_err(|error| Failure::wrong("--openings", error))?;
                ("--openings", openings.iter().map(Opening::position).collect())
            }
            (None, None) => return Ok(Vec::new()),
        };
        let variant = rules.variant();
        match positions.iter().find(|at| at.is_over() || at.variant() != variant) {
            Some(other) => {
                let expected = format!("expected {variant}, with moves left to play");
                Err(Failure::wrong(option, format!("{expected}, got '{other}'")))
            }
            None => Ok(positions),
        }
    }
}
