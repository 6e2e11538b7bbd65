//! A recorded game: who played, from where, every move, how it ended.
//!
//! A [`Game`] is legal by construction: moves enter it through [`Game::play`],
//! a swap of sides through [`Game::swap`] and an ending through
//! [`Game::finish`]. It is written as one line of JSON (module [`json`], for
//! programs) and as `.kgn` text (module [`kgn`], for people); neither loses
//! anything. Both are described in `doc/records.md`. [`format::read`] reads
//! either.
//!
//! This module opens no files and knows nothing of matches.

mod ending;
mod error;
pub mod format;
mod game;
pub mod json;
pub mod kgn;
pub(crate) mod time_control;

pub use ending::{Ending, EndingError, Outcome, Reason};
pub use error::RecordError;
pub use game::{DELAY, Evaluation, Game, Move, Player, Step, Variation};
pub use time_control::{Clock, TimeControl};
