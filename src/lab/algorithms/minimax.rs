//! Minimax: the definition that every other algorithm must agree with.
//!
//! Shannon, "Programming a computer for playing chess", Philosophical Magazine
//! 41, 1950. It looks at every leaf.

use super::search::Search;
use super::tree::Player;

/// The value of `node` as Max counts it: Max takes the highest child, Min the
/// lowest. `player` is to move at `node`.
pub fn minimax<S: Search>(search: &mut S, node: S::Node, player: Player) -> S::Value {
    let Some(children) = search.children(node) else {
        return player.to_max(search.leaf(node));
    };
    let mut best = None;
    for child in children {
        let value = minimax(search, child.node, player.after(child.turn));
        best = Some(best.map_or(value, |best: S::Value| match player {
            Player::Max => best.max(value),
            Player::Min => best.min(value),
        }));
    }
    best.expect("a node with children has a best one")
}
