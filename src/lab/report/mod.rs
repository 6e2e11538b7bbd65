//! The findings of the comparisons: tables, charts, verdicts.
//!
//! What was measured comes from [`experiment`](super::experiment); how it is drawn
//! is [`report`](crate::report)'s business. Here are the words and the selection.

mod games;
mod noe;
mod noe_pictures;
mod noe_verdicts;
mod synthetic;

pub(crate) use games::games;
pub(crate) use noe::noe;
pub(crate) use synthetic::{minimal, pearl, reinefeld};

use crate::report::Cell;
use crate::sys::statistics::Estimate;

/// A difference with its error; nothing if it was not measured.
fn estimate(estimate: Estimate, decimals: usize) -> Cell {
    match estimate {
        Estimate { value, .. } if value.is_nan() => Cell::Empty,
        Estimate { value, error } => Cell::Estimate(value, error, decimals),
    }
}

/// A saving in whole percent.
fn percent(saving: Estimate) -> Cell {
    estimate(saving, 0)
}
