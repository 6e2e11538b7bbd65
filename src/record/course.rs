//! A finished game in short, for statistics over many of them.

use super::ending::Outcome;
use super::game::Game;
use crate::game::{Pit, Position};

/// Where a game began, its moves, and who won.
#[derive(Clone, Debug)]
pub struct Course {
    start: Position,
    moves: Box<[Pit]>,
    outcome: Outcome,
}

impl Course {
    /// None of an unfinished game.
    pub fn of(game: &Game) -> Option<Self> {
        let outcome = game.ending()?.outcome;
        let moves = game.moves().map(|r#move| r#move.pit).collect();
        Some(Self { start: *game.start(), moves, outcome })
    }

    /// The move that was made in a position, and the half points that its player got in the
    /// end; none if the game did not come there.
    pub fn played_from(&self, position: &Position) -> Option<(Pit, u32)> {
        if (self.start.variant(), self.start.total()) != (position.variant(), position.total()) {
            return None;
        }
        let mut reached = self.start;
        for &pit in &self.moves {
            if reached == *position {
                return Some((pit, self.outcome.half_points(position.side())));
            }
            reached.play(pit).ok()?;
        }
        None
    }
}
