//! `kalah tables`: endgame tables on disk and in memory.

mod build;
mod info;
mod probe;
mod verify;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;

/// Build, list, verify and probe endgame tables
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah tables build --seeds 20 --out tables    all positions of up to 20 seeds
  kalah tables build --seeds 24 --dry-run       the memory that would take
  kalah tables info tables                      the layers that are there
  kalah tables verify tables --all              recompute every position
  kalah tables probe '<6,18,10,4,1,1,0,0,0,0,0,0,2,0,0> S' --tables tables")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Build(build::Args),
    Info(info::Args),
    Verify(verify::Args),
    Probe(probe::Args),
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.action {
            Action::Build(args) => args.run(out),
            Action::Info(args) => args.run(out),
            Action::Verify(args) => args.run(out),
            Action::Probe(args) => args.run(out),
        }
    }
}

/// A folder of tables, as an argument.
#[derive(Clone, Debug, ClapArgs)]
struct Folder {
    /// The folder that `kalah tables build --out` wrote
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// A bar on stderr, if that is a terminal, for so many positions.
fn bar(positions: u64) -> ProgressBar {
    let style = "{wide_bar} {human_pos} of {human_len} positions, {per_sec}, {eta} left";
    // The template is fixed, so a fault in it shows in the first test.
    let style = ProgressStyle::with_template(style).expect("a template that can be read");
    ProgressBar::new(positions).with_style(style)
}

/// Bytes in a unit that suits them.
fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}
