//! `kalah compare games`: matches between algorithms.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::output::{ComparisonArgs, GivenPositions, algorithms, wrong};
use crate::arguments::{PlainNumber, StartArgs, duration, number};
use crate::failure::Failure;
use kalah_lab::experiment::matches::{FITTED_POSITIONS, MatchPlan, TurnLimit};
use kalah_lab::{Algorithm, Method, ProbCutModel, findings};

/// The longest time per turn: an hour.
const MAX_TIME: Duration = Duration::from_secs(3600);

/// Play matches between algorithms
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
    #[command(flatten)]
    output: ComparisonArgs,
}

impl CompareGamesArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.rivals.len() < 2 {
            return Err(wrong("--rivals", "expected at least two algorithms, got one"));
        }
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
        let expected = matches.duration(self.output.threads());
        // Only ProbCut needs a model, which takes many searches to fit.
        let fits = self.rivals.iter().any(|rival| rival.algorithm == Algorithm::ProbCut);
        let (model, played) = self.output.run(expected, matches.pieces(), |threads, done| {
            let model = if fits {
                ProbCutModel::fitted_to_kalah(rules, 8, FITTED_POSITIONS, seed)
            } else {
                ProbCutModel::default()
            };
            let model = Arc::new(model);
            let played = matches.run(&model, threads, done);
            (model, played)
        })?;
        self.output.show("games", &findings::games(&matches, &played, &model), out)
    }
}
