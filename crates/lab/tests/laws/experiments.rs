//! The experiments: estimates of their duration, the same results with any number of
//! threads, and the rule that judges what they measure.

use kalah_game::{Position, Rules};
use kalah_lab::experiment::bandits::{Bandit, BanditPlan, Curve};
use kalah_lab::experiment::claim::{ClaimedRange, Verdict, judge};
use kalah_lab::experiment::ensemble::Ensemble;
use kalah_lab::experiment::kalah::{ComparisonPlan, Condition};
use kalah_lab::experiment::noe::{Noe, methods};
use kalah_lab::experiment::synthetic::{
    MinimalTree, OrderedTrees, Shape, expected_leaves, ratio_one_high, run, shapes,
};
use kalah_lab::uniform::Leaves;
use kalah_lab::{Algorithm, ChildOrder, ExtraTurns, KalahTree, Method};
use kalah_tables::statistics::Estimate;

fn range(text: &str) -> ClaimedRange {
    text.parse().unwrap()
}

fn judged(text: &str, value: f64, error: f64) -> Verdict {
    judge(&[(range(text), Estimate { value, error })])[0]
}

#[test]
fn a_single_figure_decides_beyond_two_standard_errors() {
    assert_eq!(judged("above 40", 46.0, 2.0), Verdict::Holds);
    assert_eq!(judged("above 40", 41.0, 2.0), Verdict::Undecided);
    assert_eq!(judged("above 40", 10.0, 3.0), Verdict::Fails);
}

#[test]
fn an_exact_figure_is_always_decided_and_ends_belong_to_a_range() {
    assert_eq!(judged("above 40", 40.0, 0.0), Verdict::Fails);
    assert_eq!(judged("at least 40", 40.0, 0.0), Verdict::Holds);
    assert_eq!(judged("below 1", 1.0, 0.0), Verdict::Fails);
    assert_eq!(judged("at most 1.275", 23.0 / 18.0, 0.0), Verdict::Fails);
    assert_eq!(judged("exactly 0", 0.0, 0.0), Verdict::Holds);
    for (value, verdict) in [
        (9.9, Verdict::Fails),
        (10.0, Verdict::Holds),
        (20.0, Verdict::Holds),
        (20.1, Verdict::Fails),
    ] {
        assert_eq!(judged("10 to 20", value, 0.0), verdict, "{value}");
    }
    assert_eq!(judged("above 0", f64::NAN, 0.0), Verdict::Undecided);
}

#[test]
fn the_more_figures_are_judged_the_clearer_each_has_to_be() {
    // 2.2 standard errors decide a figure alone, but not one of five.
    let figure = |value| (range("above 50"), Estimate { value, error: 5.0 });
    assert_eq!(judge(&[figure(39.0)]), [Verdict::Fails]);
    let five = [39.0, 50.0, 51.0, 49.0, 90.0].map(figure);
    let verdicts = judge(&five);
    assert_eq!(verdicts[..4], [Verdict::Undecided; 4]);
    assert_eq!(verdicts[4], Verdict::Holds);
    // Exact figures do not make the others harder to decide.
    let exact = (range("above 0"), Estimate::exact(1.0));
    assert_eq!(judge(&[figure(39.0), exact, exact, exact])[0], Verdict::Fails);
}

#[test]
fn the_document_quotes_each_claim_and_names_its_source() {
    let document = include_str!("../../../../doc/compare.md").replace('\\', "");
    for claim in include_str!("../../src/findings/claims.tsv").lines().skip(1) {
        let fields: Vec<&str> = claim.split('\t').collect();
        let [id, _, words, edition, slide, figure, _, rule, scope] = fields[..] else {
            panic!("{claim}")
        };
        let is_question = edition.starts_with("a question of this project");
        let quoted = if is_question { words.to_owned() } else { format!("“{words}”") };
        for part in [&format!("| {id} | {quoted} | {edition}"), slide, figure, rule, scope] {
            assert!(document.contains(part), "{id}: {part}");
        }
        // Only this project's own questions lack a place in a source.
        assert_eq!(is_question, slide.is_empty(), "{id}");
        assert!(is_question || ["Hsu, ", "Yu", "Wikipedia"].iter().any(|s| edition.starts_with(s)));
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
    // The expected loss of a random pull is half the distance, and one in ten is random.
    let regret = curves[0].regret(curves[0].pulls.len() - 1).value;
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
    let regrets = |threads| -> Vec<Vec<Estimate>> {
        let curves = on_bandits(vec![bandit.clone()], 64, 3, threads);
        let regrets =
            curves.iter().map(|curve| (0..curve.pulls.len()).map(|nth| curve.regret(nth)));
        regrets.map(Iterator::collect).collect()
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
        let found = Method::from(Algorithm::F3).play(&tree, &mut (), 0, |_, _| ());
        for pit in tree.sowings(found.best.unwrap()) {
            position.play(pit).unwrap();
        }
        assert_eq!(position, pair[1]);
    }
}

#[test]
fn the_estimate_is_near_the_truth_and_refuses_what_is_too_large() {
    let estimate = |pits, seeds, depth, method| {
        let condition = Condition {
            rules: Rules::new(pits, seeds, Default::default()).unwrap(),
            extra_turns: ExtraTurns::Compound,
            order: ChildOrder::Far,
            ensemble: Ensemble::Start,
            seed: 1,
        };
        let (conditions, depths, methods) = (vec![condition], vec![depth], methods(method));
        Noe::only(ComparisonPlan { conditions, depths, methods, timed_runs: 0 }).duration(1)
    };
    // 12 million leaves a second.
    let leaves = estimate(6, 4, 4, "minimax").unwrap().as_secs_f64() * 1.2e7;
    assert!((3_000.0..30_000.0).contains(&leaves), "9682 in truth, {leaves} estimated");
    assert!(estimate(6, 4, 5, "minimax").is_ok());
    let error = estimate(8, 8, 14, "minimax").unwrap_err().to_string();
    assert!(error.contains("minimax at depth 14 on Kalah(8,8)"), "{error}");
}

#[test]
fn the_branching_factor_is_pearls() {
    let factor = expected_leaves(2, 1) / 2.0;
    assert!((factor - 1.618).abs() < 1e-3, "{factor}");
}

#[test]
fn outcomes_do_not_depend_on_the_number_of_threads() {
    let shapes = shapes(&[2, 3], &[1, 4], 5_000.0, 200);
    let methods = methods("f3,scout");
    let counts = |threads| -> Vec<_> {
        let outcomes = run(&shapes, Leaves::Continuous, &methods, 1, threads, &|| ());
        outcomes.into_iter().map(|outcome| outcome.counts).collect()
    };
    assert_eq!(counts(1), counts(3));
}

#[test]
fn the_smallest_minimal_tree_is_counted_by_hand() {
    // The root, its two children, and three of the four leaves; TEST needs two leaves for a yes.
    let shape = Shape { width: 2, height: 2, trees: 1 };
    let cost = MinimalTree::new(&shape);
    assert_eq!((cost.leaves, cost.test_nodes, cost.nodes, cost.old_nodes), (3, 4, 6, 5));
    let trees = OrderedTrees::run(&[shape], 1, 1, &|| ());
    let counts = &trees.best_first[0].counts[0];
    assert_eq!((counts[0].nodes(), counts[OrderedTrees::VALUED].nodes()), (6, 4));
    assert_eq!(trees.worst_first[0].counts[0][0].leaves, 4);
}

#[test]
fn the_ratio_of_three_children_is_above_the_printed_bound() {
    assert_eq!(ratio_one_high(2), 5.0 / 4.0);
    assert!((ratio_one_high(3) - 23.0 / 18.0).abs() < 1e-12);
    assert!((1..100).all(|width| ratio_one_high(width) <= ratio_one_high(3)));
}
