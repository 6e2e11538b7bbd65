//! The rules, twice implemented, and notation.

mod notation;
mod pit;
mod position;
mod row;
mod rules;
mod score;
mod zobrist;
