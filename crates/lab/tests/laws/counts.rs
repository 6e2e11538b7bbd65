//! Every algorithm visits exactly as many leaves as the golden table lists.

use kalah_game::{Capture, Gain, Position, Rules, Window};
use kalah_lab::{
    ChildOrder, ExtraTurnBounds, ExtraTurns, F1Form, KalahTree, MinimaxSide, Options, Research,
    SearchCounts, SearchRun, Tree, f1, f2, f3, minimax, negamax, negascout, printed_f4, pvs, scout,
};

type Watched<'t> = SearchRun<'t, KalahTree<u64>, SearchCounts>;

fn count(tree: &KalahTree<u64>, search: impl Fn(&mut Watched<'_>) -> Gain) -> (Gain, SearchCounts) {
    let mut run = SearchRun::watched(tree, SearchCounts::default());
    let value = search(&mut run);
    (value, run.observer)
}

#[test]
fn leaves_and_interior_nodes_from_the_start_match_the_golden_table() {
    let mut rows = 0;
    for row in kalah_testing::rows(include_str!("../../../../tests/data/lab_counts.tsv")) {
        let number = |index: usize| row[index].parse::<u32>().unwrap();
        let rules = Rules::new(number(0), number(1), Capture::Standard).unwrap();
        let extra_turns: ExtraTurns = row[2].parse().unwrap();
        let depth = number(3) as u16;
        let start = Position::start(rules);
        let tree = KalahTree::<u64>::new(&start, depth, extra_turns, ChildOrder::Far);
        let root = tree.root();
        let full = Window::full();
        let truth = Gain(row[13].parse().unwrap());
        let check = |column: usize, (value, counts): (Gain, SearchCounts)| {
            let golden = row[column];
            let says = format!("column {column} of {row:?}");
            assert_eq!(counts.leaves.to_string(), golden.trim_end_matches('!'), "{says}");
            assert_eq!(value != truth, golden.ends_with('!'), "{value}: {says}");
            counts
        };
        check(4, count(&tree, |run| minimax(run, root, MinimaxSide::Max)));
        check(4, count(&tree, |run| negamax(run, root, full)));
        check(5, count(&tree, |run| f2(run, root, full)));
        let alpha_beta = check(5, count(&tree, |run| f3(run, root, full)));
        // The table's F1 resets its bound at an extra turn.
        let reset =
            check(6, count(&tree, |run| f1(run, root, full, ExtraTurnBounds::Neither.into())));
        let (_, kept) = count(&tree, |run| f1(run, root, full, F1Form::default()));
        assert!(kept.leaves <= reset.leaves, "{row:?}");
        assert!(kept == reset || !extra_turns.alternates(), "{row:?}");
        let scouted = check(7, count(&tree, |run| scout(run, root, MinimaxSide::Max)));
        check(8, count(&tree, |run| negascout(run, root, full, Research::default())));
        check(9, count(&tree, |run| printed_f4(run, root, full, Options::DEPTH_RULE)));
        check(10, count(&tree, |run| pvs(run, root, full)));
        assert_eq!(alpha_beta.interior.to_string(), row[11], "{row:?}");
        assert_eq!(scouted.interior.to_string(), row[12], "{row:?}");
        rows += 1;
    }
    assert_eq!(rows, 36);
}
