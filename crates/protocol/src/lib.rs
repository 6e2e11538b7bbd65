//! UCI and UGI, through which a program drives an engine: the commands and the answers, written
//! and parsed, and a session that serves them. `protocol.md` is the specification, and tests
//! replay its transcripts.
//!
//! A [`session::Session`] is a pure state machine without threads, streams or clocks: its caller
//! carries out the actions that each input requires. [`host::run`] is such a caller on a reader
//! and a writer. Matches use the same messages to talk to engines, but this crate does not know who
//! plays whom, or whether a game counts.
//!
//! ```
//! use kalah_engine::Engine;
//! use kalah_protocol::session::{Input, Session, SessionAction};
//!
//! let mut session = Session::new(Engine::without_tables(1)?);
//! let mut send = |line: &str| session.take(Input::from_line(Ok(line.to_owned())).unwrap());
//!
//! let introduction = send("uci");
//! assert_eq!(introduction.last(), Some(&SessionAction::Say("uciok".to_owned())));
//!
//! // C keeps the turn, so South moves again.
//! assert_eq!(send("position startpos moves C"), []);
//! assert_eq!(send("query p1turn"), [SessionAction::Say("response true".to_owned())]);
//! assert!(matches!(send("go depth 8")[..], [SessionAction::Search(_)]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No input may crash the process or fill its memory: lints deny everything that could panic.
//!
//! ```text
//! command       commands, parsed and written; the table of commands
//! go            the limits after `go`, parsed and written; the table of limits
//! dialect       the answers of an engine in UCI and UGI, written and parsed
//! session       a session: inputs to actions
//! count         `go perft` and `bench`, which can be stopped
//! restrictions  what a remote manager may ask for
//! pace          limits the rate of a search's events
//! host          the loop: a reader, one channel, a search in the background
//! ```

#![deny(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]

pub mod command;
pub mod count;
pub mod dialect;
pub mod go;
pub mod host;
mod pace;
mod restrictions;
pub mod session;

pub use restrictions::Restrictions;
