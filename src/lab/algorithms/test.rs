//! TEST: is the value beyond a bound? Cheaper than to find the value.
//!
//! Pearl, "Scout: a simple game-searching algorithm with proven optimal
//! properties", AAAI-80. In verdict and leaves it is alpha-beta with a null
//! window.

use super::search::Search;
use super::tree::Player;

/// TEST>: whether the value of `node`, as Max counts it, is above `bound`.
/// `player` is to move at `node`. Its complement is the test for `<=`.
pub fn test_above<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    bound: S::Value,
) -> bool {
    let Some(mut children) = search.children(node) else {
        return player.to_max(search.leaf(node)) > bound;
    };
    let mut below = |child: super::Child<S::Node>| {
        test_above(search, child.node, player.after(child.turn), bound)
    };
    match player {
        Player::Max => children.any(&mut below),
        Player::Min => children.all(&mut below),
    }
}

/// TEST<: whether the value of `node`, as Max counts it, is under `bound`.
/// `player` is to move at `node`. Its complement is the test for `>=`.
pub fn test_under<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    bound: S::Value,
) -> bool {
    let Some(mut children) = search.children(node) else {
        return player.to_max(search.leaf(node)) < bound;
    };
    let mut below = |child: super::Child<S::Node>| {
        test_under(search, child.node, player.after(child.turn), bound)
    };
    match player {
        Player::Max => children.all(&mut below),
        Player::Min => children.any(&mut below),
    }
}
