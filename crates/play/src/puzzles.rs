//! Puzzles from the mistakes in saved games.

use crate::players;
use crate::saved::{SavedGameError, SavedGames};
use crate::seat::Seat;
use kalah_coach::find::PuzzleFinder;
use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_engine::{Engine, search::Stopper};
use kalah_record::Game;
use kalah_sys::machine::MemoryError;

/// The latest finished games that have not been searched for puzzles.
pub struct UnsearchedGames {
    /// By the names of their files.
    pub games: Vec<(String, Game)>,
    /// The errors for files that could not be loaded completely.
    pub damaged: Vec<SavedGameError>,
}

impl UnsearchedGames {
    /// Those among `saved`, unless `history` knows them; at most 20.
    pub fn new(saved: &SavedGames, history: &PuzzleHistory) -> Self {
        const MAX_GAMES: usize = 20;
        let (games, damaged) = saved.list();
        let finished = games
            .into_iter()
            .filter(|(_, game)| game.ending().is_some())
            .filter_map(|(path, game)| Some((path.file_name()?.to_str()?.to_owned(), game)))
            .filter(|(file, _)| !history.has_searched(file))
            .take(MAX_GAMES);
        Self { games: finished.collect(), damaged }
    }

    /// Searches the games for mistakes of people, and keeps the puzzles in `history`.
    ///
    /// # Errors
    /// If the system refuses the memory for an engine.
    pub fn search(self, history: &mut PuzzleHistory) -> Result<(), MemoryError> {
        let engine = Engine::with_cached_tables(Engine::DEFAULT_HASH)?;
        let mut judge = Judge { engine, stopper: Stopper::new() };
        let mut finder = PuzzleFinder::new()?;
        for (file, game) in self.games {
            // Games saved by other programs do not record which players are people.
            let puzzles = match players::seats(&game) {
                Some(seats) => finder.search_game(&game, seats.map(Seat::is_person), &mut judge),
                None => Vec::new(),
            };
            // Recorded even if there is no puzzle in it, so that the game is not searched again.
            history.keep(file, &puzzles);
        }
        Ok(())
    }
}
