//! The findings of the comparisons: claims, verdicts, tables and charts.
//!
//! The measurements come from [`experiment`](super::experiment), and
//! [`report`](crate::report) draws them. `claims.tsv` is the table of all claims; each page
//! computes the cases of its own claims.

mod bandits;
mod games;
mod noe;
mod noe_cases;
mod page;
mod synthetic;
mod verdicts;

pub(crate) use bandits::bandits;
pub(crate) use games::games;
pub(crate) use noe::noe;
pub(crate) use synthetic::{minimal, pearl, reinefeld};
