//! Playing in a terminal, against the engine or another person.
//!
//! ```text
//! command, seat, game   what is typed, who plays, a record with undo and redo
//! saved                 games in files
//! event, background     one channel of events; the engine in a thread
//! pages                 longer messages as lines of text
//! session               actions and results of the engine in, messages out
//! line_mode, tui        the front ends: line by line, and on the full screen
//! ```
//!
//! The front ends show what the session answers; the session knows no terminal but
//! its width and its characters.

pub(crate) mod background;
mod command;
pub(crate) mod event;
mod game;
pub(crate) mod line_mode;
pub(crate) mod pages;
pub(crate) mod saved;
pub mod seat;
pub(crate) mod session;
#[cfg(feature = "tui")]
pub mod tui;
