//! Code shared by `kalah solve`, `kalah proof` and `kalah openings`: the options of a
//! solver, and the display of its progress.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use clap::Args;

use super::arguments::{ThreadArgs, number};
use super::failure::Failure;
use super::output::{self, advance, on_interrupt};
use kalah_engine::endgame::{BuildError, Tables, file};
use kalah_engine::guess_margin;
use kalah_engine::solve::{
    OnProgress, SolveError, SolveProgress, Solver, SolverSettings, TableChoice,
};
use kalah_game::score::{Gain, Interval};
use kalah_game::{MAX_SEEDS, Pit, Position, Variant};
use kalah_proof::BoundsRecorder;
use kalah_sys::{machine::used_memory, stop::Flag};
use kalah_text::format;

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

/// Connects a solver to the terminal and to a ledger: shows its progress on stderr,
/// saves what it proves, and stops it on Ctrl-C.
pub(super) struct Console {
    shown: output::ProgressLine,
    interrupt: Flag,
    /// Whether a solver is searching, and therefore polls `interrupt`.
    polls: Arc<AtomicBool>,
    recorder: RefCell<BoundsRecorder>,
}

impl Console {
    /// Takes over Ctrl-C, and opens the ledger.
    ///
    /// # Errors
    /// If the file is not a ledger.
    pub(super) fn new(ledger: Option<&Path>) -> Result<Self, Failure> {
        let recorder = match ledger {
            Some(path) => BoundsRecorder::open(path)?,
            None => BoundsRecorder::default(),
        };
        let interrupt = Flag::default();
        let polls = Arc::new(AtomicBool::new(false));
        // While tables are built, nothing polls the flag and no work can be lost, so the first
        // Ctrl-C may end the process.
        let is_polled = Arc::clone(&polls);
        on_interrupt(interrupt.clone(), move || !is_polled.load(Relaxed));
        let shown = output::ProgressLine::new();
        Ok(Self { shown, interrupt, polls, recorder: RefCell::new(recorder) })
    }

    /// Whether Ctrl-C or a signal has asked the process to end.
    pub(super) fn stopped(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// A solver for the board of `largest`.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the settings do not fit the board or need more memory than is
    /// available; [`Failure::Work`] if the system refuses memory or a file.
    pub(super) fn solver(
        &self,
        largest: &Position,
        mut settings: SolverSettings,
    ) -> Result<Solver, Failure> {
        // Until the first report of progress, nothing polls the flag.
        self.polls.store(false, Relaxed);
        settings.on_tables = advance;
        let solver = Solver::new(largest, settings).map_err(|error| match error {
            // A refusal by the system is not the fault of the arguments.
            SolveError::Refused(_)
            | SolveError::KeptTable(_)
            | SolveError::Tables(BuildError::Refused(_) | BuildError::Protect(_)) => {
                Failure::work(error)
            }
            error => Failure::usage(error),
        });
        self.shown.forget_length();
        solver
    }

    /// Imports the bounds of the ledger into `solver`.
    pub(super) fn restore(&self, solver: &mut Solver) {
        self.recorder.borrow().restore(solver);
    }

    /// The bounds that the ledger proves for the gain of `position`.
    pub(super) fn known(&self, position: &Position) -> Interval<Gain> {
        self.recorder.borrow().known(position)
    }

    /// Runs `solve`, shows its progress, and saves what it proves.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] after Ctrl-C; [`Failure::Work`] with any other error of `solve`.
    pub(super) fn watch<T>(
        &self,
        solve: impl FnOnce(&mut OnProgress) -> Result<T, SolveError>,
    ) -> Result<T, Failure> {
        self.recorder.borrow_mut().begin();
        match solve(&mut |progress| self.show(&progress)) {
            Err(error @ SolveError::Stopped) => Err(Failure::Interrupted(error.to_string())),
            solved => Ok(solved?),
        }
    }

    /// The bounds proved by the last call of [`Console::watch`], by move; those of the position
    /// under `None`.
    pub(super) fn proved(&self) -> BTreeMap<Option<Pit>, Interval<Gain>> {
        self.recorder.borrow().proved().clone()
    }

    fn show(&self, progress: &SolveProgress) -> bool {
        if let Err(error) = self.recorder.borrow_mut().record(progress) {
            self.shown.suspend(|| log::error!("cannot save proved bounds: {error}"));
        }
        let name = match progress.pit {
            Some(pit) => format!("move {pit}"),
            None => "margin".to_owned(),
        };
        self.searches(&format!("{name} {}", progress.margin), progress)
    }

    /// Shows the progress of a search; returns whether it should continue.
    pub(super) fn searches(&self, name: &str, progress: &SolveProgress) -> bool {
        self.polls.store(true, Relaxed);
        let SolveProgress { nodes, decided, elapsed, hashfull, .. } = *progress;
        // The first report may come before the clock has advanced.
        let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
        let memory = used_memory().map(|bytes| format!(", {} MiB", bytes >> 20));
        let left = progress.remaining().map(|left| {
            format!(", {:.0} %, {} left", 100.0 * decided, format::duration(left.as_secs_f64()))
        });
        self.shows(format!(
            "{name}{}, {:.1} M nodes, {rate:.1} M/s, hash {} %{}",
            left.unwrap_or_default(),
            nodes as f64 / 1e6,
            hashfull / 10,
            memory.unwrap_or_default()
        ))
    }

    /// Shows a message about the work in progress; returns whether to continue.
    pub(super) fn shows(&self, message: String) -> bool {
        self.shown.set_message(message);
        !self.stopped()
    }
}
