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
    use crate::game::score::Gain;
    use std::time::{Duration, Instant};

    #[test]
    fn a_solver_in_the_background_proves_the_margin_and_best_play() {
        let start = Position::start(Rules::new(4, 3, Default::default()).unwrap());
        let last = LastProver::default();
        let prover = Prover::start(start, Settings::default(), &last).unwrap();
        assert!(Prover::start(start, Settings::default(), &last).is_none(), "two at once");
        let deadline = Instant::now() + Duration::from_secs(60);
        while prover.proof().found().is_none() && Instant::now() < deadline {
            thread::yield_now();
        }
        let (margin, pv) = prover.proof().found().expect("a proof");
        // src/cli/known_margins.tsv
        assert_eq!(*margin, Gain(6));
        let mut end = start;
        assert_eq!(pv.iter().try_for_each(|&pit| end.play(pit).map(drop)), Ok(()));
        assert_eq!(end.margin(start.side()), Gain(6));
    }
}
