//! What must hold of methods by their names: best moves, and searches that select.

use kalah::game::score::{Gain, Window};
use kalah::game::{Position, Rules};
use kalah::lab::uniform::Leaves;
use kalah::lab::{
    Algorithm, ExtraTurns, KalahTree, Method, Model, Order, Policy, Run, Tree, UniformTree, f3, uct,
};
use kalah::sys::random::SplitMix64;

fn start(pits: u32, seeds: u32) -> Position {
    Position::start(Rules::new(pits, seeds, Default::default()).unwrap())
}

/// Positions that so many random sowings at most lead to; none is over.
fn positions(start: Position, sowings: usize, count: usize, seed: u64) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = start;
        for _ in 0..random.below(sowings + 1) {
            let mut moves = position.moves();
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
        let order = [Order::Far, Order::Near, Order::Random(5), Order::Static][nth % 4];
        for extra_turns in ExtraTurns::ALL {
            let tree = KalahTree::<u64>::new(&position, 2, extra_turns, order);
            for child in tree.children(tree.root(), &mut ()) {
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
        // Positive leaves are won by the player to move there: of an even depth, Max.
        let tree = UniformTree { width: 2, height: 6, leaves: Leaves::Continuous, seed };
        if f3(&mut Run::new(&tree), tree.root(), Window::full()) <= 0 {
            continue;
        }
        trees += 1;
        let mut run = Run::watched(&tree, Vec::new());
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
fn probcut_visits_less_than_alpha_beta_and_mostly_says_the_same() {
    let tree = KalahTree::<u64>::new(&start(6, 4), 20, ExtraTurns::Compound, Order::Static);
    let model = std::sync::Arc::new(Model::fitted(&tree, 3..=5, 200, &mut SplitMix64::new(1)));
    let (mut cut, mut all, mut same) = (0, 0, 0);
    let fresh = positions(start(6, 4), 16, 100, 8);
    for position in &fresh {
        let tree = KalahTree::<u64>::new(position, 6, ExtraTurns::Compound, Order::Static);
        let tree = tree.with_model(model.clone());
        let count = |algorithm: Algorithm, leaves: &mut u64| {
            let mut counts = kalah::lab::Counts::default();
            let found = Method::from(algorithm).play(&tree, &mut counts, 0, |_, _| ());
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
        let (width, height) = (1 + seed as u16 % 3, 5);
        let tree = UniformTree { width, height, leaves: Leaves::Continuous, seed };
        let truth = Method::from(Algorithm::F3).value(&tree, &mut ());
        for algorithm in [Algorithm::Beam, Algorithm::Quiescence, Algorithm::ProbCut] {
            assert_eq!(Method::from(algorithm).value(&tree, &mut ()), truth, "{algorithm}");
        }
    }
}

#[test]
fn quiescence_sees_the_capture_that_is_just_beyond_the_frontier() {
    // After North's only move South's A captures; one sowing deep nothing shows it.
    let position = Position::parse("<3,0,0,1,0,4,1,0,0> N", Default::default()).unwrap();
    let value = |algorithm: Algorithm| {
        let tree = KalahTree::<u64>::new(&position, 1, ExtraTurns::Ply, Order::Far);
        Method::from(algorithm).value(&tree, &mut ()).unwrap()
    };
    assert_eq!((value(Algorithm::F3), value(Algorithm::Quiescence)), (Gain(0), Gain(-6)));
}

#[test]
fn epsilon_greedy_takes_what_looks_best_nine_times_in_ten() {
    let tree = UniformTree { width: 10, height: 1, leaves: Leaves::Continuous, seed: 3 };
    let truth = Method::from(Algorithm::F3).play(&tree, &mut (), 0, |_, _| ());
    let play = |seed| Method::from(Algorithm::EpsilonGreedy).play(&tree, &mut (), seed, |_, _| ());
    let best = (0..1_000).filter(|&seed| play(seed) == truth).count();
    // One of ten at random finds the best child too, once in ten.
    assert!((880..=940).contains(&best), "{best}");
}

#[test]
fn names_of_methods_read_back_and_forms_that_mean_nothing_are_refused() {
    for name in Method::names() {
        assert_eq!(name.parse::<Method>().unwrap().to_string(), *name);
    }
    for name in ["test:-3", "proof-number:12", "scout+tt+id", "f4'-printed+tt"] {
        assert_eq!(name.parse::<Method>().unwrap().to_string(), name);
    }
    let error = |name: &str| name.parse::<Method>().unwrap_err();
    assert_eq!(error("sss+tt"), "expected '+id' after sss, got '+tt'");
    assert_eq!(error("uct+id"), "expected nothing after uct, got '+id'");
    assert_eq!(error("scout+asp"), "expected '+tt' or '+id' after scout, got '+asp'");
    let question = "expected a number after 'test:' or 'proof-number:', got";
    assert_eq!(error("f3:4"), format!("{question} 'f3:4'"));
    assert_eq!(error("test:x"), format!("{question} 'test:x'"));
}
