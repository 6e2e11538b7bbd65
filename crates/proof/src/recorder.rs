//! What a solver has proved so far: saved in a ledger, if there is one, and kept for its caller.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kalah_engine::FileError;
use kalah_engine::solve::ledger::Ledger;
use kalah_engine::solve::{SolveProgress, Solver};
use kalah_game::{Gain, Interval, Pit};

/// Records the bounds that a solver proves.
#[derive(Debug, Default)]
pub struct BoundsRecorder {
    ledger: Option<(PathBuf, Ledger)>,
    /// The last error in writing the ledger. Writes are retried with each report of progress, but
    /// the same error is reported only once.
    unsaved: String,
    /// The bounds of margins, by move; those of the position under `None`.
    proved: BTreeMap<Option<Pit>, Interval<Gain>>,
}

impl BoundsRecorder {
    /// Opens the ledger in which bounds are saved, or creates it.
    ///
    /// # Errors
    /// If the file is not a ledger, or another process has it open.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        match Ledger::open(path) {
            Ok(ledger) => Ok(Self { ledger: Some((path.to_owned(), ledger)), ..Self::default() }),
            Err(error) => Err(FileError { path: path.to_owned(), error }),
        }
    }

    /// Imports the bounds of the ledger into `solver`.
    pub fn restore(&self, solver: &mut Solver) {
        if let Some((_, ledger)) = &self.ledger {
            ledger.bounds().for_each(|(bare, gain)| solver.import_bounds(bare, gain));
        }
    }

    /// Forgets the bounds of earlier positions; the ledger keeps them.
    pub fn begin(&mut self) {
        self.proved.clear();
    }

    /// The bounds proved since [`BoundsRecorder::begin`], by move; those of the position under
    /// `None`.
    pub fn proved(&self) -> &BTreeMap<Option<Pit>, Interval<Gain>> {
        &self.proved
    }

    /// Records the bounds in a report of progress. A failed write does not end the proof, whose
    /// result matters more than its record; the next one may succeed.
    ///
    /// # Errors
    /// A message if the ledger cannot be written, unless it is the same as the last time.
    pub fn record(&mut self, progress: &SolveProgress) -> Result<(), String> {
        self.proved.insert(progress.pit, progress.margin);
        let Some((path, ledger)) = &mut self.ledger else { return Ok(()) };
        let Err(error) = ledger.add(&progress.bare, progress.gain) else { return Ok(()) };
        let error = format!("{}: {error}", path.display());
        if self.unsaved == error {
            return Ok(());
        }
        self.unsaved.clone_from(&error);
        Err(error)
    }
}
