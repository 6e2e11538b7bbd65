//! `kalah tables build`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args as ClapArgs;

use super::{bar, size};
use crate::cli::Failure;
use crate::cli::arguments::{Threads, VariantArgs};
use crate::endgame::{Encoding, Extent, Tables, file};
use crate::report::format::grouped;
use crate::sys::machine::available_memory;

/// Build the tables of all positions with up to SEEDS seeds in play
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
A byte a position is held in memory while building; what that takes is said
first, and tables that do not fit are refused. Each layer of equal seeds is a
separate file, so a build that was stopped, even by force, goes on with the
layers that were finished, and more seeds can be added later.")]
pub struct Args {
    #[command(flatten)]
    variant: VariantArgs,
    /// Seeds in play, at most
    #[arg(long)]
    seeds: u32,
    /// Where the files go; the folder is made if it is not there
    #[arg(long, value_name = "FOLDER", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// File format: compact (about 0.3 bytes a position) or plain
    #[arg(long, default_value_t)]
    format: Encoding,
    #[command(flatten)]
    threads: Threads,
    /// Print the memory that it would take, and build nothing
    #[arg(long)]
    dry_run: bool,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let variant = self.variant.variant()?;
        let extent = Extent::new(variant, self.seeds).map_err(Failure::usage)?;
        writeln!(
            out,
            "{variant}, up to {} seeds: {} positions, {} of memory to build, {}",
            self.seeds,
            grouped(extent.positions()),
            size(extent.build_memory()),
            match available_memory() {
                Some(bytes) => format!("{} available", size(bytes)),
                None => "available memory unknown".into(),
            }
        )?;
        out.flush()?;
        let Some(folder) = self.out.filter(|_| !self.dry_run) else { return Ok(()) };

        let had = file::layers(&folder, variant).map_or(0, |seeds| seeds + 1);
        let threads = self.threads.count();
        let bar = bar(extent.positions());
        let started = Instant::now();
        Tables::build_in(&folder, extent, self.format, threads, &|done| bar.inc(done))?;
        bar.finish_and_clear();

        let layers = file::headers(&folder, variant)?;
        let layers = &layers[..=self.seeds as usize];
        let stored: u64 = layers.iter().map(|(_, header)| header.file_size()).sum();
        let new = layers.iter().skip(had as usize);
        let positions: u64 = new.clone().map(|(_, header)| header.layer.positions).sum();
        let seconds = started.elapsed().as_secs_f64();
        writeln!(
            out,
            "{} layers written, {} found: {} in {} ({:.3} bytes a position)",
            new.len(),
            layers.len() - new.len(),
            size(stored),
            folder.display(),
            stored as f64 / extent.positions() as f64
        )?;
        if positions == 0 {
            return Ok(());
        }
        writeln!(
            out,
            "{seconds:.3} s, writing included: {:.1} million positions a second on {threads} threads",
            positions as f64 / seconds / 1e6
        )?;
        Ok(())
    }
}
