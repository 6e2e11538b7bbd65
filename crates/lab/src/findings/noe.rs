//! The replay of Noe's comparison, as tables and charts.

use serde::Serialize;

use super::draft::{Draft, percent, split};
use super::noe_cases::verdicts;
use crate::experiment::ensemble::Ensemble;
use crate::experiment::kalah::{
    Condition, Effort, Measurement, Measurements, SearchCost, distinct,
};
use crate::experiment::noe::{DEEP, DEPTH, Experiment, NoeResults, SHALLOW};
use crate::{Algorithm, ChildOrder, ExtraTurns, Method};
use kalah_report::statistics::Estimate;
use kalah_report::{Axis, Bars, Cell, Chart, Findings, Marks, Section, Series, Table};

/// The findings of the replay.
pub fn noe(results: &NoeResults) -> Findings {
    let parts = [
        ("All algorithms at the greatest depth", Experiment::Comparison),
        ("With transposition table and iterative deepening", Experiment::Table),
        ("Boards of different widths", Experiment::Widths),
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
        text: "F2/F3 has deep cutoffs, F1 only shallow ones, by one bound from the parent."
            .to_owned(),
        pictures: pictures(comparison),
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
        picture: deciding(comparison),
        measured: [by_depth].into_iter().chain(parts).collect(),
        rows: rows(results),
    };
    draft.judged(&verdicts(results))
}

/// What SCOUT saves at the depth of Noe's claim by order; by depth if there is
/// one order.
fn headline(measurements: &Measurements) -> Table {
    let mut conditions = measurements.conditions();
    conditions.sort_by_key(|condition| condition.extra_turns);
    let orders = distinct(conditions.iter().map(|condition| condition.order));
    let depths = measurements.depths();
    let depth = depths.iter().copied().rfind(|&depth| depth <= DEPTH).unwrap_or_default();
    let columns: Vec<(ChildOrder, u16)> = match orders.as_slice() {
        [order] => depths.iter().map(|&depth| (*order, depth)).rev().take(4).rev().collect(),
        orders => orders.iter().map(|&order| (order, depth)).collect(),
    };
    let names = columns.iter().map(|(order, depth)| match orders.len() {
        1 => format!("d = {depth}"),
        _ => order.to_string(),
    });
    let caption = match orders.as_slice() {
        [order] => format!("Percent of leaves saved by SCOUT, order {order}"),
        _ => format!("Percent of leaves saved by SCOUT at depth {depth}, by order"),
    };
    let mut table = Table::new(&caption, &["Board", "Turns", "Ensemble", "Against"]);
    table = table.with_columns(names);
    for condition in distinct(conditions.iter().map(without_order)) {
        let [board, turns, _, ensemble] = named(&condition);
        let places =
            columns.iter().map(|&(order, depth)| (Condition { order, ..condition.clone() }, depth));
        push_savings(&mut table, &[board, turns, ensemble], measurements, places);
    }
    table
}

/// SCOUT's savings, depth by depth, against both baselines.
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

/// A row for each baseline that was measured: what SCOUT saves at each of `places`.
fn push_savings(
    table: &mut Table,
    names: &[Cell],
    measurements: &Measurements,
    places: impl Iterator<Item = (Condition, u16)> + Clone,
) {
    for (baseline, name) in [(DEEP, "F2/F3"), (SHALLOW, "F1")] {
        let saved = places.clone().map(|(condition, depth)| {
            measurements.scout_saves(&condition, depth, baseline).map(percent).into()
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
}

impl MeasurementRecord {
    /// `own` is one of `measurements`, among which its baselines are found.
    fn new(experiment: Experiment, own: &Measurement, measurements: &Measurements) -> Self {
        let Measurement { condition, depth, method, .. } = own;
        let Effort { counts, distinct, positions, wrong } = own.total();
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
        }
    }
}

/// Percent of `cost` that is saved against a baseline, if both were measured.
fn saved(own: &Measurement, baseline: Option<&Measurement>, cost: SearchCost) -> Option<Estimate> {
    Some(own.saved(baseline?, cost)).filter(|saved| !saved.value.is_nan())
}

/// The second reading of Noe's claim: the leaves that SCOUT saves at the depth of the claim,
/// with standard errors, wherever a turn is one move.
fn deciding(measurements: &Measurements) -> Option<Chart> {
    let depth = measurements.depths().into_iter().rfind(|&depth| depth <= DEPTH)?;
    let mut conditions = measurements.conditions();
    conditions.retain(|condition| {
        condition.extra_turns == ExtraTurns::Compound
            && measurements.find(condition, depth, Algorithm::Scout.into()).is_some()
    });
    let bars = [(DEEP, "against F2/F3 (deep cutoffs)"), (SHALLOW, "against F1 (shallow cutoffs)")];
    let bars = bars.map(|(baseline, name)| {
        let saved = conditions.iter().map(|condition| {
            let saved = measurements.scout_saves(condition, depth, baseline);
            saved.map_or((f64::NAN, 0.0), |saved| (saved.value, saved.error))
        });
        Bars { name: name.to_owned(), lengths: saved.collect() }
    });
    let names = conditions.iter().map(|condition| {
        format!("{} {}, {}", condition.board(), condition.order, condition.ensemble)
    });
    let caption = "Each board, order and ensemble with whole turns as moves. Below 0, SCOUT costs \
                   more than alpha-beta.";
    Some(Chart {
        name: "saving".to_owned(),
        title: format!("Leaves saved by SCOUT at depth {depth}"),
        subtitle: format!(
            "A whole turn is one move; seed {}; cut at >=, repeats counted; standard errors",
            conditions.first()?.seed
        ),
        x: Axis::linear("leaves saved, %"),
        marks: Marks::Bars(names.collect(), bars.into()),
        levels: vec![(40.0, "40 %, claimed for time".to_owned())],
        caption: caption.to_owned(),
        ..Chart::default()
    })
}

/// The condition in the default order, to compare all but the order.
fn without_order(condition: &Condition) -> Condition {
    Condition { order: ChildOrder::default(), ..condition.clone() }
}

/// All pictures that `measurements` have the data for: a set for each board, way to
/// count extra turns, and ensemble.
fn pictures(measurements: &Measurements) -> Vec<Chart> {
    let conditions = measurements.conditions();
    let mut pictures = Vec::new();
    for held in distinct(conditions.iter().map(without_order)) {
        let own = conditions.iter().filter(|condition| without_order(condition) == held);
        let panel = Panel { measurements, conditions: own.cloned().collect(), held };
        pictures.extend(panel.saving("saving-f3", DEEP, "with deep cutoffs (F2/F3)"));
        pictures.extend(panel.saving("saving-f1", SHALLOW, "without deep cutoffs (F1)"));
        if panel.held.extra_turns == ExtraTurns::Compound {
            pictures.extend(panel.leaves());
            pictures.extend(panel.time());
        }
    }
    pictures.into_iter().flat_map(split).collect()
}

/// Conditions that differ in the order of moves only.
struct Panel<'a> {
    measurements: &'a Measurements,
    held: Condition,
    conditions: Vec<Condition>,
}

impl Panel<'_> {
    /// The name of a chart's file.
    fn name(&self, what: &str) -> String {
        let Condition { rules, extra_turns, ensemble, .. } = &self.held;
        let mut name = format!("{what}-{}-{}", rules.pits(), rules.seeds());
        if *extra_turns != ExtraTurns::Compound {
            name += &format!("-{extra_turns}");
        }
        if !matches!(ensemble, Ensemble::Positions(_)) {
            name += &format!("-{}", ensemble.name());
        }
        name
    }

    /// What all conditions share.
    fn subtitle(&self) -> String {
        let Condition { extra_turns, ensemble, seed, .. } = &self.held;
        let board = self.held.board();
        format!("Kalah {board}, extra turns {extra_turns}, {ensemble}, seed {seed}; cut at >=")
    }

    /// Lines by depth; `point` gives a line's value and error. Lines of one point
    /// are left out.
    fn lines<T>(
        &self,
        lines: impl IntoIterator<Item = T>,
        name: impl Fn(&T) -> String,
        point: impl Fn(&T, u16) -> Option<(f64, f64)>,
    ) -> Option<Marks> {
        let depths = self.measurements.depths();
        let series = lines.into_iter().filter_map(|line| {
            let points = depths.iter().filter_map(|&depth| {
                let (value, error) = point(&line, depth)?;
                Some((f64::from(depth), value, error))
            });
            let points: Vec<_> = points.collect();
            (points.len() > 1).then(|| Series { name: name(&line), points })
        });
        let series: Vec<Series> = series.collect();
        (!series.is_empty()).then_some(Marks::Lines(series))
    }

    /// Percent of leaves saved by SCOUT by depth, a line for each order.
    fn saving(&self, file: &str, baseline: Algorithm, baseline_name: &str) -> Option<Chart> {
        let point = |condition: &Condition, depth| {
            let saved = self.measurements.scout_saves(condition, depth, baseline)?;
            Some((saved.value, saved.error))
        };
        let conditions = self.conditions.iter().cloned();
        let caption =
            "A line for each order of moves. Below 0, SCOUT costs more. Bars are standard errors.";
        Some(Chart {
            name: self.name(file),
            title: format!("Leaves saved by SCOUT against alpha-beta {baseline_name}"),
            subtitle: self.subtitle() + ", repeats counted",
            x: Axis::whole("depth, moves"),
            y: Axis::linear("leaves saved, %"),
            marks: self.lines(conditions, |condition| condition.order.to_string(), point)?,
            levels: vec![(0.0, String::new()), (40.0, "40 %, claimed for time".into())],
            caption: caption.to_owned(),
        })
    }

    /// The condition whose algorithms are drawn: the first in which most of
    /// them were measured.
    fn main_condition(&self) -> Option<&Condition> {
        // Reversed, because of equals the last counts as the maximum.
        let last_first = self.conditions.iter().rev();
        last_first.max_by_key(|condition| self.measurements.under(condition).count())
    }

    /// Leaves against depth on a logarithmic axis, a line for each algorithm.
    fn leaves(&self) -> Option<Chart> {
        let condition = self.main_condition()?;
        let point = |method: &Method, depth| {
            let total = self.measurements.find(condition, depth, *method)?.total();
            Some((total.counts.leaves as f64 / total.positions as f64, 0.0))
        };
        Some(Chart {
            name: self.name("leaves"),
            title: "Leaves of each algorithm by depth".to_owned(),
            subtitle: format!(
                "{}, order {}; means over positions, repeats counted",
                self.subtitle(),
                condition.order
            ),
            x: Axis::whole("depth, moves"),
            y: Axis::log("leaves per position (logarithmic)"),
            marks: self.lines(self.measurements.methods(), Method::to_string, point)?,
            levels: Vec::new(),
            caption: "A step upwards is a factor of ten.".to_owned(),
        })
    }

    /// Leaves and time side by side at the greatest depth, in percent of F3.
    fn time(&self) -> Option<Chart> {
        let condition = self.main_condition()?;
        let own = self.measurements.under(condition);
        let depth = own.clone().map(|measurement| measurement.depth).max()?;
        let baseline = self.measurements.find(condition, depth, DEEP.into())?;
        let measured: Vec<_> = own.filter(|measurement| measurement.depth == depth).collect();
        let bars = [("leaves", SearchCost::Leaves), ("processor time", SearchCost::Time)];
        let bars = bars.map(|(name, cost)| {
            let percent = measured.iter().map(|measurement| {
                let saved = measurement.saved(baseline, cost);
                (100.0 - saved.value, saved.error)
            });
            Bars { name: name.to_owned(), lengths: percent.collect() }
        });
        let caption = "In percent of alpha-beta's (F3), with standard errors, which for times \
                       include the noise of the machine. Algorithms differ in the number of \
                       interior nodes per leaf, so time is not proportional to leaves.";
        baseline.is_timed().then(|| Chart {
            name: self.name("time"),
            title: format!("Leaves and processor time at depth {depth}"),
            subtitle: format!(
                "{}, order {}; sums over positions, median of interleaved rounds",
                self.subtitle(),
                condition.order
            ),
            x: Axis::linear("percent of alpha-beta (F3)"),
            marks: Marks::Bars(
                measured.iter().map(|measurement| measurement.method.to_string()).collect(),
                bars.into(),
            ),
            levels: vec![(100.0, "F3".to_owned())],
            caption: caption.to_owned(),
            ..Chart::default()
        })
    }
}
