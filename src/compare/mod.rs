//! `kalah compare`: runs the experiments of the lab and prints what they found.

mod bandits;
mod games;
mod noe;
mod output;
mod synthetic;
mod tree;

use std::io::Write;

use clap::Subcommand;

use super::failure::Failure;

/// Compare search algorithms, and test claims of the literature about them
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  kalah compare noe                         SCOUT against alpha-beta, in a minute or two
  kalah compare noe --verbose               every condition of every verdict
  kalah compare noe --report out            the same as a page with charts
  kalah compare noe --openings openings/6x4-standard-close.txt
  kalah compare noe --seeds 6 --depths 2-6 --orders near --ensemble games
  kalah compare pearl --format markdown
  kalah compare games --rivals f3,uct --leaves 2000
  kalah compare bandits --runs 100 --report out
  kalah compare tree '[[3,12,8],[2,4,6],[14,5,2]]' --algorithms f3,scout")]
pub(super) enum CompareCommand {
    Noe(noe::NoeArgs),
    Pearl(synthetic::PearlArgs),
    Reinefeld(synthetic::ReinefeldArgs),
    Minimal(synthetic::MinimalArgs),
    Games(games::CompareGamesArgs),
    Bandits(bandits::BanditsArgs),
    Tree(tree::TreeArgs),
}

impl CompareCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            CompareCommand::Noe(args) => args.run(out),
            CompareCommand::Pearl(args) => args.run(out),
            CompareCommand::Reinefeld(args) => args.run(out),
            CompareCommand::Minimal(args) => args.run(out),
            CompareCommand::Games(args) => args.run(out),
            CompareCommand::Bandits(args) => args.run(out),
            CompareCommand::Tree(args) => args.run(out),
        }
    }
}
