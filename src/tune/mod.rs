//! How the numbers that the engine plays with are made: positions labelled with
//! their gains ([`positions`]), and the network fitted to them ([`fit`]).
//!
//! The engine only reads the outcome, `search/networks`; nothing here plays.

pub mod fit;
pub mod positions;
