//! A finished game reduced to its moves and outcome, for statistics over many games: the page of
//! a running match cannot keep or reread all of its games in full.

use super::game::Game;
use kalah_game::{Outcome, Pit, Position};

/// Where a game began, its moves, and who won.
#[derive(Clone, Debug)]
pub struct Course {
    start: Position,
    moves: Box<[Pit]>,
    outcome: Outcome,
}

impl Course {
    /// Returns `None` for an unfinished game.
    pub fn from_game(game: &Game) -> Option<Self> {
        let outcome = game.ending()?.outcome;
        let moves = game.moves().map(|r#move| r#move.pit).collect();
        Some(Self { start: *game.start(), moves, outcome })
    }

    /// The move that was made in `position`, and the half points that its player finally scored;
    /// none if the game did not reach the position.
    pub fn played_from(&self, position: &Position) -> Option<(Pit, u32)> {
        // Moves change neither the variant nor the number of seeds on the board, so most games
        // need not be replayed.
        if (self.start.variant(), self.start.total()) != (position.variant(), position.total()) {
            return None;
        }
        let mut reached = self.start;
        for &pit in &self.moves {
            if reached == *position {
                return Some((pit, self.outcome.half_points(position.side())));
            }
            // Compared before each move, because only a position from which a move was made counts.
            reached.play(pit).ok()?;
        }
        None
    }
}
