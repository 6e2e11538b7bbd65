//! Positions as text: boards as drawings, moves and results as sentences.
//!
//! ```text
//! board      drawings of a position
//! sentence   moves, positions and results in words
//! text       lines whose parts have roles instead of colours
//! palette    roles to the styles of a terminal
//! terminal   the capabilities of the terminal
//! ```

pub mod board;
#[cfg(feature = "cli")]
pub(crate) mod palette;
#[cfg(feature = "cli")]
pub(crate) mod sentence;
#[cfg(feature = "cli")]
pub(crate) mod terminal;
pub mod text;
