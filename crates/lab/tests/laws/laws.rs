//! Properties of the search family that must hold on every tree, and some that need not.

use std::collections::HashSet;

use kalah_game::{Gain, Position, Rules, Score, Window};
use kalah_lab::uniform::Leaves;
use kalah_lab::{
    Algorithm, ChildNode, ChildOrder, Cutoff, ExtraTurnBounds, ExtraTurns, F1Form, KalahTree,
    ListTree, Method, MinimaxSide, Options, ReferenceTable, Relation, Research, SearchCounts,
    SearchRun, TestQuestion, Tree, TreeSearch, Unfolded, UniformTree, f1, f2, f2_strict, f3,
    minimax, mt_sss, negascout, printed_f4, printed_f4_prime, proof_number, pvs, scout, sss, test,
};
use kalah_sys::random::SplitMix64;

use crate::dynamic;

/// A tree with only three values: lost, drawn, won.
struct Signs<T>(T);

impl<T: Tree<Value = Gain>> Tree for Signs<T> {
    type Value = Gain;
    type Node = T::Node;
    type Key = T::Key;
    type Children<'t>
        = T::Children<'t>
    where
        T: 't;

    fn root(&self) -> T::Node {
        self.0.root()
    }
    fn is_leaf(&self, node: T::Node) -> bool {
        self.0.is_leaf(node)
    }
    fn value(&self, node: T::Node) -> Gain {
        Gain(self.0.value(node).0.signum())
    }
    fn children(&self, node: T::Node) -> T::Children<'_> {
        self.0.children(node)
    }
    fn depth(&self, node: T::Node) -> u16 {
        self.0.depth(node)
    }
    fn truncated(&self, node: T::Node, depth: u16) -> T::Node {
        self.0.truncated(node, depth)
    }
    fn ceiling(&self, _: T::Node) -> Gain {
        Gain(1)
    }
    fn aspiration_margin(&self) -> Gain {
        Gain(1)
    }
    fn key(&self, node: T::Node) -> T::Key {
        self.0.key(node)
    }
}

/// Every exact algorithm, alone and with every form and suffix that its name can have.
fn methods() -> Vec<Method> {
    let mut forms = vec![""];
    forms.extend(Algorithm::FORMS.map(|(form, _)| form));
    let suffixes = ["", "+tt", "+id", "+asp", "+asp4", "+tt+id", "+tt+id+asp"];
    let mut algorithms = Vec::new();
    for (name, ..) in Algorithm::NAMED {
        algorithms.extend(forms.iter().map(|form| format!("{name}{form}")));
    }
    let names = algorithms.iter().flat_map(|name| suffixes.map(|suffix| format!("{name}{suffix}")));
    let parsed = names.filter_map(|name| name.parse().ok());
    parsed.filter(|method: &Method| method.algorithm.is_exact()).collect()
}

fn all_agree<T: Tree>(tree: &T, alternates: bool, methods: &[Method], what: &str) {
    let truth = minimax(&mut SearchRun::new(tree), tree.root(), MinimaxSide::Max);
    for method in methods {
        if alternates || !method.algorithm.needs_alternation() {
            let value = method.value(tree, dynamic(&mut ()));
            assert_eq!(value, Some(truth), "{method} on {what}");
        }
    }
    for (bound, above) in
        [(truth, false), (Window::null_under(truth).alpha, true), (truth.successor(), false)]
    {
        let proved = proof_number(&mut SearchRun::new(tree), tree.root(), MinimaxSide::Max, bound);
        assert_eq!(proved, above, "proof numbers on {what}, above {bound:?}");
    }
}

/// Each method finds a child of the root that has the same value as the root, if the
/// root has children.
fn best_children_are_best<T: Tree>(tree: &T, alternates: bool, methods: &[Method], what: &str) {
    let root = tree.root();
    let truth = minimax(&mut SearchRun::new(tree), root, MinimaxSide::Max);
    for method in methods {
        if !alternates && method.algorithm.needs_alternation() {
            continue;
        }
        let found = method.play(tree, dynamic(&mut ()), 1, |_| ());
        assert_eq!(found.value, truth, "{method} on {what}");
        let Some(best) = found.best else {
            assert!(tree.is_leaf(root), "{method} knows no best child on {what}");
            continue;
        };
        let child = { tree.children(root) }.nth(best.into()).unwrap();
        let player = MinimaxSide::Max.after(child.turn);
        let value = minimax(&mut SearchRun::new(tree), child.node, player);
        assert_eq!(value, truth, "{method} chooses child {best} on {what}");
    }
}

#[test]
fn every_method_chooses_a_child_with_the_value_of_the_root() {
    let methods = methods();
    for tree in random_trees(1_000) {
        best_children_are_best(&tree, true, &methods, &format!("{tree:?}"));
    }
    for (what, extra_turns, tree) in kalah_trees(300) {
        best_children_are_best(&tree, extra_turns.alternates(), &methods, &what);
    }
}

#[test]
fn questions_are_answered_as_minimax_would_and_cost_less() {
    let ask = |name: &str, bound: i32| format!("{name}:{bound}").parse::<Method>().unwrap();
    let (mut asked, mut all) = (0, 0);
    for (what, _, tree) in kalah_trees(300) {
        let truth = minimax(&mut SearchRun::new(&tree), tree.root(), MinimaxSide::Max);
        for bound in [truth.0 - 1, truth.0, truth.0 + 2] {
            for method in [ask("test", bound), ask("proof-number", bound)] {
                let mut counts = SearchCounts::default();
                let value = method.value(&tree, dynamic(&mut counts)).unwrap();
                assert_eq!(value > Gain(bound), truth > Gain(bound), "{method} on {what}");
                assert!(method.is_right(value, truth));
                // The other end of the null window gives the other answer.
                let wrong = if truth > Gain(bound) { Gain(bound) } else { Gain(bound + 1) };
                assert!(!method.is_right(wrong, truth));
                asked += counts.leaves;
                let mut counts = SearchCounts::default();
                Method::from(Algorithm::F3).value(&tree, dynamic(&mut counts));
                all += counts.leaves;
            }
        }
    }
    assert!(asked < all, "{asked} leaves for answers, {all} for values");
}

/// Small trees of all kinds, the same ones in every run.
fn random_trees(count: u64) -> impl Iterator<Item = UniformTree> {
    let mut random = SplitMix64::new(17);
    (0..count).map(move |seed| {
        let width = 1 + random.below(5) as u16;
        let depths = [9, 7, 5, 4, 3][usize::from(width) - 1];
        let depth = 1 + random.below(depths) as u16;
        let leaves = match random.below(8) {
            0 => Leaves::Continuous,
            1 => Leaves::BestFirst(random.below(101) as u8),
            2 => Leaves::Cubes(4),
            3 => Leaves::WorstFirst,
            few => Leaves::Few(few as u32 - 2),
        };
        UniformTree { width, depth, leaves, seed }
    })
}

/// Positions reached by random moves, the same ones in every run.
fn random_positions(count: usize) -> impl Iterator<Item = Position> {
    let mut random = SplitMix64::new(4);
    let boards = [(6, 4), (6, 6), (4, 3), (3, 5), (6, 2)];
    (0..count).map(move |nth| {
        let (pits, seeds) = boards[nth % boards.len()];
        let start = Position::start(Rules::new(pits, seeds, Default::default()).unwrap());
        let mut position = start;
        for _ in 0..random.below(24) {
            let moves = position.moves();
            if !moves.is_empty() {
                let pit = moves.iter().nth(random.below(moves.len())).unwrap();
                position.play(pit).unwrap();
            }
        }
        if position.is_over() { start } else { position }
    })
}

fn kalah_trees(count: usize) -> impl Iterator<Item = (String, ExtraTurns, KalahTree<u64>)> {
    let orders = [ChildOrder::Far, ChildOrder::Near, ChildOrder::Random, ChildOrder::Static];
    random_positions(count).enumerate().map(move |(nth, position)| {
        let extra_turns = ExtraTurns::ALL[nth % 3];
        let order = orders[nth / 3 % 4];
        let depth = 1 + (nth / 12 % 3) as u16;
        let what = format!("{position} {extra_turns} {order} depth {depth}");
        (what, extra_turns, KalahTree::new(&position, depth, extra_turns, order))
    })
}

#[test]
#[ignore = "slow: .ci/run"]
fn every_algorithm_equals_minimax_on_ten_thousand_random_trees() {
    let methods = methods();
    assert!(methods.len() > 60, "{}", methods.len());
    for tree in random_trees(10_000) {
        all_agree(&tree, true, &methods, &format!("{tree:?}"));
    }
}

#[test]
fn every_algorithm_equals_minimax_on_three_thousand_kalah_positions() {
    let methods = methods();
    for (nth, (what, extra_turns, tree)) in kalah_trees(3_000).enumerate() {
        if nth % 4 == 0 {
            all_agree(&Signs(tree), extra_turns.alternates(), &methods, &what);
        } else {
            all_agree(&tree, extra_turns.alternates(), &methods, &what);
        }
    }
}

/// The leaves visited, in order.
fn leaves<T: Tree, V>(
    tree: &T,
    search: impl Fn(&mut SearchRun<'_, T, Vec<T::Node>>) -> V,
) -> (V, Vec<T::Key>) {
    let mut run = SearchRun::watched(tree, Vec::new());
    let value = search(&mut run);
    (value, run.observer.into_iter().map(|leaf| tree.key(leaf)).collect())
}

/// Calls `law` with trees that have no transpositions.
macro_rules! on_trees_without_transpositions {
    ($law:expr) => {
        for tree in random_trees(1_500) {
            $law(&tree, &format!("{tree:?}"));
        }
        for (what, _, tree) in kalah_trees(600) {
            $law(&Unfolded(tree), &what);
        }
    };
}

#[test]
fn fail_hard_and_fail_soft_alpha_beta_visit_the_same_leaves_in_the_same_order() {
    fn law<T: Tree>(tree: &T, what: &str) {
        let hard = leaves(tree, |run| f2(run, tree.root(), Window::full()));
        let soft = leaves(tree, |run| f3(run, tree.root(), Window::full()));
        assert_eq!(hard, soft, "{what}");
    }
    on_trees_without_transpositions!(law);
}

#[test]
fn test_is_alpha_beta_with_a_null_window_in_verdict_and_leaves() {
    fn law<T: Tree>(tree: &T, what: &str) {
        let root = tree.root();
        let truth = minimax(&mut SearchRun::new(tree), root, MinimaxSide::Max);
        for bound in [truth, truth.successor(), Window::null_under(truth).alpha] {
            let above =
                leaves(tree, |run| test(run, root, MinimaxSide::Max, TestQuestion::above(bound)));
            let null = leaves(tree, |run| {
                Window::null(bound).fails_high(f3(run, root, Window::null(bound)))
            });
            assert_eq!(above, null, "> {bound:?} on {what}");
            let under =
                leaves(tree, |run| test(run, root, MinimaxSide::Max, TestQuestion::below(bound)));
            let null = leaves(tree, |run| {
                let window = Window::null_under(bound);
                window.fails_low(f3(run, root, window))
            });
            assert_eq!(under, null, "< {bound:?} on {what}");
        }
    }
    on_trees_without_transpositions!(law);
}

/// The value of a tree is compared by the operators of the language, not by
/// [`TestQuestion::holds`].
#[test]
fn each_relation_is_true_of_the_value_or_of_its_opposite_from_either_side() {
    fn law<T: Tree>(tree: &T, what: &str) {
        let root = tree.root();
        for side in [MinimaxSide::Max, MinimaxSide::Min] {
            let value = minimax(&mut SearchRun::new(tree), root, side);
            for bound in [Window::null_under(value).alpha, value, value.successor()] {
                for (relation, expected) in [
                    (Relation::Above, value > bound),
                    (Relation::AtLeast, value >= bound),
                    (Relation::Below, value < bound),
                    (Relation::AtMost, value <= bound),
                ] {
                    let question = TestQuestion { relation, bound };
                    let ask = |question| test(&mut SearchRun::new(tree), root, side, question);
                    assert_eq!(ask(question), expected, "{value:?}{question:?}, {side:?}, {what}");
                    assert_eq!(ask(question.negated()), !expected, "not {question:?}, {what}");
                    assert_eq!(question.holds(value), expected, "{question:?}");
                }
            }
        }
    }
    on_trees_without_transpositions!(law);
}

/// The window of a question has the two values between which the answer changes.
#[test]
fn an_answer_proves_the_end_of_its_window_for_which_it_is_right() {
    for relation in Relation::ALL {
        let question = TestQuestion { relation, bound: 3 };
        let method = Method { question: Some(question), ..Algorithm::Test.into() };
        let mut ends = Vec::new();
        for value in 0..=6_i64 {
            let leaf: ListTree = value.to_string().parse().unwrap();
            let proved = method.value(&leaf, dynamic(&mut ())).unwrap();
            assert_eq!(question.measured().holds(proved), question.measured().holds(value));
            ends.push(proved);
        }
        ends.dedup();
        assert!(ends.len() == 2 && ends[1] == ends[0] + 1, "{question}: {ends:?}");
    }
}

#[test]
fn every_alpha_beta_answers_as_test_does_and_f2_visits_its_leaves() {
    fn law<T: Tree>(tree: &T, what: &str) {
        let root = tree.root();
        let truth = minimax(&mut SearchRun::new(tree), root, MinimaxSide::Max);
        for bound in [truth, Window::null_under(truth).alpha] {
            let (above, asked) =
                leaves(tree, |run| test(run, root, MinimaxSide::Max, TestQuestion::above(bound)));
            let null = Window::null(bound);
            let (value, hard) = leaves(tree, |run| f2(run, root, null));
            assert_eq!((null.fails_high(value), hard), (above, asked), "F2, {bound:?} on {what}");
            let shallow = f1(&mut SearchRun::new(tree), root, null, F1Form::default());
            assert_eq!(null.fails_high(shallow), above, "F1, {bound:?} on {what}");
        }
    }
    on_trees_without_transpositions!(law);
}

#[test]
fn f1_that_keeps_both_bounds_visits_the_leaves_of_whole_turns_where_extra_turns_are_free() {
    let mut kept_both = 0;
    let mut kept_one = 0;
    for (nth, position) in random_positions(400).enumerate() {
        let depth = 2 + (nth % 3) as u16;
        let order = if nth % 2 == 0 { ChildOrder::Far } else { ChildOrder::Near };
        let search = |extra_turns, bounds: ExtraTurnBounds| {
            let tree = KalahTree::<u64>::new(&position, depth, extra_turns, order);
            let mut run = SearchRun::watched(&tree, Vec::new());
            let value = f1(&mut run, tree.root(), Window::full(), bounds.into());
            let leaves = run.observer.into_iter().map(|leaf| tree.value(leaf));
            (value, leaves.collect::<Vec<Gain>>())
        };
        let free = search(ExtraTurns::Free, ExtraTurnBounds::Both);
        let compound = search(ExtraTurns::Compound, ExtraTurnBounds::Both);
        assert_eq!(free.0, compound.0, "{position}, depth {depth}");
        assert_eq!(free.1.len(), compound.1.len(), "{position}, depth {depth}");
        kept_both += free.1.len();
        kept_one += search(ExtraTurns::Free, ExtraTurnBounds::Opponent).1.len();
    }
    assert!(kept_one > kept_both, "{kept_one} and {kept_both} leaves");
}

#[test]
fn alpha_beta_that_cuts_only_above_beta_visits_every_leaf_of_the_usual_form() {
    fn law<T: Tree>(tree: &T, what: &str) {
        let root = tree.root();
        let full = Window::full();
        let usual = leaves(tree, |run| f2(run, root, full));
        let above = leaves(tree, |run| f2_strict(run, root, full));
        assert_eq!(above.0, usual.0, "F2 on {what}");
        let more: HashSet<T::Key> = above.1.into_iter().collect();
        assert!(usual.1.iter().all(|leaf| more.contains(leaf)), "F2 on {what}");
        let deep = more.len();
        let shallow = |cutoff| {
            let form = F1Form { cutoff, ..F1Form::default() };
            leaves(tree, |run| f1(run, root, full, form))
        };
        let usual = shallow(Cutoff::AtBeta);
        let above = shallow(Cutoff::AboveBeta);
        assert_eq!(above.0, usual.0, "F1 on {what}");
        let more: HashSet<T::Key> = above.1.into_iter().collect();
        assert!(usual.1.iter().all(|leaf| more.contains(leaf)), "F1 on {what}");
        assert!(deep <= more.len(), "deep cutoffs save leaves in either form, on {what}");
    }
    on_trees_without_transpositions!(law);
}

#[test]
fn nothing_is_pruned_if_each_child_is_better_than_the_one_before() {
    for (width, depth) in [(1, 4), (2, 9), (3, 6), (5, 5)] {
        let tree = UniformTree { width, depth, leaves: Leaves::WorstFirst, seed: 1 };
        let (value, visited) = leaves(&tree, |run| f3(run, tree.root(), Window::full()));
        assert_eq!(value, minimax(&mut SearchRun::new(&tree), tree.root(), MinimaxSide::Max));
        assert_eq!(visited.len(), usize::from(width).pow(depth.into()), "{tree:?}");
    }
}

#[test]
fn scouting_algorithms_and_sss_visit_no_leaf_that_alpha_beta_prunes() {
    fn law<T: Tree>(tree: &T, what: &str) {
        let (root, full) = (tree.root(), Window::full());
        let (_, visited) = leaves(tree, |run| f3(run, root, full));
        let visited: HashSet<T::Key> = visited.into_iter().collect();
        let check = |name: &str, others: Vec<T::Key>| {
            assert!(others.iter().all(|leaf| visited.contains(leaf)), "{name} on {what}");
        };
        check("pvs", leaves(tree, |run| pvs(run, root, full)).1);
        check("f4", leaves(tree, |run| negascout(run, root, full, Research::default())).1);
        check("sss", leaves(tree, |run| sss(run, root, MinimaxSide::Max)).1);
    }
    on_trees_without_transpositions!(law);
}

#[test]
fn mt_sss_visits_the_leaves_of_sss_equally_often() {
    fn law<T: Tree>(tree: &T, what: &str) {
        let (value, mut open) = leaves(tree, |run| sss(run, tree.root(), MinimaxSide::Max));
        let table = ReferenceTable::in_tree_order();
        let mut run = SearchRun::watched(tree, Vec::new()).with_table(table);
        assert_eq!(mt_sss(&mut run, tree.root()), value, "{what}");
        let mut mt: Vec<T::Key> = run.observer.into_iter().map(|leaf| tree.key(leaf)).collect();
        open.sort_unstable();
        mt.sort_unstable();
        assert_eq!(open, mt, "{what}");
    }
    for tree in random_trees(3_000) {
        law(&tree, &format!("{tree:?}"));
    }
    for (what, _, tree) in kalah_trees(600) {
        law(&Unfolded(tree), &what);
    }
}

#[test]
fn the_printed_texts_are_right_but_visit_what_alpha_beta_prunes() {
    let as_printed = Options { literal: true, ..Options::default() };
    let mut strays = [0; 2];
    let mut alpha_beta = 0;
    let mut more = [0u64; 2];
    for seed in 0..150 {
        let tree = UniformTree { width: 6, depth: 6, leaves: Leaves::Continuous, seed };
        let (root, full) = (tree.root(), Window::full());
        let (_, pruned) = leaves(&tree, |run| f3(run, root, full));
        alpha_beta += pruned.len() as u64;
        let visited: HashSet<u64> = pruned.into_iter().collect();
        let f4 = leaves(&tree, |run| printed_f4(run, root, full, as_printed)).1;
        let f4_prime = leaves(&tree, |run| printed_f4_prime(run, root, full, as_printed)).1;
        for (nth, leaves) in [f4, f4_prime].into_iter().enumerate() {
            strays[nth] += usize::from(leaves.iter().any(|leaf| !visited.contains(leaf)));
            more[nth] += leaves.len() as u64;
        }
    }
    assert!(strays.iter().all(|&count| count > 0), "{strays:?}");
    assert!(more[1] > alpha_beta, "F4' costs more than alpha-beta: {more:?}, {alpha_beta}");
}

#[test]
fn trusting_null_windows_three_plies_up_gives_wrong_values() {
    let trusting = Options { trusted_depth: 4, ..Options::default() };
    let wrong = random_trees(3_000)
        .filter(|tree| {
            let truth = minimax(&mut SearchRun::new(tree), tree.root(), MinimaxSide::Max);
            printed_f4(&mut SearchRun::new(tree), tree.root(), Window::full(), trusting) != truth
        })
        .count();
    assert!(wrong > 0);
}

#[test]
fn the_depth_rule_is_wrong_where_an_extra_turn_is_a_ply() {
    let start = Position::start(Rules::default());
    let tree = KalahTree::<u64>::new(&start, 2, ExtraTurns::Ply, ChildOrder::Far);
    let truth = minimax(&mut SearchRun::new(&tree), tree.root(), MinimaxSide::Max);
    let ruled =
        printed_f4(&mut SearchRun::new(&tree), tree.root(), Window::full(), Options::DEPTH_RULE);
    assert_ne!(ruled, truth);
}

#[test]
fn minimal_trees_cost_what_the_formulas_predict_except_for_the_old_h2() {
    for width in 2..=6u64 {
        for depth in [2u32, 4, 6, 8] {
            let tree = UniformTree {
                width: width as u16,
                depth: depth as u16,
                leaves: Leaves::BestFirst(100),
                seed: 1,
            };
            let (root, full) = (tree.root(), Window::full());
            let count = |search: &dyn Fn(&mut SearchRun<'_, UniformTree, SearchCounts>) -> i64| {
                let mut run = SearchRun::watched(&tree, SearchCounts::default());
                assert_eq!(search(&mut run), tree.value(root));
                run.observer
            };
            let half = width.pow(depth / 2);
            let knuth_moore = 2 * half - 1;
            let h1 = 2 * (half * width - 1) / (width - 1) - half;
            let h2 = 2 * h1 + half - (u64::from(depth) + 2);
            let mut proof = SearchRun::watched(&tree, SearchCounts::default());
            let bound = Window::null_under(tree.value(root)).alpha;
            assert!(test(&mut proof, root, MinimaxSide::Max, TestQuestion::above(bound)));
            assert_eq!(proof.observer.nodes(), h1, "TEST, {width} wide, {depth} high");
            let corrected = Research::default();
            let searches: [(&str, SearchCounts); 4] = [
                ("alpha-beta", count(&|run| f3(run, root, full))),
                ("scout", count(&|run| scout(run, root, MinimaxSide::Max))),
                ("f4", count(&|run| negascout(run, root, full, corrected))),
                ("pvs", count(&|run| pvs(run, root, full))),
            ];
            for (name, counts) in searches {
                let what = format!("{name}, {width} wide, {depth} high");
                assert_eq!(counts.leaves, knuth_moore, "{what}");
                assert_eq!(counts.nodes(), h2, "{what}");
                let old = h2 - width.pow(depth / 2 - 1);
                assert_ne!(counts.nodes(), old, "{what}");
            }
        }
    }
}

#[test]
fn watched_and_unwatched_searches_see_the_same_children() {
    // A table puts the best child first, without losing or repeating any.
    for (what, _, tree) in kalah_trees(60) {
        let table = ReferenceTable::default();
        let mut run = SearchRun::watched(&tree, SearchCounts::default()).with_table(table);
        f3_twice(&mut run, &what);
    }
}

fn f3_twice(run: &mut SearchRun<'_, KalahTree<u64>, SearchCounts>, what: &str) {
    let root = run.tree.root();
    let plain: Vec<ChildNode<_>> = run.tree.children(root).collect();
    let _ = run.visit(f3, root, Window::full());
    let mut ordered: Vec<ChildNode<_>> = run.children(root).into_iter().flatten().collect();
    ordered.sort_by_key(|child| child.index);
    assert_eq!(ordered, plain, "{what}");
}

/// Yu, slide 31: "the heuristic estimation from a deeper search replace that from a shallower one".
#[test]
fn a_deeper_search_replaces_the_bounds_of_a_shallower_one() {
    let start = Position::start(Rules::default());
    let tree = KalahTree::<u64>::new(&start, 4, ExtraTurns::Compound, ChildOrder::Far);
    let table = ReferenceTable::default();
    let mut run = SearchRun::watched(&tree, SearchCounts::default()).with_table(table);
    let mut search = |depth| {
        let before = run.observer.leaves;
        let value = run.visit(f3, tree.truncated(tree.root(), depth), Window::full());
        (value, run.observer.leaves - before)
    };
    let plain =
        |depth| f3(&mut SearchRun::new(&tree), tree.truncated(tree.root(), depth), Window::full());
    assert!(search(2).1 > 0);
    assert_eq!(search(2), (plain(2), 0), "the table answers");
    let (deep, leaves) = search(4);
    assert!(deep == plain(4) && leaves > 0, "a shallow bound does not answer a deep search");
    assert_eq!(search(4), (deep, 0));
    let (shallow, leaves) = search(2);
    assert!(shallow == plain(2) && leaves > 0, "the bounds of depth 2 are gone");
}

fn minimax_of_lists(text: &str, first: MinimaxSide) -> i64 {
    let mut tree: ListTree = text.parse().unwrap();
    tree.first = first;
    first.to_max(minimax(&mut SearchRun::new(&tree), tree.root(), MinimaxSide::Max))
}

#[test]
fn leaf_values_of_lists_are_from_max_s_point_of_view_whichever_side_moves_first() {
    assert_eq!(minimax_of_lists("[[3,9],[5,6]]", MinimaxSide::Max), 5);
    assert_eq!(minimax_of_lists("[[3,9],[5,6]]", MinimaxSide::Min), 6);
    assert_eq!(
        minimax_of_lists("[[3,9], -4 ,[[1,2],7]]", MinimaxSide::Max),
        3,
        "leaves of any depth"
    );
    assert_eq!(minimax_of_lists("7", MinimaxSide::Min), 7);
}

#[test]
fn errors_in_lists_name_what_was_expected() {
    let error = |text: &str| text.parse::<ListTree>().unwrap_err().to_string();
    let lists = "expected nested lists of whole numbers such as [[3,9],[5,6]]: ";
    for (text, place) in [("", "column 0"), ("[3,x]", "column 4"), ("[3]]", "column 4")] {
        let error = error(text);
        assert!(error.starts_with(lists) && error.ends_with(place), "{error}");
    }
    let unknown = "unknown tree 'hsu-les': expected 'hsu-less', 'hsu-more', ";
    assert!(error("hsu-les").starts_with(unknown), "{}", error("hsu-les"));
    for (text, got) in [("[]", "[]"), ("[3,[\"x\"]]", "\"x\""), ("[1.5]", "1.5")] {
        let words = "expected a whole number or a list such as [3,9], got";
        assert_eq!(error(text), format!("{words} '{got}'"));
    }
    assert!(error(&"[".repeat(300)).contains("recursion limit"));
    assert_eq!(error(&format!("[{}1]", "1,".repeat(100_000))), "expected at most 100000 nodes");
}
