//! The parts of the findings in which comparisons differ.

use kalah_tables::{Chart, Section, Table};

/// What distinguishes the findings of a comparison from those of others.
#[derive(Default)]
pub(super) struct Brief {
    /// The answer in a few sentences; may be empty.
    pub answer: String,
    /// The table with which the findings begin.
    pub headline: Table,
    /// The pictures below it.
    pub pictures: Vec<Chart>,
    /// Sections after the verdicts.
    pub more: Vec<Section>,
}
