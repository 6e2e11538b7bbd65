//! Searches that may err by design, as rivals in whole games: [`quiescence`] looks
//! beyond the frontier, [`beam`] omits moves that look bad at first sight, and [`probcut`] cuts
//! where a shallow search makes it very unlikely that a deep one would matter.

use std::ops::RangeInclusive;

use kalah_game::{Score, Window};
use kalah_sys::random::SplitMix64;

use super::alpha_beta::{best_child, f3};
use super::search::{SearchRun, TreeEvent, TreeSearch};
use super::tree::{ChildNode, Measure, ProbCutCheck, ProbCutModel, Tree};

/// F3 that continues beyond the frontier with noisy moves, as long as they are
/// better than stopping there.
///
/// A static evaluation is misleading where the next move upsets it. The mover is not
/// forced to make such a move, so the evaluation itself is a lower bound ("stand
/// pat"). Shannon (1950) proposes it; the name is from Harris, "The heuristic search and
/// the game of chess", IJCAI 1975.
pub fn quiescence<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    window: Window<S::Value>,
) -> S::Value {
    let Some(children) = search.children(node) else { return quiet(search, node, window) };
    best_child(search, quiescence, children, S::Value::MIN, window)
}

/// The value of a node on the frontier, or of the noisy moves from there.
fn quiet<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let best = search.leaf(node);
    if window.fails_high(best) || search.is_stopped() {
        return best;
    }
    // Nodes beyond the frontier have depth 0, too; `beyond` adds the one move to look at.
    let beyond = search.tree().beyond(node);
    let Some(children) = search.children(beyond) else { return best };
    let tree = search.tree();
    let noisy: Vec<_> = children
        .filter(|child| tree.is_noisy(beyond, child))
        .map(|child| ChildNode { node: tree.truncated(child.node, 0), ..child })
        .collect();
    best_child(search, quiet, noisy, best, window)
}

/// Number of children that [`beam`] searches at each node.
const BEAM: usize = 3;

/// F3 over the 3 children of each node that the static evaluation rates highest: a
/// beam search, as Lowerre named it ("The HARPY speech recognition system",
/// 1976), on a game tree. It may prune the best move.
pub fn beam<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut children: Vec<_> = children.collect();
    if children.len() > BEAM {
        search.report(TreeEvent::Ordering(children.len() as u64));
        let tree = search.tree();
        children.sort_by_cached_key(|child| {
            -child.turn.from_child(tree.value(tree.truncated(child.node, 0)))
        });
        children.truncate(BEAM);
    }
    best_child(search, beam, children, S::Value::MIN, window)
}

impl ProbCutModel {
    /// Checks for nodes of `depths`, each by a search two moves shallower, fitted to
    /// `samples` nodes reached by random moves from the root of `tree`, whose depth must
    /// exceed that of the highest check.
    pub fn fitted<T: Tree>(
        tree: &T,
        depths: RangeInclusive<u16>,
        samples: usize,
        random: &mut SplitMix64,
    ) -> Self {
        let min = *depths.start();
        let max = *depths.end();
        let moves = tree.depth(tree.root()) - max;
        let nodes: Vec<T::Node> =
            (0..samples).map(|_| reached(tree, random.below(moves.into()), random)).collect();
        let values_at = |depth| -> Vec<T::Value> {
            let truncated = nodes.iter().map(|&node| tree.truncated(node, depth));
            truncated.map(|node| f3(&mut SearchRun::new(tree), node, Window::full())).collect()
        };
        let by_depth: Vec<Vec<T::Value>> = (min - 2..=max).map(values_at).collect();
        let fitted = by_depth.windows(3).zip(depths).filter_map(|(values, depth)| {
            let pairs = values[0].iter().copied().zip(values[2].iter().copied());
            ProbCutCheck::fitted(depth, depth - 2, &pairs.collect::<Vec<_>>())
        });
        Self { checks: fitted.collect(), sureness: 1.5 }
    }
}

/// The node after up to `moves` random moves from the root; it is not a leaf unless the
/// root is one.
fn reached<T: Tree>(tree: &T, moves: usize, random: &mut SplitMix64) -> T::Node {
    let mut node = tree.root();
    for _ in 0..moves {
        if tree.is_leaf(node) {
            break;
        }
        let children: Vec<_> = tree.children(node).collect();
        let next = children[random.below(children.len())].node;
        if tree.is_leaf(next) {
            break;
        }
        node = next;
    }
    node
}

/// The value that [`f3`] would return, unless a check of the tree's model errs.
///
/// Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA
/// Journal 18(2), 1995. The value of a deep search is modelled as a linear function of the
/// value of a shallow one plus a normally distributed error; both are fitted to
/// searched positions.
pub fn probcut<S: TreeSearch>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let depth = search.tree().depth(node);
    let check = search.tree().model().and_then(|model| {
        let check = model.checks.iter().find(|check| check.depth == depth)?;
        Some((*check, model.sureness * check.deviation))
    });
    if let Some((check, doubt)) = check {
        let shallow = search.tree().truncated(node, check.shallow);
        // A shallow value this high makes a deep one of at least beta likely enough to cut.
        if window.beta < S::Value::MAX {
            let bound = check.shallow_for(window.beta.number() + doubt).ceil();
            let high = Window::null_under(S::Value::at_most(bound));
            if high.fails_high(search.visit(probcut, shallow, high)) {
                return window.beta;
            }
        }
        // The same for a deep value of at most alpha.
        if window.alpha > S::Value::MIN {
            let low =
                Window::null(S::Value::at_most(check.shallow_for(window.alpha.number() - doubt)));
            if low.fails_low(search.visit(probcut, shallow, low)) {
                return window.alpha;
            }
        }
    }
    let Some(children) = search.children(node) else { return search.leaf(node) };
    best_child(search, probcut, children, S::Value::MIN, window)
}
