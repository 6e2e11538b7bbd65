//! The rules of Kalah: positions, packed boards, notation, perft and scores.
//!
//! Play a game:
//!
//! ```
//! use kalah_game::{Position, Rules, Side};
//!
//! let mut position = Position::start(Rules::default());
//! while let Some(pit) = position.moves().nearest() {
//!     let played = position.play(pit)?;
//!     println!("{} sows {} and banks {} seeds", played.side, played.letter(), played.banked);
//! }
//! println!("South's margin is {}", position.margin(Side::South));
//! # Ok::<(), kalah_game::MoveError>(())
//! ```
//!
//! The rules are implemented twice. [`Position`], for front ends and tests, is plain and slow and
//! holds everything, including the stores and the side to move. [`Board`], for searches, is
//! packed into machine words, without stores and from the point of view of the player to move.
//! The tests compare the two move by move.
//!
//! Nothing here searches, evaluates or remembers a game, and there are no threads, files or
//! clocks. The crate needs `alloc`, but not the standard library, and no other crate from outside
//! this project. The feature `serde` stores positions, rules, sides and scores.
//!
//! # Reading order
//!
//! - `rules`, `pit`: [`Rules`], a [`Variant`] and its [`Capture`] rule; a [`Side`], a [`Pit`] and
//!   a [`PitSet`].
//! - `position`, `notation`: a [`Position`], how it changes, and the [`Outcome`] of a game;
//!   positions and moves as text.
//! - `row`, `sowing`, `board`: a packed [`Row`], the tables of a [`Sowing`] and a packed
//!   [`Board`].
//! - [`score`]: gains and values, search windows and proved intervals.
//! - [`depth`]: depths and plies.
//! - [`zobrist`]: keys of boards for hash tables.
//! - [`perft`]: counts of move sequences, the standard test of a move generator.
//!
//! # Words
//!
//! - *Pits* hold *seeds*. A *row* is one player's pits in sowing order: pit A is
//!   farthest from the *store*. Seeds *in play* are those in pits.
//! - A *variant* is a number of pits per row and a capture rule. (6,4) is the board
//!   with six pits per row and four seeds in each at the start.
//! - A *move* *sows* the seeds of one pit. If the last one falls into the mover's own
//!   store, the player keeps the *turn*; otherwise the turn passes. A *ply* is one
//!   sowing.
//! - Seeds are *banked* when they reach a store, by sowing or by capture.
//! - A *gain* is the number of seeds that the mover has yet to bank minus the number that
//!   the opponent has yet to bank. A *margin* is the difference between the stores at the
//!   end of the game. A *value* is either of them in hundredths of a seed.

#![no_std]

extern crate alloc;

mod board;
pub mod depth;
mod notation;
pub mod perft;
mod pit;
mod position;
mod row;
mod rules;
pub mod score;
#[cfg(feature = "serde")]
mod serialization;
mod sowing;
pub mod zobrist;

pub use board::{Board, Sown};
pub use depth::{Depth, Ply};
pub use notation::WithoutRule;
pub use pit::{Landing, Pit, PitSet, Pits, Side};
pub use position::{IllegalMove, MoveError, Outcome, Played, Position};
pub use row::{Row, Wide};
pub use rules::{BoardError, Capture, MAX_PITS, MAX_SEEDS, Rules, Variant};
pub use score::{Gain, Interval, Score, Turn, Value, Window};
#[cfg(feature = "serde")]
pub use serialization::PositionText;
pub use sowing::Sowing;

/// Evaluates an expression with `$row` as the narrowest packed row that `$position` fits
/// on. Searches are generic over the row and compiled for both widths; this is the only
/// place where one of them is chosen.
#[macro_export]
macro_rules! with_row {
    ($position:expr, $row:ident => $body:expr) => {
        if $position.fits::<u64>() {
            type $row = u64;
            $body
        } else {
            type $row = $crate::Wide;
            $body
        }
    };
}
