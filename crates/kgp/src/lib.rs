//! A client for servers of the [Kalah Game Protocol]: it connects, plays the games that the
//! server starts. [`client::Client`] is the whole client; `doc/kgp.md`
//! describes its behaviour from the server's point of view.
//!
//! The client brings a connection, an [`Engine`](kalah_engine::Engine) and a session together.
//! It does not choose opponents or openings (the server does), and it writes no file but the
//! transcript.
//!
//! A [`session::KgpSession`] has neither threads nor streams nor a clock, so that a whole
//! conversation can be replayed:
//!
//! ```
//! use std::time::Duration;
//!
//! use kalah_kgp::action::KgpAction;
//! use kalah_kgp::session::{KgpInput, KgpSession};
//! use kalah_kgp::setup::{ClientProgress, ClientSetup};
//!
//! let setup = ClientSetup { name: "example".to_owned(), ..ClientSetup::default() };
//! let mut session = KgpSession::new(setup, ClientProgress::default());
//!
//! // The server greets; the client introduces itself and offers to play.
//! let greeting = KgpInput::Line(Ok("2 kgp 1 0 1".to_owned()));
//! let actions = session.take(Duration::ZERO, greeting);
//! assert!(actions.contains(&KgpAction::Send("1 set info:name \"example\"".to_owned())));
//! assert_eq!(actions.last(), Some(&KgpAction::Send("7 mode freeplay".to_owned())));
//!
//! // The server asks for a move: the session wants the position searched.
//! let state = KgpInput::Line(Ok("4 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>".to_owned()));
//! let actions = session.take(Duration::from_millis(3), state);
//! assert!(matches!(actions[..], [KgpAction::Search { number: 1, .. }]));
//! ```
//!
//! A `state` of the protocol is a position in which the client must move. Nothing that a
//! server sends can end the process or fill its memory; at worst, a violation of the protocol
//! costs the connection. Lints deny every construct that could panic.
//!
//! ```text
//! client      connects, reconnects and searches in the background
//! address     addresses of servers
//! connection  non-blocking lines over TCP or WebSocket
//! poller      waits for the server, the search and the user
//! session     a connection as a pure state machine from inputs to actions
//! action      what a session requests from its caller
//! setup       how the client introduces itself to the server
//! command     a line of the protocol
//! queue       states that wait for a move, and the search of the first one
//! answers     repeats moves that the server has not confirmed
//! clock       the time for a move
//! games       which states belong to one game, and how it ended
//! report      events as lines of text, and the transcript
//! ```
//!
//! [Kalah Game Protocol]: https://github.com/KWARC/kalah-game

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

pub mod action;
mod address;
mod answers;
pub mod client;
mod clock;
mod command;
mod connection;
pub mod games;
mod poller;
mod queue;
pub mod report;
pub mod session;
pub mod setup;
