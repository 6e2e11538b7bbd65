//! Questions to the engine about a game, and its answers.
//!
//! A game in play asks; its host decides where the engine searches: in a thread, or in a worker of
//! a browser.

use std::time::Duration;

use kalah_coach::explain::Judgement;
use kalah_coach::judge::{Judge, LOSS_TIME, VALUES_TIME};
use kalah_engine::search::{Clock, Info, Limits};
use kalah_record::{Game, Move};

use crate::seat::Seat;

/// A question to the engine about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// A move for this player, on its clock if it has one.
    Move(Seat, Option<Clock>),
    /// The judgement of the last move, for the coach.
    LastMove,
    /// The full engine's move.
    Hint,
    /// The values of all pits.
    Values,
    /// The judgement of each move.
    Review,
}

/// An answer of the engine.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The number of moves judged so far, and their total; more answers follow.
    Progress(usize, usize),
    /// The engine's move, whose time the game measures; none if the engine found no move.
    Move(Option<Move>),
    /// The best move and, as the move played, the best of the others.
    Hint(Judgement),
    /// The values of the pits, best first.
    Values(Vec<Info>),
    /// The judgement of each move of the game.
    Review(Vec<Judgement>),
    /// The judgement of the last move.
    LastMove(Judgement),
    /// The engine could not start, or panicked; the game continues without its answer.
    Failed,
}

impl Question {
    /// Has an engine answer the question about a game; `report` receives the number of moves judged
    /// so far, and their total. The engine keeps the strength of a player that it moved for, so
    /// that each question needs a copy of it.
    pub fn answer(self, judge: &mut Judge, game: &Game, report: &dyn Fn(usize, usize)) -> Answer {
        let position = *game.position();
        match self {
            Self::Move(seat, clock) => {
                seat.set_up(&mut judge.engine);
                let found = judge.search(position, seat.limits(clock));
                Answer::Move(Move::from_search(&found, Duration::ZERO))
            }
            Self::LastMove => match game.steps() {
                [before @ .., last] => {
                    let before = *game.position_after(before.len());
                    Answer::LastMove(judge.judgement(before, last.played.pit, LOSS_TIME))
                }
                [] => Answer::Failed,
            },
            Self::Hint => Answer::Hint(judge.hint(position)),
            Self::Values => Answer::Values(judge.values(position, Limits::time(VALUES_TIME))),
            Self::Review => Answer::Review(judge.losses(game, report)),
        }
    }
}
