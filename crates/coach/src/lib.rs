//! Judging and explaining moves, for every front end in which people play.
//!
//! ```
//! use kalah_coach::exercise::{ExerciseAnswer, ReplyKind};
//! use kalah_coach::lessons;
//!
//! let lesson = &lessons::all()[0];
//! let pit = lesson.position.parse_pit("C").expect("a pit");
//! let reply = lesson.reply(&[], ExerciseAnswer::Sow(pit))?;
//! assert_eq!(reply.kind, ReplyKind::Wrong);
//! assert_eq!(
//!     reply.text,
//!     "Not quite. C holds 4 seeds, so the last one falls into your store."
//! );
//! # Ok::<(), kalah_game::MoveError>(())
//! ```
//!
//! ```text
//! judge     the full engine's judgement of a move
//! explain   why one move is better than another
//! advice    what the coach says, in sentences
//! exercise  a position to solve, and the judgement of each move
//! lessons   the exercises of the tutorial
//! puzzle    positions with one best move
//! history   the answers to exercises, in a file
//! settings  the choices of a player, in a file
//! find      puzzles in suites of positions and in games
//! ```
//!
//! This crate must not know how people type or what they see: it neither reads keys nor prints,
//! and no sentence about a game names a key or a command.

pub mod advice;
pub mod exercise;
pub mod explain;
pub mod find;
pub mod history;
pub mod judge;
pub mod lessons;
pub mod puzzle;
pub mod settings;
