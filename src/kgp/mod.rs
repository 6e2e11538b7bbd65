//! A client for servers of the Kalah Game Protocol; [`client::Client`] plays on one.
//! `doc/kgp.md` describes its behaviour from the server's point of view.
//!
//! ```text
//! client      connects, reconnects, and searches in the background
//! connection  lines over TCP or WebSocket, without blocking
//! poller      waits for the server, the search and the user
//! session     a connection as a pure state machine: inputs to actions
//! action      what a session requests of its caller
//! queue       states that wait for a move, and the search of the first
//! answers     moves that the server has not confirmed, repeated
//! clock       the time for a move
//! games       records of games, reconstructed from states
//! verify      boards after moves, for verify mode
//! message     a line of the protocol
//! setup       the introduction of the client to the server
//! ```
//!
//! A `state` of the protocol is a position in which the client is to move. Nothing that a
//! server sends can end the process or fill its memory; a violation of the protocol costs
//! the connection at worst. Lints deny everything that could panic.

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
mod answers;
pub mod client;
pub mod clock;
mod connection;
mod games;
mod message;
mod poller;
mod queue;
pub mod session;
pub mod setup;
mod verify;
