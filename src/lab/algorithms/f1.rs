//! Branch and bound without deep cutoffs: one bound, from the parent.
//!
//! F1 of Knuth and Moore, "An analysis of alpha-beta pruning", Artificial
//! Intelligence 6, 1975, section 2. Many early programs, and perhaps Noe's, had
//! no more than this.

use crate::score::{Score, Window};

use super::search::Search;

/// The value of `node` to the player to move there if that is below
/// `window.beta`; otherwise a value that is at least `window.beta`.
///
/// Nothing is known from above but `beta`: a child learns only what its
/// siblings are worth. If the mover moves again after a child, that says
/// nothing about when to stop there.
pub fn f1<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        let value = search.below(f1, child, Window { alpha: best, beta: S::Value::MAX });
        best = best.max(value);
        if window.fails_high(best) {
            break;
        }
    }
    best
}
