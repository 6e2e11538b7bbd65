//! Alpha-beta with deep cutoffs, fail-soft.
//!
//! F3 of Fishburn, "Another optimization of alpha-beta search", SIGART
//! Newsletter 84, 1983. It visits what F2 visits and says more: outside the
//! window its answer is still a bound.

use crate::score::{Score, Window};

use super::search::Search;

/// The value of `node` to the player to move there if it lies in `window`; an
/// upper bound of at most `alpha` or a lower bound of at least `beta` if not.
pub fn f3<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(f3, child, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}
