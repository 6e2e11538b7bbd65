//! The replay of Noe's comparison, as tables and charts.

use serde::Serialize;

use super::draft::{Draft, percent, split};
use super::noe_cases::verdicts;
use crate::experiment::kalah::{
    Condition, Effort, Measurement, Measurements, SearchCost, distinct,
};
use crate::experiment::noe::{DEEP, DEPTH, Experiment, NoeResults, RESET, SHALLOW};
use crate::{Algorithm, ChildOrder, Method};
use kalah_tables::statistics::Estimate;
use kalah_tables::{Axis, Bars, Cell, Chart, Findings, Marks, Section, Series, Table};
use kalah_text::format::signed;

/// The findings of the replay.
pub fn noe(results: &NoeResults) -> Findings {
    let parts = [
        ("All algorithms at the greatest depth", Experiment::Comparison),
        ("With transposition table and iterative deepening", Experiment::Table),
        ("Boards of different widths", Experiment::Widths),
        ("Boards with many pits", Experiment::Wide),
        ("Boards with few pits", Experiment::Narrow),
        ("Against brute force", Experiment::BruteForce),
        ("Forms of NegaScout as printed", Experiment::Texts),
    ];
    let parts = parts.map(|(heading, experiment)| {
        Section::with_table(heading, against_alpha_beta(results.part(experiment)))
    });
    findings(results, parts.into())
}

/// The findings on whole games between equal searches: the result in brief, claims, verdicts,
/// and SCOUT against alpha-beta, depth by depth.
pub(super) fn whole_games(results: &NoeResults) -> Findings {
    findings(results, Vec::new())
}

/// The findings of the replay, with `parts` after the comparison depth by depth.
fn findings(results: &NoeResults, parts: Vec<Section>) -> Findings {
    let comparison = results.part(Experiment::Comparison);
    let by_depth = Section {
        text: "F2/F3 has deep cutoffs, F1 only shallow ones, by one bound from the parent. Where \
               the mover moves again, F1 passes its bound on, and F1 reset drops it."
            .to_owned(),
        pictures: [
            deciding(comparison, SearchCost::Leaves).into_iter().collect(),
            by_depth_drawn(comparison),
        ]
        .concat(),
        ..Section::with_table("SCOUT against alpha-beta, depth by depth", by_depth(comparison))
    };
    let draft = Draft {
        title: "SCOUT and alpha-beta on Kalah: Noe's comparison of 1980, replayed",
        summary: "Noe's report was not found, so the board, the evaluation and the order of moves \
                  are this project's choice. The evaluation is the difference of the stores or, \
                  if the game is over, the final margin. All algorithms cut at >=. Every visit to \
                  a leaf counts. Errors are standard errors over positions (or games); those of \
                  processor time include the noise of the machine.",
        headline: headline(comparison),
        picture: deciding(comparison, SearchCost::Time),
        measured: [by_depth].into_iter().chain(parts).collect(),
        rows: rows(results),
    };
    draft.judged(&verdicts(results))
}

/// The greatest depth that was measured, up to that of Noe's claim.
fn decisive_depth(measurements: &Measurements) -> u16 {
    let depths = measurements.depths();
    depths.into_iter().rfind(|&depth| depth <= DEPTH).unwrap_or_default()
}

/// SCOUT's savings at the depth of Noe's claim, over all boards and orders.
fn headline(measurements: &Measurements) -> Table {
    let depth = decisive_depth(measurements);
    let mut conditions = measurements.conditions();
    conditions.sort_by_key(|condition| condition.extra_turns);
    let caption = format!(
        "Percent that SCOUT saves of alpha-beta's processor time and leaves at depth {depth}, over \
         all boards and orders"
    );
    let headings = ["Extra turns", "Ensemble", "Against", "Time", "Leaves"];
    let mut table = Table::new(&caption, &headings);
    for held in distinct(conditions.iter().map(|own| (own.extra_turns, own.ensemble.clone()))) {
        let own =
            conditions.iter().filter(|own| (own.extra_turns, &own.ensemble) == (held.0, &held.1));
        for (baseline, name) in BASELINES {
            let [time, leaves] = [SearchCost::Time, SearchCost::Leaves].map(|cost| {
                let saved =
                    own.clone().map(|own| measurements.scout_saves(own, depth, baseline, cost));
                range(&saved.flatten().collect::<Vec<_>>())
            });
            if leaves != Cell::Empty {
                let ensemble = held.1.to_string();
                table.push(vec![held.0.name().into(), ensemble.into(), name.into(), time, leaves]);
            }
        }
    }
    table.without_empty_columns()
}

/// The smallest and the greatest of some savings; a single one with its error.
fn range(saved: &[Estimate]) -> Cell {
    let values = saved.iter().map(|saved| saved.value);
    let (low, high) = (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max));
    match saved {
        [] => Cell::Empty,
        [saved] => percent(*saved),
        _ => format!("{} to {}", signed(low, 0), signed(high, 0)).into(),
    }
}

/// The forms of alpha-beta with which SCOUT is compared, and their names.
const BASELINES: [(Algorithm, &str); 3] = [(DEEP, "F2/F3"), (SHALLOW, "F1"), (RESET, "F1 reset")];

/// SCOUT's savings of leaves, depth by depth, against all baselines.
fn by_depth(measurements: &Measurements) -> Table {
    let depths = measurements.depths();
    let caption = "Leaves saved by SCOUT, percent ± standard error, by depth d; \
                   cut at >=, repeats counted";
    let mut table = Table::new(caption, &["Board", "Extra turns", "Order", "Ensemble", "Against"])
        .with_columns(depths.iter().map(|depth| format!("d = {depth}")));
    for condition in measurements.conditions() {
        let places = depths.iter().map(|&depth| (condition.clone(), depth));
        push_savings(&mut table, &named(&condition), measurements, places);
    }
    table.grouped(4)
}

/// A row for each baseline that was measured: the leaves that SCOUT saves at each of `places`.
fn push_savings(
    table: &mut Table,
    names: &[Cell],
    measurements: &Measurements,
    places: impl Iterator<Item = (Condition, u16)> + Clone,
) {
    for (baseline, name) in BASELINES {
        let saved = places.clone().map(|(condition, depth)| {
            let saved = measurements.scout_saves(&condition, depth, baseline, SearchCost::Leaves);
            saved.map(percent).into()
        });
        let saved: Vec<Cell> = saved.collect();
        if saved.iter().any(|cell| *cell != Cell::Empty) {
            table.push([names, &[name.into()], &saved].concat());
        }
    }
}

fn named(condition: &Condition) -> [Cell; 4] {
    [
        condition.board().into(),
        condition.extra_turns.name().into(),
        condition.order.name().into(),
        condition.ensemble.to_string().into(),
    ]
}

/// Each algorithm's leaves and time at the greatest depth of its condition.
fn against_alpha_beta(measurements: &Measurements) -> Table {
    let mut shown = Vec::new();
    for condition in measurements.conditions() {
        let depth = measurements.under(&condition).map(|measurement| measurement.depth).max();
        for method in measurements.methods() {
            shown.extend(depth.and_then(|depth| measurements.find(&condition, depth, method)));
        }
    }
    Table::from_items(
        "Means over positions; distinct leaves are different positions in one search; ordering \
         counts evaluations spent on it; again counts second searches of a node; savings are \
         against F3 (F2 visits the same leaves); cut at >=; processor time",
        shown,
        &[
            ("Board", &|own| own.condition.board().into()),
            ("Extra turns", &|own| own.condition.extra_turns.name().into()),
            ("Order", &|own| own.condition.order.name().into()),
            ("Ensemble", &|own| own.condition.ensemble.to_string().into()),
            ("Depth", &|own| format!("depth {}", own.depth).into()),
            ("Algorithm", &|own| own.method.to_string().into()),
            ("Leaves", &|own| mean(own, own.total().counts.leaves)),
            ("Distinct", &|own| mean(own, own.total().distinct)),
            ("Interior", &|own| mean(own, own.total().counts.interior)),
            ("Ordering", &|own| mean(own, own.total().counts.ordering)),
            ("Again", &|own| mean(own, own.total().counts.researches)),
            ("Saved %", &|own| {
                baseline(measurements, own)
                    .map(|baseline| percent(own.leaves_saved(baseline)))
                    .into()
            }),
            ("Time %", &|own| {
                let baseline = baseline(measurements, own).filter(|baseline| baseline.is_timed());
                baseline.map(|baseline| percent(own.saved(baseline, SearchCost::Time))).into()
            }),
        ],
    )
    .grouped(5)
}

/// Alpha-beta with deep cutoffs under the condition and at the depth of another method.
fn baseline<'a>(measurements: &'a Measurements, other: &Measurement) -> Option<&'a Measurement> {
    let found = measurements.find(&other.condition, other.depth, DEEP.into());
    found.filter(|_| other.method != Method::from(DEEP))
}

/// A sum over the positions of a measurement as its mean.
fn mean(measurement: &Measurement, sum: u64) -> Cell {
    Cell::Number(sum as f64 / measurement.total().positions.max(1) as f64, 0)
}

/// Every measurement with every condition.
fn rows(results: &NoeResults) -> Table {
    let parts = Experiment::ALL.into_iter().map(|part| (part, results.part(part)));
    Table::from_records(parts.flat_map(|(part, measurements)| {
        measurements.0.iter().map(move |own| MeasurementRecord::new(part, own, measurements))
    }))
}

/// A measurement with all its conditions, for programs.
#[derive(Default, Serialize)]
struct MeasurementRecord {
    experiment: &'static str,
    pits: usize,
    /// None for given positions.
    seeds: Option<u32>,
    capture: &'static str,
    extra_turns: &'static str,
    order: &'static str,
    ensemble: &'static str,
    seed: u64,
    positions: u64,
    depth: u16,
    algorithm: String,
    cut: &'static str,
    evaluation: &'static str,
    leaves: u64,
    distinct_leaves: u64,
    interior: u64,
    ordering_evaluations: u64,
    re_searches: u64,
    passes: u64,
    wrong_values: u64,
    processor_seconds: Option<f64>,
    leaves_saved_against_f3_percent: Option<Estimate>,
    leaves_saved_against_f1_percent: Option<Estimate>,
    time_saved_against_f3_percent: Option<Estimate>,
    time_saved_against_f1_percent: Option<Estimate>,
}

impl MeasurementRecord {
    /// `own` is one of `measurements`, among which its baselines are found.
    fn new(experiment: Experiment, own: &Measurement, measurements: &Measurements) -> Self {
        let Measurement { condition, depth, method, .. } = own;
        let Effort { counts, distinct, positions, wrong, .. } = own.total();
        let [deep, shallow] =
            [DEEP, SHALLOW].map(|baseline| measurements.find(condition, *depth, baseline.into()));
        Self {
            experiment: experiment.name(),
            pits: condition.rules.pits(),
            seeds: condition.seeds(),
            capture: condition.rules.capture().name(),
            extra_turns: condition.extra_turns.name(),
            order: condition.order.name(),
            ensemble: condition.ensemble.name(),
            seed: condition.seed,
            positions,
            depth: *depth,
            algorithm: method.to_string(),
            cut: ">=",
            evaluation: "difference of the stores",
            leaves: counts.leaves,
            distinct_leaves: distinct,
            interior: counts.interior,
            ordering_evaluations: counts.ordering,
            re_searches: counts.researches,
            passes: counts.passes,
            wrong_values: wrong,
            processor_seconds: own.seconds(),
            leaves_saved_against_f3_percent: saved(own, deep, SearchCost::Leaves),
            leaves_saved_against_f1_percent: saved(own, shallow, SearchCost::Leaves),
            time_saved_against_f3_percent: saved(own, deep, SearchCost::Time),
            time_saved_against_f1_percent: saved(own, shallow, SearchCost::Time),
        }
    }
}

/// Percent of `cost` that is saved against a baseline, if both were measured.
fn saved(own: &Measurement, baseline: Option<&Measurement>, cost: SearchCost) -> Option<Estimate> {
    Some(own.saved(baseline?, cost)).filter(|saved| !saved.value.is_nan())
}

/// SCOUT's savings of `cost` at the depth of Noe's claim under all conditions, against each form of
/// alpha-beta; none if they were not measured.
fn deciding(measurements: &Measurements, cost: SearchCost) -> Option<Chart> {
    let depth = decisive_depth(measurements);
    let mut conditions = measurements.conditions();
    conditions.sort_by_key(|condition| condition.extra_turns);
    conditions.retain(|condition| measurements.scout_saves(condition, depth, DEEP, cost).is_some());
    let bars = BASELINES.map(|(baseline, name)| {
        let saved = conditions.iter().map(|condition| {
            let saved = measurements.scout_saves(condition, depth, baseline, cost);
            saved.map_or((f64::NAN, 0.0), |saved| (saved.value, saved.error))
        });
        Bars { name: format!("against {name}"), lengths: saved.collect() }
    });
    let names = conditions.iter().map(|condition| {
        let Condition { extra_turns, order, ensemble, .. } = condition;
        format!("{} {extra_turns} {order}, {ensemble}", condition.board())
    });
    let (name, what, level) = match cost {
        SearchCost::Time => ("time", "Processor time", "40 %, claimed"),
        _ => ("leaves", "Leaves", "40 %, claimed for time"),
    };
    Some(Chart {
        name: format!("saving-{name}"),
        title: format!("{what} saved by SCOUT at depth {depth}"),
        subtitle: format!("Seed {}; cut at >=; standard errors", conditions.first()?.seed),
        x: Axis::linear("saved, %"),
        marks: Marks::Bars(names.collect(), bars.into()),
        levels: vec![(40.0, level.to_owned())],
        caption: "Each board, treatment of extra turns, order and ensemble. An extra turn is part \
                  of one move (compound), a move of its own (ply), or costs no depth (free). Below \
                  0, SCOUT costs more than alpha-beta. F1 has no deep cutoffs; F1 reset also drops its \
                  bound at each extra turn."
            .to_owned(),
        ..Chart::default()
    })
}

/// The condition in the default order, to compare all but the order.
fn without_order(condition: &Condition) -> Condition {
    Condition { order: ChildOrder::default(), ..condition.clone() }
}

/// The leaves that SCOUT saves by depth: a chart for each board, treatment of extra turns,
/// ensemble and baseline, with a line for each order.
fn by_depth_drawn(measurements: &Measurements) -> Vec<Chart> {
    let conditions = measurements.conditions();
    let mut charts = Vec::new();
    for held in distinct(conditions.iter().map(without_order)) {
        let own = conditions.iter().filter(|condition| without_order(condition) == held);
        let own: Vec<&Condition> = own.collect();
        for baseline in [DEEP, SHALLOW] {
            charts.extend(by_depth_chart(measurements, &own, baseline));
        }
    }
    charts.into_iter().flat_map(split).collect()
}

/// One chart of conditions that differ in the order alone; none without two depths.
fn by_depth_chart(
    measurements: &Measurements,
    conditions: &[&Condition],
    baseline: Algorithm,
) -> Option<Chart> {
    let depths = measurements.depths();
    let series = conditions.iter().map(|condition| {
        let points = depths.iter().filter_map(|&depth| {
            let cost = SearchCost::Leaves;
            let saved = measurements.scout_saves(condition, depth, baseline, cost)?;
            Some((f64::from(depth), saved.value, saved.error))
        });
        Series { name: condition.order.to_string(), points: points.collect() }
    });
    let series: Vec<Series> = series.filter(|line| line.points.len() > 1).collect();
    let Condition { rules, extra_turns, ensemble, seed, .. } = conditions.first()?;
    let file = format!("saving-{baseline}-{}-{}", rules.pits(), rules.seeds());
    let board = conditions[0].board();
    (!series.is_empty()).then(|| Chart {
        name: format!("{file}-{extra_turns}-{}", ensemble.name()),
        title: format!("Leaves saved by SCOUT against {}", baseline.to_string().to_uppercase()),
        subtitle: format!(
            "Kalah {board}, extra turns {extra_turns}, {ensemble}, seed {seed}; cut at >=, repeats \
             counted"
        ),
        x: Axis::whole("depth, moves"),
        y: Axis::linear("leaves saved, %"),
        marks: Marks::Lines(series),
        levels: vec![(0.0, String::new()), (40.0, "40 %, claimed for time".into())],
        caption: "A line for each order of moves. Below 0, SCOUT costs more. Bars are standard \
                  errors."
            .to_owned(),
    })
}
