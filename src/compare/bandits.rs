//! `kalah compare bandits`: the regret of bandit strategies.

use std::io::Write;

use clap::Args;

use super::output::ComparisonArgs;
use crate::arguments::{StartArgs, number};
use crate::failure::Failure;
use kalah_game::Position;
use kalah_lab::experiment::bandits::{Bandit, BanditPlan};
use kalah_lab::findings;

/// Measure the regret of epsilon-greedy, UCB1 and others, on coins and on Kalah's moves
#[derive(Debug, Args)]
pub(crate) struct BanditsArgs {
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
    output: ComparisonArgs,
}

impl BanditsArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let start = Position::start(self.start.rules()?);
        let seed = self.output.seed;
        let mut bandits = Bandit::from_auer();
        bandits.push(Bandit::from_position(start, self.games as usize, seed));
        let plan = BanditPlan { bandits, pulls: self.pulls, runs: self.runs as usize, seed };
        let expected = plan.duration(self.output.threads());
        let curves =
            self.output.run(expected, plan.pieces(), |threads, done| plan.run(threads, done))?;
        self.output.show("bandits", &findings::bandits(&plan, &curves), out)
    }
}
