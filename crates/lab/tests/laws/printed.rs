//! The procedures of the sources, word for word, and the algorithms here that bear their names:
//! each visits the same leaves in the same order, and returns the same value.
//!
//! The transcriptions keep the names and the line order of the texts, and know nothing of trees,
//! windows and tables. `doc/lab/algorithms.md` names the editions of the sources:
//!
//! | procedure | source | name here |
//! |---|---|---|
//! | TEST>, TEST< | Hsu, slides 4 and 5 (2015: 4 and 8) | `test>v`, `test<v` |
//! | TEST<=, TEST>= | Hsu, slide 8 (2015: 6), by complement | `test<=v`, `test>=v` |
//! | SCOUT | Hsu, slide 9 (2015: 7) | `scout` |
//! | F4 with the cutoff at the maximum | Hsu, undated, slide 29 | `negascout-printed` |
//! | F4 | Hsu, 2021, slide 28 | `negascout-literal-depth3` |
//! | F4′ and G4′ with the cutoff at the maximum | Hsu, undated, slides 25 and 26 | `f4'-printed` |
//! | F4′ and G4′ | Hsu, 2021, slides 24 and 25 | `f4'-literal-depth3` |
//! | NEGAMAX | Yu, slide 8 | `negamax` |
//! | ALPHABETA, fail-soft with a rule for each player | Yu, slide 15 | `f3'` |
//! | AB-NEGAMAX | Yu, slide 16 | `f3` |
//! | NEGASCOUT | Yu, slide 21 | `negascout-wide` |
//! | MTDf, with AlphaBetaWithMemory of Plaat et al. | Yu, slide 24 | `mtd-f` |
//! | UCB1, UCB1-tuned | Yu, slide 40 | `ucb1`, `ucb1-tuned` |
//! | pvs, with the `else` that the stored text has lost | Wikipedia | `pvs` |

use std::collections::HashMap;

use kalah_game::{Score, Window};
use kalah_lab::findings::trace::Trace;
use kalah_lab::list_tree::NAMED;
use kalah_lab::uniform::{Leaves, UniformNode};
use kalah_lab::{
    Arm, ListTree, Method, MinimaxSide, Policy, ReferenceTable, SearchRun, Strategy, TestQuestion,
    Tree, UniformTree, mtd, test,
};
use kalah_sys::random::SplitMix64;

use crate::dynamic;

const INFINITY: i64 = <i64 as Score>::MAX;
/// Leaf values of the trees are at most this far from 0.
const MAX_POSSIBLE: i64 = 7;

/// A position of a text: its successors or, for a terminal one, its value to Max.
struct P {
    successors: Vec<P>,
    f: i64,
    is_max: bool,
    node: u64,
}

impl P {
    fn new(tree: &UniformTree, node: UniformNode, is_max: bool) -> Self {
        let mut p = P { successors: Vec::new(), f: 0, is_max, node: node.hash };
        if tree.is_leaf(node) {
            p.f = if is_max { tree.value(node) } else { -tree.value(node) };
        } else {
            p.successors =
                tree.children(node).map(|child| P::new(tree, child.node, !is_max)).collect();
        }
        p
    }
}

/// The leaves that a procedure has evaluated, in order, and the bounds that it has stored.
#[derive(Default)]
struct Evaluated {
    leaves: Vec<u64>,
    memory: HashMap<u64, (i64, i64)>,
}

impl Evaluated {
    fn f(&mut self, p: &P) -> i64 {
        self.leaves.push(p.node);
        p.f
    }

    /// The value to the player to move.
    fn h(&mut self, p: &P) -> i64 {
        let f = self.f(p);
        if p.is_max { f } else { -f }
    }

    // Hsu, "How to TEST>".
    fn test_above(&mut self, p: &P, v: i64) -> bool {
        if p.successors.is_empty() {
            return self.f(p) > v;
        }
        if p.is_max {
            for p_i in &p.successors {
                if self.test_above(p_i, v) {
                    return true;
                }
            }
            return false;
        }
        for p_i in &p.successors {
            if !self.test_above(p_i, v) {
                return false;
            }
        }
        true
    }

    // Hsu, "How to TEST<".
    fn test_below(&mut self, p: &P, v: i64) -> bool {
        if p.successors.is_empty() {
            return self.f(p) < v;
        }
        if p.is_max {
            for p_i in &p.successors {
                if !self.test_below(p_i, v) {
                    return false;
                }
            }
            return true;
        }
        for p_i in &p.successors {
            if self.test_below(p_i, v) {
                return true;
            }
        }
        false
    }

    // Hsu, "Main SCOUT procedure".
    fn scout(&mut self, p: &P) -> i64 {
        let Some((p_1, others)) = p.successors.split_first() else { return self.f(p) };
        let mut v = self.scout(p_1);
        for p_i in others {
            let passes = if p.is_max { self.test_above(p_i, v) } else { self.test_below(p_i, v) };
            if passes {
                v = self.scout(p_i);
            }
        }
        v
    }

    // Hsu, "The NegaScout Algorithm", which in 2021 has no cutoff at the maximum.
    fn f4(&mut self, p: &P, alpha: i64, beta: i64, depth: u16, maximum: bool) -> i64 {
        if p.successors.is_empty() || depth == 0 {
            return self.h(p);
        }
        let mut m = -INFINITY;
        let mut n = beta;
        for p_i in &p.successors {
            let t = -self.f4(p_i, -n, -i64::max(alpha, m), depth - 1, maximum);
            if t > m {
                if n == beta || depth < 3 || t >= beta {
                    m = t;
                } else {
                    m = -self.f4(p_i, -beta, -t, depth - 1, maximum);
                }
            }
            if (maximum && m == MAX_POSSIBLE) || m >= beta {
                return m;
            }
            n = i64::max(alpha, m) + 1;
        }
        m
    }

    // Hsu, "The NegaScout Algorithm - Mini-Max (1/2)".
    fn f4_prime(&mut self, p: &P, alpha: i64, beta: i64, depth: u16, maximum: bool) -> i64 {
        if p.successors.is_empty() || depth == 0 {
            return self.f(p);
        }
        let mut m = self.g4_prime(&p.successors[0], alpha, beta, depth - 1, maximum);
        if m >= beta {
            return m;
        }
        for p_i in &p.successors[1..] {
            let t = self.g4_prime(p_i, m, m + 1, depth - 1, maximum);
            if t > m {
                if depth < 3 || t >= beta {
                    m = t;
                } else {
                    m = self.g4_prime(p_i, t, beta, depth - 1, maximum);
                }
            }
            if (maximum && m == MAX_POSSIBLE) || m >= beta {
                return m;
            }
        }
        m
    }

    // Hsu, "The NegaScout Algorithm - Mini-Max (2/2)".
    fn g4_prime(&mut self, p: &P, alpha: i64, beta: i64, depth: u16, maximum: bool) -> i64 {
        if p.successors.is_empty() || depth == 0 {
            return self.f(p);
        }
        let mut m = self.f4_prime(&p.successors[0], alpha, beta, depth - 1, maximum);
        if m <= alpha {
            return m;
        }
        for p_i in &p.successors[1..] {
            let t = self.f4_prime(p_i, m - 1, m, depth - 1, maximum);
            if t < m {
                if depth < 3 || t <= alpha {
                    m = t;
                } else {
                    m = self.f4_prime(p_i, alpha, t, depth - 1, maximum);
                }
            }
            if (maximum && m == -MAX_POSSIBLE) || m <= alpha {
                return m;
            }
        }
        m
    }

    // Yu, "Negamax Search".
    fn negamax(&mut self, s: &P) -> i64 {
        if s.successors.is_empty() {
            return self.h(s);
        }
        let mut result = -INFINITY;
        for s_ in &s.successors {
            result = i64::max(result, -self.negamax(s_));
        }
        result
    }

    // Yu, "Implementation of alpha-beta Pruning", first slide.
    fn alphabeta(&mut self, s: &P, mut alpha: i64, mut beta: i64) -> i64 {
        if s.successors.is_empty() {
            return self.f(s);
        }
        if s.is_max {
            let mut v = -INFINITY;
            for a in &s.successors {
                v = i64::max(v, self.alphabeta(a, alpha, beta));
                if v >= beta {
                    return v;
                }
                alpha = i64::max(alpha, v);
            }
            return v;
        }
        let mut v = INFINITY;
        for a in &s.successors {
            v = i64::min(v, self.alphabeta(a, alpha, beta));
            if alpha >= v {
                return v;
            }
            beta = i64::min(beta, v);
        }
        v
    }

    // Yu, "Implementation of alpha-beta Pruning", second slide.
    fn ab_negamax(&mut self, s: &P, mut alpha: i64, beta: i64) -> i64 {
        if s.successors.is_empty() {
            return self.h(s);
        }
        let mut v = -INFINITY;
        for s_ in &s.successors {
            v = i64::max(v, -self.ab_negamax(s_, -beta, -alpha));
            if v >= beta {
                return v;
            }
            alpha = i64::max(alpha, v);
        }
        v
    }

    // Yu, "NegaScout", second slide.
    fn negascout(&mut self, s: &P, mut alpha: i64, beta: i64) -> i64 {
        if s.successors.is_empty() {
            return self.h(s);
        }
        let mut b = beta;
        let mut v = -INFINITY;
        for (a, s_) in s.successors.iter().enumerate() {
            let mut result = -self.negascout(s_, -b, -alpha);
            if alpha < result && result < beta && a != 0 {
                result = -self.negascout(s_, -beta, -alpha);
            }
            v = i64::max(v, result);
            if v >= beta {
                return v;
            }
            alpha = i64::max(alpha, v);
            b = alpha + 1;
        }
        v
    }

    // Wikipedia, "Principal variation search", with the `else` that its stored text has lost.
    fn pvs(&mut self, node: &P, mut alpha: i64, beta: i64) -> i64 {
        if node.successors.is_empty() {
            return self.h(node);
        }
        for (nth, child) in node.successors.iter().enumerate() {
            let mut score;
            if nth == 0 {
                score = -self.pvs(child, -beta, -alpha);
            } else {
                score = -self.pvs(child, -alpha - 1, -alpha);
                if alpha < score && score < beta {
                    score = -self.pvs(child, -beta, -alpha);
                }
            }
            alpha = i64::max(alpha, score);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    // Wikipedia, "Principal variation search", as stored: the first child is searched in the whole
    // window, and again like the others, because the text has no `else`.
    fn pvs_as_stored(&mut self, node: &P, mut alpha: i64, beta: i64) -> i64 {
        if node.successors.is_empty() {
            return self.h(node);
        }
        for (nth, child) in node.successors.iter().enumerate() {
            if nth == 0 {
                self.pvs_as_stored(child, -beta, -alpha);
            }
            let mut score = -self.pvs_as_stored(child, -alpha - 1, -alpha);
            if alpha < score && score < beta {
                score = -self.pvs_as_stored(child, -beta, -alpha);
            }
            alpha = i64::max(alpha, score);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    // Plaat et al., "Best-first fixed-depth minimax algorithms", figure 1: AlphaBetaWithMemory. The
    // value of a terminal is stored as exact.
    fn alpha_beta_with_memory(&mut self, n: &P, mut alpha: i64, mut beta: i64) -> i64 {
        let stored = self.memory.get(&n.node).copied();
        if let Some((lowerbound, upperbound)) = stored {
            if lowerbound >= beta {
                return lowerbound;
            }
            if upperbound <= alpha {
                return upperbound;
            }
            alpha = i64::max(alpha, lowerbound);
            beta = i64::min(beta, upperbound);
        }
        let mut g;
        if n.successors.is_empty() {
            g = self.f(n);
            self.memory.insert(n.node, (g, g));
            return g;
        } else if n.is_max {
            g = -INFINITY;
            let mut a = alpha;
            for c in n.successors.iter() {
                if g >= beta {
                    break;
                }
                g = i64::max(g, self.alpha_beta_with_memory(c, a, beta));
                a = i64::max(a, g);
            }
        } else {
            g = INFINITY;
            let mut b = beta;
            for c in n.successors.iter() {
                if g <= alpha {
                    break;
                }
                g = i64::min(g, self.alpha_beta_with_memory(c, alpha, b));
                b = i64::min(b, g);
            }
        }
        let (lowerbound, upperbound) = self.memory.entry(n.node).or_insert((-INFINITY, INFINITY));
        if g < beta {
            *upperbound = g;
        }
        if g > alpha {
            *lowerbound = g;
        }
        g
    }

    // Yu, "MTD-f"; the text does not print AlphaBetaWithMemory.
    fn mtd_f(&mut self, root: &P, f: i64, with_memory: bool) -> i64 {
        let mut g = f;
        let mut upper_bound = INFINITY;
        let mut lower_bound = -INFINITY;
        while lower_bound < upper_bound {
            let beta = i64::max(g, lower_bound + 1);
            g = if with_memory {
                self.alpha_beta_with_memory(root, beta - 1, beta)
            } else {
                self.ab_negamax(root, beta - 1, beta)
            };
            if g < beta {
                upper_bound = g;
            } else {
                lower_bound = g;
            }
        }
        g
    }
}

/// 400 trees with leaf values from 0 to 7 for the player to move, of all shapes.
fn trees() -> impl Iterator<Item = UniformTree> {
    let leaves = Leaves::Few(MAX_POSSIBLE as u32 + 1);
    (0..400).map(move |seed| {
        let (width, depth) = (2 + seed as u16 % 3, 1 + seed as u16 / 3 % 6);
        UniformTree { width, depth, leaves, seed }
    })
}

/// The number of trees on which the value or the leaves of a search differ from those of the text.
fn differing(
    search: impl Fn(&UniformTree, &mut Vec<UniformNode>) -> i64,
    text: impl Fn(&mut Evaluated, &P, u16) -> i64,
) -> usize {
    let differs = |tree: &UniformTree| {
        let mut leaves = Vec::new();
        let value = search(tree, &mut leaves);
        let mut evaluated = Evaluated::default();
        let wanted = text(&mut evaluated, &P::new(tree, tree.root(), true), tree.depth);
        let leaves: Vec<u64> = leaves.iter().map(|leaf| leaf.hash).collect();
        (value, leaves) != (wanted, evaluated.leaves)
    };
    trees().filter(differs).count()
}

#[track_caller]
fn assert_printed(name: &str, text: impl Fn(&mut Evaluated, &P, u16) -> i64) {
    let method: Method = name.parse().unwrap();
    assert_eq!(
        differing(|tree, leaves| method.value(tree, dynamic(leaves)).unwrap(), text),
        0,
        "{name}"
    );
}

#[test]
fn the_four_tests_match_the_printed_text() {
    for v in [-3, 0, 2] {
        let question = |question: TestQuestion<i64>| {
            move |tree: &UniformTree, leaves: &mut Vec<UniformNode>| {
                let mut run = SearchRun::watched(tree, leaves);
                i64::from(test(&mut run, tree.root(), MinimaxSide::Max, question))
            }
        };
        let above = TestQuestion::above(v);
        let below = TestQuestion::below(v);
        assert_eq!(differing(question(above), |e, p, _| e.test_above(p, v).into()), 0);
        assert_eq!(differing(question(below), |e, p, _| e.test_below(p, v).into()), 0);
        // The slide "How to TEST - Discussions" defines these by the other two.
        assert_eq!(differing(question(above.negated()), |e, p, _| (!e.test_above(p, v)).into()), 0);
        assert_eq!(differing(question(below.negated()), |e, p, _| (!e.test_below(p, v)).into()), 0);
    }
}

#[test]
fn scout_and_the_forms_of_f4_match_the_slides() {
    assert_printed("scout", |e, p, _| e.scout(p));
    for (form, maximum) in [("-printed", true), ("-literal-depth3", false)] {
        assert_printed(&format!("negascout{form}"), |e, p, depth| {
            e.f4(p, -INFINITY, INFINITY, depth, maximum)
        });
        assert_printed(&format!("f4'{form}"), |e, p, depth| {
            e.f4_prime(p, -INFINITY, INFINITY, depth, maximum)
        });
    }
}

#[test]
fn the_procedures_of_yu_and_of_the_article_match_the_printed_text() {
    assert_printed("negamax", |e, p, _| e.negamax(p));
    assert_printed("f3'", |e, p, _| e.alphabeta(p, -INFINITY, INFINITY));
    assert_printed("f3", |e, p, _| e.ab_negamax(p, -INFINITY, INFINITY));
    assert_printed("negascout-wide", |e, p, _| e.negascout(p, -INFINITY, INFINITY));
    assert_printed("pvs", |e, p, _| e.pvs(p, -INFINITY, INFINITY));
    for f in [-2, 0, 5] {
        let search = |tree: &UniformTree, leaves: &mut Vec<UniformNode>| {
            mtd(&mut SearchRun::watched(tree, leaves), tree.root(), f)
        };
        assert_eq!(differing(search, |e, p, _| e.mtd_f(p, f, false)), 0, "mtd-f from {f}");
        let search = |tree: &UniformTree, leaves: &mut Vec<UniformNode>| {
            let table = ReferenceTable::in_tree_order();
            mtd(&mut SearchRun::watched(tree, leaves).with_table(table), tree.root(), f)
        };
        let differ = differing(search, |e, p, _| e.mtd_f(p, f, true));
        assert_eq!(differ, 0, "mtd-f with memory from {f}");
    }
}

#[test]
fn the_stored_text_of_pvs_finds_the_value_and_never_visits_fewer_leaves() {
    let mut more = 0;
    for tree in trees() {
        let root = P::new(&tree, tree.root(), true);
        let mut restored = Evaluated::default();
        let mut stored = Evaluated::default();
        let value = restored.pvs(&root, -INFINITY, INFINITY);
        assert_eq!(stored.pvs_as_stored(&root, -INFINITY, INFINITY), value, "{tree:?}");
        assert!(stored.leaves.len() >= restored.leaves.len(), "{tree:?}");
        more += usize::from(stored.leaves.len() > restored.leaves.len());
    }
    assert_eq!(more, 400);
}

#[test]
fn ucb1_pulls_the_arm_with_the_highest_printed_score() {
    let mut random = SplitMix64::new(3);
    for nth in 0..400 {
        // The bound of the variance is below a quarter only after many rewards that vary little.
        let (most, spread) = if nth % 2 == 0 { (9, 1.0) } else { (400, 0.05) };
        let rewards: Vec<Vec<f64>> = (0..2 + random.below(5))
            .map(|_| (0..1 + random.below(most)).map(|_| spread * random.unit()).collect())
            .collect();
        let mut arms = vec![Arm::default(); rewards.len()];
        for (arm, rewards) in arms.iter_mut().zip(&rewards) {
            rewards.iter().for_each(|&reward| arm.pull(reward));
        }
        let n = rewards.iter().map(Vec::len).sum::<usize>() as f64;
        let scores = |tuned: bool| {
            let score = move |x: &Vec<f64>| {
                let n_i = x.len() as f64;
                let mean = x.iter().sum::<f64>() / n_i;
                let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n_i;
                if tuned {
                    let least = f64::min(0.25, variance + (2.0 * n.ln() / n_i).sqrt());
                    mean + (n.ln() / n_i * least).sqrt()
                } else {
                    mean + (2.0 * n.ln() / n_i).sqrt()
                }
            };
            rewards.iter().map(score).collect::<Vec<f64>>()
        };
        for (policy, tuned) in [(Policy::Ucb1, false), (Policy::Ucb1Tuned, true)] {
            let scores = scores(tuned);
            let pulled = Strategy::Ucb(policy).choose(&arms, &mut random);
            assert!(scores.iter().all(|&score| score <= scores[pulled] + 1e-12), "{policy:?}");
        }
    }
}

/// How often an algorithm visits each leaf of a worked tree, left to right.
fn visits(tree: &str, method: &str, window: Option<Window<i64>>) -> Vec<usize> {
    let tree: ListTree = tree.parse().unwrap();
    let method: Method = method.parse().unwrap();
    let trace = Trace::new(method, &tree, window).unwrap();
    let leaves = (0..).zip(tree.items()).filter(|(_, item)| item.children.is_empty());
    leaves.map(|(at, _)| trace.visits.iter().filter(|node| node.index == at).count()).collect()
}

#[test]
fn the_worked_trees_are_searched_as_the_slides_draw_them() {
    // 5, 15, 10, 8, 0.
    assert_eq!(visits("hsu-less", "scout", None), [1, 1, 1, 0, 1]);
    assert_eq!(visits("hsu-less", "f3", None), [1, 1, 1, 1, 1]);
    // 10, 25, 0, 8, 5, 20.
    assert_eq!(visits("hsu-more", "f3", None), [1, 1, 1, 1, 0, 1]);
    assert_eq!(visits("hsu-more", "scout", None)[4], 3);
    // 5, 6, 3, 4.
    assert_eq!(visits("yu-null", "f3", None), [1, 1, 1, 1]);
    assert_eq!(visits("yu-null", "negascout-wide", None), [1, 1, 0, 1]);
    for [name, text, _] in NAMED.iter() {
        assert_eq!(name.parse::<ListTree>().unwrap(), text.parse().unwrap());
    }
}
