//! UCI and UGI: their messages, and the loop that serves a manager on stdin and
//! stdout.
//!
//! ```text
//! command   a line to a command and back; the table of commands
//! go        the words after `go` to limits and back; the table of limits
//! dialect   uci and ugi: an engine's messages, written and read
//! session   events to actions: a pure state machine
//! count     `go perft` and `bench`, which can be stopped
//! stdio     the loop: a reader, one channel, a search in the background
//! ```
//!
//! `protocol.md` is the specification. Everything but [`stdio`] and `count` works without
//! threads and clocks, so that transcripts can test it. No input may end the process:
//! lints deny whatever could panic.

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
pub mod session;
pub mod stdio;
