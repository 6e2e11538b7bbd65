//! The protocol: `protocol.md` against the program, and the program against
//! everything that could come in.

mod answers;
mod manager;
mod process;
mod specification;
mod transcripts;
