//! Benches of the engine: a signature of its search, its speed on more threads
//! and the share of best moves on positions with known values.

mod signature;
mod suite;

pub use signature::{POSITIONS, Signature, measure};
pub use suite::{Problem, Score, SuiteError, parse, solve};
