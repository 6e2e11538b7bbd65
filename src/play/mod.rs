//! Playing in a terminal.
//!
//! Pure parts first: the [`view`] of a position, [`sentence`]s about moves, the
//! [`input`] that a line means, the [`game`] with its undo and redo. They know
//! no terminal, no engine and no clock.

pub mod frames;
pub mod game;
pub mod input;
pub mod keep;
pub mod levels;
pub mod line;
pub mod pages;
pub mod palette;
pub mod seat;
pub mod sentence;
pub mod session;
pub mod terminal;
pub mod text;
pub mod thinker;
#[cfg(feature = "tui")]
pub mod tui;
pub mod view;
