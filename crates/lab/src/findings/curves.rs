//! A figure of algorithms and their baselines, condition by condition and depth by depth.

use crate::Method;
use crate::experiment::condition::{Condition, Trees};
use crate::experiment::measure::{Measurement, Measurements};
use kalah_tables::statistics::Estimate;
use kalah_tables::{Cell, Chart, Marks, Series, Table};

/// A figure of an algorithm and its baseline.
type Figure = fn(&Measurement, &Measurement) -> Estimate;

/// One figure of all searches.
pub(super) struct Curves<'a> {
    pub(super) searched: &'a Measurements,
    pub(super) own: Method,
    pub(super) baselines: Vec<Method>,
    pub(super) figure: Figure,
}

impl<'a> Curves<'a> {
    /// The figure of the second algorithm of a set, with the first as its baseline.
    pub(super) fn of_second(searched: &'a Measurements, figure: Figure) -> Self {
        let mut methods = searched.methods();
        let own = *methods.get(1).unwrap_or(&methods[0]);
        methods.truncate(1);
        Self { searched, own, baselines: methods, figure }
    }

    fn at(&self, condition: &Condition, depth: u16, baseline: Method) -> Option<Estimate> {
        let own = self.searched.find(condition, depth, self.own)?;
        Some((self.figure)(own, self.searched.find(condition, depth, baseline)?))
    }

    /// A row for each condition and baseline, a column for each depth, as many as a terminal has
    /// room for.
    pub(super) fn table(&self, caption: &str, cell: fn(Estimate) -> Cell) -> Table {
        let mut depths = self.searched.depths();
        if depths.len() > 11 {
            depths.retain(is_shown);
        }
        depths.truncate(11);
        let names_baseline = self.baselines.len() > 1;
        let headings = if names_baseline { &["Condition", "Against"][..] } else { &["Condition"] };
        let mut table = Table::new(caption, headings)
            .with_columns(depths.iter().map(|depth| format!("d = {depth}")));
        for condition in self.searched.conditions() {
            for &baseline in &self.baselines {
                let figures = depths.iter().map(|&depth| self.at(&condition, depth, baseline));
                let cells: Vec<Cell> = figures.map(|figure| figure.map(cell).into()).collect();
                if cells.iter().all(|cell| *cell == Cell::Empty) {
                    continue;
                }
                let mut row = vec![condition.words().into()];
                if names_baseline {
                    row.push(baseline.to_string().into());
                }
                table.push([row, cells].concat());
            }
        }
        if names_baseline { table.grouped(1) } else { table }
    }

    /// Charts of conditions that differ only in the order or, on uniform trees, in the width: a
    /// line for each of these by depth or, with `by_width`, for each depth by width. `chart`
    /// describes one, given a condition, the baseline and the number of charts before it.
    pub(super) fn charts(
        &self,
        by_width: bool,
        chart: impl Fn(&Condition, Method, usize) -> Chart,
    ) -> Vec<Chart> {
        let mut charts = Vec::new();
        let mut drawn: Vec<Condition> = Vec::new();
        for condition in self.searched.conditions() {
            if drawn.iter().any(|other| share_chart(other, &condition)) {
                continue;
            }
            for &baseline in &self.baselines {
                let mut lines = self.lines(&condition, baseline, by_width);
                lines.retain(|line| line.points.len() > 1);
                // More lines cannot be distinguished.
                lines.truncate(7);
                if !lines.is_empty() {
                    let marks = Marks::Lines(lines);
                    charts.push(Chart { marks, ..chart(&condition, baseline, charts.len()) });
                }
            }
            drawn.push(condition);
        }
        charts
    }

    fn lines(&self, like: &Condition, baseline: Method, by_width: bool) -> Vec<Series> {
        let mut lines: Vec<Series> = Vec::new();
        for own in self.searched.0.iter().filter(|own| own.method == self.own) {
            let Measurement { condition, depth, .. } = own;
            if !share_chart(like, condition) {
                continue;
            }
            let Some(Estimate { value, error }) = self.at(condition, *depth, baseline) else {
                continue;
            };
            let (name, x) = match &condition.trees {
                _ if by_width => (format!("d = {depth}"), condition.width()),
                Trees::Kalah(_) => (condition.order().to_owned(), *depth),
                Trees::Uniform { .. } => (condition.board(), *depth),
            };
            let point = (f64::from(x), value, error);
            match lines.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => lines.push(Series { name, points: vec![point] }),
            }
        }
        for line in &mut lines {
            line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        lines
    }
}

fn share_chart(one: &Condition, other: &Condition) -> bool {
    match one.trees {
        Trees::Kalah(_) => one.is_like(other),
        Trees::Uniform { .. } => true,
    }
}

/// All small numbers have a column, larger ones only in steps.
fn is_shown(number: &u16) -> bool {
    *number <= 6 || matches!(number, 8 | 10 | 12 | 16) || number.is_multiple_of(10)
}
