//! `kalah compare bandits`: the regret of strategies that choose arms by trials.

use std::io::Write;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::output::Output;
use crate::cli::arguments::{StartArgs, number};
use crate::cli::failure::Failure;
use crate::game::Position;
use crate::lab::experiment::bandits::{Bandit, Plan, STRATEGIES};
use crate::lab::report;

/// Coin tosses and random games of Kalah per second of one thread.
const THROWS_PER_SECOND: f64 = 1e7;
const GAMES_PER_SECOND: f64 = 1e5;

/// Regret of epsilon-greedy, UCB1 and others, on coins and on Kalah's moves
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    start: StartArgs,
    /// Number of pulls in each run
    #[arg(long, default_value_t = 10_000, value_parser = number::<u64>(40..=100_000_000))]
    pulls: u64,
    /// Number of runs of each strategy on each bandit
    #[arg(long, default_value_t = 40, value_parser = number::<u32>(2..=100_000))]
    runs: u32,
    /// Number of random games from which to estimate the mean reward of each Kalah move
    #[arg(long, default_value_t = 20_000, value_parser = number::<u32>(1..=100_000_000))]
    games: u32,
    #[command(flatten)]
    output: Output,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let start = Position::start(self.start.rules()?);
        let mut bandits = Bandit::of_auer();
        let coins = bandits.len();
        let runs = self.runs as usize;
        let all = self.pulls as f64 * (runs * STRATEGIES.len()) as f64;
        let seconds = all * (coins as f64 / THROWS_PER_SECOND + 1.0 / GAMES_PER_SECOND);
        let expected = Duration::from_secs_f64((seconds / self.output.threads() as f64).min(1e15));
        let seed = self.output.seed;
        bandits.push(Bandit::of_kalah(start, self.games as usize, seed));
        let plan = Plan { bandits, pulls: self.pulls, runs, seed };
        let curves =
            self.output.run(expected, plan.pieces(), |threads, done| plan.run(threads, done))?;
        self.output.show("bandits", &report::bandits(&plan, &curves), out)
    }
}
