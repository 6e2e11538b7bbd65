//! What can be wrapped around any algorithm with a window: iterative deepening
//! and the aspiration window.
//!
//! Slate and Atkin, "CHESS 4.5", in Chess Skill in Man and Machine, 1977, use
//! both. Memory, the third, stands between an algorithm and its calls of
//! itself: see [`Memory`](super::Memory).

use crate::score::{Score, Window};

use super::search::Search;

/// Searches `root` 1, 2, … moves deep up to its height. `algorithm` is told the
/// value of the iteration before, if there was one. `None` if the search was
/// ended from outside before the first iteration was done; the value of an
/// iteration that was ended so is not used.
///
/// It pays with a memory that puts remembered children first.
pub fn deepening<S: Search>(
    search: &mut S,
    root: S::Node,
    algorithm: impl Fn(&mut S, S::Node, Option<S::Value>) -> S::Value,
) -> Option<S::Value> {
    let mut value = None;
    for height in 1..=search.height(root) {
        let next = algorithm(search, search.truncated(root, height), value);
        if search.is_spent() {
            break;
        }
        value = Some(next);
    }
    value
}

/// Searches `node` with a window of `margin` on either side of `guess`, and
/// again with that side open if the value lies outside.
pub fn aspiration<S: Search>(
    search: &mut S,
    node: S::Node,
    guess: S::Value,
    margin: S::Value,
    algorithm: impl Fn(&mut S, S::Node, Window<S::Value>) -> S::Value,
) -> S::Value {
    let window = Window::new(guess - margin, guess + margin);
    search.pass();
    let value = search.visit(&algorithm, node, window);
    let wider = if window.fails_low(value) {
        Window::new(S::Value::MIN, value.successor())
    } else if window.fails_high(value) {
        // All above the predecessor of what is proved.
        Window::new(Window::null_under(value).alpha, S::Value::MAX)
    } else {
        return value;
    };
    search.pass();
    search.visit(&algorithm, node, wider)
}
