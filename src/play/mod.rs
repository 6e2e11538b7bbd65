//! Playing in a terminal.
//!
//! ```text
//! pure       view, text, palette: the board as lines of text in roles
//!            sentence, pages: moves and longer answers in words
//!            input, game, seat, levels, frames: what is typed, played, by whom
//! outside    keep: files of games; thinker: the engine in the background;
//!            terminal: what the environment can show
//! session    a person, the engine and a game: actions in, notes out
//! fronts     line: works everywhere; tui: the full screen
//! ```
//!
//! The two fronts know nothing of the game; the session knows no terminal.

pub mod frames;
pub mod game;
pub mod input;
pub mod keep;
pub mod levels;
pub mod line;
pub mod pages;
pub mod seat;
pub mod session;
pub mod thinker;
#[cfg(feature = "tui")]
pub mod tui;
