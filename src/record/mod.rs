//! A recorded game: its players, its start, every move and its ending.
//!
//! A [`Game`] is legal by construction: moves enter it through [`Game::play`],
//! a swap of sides through [`Game::swap`] and an ending through
//! [`Game::finish`]. It can be written without loss as one line of JSON (module [`json`],
//! for programs) and as `.kgn` text (module [`kgn`], for people). Both formats are described
//! in `doc/records.md`; [`format::read`] reads either.
//!
//! This module does not open files and does not depend on matches.

mod course;
mod ending;
mod error;
pub mod format;
mod game;
pub mod json;
pub mod kgn;
pub mod mark;
pub(crate) mod time_control;

pub use course::Course;
pub use ending::{Ending, EndingError, Outcome, Reason};
pub use error::RecordError;
pub use game::{DELAY, Evaluation, Game, Move, Player, Step, Variation};
pub use time_control::{Clock, TimeControl};
