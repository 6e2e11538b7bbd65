//! The effort of searches as tables: for people, and with every condition for programs.

use crate::experiment::condition::{KalahTrees, Trees};
use crate::experiment::measure::{Effort, Measurement, Measurements};
use crate::experiment::plan::{PartResults, Results};
use crate::{Method, SearchCounts};
use kalah_tables::statistics::{Estimate, median};
use kalah_tables::{Cell, Section, Table};

/// A section for each part: the effort of its algorithms at the greatest depth of each condition.
pub(super) fn sections(parts: &[PartResults]) -> Vec<Section> {
    let sections = parts
        .iter()
        .map(|part| Section::with_table(part.set.heading, by_algorithm(&part.measurements)));
    sections.collect()
}

fn by_algorithm(measurements: &Measurements) -> Table {
    let mut shown = Vec::new();
    for condition in measurements.conditions() {
        let own = measurements.0.iter().filter(|own| own.condition == condition);
        let deepest = own.clone().map(|own| own.depth).max();
        shown.extend(own.filter(|own| Some(own.depth) == deepest));
    }
    Table::from_items(
        "Means over positions or trees; ordering counts evaluations spent on it; again counts \
         second searches of a node; savings are against the first algorithm; processor time",
        shown,
        &[
            ("Condition", &|own| own.condition.words().into()),
            ("Depth", &|own| format!("depth {}", own.depth).into()),
            ("Algorithm", &|own| own.method.to_string().into()),
            ("Leaves", &|own| mean(own, own.total().counts.leaves)),
            ("Interior", &|own| mean(own, own.total().counts.interior)),
            ("Ordering", &|own| mean(own, own.total().counts.ordering)),
            ("Again", &|own| mean(own, own.total().counts.researches)),
            ("Saved %", &|own| saved(measurements, own)),
            ("Time %", &|own| time_saved(measurements, own)),
            ("ns per visit", &|own| number(own.cost_per_visit(), 1)),
        ],
    )
    .grouped(2)
}

/// A sum over the trees of a measurement as its mean.
fn mean(measurement: &Measurement, sum: u64) -> Cell {
    Cell::Number(sum as f64 / measurement.total().trees.max(1) as f64, 0)
}

/// The nanoseconds per visited node of each algorithm of a part, over all its searches. The times of
/// two algorithms are comparable only if their costs are similar.
pub(super) fn cost_per_visit(measurements: &Measurements) -> Table {
    let mut table = Table::new(
        "Nanoseconds per visited node: medians over the conditions under which each algorithm was \
         tried, and their range",
        &["Algorithm", "ns per visit", "From", "To"],
    );
    for method in measurements.methods() {
        if let Some([middle, low, high]) = cost(measurements, method, method) {
            let costs = [middle, low, high].map(|cost| Cell::Number(cost, 1));
            table.push([vec![method.to_string().into()], costs.to_vec()].concat());
        }
    }
    table
}

/// The median, lowest and highest cost of a visit, in nanoseconds, under the conditions under which
/// `other` was measured too.
pub(super) fn cost(measurements: &Measurements, method: Method, other: Method) -> Option<[f64; 3]> {
    let mut costs = Vec::new();
    for own in measurements.0.iter().filter(|own| own.method == method) {
        if measurements.find(&own.condition, own.depth, other).is_some() {
            costs.extend(own.cost_per_visit());
        }
    }
    let middle = median(&mut costs);
    let low = *costs.first()?;
    let high = *costs.last()?;
    Some([middle, low, high])
}

/// A figure with its error; an empty cell if it was not measured.
pub(super) fn estimate(Estimate { value, error }: Estimate, decimals: usize) -> Cell {
    if value.is_nan() { Cell::Empty } else { Cell::Estimate(value, error, decimals) }
}

/// Percent of leaves that an algorithm saves.
pub(super) fn leaves_saved(own: &Measurement, baseline: &Measurement) -> Estimate {
    own.mean(|counts| counts.leaves).saved(&baseline.mean(|counts| counts.leaves)).estimate()
}

/// The nodes of an algorithm over those of another.
pub(super) fn node_ratio(own: &Measurement, baseline: &Measurement) -> Estimate {
    let nodes = own.mean(SearchCounts::nodes);
    nodes.with(&baseline.mean(SearchCounts::nodes), |own, other| own / other).estimate()
}

/// The first algorithm of a plan under the same condition and at the same depth, unless it is that
/// of `own`.
fn first<'a>(measurements: &'a Measurements, own: &Measurement) -> Option<&'a Measurement> {
    let same = |other: &&Measurement| other.depth == own.depth && other.condition == own.condition;
    measurements.0.iter().find(same).filter(|first| first.method != own.method)
}

/// Percent of leaves saved against the first algorithm.
fn saved(all: &Measurements, own: &Measurement) -> Cell {
    first(all, own).map(|first| estimate(leaves_saved(own, first), 0)).into()
}

/// Percent of time saved against the first algorithm.
fn time_saved(all: &Measurements, own: &Measurement) -> Cell {
    let saved = |first: &Measurement| own.mean_time().saved(&first.mean_time()).estimate();
    first(all, own).map(|first| estimate(saved(first), 0)).into()
}

/// A measurement with its part and its sums.
struct MeasurementRow<'a> {
    part: &'a PartResults,
    own: &'a Measurement,
    total: Effort,
}

impl MeasurementRow<'_> {
    /// A cell that is empty for uniform trees.
    fn kalah<C: Into<Cell>>(&self, cell: impl Fn(&KalahTrees) -> C) -> Cell {
        self.own.condition.kalah().map(cell).into()
    }
}

/// Every measurement with every condition, for programs.
pub(super) fn rows(results: &Results) -> Table {
    let rows = results.parts.iter().flat_map(|part| {
        let own = part.measurements.0.iter();
        own.map(move |own| MeasurementRow { part, own, total: own.total() })
    });
    Table::from_items(
        "",
        rows,
        &[
            ("Experiment", &|row| row.part.set.name.into()),
            ("Pits", &|row| row.kalah(|kalah| kalah.rules.pits())),
            ("Seeds", &|row| row.kalah(KalahTrees::seeds)),
            ("Width", &|row| match row.own.condition.trees {
                Trees::Kalah(_) => Cell::Empty,
                Trees::Uniform { width, .. } => width.into(),
            }),
            ("Capture", &|row| row.kalah(|kalah| kalah.rules.capture().name())),
            ("Extra turns", &|row| row.kalah(|kalah| kalah.extra_turns.name())),
            ("Order", &|row| row.own.condition.order().into()),
            ("Ensemble", &|row| match &row.own.condition.trees {
                Trees::Kalah(kalah) => kalah.ensemble.name().into(),
                Trees::Uniform { .. } => "trees".into(),
            }),
            ("Seed", &|row| row.own.condition.seed.into()),
            ("Positions", &|row| row.total.trees.into()),
            ("Depth", &|row| row.own.depth.into()),
            ("Algorithm", &|row| row.own.method.to_string().into()),
            ("Evaluation", &|row| row.kalah(|kalah| kalah.evaluation.name())),
            ("Leaves", &|row| row.total.counts.leaves.into()),
            ("Interior", &|row| row.total.counts.interior.into()),
            ("Ordering evaluations", &|row| row.total.counts.ordering.into()),
            ("Re-searches", &|row| row.total.counts.researches.into()),
            ("Passes", &|row| row.total.counts.passes.into()),
            ("Wrong values", &|row| row.total.wrong.into()),
            ("Processor seconds", &|row| number(row.own.seconds(), 0)),
            ("Nanoseconds per visit", &|row| number(row.own.cost_per_visit(), 0)),
            ("Leaves saved against first percent", &|row| saved(&row.part.measurements, row.own)),
            ("Time saved against first percent", &|row| {
                time_saved(&row.part.measurements, row.own)
            }),
        ],
    )
}

/// A number that may not have been measured; programs get all its digits.
fn number(number: Option<f64>, decimals: usize) -> Cell {
    number.map(|number| Cell::Number(number, decimals)).into()
}
