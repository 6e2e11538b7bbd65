//! A game in play, for every front end.
//!
//! ```text
//! seat      who plays a side: a person, a level, an algorithm
//! clock     the time of a game between people
//! players   who plays in a record
//! line      a record with undo and redo
//! saved     games in files
//! ```
//!
//! This crate must not know how people type or what they see: it neither reads keys nor prints,
//! and no sentence about a game names a key or a command.

pub mod clock;
pub mod line;
pub mod players;
pub mod saved;
pub mod seat;
