//! The answers to the requests of the board in a browser.
//!
//! [`respond`] is a function from a [`Request`] and what a [`PageHost`] lends it to the text of a
//! JSON document. It opens no connection and starts no thread, so that either a server or a
//! worker of the browser can host the page. `protocol.md` describes the requests; the files of the
//! page are in `kalah-view`.
//!
//! This crate knows neither HTTP nor files: its host saves games. Requests about what only a server
//! has (lists of saved games, and the matches and files named on its command line) are answered by
//! `kalah-serve`.
//!
//! ```
//! use kalah_page::{Answer, Request, RequestMethod, respond};
//! # use kalah_coach::{history::PuzzleHistory, judge::Judge, settings::Settings};
//! # use kalah_engine::solve::{SolveError, Solver};
//! # use kalah_game::{Pit, Position};
//! # use kalah_page::{ApiError, PageHost, SavedPlace};
//! # use kalah_play::seat::Seat;
//! # use kalah_record::Game;
//! # use kalah_sys::stop::Flag;
//! # #[derive(Default)]
//! # struct Nothing(Flag);
//! # impl PageHost for Nothing {
//! #     fn judge(&mut self, _: Seat) -> Result<&mut Judge, ApiError> { Err(ApiError::busy()) }
//! #     fn saved_game(&mut self, _: &str) -> Result<(Game, String), ApiError> { Err(ApiError::busy()) }
//! #     fn save_game(&mut self, _: &str, _: &Game, _: Option<&str>) -> Result<SavedPlace, ApiError> { Err(ApiError::busy()) }
//! #     fn history(&mut self) -> Result<&mut PuzzleHistory, ApiError> { Err(ApiError::busy()) }
//! #     fn settings(&mut self) -> Result<&mut Settings, ApiError> { Err(ApiError::busy()) }
//! #     fn solver(&mut self, _: &Position) -> Result<Solver, SolveError> { unimplemented!() }
//! #     fn played_from(&self, _: &Position) -> Vec<(Pit, u32)> { Vec::new() }
//! #     fn stop(&self) -> &Flag { &self.0 }
//! #     fn elapsed(&self) -> std::time::Duration { std::time::Duration::ZERO }
//! #     fn send(&mut self, _: &'static str, _: String) {}
//! # }
//! # let mut host = Nothing::default();
//! let request = Request {
//!     method: RequestMethod::Post,
//!     path: "/api/read".to_owned(),
//!     body: r#"{"text": "C F"}"#.to_owned(),
//!     ..Request::default()
//! };
//! let Ok(Answer::Json(text)) = respond(&request, &mut host) else { panic!("an error") };
//! assert!(text.contains("North to move."));
//! ```
//!
//! In reading order:
//!
//! ```text
//! request    a request, and what its query and body mean
//! answer     the answer to a request, as text
//! error      the error of a request: a status and a message
//! page_host  what a request needs from the machine
//! respond    the table of requests
//! board      positions and moves
//! game       a game as the page shows it
//! listed     a game as an entry of a list
//! new_game   a new game
//! play       a game in play: what a player or the engine does
//! pasted     games from any text
//! levels     the players that an engine can be
//! openings   known margins, and how often moves were played
//! judge      hints and judgements by the full engine
//! exercises  lessons and puzzles
//! solve      the exact margin of each move, as it is proved
//! ```

mod answer;
mod board;
mod error;
mod exercises;
mod game;
mod judge;
mod levels;
mod listed;
mod new_game;
mod openings;
mod page_host;
mod pasted;
mod play;
mod request;
mod respond;
mod solve;

pub use answer::{Answer, answer, list, numbered};
pub use error::ApiError;
pub use game::{ShownGame, read_record};
pub use listed::ListedGame;
pub use page_host::{Exclusive, PageHost, SavedPlace};
pub use request::{Request, RequestMethod};
pub use respond::{Call, REQUESTS, RequestKind, respond};
