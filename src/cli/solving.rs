//! Code shared by `kalah solve`, `kalah proof` and `kalah openings`: the options of a
//! solver, and its progress on the terminal.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Args as ClapArgs;
use serde::Serialize;

use super::arguments::{Threads, number};
use super::failure::Failure;
use super::output::{self, advance, on_interrupt};
use crate::endgame::{BuildError, Origin, Tables, file};
use crate::engine::Engine;
use crate::game::depth::Depth;
use crate::game::score::{Gain, Interval};
use crate::game::{MAX_SEEDS, Pit, Position, Variant};
use crate::search::{Info, Limits, Stopper};
use crate::solve::ledger::Ledger;
use crate::solve::{OnProgress, Progress, Settings, SolveError, Solver, TableChoice};
use crate::sys::format::counted;
use crate::sys::machine::used_memory;
use crate::sys::stop::Flag;

#[derive(Debug, Default, ClapArgs)]
pub(super) struct Resources {
    #[command(flatten)]
    pub threads: Threads,
    /// Size of the transposition table in MiB [default: estimated from the seeds in play]
    #[arg(long, value_parser = number::<u32>(1..=1 << 20))]
    pub hash: Option<u32>,
    /// Build endgame tables of up to SEEDS seeds in play, 0 for none [default: the size
    /// with the shortest estimated time]
    #[arg(long, value_name = "SEEDS", value_parser = number::<u32>(0..=MAX_SEEDS.into()))]
    pub table_seeds: Option<u32>,
    /// Read the endgame tables in DIR (see `kalah tables build`)
    #[arg(long, value_name = "DIR", conflicts_with = "table_seeds")]
    pub tables: Option<PathBuf>,
}

impl Resources {
    /// Without tables from files.
    pub(super) fn settings_without_files(&self) -> Settings {
        Settings {
            threads: self.threads.count(),
            hash: self.hash.map(|mebibytes| (mebibytes as usize) << 20),
            tables: self.table_seeds.map_or(TableChoice::Automatic(None), TableChoice::Seeds),
            guess,
            ..Settings::default()
        }
    }

    /// For boards of `variant`.
    ///
    /// # Errors
    /// If the folder has no tables for them.
    pub(super) fn settings(&self, variant: Variant) -> Result<Settings, Failure> {
        let mut settings = self.settings_without_files();
        if let Some(folder) = &self.tables {
            settings.tables = TableChoice::Given(Arc::new(Tables::open(folder, variant)?));
        }
        Ok(settings)
    }

    /// As [`Resources::settings`], but tables whose size is estimated are read from the user's
    /// cache as far as it has them.
    ///
    /// # Errors
    /// If the folder has no tables for the boards.
    pub(super) fn settings_with_cache(&self, variant: Variant) -> Result<Settings, Failure> {
        let mut settings = self.settings(variant)?;
        if let TableChoice::Automatic(folder) = &mut settings.tables {
            *folder = file::cache();
        }
        Ok(settings)
    }
}

/// The endgame tables of a solver as JSON, and where they come from.
#[derive(Serialize)]
pub(super) struct TablesUsed {
    seeds: u32,
    /// The folder that layers were read from, and the seeds of the largest of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<u32>,
    /// Whether other layers were built.
    #[serde(skip)]
    built: bool,
    /// The time for reading and building.
    seconds: f64,
}

impl TablesUsed {
    pub(super) fn new(tables: &Tables) -> Self {
        let Origin { read, built, time } = tables.origin().clone();
        let ((folder, read), built) = (read.unzip(), !built.is_empty());
        Self { seeds: tables.seeds(), folder, read, built, seconds: time.as_secs_f64() }
    }
}

impl fmt::Display for TablesUsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seeds, seconds, .. } = self;
        write!(f, "{}, ", counted((*seeds).into(), "seed"))?;
        match (&self.folder, self.read) {
            (Some(folder), Some(read)) if self.built => {
                write!(f, "up to {read} read from {}, others built", folder.display())?;
            }
            (Some(folder), _) => write!(f, "read from {}", folder.display())?,
            (None, _) => write!(f, "built")?,
        }
        write!(f, " in {seconds:.3} s")
    }
}

/// Bounds of the margin of a move, or without a move of the position, as JSON.
#[derive(Serialize)]
pub(super) struct Bounds {
    #[serde(skip_serializing_if = "Option::is_none")]
    r#move: Option<char>,
    lower: i32,
    upper: i32,
}

impl Bounds {
    pub(super) fn new(r#move: Option<char>, margin: Interval<Gain>) -> Self {
        Self { r#move, lower: margin.lower.0, upper: margin.upper.0 }
    }
}

/// Reads a time above 0 in seconds.
pub(super) fn seconds(text: &str) -> Result<f64, &'static str> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && seconds.is_finite());
    seconds.ok_or("expected seconds above 0")
}

/// A first guess of the margin of `position`, for long proofs only. The proof never
/// relies on it.
fn guess(position: &Position) -> Option<Gain> {
    /// Positions with fewer seeds in play are proved before a guess pays.
    const WORTH_GUESSING: u32 = 50;
    /// A tenth of a second's search, or less.
    const DEPTH: Depth = Depth(12);
    const MEBIBYTES: usize = 16;
    if position.in_play() < WORTH_GUESSING {
        return None;
    }
    searched(position, DEPTH, MEBIBYTES).map(|info| info.margin.rounded())
}

/// The result of a search of `position` to `depth` with a table of `mebibytes` MiB;
/// none if there is no memory or the game is over.
pub(super) fn searched(position: &Position, depth: Depth, mebibytes: usize) -> Option<Info> {
    let mut engine = Engine::with_hash(mebibytes).ok()?;
    engine.set_position(*position);
    engine.search(Limits::depth(depth), &Stopper::new(), &mut |_| ()).info
}

/// Connects a solver to the terminal and to a ledger: shows its progress on stderr,
/// saves what it proves, and stops it at Ctrl-C.
pub(super) struct Console {
    shown: output::Progress,
    interrupt: Flag,
    /// Whether a solver polls for an interrupt.
    polls: Arc<AtomicBool>,
    ledger: Option<Box<RefCell<(PathBuf, Ledger)>>>,
    /// Why the ledger was not written last; reported once.
    unsaved: RefCell<String>,
    /// The bounds of margins proved so far, by move; those of the position under none.
    proved: RefCell<BTreeMap<Option<Pit>, Interval<Gain>>>,
}

impl Console {
    /// Takes over Ctrl-C, and opens the ledger.
    ///
    /// # Errors
    /// If the file is not a ledger.
    pub(super) fn new(ledger: Option<&Path>) -> Result<Self, Failure> {
        let ledger = match ledger {
            Some(path) => {
                let ledger = Ledger::open(path).map_err(Failure::in_file(path))?;
                Some(Box::new(RefCell::new((path.to_owned(), ledger))))
            }
            None => None,
        };
        let interrupt = Flag::default();
        let polls = Arc::new(AtomicBool::new(false));
        // While tables are built nothing polls the flag, and nothing can be lost.
        let is_polled = Arc::clone(&polls);
        on_interrupt(interrupt.clone(), move || !is_polled.load(Relaxed));
        let shown = output::Progress::unknown();
        let (unsaved, proved) = Default::default();
        Ok(Self { shown, interrupt, polls, ledger, unsaved, proved })
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn stopped(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// A solver for the board of `largest`.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the settings do not fit the board or the memory; another failure
    /// if the system refuses something.
    pub(super) fn solver(&self, largest: &Position, settings: Settings) -> Result<Solver, Failure> {
        self.polls.store(false, Relaxed);
        let settings = Settings { on_tables: advance, ..settings };
        let solver = Solver::new(largest, settings).map_err(|error| match error {
            SolveError::Refused(_)
            | SolveError::KeptTable { .. }
            | SolveError::Tables(BuildError::Memory(_)) => Failure::work(error),
            error => Failure::usage(error),
        });
        self.shown.forget_length();
        solver
    }

    /// Imports the bounds of the ledger into `solver`.
    pub(super) fn restore(&self, solver: &mut Solver) {
        if let Some(ledger) = &self.ledger {
            ledger.borrow().1.bounds().for_each(|(bare, gain)| solver.import_bounds(bare, gain));
        }
    }

    /// What the ledger proves of the gain of `position`.
    pub(super) fn known(&self, position: &Position) -> Interval<Gain> {
        let all = Interval::within(Gain(position.in_play() as i32));
        self.ledger.as_ref().map_or(all, |ledger| ledger.borrow().1.gain(position))
    }

    /// Runs `solve`, shows its progress, and saves what it proves.
    ///
    /// # Errors
    /// That of `solve`; [`Failure::Interrupted`] after Ctrl-C.
    pub(super) fn watch<T>(
        &self,
        solve: impl FnOnce(&mut OnProgress) -> Result<T, SolveError>,
    ) -> Result<T, Failure> {
        self.proved.borrow_mut().clear();
        match solve(&mut |progress| self.show(&progress)) {
            Err(error @ SolveError::Stopped) => Err(Failure::Interrupted(error.to_string())),
            solved => Ok(solved?),
        }
    }

    /// The bounds proved by the last solve, by move; those of the position under none.
    pub(super) fn proved(&self) -> BTreeMap<Option<Pit>, Interval<Gain>> {
        self.proved.borrow().clone()
    }

    fn show(&self, progress: &Progress) -> bool {
        if let Some(ledger) = &self.ledger {
            let (path, ledger) = &mut *ledger.borrow_mut();
            // The proof continues: what it finds is worth more than its record.
            if let Err(error) = ledger.add(&progress.bare, progress.gain) {
                let error = format!("{}: {error}", path.display());
                if self.unsaved.replace(error.clone()) != error {
                    self.shown.suspend(|| log::error!("cannot save proved bounds: {error}"));
                }
            }
        }
        self.proved.borrow_mut().insert(progress.pit, progress.margin);
        let name = progress.pit.map_or("margin".to_owned(), |pit| format!("move {pit}"));
        self.searches(&format!("{name} {}", progress.margin), progress)
    }

    /// Shows the progress of a search; returns whether it is to continue.
    pub(super) fn searches(&self, name: &str, progress: &Progress) -> bool {
        self.polls.store(true, Relaxed);
        let Progress { nodes, elapsed, hashfull, .. } = *progress;
        let rate = nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
        let memory = used_memory().map(|bytes| format!(", {} MiB", bytes >> 20));
        self.shows(format!(
            "{name}, {:.1} M nodes, {rate:.1} M/s, hash {} %{}",
            nodes as f64 / 1e6,
            hashfull / 10,
            memory.unwrap_or_default()
        ))
    }

    /// Shows what is being done; returns whether to continue.
    pub(super) fn shows(&self, message: String) -> bool {
        self.shown.set_message(message);
        !self.stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn large_starts_are_guessed_within_a_few_seeds() {
        let guess =
            |seeds| guess(&Position::start(Rules::new(6, seeds, Default::default()).unwrap()));
        assert_eq!(guess(4), None);
        let guess = guess(5).unwrap();
        assert!((6..=14).contains(&guess.0), "{guess} for a margin of 10");
    }
}
