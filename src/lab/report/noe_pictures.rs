//! The replay of Noe's comparison, as charts.

use super::page::split;
use crate::lab::experiment::ensemble::Ensemble;
use crate::lab::experiment::kalah::{Condition, Cost, Outcomes, distinct};
use crate::lab::experiment::noe::{DEEP, DEPTH, SHALLOW};
use crate::lab::{Algorithm, ExtraTurns, Method};
use crate::report::{Axis, Bars, Chart, Marks, Series};

/// The second reading of Noe's claim: what SCOUT saves in leaves at its depth, with
/// standard errors, wherever a turn is one move.
pub(super) fn deciding(outcomes: &Outcomes) -> Option<Chart> {
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
pub(super) fn pictures(outcomes: &Outcomes) -> Vec<Chart> {
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
