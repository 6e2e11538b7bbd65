//! The findings on bandits: the regret of each strategy, pull by pull.

use super::page::{Page, estimate};
use super::verdicts::Verdicts;
use crate::lab::Strategy::{EpsilonDecreasing, EpsilonGreedy, Ucb};
use crate::lab::experiment::bandits::{Curve, Plan, STRATEGIES};
use crate::lab::experiment::claim::Case;
use crate::lab::{Policy, Strategy};
use crate::report::{Axis, Cell, Chart, Findings, Marks, Section, Series, Table};
use crate::sys::statistics::Estimate;

/// The findings of `plan`, whose curves are in the order of [`Plan::run`].
pub(crate) fn bandits(plan: &Plan, curves: &[Curve]) -> Findings {
    let mut pictures: Vec<Chart> = curves
        .chunks(STRATEGIES.len())
        .enumerate()
        .map(|(nth, curves)| picture(plan, nth, curves))
        .collect();
    let page = Page {
        title: "Regret of bandit strategies, on coins and on Kalah's moves",
        summary: "A strategy chooses among arms by what they paid so far. Its regret is what the \
                  best arm would have paid more, in expectation. Kalah's arms are the sowings of a \
                  position, and a pull is a random game: 1 for a win, ½ for a draw.",
        headline: growths(curves),
        picture: pictures.pop(),
        measured: vec![
            Section { pictures, ..Section::of("Regret", regrets(curves)) },
            Section::of("Arms", arms(plan)),
        ],
        rows: rows(plan, curves),
    };
    page.with(&verdicts(curves))
}

fn verdicts(curves: &[Curve]) -> Verdicts {
    let ucb1 = Ucb(Policy::Ucb1);
    let optimists = [ucb1, Ucb(Policy::Ucb1Tuned)];
    Verdicts::of(vec![
        ("epsilon-linear", cases(curves, &[EpsilonGreedy], Curve::growth)),
        ("epsilon-decreasing", cases(curves, &[EpsilonDecreasing], Curve::fall)),
        ("ucb-zero-regret", cases(curves, &optimists, Curve::fall)),
        ("ucb1-logarithmic", cases(curves, &[ucb1], Curve::growth)),
        ("ucb1-bound", cases(curves, &[ucb1], Curve::share_of_bound)),
    ])
}

fn cases(
    curves: &[Curve],
    strategies: &[Strategy],
    figure: impl Fn(&Curve) -> Estimate,
) -> Vec<Case> {
    let own = curves.iter().filter(|curve| strategies.contains(&curve.strategy));
    own.map(|curve| Case {
        condition: format!("{}, {}", curve.name(), curve.bandit.name),
        figure: figure(curve),
    })
    .collect()
}

/// A row for each bandit, a column for each strategy.
fn growths(curves: &[Curve]) -> Table {
    let caption = "Regret of the last half of the pulls over that of the quarter before: 2 is \
                   linear growth, 1 logarithmic";
    let names = curves.iter().take(STRATEGIES.len()).map(Curve::name);
    let mut table = Table::new(caption, &["Arms"]).with_columns(names);
    for curves in curves.chunks(STRATEGIES.len()) {
        let arms = Cell::from(curves[0].bandit.name.as_str());
        let growths = curves.iter().map(|curve| estimate(curve.growth(), 2));
        table.push([arms].into_iter().chain(growths).collect());
    }
    table
}

fn regrets(curves: &[Curve]) -> Table {
    Table::of(
        "Regret after half of the pulls and after all, in rewards of 1",
        curves,
        &[
            ("Arms", &|curve| curve.bandit.name.as_str().into()),
            ("Strategy", &|curve| curve.name().into()),
            ("Half", &|curve| estimate(curve.regret(curve.pulls.len() - 2), 1)),
            ("All", &|curve| estimate(curve.regret(curve.pulls.len() - 1), 1)),
            ("A pull, all over half", &|curve| estimate(curve.fall(), 2)),
            ("Over UCB1's bound", &|curve| estimate(curve.share_of_bound(), 3)),
        ],
    )
    .grouped(1)
}

fn arms(plan: &Plan) -> Table {
    let arms = plan.bandits.iter().flat_map(|bandit| {
        (1u32..).zip(&bandit.means).map(move |(arm, mean)| (bandit, arm, *mean))
    });
    Table::of(
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

/// Every point of every curve, for programs.
fn rows(plan: &Plan, curves: &[Curve]) -> Table {
    let points =
        curves.iter().flat_map(|curve| (0..curve.pulls.len()).map(move |nth| (curve, nth)));
    Table::of(
        "",
        points,
        &[
            ("Arms", &|(curve, _)| curve.bandit.name.as_str().into()),
            ("Strategy", &|(curve, _)| curve.name().into()),
            ("Runs", &|_| plan.runs.into()),
            ("Seed", &|_| plan.seed.into()),
            ("Pulls", &|(curve, nth)| curve.pulls[*nth].into()),
            ("Regret", &|(curve, nth)| Cell::Number(curve.regret(*nth).value, 3)),
            ("Standard error", &|(curve, nth)| Cell::Number(curve.regret(*nth).error, 3)),
        ],
    )
}

fn picture(plan: &Plan, nth: usize, curves: &[Curve]) -> Chart {
    let lines = curves.iter().map(|curve| {
        let points = curve.pulls.iter().enumerate().map(|(nth, &pulls)| {
            let Estimate { value, error } = curve.regret(nth);
            (pulls as f64, value, error)
        });
        Series { name: curve.name(), points: points.collect() }
    });
    let caption = "Over a logarithmic axis, logarithmic growth is a straight line, and linear \
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
