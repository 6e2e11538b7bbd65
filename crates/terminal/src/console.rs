//! Runs a solver in a terminal: shows its progress, saves its bounds, and stops when asked to.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use crate::progress::{self, ProgressLine};
use crate::signals::on_interrupt;
use kalah_engine::FileError;
use kalah_engine::solve::{OnProgress, SolveError, SolveProgress, Solver, SolverSettings};
use kalah_game::{Gain, Interval, Pit, Position};
use kalah_proof::BoundsRecorder;
use kalah_sys::machine::used_memory;
use kalah_sys::stop::Flag;
use kalah_text::format;

/// Connects a solver to the terminal and to a ledger: shows its progress on stderr, saves what it
/// proves, and stops it when its flag is raised.
pub struct Console {
    shown: ProgressLine,
    interrupt: Flag,
    /// Whether a solver is searching, and therefore polls `interrupt`.
    polls: Arc<AtomicBool>,
    recorder: RefCell<BoundsRecorder>,
}

impl Console {
    /// A console that saves proved bounds in `ledger`, if given, and that Ctrl-C stops.
    ///
    /// # Errors
    /// If the file is not a ledger.
    pub fn new(ledger: Option<&Path>) -> Result<Self, FileError> {
        let recorder = match ledger {
            Some(path) => BoundsRecorder::open(path)?,
            None => BoundsRecorder::default(),
        };
        let interrupt = Flag::default();
        let polls = Arc::new(AtomicBool::new(false));
        // While tables are built, nothing polls the flag and no work can be lost, so the first
        // Ctrl-C may end the process.
        let polled = Arc::clone(&polls);
        on_interrupt(interrupt.clone(), move || !polled.load(Relaxed));
        let recorder = RefCell::new(recorder);
        Ok(Self { shown: ProgressLine::start(), interrupt, polls, recorder })
    }

    /// Whether Ctrl-C or a signal has asked the process to end.
    pub fn stopped(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// A solver for the board of `largest`.
    ///
    /// # Errors
    /// If the settings do not fit the board or need more memory than is available, or if the system
    /// refuses memory or a file.
    pub fn solver(
        &self,
        largest: &Position,
        mut settings: SolverSettings,
    ) -> Result<Solver, SolveError> {
        // Until the first report of progress, nothing polls the flag.
        self.polls.store(false, Relaxed);
        settings.on_tables = progress::advance;
        let solver = Solver::new(largest, settings);
        self.shown.forget_length();
        solver
    }

    /// Imports the bounds of the ledger into `solver`.
    pub fn restore(&self, solver: &mut Solver) {
        self.recorder.borrow().restore(solver);
    }

    /// Runs `solve`, shows its progress, and saves what it proves.
    ///
    /// # Errors
    /// Those of `solve`; [`SolveError::Stopped`] after Ctrl-C.
    pub fn watch<T>(
        &self,
        solve: impl FnOnce(&mut OnProgress) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        self.recorder.borrow_mut().begin();
        solve(&mut |progress| self.show(&progress))
    }

    /// The bounds proved by the last call of [`Console::watch`], by move; those of the position
    /// under `None`.
    pub fn proved(&self) -> BTreeMap<Option<Pit>, Interval<Gain>> {
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
        self.show_search(&format!("{name} {}", progress.margin), progress)
    }

    /// Shows the progress of a search; returns whether it should continue.
    pub fn show_search(&self, name: &str, progress: &SolveProgress) -> bool {
        self.polls.store(true, Relaxed);
        let SolveProgress { nodes, decided, elapsed, hashfull, .. } = *progress;
        // The first report may come before the clock has advanced.
        let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
        let memory = used_memory().map(|bytes| format!(", {} MiB", bytes >> 20));
        let left = progress.remaining().map(|left| {
            format!(", {:.0} %, {} left", 100.0 * decided, format::duration(left.as_secs_f64()))
        });
        self.show_message(format!(
            "{name}{}, {:.1} M nodes, {rate:.1} M/s, hash {} %{}",
            left.unwrap_or_default(),
            nodes as f64 / 1e6,
            hashfull / 10,
            memory.unwrap_or_default()
        ))
    }

    /// Shows a message about the work in progress; returns whether to continue.
    pub fn show_message(&self, message: String) -> bool {
        self.shown.set_message(message);
        !self.stopped()
    }
}
