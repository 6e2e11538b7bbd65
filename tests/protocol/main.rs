//! The protocol: the program against `protocol.md`, and against bad input.

#![cfg(feature = "cli")]

mod answers;
mod manager;
mod process;
mod specification;
mod transcripts;
