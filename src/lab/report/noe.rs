//! The replay of Noe's comparison, as tables.

use super::noe_pictures::pictures;
use super::noe_verdicts::{claims, texts};
use super::percent;
use crate::lab::experiment::kalah::{Condition, Outcome, Outcomes};
use crate::lab::experiment::noe::{DEEP, Results, SHALLOW};
use crate::lab::{Algorithm, Method};
use crate::report::verdicts;
use crate::report::{Cell, Table};
use crate::report::{Findings, Section};

/// The findings of the replay.
pub fn noe(results: &Results) -> Findings {
    let mut sections = vec![
        Section {
            heading: "SCOUT against alpha-beta".to_owned(),
            text: "Leaves that SCOUT saves against alpha-beta, in percent of alpha-beta's. \
                   F2/F3 has deep cutoffs, F1 only shallow ones: one bound, from the parent."
                .to_owned(),
            tables: vec![headline(&results.comparison)],
            pictures: pictures(&results.comparison),
        },
        Section {
            heading: "Verdicts".to_owned(),
            tables: vec![verdicts("Claims cited from Noe 1980", &claims(results))],
            ..Section::default()
        },
    ];
    let parts = [
        ("All algorithms at the greatest depth", &results.comparison),
        ("With memory and iterative deepening", &results.memory),
        ("Boards of different widths", &results.widths),
        ("Forms of NegaScout as printed", &results.texts),
    ];
    for (heading, outcomes) in parts {
        if !outcomes.0.is_empty() {
            sections.push(Section {
                heading: heading.to_owned(),
                tables: vec![beside_alpha_beta(outcomes)],
                ..Section::default()
            });
        }
    }
    let mistakes = texts(results);
    if !mistakes.is_empty() {
        sections.push(Section {
            heading: "What published texts say".to_owned(),
            tables: vec![verdicts("", &mistakes)],
            ..Section::default()
        });
    }
    Findings {
        title: "SCOUT and alpha-beta on Kalah: Noe's comparison of 1980, replayed".to_owned(),
        summary: "Evaluation: difference of the stores; final margin where the game is over. \
                  All algorithms cut at >=. Leaves count each visit. Errors are standard errors \
                  of the bootstrap over positions (or games)."
            .to_owned(),
        sections,
        rows: rows(results),
    }
}

/// SCOUT's savings, depth by depth, against both baselines.
fn headline(outcomes: &Outcomes) -> Table {
    let depths = outcomes.depths();
    let mut headings: Vec<String> =
        ["Board", "Extra turns", "Order", "Ensemble", "Baseline"].map(str::to_owned).to_vec();
    headings.extend(depths.iter().map(|depth| format!("d = {depth}")));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let caption = "Leaves saved by SCOUT, percent ± standard error, by depth d; \
                   cut at >=, repeats counted";
    let mut table = Table::new(caption, &headings);
    for condition in outcomes.conditions() {
        for (baseline, name) in [(DEEP, "F2/F3"), (SHALLOW, "F1")] {
            let saved = depths.iter().map(|&depth| {
                let find =
                    |algorithm: Algorithm| outcomes.find(&condition, depth, algorithm.into());
                match (find(Algorithm::Scout), find(baseline)) {
                    (Some(scout), Some(baseline)) => percent(scout.leaves_saved(baseline)),
                    _ => Cell::Empty,
                }
            });
            let saved: Vec<Cell> = saved.collect();
            if saved.iter().any(|cell| *cell != Cell::Empty) {
                let mut row = named(&condition).to_vec();
                row.push(name.into());
                row.extend(saved);
                table.push(row);
            }
        }
    }
    table
}

fn named(condition: &Condition) -> [Cell; 4] {
    [
        condition.rules.to_string().into(),
        condition.extra_turns.name().into(),
        condition.order.name().into(),
        condition.ensemble.to_string().into(),
    ]
}

/// Each algorithm's leaves and time at the greatest depth of its condition.
fn beside_alpha_beta(outcomes: &Outcomes) -> Table {
    let headings = [
        "Board",
        "Extra turns",
        "Order",
        "Ensemble",
        "Depth",
        "Algorithm",
        "Leaves",
        "Distinct",
        "Interior",
        "Ordering",
        "Re-searches",
        "Saved % (F3)",
        "Time saved % (F3)",
    ];
    let mut table = Table::new(
        "Sums over the ensemble; distinct leaves are different positions in one search; ordering \
         counts evaluations spent on it; savings are against F3 (F2 visits the same leaves); cut \
         at >=; processor time",
        &headings,
    );
    for condition in outcomes.conditions() {
        let of_condition = |outcome: &&Outcome| outcome.condition == condition;
        let depth = outcomes.0.iter().filter(of_condition).map(|outcome| outcome.depth).max();
        for method in outcomes.methods() {
            let found = depth.and_then(|depth| outcomes.find(&condition, depth, method));
            let Some(outcome) = found else { continue };
            let total = outcome.total();
            let baseline = outcomes.find(&condition, outcome.depth, DEEP.into());
            let baseline = baseline.filter(|_| method != Method::from(DEEP));
            let timed = baseline.filter(|_| !total.time.is_zero());
            let mut row = named(&condition).to_vec();
            row.extend([
                outcome.depth.into(),
                method.to_string().into(),
                total.counts.leaves.into(),
                total.distinct.into(),
                total.counts.interior.into(),
                total.counts.ordering.into(),
                total.counts.researches.into(),
                baseline.map_or(Cell::Empty, |baseline| percent(outcome.leaves_saved(baseline))),
                timed.map_or(Cell::Empty, |baseline| percent(outcome.time_saved(baseline))),
            ]);
            table.push(row);
        }
    }
    table
}

/// Every measurement with every condition.
fn rows(results: &Results) -> Table {
    let headings = [
        "Experiment",
        "Pits",
        "Seeds",
        "Capture",
        "Extra turns",
        "Order",
        "Ensemble",
        "Seed",
        "Positions",
        "Depth",
        "Algorithm",
        "Cut",
        "Evaluation",
        "Leaves",
        "Distinct leaves",
        "Interior",
        "Ordering evaluations",
        "Re-searches",
        "Passes",
        "Wrong values",
        "Processor seconds",
        "Leaves saved against F3 percent",
        "Leaves saved against F1 percent",
        "Time saved against F3 percent",
    ];
    let mut table = Table::new("", &headings);
    let experiments = [
        ("comparison", &results.comparison),
        ("memory", &results.memory),
        ("widths", &results.widths),
        ("texts", &results.texts),
        ("depth rule", &results.depth_rule),
    ];
    for (experiment, outcomes) in experiments {
        for outcome in &outcomes.0 {
            table.push(row(experiment, outcome, outcomes));
        }
    }
    table
}

fn row(experiment: &str, outcome: &Outcome, outcomes: &Outcomes) -> Vec<Cell> {
    let Outcome { condition, depth, method, .. } = outcome;
    let total = outcome.total();
    let against = |algorithm: Algorithm| outcomes.find(condition, *depth, algorithm.into());
    let saved = |baseline: Option<&Outcome>| {
        baseline.map_or(Cell::Empty, |baseline| {
            let saved = outcome.leaves_saved(baseline);
            Cell::Estimate(saved.value, saved.error, 2)
        })
    };
    let timed = !total.time.is_zero();
    let time_saved = against(DEEP).filter(|_| timed).map(|baseline| {
        let saved = outcome.time_saved(baseline);
        Cell::Estimate(saved.value, saved.error, 2)
    });
    vec![
        experiment.into(),
        condition.rules.pits().into(),
        condition.rules.seeds().into(),
        condition.rules.capture().name().into(),
        condition.extra_turns.name().into(),
        condition.order.name().into(),
        condition.ensemble.name().into(),
        condition.seed.into(),
        total.positions.into(),
        (*depth).into(),
        method.to_string().into(),
        ">=".into(),
        "difference of the stores".into(),
        total.counts.leaves.into(),
        total.distinct.into(),
        total.counts.interior.into(),
        total.counts.ordering.into(),
        total.counts.researches.into(),
        total.counts.passes.into(),
        total.wrong.into(),
        if timed { Cell::Number(total.time.as_secs_f64(), 3) } else { Cell::Empty },
        saved(against(DEEP)),
        saved(against(SHALLOW)),
        time_saved.unwrap_or(Cell::Empty),
    ]
}
