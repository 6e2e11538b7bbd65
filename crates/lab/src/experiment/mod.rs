//! The experiments: claims as records, the searches that test them, and the judge.
//!
//! [`claim`] reads the records, [`plan`] runs the searches of a comparison ([`measure`]) under
//! their [conditions](condition), [`figure`] lists the figures that they have, and [`judge`]
//! gives the verdicts. [`findings`](crate::findings) turns them into tables and charts.
//! The same plan and seed give the same counts on every machine and with any
//! number of threads; only times differ.

pub mod bandits;
pub mod claim;
pub mod condition;
pub mod ensemble;
pub mod figure;
pub mod judge;
pub mod matches;
pub mod measure;
mod measured;
pub mod pair;
pub mod plan;
pub mod probe;
pub mod visits;
