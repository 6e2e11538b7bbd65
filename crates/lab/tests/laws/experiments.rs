//! The experiments: the same results with any number of threads, and the rule that judges what
//! they measure.

use std::sync::atomic::{AtomicUsize, Ordering};

use kalah_game::{Position, Rules};
use kalah_lab::experiment::bandits::{Bandit, BanditPlan, Curve};
use kalah_lab::experiment::claim::{Claim, Comparison, RECORDS, Records};
use kalah_lab::experiment::condition::{
    Condition, KalahTrees, MinimalTree, Trees, TreesPerShape, expected_leaves,
};
use kalah_lab::experiment::ensemble::Ensemble;
use kalah_lab::experiment::judge::{Evidence, Figure, Rule, Verdict, judge};
use kalah_lab::experiment::matches::MatchPlan;
use kalah_lab::experiment::measure::ComparisonPlan;
use kalah_lab::experiment::plan::{Plan, methods};
use kalah_lab::experiment::probe::ratio_one_high;
use kalah_lab::uniform::Leaves;
use kalah_lab::{Algorithm, ChildOrder, ExtraTurns, KalahTree, Method};
use kalah_tables::statistics::Estimate;

use crate::dynamic;

fn rule(text: &str) -> Rule {
    text.parse().unwrap()
}

fn judged(text: &str, figure: Figure) -> Verdict {
    judge(&[(&rule(text), figure)], 1)[0]
}

fn of_many(value: f64, error: f64) -> Figure {
    Figure::sample(value, error, 300)
}

#[test]
fn a_single_figure_decides_beyond_two_standard_errors() {
    assert_eq!(judged("above 40", of_many(46.0, 2.0)), Verdict::Holds);
    assert_eq!(judged("above 40", of_many(41.0, 2.0)), Verdict::Open);
    assert_eq!(judged("above 40", of_many(10.0, 3.0)), Verdict::Fails);
}

#[test]
fn small_samples_follow_students_t() {
    // Two and a half standard errors decide with 300 positions, not with 5.
    assert_eq!(judged("above 40", Figure::sample(45.0, 2.0, 300)), Verdict::Holds);
    assert_eq!(judged("above 40", Figure::sample(45.0, 2.0, 5)), Verdict::Open);
}

#[test]
fn none_of_a_sample_is_not_certain() {
    assert_eq!(judged("exactly 0", Figure::share(0, 300)), Verdict::NoneFound);
    assert_eq!(judged("exactly 0", Figure::share(1, 300)), Verdict::Fails);
    assert_eq!(judged("above 0", Figure::share(1, 300)), Verdict::Holds);
    assert_eq!(judged("above 0", Figure::share(0, 300)), Verdict::Open);
    assert_eq!(judged("below 25", Figure::share(0, 300)), Verdict::Holds);
    assert_eq!(judged("below 25", Figure::share(0, 5)), Verdict::Open);
    let max = |value| Figure { evidence: Evidence::Max(300), ..Figure::exact(value) };
    assert_eq!(judged("at most 0", max(0.0)), Verdict::NoneFound);
    assert_eq!(judged("at most 0", max(1.0)), Verdict::Fails);
    assert_eq!(judged("above 1", max(2.0)), Verdict::Holds);
    assert_eq!(judged("above 1", max(1.0)), Verdict::Open);
}

#[test]
fn a_time_decides_only_if_no_round_and_no_other_run_can_turn_it() {
    let timed = |low, high| Figure {
        value: 50.0,
        error: 1.0,
        evidence: Evidence::Times { low, high },
        median: None,
    };
    assert_eq!(judged("above 40", timed(46.0, 55.0)), Verdict::Holds);
    assert_eq!(judged("above 40", timed(41.0, 55.0)), Verdict::Open, "another run differs");
    assert_eq!(judged("above 60", timed(46.0, 55.0)), Verdict::Fails);
    assert_eq!(judged("48 to 52", timed(46.0, 55.0)), Verdict::Open, "wider than the range");
    // Times do not make counts harder to decide.
    let above = rule("above 50");
    let times = (&above, timed(49.0, 51.0));
    let figures = [(&above, of_many(39.0, 5.0)), times, times, times];
    assert_eq!(judge(&figures, 1)[0], Verdict::Fails);
}

#[test]
fn an_exact_figure_is_always_decided_and_ends_belong_to_a_range() {
    let exact = |text, value| judged(text, Figure::exact(value));
    assert_eq!(exact("above 40", 40.0), Verdict::Fails);
    assert_eq!(exact("at least 40", 40.0), Verdict::Holds);
    assert_eq!(exact("below 1", 1.0), Verdict::Fails);
    assert_eq!(exact("at most 1.275", 23.0 / 18.0), Verdict::Fails);
    assert_eq!(exact("exactly 0", 0.0), Verdict::Holds);
    for (value, verdict) in [
        (9.9, Verdict::Fails),
        (10.0, Verdict::Holds),
        (20.0, Verdict::Holds),
        (20.1, Verdict::Fails),
    ] {
        assert_eq!(exact("10 to 20", value), verdict, "{value}");
    }
    assert_eq!(exact("above 0", f64::NAN), Verdict::Open);
}

#[test]
fn the_more_figures_are_judged_the_clearer_each_has_to_be() {
    // 2.2 standard errors decide a figure alone, but not one of five.
    let above = rule("above 50");
    let figure = |value| (&above, of_many(value, 5.0));
    assert_eq!(judge(&[figure(39.0)], 1), [Verdict::Fails]);
    let five = [39.0, 50.0, 51.0, 49.0, 90.0].map(figure);
    let verdicts = judge(&five, 1);
    assert_eq!(verdicts[..4], [Verdict::Open; 4]);
    assert_eq!(verdicts[4], Verdict::Holds);
    // Exact figures do not make the others harder to decide.
    let exact = (&above, Figure::exact(60.0));
    assert_eq!(judge(&[figure(39.0), exact, exact, exact], 1)[0], Verdict::Fails);
    // A sample that grows while a claim is open has several chances to err.
    assert_eq!(judge(&[figure(39.0)], 3), [Verdict::Open]);
}

#[test]
fn holms_second_step_decides_what_bonferroni_leaves_open() {
    // Of two figures, the clearest has to be significant at 2.5 %, as Bonferroni asks of both, but
    // the other only at 5 %: 2.1 standard errors have a chance of 3.6 %.
    let above = rule("above 50");
    let both = [(&above, of_many(90.0, 5.0)), (&above, of_many(60.5, 5.0))];
    assert_eq!(judge(&both, 1), [Verdict::Holds, Verdict::Holds]);
    let without = [(&above, of_many(60.5, 5.0)), (&above, of_many(60.5, 5.0))];
    assert_eq!(judge(&without, 1), [Verdict::Open, Verdict::Open]);
}

#[test]
fn a_figure_is_compared_with_the_nearer_end_of_a_range() {
    use Verdict::{Fails, Holds, Open};
    for (value, verdict) in [
        (36.0, Fails),
        (39.5, Open),
        (40.5, Open),
        (44.0, Holds),
        (56.0, Holds),
        (59.5, Open),
        (64.0, Fails),
    ] {
        assert_eq!(judged("40 to 60", of_many(value, 1.0)), verdict, "{value}");
        let share = Figure::share((100.0 * value) as u64, 10_000);
        assert_eq!(judged("40 to 60", share), verdict, "{share:?}");
    }
    // Times: what two runs differ by, and twice the error.
    let times = |error| {
        let evidence = Evidence::Times { low: 45.0, high: 55.0 };
        Figure { value: 50.0, error, evidence, median: None }.bounds()
    };
    assert_eq!(times(0.0), (43.0, 57.0));
    assert_eq!(times(0.75), (42.5, 57.5));
}

/// Counts how often work is reported as done.
fn reported(pieces: usize, run: impl FnOnce(&(dyn Fn() + Sync))) {
    let done = AtomicUsize::new(0);
    run(&|| {
        done.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(done.into_inner(), pieces);
}

#[test]
fn each_search_is_reported_once() {
    let rules = Rules::new(3, 2, Default::default()).unwrap();
    let ensemble = Ensemble::Positions(3);
    let trees = Trees::Kalah(KalahTrees { rules, ensemble, ..KalahTrees::default() });
    let count = TreesPerShape::Fixed(70);
    let uniform = Trees::Uniform { width: 2, leaves: Leaves::Continuous, count };
    let conditions = [trees, uniform].map(|trees| Condition { trees, seed: 1 });
    let plan = ComparisonPlan {
        conditions: conditions.into(),
        depths: vec![1, 2],
        methods: methods("f3,scout").unwrap(),
        timed_runs: 2,
    };
    // Three positions and 70 trees, at two depths, counted once and timed twice.
    assert_eq!(plan.pieces(), (3 + 70) * 2 * 3);
    reported(plan.pieces(), |done| {
        let searched = plan.run(2, done);
        assert!(searched.0.iter().all(|own| own.rounds.len() == 2));
    });
}

#[test]
#[ignore = "slow: .ci/run"]
fn each_pair_of_games_and_each_run_of_a_strategy_is_reported_once() {
    for comparison in [Comparison::Minimal, Comparison::Games, Comparison::Bandits] {
        let plan = Plan::of(comparison, 1, None);
        assert!(plan.pieces() > 100, "{comparison}: {}", plan.pieces());
        reported(plan.pieces(), |done| drop(plan.run(2, done)));
    }
}

fn played(plan: &MatchPlan, rivals: [Method; 2], threads: usize) -> Vec<f64> {
    plan.run(&[rivals], threads, &|| ()).remove(0)
}

#[test]
fn matches_are_the_same_with_any_number_of_threads_and_every_rival_finishes_its_games() {
    let rules = Rules::new(4, 3, Default::default()).unwrap();
    let plan = MatchPlan { rules, leaves: 300, pairs: 2, seed: 1 };
    for (_, rival, _) in Algorithm::NAMED {
        let rivals = [rival, Algorithm::F3].map(Method::from);
        let points = played(&plan, rivals, 1);
        assert_eq!(points, played(&plan, rivals, 2), "{rival}");
        assert!(points.len() == 2 && points.iter().all(|share| share % 25.0 == 0.0), "{points:?}");
    }
    // Two searches that are the same win as much as they lose.
    assert_eq!(played(&plan, [Algorithm::F3; 2].map(Method::from), 1), [50.0, 50.0]);
}

/// A rival plays the best move that its search finds, so minimax, which searches less deeply
/// with the same number of leaves, loses to alpha-beta.
#[test]
fn a_search_that_cuts_nothing_loses_with_the_same_leaves() {
    let plan = MatchPlan { rules: Rules::default(), leaves: 2000, pairs: 10, seed: 1 };
    let points = played(&plan, [Algorithm::Minimax, Algorithm::F3].map(Method::from), 2);
    assert!(points.iter().sum::<f64>() / 10.0 < 40.0, "{points:?}");
}

#[test]
fn every_record_is_complete_and_names_its_source() {
    let mut ids: Vec<&str> = RECORDS.claims.iter().map(|claim| claim.id).collect();
    assert!(ids.len() > 120, "{} claims", ids.len());
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), RECORDS.claims.len(), "a name belongs to one claim");
    for Claim { id, source, words, .. } in &RECORDS.claims {
        let sources = ["Hsu, ", "Yu, ", "Wikipedia, "];
        assert!(source.is_empty() || sources.iter().any(|own| source.starts_with(own)), "{id}");
        assert!(!source.is_empty() || words.ends_with('?'), "a question: {id}");
    }
}

#[test]
fn a_record_that_cannot_be_tested_is_refused_with_its_line() {
    const SET: &str = "[set here]\nheading = Here\nrun = noe\nboards = 6x4\nturns = compound\n\
                       orders = far\npositions = 3\ndepths = 2\nmethods = f3 scout\n";
    const CLAIM: &str = "[question one]\nshort = One\nwords = Is it?\nfigure = leaves\n\
                         measure = leaves saved\npairs = scout/f3\nsets = here\nrule = above 0\n";
    let read = |text: String| Records::parse(text.leak());
    assert_eq!(read(format!("{SET}{CLAIM}")).unwrap().claims.len(), 1);
    for (from, to, words) in [
        ("sets = here", "sets = there", "line 10: [question one]: unknown set 'there'"),
        ("scout/f3", "pvs/f3", "none of its sets runs pvs"),
        ("scout/f3", "scuot/f3", "scuot"),
        ("leaves saved", "leaves eaten", "unknown measure 'leaves eaten'"),
        ("above 0", "over 0", "expected a range"),
        ("rule = ", "rules = ", "unknown field 'rules'"),
        ("figure = leaves\n", "", "expected a field 'figure'"),
        ("[question one]", "[claim one]", "a claim has a source"),
        ("6x4", "6by4", "expected a board such as 6x4"),
        ("scout/f3", "scout", "expected a baseline of scout for 'leaves saved'"),
        ("pairs = scout/f3\n", "", "expected algorithms for 'leaves saved'"),
        ("sets = here", "run = games", "expected sets for 'leaves saved'"),
        ("leaves saved", "points", "expected a run for 'points'"),
        (
            "leaves saved\npairs = scout/f3\nsets = here",
            "points\npairs = scout\nrun = games",
            "expected a baseline of scout for 'points'",
        ),
    ] {
        let text = format!("{SET}{CLAIM}").replace(from, to);
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// The smallest and the largest number of a cell such as `-131 to +12 %` or `+4 ± 1 %`, and how
/// much rounding may have moved them.
fn ends(cell: &str) -> Option<(f64, f64, f64)> {
    let figures = cell.split([' ', '±', '(']).next()?;
    let decimals = figures.split_once('.').map_or(0, |(_, digits)| digits.len());
    let low = figures.parse().ok()?;
    let high = match cell.split_once(" to ") {
        Some((_, high)) if !cell.contains('(') => high.trim_end_matches(" %").parse().ok()?,
        _ => low,
    };
    Some((low, high, 0.501 * 10f64.powi(-(decimals as i32))))
}

/// The fields of a line of CSV, of which some are in quotation marks.
pub(super) fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(letter),
        }
    }
    fields
}

/// Every count and every range of `doc/lab/compare.md` follows from `doc/lab/verdicts.csv`, and so
/// does the answer in `doc/compare.md`.
#[test]
fn the_documents_show_the_verdicts_of_the_committed_run() {
    let csv = include_str!("../../../../doc/lab/verdicts.csv");
    let document = include_str!("../../../../doc/lab/compare.md");
    let words = include_str!("../../../../doc/compare.md").split_whitespace();
    let answer = words.collect::<Vec<_>>().join(" ");
    let rows: Vec<Vec<String>> = csv.lines().map(fields).collect();
    let column = |name: &str| rows[0].iter().position(|field| field == name).unwrap();
    for claim in &RECORDS.claims {
        let id = claim.id;
        let cases: Vec<_> = rows.iter().filter(|row| row[0] == id).collect();
        let row = document.lines().find(|line| line.starts_with(&format!("| {id} |")));
        assert_eq!(row.is_none(), cases.is_empty(), "{id} is in both files or in none");
        let Some(row) = row else {
            assert!(claim.headline.is_empty(), "{id} was tested");
            continue;
        };
        let row: Vec<&str> = row.split(" | ").collect();
        assert_eq!(row[3], claim.figure, "{id}");
        let with =
            |verdict: &str| cases.iter().filter(|case| case[column("verdict")] == verdict).count();
        let holds = with("holds");
        let open = with("open");
        let counted = [holds, with("none found"), with("fails"), open];
        assert_eq!(row[5..9], counted.map(|count| count.to_string()), "{id}");
        let figures = cases.iter().filter_map(|case| case[column("figure")].parse::<f64>().ok());
        let smallest = figures.clone().fold(f64::INFINITY, f64::min);
        let largest = figures.fold(f64::NEG_INFINITY, f64::max);
        if let Some((low, high, rounding)) = ends(row[10].trim_end_matches(" |")) {
            let near = |shown: f64, own: f64| (shown - own).abs() <= rounding + 1e-5 * own.abs();
            assert!(near(low, smallest) && near(high, largest), "{id}: {}", row[10]);
        }
        if !claim.headline.is_empty() {
            let open = if open == 0 { String::new() } else { format!(" ({open} open)") };
            let words = format!("in {holds} of {}{open} against {}", cases.len(), claim.headline);
            assert!(answer.contains(&words), "{id}: {words}");
        }
    }
}

fn on_bandits(bandits: Vec<Bandit>, pulls: u64, runs: usize, threads: usize) -> Vec<Curve> {
    BanditPlan { bandits, pulls, runs, seed: 1 }.run(threads, &|| ())
}

#[test]
fn regret_grows_linearly_for_fixed_epsilon_and_logarithmically_for_ucb1() {
    let curves = on_bandits(vec![Bandit::coins(&[0.9, 0.1])], 4_096, 60, 2);
    let [greedy, decreasing, ucb1, tuned] = [0, 1, 2, 3].map(|nth| curves[nth].growth());
    assert!((greedy.value - 2.0).abs() < 0.2, "{greedy:?}");
    for logarithmic in [decreasing, ucb1] {
        assert!((logarithmic.value - 1.0).abs() < 0.4, "{logarithmic:?}");
    }
    assert!(tuned.value < 1.0, "the variance of these coins is small: {tuned:?}");
    // Auer and others, theorem 1, with a distance of 0.8.
    let bound = 8.0 * 4_096_f64.ln() / 0.8 + 0.8 * (1.0 + std::f64::consts::PI.powi(2) / 3.0);
    // The expected loss of a random pull is half the distance, and one in ten is random.
    let regret = bound * curves[0].share_of_bound().value;
    assert!((regret / (4_096.0 * 0.1 * 0.4) - 1.0).abs() < 0.1, "{regret}");
    assert!(curves[2].share_of_bound().value < 1.0);
    assert!(curves[2].fall().value < 0.7 && curves[0].fall().value > 0.9);
}

#[test]
fn moves_of_kalah_are_arms_and_runs_are_the_same_with_any_number_of_threads() {
    let start = Position::start(Rules::new(3, 2, Default::default()).unwrap());
    let bandit = Bandit::from_position(start, 400, 1);
    assert_eq!(bandit.means.len(), 3);
    assert!(bandit.means.iter().all(|mean| (0.05..0.95).contains(mean)), "{:?}", bandit.means);
    let regrets = |threads| -> Vec<[Estimate; 3]> {
        let curves = on_bandits(vec![bandit.clone()], 64, 3, threads);
        let regrets =
            curves.iter().map(|curve| [curve.growth(), curve.fall(), curve.share_of_bound()]);
        regrets.collect()
    };
    assert_eq!(regrets(1), regrets(3));
}

#[test]
fn only_the_same_seed_gives_the_same_ensemble() {
    let rules = Rules::default();
    let positions = |seed| -> Vec<Position> {
        (0..20).flat_map(|nth| Ensemble::Positions(20).group(rules, seed, nth, 3)).collect()
    };
    assert_eq!(positions(1), positions(1));
    assert_ne!(positions(1), positions(2));
    assert!(positions(1).iter().all(|position| !position.is_over()));
}

#[test]
fn a_game_is_a_chain_of_best_turns() {
    let game = Ensemble::Games(1).group(Rules::default(), 5, 0, 3);
    assert!(game.len() > 5);
    for pair in game.windows(2) {
        let mut position = pair[0];
        let tree = KalahTree::<u64>::new(&position, 3, ExtraTurns::Compound, ChildOrder::Far);
        let found = Method::from(Algorithm::F3).play(&tree, dynamic(&mut ()), 0, |_| ());
        for pit in tree.sowings(found.best.unwrap()) {
            position.play(pit).unwrap();
        }
        assert_eq!(position, pair[1]);
    }
}

#[test]
fn the_branching_factor_is_pearls() {
    let factor = expected_leaves(2, 1) / 2.0;
    assert!((factor - 1.618).abs() < 1e-3, "{factor}");
}

fn uniform(width: u16, depth: u16, leaves: Leaves, names: &str) -> Vec<u64> {
    let count = TreesPerShape::Fixed(70);
    let condition = Condition { trees: Trees::Uniform { width, leaves, count }, seed: 1 };
    let plan = ComparisonPlan {
        conditions: vec![condition],
        depths: vec![depth],
        methods: methods(names).unwrap(),
        timed_runs: 0,
    };
    let searched = plan.run(1, &|| ()).0;
    searched.iter().flat_map(|own| own.groups.iter().map(|group| group.counts.nodes())).collect()
}

#[test]
fn the_smallest_minimal_tree_is_counted_by_hand() {
    // The root, its two children, and three of the four leaves; TEST needs two leaves for a yes.
    let cost = MinimalTree::new(2, 2);
    assert_eq!((cost.leaves, cost.test_nodes, cost.nodes, cost.old_nodes), (3, 4, 6, 5));
    let nodes = |leaves, names| uniform(2, 2, leaves, names)[0];
    assert_eq!(nodes(Leaves::BestFirst(100), "f3"), 6);
    assert_eq!(nodes(Leaves::BestFirst(100), "test:-1"), 4);
    assert_eq!(nodes(Leaves::WorstFirst, "f3"), 7);
}

#[test]
fn the_ratio_of_three_children_is_above_the_printed_bound() {
    assert_eq!(ratio_one_high(2), 5.0 / 4.0);
    assert!((ratio_one_high(3) - 23.0 / 18.0).abs() < 1e-12);
    assert!((1..100).all(|width| ratio_one_high(width) <= ratio_one_high(3)));
}

#[test]
fn a_plan_is_refused_if_a_method_would_find_wrong_values() {
    let refusal = |names: &str, extra_turns| {
        let kalah = KalahTrees { extra_turns, ..KalahTrees::default() };
        let plan = ComparisonPlan {
            conditions: vec![Condition { trees: Trees::Kalah(kalah), seed: 1 }],
            depths: vec![1],
            methods: methods(names).unwrap(),
            timed_runs: 0,
        };
        plan.check().err().unwrap_or_default()
    };
    assert_eq!(refusal("f3,negascout-depth3,test:5", ExtraTurns::Compound), "");
    assert_eq!(refusal("f3,negascout", ExtraTurns::Ply), "");
    let refused = refusal("f3,negascout-depth3", ExtraTurns::Ply);
    let expected = "expected compound extra turns for negascout-depth3, whose depth < 3 rule needs \
                    sides that alternate, got ply";
    assert_eq!(refused, expected);
    let refused = refusal("test:5,f3", ExtraTurns::Compound);
    assert!(refused.starts_with("expected a first algorithm that finds the minimax value"));
}

#[test]
fn wide_trees_are_not_as_deep_as_those_of_pearl_unless_the_caller_wants_it() {
    let pieces = |comparison, widths: Option<&[u16]>, depths: Option<&[u16]>| {
        Plan::shaped(comparison, 1, widths, depths, Some(10)).pieces()
    };
    let usual: Vec<u16> = (1..=10).collect();
    let wide = Some(&[3][..]);
    assert_eq!(
        pieces(Comparison::Pearl, wide, None),
        pieces(Comparison::Pearl, wide, Some(&usual))
    );
    assert!(pieces(Comparison::Pearl, None, None) > pieces(Comparison::Pearl, wide, None));
}
