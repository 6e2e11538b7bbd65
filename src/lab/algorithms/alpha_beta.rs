//! From minimax to alpha-beta, in five steps.
//!
//! [`minimax`] is the definition that every other algorithm must agree with
//! (Shannon, "Programming a computer for playing chess", Philosophical Magazine
//! 41, 1950). [`negamax`], [`f1`] and [`f2`] are F0, F1 and F2 of Knuth and
//! Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6, 1975,
//! section 2, except that the sign follows the side to move and not the parity
//! of the depth: in Kalah a side may move again. [`f2_prime`] is F2 with a rule
//! for each player, F2 and G2. [`f3`] is F3 of Fishburn, "Another optimization of
//! alpha-beta search", SIGART Newsletter 84, 1983.

use crate::game::score::{Score, Window};

use super::search::Search;
use super::tree::{Child, Player};

/// Minimax: the value of `node` as Max counts it. Max takes the highest child,
/// Min the lowest; every leaf is visited. `player` is to move at `node`.
pub fn minimax<S: Search>(search: &mut S, node: S::Node, player: Player) -> S::Value {
    let Some(children) = search.children(node) else {
        return player.to_max(search.leaf(node));
    };
    let values = children.map(|child| {
        let minimax = |s: &mut S, node, player, _| minimax(s, node, player);
        search.below_player(minimax, child, player, Window::full())
    });
    match player {
        Player::Max => values.max(),
        Player::Min => values.min(),
    }
    .expect("a node with children has a best one")
}

/// F0, negamax: minimax with one rule for both players. The value of `node` to
/// the player to move there.
///
/// The window plays no part; it lets a transposition table answer.
pub fn negamax<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(negamax, child, window));
    }
    best
}

/// F1, branch and bound: alpha-beta without deep cutoffs. The value of `node` to
/// the player to move there if that is below `window.beta`, otherwise a value
/// of at least `window.beta`.
///
/// A child gets one bound, what its siblings are worth; nothing comes from
/// farther up. If the mover moves again after a child, that bound is an alpha
/// and never cuts there. Many early programs, and perhaps Noe's, had no more.
pub fn f1<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        let value = search.below(f1, child, Window { alpha: best, beta: S::Value::MAX });
        best = best.max(value);
        // A shallow cutoff: the opponent, who has something better above, avoids this node.
        if window.fails_high(best) {
            break;
        }
    }
    best
}

/// F2, alpha-beta with deep cutoffs, fail-hard: the value of `node` to the
/// player to move there if it lies in `window`; at most `alpha` if the value
/// is, at least `beta` if the value is.
///
/// Above a leaf a search that fails low returns exactly `alpha`.
pub fn f2<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = window.alpha;
    for child in children {
        best = best.max(search.below(f2, child, window.raised(best)));
        // A cutoff, shallow or deep: an ancestor has an alternative at least as good.
        if window.fails_high(best) {
            break;
        }
    }
    best
}

/// F2 for Max and G2 for Min: alpha-beta with deep cutoffs, fail-hard, with a
/// rule for each player. Values and window are as Max counts; `player` is to
/// move at `node`.
pub fn f2_prime<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    window: Window<S::Value>,
) -> S::Value {
    let Some(children) = search.children(node) else {
        return player.to_max(search.leaf(node));
    };
    let mut left = window;
    for child in children {
        let value = search.below_player(f2_prime, child, player, left);
        match player {
            Player::Max => left.alpha = left.alpha.max(value),
            Player::Min => left.beta = left.beta.min(value),
        }
        if left.alpha >= left.beta {
            break;
        }
    }
    match player {
        Player::Max => left.alpha,
        Player::Min => left.beta,
    }
}

/// F3, alpha-beta with deep cutoffs, fail-soft: the value of `node` to the player
/// to move there if it lies in `window`; an upper bound of at most `alpha` or a
/// lower bound of at least `beta` if not.
///
/// It visits what F2 visits. The only difference is that `best` starts below
/// every score, so that a result outside the window is a bound too.
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

/// The loop of F3 over `children`, for a mover who has `best` without them;
/// `algorithm` searches each.
pub(super) fn fail_soft<S: Search>(
    search: &mut S,
    algorithm: impl Fn(&mut S, S::Node, Window<S::Value>) -> S::Value,
    children: impl IntoIterator<Item = Child<S::Node>>,
    mut best: S::Value,
    window: Window<S::Value>,
) -> S::Value {
    for child in children {
        best = best.max(search.below(&algorithm, child, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}
