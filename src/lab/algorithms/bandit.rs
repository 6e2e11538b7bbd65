//! Multi-armed bandits: which arm to pull next, if only trials show what it pays.
//!
//! Yu's slides "Adversarial Search" name the strategies. Epsilon-greedy is of Watkins,
//! "Learning from delayed rewards", 1989; the others are of Auer, Cesa-Bianchi and
//! Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning
//! 47, 2002. [`bandit()`] plays by them: the arms are the root's moves, a pull is a
//! random game; in [`uct`] every node is a bandit. The regret of each strategy is
//! measured in `lab::experiment`.

use std::cmp::Ordering;

use crate::sys::random::SplitMix64;

use super::search::Search;
use super::tree::{Measure, Player};

/// What the pulls of an arm have paid so far. Rewards are from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// How often it was pulled.
    pub pulls: f64,
    reward: f64,
    squares: f64,
}

impl Arm {
    /// Counts a pull that paid `reward`.
    pub fn pull(&mut self, reward: f64) {
        self.pulls += 1.0;
        self.reward += reward;
        self.squares += reward * reward;
    }

    /// The mean reward of an arm that was pulled.
    fn mean(&self) -> f64 {
        self.reward / self.pulls
    }

    /// The upper confidence bound of its mean after `total` pulls of all arms;
    /// infinite for an arm that was never pulled, so that each is tried once.
    pub(super) fn upper_bound(&self, total: f64, policy: Policy) -> f64 {
        if self.pulls == 0.0 {
            return f64::INFINITY;
        }
        let mean = self.mean();
        let width = total.ln() / self.pulls;
        match policy {
            Policy::Ucb1 => mean + (2.0 * width).sqrt(),
            Policy::Ucb1Tuned => {
                let variance = self.squares / self.pulls - mean * mean + (2.0 * width).sqrt();
                mean + (width * variance.min(0.25)).sqrt()
            }
        }
    }
}

/// How exploration is weighed against exploitation. The arm with the highest bound
/// is pulled: an arm is left only once its bound is below what another one pays, and
/// the bounds of neglected arms grow with the logarithm of the pulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// mean + sqrt(2 ln n / n_j)
    #[default]
    Ucb1,
    /// mean + sqrt(ln n / n_j · min(1/4, V_j)), where V_j is an upper bound of
    /// the arm's variance.
    Ucb1Tuned,
}

/// A rule for the next arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Any arm with a chance of [`EPSILON`], otherwise the one with the best mean so
    /// far. It never stops to explore, so that it always pays for bad arms.
    EpsilonGreedy,
    /// Epsilon-greedy with a chance that falls as 1 / n ("ε_n-greedy"): at pull n of K
    /// arms min(1, 5 K / n).
    EpsilonDecreasing,
    /// The arm with the highest upper confidence bound.
    Ucb(Policy),
}

/// The chance with which [`Strategy::EpsilonGreedy`] pulls any arm.
pub const EPSILON: f64 = 0.1;

/// c / d² of ε_n-greedy. Auer and others try values from 0.5 to 15; where d is less
/// than the distance of the best arm from the others, regret grows logarithmically.
const DECAY: f64 = 5.0;

impl Strategy {
    /// The index of the arm to pull; the first of equals.
    pub fn choose(self, arms: &[Arm], random: &mut SplitMix64) -> usize {
        let pulls: f64 = arms.iter().map(|arm| arm.pulls).sum();
        let epsilon = match self {
            Strategy::EpsilonGreedy => EPSILON,
            Strategy::EpsilonDecreasing => DECAY * arms.len() as f64 / (pulls + 1.0),
            Strategy::Ucb(policy) => {
                return first_greatest(arms.iter().map(|arm| arm.upper_bound(pulls, policy)));
            }
        };
        if random.unit() < epsilon {
            random.below(arms.len())
        } else {
            // An arm that was never pulled has no mean; its reward is not known to be low.
            first_greatest(
                arms.iter().map(|arm| if arm.pulls > 0.0 { arm.mean() } else { f64::INFINITY }),
            )
        }
    }
}

pub(super) fn first_greatest(numbers: impl Iterator<Item = f64>) -> usize {
    let greatest = numbers.enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    greatest.expect("there is an arm").0
}

/// The index of the child of `root` that was chosen most often in `playouts` random
/// games, or fewer if the search is stopped, and the mean value of those games;
/// `None` if `root` is a leaf.
///
/// The tree should be deep enough for its leaves to end the game.
pub fn bandit<S: Search>(
    search: &mut S,
    root: S::Node,
    playouts: u64,
    strategy: Strategy,
    random: &mut SplitMix64,
) -> Option<(u16, S::Value)> {
    let children: Vec<_> = search.children(root)?.collect();
    let mut arms = vec![Arm::default(); children.len()];
    let mut values = vec![0.0; children.len()];
    for _ in 0..playouts {
        let chosen = strategy.choose(&arms, random);
        let child = children[chosen];
        let value = playout(search, child.node, Player::Max.after(child.turn), random);
        if search.is_stopped() {
            break;
        }
        arms[chosen].pull(won(value));
        values[chosen] += value.number();
    }
    // The arm that was chosen most has the surest mean of the good ones.
    let best = first_greatest(arms.iter().map(|arm| arm.pulls));
    let value = S::Value::at_most((values[best] / arms[best].pulls.max(1.0)).round());
    Some((children[best].index, value))
}

/// The reward of a game to Max: 1 if it is won, with a value above its negation, ½ if
/// it is drawn.
pub(in crate::lab) fn won<V: Measure>(value: V) -> f64 {
    match value.cmp(&-value) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}

/// The value of the leaf at the end of a random game, from Max's point of view.
pub(in crate::lab) fn playout<S: Search>(
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

/// A node of the tree that [`uct`] grows.
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

/// UCT: a tree that random games grow, the more promising parts faster. Each node is a
/// bandit whose arms are its children (Kocsis and Szepesvári, "Bandit based Monte-Carlo
/// planning", ECML 2006). It needs no evaluation but the end of the game, and knows no
/// bounds.
///
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
