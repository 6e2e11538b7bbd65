//! A Kalah engine: rules, search, exact solving and the experiments around them.
//!
//! The modules stand on floors, and each uses only those below it:
//!
//! ```text
//! 6  cli              arguments to a command
//! 5  play             playing in a terminal: view, input, game, session
//! 2  record           records of games, as JSON lines and as .kgn text
//! 1  kalah            the game: packed boards, plain rules, notation, perft
//! 0  score, depth     gains, values, windows; depths and plies
//! ```
//!
//! ```
//! use kalah::kalah::{Pit, Position, Rules};
//!
//! let mut position = Position::start(Rules::default());
//! let played = position.play(Pit::new(2)).unwrap();
//! assert_eq!(position.to_string(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
//! assert_eq!(played.banked, 1);
//! ```

pub mod cli;
pub mod depth;
pub mod kalah;
pub mod play;
pub mod record;
pub mod score;
