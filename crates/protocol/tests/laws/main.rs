//! The protocol: sessions of the library, checked against `protocol.md`.

mod answers;
mod command;
mod count;
mod dialect;
mod go;
mod host;
pub(crate) mod manager;
mod queue;
mod restrictions;
mod specification;
mod transcripts;
