//! The protocol: the sessions of the library against `protocol.md`.

mod answers;
mod command;
mod count;
mod dialect;
mod go;
pub(crate) mod manager;
mod restrictions;
mod specification;
mod transcripts;
