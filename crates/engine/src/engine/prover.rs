//! A solver that runs alongside a search: it proves the exact margin while the search looks
//! for a good move. The engine decides whether a position is worth a proof.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use crate::search::ExternalProof;
use crate::solve::{SolveError, Solver, SolverSettings};
use kalah_game::Position;
use kalah_sys::log;
use kalah_sys::stop::Flag;

/// A solver that works in the background until this is dropped.
#[derive(Debug)]
pub(super) struct Prover {
    /// Where the solver delivers its proof.
    pub(super) proof: Arc<ExternalProof>,
    unwanted: Flag,
}

/// The last prover of an engine and its clones, alive at least as long as its thread.
pub(super) type LastProver = Arc<Mutex<Weak<ExternalProof>>>;

impl Prover {
    /// Starts to solve `position`, which is not over. None if the system cannot start a
    /// thread, or if the thread of `last` has not ended yet: a solver can take seconds to stop,
    /// and at 50 ms per move six of them once ran at the same time.
    pub(super) fn start(
        position: Position,
        settings: SolverSettings,
        last: &LastProver,
    ) -> Option<Self> {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        // The thread owns a clone of its proof, so the count shows whether it still runs.
        if last.strong_count() > 0 {
            return None;
        }
        let prover = Self { proof: Arc::default(), unwanted: Flag::default() };
        *last = Arc::downgrade(&prover.proof);
        let proof = Arc::clone(&prover.proof);
        let unwanted = prover.unwanted.clone();
        let builder = thread::Builder::new().name("prover".to_owned());
        let started = builder.spawn(move || {
            let solved = Solver::new(&position, settings)
                .and_then(|mut solver| solver.solve(&position, &mut |_| !unwanted.is_raised()));
            match solved {
                Ok(solution) => proof.give(solution.margin, solution.pv),
                // The search ended before the proof.
                Err(SolveError::Stopped) => {}
                Err(error) => log::warn!("no solver alongside the search: {error}"),
            }
        });
        started.inspect_err(|error| log::warn!("no solver alongside the search: {error}")).ok()?;
        Some(prover)
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        // Nobody waits for the thread: it can take seconds to notice the flag.
        self.unwanted.raise();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use kalah_game::Rules;

    #[test]
    fn a_solver_begins_when_the_last_one_has_ended() {
        let (start, last) = (Position::start(Rules::default()), LastProver::default());
        let prover = Prover::start(start, SolverSettings::default(), &last).unwrap();
        assert!(Prover::start(start, SolverSettings::default(), &last).is_none());
        drop(prover);
        while Prover::start(start, SolverSettings::default(), &last).is_none() {
            thread::sleep(Duration::from_millis(1));
        }
    }
}
