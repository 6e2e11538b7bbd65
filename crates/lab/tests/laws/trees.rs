//! The trees that are searched: what their leaves are worth and in which order their children come,
//! compared with the rules of the game or with what the kind of leaves promises.

use kalah_game::{Position, Rules, Side};
use kalah_lab::uniform::{Leaves, UniformNode};
use kalah_lab::{
    ChildOrder, ExtraTurns, KalahTree, MinimaxSide, SearchRun, Tree, UniformTree, minimax,
};

fn tree(leaves: Leaves, width: u16, depth: u16, seed: u64) -> UniformTree {
    UniformTree { width, depth, leaves, seed }
}

fn nodes(tree: &UniformTree) -> Vec<UniformNode> {
    let mut nodes = vec![tree.root()];
    let mut seen = 0;
    while seen < nodes.len() {
        let node = nodes[seen];
        if !tree.is_leaf(node) {
            nodes.extend(tree.children(node).map(|child| child.node));
        }
        seen += 1;
    }
    nodes
}

fn leaves(tree: &UniformTree) -> Vec<i64> {
    let mut nodes = nodes(tree);
    nodes.retain(|&node| tree.is_leaf(node));
    nodes.into_iter().map(|node| tree.value(node)).collect()
}

fn assert_share(hits: usize, of: usize, share: f64) {
    let found = hits as f64 / of as f64;
    // Five standard errors.
    let error = (share * (1.0 - share) / of as f64).sqrt();
    assert!((found - share).abs() <= 5.0 * error, "{found}, {share} expected");
}

#[test]
fn few_values_are_equally_frequent_and_cubes_are_their_cubes() {
    for count in [2, 3, 7] {
        let few = leaves(&tree(Leaves::Few(count), 10, 4, 1));
        let cubes = leaves(&tree(Leaves::Cubes(count), 10, 4, 1));
        assert!(few.iter().zip(&cubes).all(|(value, cube)| value.pow(3) == *cube));
        for value in 0..i64::from(count) {
            let hits = few.iter().filter(|&&own| own == value).count();
            assert_share(hits, few.len(), 1.0 / f64::from(count));
        }
        let ceiling = |leaves| {
            let tree = tree(leaves, 10, 4, 1);
            tree.ceiling(tree.root())
        };
        assert_eq!(ceiling(Leaves::Few(count)), *few.iter().max().unwrap());
        assert_eq!(ceiling(Leaves::Cubes(count)), *cubes.iter().max().unwrap());
    }
}

#[test]
fn continuous_leaves_differ_and_are_of_both_signs() {
    let mut values = leaves(&tree(Leaves::Continuous, 10, 4, 1));
    assert_share(values.iter().filter(|&&value| value > 0).count(), values.len(), 0.5);
    assert!(values.iter().any(|value| *value > i64::from(i32::MAX / 10 * 9)));
    values.sort_unstable();
    values.dedup();
    assert!(values.len() > 9_990);
}

#[test]
fn short_keys_are_the_first_bits_of_a_tree_with_the_same_values() {
    let whole = tree(Leaves::Continuous, 4, 5, 1);
    for bits in [4, 12, 20] {
        let short = tree(Leaves::ShortKeys(bits), 4, 5, 1);
        assert_eq!(leaves(&short), leaves(&whole));
        let mut keys: Vec<u64> = nodes(&short).into_iter().map(|node| short.key(node)).collect();
        for (key, node) in keys.iter().zip(nodes(&whole)) {
            assert_eq!(*key, whole.key(node) >> (64 - bits));
        }
        let all = keys.len() as f64;
        keys.sort_unstable();
        keys.dedup();
        // The expected number of occupied places of a table.
        let places = 2f64.powi(bits as i32);
        let expected = places * (1.0 - (1.0 - 1.0 / places).powf(all));
        assert!((keys.len() as f64 - expected).abs() <= 1.0 + all / 20.0, "{bits}: {}", keys.len());
    }
}

#[test]
fn assigned_values_are_those_of_minimax_and_the_best_child_is_where_it_is_promised() {
    const TREES: usize = 3_000;
    for (leaves, shares) in [
        (Leaves::BestFirst(100), [1.0, 0.0, 0.0]),
        (Leaves::BestFirst(0), [1.0 / 3.0; 3]),
        (Leaves::BestFirst(40), [0.6, 0.2, 0.2]),
        (Leaves::WorstFirst, [0.0, 0.0, 1.0]),
    ] {
        let mut best = [0; 3];
        for seed in 0..TREES as u64 {
            let tree = tree(leaves, 3, 3, seed);
            // From the point of view of the side that chooses the child, which wants little.
            let children = tree
                .children(tree.root())
                .map(|child| minimax(&mut SearchRun::new(&tree), child.node, MinimaxSide::Max));
            let children: Vec<i64> = children.collect();
            let least = *children.iter().min().unwrap();
            assert_eq!(least, 0, "{leaves:?}: the value of the root");
            let places: Vec<usize> = (0..3).filter(|&nth| children[nth] == least).collect();
            let [place] = places[..] else { panic!("{leaves:?}: {children:?}") };
            best[place] += 1;
            let is_sorted = children.is_sorted_by(|a, b| a > b);
            assert!(is_sorted || leaves != Leaves::WorstFirst, "{children:?}");
        }
        for (hits, share) in best.into_iter().zip(shares) {
            assert_share(hits, TREES, share);
        }
    }
}

/// The unfinished positions of a fixed game on each of three boards.
fn positions() -> impl Iterator<Item = Position> {
    [(6, 4), (4, 3), (3, 5)].into_iter().flat_map(|(pits, seeds)| {
        let mut position = Position::start(Rules::new(pits, seeds, Default::default()).unwrap());
        let mut positions = Vec::new();
        for turn in 0.. {
            let moves = position.moves();
            if position.is_over() {
                break;
            }
            positions.push(position);
            position.play(moves.iter().nth(turn * 7 % moves.len()).unwrap()).unwrap();
        }
        positions
    })
}

/// The evaluation of a position by its rows and stores, from the point of view of its mover.
fn evaluated(position: &Position, mobility: bool) -> i32 {
    let side = position.side();
    let lead = |position: &Position| position.margin(side).0;
    if position.is_over() {
        return lead(position) * if mobility { 4 } else { 1 };
    }
    let stores = position.lead(side).0;
    let sowable = |side: Side| position.row(side).iter().filter(|&&seeds| seeds > 0).count() as i32;
    if mobility { 4 * stores + sowable(side) - sowable(side.other()) } else { stores }
}

#[test]
fn leaves_of_kalah_are_worth_the_lead_and_with_mobility_a_quarter_of_a_seed_for_each_move() {
    let mut finished = 0;
    for position in positions() {
        for mobility in [false, true] {
            let tree = KalahTree::<u64>::new(&position, 1, ExtraTurns::Ply, ChildOrder::Far);
            let tree = if mobility { tree.with_mobility() } else { tree };
            for child in tree.children(tree.root()) {
                let mut after = position;
                for pit in tree.sowings(child.index) {
                    after.play(pit).unwrap();
                }
                finished += usize::from(after.is_over());
                let expected = evaluated(&after, mobility);
                assert_eq!(tree.value(child.node).0, expected, "{position}, then {after}");
            }
        }
    }
    assert!(finished > 2, "{finished}");
}

#[test]
fn orders_differ_only_in_the_order_of_the_same_children() {
    let mut differ = 0;
    let mut all = 0;
    for position in positions() {
        let children = |order, seed| {
            let tree = KalahTree::<u64>::new(&position, 3, ExtraTurns::Compound, order);
            let tree = tree.with_seed(seed);
            let children: Vec<_> = tree.children(tree.root()).collect();
            assert!((0..).zip(&children).all(|(index, child)| child.index == index));
            if order == ChildOrder::Static {
                let worth =
                    |nth: usize| children[nth].turn.from_child(tree.value(children[nth].node));
                assert!((0..children.len()).is_sorted_by(|a, b| worth(*a) >= worth(*b)));
                assert_eq!(tree.ordering_cost(&tree.children(tree.root())), children.len() as u64);
            } else {
                assert_eq!(tree.ordering_cost(&tree.children(tree.root())), 0);
            }
            children.into_iter().map(|child| child.node.board).collect::<Vec<_>>()
        };
        let random = children(ChildOrder::Random, 1);
        assert_eq!(children(ChildOrder::Random, 1), random, "{position}");
        all += 1;
        differ += usize::from(children(ChildOrder::Random, 2) != random);
        let far = children(ChildOrder::Far, 1);
        for order in [ChildOrder::Near, ChildOrder::Random, ChildOrder::Static] {
            let mut own = children(order, 3);
            assert_eq!(own.len(), far.len(), "{position}");
            own.retain(|board| !far.contains(board));
            assert!(own.is_empty(), "{position}");
        }
    }
    assert!(2 * differ > all, "{differ} of {all}");
}
