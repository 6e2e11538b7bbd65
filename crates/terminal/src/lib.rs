//! What commands show in a terminal: a game played line by line, progress, a solver at work.
//!
//! ```text
//! terminal    the capabilities of the terminal
//! palette     roles of text to the styles of a terminal
//! command     the commands, parsed from typed lines
//! event       the events that a front end waits for, over one channel
//! background  the engine in a thread
//! tutor       a course of exercises, one after another
//! message     what front ends show
//! listings    longer messages as lines of text, and games in a line
//! analysis    the mistakes of a game
//! replay      a recorded game, move by move
//! game        the host of a game in play: actions and the engine's answers in, messages out
//! typing      a command being typed: editing, history, completion
//! line_mode   the front end that works line by line
//! progress    the progress line of a command
//! console     a solver at the terminal
//! layers      endgame tables, and values in them, as text and as JSON
//! signals     Ctrl-C
//! ```
//!
//! Front ends show the messages of [`game::TerminalGame`], which depends on the terminal only
//! through its width and its character set. The full-screen front end is the crate `kalah-tui`;
//! this crate must not know how it draws. What a move is worth, and why, comes from `kalah-coach`.
//!
//! ```
//! use kalah_game::{Position, Rules};
//! use kalah_play::game::Intent;
//! use kalah_terminal::command::{UserAction, parse};
//!
//! let position = Position::start(Rules::default());
//! assert_eq!(parse("u", &position), Ok(UserAction::Intend(Intent::TakeBack)));
//! assert_eq!(
//!     parse("umdo", &position).unwrap_err().to_string(),
//!     "expected a pit's letter, A to F, or a command (help lists them), got 'umdo'; did you mean \
//!      undo?"
//! );
//! ```

pub mod analysis;
pub mod background;
pub mod command;
pub mod console;
pub mod event;
pub mod game;
pub mod layers;
pub mod line_mode;
pub mod listings;
pub mod message;
pub mod palette;
pub mod progress;
pub mod replay;
pub mod signals;
pub mod terminal;
pub mod tutor;
pub mod typing;
