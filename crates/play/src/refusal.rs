//! Why a player cannot do something.

use kalah_game::{MoveError, Side};
use kalah_record::{Ending, sentence};
use thiserror::Error;

use crate::seat::Seat;

/// Why an intent was refused. The sentences name no key and no command; front ends add what the
/// player can do instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The engine is choosing a move for this side.
    #[error("it is {0}'s turn and the engine is thinking")]
    Thinking(Side),
    /// The engine has no question to answer.
    #[error("the engine is not thinking")]
    NotThinking,
    /// The game has ended in this way; none if its position has no moves left.
    #[error("the game is over{}", because(.0.as_ref()))]
    Over(Option<Ending>),
    /// The player looks at an earlier position, in which this engine would move.
    #[error("it is {0}'s turn, and {1} plays {0}")]
    Paused(Side, Seat),
    /// The game is not paused.
    #[error("the game is already in progress")]
    InProgress,
    /// The move is illegal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The pie rule does not allow a swap now.
    #[error(
        "only the second player can swap sides, under the pie rule, instead of making its first \
         move"
    )]
    NoSwap,
    /// No player has decided anything before this position.
    #[error("nothing to undo: this is your first decision of the game")]
    NothingToUndo,
    /// No step was undone.
    #[error("nothing to redo: no move was undone")]
    NothingToRedo,
    /// The position is already on the board.
    #[error("this is the {} of the game", if *(.0) { "start" } else { "last move" })]
    NoSuchStep(bool),
    /// The game has only this many variations.
    #[error("there are {0} variations")]
    NoSuchVariation(usize),
    /// The engine plays both sides, and never resigns.
    #[error("only a person can resign; the engine plays both sides")]
    NoPerson,
    /// People play both sides.
    #[error("the engine plays neither side")]
    NoEngine,
    /// The game has no moves to judge.
    #[error("there are no moves to analyse yet")]
    NoMoves,
}

/// `: North resigned`
fn because(ending: Option<&Ending>) -> String {
    match ending.and_then(sentence::cause) {
        Some(cause) => format!(": {cause}"),
        None => String::new(),
    }
}
