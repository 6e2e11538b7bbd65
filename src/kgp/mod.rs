//! The Kalah Game Protocol, as a client of its servers.
//!
//! ```text
//! message     lines, read and written
//! action      what a session has its caller do
//! session     events to actions: a pure state machine
//! states      what is searched how long, and answered when
//! verify      boards after moves, for verify mode
//! games       which states make up a game, for records
//! connection  TCP and WebSocket
//! client      the loop: connections, a search in the background, files
//! ```
//!
//! Nothing that a server sends can end the process or fill its memory; a server that
//! breaks the protocol loses the connection at most. Lints deny whatever could panic.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod action;
pub mod client;
mod connection;
mod games;
pub mod message;
pub mod session;
mod states;
mod verify;
