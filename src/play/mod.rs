//! Playing in a terminal.
//!
//! Pure parts first: the [`view`] of a position, [`sentence`]s about moves, the
//! [`input`] that a line means, the [`game`] with its undo and redo. They know
//! no terminal, no engine and no clock.

pub mod game;
pub mod input;
pub mod palette;
pub mod sentence;
pub mod text;
pub mod view;
