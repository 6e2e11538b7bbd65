//! Multi-armed bandits: which arm to pull next, when only trials show what an arm pays.
//!
//! Yu's slides "Adversarial Search" name the strategies. Epsilon-greedy is from Watkins,
//! "Learning from delayed rewards", 1989; the others are from Auer, Cesa-Bianchi and
//! Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning
//! 47, 2002. In [`bandit()`] the arms are the root's moves, and a pull is a random game;
//! in [`uct`] every node is a bandit. [`experiment`](crate::experiment) measures the regret
//! of each strategy.

use std::cmp::Ordering;

use kalah_sys::random::SplitMix64;

use super::search::TreeSearch;
use super::tree::{Measure, MinimaxSide};

/// The rewards of an arm's pulls so far, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// The number of pulls, a whole number.
    pub pulls: f64,
    reward: f64,
    squares: f64,
}

impl Arm {
    /// Records a pull that paid `reward`.
    pub fn pull(&mut self, reward: f64) {
        self.pulls += 1.0;
        self.reward += reward;
        self.squares += reward * reward;
    }

    /// The mean reward of an arm that has been pulled.
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

/// How exploration is weighed against exploitation. The arm with the highest bound is
/// pulled: an arm is abandoned only once its bound has fallen below another arm's, and the
/// bounds of neglected arms grow with the logarithm of the total number of pulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// mean + sqrt(2 ln n / n_j)
    #[default]
    Ucb1,
    /// mean + sqrt(ln n / n_j · min(1/4, V_j)), where V_j is an upper bound of
    /// the arm's variance.
    Ucb1Tuned,
}

/// A rule for choosing the next arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// A random arm with a probability of 1 in 10, otherwise the one with the best mean
    /// so far. It never stops exploring, so its regret grows linearly.
    EpsilonGreedy,
    /// Epsilon-greedy with a probability that falls as 1 / n ("ε_n-greedy"): it is
    /// min(1, 5 K / n) at pull n of K arms.
    EpsilonDecreasing,
    /// The arm with the highest upper confidence bound.
    Ucb(Policy),
}

/// The probability with which [`Strategy::EpsilonGreedy`] pulls a random arm.
pub(crate) const EPSILON: f64 = 0.1;

/// c / d² of ε_n-greedy. Auer and others try values from 0.5 to 15. If d is
/// less than the gap between the best arm and the others, regret grows logarithmically.
const DECAY: f64 = 5.0;

impl Strategy {
    /// The index of the arm to pull; the first one if several are equally good.
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
            // An arm that was never pulled has no mean, and nothing suggests that it pays little,
            // so it is tried first.
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
/// games, or fewer if the search is stopped, and the mean value of the games through
/// that child; `None` if `root` is a leaf.
///
/// The tree should be deep enough that its leaves end the game.
pub fn bandit<S: TreeSearch>(
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
        let value = playout(search, child.node, MinimaxSide::Max.after(child.turn), random);
        if search.is_stopped() {
            break;
        }
        arms[chosen].pull(won(value));
        values[chosen] += value.number();
    }
    // Of the good arms, the one that was chosen most often has the most reliable mean.
    let best = first_greatest(arms.iter().map(|arm| arm.pulls));
    let value = S::Value::at_most((values[best] / arms[best].pulls.max(1.0)).round());
    Some((children[best].index, value))
}

/// Max's reward for a game: 1 for a win, which is a value above its negation, and ½ for a
/// draw.
pub(crate) fn won<V: Measure>(value: V) -> f64 {
    match value.cmp(&-value) {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}

/// The value of the leaf at the end of a random game, from Max's point of view.
pub(crate) fn playout<S: TreeSearch>(
    search: &mut S,
    mut node: S::Node,
    mut side: MinimaxSide,
    random: &mut SplitMix64,
) -> S::Value {
    while let Some(children) = search.children(node) {
        let children: Vec<_> = children.collect();
        let child = children[random.below(children.len())];
        node = child.node;
        side = side.after(child.turn);
    }
    side.to_max(search.leaf(node))
}

/// A node of the tree that [`uct`] grows.
struct UctNode<N> {
    node: N,
    side: MinimaxSide,
    /// The rewards of the games through it, for the side whose move leads to it.
    arm: Arm,
    /// The sum of the values of those games, from Max's point of view.
    values: f64,
    /// Index of the first child and number of children, once expanded.
    children: Option<(usize, usize)>,
}

impl<N> UctNode<N> {
    fn new(node: N, side: MinimaxSide) -> Self {
        Self { node, side, arm: Arm::default(), values: 0.0, children: None }
    }
}

/// UCT: random games grow a tree, the promising parts of it faster. Each node is a
/// bandit whose arms are its children (Kocsis and Szepesvári, "Bandit based Monte-Carlo
/// planning", ECML 2006). It needs no evaluation except the result of a game, and uses
/// no bounds.
///
/// The index of the child of `root` that was visited most often in `playouts`
/// random games, or fewer if the search is stopped, and the mean value of the games
/// through that child; `None` if `root` is a leaf.
///
/// The tree should be deep enough that its leaves end the game.
pub fn uct<S: TreeSearch>(
    search: &mut S,
    root: S::Node,
    playouts: u64,
    policy: Policy,
    random: &mut SplitMix64,
) -> Option<(u16, S::Value)> {
    let mut nodes = vec![UctNode::new(root, MinimaxSide::Max)];
    for _ in 0..playouts {
        let mut path = vec![0];
        let mut at = 0;
        // Selection: down to a node that has not been visited, or is a leaf. A node is expanded
        // at its second visit, so that the tree grows where games go.
        while nodes[at].arm.pulls > 0.0 && expand(search, &mut nodes, at) {
            let (first, count) = nodes[at].children.expect("it is expanded");
            let visits = nodes[at].arm.pulls;
            let arms = nodes[first..first + count].iter().map(|child| child.arm);
            at = first + first_greatest(arms.map(|arm| arm.upper_bound(visits, policy)));
            path.push(at);
        }
        let UctNode { node, side, .. } = nodes[at];
        let value = playout(search, node, side, random);
        if search.is_stopped() {
            break;
        }
        // Backpropagation: a node's reward is for the side that moved to it, because that side
        // chooses between it and its siblings.
        let won = won(value);
        let mut mover = MinimaxSide::Max;
        for index in path {
            let node = &mut nodes[index];
            node.arm.pull(if mover == MinimaxSide::Max { won } else { 1.0 - won });
            node.values += value.number();
            mover = node.side;
        }
    }
    expand(search, &mut nodes, 0);
    let (first, count) = nodes[0].children?;
    let best = first_greatest(nodes[first..first + count].iter().map(|child| child.arm.pulls));
    let UctNode { arm, values, .. } = nodes[first + best];
    Some((best as u16, S::Value::at_most((values / arm.pulls.max(1.0)).round())))
}

/// Expands a node unless it already is; false if it is a leaf.
fn expand<S: TreeSearch>(search: &mut S, nodes: &mut Vec<UctNode<S::Node>>, at: usize) -> bool {
    if nodes[at].children.is_none() {
        let UctNode { node, side, .. } = nodes[at];
        let Some(children) = search.children(node) else { return false };
        let first = nodes.len();
        nodes.extend(children.map(|child| UctNode::new(child.node, side.after(child.turn))));
        nodes[at].children = Some((first, nodes.len() - first));
    }
    true
}
