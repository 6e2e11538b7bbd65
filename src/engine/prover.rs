//! A solver beside a search: it proves the exact margin while the search looks for a good
//! move. The engine decides whether a position is worth a proof.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use crate::game::Position;
use crate::search::Proof;
use crate::solve::{Settings, SolveError, Solver};
use crate::sys::stop::Flag;

/// A solver at work in the background until this is dropped.
#[derive(Debug)]
pub(super) struct Prover {
    proof: Arc<Proof>,
    unwanted: Flag,
}

/// The last prover of an engine and its clones, alive as long as its thread.
pub(super) type LastProver = Arc<Mutex<Weak<Proof>>>;

impl Prover {
    /// Begins to solve `position`, which is not over. None if the system cannot start a
    /// thread, or if the thread of `last` has not ended yet: a solver takes a while to stop,
    /// and those of many short searches would pile up.
    pub(super) fn start(position: Position, settings: Settings, last: &LastProver) -> Option<Self> {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.strong_count() > 0 {
            return None;
        }
        let prover = Self { proof: Arc::default(), unwanted: Flag::default() };
        *last = Arc::downgrade(&prover.proof);
        let (proof, unwanted) = (Arc::clone(&prover.proof), prover.unwanted.clone());
        let builder = thread::Builder::new().name("prover".to_owned());
        let started = builder.spawn(move || {
            let solved = Solver::new(&position, settings)
                .and_then(|mut solver| solver.solve(&position, &mut |_| !unwanted.is_raised()));
            match solved {
                Ok(solution) => proof.give(solution.margin, solution.pv),
                Err(SolveError::Stopped) => {}
                Err(error) => log::warn!("no solver beside the search: {error}"),
            }
        });
        started.inspect_err(|error| log::warn!("no solver beside the search: {error}")).ok()?;
        Some(prover)
    }

    /// The place where it leaves its proof.
    pub(super) fn proof(&self) -> &Proof {
        &self.proof
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        self.unwanted.raise();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn a_solver_begins_when_the_last_one_has_ended() {
        let (start, last) = (Position::start(Rules::default()), LastProver::default());
        let prover = Prover::start(start, Settings::default(), &last).unwrap();
        assert!(Prover::start(start, Settings::default(), &last).is_none());
        drop(prover);
        while Prover::start(start, Settings::default(), &last).is_none() {
            thread::yield_now();
        }
    }
}
