//! A recorded game: its players, its start, every move, its ending, and its description in words.
//!
//! A [`Game`] is legal by construction: moves enter it through [`Game::play`],
//! a swap of sides through [`Game::swap`] and an ending through
//! [`Game::finish`]. It can be written without loss as one line of JSON (module [`json`],
//! for programs) and as `.kgn` text (module [`kgn`], for people). `doc/records.md` describes both
//! formats; [`format::read`] reads either.
//!
//! ```
//! use kalah_game::{Position, Rules};
//! use kalah_record::{Game, Move, Player, kgn, sentence};
//!
//! let start = Position::start(Rules::default());
//! let mut game = Game::new(start, ["Ann", "Bob"].map(Player::named));
//! // C keeps the turn, then F passes it.
//! for letter in ["C", "F", "a"] {
//!     let pit = game.position().parse_move(letter)?;
//!     game.play(Move { comment: Some(format!("{letter}!")), ..Move::new(pit) })?;
//! }
//!
//! let text = kgn::write(&game);
//! assert!(text.contains("1. C {C!} F {F!} 2. a {a!} *"));
//! assert_eq!(sentence::result(&game), "unfinished");
//! assert_eq!(kgn::read(&text)?, [game]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A record does not know who computed its moves, nor why a game was played. What a match or a
//! person makes of records (standings, exercises, folders of saved games) is left to the crates
//! above.
//!
//! ```text
//! game          a game, its moves and variations     ending     results and their reasons
//! opening       where games begin                    mark       seeds lost by a move
//! time_control  the clocks of a game                 file       files in either format
//! kgn, json     the two formats                      sentence   moves and endings in words
//! manifest      lists of openings                    suite      positions with known gains
//! ```

mod ending;
mod error;
pub mod file;
pub mod format;
mod game;
pub mod json;
pub mod kgn;
pub mod manifest;
pub mod mark;
pub mod opening;
pub mod sentence;
pub mod suite;
pub mod time_control;

pub use ending::{Ending, EndingError, Reason};
pub use error::{RecordError, TextError};
pub use game::{Game, Move, MoveEvaluation, Player, Step, Variation, turn_numbers};
pub use kalah_game::Outcome;
pub use time_control::TimeControl;
