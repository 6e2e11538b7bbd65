//! The findings of the comparisons: claims, verdicts, tables and charts.
//!
//! What was measured comes from [`experiment`](super::experiment); how it is drawn
//! is [`report`](crate::report)'s business. `claims.rs` is the table of all claims;
//! each page finds the cases of its own ones.

mod bandits;
mod claims;
mod games;
mod noe;
mod noe_cases;
mod noe_pictures;
mod page;
mod synthetic;
mod verdicts;

pub(crate) use bandits::bandits;
pub(crate) use games::games;
pub(crate) use noe::noe;
pub(crate) use synthetic::{minimal, pearl, reinefeld};
