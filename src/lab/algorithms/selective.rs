//! Searches that err on purpose, as rivals in whole games: [`quiescence`] looks
//! beyond the frontier, [`beam`] leaves out what looks bad at once.

use crate::game::score::{Score, Window};

use super::alpha_beta::fail_soft;
use super::observer::Event;
use super::search::Search;
use super::tree::{Child, Tree};

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
