//! `kalah compare games`: whole games, and matches between algorithms.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::output::{ComparisonArgs, GivenPositions, algorithms, numbers};
use crate::arguments::{PlainNumber, StartArgs, duration, number};
use crate::failure::Failure;
use kalah_game::Rules;
use kalah_lab::experiment::ensemble::Ensemble;
use kalah_lab::experiment::estimate;
use kalah_lab::experiment::matches::{FITTED_POSITIONS, MatchPlan, TurnLimit};
use kalah_lab::experiment::measure::{ComparisonPlan, Measurements};
use kalah_lab::experiment::plan::{GAMES, conditions, methods};
use kalah_lab::{Algorithm, ChildOrder, ExtraTurns, Method, ProbCutModel, findings};

/// The longest time per turn: an hour.
const MAX_TIME: Duration = Duration::from_secs(3600);

/// Play matches between algorithms, and count the leaves of equal searches in whole games
#[derive(Debug, Args)]
#[command(after_long_help = algorithms())]
pub(crate) struct CompareGamesArgs {
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    given: GivenPositions,
    /// Algorithms; each plays a match against the first, deepening iteratively up to its limit
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "f3,scout,f3+tt,negascout+tt,mtd-f,quiescence,probcut,beam,uct,uct-tuned,epsilon-greedy"
    )]
    rivals: Vec<Method>,
    /// Pairs of games in each match, but at most one from each position of --position or --openings
    /// unless the games differ by chance
    #[arg(long, default_value_t = 20, value_parser = number::<u32>(1..=100_000))]
    pairs: u32,
    /// Leaves per turn (random games for UCT)
    #[arg(long, default_value_t = 2000, value_parser = number::<u64>(1..))]
    leaves: u64,
    /// Time per turn (1s, 20ms, or a number of milliseconds) instead of leaves; results are then
    /// not reproducible
    #[arg(long, value_name = "TIME", conflicts_with = "leaves",
          value_parser = duration(PlainNumber::Milliseconds, Duration::from_millis(1)..=MAX_TIME))]
    time: Option<Duration>,
    /// Depths of the whole games between equal searches, or 'none' to omit these games; they are
    /// also omitted with --position or --openings, whose positions become the openings of the
    /// matches
    #[arg(long, default_value = "2-5")]
    depths: String,
    #[command(flatten)]
    output: ComparisonArgs,
}

impl CompareGamesArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let rules = self.start.rules()?;
        let seed = self.output.seed;
        let matches = MatchPlan {
            rules,
            openings: self.given.positions(rules)?,
            limit: match self.time {
                Some(time) => TurnLimit::Time(time),
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
        expected += matches.duration(threads);
        let pieces = matches.pieces() + plan.as_ref().map_or(0, ComparisonPlan::pieces);
        // Only ProbCut needs a model, which takes many searches to fit.
        let fits = self.rivals.iter().any(|rival| rival.algorithm == Algorithm::ProbCut);
        let (model, played, whole) = self.output.run(expected, pieces, |threads, done| {
            let model =
                fits.then(|| ProbCutModel::fitted_to_kalah(rules, 8, FITTED_POSITIONS, seed));
            let model = Arc::new(model.unwrap_or_default());
            let played = matches.run(&model, threads, done);
            let whole = plan.map_or_else(Measurements::default, |plan| plan.run(threads, done));
            (model, played, whole)
        })?;
        self.output.show("games", &findings::games(whole, &matches, &played, &model), out)
    }

    fn whole_games(&self, rules: Rules) -> Result<Option<ComparisonPlan>, Failure> {
        if self.depths == "none" || self.given.is_some() {
            return Ok(None);
        }
        let orders = [ChildOrder::Far, ChildOrder::Near, ChildOrder::Static];
        let turns = [ExtraTurns::Compound];
        let games = Ensemble::Games(GAMES);
        Ok(Some(ComparisonPlan {
            conditions: conditions(&[rules], &turns, &orders, &games, self.output.seed),
            depths: numbers("--depths", &self.depths, 1, 200)?,
            methods: methods("f3,f1,scout,negascout").map_err(Failure::usage)?,
            timed_runs: 0,
        }))
    }
}
