//! The replay of Noe's comparison, as tables.

use super::noe_pictures::pictures;
use super::noe_verdicts::{claims, texts};
use super::{estimate, percent};
use crate::lab::experiment::kalah::{Condition, Outcome, Outcomes};
use crate::lab::experiment::noe::{DEEP, Experiment, Results, SHALLOW};
use crate::lab::{Algorithm, Method};
use crate::report::{Cell, Findings, Section, Table, verdicts};
use crate::sys::statistics::Estimate;

/// The findings of the replay.
pub(crate) fn noe(results: &Results) -> Findings {
    let comparison = results.of(Experiment::Comparison);
    let mut sections = vec![
        Section {
            text: "Leaves that SCOUT saves against alpha-beta, in percent of alpha-beta's. \
                   F2/F3 has deep cutoffs, F1 only shallow ones: one bound, from the parent."
                .to_owned(),
            pictures: pictures(comparison),
            ..Section::of("SCOUT against alpha-beta", headline(comparison))
        },
        Section::of("Verdicts", verdicts("Claims cited from Noe 1980", &claims(results))),
    ];
    let parts = [
        ("All algorithms at the greatest depth", Experiment::Comparison),
        ("With transposition table and iterative deepening", Experiment::Table),
        ("Boards of different widths", Experiment::Widths),
        ("Forms of NegaScout as printed", Experiment::Texts),
    ];
    for (heading, experiment) in parts {
        let outcomes = results.of(experiment);
        if !outcomes.0.is_empty() {
            sections.push(Section::of(heading, beside_alpha_beta(outcomes)));
        }
    }
    let texts = texts(results);
    if !texts.is_empty() {
        sections.push(Section::of("What published texts say", verdicts("", &texts)));
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
    let by_depth: Vec<String> = depths.iter().map(|depth| format!("d = {depth}")).collect();
    let mut headings = vec!["Board", "Extra turns", "Order", "Ensemble", "Baseline"];
    headings.extend(by_depth.iter().map(String::as_str));
    let caption = "Leaves saved by SCOUT, percent ± standard error, by depth d; \
                   cut at >=, repeats counted";
    let mut table = Table::new(caption, &headings);
    for condition in outcomes.conditions() {
        for (baseline, name) in [(DEEP, "F2/F3"), (SHALLOW, "F1")] {
            let saved = |&depth: &u16| {
                let scout = outcomes.find(&condition, depth, Algorithm::Scout.into())?;
                let baseline = outcomes.find(&condition, depth, baseline.into())?;
                Some(percent(scout.leaves_saved(baseline)))
            };
            let saved: Vec<Cell> = depths.iter().map(|depth| saved(depth).into()).collect();
            if saved.iter().any(|cell| *cell != Cell::Empty) {
                let mut row: Vec<Cell> = named(&condition).into();
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
    let mut shown = Vec::new();
    for condition in outcomes.conditions() {
        let of_condition = |outcome: &&Outcome| outcome.condition == condition;
        let depth = outcomes.0.iter().filter(of_condition).map(|outcome| outcome.depth).max();
        for method in outcomes.methods() {
            shown.extend(depth.and_then(|depth| outcomes.find(&condition, depth, method)));
        }
    }
    let baseline = |outcome: &Outcome| {
        let found = outcomes.find(&outcome.condition, outcome.depth, DEEP.into());
        found.filter(|_| outcome.method != Method::from(DEEP))
    };
    Table::of(
        "Sums over the ensemble; distinct leaves are different positions in one search; ordering \
         counts evaluations spent on it; savings are against F3 (F2 visits the same leaves); cut \
         at >=; processor time",
        shown,
        &[
            ("Board", &|outcome| outcome.condition.rules.to_string().into()),
            ("Extra turns", &|outcome| outcome.condition.extra_turns.name().into()),
            ("Order", &|outcome| outcome.condition.order.name().into()),
            ("Ensemble", &|outcome| outcome.condition.ensemble.to_string().into()),
            ("Depth", &|outcome| outcome.depth.into()),
            ("Algorithm", &|outcome| outcome.method.to_string().into()),
            ("Leaves", &|outcome| outcome.total().counts.leaves.into()),
            ("Distinct", &|outcome| outcome.total().distinct.into()),
            ("Interior", &|outcome| outcome.total().counts.interior.into()),
            ("Ordering", &|outcome| outcome.total().counts.ordering.into()),
            ("Re-searches", &|outcome| outcome.total().counts.researches.into()),
            ("Saved % (F3)", &|outcome| {
                baseline(outcome).map(|baseline| percent(outcome.leaves_saved(baseline))).into()
            }),
            ("Time saved % (F3)", &|outcome| {
                baseline(outcome).map(|baseline| percent(outcome.time_saved(baseline))).into()
            }),
        ],
    )
}

/// Every measurement with every condition.
fn rows(results: &Results) -> Table {
    let measured = Experiment::NAMED.into_iter().flat_map(|(name, experiment)| {
        let outcomes = results.of(experiment);
        outcomes.0.iter().map(move |outcome| Row { experiment: name, outcome, outcomes })
    });
    Table::of(
        "",
        measured,
        &[
            ("Experiment", &|row| row.experiment.into()),
            ("Pits", &|row| row.outcome.condition.rules.pits().into()),
            ("Seeds", &|row| row.outcome.condition.rules.seeds().into()),
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
                let time = row.outcome.total().time;
                if time.is_zero() { Cell::Empty } else { Cell::Number(time.as_secs_f64(), 3) }
            }),
            ("Leaves saved against F3 percent", &|row| row.saved(DEEP, Outcome::leaves_saved)),
            ("Leaves saved against F1 percent", &|row| row.saved(SHALLOW, Outcome::leaves_saved)),
            ("Time saved against F3 percent", &|row| row.saved(DEEP, Outcome::time_saved)),
        ],
    )
}

struct Row<'a> {
    experiment: &'static str,
    outcome: &'a Outcome,
    outcomes: &'a Outcomes,
}

impl Row<'_> {
    fn saved(&self, baseline: Algorithm, measure: fn(&Outcome, &Outcome) -> Estimate) -> Cell {
        let Outcome { condition, depth, .. } = self.outcome;
        let baseline = self.outcomes.find(condition, *depth, baseline.into());
        let saved = baseline.map(|baseline| measure(self.outcome, baseline));
        saved.map(|saved| estimate(saved, 2)).into()
    }
}
