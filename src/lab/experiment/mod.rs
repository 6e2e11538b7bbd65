//! The experiments: which trees, which methods, how often, how sure.
//!
//! They return numbers; tables and pictures are made from them elsewhere. The
//! same plan and seed give the same counts on every machine and at any number
//! of threads; only times differ.

pub mod ensemble;
pub mod estimate;
pub mod kalah;
pub mod matches;
pub mod noe;
pub mod statistics;
pub mod uniform;
pub mod windows;
