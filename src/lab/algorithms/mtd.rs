//! MTD(f), MT-SSS* and MT-DUAL*: null windows only, until the bounds meet.
//!
//! Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax
//! algorithms", Artificial Intelligence 87, 1996. Each pass is alpha-beta (F3)
//! with a null window; a [`Table`](super::Table) lets a pass go on where the
//! one before stopped. Without memory values are right and most work is done
//! again.

use crate::score::{Interval, Score, Window};

use super::f3::f3;
use super::search::Search;

/// The value of `node` to the player to move there, found from `guess`: the
/// nearer the guess, the fewer passes.
pub fn mtd<S: Search>(search: &mut S, node: S::Node, guess: S::Value) -> S::Value {
    let mut proved = Interval::unknown();
    let mut value = guess;
    while proved.lower < proved.upper {
        let window =
            if value == proved.lower { Window::null(value) } else { Window::null_under(value) };
        search.pass();
        value = search.visit(f3, node, window);
        if window.fails_low(value) {
            proved.upper = value;
        } else {
            proved.lower = value;
        }
        if search.is_spent() {
            break;
        }
    }
    value
}

/// MT-SSS*: from above. With a memory that keeps the tree's order it visits the
/// leaves of Stockman's SSS*.
pub fn mt_sss<S: Search>(search: &mut S, node: S::Node) -> S::Value {
    mtd(search, node, S::Value::MAX)
}

/// MT-DUAL*: from below.
pub fn mt_dual<S: Search>(search: &mut S, node: S::Node) -> S::Value {
    mtd(search, node, S::Value::MIN)
}
