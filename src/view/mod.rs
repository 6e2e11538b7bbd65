//! Positions as text: boards as drawings, moves and results as sentences.
//!
//! ```text
//! board      drawings of a position
//! sentence   moves, positions and results in words
//! text       lines whose parts have roles instead of colours
//! palette    roles to the styles of a terminal
//! terminal   the capabilities of the terminal
//! web        the board of web pages
//! ```

pub mod board;
#[cfg(feature = "cli")]
pub(crate) mod palette;
#[cfg(feature = "cli")]
pub(crate) mod sentence;
#[cfg(feature = "cli")]
pub(crate) mod terminal;
pub mod text;

/// The board of web pages: it draws positions and steps through moves.
#[cfg(feature = "cli")]
pub(crate) mod web {
    /// An ES module.
    pub(crate) const SCRIPT: &str = include_str!("board.js");
    /// Its style; the page defines the colours.
    pub(crate) const STYLE: &str = include_str!("board.css");
}
