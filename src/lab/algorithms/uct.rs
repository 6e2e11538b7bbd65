//! UCT: a tree that random games grow, the more promising parts faster.
//!
//! Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006, with
//! the two formulas of Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of
//! the multiarmed bandit problem", Machine Learning 47, 2002. It needs no
//! evaluation but the end of the game, and knows no bounds.

use std::cmp::Ordering;

use crate::sys::random::SplitMix64;

use super::measure::Measure;
use super::search::Search;
use super::tree::Player;

/// How exploration is weighed against exploitation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// mean + sqrt(2 ln n / n_j)
    #[default]
    Ucb1,
    /// mean + sqrt(ln n / n_j · min(1/4, V_j)), where V_j is an upper bound of
    /// the child's variance.
    Ucb1Tuned,
}

struct TreeNode<N> {
    node: N,
    player: Player,
    visits: f64,
    /// Sums of the rewards and of their squares, to the player who moved here.
    reward: f64,
    squares: f64,
    /// The sum of the values of the games, as Max counts them.
    values: f64,
    /// The first child's index and how many children there are, once expanded.
    children: Option<(usize, usize)>,
}

impl<N> TreeNode<N> {
    fn new(node: N, player: Player) -> Self {
        Self { node, player, visits: 0.0, reward: 0.0, squares: 0.0, values: 0.0, children: None }
    }

    /// The upper confidence bound, to the player above, who had `visits`.
    fn bound(&self, visits: f64, policy: Policy) -> f64 {
        if self.visits == 0.0 {
            return f64::INFINITY;
        }
        let mean = self.reward / self.visits;
        let width = visits.ln() / self.visits;
        match policy {
            Policy::Ucb1 => mean + (2.0 * width).sqrt(),
            Policy::Ucb1Tuned => {
                let variance = self.squares / self.visits - mean * mean + (2.0 * width).sqrt();
                mean + (width * variance.min(0.25)).sqrt()
            }
        }
    }
}

/// The index of the child of `root` that was visited most after `playouts`
/// random games, or fewer if the search is stopped, and the mean value of those
/// through it; `None` if `root` is a leaf.
///
/// A game is won with a value above its negation. The tree should be deep enough
/// for its leaves to end the game.
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
        while nodes[at].visits > 0.0 && expand(search, &mut nodes, at) {
            let (first, many) = nodes[at].children.expect("it is expanded");
            let visits = nodes[at].visits;
            let bound = |&index: &usize| nodes[index].bound(visits, policy);
            at = (first..first + many)
                .max_by(|a, b| bound(a).total_cmp(&bound(b)).then(b.cmp(a)))
                .expect("a node with children has a best one");
            path.push(at);
        }
        let TreeNode { node, player, .. } = nodes[at];
        let value = playout(search, node, player, random);
        if search.is_stopped() {
            break;
        }
        let won = match value.cmp(&-value) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
        for pair in path.windows(2) {
            let mover = nodes[pair[0]].player;
            let node = &mut nodes[pair[1]];
            let reward = if mover == Player::Max { won } else { 1.0 - won };
            node.reward += reward;
            node.squares += reward * reward;
        }
        for index in path {
            nodes[index].visits += 1.0;
            nodes[index].values += value.number();
        }
    }
    expand(search, &mut nodes, 0);
    let (first, many) = nodes[0].children?;
    let best = (first..first + many)
        .max_by(|&a, &b| nodes[a].visits.total_cmp(&nodes[b].visits).then(b.cmp(&a)))?;
    let TreeNode { visits, values, .. } = nodes[best];
    Some(((best - first) as u16, S::Value::at_most((values / visits.max(1.0)).round())))
}

/// Expands a node if it is not; false if it is a leaf.
fn expand<S: Search>(search: &mut S, nodes: &mut Vec<TreeNode<S::Node>>, at: usize) -> bool {
    if nodes[at].children.is_none() {
        let TreeNode { node, player, .. } = nodes[at];
        let Some(children) = search.children(node) else { return false };
        let first = nodes.len();
        for child in children {
            nodes.push(TreeNode::new(child.node, player.after(child.turn)));
        }
        nodes[at].children = Some((first, nodes.len() - first));
    }
    true
}

/// The value, as Max counts it, of the leaf at the end of a random game.
fn playout<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    random: &mut SplitMix64,
) -> S::Value {
    let (mut node, mut player) = (node, player);
    while let Some(children) = search.children(node) {
        let children: Vec<_> = children.collect();
        let child = children[random.below(children.len())];
        (node, player) = (child.node, player.after(child.turn));
    }
    player.to_max(search.leaf(node))
}
