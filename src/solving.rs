//! Code shared by `kalah solve`, `kalah proof` and `kalah openings`: the options of a
//! solver, and its console.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use clap::Args;

use super::arguments::{ThreadArgs, number};
use super::failure::Failure;
use super::output::on_interrupt;
use kalah_engine::endgame::{Tables, file};
use kalah_engine::guess_margin;
use kalah_engine::solve::{SolverSettings, TableChoice};
use kalah_game::{MAX_SEEDS, Variant};
use kalah_proof::BoundsRecorder;
use kalah_terminal::console::Console;

#[derive(Debug, Default, Args)]
pub(super) struct SolverArgs {
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Size of the transposition table in MiB [default: estimated from the seeds in play]
    #[arg(long, value_name = "MIB", value_parser = number::<u32>(1..=1 << 20))]
    pub hash: Option<u32>,
    /// Build endgame tables of up to SEEDS seeds in play, 0 for none [default: the size
    /// with the shortest estimated time]
    #[arg(long, value_name = "SEEDS", value_parser = number::<u32>(0..=MAX_SEEDS.into()))]
    pub table_seeds: Option<u32>,
    /// Read the endgame tables in DIR (see 'kalah tables build')
    #[arg(long, value_name = "DIR", conflicts_with = "table_seeds")]
    pub tables: Option<PathBuf>,
}

impl SolverArgs {
    /// Settings that read no endgame tables from files.
    pub(super) fn settings_without_files(&self) -> SolverSettings {
        let mut settings = SolverSettings::default().threads(self.threads.count());
        settings.hash = self.hash.map(|mebibytes| (mebibytes as usize) << 20);
        settings.guess = guess_margin;
        match self.table_seeds {
            Some(seeds) => settings.tables(TableChoice::Seeds(seeds)),
            None => settings,
        }
    }

    /// Settings for boards of `variant`, with the tables in the folder of `--tables`, if given.
    ///
    /// # Errors
    /// If that folder has no tables for them.
    pub(super) fn settings(&self, variant: Variant) -> Result<SolverSettings, Failure> {
        let mut settings = self.settings_without_files();
        if let Some(folder) = &self.tables {
            let tables = Tables::open(folder, variant)?.warning_of_unused_layers();
            settings.tables = TableChoice::Given(Arc::new(tables));
        }
        Ok(settings)
    }

    /// Like [`SolverArgs::settings`], but if the size of the tables is chosen automatically, the
    /// layers that the user's cache holds are read instead of being built.
    ///
    /// # Errors
    /// If the folder of `--tables` has no tables for the boards.
    pub(super) fn settings_with_cache(&self, variant: Variant) -> Result<SolverSettings, Failure> {
        let mut settings = self.settings(variant)?;
        if let TableChoice::Automatic(folder) = &mut settings.tables {
            *folder = file::cache();
        }
        Ok(settings)
    }
}

/// A console that saves proved bounds in `ledger`, if given, and that Ctrl-C stops.
///
/// # Errors
/// If the file is not a ledger.
pub(super) fn console(ledger: Option<&Path>) -> Result<Console, Failure> {
    let recorder = match ledger {
        Some(path) => BoundsRecorder::open(path)?,
        None => BoundsRecorder::default(),
    };
    let console = Console::new(recorder);
    // While tables are built, nothing polls the flag and no work can be lost, so the first
    // Ctrl-C may end the process.
    let polls = console.polls();
    on_interrupt(console.interrupt(), move || !polls.load(Relaxed));
    Ok(console)
}
