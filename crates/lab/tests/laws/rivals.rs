//! Properties that UCT and ProbCut must have, although they may err.

use kalah_game::{Gain, Position, Rules, Window};
use kalah_lab::{
    ChildNode, ChildOrder, ExtraTurns, KalahTree, ListTree, Policy, ProbCutModel, SearchRun, Tree,
    f3, uct,
};
use kalah_sys::random::SplitMix64;

/// A small game to its end.
fn to_the_end(position: &Position) -> KalahTree<u64> {
    KalahTree::new(position, 100, ExtraTurns::Compound, ChildOrder::Far)
}

/// The sign of the value of each of the root's moves, from the point of view of its mover.
fn outcomes(tree: &KalahTree<u64>) -> Vec<i32> {
    let value = |child: ChildNode<_>| {
        let value: Gain = f3(&mut SearchRun::new(tree), child.node, Window::full());
        child.turn.from_child(value).0.signum()
    };
    tree.children(tree.root()).map(value).collect()
}

/// Positions of (3,3) after some random moves, in which some moves win and
/// others do not.
fn positions_with_a_forced_win(count: usize) -> Vec<KalahTree<u64>> {
    let start = Position::start(Rules::new(3, 3, Default::default()).unwrap());
    let mut random = SplitMix64::new(11);
    let drawn = std::iter::repeat_with(|| {
        let mut position = start;
        for _ in 0..3 + random.below(5) {
            let moves = position.moves();
            if !position.is_over() {
                position.play(moves.iter().nth(random.below(moves.len())).unwrap()).unwrap();
            }
        }
        position
    });
    drawn
        .filter(|position| !position.is_over())
        .map(|position| to_the_end(&position))
        .filter(|tree| {
            let outcomes = outcomes(tree);
            outcomes.contains(&1) && outcomes.iter().any(|&outcome| outcome < 1)
        })
        .take(count)
        .collect()
}

/// The number of trees in which UCT plays a move that does not win.
fn errors(trees: &[KalahTree<u64>], playouts: u64, policy: Policy) -> usize {
    let errs = |tree: &&KalahTree<u64>| {
        let mut random = SplitMix64::new(5);
        let played = uct(&mut SearchRun::new(*tree), tree.root(), playouts, policy, &mut random);
        let (index, _) = played.expect("the root has moves");
        outcomes(tree)[usize::from(index)] < 1
    };
    trees.iter().filter(errs).count()
}

#[test]
fn uct_finds_forced_wins_and_errs_less_the_more_games_it_plays() {
    let trees = positions_with_a_forced_win(60);
    for policy in [Policy::Ucb1, Policy::Ucb1Tuned] {
        let [few, some, many] = [3, 100, 20_000].map(|playouts| errors(&trees, playouts, policy));
        assert!(few > some && some >= many, "{policy:?}: {few}, {some}, {many} errors");
        assert_eq!(many, 0, "{policy:?}");
    }
}

#[test]
fn uct_values_the_child_that_it_plays_by_the_games_through_it() {
    let tree: ListTree = "[-3,[9,9],-5]".parse().unwrap();
    for policy in [Policy::Ucb1, Policy::Ucb1Tuned] {
        let mut random = SplitMix64::new(5);
        let played = uct(&mut SearchRun::new(&tree), tree.root(), 300, policy, &mut random);
        assert_eq!(played, Some((1, 9)), "{policy:?}");
    }
}

#[test]
fn probcut_checks_err_as_often_as_their_confidence_predicts() {
    let start = Position::start(Rules::default());
    let tree = KalahTree::<u64>::new(&start, 20, ExtraTurns::Compound, ChildOrder::Static);
    let model = ProbCutModel::fitted(&tree, 3..=5, 300, &mut SplitMix64::new(1));
    assert_eq!(model.checks.len(), 3);
    let mut random = SplitMix64::new(2);
    let fresh: Vec<_> = (0..400)
        .map(|_| {
            let mut node = tree.root();
            for _ in 0..random.below(15) {
                let children: Vec<_> = tree.children(node).collect();
                let next = children[random.below(children.len())].node;
                if !tree.is_leaf(next) {
                    node = next;
                }
            }
            node
        })
        .collect();
    for check in &model.checks {
        let value = |node, depth| {
            let value: Gain =
                f3(&mut SearchRun::new(&tree), tree.truncated(node, depth), Window::full());
            f64::from(value.0)
        };
        let wrong = fresh.iter().filter(|&&node| {
            let expected = check.slope * value(node, check.shallow) + check.offset;
            (value(node, check.depth) - expected).abs() > model.sureness * check.deviation
        });
        let share = wrong.count() as f64 / fresh.len() as f64;
        // In a normal distribution, 13.4 % lies beyond 1.5 standard deviations; the standard error
        // of 400 samples is 1.7.
        assert!((0.08..0.19).contains(&share), "depth {}: {share}", check.depth);
    }
}
