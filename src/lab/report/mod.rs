//! The findings of the comparisons: tables, pictures, verdicts.

mod games;
mod noe;
mod noe_pictures;
mod noe_verdicts;
mod synthetic;

pub use games::games;
pub use noe::noe;
pub use synthetic::{minimal, pearl, reinefeld};

use crate::lab::experiment::statistics::Estimate;
use crate::report::Cell;

/// A percentage with its sign and error.
fn percent(estimate: Estimate) -> Cell {
    if estimate.value.is_nan() {
        Cell::Empty
    } else {
        Cell::Estimate(estimate.value, estimate.error, 0)
    }
}

/// The same in a sentence.
fn told(estimate: Estimate) -> String {
    percent(estimate).shown()
}
