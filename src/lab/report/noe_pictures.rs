//! The replay of Noe's comparison, as pictures.

use crate::game::Rules;
use crate::lab::experiment::ensemble::Ensemble;
use crate::lab::experiment::kalah::{Condition, Outcomes};
use crate::lab::experiment::noe::{DEEP, SHALLOW};
use crate::lab::{Algorithm, ExtraTurns};
use crate::report::Picture;
use crate::report::{Axis, BarChart, Bars, LineChart, Series};

/// All pictures that `outcomes` have the data for.
pub fn pictures(outcomes: &Outcomes) -> Vec<Picture> {
    let mut pictures = Vec::new();
    for rules in boards(outcomes) {
        for (baseline, name, file) in [
            (DEEP, "alpha-beta with deep cutoffs (F2/F3)", "f3"),
            (SHALLOW, "alpha-beta without deep cutoffs (F1)", "f1"),
        ] {
            pictures.extend(saving(outcomes, rules, baseline, name, file));
        }
        pictures.extend(leaves(outcomes, rules));
        pictures.extend(time(outcomes, rules));
    }
    pictures
}

fn boards(outcomes: &Outcomes) -> Vec<Rules> {
    let mut boards: Vec<Rules> = Vec::new();
    for condition in outcomes.conditions() {
        if !boards.contains(&condition.rules) {
            boards.push(condition.rules);
        }
    }
    boards
}

fn file_name(what: &str, rules: Rules) -> String {
    format!("{what}-{}-{}", rules.pits(), rules.seeds())
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

fn on_board(outcomes: &Outcomes, rules: Rules) -> Vec<Condition> {
    outcomes.conditions().into_iter().filter(|condition| condition.rules == rules).collect()
}

fn ensemble_of(conditions: &[Condition]) -> String {
    let seed = conditions.first().map_or(0, |condition| condition.seed);
    let mut names: Vec<String> =
        conditions.iter().map(|condition| condition.ensemble.to_string()).collect();
    names.dedup();
    format!("{}, seed {seed}", names.join(" and "))
}

/// Percent of leaves saved by SCOUT by depth, a line for each condition.
fn saving(
    outcomes: &Outcomes,
    rules: Rules,
    baseline: Algorithm,
    baseline_name: &str,
    file: &str,
) -> Option<Picture> {
    let conditions = on_board(outcomes, rules);
    let line = |condition: &Condition| {
        let points = outcomes.depths().into_iter().filter_map(|depth| {
            let scout = outcomes.find(condition, depth, Algorithm::Scout.into())?;
            let baseline = outcomes.find(condition, depth, baseline.into())?;
            let saved = scout.leaves_saved(baseline);
            Some(((f64::from(depth), saved.value), saved.error))
        });
        let (points, errors): (Vec<_>, Vec<_>) = points.unzip();
        (points.len() > 1).then(|| Series { name: series_name(condition), points, errors })
    };
    // Seven lines can be told apart.
    let series: Vec<Series> = conditions.iter().filter_map(line).take(7).collect();
    if series.is_empty() {
        return None;
    }
    let svg = LineChart {
        title: format!("Leaves saved by SCOUT against {baseline_name}"),
        subtitle: format!(
            "{rules}, a turn is one move unless said otherwise; {}; cut at >=, repeats counted",
            ensemble_of(&conditions)
        ),
        x: Axis::whole("depth, moves"),
        y: Axis::linear("leaves saved, %"),
        series,
        levels: vec![(0.0, String::new()), (40.0, "40 %, the figure cited from Noe".to_owned())],
    }
    .to_svg();
    Some(Picture {
        name: file_name(&format!("saving-{file}"), rules),
        svg,
        caption: format!(
            "SCOUT's saving on {rules} by depth, a line for each order of moves (and way to count \
             extra turns). Below 0 SCOUT costs more. Bars are standard errors."
        ),
    })
}

/// The condition whose algorithms are drawn: the first of the board in which
/// the most of them were measured.
fn main_condition(outcomes: &Outcomes, rules: Rules) -> Option<Condition> {
    let measured = |condition: &Condition| {
        outcomes.0.iter().filter(|outcome| outcome.condition == *condition).count()
    };
    let conditions = on_board(outcomes, rules);
    let most = conditions.iter().map(measured).max()?;
    conditions.into_iter().find(|condition| measured(condition) == most)
}

/// Leaves against depth on a logarithmic axis, a line for each algorithm.
fn leaves(outcomes: &Outcomes, rules: Rules) -> Option<Picture> {
    let condition = main_condition(outcomes, rules)?;
    let line = |method| {
        let points = outcomes.depths().into_iter().filter_map(|depth| {
            let total = outcomes.find(&condition, depth, method)?.total();
            Some((f64::from(depth), total.counts.leaves as f64 / total.positions as f64))
        });
        let points: Vec<_> = points.collect();
        (points.len() > 1).then(|| Series { name: method.to_string(), points, errors: Vec::new() })
    };
    let series: Vec<Series> = outcomes.methods().into_iter().filter_map(line).take(7).collect();
    if series.is_empty() {
        return None;
    }
    let Condition { extra_turns, order, .. } = condition;
    let svg = LineChart {
        title: "Leaves of each algorithm by depth".to_owned(),
        subtitle: format!(
            "{rules}, extra turns {extra_turns}, order {order}; mean of {}; cut at >=, repeats counted",
            ensemble_of(&[condition])
        ),
        x: Axis::whole("depth, moves"),
        y: Axis::log("leaves a position (logarithmic)"),
        series,
        levels: Vec::new(),
    }
    .to_svg();
    Some(Picture {
        name: file_name("leaves", rules),
        svg,
        caption: format!("Leaves a position on {rules}; a step upwards is a factor of ten."),
    })
}

/// Leaves and time beside each other at the greatest depth, in percent of F3.
fn time(outcomes: &Outcomes, rules: Rules) -> Option<Picture> {
    let condition = main_condition(outcomes, rules)?;
    let of_condition = outcomes.0.iter().filter(|outcome| outcome.condition == condition);
    let depth = of_condition.map(|outcome| outcome.depth).max()?;
    let baseline = outcomes.find(&condition, depth, DEEP.into())?.total();
    if baseline.time.is_zero() {
        return None;
    }
    let methods = outcomes.methods();
    let measured: Vec<_> = methods
        .iter()
        .filter_map(|&method| Some((method, outcomes.find(&condition, depth, method)?.total())))
        .collect();
    let percent = |part: f64, whole: f64| 100.0 * part / whole;
    let leaves = measured
        .iter()
        .map(|(_, total)| percent(total.counts.leaves as f64, baseline.counts.leaves as f64));
    let time = measured
        .iter()
        .map(|(_, total)| percent(total.time.as_secs_f64(), baseline.time.as_secs_f64()));
    let Condition { extra_turns, order, .. } = condition;
    let svg = BarChart {
        title: format!("Leaves and processor time at depth {depth}, in percent of alpha-beta (F3)"),
        subtitle: format!(
            "{rules}, extra turns {extra_turns}, order {order}; sums over {}; median of interleaved runs",
            ensemble_of(&[condition])
        ),
        axis: Axis::linear("percent of alpha-beta (F3)"),
        groups: measured.iter().map(|(method, _)| method.to_string()).collect(),
        bars: vec![
            Bars { name: "leaves".to_owned(), lengths: leaves.collect() },
            Bars { name: "processor time".to_owned(), lengths: time.collect() },
        ],
        levels: vec![(100.0, "F3".to_owned())],
    }
    .to_svg();
    Some(Picture {
        name: file_name("time", rules),
        svg,
        caption: format!(
            "Leaves and time on {rules}. Time follows leaves, but not quite: algorithms differ in \
             the interior nodes they visit for a leaf."
        ),
    })
}
