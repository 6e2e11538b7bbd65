//! `kalah compare`: runs the experiments of the lab and prints what they found.

mod noe;
mod output;
mod synthetic;
mod tree;

use std::io::Write;

use clap::Subcommand;

use super::failure::Failure;
use kalah_lab::experiment::claim::Comparison;

/// Compare search algorithms, and test claims of the literature about them
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  kalah compare noe                         SCOUT against alpha-beta, in a minute or two
  kalah compare noe --verbose               every condition of every verdict
  kalah compare noe --report out            the same as a page with charts
  kalah compare noe --openings openings/6x4-standard-close.txt
  kalah compare noe --seeds 6 --depths 2-6 --orders near --ensemble games
  kalah compare pearl --format markdown
  kalah compare tree '[[3,12,8],[2,4,6],[14,5,2]]' --algorithms f3,scout")]
pub(super) enum CompareCommand {
    Noe(noe::NoeArgs),
    /// Measure the ratio of SCOUT's nodes to alpha-beta's on random trees (Pearl 1984)
    Pearl(synthetic::SyntheticArgs),
    /// Measure the leaves that NegaScout saves on wide random trees (Reinefeld 1983)
    Reinefeld(synthetic::SyntheticArgs),
    /// Compare the nodes of minimal trees, in which the best child comes first, with formulas
    Minimal(output::ComparisonArgs),
    /// Play matches between algorithms at equal leaves
    Games(output::ComparisonArgs),
    /// Measure the regret of epsilon-greedy, UCB1 and others, on coins and on Kalah's moves
    Bandits(output::ComparisonArgs),
    Tree(tree::TreeArgs),
}

impl CompareCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            CompareCommand::Noe(args) => args.run(out),
            CompareCommand::Pearl(args) => args.run(Comparison::Pearl, out),
            CompareCommand::Reinefeld(args) => args.run(Comparison::Reinefeld, out),
            CompareCommand::Minimal(args) => args.run_claims(Comparison::Minimal, out),
            CompareCommand::Games(args) => args.run_claims(Comparison::Games, out),
            CompareCommand::Bandits(args) => args.run_claims(Comparison::Bandits, out),
            CompareCommand::Tree(args) => args.run(out),
        }
    }
}
