//! Searches that err on purpose, as rivals in whole games.
//!
//! [`quiescence`] looks beyond the frontier, [`beam`] leaves out what looks bad at
//! once, [`epsilon_greedy`] does not look ahead at all.

use crate::game::score::{Score, Window};
use crate::sys::random::SplitMix64;

use super::observer::Event;
use super::search::Search;
use super::tree::{Child, Tree};

/// F3 that goes on beyond the frontier with noisy moves, as long as they are
/// better than to stop there.
///
/// Shannon 1950 asks for it; the name is of Harris, "The heuristic search and the
/// game of chess", IJCAI 1975.
pub fn quiescence<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return quiet(search, node, window) };
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(quiescence, child, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}

/// The value of a node on the frontier, or of the noisy moves from there.
fn quiet<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let mut best = search.leaf(node);
    if window.fails_high(best) || search.is_stopped() {
        return best;
    }
    let beyond = search.tree().beyond(node);
    let Some(children) = search.children(beyond) else { return best };
    for child in children {
        if !search.tree().is_noisy(beyond, &child) {
            continue;
        }
        let node = search.tree().truncated(child.node, 0);
        best = best.max(search.below(quiet, Child { node, ..child }, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}

/// Children that [`beam`] searches at each node.
const BEAM: usize = 3;

/// F3 over the 3 children of each node that the static evaluation likes best: a
/// beam search, as Lowerre named it ("The HARPY speech recognition system",
/// 1976), on a game tree.
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
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(beam, child, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}

/// How often [`epsilon_greedy`] chooses at random.
const EPSILON: f64 = 0.1;

/// The index of a child of `root` and its static evaluation: the best one, or
/// in one of 10 any. `None` if `root` is a leaf.
///
/// Watkins, "Learning from delayed rewards", 1989, uses the rule for exploration.
pub fn epsilon_greedy<S: Search>(
    search: &mut S,
    root: S::Node,
    random: &mut SplitMix64,
) -> Option<(u16, S::Value)> {
    let mut children = Vec::new();
    for child in search.children(root)? {
        let node = search.tree().truncated(child.node, 0);
        children.push((child.index, child.turn.from_child(search.leaf(node))));
    }
    if random.unit() < EPSILON {
        return Some(children[random.below(children.len())]);
    }
    // The first of equals.
    children.into_iter().rev().max_by_key(|&(_, value)| value)
}
