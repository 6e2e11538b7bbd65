//! The findings on bandits: the regret of each strategy, pull by pull.

use serde::Serialize;

use super::measured::{MeasuredFindings, estimate};
use super::verdicts::Verdicts;
use crate::experiment::bandits::{BanditPlan, Curve, STRATEGIES};
use crate::experiment::claim::Measure;
use crate::experiment::judge::Case;
use kalah_tables::statistics::Estimate;
use kalah_tables::{Axis, Cell, Chart, Findings, Marks, Section, Series, Table};

/// The findings of `plan`, whose curves are in the order of [`BanditPlan::run`].
pub fn bandits(plan: &BanditPlan, curves: &[Curve]) -> Findings {
    let mut pictures: Vec<Chart> = curves
        .chunks(STRATEGIES.len())
        .enumerate()
        .map(|(nth, curves)| picture(plan, nth, curves))
        .collect();
    let findings = MeasuredFindings {
        title: "Regret of bandit strategies, on coins and on Kalah's moves",
        summary: "A strategy chooses among arms by what they have paid so far. Its regret is its \
                  expected loss compared with always pulling the best arm. Kalah's arms are the \
                  sowings of a position, and a pull is a random game: 1 for a win, ½ for a draw.",
        headline: growths(curves),
        pictures: pictures.pop().into_iter().collect(),
        measured: vec![Section { pictures, ..Section::with_table("Arms", arms(plan)) }],
        rows: rows(plan, curves),
        answer: String::new(),
    };
    findings.judged(&verdicts(curves))
}

/// The claims about regret, with a case for each curve of one of their strategies.
fn verdicts(curves: &[Curve]) -> Verdicts {
    Verdicts::of(|claim| {
        let Measure::Bandit(figure) = claim.measure else { return Vec::new() };
        let names: Vec<String> =
            claim.pairs.iter().map(|pair| pair.own.method.to_string()).collect();
        let own = curves.iter().filter(|curve| names.contains(&curve.name()));
        let cases = own.map(|curve| Case {
            condition: format!("{}, {}", curve.name(), curve.bandit.name),
            figure: figure.of(curve),
            sampled: None,
        });
        cases.collect()
    })
}

/// A row for each bandit, a column for each strategy.
fn growths(curves: &[Curve]) -> Table {
    let caption = "Regret of the last half of the pulls divided by that of the quarter before it: \
                   2 is linear growth, 1 is logarithmic";
    let names = curves.iter().take(STRATEGIES.len()).map(Curve::name);
    let mut table = Table::new(caption, &["Arms"]).with_columns(names);
    for curves in curves.chunks(STRATEGIES.len()) {
        let arms = Cell::from(curves[0].bandit.name.as_str());
        let growths = curves.iter().map(|curve| estimate(curve.growth(), 2));
        table.push([arms].into_iter().chain(growths).collect());
    }
    table
}

fn arms(plan: &BanditPlan) -> Table {
    let arms = plan.bandits.iter().flat_map(|bandit| {
        (1u32..).zip(&bandit.means).map(move |(arm, mean)| (bandit, arm, *mean))
    });
    Table::from_items(
        "The mean reward of each arm, unknown to the strategies",
        arms,
        &[
            ("Arms", &|(bandit, ..)| bandit.name.as_str().into()),
            ("Arm", &|(_, arm, _)| (*arm).into()),
            ("Mean", &|(.., mean)| Cell::Number(*mean, 3)),
        ],
    )
    .grouped(1)
}

/// A point of a curve, for programs.
#[derive(Default, Serialize)]
struct RegretRecord<'a> {
    arms: &'a str,
    strategy: String,
    runs: usize,
    seed: u64,
    pulls: u64,
    regret: f64,
    standard_error: f64,
}

/// Every point of every curve.
fn rows(plan: &BanditPlan, curves: &[Curve]) -> Table {
    let points =
        curves.iter().flat_map(|curve| (0..curve.pulls.len()).map(move |nth| (curve, nth)));
    Table::from_records(points.map(|(curve, nth)| {
        let Estimate { value, error } = curve.regret(nth);
        RegretRecord {
            arms: &curve.bandit.name,
            strategy: curve.name(),
            runs: plan.runs,
            seed: plan.seed,
            pulls: curve.pulls[nth],
            regret: value,
            standard_error: error,
        }
    }))
}

fn picture(plan: &BanditPlan, nth: usize, curves: &[Curve]) -> Chart {
    let lines = curves.iter().map(|curve| {
        let points = curve.pulls.iter().enumerate().map(|(nth, &pulls)| {
            let Estimate { value, error } = curve.regret(nth);
            (pulls as f64, value, error)
        });
        Series { name: curve.name(), points: points.collect() }
    });
    let caption = "On a logarithmic axis, logarithmic growth is a straight line, and linear \
                   growth bends upwards. Bars are standard errors.";
    Chart {
        name: format!("regret-{}", nth + 1),
        title: "Regret by pulls".to_owned(),
        subtitle: format!(
            "{}; means of {} runs, seed {}",
            curves[0].bandit.name, plan.runs, plan.seed
        ),
        x: Axis::log("pulls"),
        y: Axis::linear("regret"),
        marks: Marks::Lines(lines.collect()),
        caption: caption.to_owned(),
        ..Chart::default()
    }
}
