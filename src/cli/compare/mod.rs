//! `kalah compare`: the experiments of the lab and what they found.

mod bandits;
mod games;
mod noe;
mod output;
mod synthetic;
mod tree;

use std::io::Write;

use clap::Subcommand;

use super::failure::Failure;

/// Compare search algorithms, and test the claims of the literature
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  kalah compare noe                         SCOUT against alpha-beta, within a minute
  kalah compare noe --verbose               every condition of every verdict
  kalah compare noe --report out            the same as a page with charts
  kalah compare noe --openings openings/even-6-4.txt
  kalah compare noe --seeds 6 --depths 2-6 --orders near --ensemble games
  kalah compare pearl --format markdown
  kalah compare games --rivals f3,uct --leaves 2000
  kalah compare bandits --runs 100 --report out
  kalah compare tree '[[3,12,8],[2,4,6],[14,5,2]]' --algorithms f3,scout")]
pub(super) enum Command {
    Noe(noe::Args),
    Pearl(synthetic::PearlArgs),
    Reinefeld(synthetic::ReinefeldArgs),
    Minimal(synthetic::MinimalArgs),
    Games(games::Args),
    Bandits(bandits::Args),
    Tree(tree::Args),
}

impl Command {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Command::Noe(args) => args.run(out),
            Command::Pearl(args) => args.run(out),
            Command::Reinefeld(args) => args.run(out),
            Command::Minimal(args) => args.run(out),
            Command::Games(args) => args.run(out),
            Command::Bandits(args) => args.run(out),
            Command::Tree(args) => args.run(out),
        }
    }
}
