//! Properties of methods: their names, their best moves, and their selective searches.

use kalah_game::{Gain, Position, Rules, Side, Window};
use kalah_lab::uniform::Leaves;
use kalah_lab::{
    Algorithm, Arm, ChildOrder, ExtraTurns, KalahTree, Method, Observer, Policy, ProbCutCheck,
    ProbCutModel, SearchRun, Strategy, Tree, TreeEvent, UniformTree, f3, uct,
};
use kalah_sys::random::SplitMix64;

use crate::dynamic;

fn start(pits: u32, seeds: u32) -> Position {
    Position::start(Rules::new(pits, seeds, Default::default()).unwrap())
}

/// Positions after up to `sowings` random sowings, in none of which the game is over.
fn positions(start: Position, sowings: usize, count: usize, seed: u64) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = start;
        for _ in 0..random.below(sowings + 1) {
            let mut moves = position.moves().iter();
            if let Some(pit) = moves.nth(random.below(moves.len().max(1))) {
                position.play(pit).unwrap();
            }
        }
        if !position.is_over() {
            found.push(position);
        }
    }
    found
}

#[test]
fn the_sowings_of_a_child_lead_to_it_in_every_order() {
    for (nth, position) in positions(start(6, 4), 30, 60, 1).into_iter().enumerate() {
        let order =
            [ChildOrder::Far, ChildOrder::Near, ChildOrder::Random, ChildOrder::Static][nth % 4];
        for extra_turns in ExtraTurns::ALL {
            let tree = KalahTree::<u64>::new(&position, 2, extra_turns, order);
            for child in tree.children(tree.root()) {
                let mut after = position;
                for pit in tree.sowings(child.index) {
                    after.play(pit).unwrap();
                }
                assert_eq!(after.board::<u64>(), child.node.board, "{position} {extra_turns}");
            }
        }
    }
}

#[test]
fn the_regret_of_uct_falls_from_game_to_game() {
    let mut regrets = [0.0; 3];
    let mut trees = 0;
    for seed in 0..120 {
        // Positive leaves are won by the player to move there, which at an even depth is Max.
        let tree = UniformTree { width: 2, depth: 6, leaves: Leaves::Continuous, seed };
        if f3(&mut SearchRun::new(&tree), tree.root(), Window::full()) <= 0 {
            continue;
        }
        trees += 1;
        let mut run = SearchRun::watched(&tree, Vec::new());
        uct(&mut run, tree.root(), 10_000, Policy::Ucb1, &mut SplitMix64::new(seed));
        let lost = |leaves: &[_]| {
            let lost = leaves.iter().filter(|&&leaf| tree.value(leaf) <= 0).count();
            lost as f64 / leaves.len() as f64
        };
        for (regret, games) in regrets.iter_mut().zip([0..100, 100..1_000, 1_000..10_000]) {
            *regret += lost(&run.observer[games]);
        }
    }
    assert!(trees >= 10, "{trees}");
    let [first, second, third] = regrets.map(|regret| regret / f64::from(trees));
    assert!(first > second && second > 2.0 * third, "{first} {second} {third}");
}

#[test]
fn deepening_ends_with_the_tree_and_not_before() {
    let mut earlier = 0;
    for position in positions(start(3, 2), 12, 60, 5) {
        let tree = KalahTree::<u64>::new(&position, 300, ExtraTurns::Compound, ChildOrder::Far);
        let truth = f3(&mut SearchRun::new(&tree), tree.root(), Window::full());
        for (name, algorithm, _) in Algorithm::NAMED {
            if !algorithm.is_exact() {
                continue;
            }
            for suffix in ["+id", "+tt+id"] {
                let Ok(method) = format!("{name}{suffix}").parse::<Method>() else { continue };
                let mut iterations = 0;
                let found = method.play(&tree, dynamic(&mut ()), 1, |_| iterations += 1);
                assert_eq!(found.value, truth, "{method} on {position}");
                assert_eq!(found.depth, iterations, "{method} on {position}");
                assert!(iterations < 40, "{method} on {position}: {iterations}");
                earlier += u32::from(iterations < 8);
            }
        }
    }
    assert!(earlier > 100, "{earlier}");
}

#[test]
fn probcut_visits_less_than_alpha_beta_and_mostly_agrees_with_it() {
    let tree = KalahTree::<u64>::new(&start(6, 4), 20, ExtraTurns::Compound, ChildOrder::Static);
    let model =
        std::sync::Arc::new(ProbCutModel::fitted(&tree, 3..=5, 200, &mut SplitMix64::new(1)));
    let (mut cut, mut all, mut same) = (0, 0, 0);
    let fresh = positions(start(6, 4), 16, 100, 8);
    for position in &fresh {
        let tree = KalahTree::<u64>::new(position, 6, ExtraTurns::Compound, ChildOrder::Static);
        let tree = tree.with_model(model.clone());
        let count = |algorithm: Algorithm, leaves: &mut u64| {
            let mut counts = kalah_lab::SearchCounts::default();
            let found = Method::from(algorithm).play(&tree, dynamic(&mut counts), 0, |_| ());
            *leaves += counts.leaves;
            found
        };
        let probcut = count(Algorithm::ProbCut, &mut cut);
        same += usize::from(probcut.value == count(Algorithm::F3, &mut all).value);
    }
    assert!(cut < all, "{cut} against {all}");
    assert!((50..100).contains(&same), "{same} values of 100 are minimax's");
}

#[test]
fn selective_searches_are_exact_where_there_is_nothing_to_select() {
    for seed in 0..200 {
        let (width, depth) = (1 + seed as u16 % 3, 5);
        let tree = UniformTree { width, depth, leaves: Leaves::Continuous, seed };
        let truth = Method::from(Algorithm::F3).value(&tree, dynamic(&mut ()));
        for algorithm in [Algorithm::Beam, Algorithm::Quiescence, Algorithm::ProbCut] {
            assert_eq!(
                Method::from(algorithm).value(&tree, dynamic(&mut ())),
                truth,
                "{algorithm}"
            );
        }
    }
}

#[test]
fn quiescence_finds_a_capture_just_beyond_the_frontier() {
    // After North's only move South captures from A, which a search of one sowing misses.
    let position = Position::parse("<3,0,0,1,0,4,1,0,0> N", Default::default()).unwrap();
    let value = |algorithm: Algorithm| {
        let tree = KalahTree::<u64>::new(&position, 1, ExtraTurns::Ply, ChildOrder::Far);
        Method::from(algorithm).value(&tree, dynamic(&mut ())).unwrap()
    };
    assert_eq!((value(Algorithm::F3), value(Algorithm::Quiescence)), (Gain(0), Gain(-6)));
}

#[test]
fn bandits_play_what_their_random_games_favour() {
    // Some of the ten leaves are won, and a bandit has only to find out which.
    let tree = UniformTree { width: 10, depth: 1, leaves: Leaves::Continuous, seed: 3 };
    let values = tree.children(tree.root()).map(|child| -tree.value(child.node));
    assert!(values.clone().any(|value| value > 0) && values.clone().any(|value| value < 0));
    for name in ["epsilon-greedy", "epsilon-decreasing", "ucb1", "ucb1-tuned"] {
        let method: Method = name.parse().unwrap();
        for seed in 0..20 {
            let found = method.play(&tree, dynamic(&mut ()), seed, |_| ());
            assert!(values.clone().nth(found.best.unwrap().into()).unwrap() > 0, "{name}");
        }
    }
}

#[test]
fn epsilon_greedy_pulls_every_arm_now_and_then_and_the_best_one_most() {
    let mut random = SplitMix64::new(1);
    let mut arms = [Arm::default(); 4];
    for _ in 0..10_000 {
        let chosen = Strategy::EpsilonGreedy.choose(&arms, &mut random);
        arms[chosen].pull(if chosen == 2 { 0.9 } else { 0.2 });
    }
    // One pull in ten goes to a random arm, which is the best one in a quarter of cases.
    let share = arms[2].pulls / 10_000.0;
    assert!((share - 0.925).abs() < 0.01, "{share}");
    assert!(arms.iter().all(|arm| arm.pulls > 200.0), "{arms:?}");
}

#[test]
fn epsilon_decreasing_pulls_a_random_arm_in_five_of_n_times_per_arm() {
    let mut random = SplitMix64::new(2);
    for pulls in [9, 10, 30, 100, 1000] {
        let mut arms = [Arm::default(); 2];
        arms[0].pull(0.1);
        (1..pulls).for_each(|_| arms[1].pull(0.9));
        let worse =
            (0..20_000).filter(|_| Strategy::EpsilonDecreasing.choose(&arms, &mut random) == 0);
        // A random arm is the worse one in half of the cases.
        let expected = f64::min(1.0, 10.0 / f64::from(pulls + 1)) / 2.0;
        let share = worse.count() as f64 / 20_000.0;
        assert!((share - expected).abs() < 0.015, "{pulls}: {share}");
    }
}

#[test]
fn a_check_of_probcut_is_the_line_of_least_squares() {
    let fitted = |pairs: &[(i64, i64)]| ProbCutCheck::fitted(5, 3, pairs);
    // The errors +2, -2, -2 and +2 are independent of the shallow values and of their mean.
    let pairs = [(1, 3 + 7 + 2), (2, 6 + 7 - 2), (3, 9 + 7 - 2), (4, 12 + 7 + 2)];
    let check = fitted(&pairs).unwrap();
    let deviation = f64::sqrt(4.0 * 4.0 / 2.0);
    for (got, expected) in [(check.slope, 3.0), (check.offset, 7.0), (check.deviation, deviation)] {
        assert!((got - expected).abs() < 1e-9, "{check:?}");
    }
    assert_eq!((check.depth, check.shallow), (5, 3));
    let line = fitted(&[(-3, 5), (1, 7), (5, 9)]).unwrap();
    assert_eq!((line.slope, line.offset, line.deviation), (0.5, 6.5, 0.0));
    // Too few pairs, equal shallow values, a level line and one that falls.
    assert_eq!(fitted(&[(1, 1), (2, 2)]), None);
    for useless in [[(1, 1), (1, 2), (1, 3)], [(1, 2), (2, 2), (3, 2)], [(1, 3), (2, 2), (3, 1)]] {
        assert_eq!(fitted(&useless), None);
    }
}

#[test]
fn method_names_are_parsed_back_and_meaningless_forms_are_refused() {
    for (name, ..) in Algorithm::NAMED {
        assert_eq!(name.parse::<Method>().unwrap().to_string(), name);
    }
    for name in [
        "test>-3",
        "test<=4",
        "test>=4+tt",
        "proof-number<12",
        "scout+tt+id",
        "f4'-printed+tt",
        "negascout-literal-max-wide+asp",
        "uct-tuned",
    ] {
        assert_eq!(name.parse::<Method>().unwrap().to_string(), name);
    }
    let canonical = |name: &str| name.parse::<Method>().unwrap().to_string();
    assert_eq!(canonical("test:-3"), "test>-3");
    assert_eq!(canonical("negascout-max-depth3-literal+id+tt"), "negascout-printed+tt+id");
    let forms = Algorithm::FORMS.map(|(form, ..)| form);
    for (name, ..) in Algorithm::NAMED {
        for (one, other) in forms.iter().flat_map(|one| forms.map(|other| (one, other))) {
            let named =
                |first: &str, second: &str| format!("{name}{first}{second}").parse::<Method>();
            let Ok(method) = named(one, other) else { continue };
            assert_eq!(method.to_string().parse(), Ok(method), "{name}{one}{other}");
            // Of two forms that exclude each other, the last one counts.
            if [*one, other].iter().all(|form| method.to_string().contains(form)) {
                assert_eq!(named(other, one), Ok(method), "{name}{one}{other}");
            }
        }
    }
    let error = |name: &str| name.parse::<Method>().unwrap_err().to_string();
    assert_eq!(error("sss+tt"), "expected '+id' after sss, got '+tt'");
    assert_eq!(error("uct+id"), "expected '-tuned' after uct, got '+id'");
    assert_eq!(error("scout+asp"), "expected '+tt' or '+id' after scout, got '+asp'");
    assert_eq!(error("beam-literal"), "expected '+tt', '+id' or '+asp' after beam, got '-literal'");
    let question = "expected a question such as 'test>5' or 'proof-number<=-2', got";
    for wrong in ["f3:4", "test:x", "test>", "test><5", "test:-2147483648"] {
        assert!(error(wrong) == format!("{question} '{wrong}'"), "{wrong}");
    }
    assert!(error("test=5").starts_with("expected algorithm 'minimax', "));
}

/// Counts leaves and stops the search at the limit.
struct Meter(u64);

impl<N> Observer<N> for Meter {
    fn observe(&mut self, event: TreeEvent<N>) {
        self.0 = self.0.saturating_sub(u64::from(matches!(event, TreeEvent::Leaf(_))));
    }

    fn is_stopped(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn more_leaves_play_better() {
    let method = Method::from(Algorithm::F3).until_stopped();
    let mut points = 0;
    for nth in 0..12 {
        let mut position = start(6, 4);
        let mut random = SplitMix64::new(nth);
        let strong = if nth % 2 == 0 { Side::South } else { Side::North };
        for turn in 0.. {
            if position.is_over() {
                break;
            }
            let tree =
                KalahTree::<u64>::new(&position, 200, ExtraTurns::Compound, ChildOrder::Static);
            let mut meter = Meter(if position.side() == strong { 3_000 } else { 12 });
            let best = if turn < 3 {
                random.below(tree.children(tree.root()).count()) as u16
            } else {
                method.play(&tree, dynamic(&mut meter), nth, |_| ()).best.unwrap_or(0)
            };
            for pit in tree.sowings(best) {
                position.play(pit).unwrap();
            }
        }
        points += position.margin(strong).0.signum();
    }
    assert!(points > 4, "{points}");
}
