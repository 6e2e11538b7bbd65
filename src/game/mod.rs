//! The game: rules, packed boards, positions, notation and perft.
//!
//! The rules are implemented twice. [`Position`], for front ends and tests, is plain and
//! slow and holds everything, including the stores and the side to move. [`Board`], for
//! searches, is packed into machine words, without stores and from the point of view of the
//! player to move. `tests/library/game` compares the two move by move. The builder of
//! endgame tables works on ranks of rows and implements sowing separately;
//! `tests/library/endgame` compares the values.

pub mod board;
pub mod depth;
pub mod notation;
pub mod perft;
pub mod pit;
pub mod position;
pub mod row;
pub mod rules;
pub mod score;
pub mod sowing;

pub use board::{Board, Sown};
pub use pit::{Landing, Pit, PitSet, Side};
pub use position::{IllegalMove, MoveError, Played, Position, PositionError};
pub use row::{Row, Wide};
pub use rules::{Capture, MAX_PITS, MAX_SEEDS, Rules, RulesError, Variant};
pub use sowing::Sowing;

/// Evaluates an expression with `$row` as the narrowest packed row that `$position` fits
/// on. Searches are generic over the row and compiled for both widths; this is the only
/// place where one of them is chosen.
macro_rules! with_row {
    ($position:expr, $row:ident => $body:expr) => {
        if $position.fits::<u64>() {
            type $row = u64;
            $body
        } else {
            type $row = $crate::game::Wide;
            $body
        }
    };
}
pub(crate) use with_row;
