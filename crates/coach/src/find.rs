//! Finding puzzles, in suites of positions with exact values and in people's games.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::exercise;
use crate::explain::JudgedMove;
use crate::judge::Judge;
use crate::puzzle::{Difficulty, Motif, Puzzle};
use kalah_engine::Engine;
use kalah_engine::search::transposition::Bound;
use kalah_engine::search::{Limits, Stopper};
use kalah_engine::solve::SolveError;
use kalah_game::depth::Depth;
use kalah_game::{Capture, Pit, Position};
use kalah_record::Game;
use kalah_record::mark::Mark;
use kalah_record::suite::Problem;
use kalah_sys::clock::Instant;
use kalah_sys::machine::MemoryError;

/// Finds puzzles and determines their difficulty.
#[derive(Debug)]
pub struct PuzzleFinder {
    /// Without endgame tables, which would show it the end of the game at any depth.
    engine: Engine,
    /// The number of puzzles of each kind found in suites.
    kinds: BTreeMap<(Motif, Difficulty), usize>,
}

impl PuzzleFinder {
    /// # Errors
    /// If the system refuses the memory for a small transposition table.
    pub fn new() -> Result<Self, MemoryError> {
        Ok(Self { engine: Engine::without_tables(16)?, kinds: BTreeMap::new() })
    }

    /// Passes the puzzles among the problems of a suite to `found`: at most eight of each motif
    /// and difficulty, in all suites together.
    ///
    /// # Errors
    /// If the solver fails or `found` returns an error.
    pub fn search_suite<E: From<SolveError>>(
        &mut self,
        problems: &[Problem],
        mut found: impl FnMut(Puzzle) -> Result<(), E>,
    ) -> Result<(), E> {
        const MAX_OF_A_KIND: usize = 8;
        let positions = problems.iter().map(|problem| &problem.position);
        let Some(largest) = positions.max_by_key(|position| position.in_play()) else {
            return Ok(());
        };
        // One solver for the whole suite, so that its tables are built only once.
        let mut solver = exercise::solver(largest)?;
        for problem in problems.iter().filter(|problem| may_be_puzzle(problem)) {
            let moves = exercise::solved(&mut solver, &problem.position, &mut |_| true)?;
            let Some(puzzle) = self.puzzle(problem.position, moves) else { continue };
            let of_kind = self.kinds.entry((puzzle.motif, puzzle.difficulty())).or_default();
            *of_kind += 1;
            if *of_kind <= MAX_OF_A_KIND {
                found(puzzle)?;
            }
        }
        Ok(())
    }

    /// The puzzles in a game: positions in which a person lost two seeds or more. `people` tells
    /// whether South and North, as they are named in the record, are people. `judge` finds the
    /// positions; the solver must then prove all their moves, within a few seconds per position.
    pub fn search_game(
        &mut self,
        record: &Game,
        people: [bool; 2],
        judge: &mut Judge,
    ) -> Vec<Puzzle> {
        const JUDGING_TIME: Duration = Duration::from_millis(40);
        const SOLVING_TIME: Duration = Duration::from_secs(5);
        let mut puzzles = Vec::new();
        for (index, step) in record.steps().iter().enumerate() {
            let position = *record.position_after(index);
            let pit = step.played.pit;
            // The record names the players by the sides that they have after a swap.
            let swaps_later = record.swapped_after().is_some_and(|moves| index < moves);
            let side = if swaps_later { position.side().other() } else { position.side() };
            if !people[side.index()] {
                continue;
            }
            let loss = judge.judgement(position, pit, JUDGING_TIME).loss();
            // `None` is below every mark, so fair moves are skipped as well.
            if Mark::for_loss(loss) < Some(Mark::Mistake) {
                continue;
            }
            let started = Instant::now();
            let solved = exercise::solver(&position).and_then(|mut solver| {
                exercise::solved(&mut solver, &position, &mut |_| started.elapsed() < SOLVING_TIME)
            });
            // The short search may have mistaken the best move for an error.
            if let Ok(moves) = solved
                && moves[0].pit() != pit
            {
                puzzles.extend(self.puzzle(position, moves));
            }
        }
        puzzles
    }

    fn puzzle(&mut self, position: Position, moves: Vec<JudgedMove>) -> Option<Puzzle> {
        Puzzle::new(position, moves, |best| depth_to_find(&position, best, &mut self.engine))
    }
}

/// Whether the suite's values leave only one best move, so that solving all moves is
/// worthwhile.
fn may_be_puzzle(problem: &Problem) -> bool {
    let best = Some(problem.best());
    problem.position.capture() == Capture::Standard
        && problem.gains.iter().filter(|&&gain| gain == best).count() == 1
}

/// The depth from which the engine always prefers `best`.
fn depth_to_find(position: &Position, best: Pit, engine: &mut Engine) -> Depth {
    const MAX_DEPTH: Depth = Depth(12);
    let mut last_wrong = 0;
    // With entries from earlier searches in the table, the best move would be found too early.
    engine.new_game();
    engine.set_position(*position);
    engine.search(Limits::depth(MAX_DEPTH), &Stopper::new(), &mut |info| {
        // A result that is only a bound is searched again and does not count.
        if info.bound == Bound::Exact && info.pv.first() != Some(&best) {
            last_wrong = info.depth.0;
        }
    });
    Depth(last_wrong + 1)
}
