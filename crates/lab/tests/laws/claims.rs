//! Published figures that the lab reproduces, and figures of an earlier,
//! independent trial on Kalah.

use kalah_game::{Capture, Rules};
use kalah_lab::experiment::ensemble::Ensemble;
use kalah_lab::experiment::kalah::{ComparisonPlan, Measurements};
use kalah_lab::experiment::noe::{conditions, methods};
use kalah_lab::experiment::synthetic::{self, Shape, ShapeCounts};
use kalah_lab::uniform::Leaves;
use kalah_lab::{ChildOrder, ExtraTurns};

fn on_random_trees(width: u16, height: u16, trees: usize, names: &str) -> ShapeCounts {
    let shapes = [Shape { width, height, trees }];
    let mut outcomes = synthetic::run(&shapes, Leaves::Continuous, &methods(names), 1, 2, &|| ());
    outcomes.remove(0)
}

#[test]
fn pearls_ratio_is_measured_and_its_bound_fits_the_root() {
    let ratio = |width, height, trees| {
        on_random_trees(width, height, trees, "f3,scout").ratio(1, 0, |counts| counts.leaves)
    };
    let near = |value: f64, wanted: f64, tolerance: f64| {
        assert!((value - wanted).abs() <= tolerance, "{value} for {wanted} ± {tolerance}");
    };
    near(ratio(2, 1, 100_000).value, 1.25, 0.01);
    near(ratio(3, 1, 100_000).value, 1.278, 0.01);
    let deep = ratio(2, 20, 150);
    near(deep.value.powf(1.0 / 20.0), 1.036, 0.002);
    near(deep.value, 2.015, 0.1);
    near(ratio(10, 6, 60).value, 1.154, 0.06);
}

#[test]
fn negascout_gains_what_reinefeld_measured_on_trees_of_depth_three() {
    for (width, gain) in [(20, 8.0), (30, 12.0), (40, 14.0), (50, 15.0), (60, 16.5)] {
        let saved = on_random_trees(width, 3, 1_500, "f3,negascout-depth3").saved(1, 0);
        assert!((saved.value - gain).abs() <= 1.5, "width {width}: {saved:?}, {gain} expected");
    }
}

fn kalah(seeds: u32, count: usize, threads: usize) -> (ComparisonPlan, Measurements) {
    let rules = Rules::new(6, seeds, Capture::Standard).unwrap();
    let orders = [ChildOrder::Far, ChildOrder::Near, ChildOrder::Random, ChildOrder::Static];
    let ensemble = Ensemble::Positions(count);
    let plan = ComparisonPlan {
        conditions: conditions(&[rules], &[ExtraTurns::Compound], &orders, &ensemble, 1),
        depths: vec![5],
        methods: methods("f3,f1,scout"),
        timed_runs: 0,
    };
    let outcomes = plan.run(threads, &|| ());
    (plan, outcomes)
}

#[test]
fn savings_on_three_hundred_positions_match_the_trial() {
    // Percent of leaves saved by SCOUT at depth 5, far, near, random, static;
    // the trial's own standard errors are 1 to 3.
    let trial = [
        (4, [5.0, 9.0, 12.0, -11.0], [36.0, 44.0, 40.0, 24.0]),
        (6, [10.0, 0.0, 5.0, 3.0], [41.0, 38.0, 38.0, 36.0]),
    ];
    for (seeds, deep, shallow) in trial {
        let (plan, outcomes) = kalah(seeds, 300, 2);
        for (at, condition) in plan.conditions.iter().enumerate() {
            let find = |nth: usize| outcomes.find(condition, 5, plan.methods[nth]).unwrap();
            for (baseline, wanted) in [(0, deep[at]), (1, shallow[at])] {
                let saved = find(2).leaves_saved(find(baseline));
                let error = saved.error.hypot(2.0);
                assert!(
                    (saved.value - wanted).abs() <= 3.0 * error,
                    "(6,{seeds}) {} against {}: {saved:?}, {wanted} in the trial",
                    condition.order,
                    plan.methods[baseline]
                );
            }
        }
    }
}

#[test]
fn counts_do_not_depend_on_the_number_of_threads() {
    let groups = |threads| -> Vec<_> {
        kalah(4, 24, threads).1.0.into_iter().map(|outcome| outcome.groups).collect()
    };
    let alone = groups(1);
    assert_eq!(alone, groups(3));
    assert!(alone.iter().flatten().all(|effort| effort.wrong == 0));
}
