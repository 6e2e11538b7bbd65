//! SCOUT: evaluate the first child, test whether the others are better, and
//! evaluate those that are.
//!
//! EVAL and TEST of Pearl, "Scout: a simple game-searching algorithm with proven
//! optimal properties", AAAI-80. It is what Noe compared with alpha-beta on
//! Kalah. TEST asks only whether a value lies beyond a bound; in verdict and
//! leaves it is alpha-beta with a null window.

use super::observer::Event;
use super::search::Search;
use super::tree::{Child, Player};

/// EVAL: the value of `node` as Max counts it; `player` is to move there.
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
            Player::Min => test_below(search, child.node, mover, value),
        };
        if better {
            search.report(Event::Research);
            value = scout(search, child.node, mover);
        }
    }
    value
}

/// TEST>: whether the value of `node`, as Max counts it, is above `bound`.
/// `player` is to move at `node`. Its complement is the test for `<=`.
pub fn test_above<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    bound: S::Value,
) -> bool {
    test(search, node, player, Player::Max, &|value| value > bound)
}

/// TEST<: whether the value of `node`, as Max counts it, is below `bound`.
/// `player` is to move at `node`. Its complement is the test for `>=`.
pub fn test_below<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    bound: S::Value,
) -> bool {
    test(search, node, player, Player::Min, &|value| value < bound)
}

/// Whether `passes` holds of the value, which `wanting` wants: one child that
/// passes is enough where `wanting` moves, all must pass where the other does.
fn test<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    wanting: Player,
    passes: &impl Fn(S::Value) -> bool,
) -> bool {
    let Some(mut children) = search.children(node) else {
        return passes(player.to_max(search.leaf(node)));
    };
    let mut below =
        |child: Child<S::Node>| test(search, child.node, player.after(child.turn), wanting, passes);
    if player == wanting { children.any(&mut below) } else { children.all(&mut below) }
}
