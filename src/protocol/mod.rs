//! UCI and UGI: their messages, and the loop that serves a manager on stdin and
//! stdout; the Kalah Game Protocol, as a client.
//!
//! ```text
//! command   a line to a command and back; the table of commands
//! go        the words after `go` to limits and back; the table of limits
//! dialect   uci and ugi: an engine's messages, written and read
//! session   events to actions: a pure state machine
//! count     `go perft` and `bench`, which can be stopped
//! stdio     the loop: a reader, one channel, a search in the background
//! kgp       a session with a server of games, and the loop around it
//! ```
//!
//! `protocol.md` is the specification. Everything but [`stdio`], `count` and the loop of
//! [`kgp`] works without threads and clocks, so that transcripts can test it. No input may end the
//! process, so that whatever could panic is denied here.

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

pub mod command;
pub mod count;
pub mod dialect;
pub mod go;
pub mod kgp;
pub mod session;
pub mod stdio;
