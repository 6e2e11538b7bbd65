//! Searches, tables, the solver and the engine over them.

#[path = "../../../../tests/common/mod.rs"]
mod common;
mod endgame;
mod engine;
mod evaluation;
mod search;
mod solve;
mod survey;
