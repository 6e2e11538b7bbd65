//! UCT: a tree that random games grow, the more promising parts faster.
//!
//! Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006. Each node is
//! a bandit whose arms are its children. It needs no evaluation but the end of the
//! game, and knows no bounds.

use crate::sys::random::SplitMix64;

use super::bandit::{Arm, Policy, first_greatest, playout, won};
use super::measure::Measure;
use super::search::Search;
use super::tree::Player;

struct TreeNode<N> {
    node: N,
    player: Player,
    /// The rewards of the games through it, to the player who moved here.
    arm: Arm,
    /// The sum of the values of those games, from Max's point of view.
    values: f64,
    /// The first child's index and how many children there are, once expanded.
    children: Option<(usize, usize)>,
}

impl<N> TreeNode<N> {
    fn new(node: N, player: Player) -> Self {
        Self { node, player, arm: Arm::default(), values: 0.0, children: None }
    }
}

/// The index of the child of `root` that was visited most after `playouts`
/// random games, or fewer if the search is stopped, and the mean value of those
/// through it; `None` if `root` is a leaf.
///
/// The tree should be deep enough for its leaves to end the game.
pub fn uct<S: Search>(
    search: &mut S,
    root: S::Node,
    playouts: u64,
    policy: Policy,
    random: &mut SplitMix64,
) -> Option<(u16, S::Value)> {
    let mut nodes = vec![TreeNode::new(root, Player::Max)];
    for _ in 0..playouts {
        let mut path = vec![0];
        let mut at = 0;
        // Down to a node that has not been visited, or is a leaf.
        while nodes[at].arm.pulls > 0.0 && expand(search, &mut nodes, at) {
            let (first, count) = nodes[at].children.expect("it is expanded");
            let visits = nodes[at].arm.pulls;
            let arms = nodes[first..first + count].iter().map(|child| child.arm);
            at = first + first_greatest(arms.map(|arm| arm.upper_bound(visits, policy)));
            path.push(at);
        }
        let TreeNode { node, player, .. } = nodes[at];
        let value = playout(search, node, player, random);
        if search.is_stopped() {
            break;
        }
        let won = won(value);
        let mut mover = Player::Max;
        for index in path {
            let node = &mut nodes[index];
            node.arm.pull(if mover == Player::Max { won } else { 1.0 - won });
            node.values += value.number();
            mover = node.player;
        }
    }
    expand(search, &mut nodes, 0);
    let (first, count) = nodes[0].children?;
    let best = first_greatest(nodes[first..first + count].iter().map(|child| child.arm.pulls));
    let TreeNode { arm, values, .. } = nodes[first + best];
    Some((best as u16, S::Value::at_most((values / arm.pulls.max(1.0)).round())))
}

/// Expands a node unless it is expanded; false if it is a leaf.
fn expand<S: Search>(search: &mut S, nodes: &mut Vec<TreeNode<S::Node>>, at: usize) -> bool {
    if nodes[at].children.is_none() {
        let TreeNode { node, player, .. } = nodes[at];
        let Some(children) = search.children(node) else { return false };
        let first = nodes.len();
        nodes.extend(children.map(|child| TreeNode::new(child.node, player.after(child.turn))));
        nodes[at].children = Some((first, nodes.len() - first));
    }
    true
}
