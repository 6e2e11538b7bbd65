//! Playing in a terminal, against the engine or another person.
//!
//! ```text
//! command      what a typed line asks for
//! seat, clock  who plays a side, and with how much time
//! game         a record with undo and redo
//! saved        games in files
//! event        what a front end waits for, over one channel
//! background   the engine in a thread
//! pages        longer messages as lines of text
//! session      actions and results of the engine in, messages out
//! typing       a command being typed: editing, history, completion
//! line_mode    the front end that works line by line
//! tui          the front end on the full screen
//! ```
//!
//! Front ends show the messages of the session; the session knows nothing of the terminal
//! but its width and its characters.

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
