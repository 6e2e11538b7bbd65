//! The replay of Noe's comparison, as charts.

use crate::game::Rules;
use crate::lab::experiment::ensemble::Ensemble;
use crate::lab::experiment::kalah::{Condition, Effort, Outcomes, distinct};
use crate::lab::experiment::noe::{DEEP, SHALLOW};
use crate::lab::{Algorithm, ExtraTurns, Method};
use crate::report::{Axis, Bars, Chart, Marks, Picture, Series};

/// All pictures that `outcomes` have the data for.
pub(super) fn pictures(outcomes: &Outcomes) -> Vec<Picture> {
    let conditions = outcomes.conditions();
    let mut pictures = Vec::new();
    for rules in distinct(conditions.iter().map(|condition| condition.rules)) {
        let on_board = conditions.iter().copied().filter(|condition| condition.rules == rules);
        let on_board = OnBoard { outcomes, rules, conditions: on_board.collect() };
        pictures.extend(on_board.saving("saving-f3", DEEP, "with deep cutoffs (F2/F3)"));
        pictures.extend(on_board.saving("saving-f1", SHALLOW, "without deep cutoffs (F1)"));
        pictures.extend(on_board.leaves());
        pictures.extend(on_board.time());
    }
    pictures
}

/// What differs between conditions of one board.
fn series_name(condition: &Condition) -> String {
    let order = condition.order.name();
    let treatment = match condition.extra_turns {
        ExtraTurns::Compound => String::new(),
        other => format!(", {other}"),
    };
    match condition.ensemble {
        Ensemble::Games(_) => format!("{order}{treatment}, games"),
        _ => format!("{order}{treatment}"),
    }
}

fn ensembles(conditions: &[Condition]) -> String {
    let seed = conditions.first().map_or(0, |condition| condition.seed);
    let mut names: Vec<String> =
        conditions.iter().map(|condition| condition.ensemble.to_string()).collect();
    names.dedup();
    format!("{}, seed {seed}", names.join(" and "))
}

/// The outcomes on one board, and its conditions.
struct OnBoard<'a> {
    outcomes: &'a Outcomes,
    rules: Rules,
    conditions: Vec<Condition>,
}

impl OnBoard<'_> {
    fn picture(&self, name: &str, chart: Chart, caption: String) -> Picture {
        let name = format!("{name}-{}-{}", self.rules.pits(), self.rules.seeds());
        Picture { name, chart, caption }
    }

    /// Lines by depth; `point` gives a line's value and error. Lines of one point
    /// are left out, and so are those after the seventh: more are hard to
    /// distinguish.
    fn lines<T>(
        &self,
        lines: impl IntoIterator<Item = T>,
        name: impl Fn(&T) -> String,
        point: impl Fn(&T, u16) -> Option<(f64, f64)>,
    ) -> Option<Marks> {
        let depths = self.outcomes.depths();
        let line = |line: T| {
            let points = depths.iter().filter_map(|&depth| {
                let (value, error) = point(&line, depth)?;
                Some(((f64::from(depth), value), error))
            });
            let (points, errors): (Vec<_>, Vec<_>) = points.unzip();
            (points.len() > 1).then(|| Series { name: name(&line), points, errors })
        };
        let series: Vec<Series> = lines.into_iter().filter_map(line).take(7).collect();
        (!series.is_empty()).then_some(Marks::Lines(series))
    }

    /// Percent of leaves saved by SCOUT by depth, a line for each condition.
    fn saving(&self, file: &str, baseline: Algorithm, baseline_name: &str) -> Option<Picture> {
        let point = |condition: &Condition, depth| {
            let scout = self.outcomes.find(condition, depth, Algorithm::Scout.into())?;
            let baseline = self.outcomes.find(condition, depth, baseline.into())?;
            let saved = scout.leaves_saved(baseline);
            Some((saved.value, saved.error))
        };
        let rules = self.rules;
        let chart = Chart {
            title: format!("Leaves saved by SCOUT against alpha-beta {baseline_name}"),
            subtitle: format!(
                "{rules}, a turn is one move unless said otherwise; {}; cut at >=, repeats counted",
                ensembles(&self.conditions)
            ),
            x: Axis::whole("depth, moves"),
            y: Axis::linear("leaves saved, %"),
            marks: self.lines(self.conditions.iter().copied(), series_name, point)?,
            levels: vec![(0.0, String::new()), (40.0, "40 %, the figure cited from Noe".into())],
        };
        let caption = format!(
            "SCOUT's saving on {rules} by depth, a line for each order of moves (and way to count \
             extra turns). Below 0 SCOUT costs more. Bars are standard errors."
        );
        Some(self.picture(file, chart, caption))
    }

    /// The condition whose algorithms are drawn: the first of the board in which
    /// the most of them were measured.
    fn main_condition(&self) -> Option<Condition> {
        let measured = |condition: &Condition| {
            self.outcomes.0.iter().filter(|outcome| outcome.condition == *condition).count()
        };
        let most = self.conditions.iter().map(measured).max()?;
        self.conditions.iter().copied().find(|condition| measured(condition) == most)
    }

    /// Leaves against depth on a logarithmic axis, a line for each algorithm.
    fn leaves(&self) -> Option<Picture> {
        let condition = self.main_condition()?;
        let point = |method: &Method, depth| {
            let total = self.outcomes.find(&condition, depth, *method)?.total();
            Some((total.counts.leaves as f64 / total.positions as f64, 0.0))
        };
        let Condition { rules, extra_turns, order, .. } = condition;
        let chart = Chart {
            title: "Leaves of each algorithm by depth".to_owned(),
            subtitle: format!(
                "{rules}, extra turns {extra_turns}, order {order}; mean of {}; cut at >=, \
                 repeats counted",
                ensembles(&[condition])
            ),
            x: Axis::whole("depth, moves"),
            y: Axis::log("leaves a position (logarithmic)"),
            marks: self.lines(self.outcomes.methods(), Method::to_string, point)?,
            levels: Vec::new(),
        };
        let caption = format!("Leaves a position on {rules}; a step upwards is a factor of ten.");
        Some(self.picture("leaves", chart, caption))
    }

    /// Leaves and time beside each other at the greatest depth, in percent of F3.
    fn time(&self) -> Option<Picture> {
        let condition = self.main_condition()?;
        let of_condition = self.outcomes.0.iter().filter(|found| found.condition == condition);
        let depth = of_condition.map(|outcome| outcome.depth).max()?;
        let total = |method| Some(self.outcomes.find(&condition, depth, method)?.total());
        let baseline = total(DEEP.into()).filter(|total| !total.time.is_zero())?;
        let methods = self.outcomes.methods();
        let measured: Vec<_> =
            methods.into_iter().filter_map(|method| Some((method, total(method)?))).collect();
        let bars = |name: &str, cost: fn(&Effort) -> f64| Bars {
            name: name.to_owned(),
            lengths: measured
                .iter()
                .map(|(_, total)| 100.0 * cost(total) / cost(&baseline))
                .collect(),
        };
        let Condition { rules, extra_turns, order, .. } = condition;
        let chart = Chart {
            title: format!(
                "Leaves and processor time at depth {depth}, in percent of alpha-beta (F3)"
            ),
            subtitle: format!(
                "{rules}, extra turns {extra_turns}, order {order}; sums over {}; median of \
                 interleaved runs",
                ensembles(&[condition])
            ),
            x: Axis::linear("percent of alpha-beta (F3)"),
            marks: Marks::Bars(
                measured.iter().map(|(method, _)| method.to_string()).collect(),
                vec![
                    bars("leaves", |total| total.counts.leaves as f64),
                    bars("processor time", |total| total.time.as_secs_f64()),
                ],
            ),
            levels: vec![(100.0, "F3".to_owned())],
            ..Chart::default()
        };
        let caption = format!(
            "Leaves and time on {rules}. Time follows leaves, but not quite: algorithms differ in \
             the interior nodes they visit for a leaf."
        );
        Some(self.picture("time", chart, caption))
    }
}
