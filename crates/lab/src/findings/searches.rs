//! The effort of searches as tables: for people, and with every condition for programs.

use serde::Serialize;

use crate::experiment::condition::{Condition, Trees};
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
            ("Saved %", &|own| saved(measurements, own).map(|saved| estimate(saved, 0)).into()),
            ("Time %", &|own| time_saved(measurements, own).map(|saved| estimate(saved, 0)).into()),
            ("ns per visit", &|own| own.cost_per_visit().map(|cost| Cell::Number(cost, 1)).into()),
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

fn saved(all: &Measurements, own: &Measurement) -> Option<Estimate> {
    let saved = leaves_saved(own, first(all, own)?);
    Some(saved).filter(|saved| !saved.value.is_nan())
}

fn time_saved(all: &Measurements, own: &Measurement) -> Option<Estimate> {
    let saved = own.mean_time().saved(&first(all, own)?.mean_time()).estimate();
    Some(saved).filter(|saved| !saved.value.is_nan() && !own.rounds.is_empty())
}

/// Every measurement with every condition.
pub(super) fn rows(results: &Results) -> Table {
    Table::from_records(results.parts.iter().flat_map(|part| {
        let all = &part.measurements;
        all.0.iter().map(|own| MeasurementRecord::new(part.set.name, own, all))
    }))
}

/// What was counted, for programs.
#[derive(Default, Serialize)]
pub(super) struct Counted {
    leaves: u64,
    interior: u64,
    ordering_evaluations: u64,
    re_searches: u64,
    passes: u64,
}

impl From<&Effort> for Counted {
    fn from(Effort { counts, .. }: &Effort) -> Self {
        Self {
            leaves: counts.leaves,
            interior: counts.interior,
            ordering_evaluations: counts.ordering,
            re_searches: counts.researches,
            passes: counts.passes,
        }
    }
}

/// A measurement with all its conditions, for programs.
#[derive(Default, Serialize)]
struct MeasurementRecord {
    experiment: &'static str,
    /// None for uniform trees, whose width is in `width`.
    pits: Option<usize>,
    /// None for given positions.
    seeds: Option<u32>,
    width: Option<u16>,
    capture: Option<&'static str>,
    extra_turns: Option<&'static str>,
    order: &'static str,
    ensemble: &'static str,
    seed: u64,
    positions: u64,
    depth: u16,
    algorithm: String,
    evaluation: Option<&'static str>,
    #[serde(flatten)]
    counted: Counted,
    wrong_values: u64,
    processor_seconds: Option<f64>,
    nanoseconds_per_visit: Option<f64>,
    leaves_saved_against_first_percent: Option<Estimate>,
    time_saved_against_first_percent: Option<Estimate>,
}

impl MeasurementRecord {
    /// `own` is one of `all`.
    fn new(experiment: &'static str, own: &Measurement, all: &Measurements) -> Self {
        let Measurement { condition, depth, method, .. } = own;
        let total = own.total();
        Self {
            experiment,
            positions: total.trees,
            depth: *depth,
            algorithm: method.to_string(),
            counted: Counted::from(&total),
            wrong_values: total.wrong,
            processor_seconds: own.seconds(),
            nanoseconds_per_visit: own.cost_per_visit(),
            leaves_saved_against_first_percent: saved(all, own),
            time_saved_against_first_percent: time_saved(all, own),
            ..Self::under(condition)
        }
    }

    fn under(condition: &Condition) -> Self {
        let fixed = Self { order: condition.order(), seed: condition.seed, ..Self::default() };
        match &condition.trees {
            Trees::Kalah(kalah) => Self {
                pits: Some(kalah.rules.pits()),
                seeds: kalah.seeds(),
                capture: Some(kalah.rules.capture().name()),
                extra_turns: Some(kalah.extra_turns.name()),
                ensemble: kalah.ensemble.name(),
                evaluation: Some(kalah.evaluation.name()),
                ..fixed
            },
            Trees::Uniform { width, .. } => {
                Self { width: Some(*width), ensemble: "trees", ..fixed }
            }
        }
    }
}
