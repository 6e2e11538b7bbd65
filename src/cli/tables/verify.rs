//! `kalah tables verify`.

use std::io::Write;
use std::ops::RangeInclusive;

use clap::Args as ClapArgs;

use super::{Folder, bar};
use crate::cli::Failure;
use crate::cli::arguments::{Threads, VariantArgs};
use crate::endgame::Tables;
use crate::endgame::verify::{Minimax, Sample, verify_by_minimax, verify_layer};
use crate::report::format::grouped;

/// Check the files and recompute positions of every layer
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Reading checks every byte against the checksums. Then positions are recomputed
from the positions one move away, moves made one by one; with --all that proves
every position right. Layers of up to --minimax seeds are also compared with
plain minimax, which knows nothing of tables.")]
pub struct Args {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    variant: VariantArgs,
    /// Only the layer of this many seeds
    #[arg(long)]
    seeds: Option<u32>,
    /// Positions of each layer, drawn at random
    #[arg(long, default_value_t = 100_000, conflicts_with = "all")]
    sample: u64,
    /// All positions
    #[arg(long)]
    all: bool,
    /// Seeds up to which layers are compared with minimax, too
    #[arg(long, default_value_t = 8)]
    minimax: u32,
    /// Seed of the random draw
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let variant = self.variant.variant()?;
        let folder = &self.folder.folder;
        let tables = Tables::open(folder, variant)?;
        let layers = self.layers(&tables)?;
        writeln!(
            out,
            "{variant}, up to {} seeds: all files are whole and unaltered",
            tables.seeds()
        )?;
        writeln!(out, "seeds  from successors  by minimax")?;
        let positions = |seeds: u32| tables.layer_len(seeds);
        let bar = bar(layers.clone().map(|seeds| self.sample(positions(seeds)).1).sum());
        let mut minimax = Minimax::default();
        for seeds in layers {
            let (sample, _) = self.sample(positions(seeds));
            let threads = self.threads.count();
            let checked = verify_layer(&tables, seeds, sample, threads, &|done| bar.inc(done))?;
            let compared = if seeds <= self.minimax {
                verify_by_minimax(&tables, seeds, sample, &mut minimax)?
            } else {
                0
            };
            bar.suspend(|| {
                writeln!(out, "{seeds:>5}  {:>15}  {:>10}", grouped(checked), grouped(compared))?;
                out.flush()
            })?;
        }
        bar.finish_and_clear();
        Ok(writeln!(out, "no position is wrong")?)
    }

    fn layers(&self, tables: &Tables) -> Result<RangeInclusive<u32>, Failure> {
        match self.seeds {
            None => Ok(0..=tables.seeds()),
            Some(seeds) if seeds <= tables.seeds() => Ok(seeds..=seeds),
            Some(seeds) => Err(Failure::Usage(format!(
                "expected --seeds up to {}, as the tables go, got {seeds}",
                tables.seeds()
            ))),
        }
    }

    /// What to look at in a layer, and how many positions that is. A sample
    /// larger than the layer is the layer.
    fn sample(&self, positions: u64) -> (Sample, u64) {
        if self.all || self.sample >= positions {
            (Sample::All, positions)
        } else {
            (Sample::Random { count: self.sample, seed: self.seed }, self.sample)
        }
    }
}
