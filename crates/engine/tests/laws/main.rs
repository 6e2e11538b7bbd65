//! Searches, tables, the solver and the engine over them.

mod endgame;
mod engine;
mod evaluation;
mod reference;
mod search;
mod solve;
mod survey;
