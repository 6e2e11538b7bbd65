//! The replay of Noe's comparison, as tables and charts.

use super::noe_cases::verdicts;
use super::page::{Page, estimate, percent, split};
use crate::lab::experiment::ensemble::Ensemble;
use crate::lab::experiment::kalah::{Condition, Cost, Outcome, Outcomes, distinct};
use crate::lab::experiment::noe::{DEEP, DEPTH, Experiment, Results, SHALLOW};
use crate::lab::{Algorithm, ExtraTurns, Method, Order};
use crate::report::{Axis, Bars, Cell, Chart, Findings, Marks, Section, Series, Table};

/// The findings of the replay.
pub(crate) fn noe(results: &Results) -> Findings {
    let comparison = results.of(Experiment::Comparison);
    let by_depth = Section {
        text: "F2/F3 has deep cutoffs, F1 only shallow ones: one bound, from the parent."
            .to_owned(),
        pictures: pictures(comparison),
        ..Section::of("SCOUT against alpha-beta, depth by depth", by_depth(comparison))
    };
    let parts = [
        ("All algorithms at the greatest depth", Experiment::Comparison),
        ("With transposition table and iterative deepening", Experiment::Table),
        ("Boards of different widths", Experiment::Widths),
        ("Against brute force", Experiment::BruteForce),
        ("Forms of NegaScout as printed", Experiment::Texts),
    ];
    let parts = parts.map(|(heading, experiment)| {
        Section::of(heading, beside_alpha_beta(results.of(experiment)))
    });
    let page = Page {
        title: "SCOUT and alpha-beta on Kalah: Noe's comparison of 1980, replayed",
        summary: "Noe's report was not found: board, evaluation and order of moves are this \
                  project's choice. Evaluation: difference of the stores; final margin where the \
                  game is over. All algorithms cut at >=. Leaves count each visit. Errors are \
                  standard errors over positions (or games); those of processor time include \
                  the noise of the machine.",
        headline: headline(comparison),
        picture: deciding(comparison),
        measured: [by_depth].into_iter().chain(parts).collect(),
        rows: rows(results),
    };
    page.with(&verdicts(results))
}

/// What SCOUT saves at the depth of Noe's claim by order; by depth if there is
/// one order.
fn headline(outcomes: &Outcomes) -> Table {
    let mut conditions = outcomes.conditions();
    conditions.sort_by_key(|condition| condition.extra_turns);
    let orders = distinct(conditions.iter().map(|condition| condition.order));
    let depths = outcomes.depths();
    let depth = depths.iter().copied().rfind(|&depth| depth <= DEPTH).unwrap_or_default();
    let columns: Vec<(Order, u16)> = match orders.as_slice() {
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
    let unordered =
        conditions.into_iter().map(|condition| Condition { order: Order::Far, ..condition });
    for condition in distinct(unordered) {
        let [board, turns, _, ensemble] = named(&condition);
        let places =
            columns.iter().map(|&(order, depth)| (Condition { order, ..condition.clone() }, depth));
        push_savings(&mut table, &[board, turns, ensemble], outcomes, places);
    }
    table
}

/// SCOUT's savings, depth by depth, against both baselines.
fn by_depth(outcomes: &Outcomes) -> Table {
    let depths = outcomes.depths();
    let caption = "Leaves saved by SCOUT, percent ± standard error, by depth d; \
                   cut at >=, repeats counted";
    let mut table = Table::new(caption, &["Board", "Extra turns", "Order", "Ensemble", "Against"])
        .with_columns(depths.iter().map(|depth| format!("d = {depth}")));
    for condition in outcomes.conditions() {
        let places = depths.iter().map(|&depth| (condition.clone(), depth));
        push_savings(&mut table, &named(&condition), outcomes, places);
    }
    table.grouped(4)
}

/// A row for each baseline that was measured: what SCOUT saves at each of `places`.
fn push_savings(
    table: &mut Table,
    names: &[Cell],
    outcomes: &Outcomes,
    places: impl Iterator<Item = (Condition, u16)> + Clone,
) {
    for (baseline, name) in [(DEEP, "F2/F3"), (SHALLOW, "F1")] {
        let saved = places.clone().map(|(condition, depth)| {
            outcomes.scout_saves(&condition, depth, baseline).map(percent).into()
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
fn beside_alpha_beta(outcomes: &Outcomes) -> Table {
    let mut shown = Vec::new();
    for condition in outcomes.conditions() {
        let own = outcomes.0.iter().filter(|outcome| outcome.condition == condition);
        let depth = own.map(|outcome| outcome.depth).max();
        for method in outcomes.methods() {
            shown.extend(depth.and_then(|depth| outcomes.find(&condition, depth, method)));
        }
    }
    let baseline = |outcome: &Outcome| {
        let found = outcomes.find(&outcome.condition, outcome.depth, DEEP.into());
        found.filter(|_| outcome.method != Method::from(DEEP))
    };
    Table::of(
        "Means over positions; distinct leaves are different positions in one search; ordering \
         counts evaluations spent on it; savings are against F3 (F2 visits the same leaves); cut \
         at >=; processor time",
        shown,
        &[
            ("Board", &|outcome| outcome.condition.board().into()),
            ("Extra turns", &|outcome| outcome.condition.extra_turns.name().into()),
            ("Order", &|outcome| outcome.condition.order.name().into()),
            ("Ensemble", &|outcome| outcome.condition.ensemble.to_string().into()),
            ("Depth", &|outcome| format!("depth {}", outcome.depth).into()),
            ("Algorithm", &|outcome| outcome.method.to_string().into()),
            ("Leaves", &|outcome| mean(outcome, outcome.total().counts.leaves)),
            ("Distinct", &|outcome| mean(outcome, outcome.total().distinct)),
            ("Interior", &|outcome| mean(outcome, outcome.total().counts.interior)),
            ("Ordering", &|outcome| mean(outcome, outcome.total().counts.ordering)),
            ("Again", &|outcome| mean(outcome, outcome.total().counts.researches)),
            ("Saved %", &|outcome| {
                baseline(outcome).map(|baseline| percent(outcome.leaves_saved(baseline))).into()
            }),
            ("Time %", &|outcome| {
                let baseline = baseline(outcome).filter(|baseline| baseline.is_timed());
                baseline.map(|baseline| percent(outcome.saved(baseline, Cost::Time))).into()
            }),
        ],
    )
    .grouped(5)
}

/// A sum over the positions of an outcome as its mean.
fn mean(outcome: &Outcome, sum: u64) -> Cell {
    Cell::Number(sum as f64 / outcome.total().positions.max(1) as f64, 0)
}

/// Every measurement with every condition.
fn rows(results: &Results) -> Table {
    let measured = Experiment::ALL.into_iter().flat_map(|experiment| {
        let outcomes = results.of(experiment);
        outcomes.0.iter().map(move |outcome| Row { experiment, outcome, outcomes })
    });
    Table::of(
        "",
        measured,
        &[
            ("Experiment", &|row| row.experiment.name().into()),
            ("Pits", &|row| row.outcome.condition.rules.pits().into()),
            ("Seeds", &|row| row.outcome.condition.seeds().into()),
            ("Capture", &|row| row.outcome.condition.rules.capture().name().into()),
            ("Extra turns", &|row| row.outcome.condition.extra_turns.name().into()),
            ("Order", &|row| row.outcome.condition.order.name().into()),
            ("Ensemble", &|row| row.outcome.condition.ensemble.name().into()),
            ("Seed", &|row| row.outcome.condition.seed.into()),
            ("Positions", &|row| row.outcome.total().positions.into()),
            ("Depth", &|row| row.outcome.depth.into()),
            ("Algorithm", &|row| row.outcome.method.to_string().into()),
            ("Cut", &|_| ">=".into()),
            ("Evaluation", &|_| "difference of the stores".into()),
            ("Leaves", &|row| row.outcome.total().counts.leaves.into()),
            ("Distinct leaves", &|row| row.outcome.total().distinct.into()),
            ("Interior", &|row| row.outcome.total().counts.interior.into()),
            ("Ordering evaluations", &|row| row.outcome.total().counts.ordering.into()),
            ("Re-searches", &|row| row.outcome.total().counts.researches.into()),
            ("Passes", &|row| row.outcome.total().counts.passes.into()),
            ("Wrong values", &|row| row.outcome.total().wrong.into()),
            ("Processor seconds", &|row| {
                row.outcome.seconds().map(|seconds| Cell::Number(seconds, 3)).into()
            }),
            ("Leaves saved against F3 percent", &|row| row.saved(DEEP, Cost::Leaves)),
            ("Leaves saved against F1 percent", &|row| row.saved(SHALLOW, Cost::Leaves)),
            ("Time saved against F3 percent", &|row| row.saved(DEEP, Cost::Time)),
        ],
    )
}

struct Row<'a> {
    experiment: Experiment,
    outcome: &'a Outcome,
    outcomes: &'a Outcomes,
}

impl Row<'_> {
    fn saved(&self, baseline: Algorithm, cost: Cost) -> Cell {
        let Outcome { condition, depth, .. } = self.outcome;
        let baseline = self.outcomes.find(condition, *depth, baseline.into());
        let saved = baseline.map(|baseline| self.outcome.saved(baseline, cost));
        saved.map(|saved| estimate(saved, 2)).into()
    }
}

/// The second reading of Noe's claim: what SCOUT saves in leaves at its depth, with
/// standard errors, wherever a turn is one move.
fn deciding(outcomes: &Outcomes) -> Option<Chart> {
    let depth = outcomes.depths().into_iter().rfind(|&depth| depth <= DEPTH)?;
    let mut conditions = outcomes.conditions();
    conditions.retain(|condition| {
        condition.extra_turns == ExtraTurns::Compound
            && outcomes.find(condition, depth, Algorithm::Scout.into()).is_some()
    });
    let bars = |baseline: Algorithm, name: &str| {
        let saved = conditions.iter().map(|condition| {
            let saved = outcomes.scout_saves(condition, depth, baseline);
            saved.map_or((f64::NAN, 0.0), |saved| (saved.value, saved.error))
        });
        Bars { name: name.to_owned(), lengths: saved.collect() }
    };
    let names = conditions.iter().map(|condition| {
        format!("{} {}, {}", condition.board(), condition.order, condition.ensemble)
    });
    let caption = "Each board, order and ensemble with whole turns as moves. Below 0 SCOUT costs \
                   more than alpha-beta.";
    Some(Chart {
        name: "saving".to_owned(),
        title: format!("Leaves saved by SCOUT at depth {depth}"),
        subtitle: format!(
            "A whole turn is one move; seed {}; cut at >=, repeats counted; standard errors",
            conditions.first()?.seed
        ),
        x: Axis::linear("leaves saved, %"),
        marks: Marks::Bars(
            names.collect(),
            vec![
                bars(DEEP, "against F2/F3 (deep cutoffs)"),
                bars(SHALLOW, "against F1 (shallow cutoffs)"),
            ],
        ),
        levels: vec![(40.0, "40 %, claimed of time".to_owned())],
        caption: caption.to_owned(),
        ..Chart::default()
    })
}

/// All pictures that `outcomes` have the data for: a set for each board, way to
/// count extra turns, and ensemble.
fn pictures(outcomes: &Outcomes) -> Vec<Chart> {
    let conditions = outcomes.conditions();
    let panel =
        |condition: &Condition| Condition { order: Default::default(), ..condition.clone() };
    let mut pictures = Vec::new();
    for held in distinct(conditions.iter().map(panel)) {
        let own = conditions.iter().filter(|condition| panel(condition) == held);
        let panel = Panel { outcomes, conditions: own.cloned().collect(), held };
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
    outcomes: &'a Outcomes,
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
        let depths = self.outcomes.depths();
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
            let saved = self.outcomes.scout_saves(condition, depth, baseline)?;
            Some((saved.value, saved.error))
        };
        let conditions = self.conditions.iter().cloned();
        let caption =
            "A line for each order of moves. Below 0 SCOUT costs more. Bars are standard errors.";
        Some(Chart {
            name: self.name(file),
            title: format!("Leaves saved by SCOUT against alpha-beta {baseline_name}"),
            subtitle: self.subtitle() + ", repeats counted",
            x: Axis::whole("depth, moves"),
            y: Axis::linear("leaves saved, %"),
            marks: self.lines(conditions, |condition| condition.order.to_string(), point)?,
            levels: vec![(0.0, String::new()), (40.0, "40 %, claimed of time".into())],
            caption: caption.to_owned(),
        })
    }

    /// The condition whose algorithms are drawn: the first in which the most of
    /// them were measured.
    fn main_condition(&self) -> Option<&Condition> {
        let measured = |condition: &Condition| {
            self.outcomes.0.iter().filter(|outcome| outcome.condition == *condition).count()
        };
        let most = self.conditions.iter().map(measured).max()?;
        self.conditions.iter().find(|condition| measured(condition) == most)
    }

    /// Leaves against depth on a logarithmic axis, a line for each algorithm.
    fn leaves(&self) -> Option<Chart> {
        let condition = self.main_condition()?;
        let point = |method: &Method, depth| {
            let total = self.outcomes.find(condition, depth, *method)?.total();
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
            y: Axis::log("leaves a position (logarithmic)"),
            marks: self.lines(self.outcomes.methods(), Method::to_string, point)?,
            levels: Vec::new(),
            caption: "A step upwards is a factor of ten.".to_owned(),
        })
    }

    /// Leaves and time beside each other at the greatest depth, in percent of F3.
    fn time(&self) -> Option<Chart> {
        let condition = self.main_condition()?;
        let own = self.outcomes.0.iter().filter(|found| found.condition == *condition);
        let depth = own.clone().map(|outcome| outcome.depth).max()?;
        let baseline = self.outcomes.find(condition, depth, DEEP.into())?;
        let measured: Vec<_> = own.filter(|outcome| outcome.depth == depth).collect();
        let bars = |name: &str, cost: Cost| {
            let percent = measured.iter().map(|outcome| {
                let saved = outcome.saved(baseline, cost);
                (100.0 - saved.value, saved.error)
            });
            Bars { name: name.to_owned(), lengths: percent.collect() }
        };
        let caption = "In percent of alpha-beta's (F3), with standard errors, those of time with \
                       the noise of the machine. Algorithms differ in the interior nodes that \
                       they visit for a leaf, so time is not leaves.";
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
                measured.iter().map(|outcome| outcome.method.to_string()).collect(),
                vec![bars("leaves", Cost::Leaves), bars("processor time", Cost::Time)],
            ),
            levels: vec![(100.0, "F3".to_owned())],
            caption: caption.to_owned(),
            ..Chart::default()
        })
    }
}
