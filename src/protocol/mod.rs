//! UCI and UGI: their messages, and [`host::run`], which serves a manager on stdin and
//! stdout. Matches use the same messages to speak to engines.
//!
//! ```text
//! command   commands, parsed and written; the table of commands
//! go        the limits after `go`, parsed and written; the table of limits
//! dialect   the answers of an engine in UCI and UGI, written and parsed
//! session   a pure state machine: inputs to actions
//! count     `go perft` and `bench`, which can be stopped
//! host      the loop: a reader, one channel, a search in the background
//! ```
//!
//! `protocol.md` is the specification. Everything except [`host`] and `count` works
//! without threads and clocks, so that transcripts can test it. No input may end the
//! process: lints deny everything that could panic.

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
pub mod session;
