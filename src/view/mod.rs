//! A position as text: the board as a drawing, moves and results as sentences.
//!
//! ```text
//! board      a position to lines of text
//! sentence   moves, positions and results in words
//! text       lines whose parts have roles, not colours
//! palette    roles to the colours of a terminal
//! terminal   what the terminal can show
//! ```

pub mod board;
#[cfg(feature = "cli")]
pub(crate) mod palette;
#[cfg(feature = "cli")]
pub(crate) mod sentence;
#[cfg(feature = "cli")]
pub(crate) mod terminal;
pub mod text;
