//! A game in play, for every front end.
//!
//! ```
//! use std::time::Duration;
//!
//! use kalah_game::{Pit, Position, Rules};
//! use kalah_play::game::{GameInPlay, Intent, NewGame};
//!
//! let new = NewGame::for_people(Position::start(Rules::default()));
//! let mut game = GameInPlay::new(new.clone());
//! let now = Duration::ZERO;
//! game.begin(now);
//! game.act(Intent::Sow(Pit::new(0)), now)?;
//! let saved = game.saved();
//! let mut again = GameInPlay::load(&saved, new);
//! again.act(Intent::TakeBack, now)?;
//! assert_eq!(again.cursor().undone(), 1);
//! # Ok::<(), kalah_play::refusal::Refusal>(())
//! ```
//!
//! In reading order:
//!
//! ```text
//! game      the state machine: intents and a clock's reading in, events out
//! refusal   why a player cannot do something
//! question  questions to the engine about a game, and its answers
//! cursor    a record with undo and redo
//! clock     the time of a game between people
//! seat      who plays a side: a person, a level, an algorithm
//! players   who plays in a record
//! saved     games in files
//! puzzles   puzzles from the mistakes in them
//! ```
//!
//! This crate must not know how people type or what they see: it neither reads keys nor prints,
//! and no sentence about a game names a key or a command.

pub mod clock;
pub mod cursor;
pub mod game;
pub mod players;
pub mod puzzles;
pub mod question;
pub mod refusal;
pub mod saved;
pub mod seat;
