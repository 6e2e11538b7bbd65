//! A board and a game drawn: as text, and in a browser.
//!
//! [`board::board`] is a function from a position to lines of text with roles; a front end
//! chooses the colours. Everything that a browser loads is in the folder `assets`: [`assets`] is
//! the table of the page's files, and [`viewer`] what shows games in a document of its own.
//!
//! This crate knows neither players nor searches, and it opens no file.
//!
//! ```
//! use kalah_game::{Position, Rules, Side};
//! use kalah_view::board::{Annotations, Glyphs, View, board};
//!
//! let position = Position::start(Rules::default());
//! let view = View { width: 80, height: None, glyphs: Glyphs::Ascii, bottom: Side::South };
//! let lines = board(&position, &Annotations::new(&position), &view);
//! assert!(lines.last().is_some_and(|line| line.text().ends_with("* South to move")));
//! ```
//!
//! In reading order:
//!
//! ```text
//! styled  text with roles instead of colours
//! board   a position as a drawing
//! assets  the files of the page
//! viewer  the games of a document, one move at a time
//! ```

pub mod assets;
pub mod board;
pub mod styled;
pub mod viewer;
