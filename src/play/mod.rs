//! Playing in a terminal, against the engine or another person.
//!
//! ```text
//! command, seat, game   what is typed, who plays, a record with undo and redo
//! clock                 the time that the players have
//! saved                 games in files
//! event, background     one channel of events; the engine in a thread
//! pages                 longer messages as lines of text
//! typing                a command being typed: editing, history, completion
//! session               actions and results of the engine in, messages out
//! line_mode, unbuffered the front end line by line, and its terminal
//! tui                   the front end on the full screen
//! ```
//!
//! The front ends show what the session answers; the session knows no terminal but
//! its width and its characters.

pub(crate) mod background;
pub(crate) mod clock;
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
pub(crate) mod typing;
mod unbuffered;
