//! A solve under way, shown on stderr if that is a terminal; Ctrl-C stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use crate::solve::Progress;

/// Shows progress, and knows whether the user wants to stop.
pub(super) struct Watcher {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Watcher {
    /// Begins to listen for Ctrl-C.
    ///
    /// # Errors
    /// [`Failure::Work`] if signals cannot be caught.
    pub fn new() -> Result<Self, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let pressed = Arc::clone(&stop);
        ctrlc::set_handler(move || pressed.store(true, Relaxed)).map_err(Failure::work)?;
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        Ok(Self { bar, stop })
    }

    /// Whether Ctrl-C was pressed.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Shows how far the solver is; `false` asks it to stop.
    pub fn show(&self, progress: &Progress) -> bool {
        let Progress { proved, nodes, elapsed, fill } = progress;
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
