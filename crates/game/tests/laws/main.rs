//! The rules, twice implemented, and notation.

#[path = "../../../../tests/common/mod.rs"]
mod common;
mod notation;
mod pit;
mod position;
mod row;
mod rules;
mod score;
