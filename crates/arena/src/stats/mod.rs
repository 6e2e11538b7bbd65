//! The statistics of results: Elo, likelihood of superiority, SPRT, ratings.
//!
//! Games come in pairs from one opening with the sides swapped. The results of the two
//! games of a pair are correlated, so pairs are counted instead of games: a `Pentanomial`
//! counts them by the five scores that a pair can have. The formulas are from Michel Van
//! den Bergh, "A practical introduction to the GSPRT" and "Comments on Normalized Elo"
//! (2019-2020); Fishtest uses them, too.
//!
//! Nothing here depends on how games are played or stored.

mod pairs;
mod ratings;
mod sprt;

pub(crate) use pairs::{Pentanomial, Strength};
pub(crate) use ratings::{Encounter, Rating, ratings};
pub use sprt::{Sprt, SprtVerdict};
