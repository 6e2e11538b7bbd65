//! `kalah compare games`: whole games, and matches between algorithms.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::output::{Given, Output, algorithms, numbers};
use crate::cli::arguments::{StartArgs, number};
use crate::cli::failure::Failure;
use crate::game::Rules;
use crate::lab::experiment::ensemble::Ensemble;
use crate::lab::experiment::estimate;
use crate::lab::experiment::kalah::{Outcomes, Plan};
use crate::lab::experiment::matches::{self, FITTED, TurnLimit};
use crate::lab::experiment::noe::{GAMES, conditions, methods};
use crate::lab::report;
use crate::lab::{Algorithm, ExtraTurns, Method, Model, Order};

/// Turns per game and leaves per second of one thread, to estimate the time.
const TURNS: f64 = 35.0;
const LEAVES_PER_SECOND: f64 = 4e6;

/// Play whole games: leaves of equal searches, and matches between algorithms
#[derive(Debug, ClapArgs)]
#[command(after_long_help = algorithms())]
pub(crate) struct Args {
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    given: Given,
    /// Algorithms; each plays a match against the first, deepening until its limit
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "f3,scout,f3+tt,negascout+tt,mtd-f,quiescence,probcut,beam,uct,uct-tuned,epsilon-greedy"
    )]
    rivals: Vec<Method>,
    /// Pairs of games in each match
    #[arg(long, default_value_t = 20, value_parser = number::<u32>(1..=100_000))]
    pairs: u32,
    /// Leaves per turn (random games for UCT)
    #[arg(long, default_value_t = 2000, value_parser = number::<u64>(1..))]
    leaves: u64,
    /// Milliseconds per turn instead of leaves; results are then not reproducible
    #[arg(long, value_name = "MS", conflicts_with = "leaves",
          value_parser = number::<u64>(1..=3_600_000))]
    time: Option<u64>,
    /// Depths of the whole games between equal searches; these games are omitted with 'none',
    /// and with --position and --openings, which are then the openings of the matches
    #[arg(long, default_value = "2-5")]
    depths: String,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let rules = self.start.rules()?;
        let seed = self.output.seed;
        let matches = matches::Plan {
            rules,
            openings: self.given.positions(rules)?,
            limit: match self.time {
                Some(time) => TurnLimit::Time(Duration::from_millis(time)),
                None => TurnLimit::Leaves(self.leaves),
            },
            pairs: self.pairs as usize,
            seed,
            rivals: self.rivals.clone(),
        };
        let plan = self.whole_games(rules)?;
        let threads = self.output.threads();
        let mut expected = match &plan {
            Some(plan) => estimate::duration(plan, threads).map_err(Failure::usage)?,
            None => Duration::ZERO,
        };
        expected += duration(&matches, threads);
        let pieces = matches.matches() * matches.pairs + plan.as_ref().map_or(0, Plan::pieces);
        let fits = self.rivals.iter().any(|rival| rival.algorithm == Algorithm::ProbCut);
        let (model, played, whole) = self.output.run(expected, pieces, |threads, done| {
            let model = fits.then(|| Model::of_kalah(rules, 8, FITTED, seed));
            let model = Arc::new(model.unwrap_or_default());
            let played = matches.run(&model, threads, done);
            let whole = plan.map_or_else(Outcomes::default, |plan| plan.run(threads, done));
            (model, played, whole)
        })?;
        self.output.show("games", &report::games(&whole, &matches, &played, &model), out)
    }

    fn whole_games(&self, rules: Rules) -> Result<Option<Plan>, Failure> {
        if self.depths == "none" || self.given.is_some() {
            return Ok(None);
        }
        let orders = [Order::Far, Order::Near, Order::Static];
        let (turns, games) = ([ExtraTurns::Compound], Ensemble::Games(GAMES));
        Ok(Some(Plan {
            conditions: conditions(&[rules], &turns, &orders, &games, self.output.seed),
            depths: numbers("--depths", &self.depths, 1, 200)?,
            methods: methods("f3,f1,scout,negascout"),
            timed_runs: 0,
        }))
    }
}

fn duration(plan: &matches::Plan, threads: usize) -> Duration {
    let turns = TURNS * 2.0 * (plan.pairs * plan.matches()) as f64;
    let turn = match plan.limit {
        TurnLimit::Leaves(leaves) => leaves as f64 / LEAVES_PER_SECOND,
        TurnLimit::Time(time) => time.as_secs_f64(),
    };
    Duration::from_secs_f64((turns * turn / threads as f64).min(1e15))
}
