//! Synthetic trees: every interior node has the same number of children, and nothing
//! is stored.
//!
//! A node's hash is a mix of its parent's and the number of the branch, and a
//! leaf's value comes from its hash; so a tree is defined by its width, depth,
//! seed and kind of leaves, and is the same on every machine. Sides alternate.

use kalah_game::{Score, Turn};
use kalah_sys::random::{mix, mix_nth};

use super::tree::{ChildNode, Measure, Tree};

impl Measure for i64 {
    fn number(self) -> f64 {
        self as f64
    }
    fn at_most(number: f64) -> Self {
        (number.floor() as i64).clamp(Self::MIN, Self::MAX)
    }
}

/// How the leaves of a synthetic tree get their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Independent, out of about four billion values: ties are very rare.
    Continuous,
    /// The same, but the keys of nodes have only this many bits, so that a transposition table
    /// takes some nodes for others.
    ShortKeys(u32),
    /// Independent, out of this many values from 0 upwards. Few values make many ties.
    Few(u32),
    /// The cubes of those values: other numbers in the same order.
    Cubes(u32),
    /// Assigned top down: each node has a best child. With this probability in percent it is the
    /// first one, otherwise a random one. At 100 alpha-beta visits no more than the minimal tree.
    BestFirst(u8),
    /// Assigned top down: each child of a node is better than the one before, and than every
    /// leaf below that one, so that alpha-beta prunes nothing.
    WorstFirst,
}

/// A tree in which every node has `width` children down to `depth` moves.
#[derive(Clone, Copy, Debug)]
pub struct UniformTree {
    /// Children of a node.
    pub width: u16,
    /// Moves from the root to the leaves.
    pub depth: u16,
    /// How the leaves get their values.
    pub leaves: Leaves,
    /// Distinguishes trees that agree in everything else.
    pub seed: u64,
}

/// A place in a [`UniformTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UniformNode {
    /// Distinguishes this node from every other.
    pub hash: u64,
    /// Moves to the leaves.
    pub depth: u16,
    /// With [`Leaves::BestFirst`] and [`Leaves::WorstFirst`], the node's minimax value.
    value: i64,
}

/// Maximum difference between the best move of a [`Leaves::BestFirst`] node and another,
/// small enough that the sum over 2000 moves is a valid score.
const MAX_LOSS: u64 = 1 << 20;

impl Tree for UniformTree {
    type Value = i64;
    type Node = UniformNode;
    type Key = u64;
    type Children<'t> = UniformChildren;

    fn root(&self) -> UniformNode {
        UniformNode { hash: mix_nth(self.seed, 0), depth: self.depth, value: 0 }
    }

    fn is_leaf(&self, node: UniformNode) -> bool {
        node.depth == 0
    }

    fn value(&self, node: UniformNode) -> i64 {
        match self.leaves {
            Leaves::Continuous | Leaves::ShortKeys(_) => i64::from((node.hash >> 32) as i32),
            Leaves::Few(values) => out_of(values, node.hash),
            Leaves::Cubes(values) => out_of(values, node.hash).pow(3),
            Leaves::BestFirst(_) | Leaves::WorstFirst => node.value,
        }
    }

    fn children(&self, node: UniformNode) -> UniformChildren {
        let best = match self.leaves {
            Leaves::BestFirst(chance) => BestChild::At(best_child(node.hash, self.width, chance)),
            Leaves::WorstFirst => BestChild::Last,
            _ => BestChild::Unknown,
        };
        UniformChildren { parent: node, width: self.width, best, next: 0 }
    }

    fn depth(&self, node: UniformNode) -> u16 {
        node.depth
    }

    fn truncated(&self, node: UniformNode, depth: u16) -> UniformNode {
        UniformNode { depth, ..node }
    }

    fn ceiling(&self, _: UniformNode) -> i64 {
        match self.leaves {
            // A leaf is worth between 0 and this to the side to move there, so no value is higher
            // for either side.
            Leaves::Few(values) => i64::from(values) - 1,
            Leaves::Cubes(values) => (i64::from(values) - 1).pow(3),
            _ => Score::MAX,
        }
    }

    fn aspiration_margin(&self) -> i64 {
        match self.leaves {
            Leaves::Continuous | Leaves::ShortKeys(_) => i64::from(i32::MAX / 8),
            Leaves::Few(values) | Leaves::Cubes(values) => 1 + i64::from(values / 8),
            Leaves::BestFirst(_) | Leaves::WorstFirst => MAX_LOSS as i64,
        }
    }

    fn key(&self, node: UniformNode) -> u64 {
        match self.leaves {
            Leaves::ShortKeys(bits) => node.hash >> (64 - bits),
            _ => node.hash,
        }
    }
}

/// One of `values` numbers from 0 upwards.
fn out_of(values: u32, hash: u64) -> i64 {
    (((hash >> 32) * u64::from(values)) >> 32) as i64
}

/// The best child of a node whose value is assigned top down.
#[derive(Clone, Copy, Debug)]
enum BestChild {
    /// Values are not assigned top down.
    Unknown,
    At(u16),
    /// The last, with every child better than the one before.
    Last,
}

/// Which child of a [`Leaves::BestFirst`] node is the best.
fn best_child(hash: u64, width: u16, chance: u8) -> u16 {
    let draw = mix(!hash);
    if draw % 100 < chance.into() { 0 } else { ((draw >> 32) % u64::from(width)) as u16 }
}

/// The children of a node, generated on demand.
#[derive(Clone, Debug)]
pub struct UniformChildren {
    parent: UniformNode,
    width: u16,
    best: BestChild,
    next: u16,
}

impl Iterator for UniformChildren {
    type Item = ChildNode<UniformNode>;

    fn next(&mut self) -> Option<ChildNode<UniformNode>> {
        if self.next == self.width {
            return None;
        }
        let index = self.next;
        self.next += 1;
        let hash = mix_nth(self.parent.hash, index.into());
        // The best child's value is the parent's, negated; any other is worth more to the
        // opponent, who is to move there.
        let value = match self.best {
            BestChild::Unknown => 0,
            BestChild::At(best) if best == index => -self.parent.value,
            BestChild::At(_) => -self.parent.value + 1 + (hash % MAX_LOSS) as i64,
            BestChild::Last => {
                // The step exceeds twice the distance of any leaf below a child from its value,
                // so that the leaves below two children do not overlap.
                let step = (2 * i64::from(self.width)).pow(u32::from(self.parent.depth) - 1);
                -self.parent.value + i64::from(self.width - 1 - index) * step
            }
        };
        let node = UniformNode { hash, depth: self.parent.depth - 1, value };
        Some(ChildNode { turn: Turn::Passes, node, index })
    }
}
