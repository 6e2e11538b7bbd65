//! Alpha-beta with deep cutoffs, fail-hard.
//!
//! F2 of Knuth and Moore, "An analysis of alpha-beta pruning", Artificial
//! Intelligence 6, 1975, section 2.

use crate::score::Window;

use super::search::Search;

/// The value of `node` to the player to move there if it lies in `window`; at
/// most `alpha` if the value is, at least `beta` if the value is.
///
/// Above a leaf a search that fails low returns exactly `alpha`.
pub fn f2<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = window.alpha;
    for child in children {
        best = best.max(search.below(f2, child, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}
