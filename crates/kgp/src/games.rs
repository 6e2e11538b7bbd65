//! Which states belong to one game, and how each game ended.
//!
//! The protocol announces neither. A server shows the client only the positions in which it has
//! a choice, so the moves in between remain unknown.

use kalah_game::score::Value;
use kalah_game::{Pit, Position, Side};

/// How a game ended for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// The client won.
    Won,
    /// Both sides got the same number of seeds.
    Drawn,
    /// The opponent won.
    Lost,
    /// The opponent's move or a lost connection ended the game, which the client does not see.
    Unknown,
}

/// A game that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// How it ended.
    pub result: GameResult,
    /// The number of moves that the client was asked for.
    pub moves: u64,
    /// The final margin that the client's last search expected, from its point of view.
    pub expected: Option<Value>,
}

/// The game that the server is playing with the client, which is always South.
#[derive(Debug, Default)]
pub(super) struct GameTracker {
    /// The server's name for the next states.
    pub(super) id: Option<String>,
    current: Option<CurrentGame>,
}

#[derive(Debug)]
struct CurrentGame {
    id: Option<String>,
    /// The last state.
    state: Position,
    /// The position after the client's answer to it.
    answered: Option<Position>,
    moves: u64,
    expected: Option<Value>,
}

impl GameTracker {
    pub(super) fn is_playing(&self) -> bool {
        self.current.is_some()
    }

    /// Takes a state that must be answered. If it starts a new game, returns the previous
    /// one.
    pub(super) fn receive(&mut self, state: Position) -> Option<PlayedGame> {
        if let Some(game) = &mut self.current
            && game.id == self.id
            && game.take(state)
        {
            return None;
        }
        let finished = self.finish();
        self.current = Some(CurrentGame {
            id: self.id.clone(),
            state,
            answered: None,
            moves: 0,
            expected: None,
        });
        finished
    }

    /// Takes the client's answer to a state, with the final margin that it expects; returns the
    /// game if the move ends it.
    pub(super) fn answer(
        &mut self,
        state: Position,
        pit: Pit,
        expected: Option<Value>,
    ) -> Option<PlayedGame> {
        let game = self.current.as_mut().filter(|game| game.state == state)?;
        let mut after = state;
        after.play(pit).ok()?;
        game.moves = game.moves.saturating_add(1);
        game.expected = expected;
        game.answered = Some(after);
        let result = result(&after)?;
        self.end(result)
    }

    /// Ends the game, if there is one, with an unknown result.
    pub(super) fn finish(&mut self) -> Option<PlayedGame> {
        self.end(GameResult::Unknown)
    }

    fn end(&mut self, result: GameResult) -> Option<PlayedGame> {
        let CurrentGame { moves, expected, .. } = self.current.take()?;
        Some(PlayedGame { result, moves, expected })
    }
}

impl CurrentGame {
    /// Takes a state of this game; returns whether it may be one.
    fn take(&mut self, state: Position) -> bool {
        if state == self.state {
            // The server has resent the state, which means that it dropped the answer.
            if self.answered.take().is_some() {
                self.moves = self.moves.saturating_sub(1);
            }
            return true;
        }
        let last = self.answered.unwrap_or(self.state);
        if !can_follow(&last, &state) {
            return false;
        }
        self.state = state;
        self.answered = None;
        true
    }
}

/// How the server ends a game at `position`, if it does: when the game is over, or when a store
/// holds more than half of all seeds.
fn result(position: &Position) -> Option<GameResult> {
    if position.certain_winner().is_none() && !position.is_over() {
        return None;
    }
    Some(match position.margin(Side::South).0 {
        1.. => GameResult::Won,
        0 => GameResult::Drawn,
        _ => GameResult::Lost,
    })
}

/// Whether a game may lead from `last` to `next`. Seeds never leave a store, so neither store
/// may shrink.
fn can_follow(last: &Position, next: &Position) -> bool {
    last.pits() == next.pits()
        && last.total() == next.total()
        && Side::BOTH.iter().all(|&side| last.store(side) <= next.store(side))
}
