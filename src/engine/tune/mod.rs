//! How the numbers that the engine plays with are made: positions labelled with
//! their gains ([`positions`]), the network fitted to them ([`fit`]), and the
//! parameters of the search tuned by games ([`search`], by the method of [`spsa`]).
//!
//! The engine only reads the outcome, `evaluation/networks` and the defaults in
//! `search/parameters.rs`.

pub mod fit;
pub mod positions;
pub mod search;
pub mod spsa;
