//! The protocol: the sessions of the library against `protocol.md`.

mod answers;
mod manager;
mod specification;
mod transcripts;
