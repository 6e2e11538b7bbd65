//! What `kalah solve` and `kalah openings` share: the resources of a solver as
//! options, and a solve in progress: its bar on stderr, its checkpoint, Ctrl-C.

use std::cell::RefCell;
use std::path::Path;

use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::Threads;
use super::{Failure, checkpoint::Checkpoint, on_interrupt};
use crate::depth::Depth;
use crate::engine::Engine;
use crate::game::Position;
use crate::score::Gain;
use crate::search::{Info, Limits, Stopper};
use crate::solve::{Progress, Settings, SolveError, Solver, TableChoice, Watch};
use crate::sys::stop::Flag;

#[derive(Debug, Default, ClapArgs)]
pub(super) struct Resources {
    #[command(flatten)]
    pub threads: Threads,
    /// Transposition table, in MiB [default: estimated from the seeds in play]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: Option<u32>,
    /// Build endgame tables up to SEEDS in play, 0 for none [default: those with
    /// the shortest estimated time]
    #[arg(long, value_name = "SEEDS")]
    pub table_seeds: Option<u32>,
}

impl Resources {
    pub(super) fn settings(&self) -> Settings {
        Settings {
            threads: self.threads.count(),
            hash: self.hash.map(|mebibytes| (mebibytes as usize) << 20),
            tables: self.table_seeds.map_or(TableChoice::Automatic, TableChoice::Seeds),
            guess,
            ..Settings::default()
        }
    }
}

/// A first guess for the proof of `position`, as its mover sees it, for proofs
/// that take long. The proof never relies on it.
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

/// What a search of `position` to `depth` finds, with `mebibytes` MiB for its
/// table; none if there is no memory or the game is over.
pub(super) fn searched(position: &Position, depth: Depth, mebibytes: usize) -> Option<Info> {
    let mut engine = Engine::with_hash(mebibytes).ok()?;
    engine.set_position(*position);
    engine.search(Limits::depth(depth), &Stopper::new(), &mut |_| ()).info
}

/// Shows the progress of solvers, saves what they prove, and stops them at
/// Ctrl-C.
pub(super) struct Watcher {
    bar: ProgressBar,
    interrupt: Flag,
    /// Raised when a solver first asks whether to continue.
    watching: Flag,
    checkpoint: Option<RefCell<Checkpoint>>,
}

impl Watcher {
    /// Installs the handler of Ctrl-C, once a process, and opens the checkpoint.
    ///
    /// # Errors
    /// If signals cannot be caught or the file is not a checkpoint.
    pub(super) fn new(checkpoint: Option<&Path>) -> Result<Self, Failure> {
        let checkpoint = checkpoint.map(Checkpoint::open).transpose()?.map(RefCell::new);
        let (interrupt, watching) = (Flag::default(), Flag::default());
        // While tables are built no solver asks, and nothing can be lost.
        let watched = watching.clone();
        on_interrupt(interrupt.clone(), move || !watched.is_raised())?;
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        Ok(Self { bar, interrupt, watching, checkpoint })
    }

    /// Whether Ctrl-C was pressed.
    pub(super) fn stopped(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Gives `solver` the bounds in the checkpoint.
    pub(super) fn restore(&self, solver: &mut Solver) {
        if let Some(checkpoint) = &self.checkpoint {
            checkpoint.borrow().restore(solver);
        }
    }

    /// Solves while showing the progress and saving what is proved.
    ///
    /// # Errors
    /// That of `solve`, or of writing the checkpoint.
    pub(super) fn proving<T>(
        &self,
        solve: impl FnOnce(&mut Watch) -> Result<T, SolveError>,
    ) -> Result<T, Failure> {
        let mut failure = None;
        let result = solve(&mut |progress| {
            if let Some(checkpoint) = &self.checkpoint
                && let Err(error) = checkpoint.borrow_mut().save(&progress)
            {
                failure = Some(error);
                return false;
            }
            self.show(&progress)
        });
        match failure {
            Some(failure) => Err(failure),
            None => Ok(result?),
        }
    }

    /// Solves while showing the progress only.
    ///
    /// # Errors
    /// That of `solve`.
    pub(super) fn verifying<T>(
        &self,
        solve: impl FnOnce(&mut Watch) -> Result<T, SolveError>,
    ) -> Result<T, Failure> {
        Ok(solve(&mut |progress| self.show(&progress))?)
    }

    fn show(&self, progress: &Progress) -> bool {
        self.watching.raise();
        let Progress { margin, nodes, elapsed, fill, .. } = progress;
        let rate = *nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
        let (nodes, fill) = (*nodes as f64 / 1e6, *fill / 10);
        self.bar.set_message(format!(
            "margin {} to {}, {nodes:.1} M positions, {rate:.1} M/s, table {fill} % full",
            margin.lower, margin.upper
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
