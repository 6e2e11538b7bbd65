//! Searches that err on purpose, as rivals in whole games: [`quiescence`] looks
//! beyond the frontier, [`beam`] leaves out what looks bad at once, and [`probcut`]
//! cuts where a shallow search makes a deep one very unlikely to matter.

use std::ops::RangeInclusive;

use crate::game::score::{Score, Window};
use crate::sys::random::SplitMix64;

use super::alpha_beta::{f3, fail_soft};
use super::search::{Event, Run, Search};
use super::tree::{Check, Child, Measure, Model, Tree};

/// F3 that continues beyond the frontier with noisy moves, as long as they are
/// better than to stop there.
///
/// A static evaluation is misleading where the next move upsets it. The mover is not
/// forced to make such a move, so the evaluation itself is a lower bound ("stand
/// pat"). Shannon 1950 asks for it; the name is of Harris, "The heuristic search and
/// the game of chess", IJCAI 1975.
pub fn quiescence<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return quiet(search, node, window) };
    fail_soft(search, quiescence, children, S::Value::MIN, window)
}

/// The value of a node on the frontier, or of the noisy moves from there.
fn quiet<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let best = search.leaf(node);
    if window.fails_high(best) || search.is_stopped() {
        return best;
    }
    let beyond = search.tree().beyond(node);
    let Some(children) = search.children(beyond) else { return best };
    let tree = search.tree();
    let noisy: Vec<_> = children
        .filter(|child| tree.is_noisy(beyond, child))
        .map(|child| Child { node: tree.truncated(child.node, 0), ..child })
        .collect();
    fail_soft(search, quiet, noisy, best, window)
}

/// Children that [`beam`] searches at each node.
const BEAM: usize = 3;

/// F3 over the 3 children of each node that the static evaluation likes best: a
/// beam search, as Lowerre named it ("The HARPY speech recognition system",
/// 1976), on a game tree. It may prune the best move.
pub fn beam<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut children: Vec<_> = children.collect();
    if children.len() > BEAM {
        search.report(Event::Ordering(children.len() as u64));
        let tree = search.tree();
        children.sort_by_cached_key(|child| {
            -child.turn.from_child(tree.value(tree.truncated(child.node, 0)))
        });
        children.truncate(BEAM);
    }
    fail_soft(search, beam, children, S::Value::MIN, window)
}

impl Model {
    /// Checks for nodes of `heights`, each by a search two moves less deep, fitted to
    /// `samples` nodes reached by random moves from the root of `tree`, which must be
    /// higher than the highest check.
    pub fn fitted<T: Tree>(
        tree: &T,
        heights: RangeInclusive<u16>,
        samples: usize,
        random: &mut SplitMix64,
    ) -> Self {
        let (min, max) = (*heights.start(), *heights.end());
        let moves = tree.height(tree.root()) - max;
        let nodes: Vec<T::Node> =
            (0..samples).map(|_| reached(tree, random.below(moves.into()), random)).collect();
        let by_height = (min - 2..=max).map(|height| {
            let truncated = nodes.iter().map(|&node| tree.truncated(node, height));
            truncated.map(|node| f3(&mut Run::new(tree), node, Window::full())).collect()
        });
        let by_height: Vec<Vec<T::Value>> = by_height.collect();
        let fitted = by_height.windows(3).zip(heights).filter_map(|(values, height)| {
            let pairs = values[0].iter().copied().zip(values[2].iter().copied());
            Check::fitted(height, height - 2, &pairs.collect::<Vec<_>>())
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

/// What [`f3`] would say of `node`, if the checks of the tree's model don't err.
///
/// Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA
/// Journal 18(2), 1995. The value of a deep search is taken for a linear function of the
/// value of a shallow one plus an error with a normal distribution; both are fitted to
/// searched positions.
pub fn probcut<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let height = search.tree().height(node);
    let check = search.tree().model().and_then(|model| {
        let check = model.checks.iter().find(|check| check.height == height)?;
        Some((*check, model.sureness * check.deviation))
    });
    if let Some((check, doubt)) = check {
        let shallow = search.tree().truncated(node, check.shallow);
        if window.beta < S::Value::MAX {
            let high = check.shallow_for(window.beta.number() + doubt).ceil();
            let high = Window::null_under(S::Value::at_most(high));
            if high.fails_high(search.visit(probcut, shallow, high)) {
                return window.beta;
            }
        }
        if window.alpha > S::Value::MIN {
            let low =
                Window::null(S::Value::at_most(check.shallow_for(window.alpha.number() - doubt)));
            if low.fails_low(search.visit(probcut, shallow, low)) {
                return window.alpha;
            }
        }
    }
    let Some(children) = search.children(node) else { return search.leaf(node) };
    fail_soft(search, probcut, children, S::Value::MIN, window)
}
