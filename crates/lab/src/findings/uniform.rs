//! The findings on uniform trees: Pearl's ratio, Reinefeld's gain, and minimal trees.

use std::collections::BTreeSet;

use super::measured::MeasuredFindings;
use super::searches::{ratio, rows, sections};
use super::verdicts::Verdicts;
use crate::experiment::claim::Comparison;
use crate::experiment::measure::Measurement;
use crate::experiment::plan::Results;
use crate::{Method, SearchCounts};
use kalah_tables::statistics::Estimate;
use kalah_tables::{Axis, Cell, Chart, Findings, Marks, Series, Table};
use kalah_text::format::signed;

/// The findings of one of the comparisons on uniform trees.
pub fn uniform(results: &Results) -> Findings {
    let shapes = Shapes::new(results);
    let subtitle = format!("Uniform trees of width b, seed {}; means over trees", results.seed);
    let findings = match results.comparison {
        Comparison::Reinefeld => reinefeld(&shapes, subtitle),
        Comparison::Minimal => minimal(&shapes),
        _ => pearl(&shapes, subtitle),
    };
    let findings =
        MeasuredFindings { measured: sections(&results.parts), rows: rows(results), ..findings };
    findings.judged(&Verdicts::new(results.judged()))
}

fn reinefeld(shapes: &Shapes<'_>, subtitle: String) -> MeasuredFindings {
    MeasuredFindings {
        title: "NegaScout against alpha-beta on random trees: Reinefeld's gain",
        summary: "Slides that cite Reinefeld (ICCA Journal 6(4), 1983) say that NegaScout \
                  normally saves 10 to 20 % on random trees with 20 to 60 children per node. \
                  Here it is F4 with the depth < 3 rule, against alpha-beta F3 with a full \
                  window; leaf values are continuous.",
        headline: shapes.grid(
            "Leaves that NegaScout saves, in percent, by depth d and width b",
            ("d", |own| own.depth),
            ("b", |own| own.condition.width()),
            |own, first| signed(gain(own, first).value, 1).into(),
        ),
        pictures: vec![Chart {
            name: "gain".to_owned(),
            title: "Leaves that NegaScout saves against alpha-beta".to_owned(),
            subtitle,
            x: Axis::whole("width b"),
            y: Axis::linear("leaves saved, %"),
            marks: shapes.lines(("d", |own| own.depth), |own| own.condition.width(), gain),
            levels: vec![(10.0, "10 %".to_owned()), (20.0, "20 %".to_owned())],
            caption: "The claim lies between the dashed lines. Bars are standard errors."
                .to_owned(),
        }],
        ..MeasuredFindings::default()
    }
}

fn minimal(shapes: &Shapes<'_>) -> MeasuredFindings {
    MeasuredFindings {
        title: "Minimal trees: the best child first",
        summary: "With the best child first, alpha-beta, SCOUT, NegaScout and PVS all visit the \
                  minimal tree and nothing else, each leaf once. The same shapes are searched \
                  with the best child anywhere, with the worst child first, and with random \
                  leaves. A static evaluation with an error is tried on the two-ply tree of \
                  Russell and Norvig, and Zobrist keys on the boards of a search of Kalah.",
        headline: shapes.grid(
            "Nodes that alpha-beta visits, by width b and height l",
            ("b", |own| own.condition.width()),
            ("l", |own| own.depth),
            |_, first| first.total().counts.nodes().into(),
        ),
        ..MeasuredFindings::default()
    }
}

fn pearl(shapes: &Shapes<'_>, subtitle: String) -> MeasuredFindings {
    let ratios = Chart {
        name: "ratio".to_owned(),
        title: "Nodes of SCOUT over nodes of alpha-beta".to_owned(),
        subtitle,
        x: Axis::whole("depth d"),
        y: Axis::linear("ratio r(b,d)"),
        marks: shapes.lines(("b", |own| own.condition.width()), |own| own.depth, ratio),
        levels: vec![(1.0, "equal".to_owned()), (1.275, "1.275 (slides)".to_owned())],
        caption: "Above 1, SCOUT visits more nodes than alpha-beta. Bars are standard \
                  errors."
            .to_owned(),
    };
    MeasuredFindings {
        title: "SCOUT against alpha-beta on random trees: Pearl's ratio r(b,d)",
        summary: "Slides that cite Pearl (Heuristics, 1984) compare the expected nodes of \
                  SCOUT and alpha-beta on uniform trees with continuous random leaves. \
                  They give a bound of 1.275 for the ratio and r(2,20) near 1.04, which \
                  fit its d-th root better: both are judged. Alpha-beta is F3 with a full \
                  window.",
        headline: shapes.grid(
            "Nodes of SCOUT over nodes of alpha-beta by width b and depth d",
            ("b", |own| own.condition.width()),
            ("d", |own| own.depth),
            |own, first| Cell::Number(ratio(own, first).value, 3),
        ),
        pictures: vec![ratios],
        ..MeasuredFindings::default()
    }
}

/// Percent of leaves that an algorithm saves.
fn gain(own: &Measurement, first: &Measurement) -> Estimate {
    let leaves = |counts: &SearchCounts| counts.leaves;
    own.mean(leaves).saved(&first.mean(leaves)).estimate()
}

/// A property of a measurement's shape, and its name.
type Property = (&'static str, fn(&Measurement) -> u16);
/// A figure of the second algorithm and the first.
type ShapeFigure = fn(&Measurement, &Measurement) -> Estimate;

/// The searches of the first part: of its second algorithm and of its first, shape by shape.
struct Shapes<'a>(Vec<(&'a Measurement, &'a Measurement)>);

impl<'a> Shapes<'a> {
    fn new(results: &'a Results) -> Self {
        let mut shapes = Vec::new();
        let Some(part) = results.parts.first() else { return Self(shapes) };
        let all = &part.measurements;
        let methods: Vec<Method> = all.methods();
        for first in all.0.iter().filter(|own| Some(&own.method) == methods.first()) {
            let second = methods.get(1).copied().unwrap_or(first.method);
            shapes.extend(
                all.find(&first.condition, first.depth, second).map(|second| (second, first)),
            );
        }
        Self(shapes)
    }

    fn values(&self, property: fn(&Measurement) -> u16) -> BTreeSet<u16> {
        self.0.iter().map(|(own, _)| property(own)).collect()
    }

    /// One figure by width and depth: a row for each value of one, a column
    /// for each value of the other, as many as a terminal has room for.
    fn grid(
        &self,
        caption: &str,
        (down, row): Property,
        (across, column): Property,
        cell: impl Fn(&Measurement, &Measurement) -> Cell,
    ) -> Table {
        let columns: Vec<u16> = self.values(column).into_iter().filter(is_shown).take(11).collect();
        let names = columns.iter().map(|value| format!("{across} {value}"));
        let mut table = Table::new(caption, &[down]).with_columns(names);
        for value in self.values(row) {
            let mut cells = vec![Cell::from(value)];
            for &wanted in &columns {
                let place = |own: &Measurement| row(own) == value && column(own) == wanted;
                let found = self.0.iter().find(|(own, _)| place(own));
                cells.push(found.map(|(own, first)| cell(own, first)).into());
            }
            table.push(cells);
        }
        table.head(8)
    }

    /// A line for each value of `group`: `y` by the value of `x`.
    fn lines(&self, (name, group): Property, x: fn(&Measurement) -> u16, y: ShapeFigure) -> Marks {
        let mut lines = Vec::new();
        for value in self.values(group) {
            let mut points = Vec::new();
            for (own, first) in self.0.iter().filter(|(own, _)| group(own) == value) {
                let Estimate { value, error } = y(own, first);
                points.push((f64::from(x(own)), value, error));
            }
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            lines.push(Series { name: format!("{name} = {value}"), points });
        }
        // More lines cannot be distinguished.
        lines.truncate(7);
        Marks::Lines(lines)
    }
}

/// All small numbers have a column, larger ones only in steps.
fn is_shown(number: &u16) -> bool {
    *number <= 6 || matches!(number, 8 | 10 | 12 | 16) || number.is_multiple_of(10)
}
