//! Playing in a terminal, against the engine or another person.
//!
//! ```text
//! command      the commands, parsed from typed lines
//! seat, clock  the player of a side, and the time for it
//! game         a record with undo and redo
//! saved        games in files
//! event        the events for which a front end waits, over one channel
//! background   the engine in a thread
//! pages        longer messages as lines of text
//! session      actions and results of the engine in, messages out
//! typing       a command being typed: editing, history, completion
//! line_mode    the front end that works line by line
//! tui          the front end on the full screen
//! ```
//!
//! Front ends show the messages of the session, which is independent of the terminal except
//! for its width and its characters.

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
