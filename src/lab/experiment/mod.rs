//! The experiments: their trees, methods, repetitions and errors.
//!
//! They return numbers; tables and charts are made from them in
//! `lab::report`. The same plan and seed give the same counts on
//! every machine and at any number of threads; only times differ.

pub mod bandits;
pub mod claim;
pub mod ensemble;
pub(crate) mod estimate;
pub mod kalah;
pub(crate) mod matches;
pub(crate) mod misjudged;
pub mod noe;
pub mod uniform;
pub(crate) mod visits;
