//! Every algorithm visits as many leaves as the golden table says.

use kalah::game::score::{Gain, Window};
use kalah::game::{Capture, Position, Rules};
use kalah::lab::{
    Counts, ExtraTurns, KalahTree, Options, Order, Player, Run, Tree, f1, f2, f3, minimax, negamax,
    negascout, pvs, scout,
};

type Watched<'t> = Run<'t, KalahTree<u64>, Counts>;

fn count(tree: &KalahTree<u64>, search: impl Fn(&mut Watched<'_>) -> Gain) -> (Gain, Counts) {
    let mut run = Run::watched(tree, Counts::default());
    let value = search(&mut run);
    (value, run.observer)
}

#[test]
fn leaves_and_interior_nodes_from_the_start_are_the_golden_ones() {
    let mut rows = 0;
    for row in crate::common::rows(include_str!("../../data/lab_counts.tsv")) {
        let number = |index: usize| row[index].parse::<u32>().unwrap();
        let rules = Rules::new(number(0), number(1), Capture::Standard).unwrap();
        let extra_turns: ExtraTurns = row[2].parse().unwrap();
        let depth = number(3) as u16;
        let start = Position::start(rules);
        let tree = KalahTree::<u64>::new(&start, depth, extra_turns, Order::Far);
        let root = tree.root();
        let full = Window::full();
        let truth = Gain(row[13].parse().unwrap());
        let check = |column: usize, (value, counts): (Gain, Counts)| {
            let golden = row[column];
            let says = format!("column {column} of {row:?}");
            assert_eq!(counts.leaves.to_string(), golden.trim_end_matches('!'), "{says}");
            assert_eq!(value != truth, golden.ends_with('!'), "{value}: {says}");
            counts
        };
        check(4, count(&tree, |run| minimax(run, root, Player::Max)));
        check(4, count(&tree, |run| negamax(run, root, full)));
        check(5, count(&tree, |run| f2(run, root, full)));
        let alpha_beta = check(5, count(&tree, |run| f3(run, root, full)));
        check(6, count(&tree, |run| f1(run, root, full)));
        let scouted = check(7, count(&tree, |run| scout(run, root, Player::Max)));
        check(8, count(&tree, |run| negascout(run, root, full, Options::default())));
        check(9, count(&tree, |run| negascout(run, root, full, Options::DEPTH_RULE)));
        check(10, count(&tree, |run| pvs(run, root, full)));
        assert_eq!(alpha_beta.interior.to_string(), row[11], "{row:?}");
        assert_eq!(scouted.interior.to_string(), row[12], "{row:?}");
        rows += 1;
    }
    assert_eq!(rows, 36);
}
