//! The experiments: their trees, methods, repetitions and errors.
//!
//! They return numbers, which [`findings`](crate::findings) turns into tables and charts.
//! The same plan and seed give the same counts on every machine and with any
//! number of threads; only times differ.

pub mod bandits;
pub mod claim;
pub mod ensemble;
pub mod estimate;
pub mod kalah;
pub(crate) mod keys;
pub(crate) mod lookup;
pub mod matches;
pub mod misjudged;
pub mod noe;
pub mod synthetic;
pub mod trace;
pub(crate) mod visits;
