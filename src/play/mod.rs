//! Playing in a terminal, against the engine or another person.
//!
//! ```text
//! command      the commands, parsed from typed lines
//! seat, clock  the player of a side, and the time for it
//! game         a record with undo and redo
//! saved        games in files
//! event        the events for which a front end waits, over one channel
//! background   the engine in a thread
//! judge        the full engine's judgement of a move
//! explain      why a move is better than another
//! analysis     the mistakes of a game
//! exercise     a position to solve, and the judgement of each move
//! lessons      the exercises of the tutorial
//! puzzle       positions with one best move, and where they come from
//! history      the answers to puzzles, in a file
//! tutor        one exercise after another
//! pages        longer messages as lines of text
//! message      what front ends show
//! session      actions and results of the engine in, messages out
//! typing       a command being typed: editing, history, completion
//! line_mode    the front end that works line by line
//! tui          the front end on the full screen
//! ```
//!
//! Front ends show the messages of the session, which is independent of the terminal except
//! for its width and its characters.

mod analysis;
pub(crate) mod background;
pub(crate) mod clock;
mod command;
pub(crate) mod event;
pub(crate) mod exercise;
pub(crate) mod explain;
mod game;
pub(crate) mod history;
pub(crate) mod judge;
pub(crate) mod lessons;
pub(crate) mod line_mode;
mod message;
pub(crate) mod pages;
pub mod puzzle;
pub(crate) mod saved;
pub mod seat;
pub(crate) mod session;
#[cfg(feature = "tui")]
pub mod tui;
pub(crate) mod tutor;
pub(crate) mod typing;
