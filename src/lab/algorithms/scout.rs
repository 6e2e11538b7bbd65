//! SCOUT: evaluate the first child, test whether the others are better, and
//! evaluate those that are.
//!
//! EVAL of Pearl, "Scout: a simple game-searching algorithm with proven optimal
//! properties", AAAI-80. It is what Noe compared with alpha-beta on Kalah.

use super::search::Search;
use super::test::{test_above, test_under};
use super::tree::Player;

/// The value of `node` as Max counts it; `player` is to move there.
pub fn scout<S: Search>(search: &mut S, node: S::Node, player: Player) -> S::Value {
    let Some(mut children) = search.children(node) else {
        return player.to_max(search.leaf(node));
    };
    let first = children.next().expect("a node with children has a first one");
    let mut value = scout(search, first.node, player.after(first.turn));
    for child in children {
        let mover = player.after(child.turn);
        let better = match player {
            Player::Max => test_above(search, child.node, mover, value),
            Player::Min => test_under(search, child.node, mover, value),
        };
        if better {
            search.research();
            value = scout(search, child.node, mover);
        }
    }
    value
}
