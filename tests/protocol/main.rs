//! The protocol: `protocol.md` against the program, and the program against
//! everything that could come in.

#![cfg(feature = "cli")]

mod answers;
mod manager;
mod process;
mod specification;
mod transcripts;
