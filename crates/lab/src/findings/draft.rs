//! The parts that the findings of all comparisons share, and table cells for savings.

use super::verdicts::Verdicts;
use kalah_tables::statistics::Estimate;
use kalah_tables::{Cell, Chart, Findings, Marks, Section, Table};

/// A figure with its error; an empty cell if it was not measured.
pub(super) fn estimate(Estimate { value, error }: Estimate, decimals: usize) -> Cell {
    if value.is_nan() { Cell::Empty } else { Cell::Estimate(value, error, decimals) }
}

/// A saving in whole percent, without an error if it has none.
pub(super) fn percent(saving: Estimate) -> Cell {
    if saving.error == 0.0 && saving.value.is_finite() {
        Cell::Signed(saving.value, 0)
    } else {
        estimate(saving, 0)
    }
}

/// The lines of a terminal that the headline and the verdicts share.
const LINES: usize = 20;
/// The minimum number of lines of the headline.
const HEADLINE: usize = 11;

/// Findings without verdicts: what was compared, the result in brief, and what was measured.
#[derive(Default)]
pub(super) struct Draft {
    pub title: &'static str,
    pub summary: &'static str,
    /// The table with which the findings begin.
    pub headline: Table,
    /// The picture below it.
    pub picture: Option<Chart>,
    pub measured: Vec<Section>,
    /// Every measurement, for programs.
    pub rows: Table,
}

impl Draft {
    /// A draft with one table of measurements and its charts, the first of which is shown in
    /// brief; without title, summary and headline.
    pub(super) fn with_measured(heading: &str, table: Table, charts: Vec<Chart>) -> Self {
        let mut charts = charts.into_iter();
        let picture = charts.next();
        let rows = table.clone();
        let section = Section { pictures: charts.collect(), ..Section::with_table(heading, table) };
        Self { picture, measured: vec![section], rows, ..Self::default() }
    }

    /// The findings with their verdicts, without sections that have nothing to show.
    pub(super) fn judged(self, verdicts: &Verdicts) -> Findings {
        // Each claim needs a line, but the headline keeps its minimum even if some claims must be
        // left out.
        let headline = self.headline.head(LINES.saturating_sub(verdicts.claims()).max(HEADLINE));
        let claims = LINES.saturating_sub(headline.len());
        let mut brief = Section {
            heading: "In brief".to_owned(),
            tables: vec![headline, verdicts.in_short(claims)],
            pictures: self.picture.into_iter().collect(),
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

/// Number of lines that can be distinguished in one chart.
const DISTINCT: usize = 7;

/// One chart for every seven lines of `chart`, so that none is left out.
pub(super) fn split(chart: Chart) -> Vec<Chart> {
    let Marks::Lines(series) = &chart.marks else { return vec![chart] };
    if series.len() <= DISTINCT {
        return vec![chart];
    }
    let parts = series.len().div_ceil(DISTINCT);
    let split = series.chunks(DISTINCT).enumerate().map(|(nth, series)| Chart {
        name: format!("{}-{}", chart.name, nth + 1),
        title: format!("{} ({} of {parts})", chart.title, nth + 1),
        marks: Marks::Lines(series.to_vec()),
        ..chart.clone()
    });
    split.collect()
}
