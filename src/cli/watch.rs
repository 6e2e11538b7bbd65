//! A solve under way, shown on stderr if that is a terminal; Ctrl-C stops it.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, checkpoint::Checkpoint};
use crate::solve::{Progress, Solver};

/// The exit code of a process that Ctrl-C ended, as shells give it.
const INTERRUPTED: i32 = 130;

/// Shows progress, and knows whether the user wants to stop.
pub(super) struct Watcher {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    /// Whether a solver asks now and then whether to go on.
    watching: Arc<AtomicBool>,
    checkpoint: Option<RefCell<Checkpoint>>,
    failure: Cell<Option<Failure>>,
}

impl Watcher {
    /// Begins to listen for Ctrl-C, and to keep what is proved in a file.
    ///
    /// # Errors
    /// [`Failure::Work`] if signals cannot be caught or the file is no checkpoint.
    pub fn new(checkpoint: Option<&Path>) -> Result<Self, Failure> {
        let checkpoint = checkpoint.map(Checkpoint::open).transpose()?.map(RefCell::new);
        let (stop, watching) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (pressed, watched) = (Arc::clone(&stop), Arc::clone(&watching));
        let handler = move || {
            // While tables are built nobody looks, and nothing can be lost.
            if pressed.swap(true, Relaxed) || !watched.load(Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        };
        ctrlc::set_handler(handler)?;
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        Ok(Self { bar, stop, watching, checkpoint, failure: Cell::new(None) })
    }

    /// Whether Ctrl-C was pressed.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Tells `solver` what the checkpoint holds.
    pub fn teach(&self, solver: &mut Solver) {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.borrow().teach(solver);
        }
    }

    /// Why the checkpoint could not be written, told once.
    pub fn failure(&self) -> Option<Failure> {
        self.failure.take()
    }

    /// Shows how far the solver is, and keeps what it has proved; `false` asks
    /// it to stop.
    pub fn show(&self, progress: &Progress) -> bool {
        if let Some(checkpoint) = &self.checkpoint
            && let Err(failure) = checkpoint.borrow_mut().note(progress)
        {
            self.failure.set(Some(failure));
            return false;
        }
        self.show_other(progress)
    }

    /// Shows how far a solver is whose proofs are not to be kept.
    pub fn show_other(&self, progress: &Progress) -> bool {
        self.watching.store(true, Relaxed);
        let Progress { proved, nodes, elapsed, fill, .. } = progress;
        let rate = *nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
        let (nodes, fill) = (*nodes as f64 / 1e6, *fill / 10);
        let bounds = match (proved.lower.0, proved.upper.0) {
            (lower, upper) if upper.saturating_sub(lower) > 100_000 => String::new(),
            (lower, upper) => format!("margin {lower:+} to {upper:+}, "),
        };
        self.bar.set_message(format!(
            "{bounds}{nodes:.1} M positions, {rate:.1} M/s, memory {fill} % full"
        ));
        self.bar.tick();
        !self.stopped()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
