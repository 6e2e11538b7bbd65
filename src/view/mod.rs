//! Positions as text: boards as drawings, moves and results as sentences.
//!
//! ```text
//! board      drawings of a position
//! sentence   moves, positions and results in words
//! text       lines whose parts have roles instead of colours
//! palette    roles to the styles of a terminal
//! terminal   the capabilities of the terminal
//! web        the board and the curve of web pages
//! ```

pub mod board;
#[cfg(feature = "cli")]
pub(crate) mod palette;
#[cfg(feature = "cli")]
pub(crate) mod sentence;
#[cfg(feature = "cli")]
pub(crate) mod terminal;
pub mod text;

/// The board and the curve of web pages.
#[cfg(feature = "cli")]
pub(crate) mod web {
    /// An ES module that draws positions and steps through moves.
    pub(crate) const BOARD: &str = include_str!("board.js");
    /// An ES module that draws the margin over the moves of a game.
    pub(crate) const CURVE: &str = include_str!("curve.js");
    /// Their style; the page defines the colours.
    pub(crate) const STYLE: &str = include_str!("board.css");
}
