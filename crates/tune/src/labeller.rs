//! The exact gains of the moves of many positions, such as training data.

use std::sync::Arc;

use kalah_engine::endgame::Tables;
use kalah_engine::solve::{SolveError, Solver, SolverSettings, TableChoice, planned_hash};
use kalah_game::{Gain, Pit, Position};

/// Finds exact margins in the endgame tables or, for positions that they do not hold, with a solver.
/// The solver is created for the first such position, with a transposition table of a size for its
/// seeds in play, and kept for the later ones: its proved bounds hold for all of them. Clearing a
/// table of 256 MiB for every few positions once took three quarters of the time.
pub struct Labeller {
    tables: Arc<Tables>,
    guess: fn(&Position) -> Option<Gain>,
    solver: Option<Solver>,
}

impl Labeller {
    /// A labeller for positions of the variant of `tables`. `guess` is that of
    /// [`SolverSettings::guess`].
    pub fn new(tables: Arc<Tables>, guess: fn(&Position) -> Option<Gain>) -> Self {
        Self { tables, guess, solver: None }
    }

    /// The exact margin of each move, from the mover's point of view.
    ///
    /// # Errors
    /// Those of [`Solver::new`] and [`Solver::moves`].
    pub fn moves(&mut self, position: &Position) -> Result<Vec<(Pit, Gain)>, SolveError> {
        match self.tables.move_margins(position) {
            Some(moves) => Ok(moves),
            None => self.solver(position)?.moves(position, &mut |_| true),
        }
    }

    /// Whether the move to `pit`, which is legal, is worse than another one. Takes less time than
    /// [`Labeller::moves`].
    ///
    /// # Errors
    /// As for [`Labeller::moves`].
    pub fn errs(&mut self, position: &Position, pit: Pit) -> Result<bool, SolveError> {
        let best = self.margin(position, None)?;
        let chosen = position.children().find(|(played, _)| played.pit == pit);
        let (played, after) = chosen.expect("a legal move");
        // The best move has the margin of the position itself, so that is the best guess.
        let margin = self.margin(&after, Some(played.turn.from_child(best)))?;
        Ok(played.turn.from_child(margin) < best)
    }

    fn margin(&mut self, position: &Position, guess: Option<Gain>) -> Result<Gain, SolveError> {
        match self.tables.margin(position) {
            Some(margin) => Ok(margin),
            None => self.solver(position)?.margin(position, guess, &mut |_| true),
        }
    }

    /// A solver for `position`: that of earlier positions, unless this one has more seeds in play.
    fn solver(&mut self, position: &Position) -> Result<&mut Solver, SolveError> {
        let kept = self.solver.take().filter(|solver| solver.accepts(position));
        let solver = match kept {
            Some(solver) => solver,
            None => self.new_solver(position)?,
        };
        Ok(self.solver.insert(solver))
    }

    fn new_solver(&self, position: &Position) -> Result<Solver, SolveError> {
        /// The table serves many positions, some of which take far more nodes than the average.
        const TIMES_PLANNED: usize = 8;
        /// Every thread has such a table.
        const MAX_HASH: usize = 256 << 20;
        let planned = planned_hash(position, self.tables.seeds());
        let hash = planned.saturating_mul(TIMES_PLANNED).min(MAX_HASH);
        let tables = TableChoice::Given(Arc::clone(&self.tables));
        let mut settings = SolverSettings::default().hash(hash).tables(tables);
        settings.guess = self.guess;
        Solver::new(position, settings)
    }
}
