//! Principal variation search, fail-hard.
//!
//! Campbell and Marsland, "A comparison of minimax tree search algorithms",
//! Artificial Intelligence 20, 1983: a null window for all children but the
//! first, and the whole window `(alpha, beta)` again for those that beat it.

use crate::score::Window;

use super::search::Search;

/// The value of `node` to the player to move there if it lies in `window`; at
/// most `alpha` if the value is, at least `beta` if the value is.
pub fn pvs<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut left = window;
    for (nth, child) in children.enumerate() {
        let null = Window::null(left.alpha);
        let is_first = nth == 0;
        let mut value = search.below(pvs, child, if is_first { left } else { null });
        if !is_first && null.fails_high(value) && !left.fails_high(value) {
            search.research();
            value = search.below(pvs, child, left);
        }
        left.alpha = left.alpha.max(value);
        if window.fails_high(left.alpha) {
            break;
        }
    }
    left.alpha
}
