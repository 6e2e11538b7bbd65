//! A recorded game: its players, its start, every move, its ending, and its description in words
//! and pictures.
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
//! opening       where games begin                    course     a game without its annotations
//! time_control  the clocks of a game                 mark       seeds lost by a move
//! kgn, json     the two formats                      file       files in either format
//! sentence      moves, positions and endings in words
//! board         a position as a drawing              styled     text with roles, not colours
//! ```

pub mod board;
mod course;
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
pub mod styled;
pub mod time_control;

/// The board, the curve and the game viewer of web pages.
pub mod web {
    /// An ES module that draws the seeds of a board.
    pub const SEEDS: &str = include_str!("web/seeds.js");
    /// An ES module that lists the moves of a game by turns.
    pub const MOVES: &str = include_str!("web/moves.js");
    /// An ES module that draws positions and steps through moves.
    pub const BOARD: &str = include_str!("web/board.js");
    /// An ES module with the meanings of keys.
    pub const KEYS: &str = include_str!("web/keys.js");
    /// An ES module that draws the margin over the moves of a game.
    pub const CURVE: &str = include_str!("web/curve.js");
    /// The style of the list of moves.
    pub const MOVES_STYLE: &str = include_str!("web/moves.css");
    /// The style of boards and curves; the page defines the colours.
    pub const STYLE: &str = include_str!("web/board.css");
    /// The elements in which a viewer shows games.
    pub const VIEWER: &str = include_str!("web/games.html");
    /// An ES module that shows games in these elements.
    pub const VIEWER_SCRIPT: &str = include_str!("web/games.js");
    /// The style of the viewer, without that of the board.
    pub const VIEWER_STYLE: &str = include_str!("web/games.css");
}

pub use course::Course;
pub use ending::{Ending, EndingError, Reason};
pub use error::RecordError;
pub use game::{Game, Move, MoveEvaluation, Player, Step, Variation, turn_numbers};
pub use kalah_game::Outcome;
pub use time_control::TimeControl;
