//! Negamax: minimax with one rule for both players.
//!
//! F0 of Knuth and Moore, "An analysis of alpha-beta pruning", Artificial
//! Intelligence 6, 1975, section 2, except that the sign follows the side to
//! move and not the parity of the depth: in Kalah a side may move again.

use crate::score::{Score, Window};

use super::search::Search;

/// The value of `node` to the player to move there.
///
/// The window plays no part; it lets a memory answer for nodes met before.
pub fn negamax<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(negamax, child, window));
    }
    best
}
