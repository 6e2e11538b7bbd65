//! The parts that the findings of all comparisons share.

use kalah_tables::statistics::Estimate;
use kalah_tables::{Cell, Chart, Findings, Section, Table};

use super::verdicts::Verdicts;

/// A figure with its error; an empty cell if it was not measured.
pub(super) fn estimate(Estimate { value, error }: Estimate, decimals: usize) -> Cell {
    if value.is_nan() { Cell::Empty } else { Cell::Estimate(value, error, decimals) }
}

/// The lines of a terminal that the answer, the headline and the verdicts share.
const LINES: usize = 20;
/// The minimum number of lines of the headline.
const HEADLINE: usize = 7;

/// Findings without verdicts: what was compared, the result in brief, and what was measured.
#[derive(Default)]
pub(super) struct MeasuredFindings {
    pub title: &'static str,
    pub summary: &'static str,
    /// The answer in a few sentences; may be empty.
    pub answer: String,
    /// The table with which the findings begin.
    pub headline: Table,
    /// The pictures below it.
    pub pictures: Vec<Chart>,
    pub measured: Vec<Section>,
    /// Every measurement, for programs.
    pub rows: Table,
}

impl MeasuredFindings {
    /// The findings with their verdicts, without sections that have nothing to show.
    pub(super) fn judged(self, verdicts: &Verdicts) -> Findings {
        let headline = self.headline.head(LINES.saturating_sub(verdicts.claims()).max(HEADLINE));
        let answer = self.answer.len().div_ceil(kalah_tables::WIDTH);
        let claims = LINES.saturating_sub(headline.len() + answer);
        let mut brief = Section {
            heading: "In brief".to_owned(),
            text: self.answer,
            tables: vec![headline, verdicts.in_short(claims)],
            pictures: self.pictures,
            ..Section::default()
        };
        brief.tables.retain(|table| !table.is_empty());
        if verdicts.claims() == 0 {
            brief.text = "No claim is about these conditions. Claims on Kalah need depth 5, and \
                          verdicts on time need three timed runs of several positions."
                .to_owned();
        }
        let mut sections = vec![brief];
        sections.extend(verdicts.sections());
        sections.extend(self.measured);
        sections.retain(|section| section.tables.iter().any(|table| !table.is_empty()));
        Findings {
            title: self.title.to_owned(),
            summary: self.summary.to_owned(),
            sections,
            verdicts: verdicts.rows(),
            rows: self.rows,
            ..Findings::default()
        }
    }
}
