//! Synthetic trees: every node has as many children as every other, and nothing
//! is stored.
//!
//! A node's hash is a mix of its parent's and the number of the branch, and a
//! leaf's value comes from its hash; so a tree is named by its width, height
//! and seed, and is the same on every machine. Sides alternate.

use crate::game::score::{Score, Turn};
use crate::sys::random::{mix, mix_nth};

use super::tree::{Child, Measure, Tree};

/// What leaves are worth: numbers of 32 bits, in 64 so that a sum of two fits.
impl Score for i64 {
    const MIN: Self = -(1 << 40);
    const MAX: Self = 1 << 40;
    #[inline]
    fn successor(self) -> Self {
        self + 1
    }
}

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
    /// Each its own, from about four thousand million: ties hardly happen.
    Continuous,
    /// Each its own, from this many: 0 to one less. Few make many ties.
    Few(u32),
    /// Top down: each node has a best child. With this chance in a hundred it
    /// is the first, otherwise it is anywhere. At 100 the tree is minimal:
    /// alpha-beta visits no more than it must.
    BestFirst(u8),
}

/// A tree in which every node has `width` children down to `height` moves.
#[derive(Clone, Copy, Debug)]
pub struct UniformTree {
    /// Children of a node.
    pub width: u16,
    /// Moves from the root to the leaves.
    pub height: u16,
    /// What the leaves are worth.
    pub leaves: Leaves,
    /// Which tree of its kind.
    pub seed: u64,
}

/// A place in a [`UniformTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// Distinguishes this node from every other.
    pub hash: u64,
    /// Moves to the leaves.
    pub height: u16,
    /// With [`Leaves::BestFirst`], the node's minimax value.
    value: i64,
}

/// The most by which a move of a [`Leaves::BestFirst`] tree is worse than the
/// best. Small enough for the sums of 2000 moves.
const WORST: u64 = 1 << 20;

impl Tree for UniformTree {
    type Value = i64;
    type Node = Node;
    type Key = u64;
    type Children<'t> = Children;

    #[inline]
    fn root(&self) -> Node {
        Node { hash: mix_nth(self.seed, 0), height: self.height, value: 0 }
    }

    #[inline]
    fn is_leaf(&self, node: Node) -> bool {
        node.height == 0
    }

    #[inline]
    fn value(&self, node: Node) -> i64 {
        match self.leaves {
            Leaves::Continuous => i64::from((node.hash >> 32) as i32),
            Leaves::Few(values) => (((node.hash >> 32) * u64::from(values)) >> 32) as i64,
            Leaves::BestFirst(_) => node.value,
        }
    }

    #[inline]
    fn children(&self, node: Node) -> Children {
        let best = match self.leaves {
            Leaves::BestFirst(chance) => Some(best_child(node.hash, self.width, chance)),
            _ => None,
        };
        Children { parent: node, width: self.width, best, next: 0 }
    }

    #[inline]
    fn height(&self, node: Node) -> u16 {
        node.height
    }

    #[inline]
    fn truncated(&self, node: Node, height: u16) -> Node {
        Node { height, ..node }
    }

    #[inline]
    fn ceiling(&self, _: Node) -> i64 {
        match self.leaves {
            // Leaves are worth 0 to this, or their negation after a last move by
            // the other side.
            Leaves::Few(values) => i64::from(values) - 1,
            _ => Score::MAX,
        }
    }

    fn aspiration_margin(&self) -> i64 {
        match self.leaves {
            Leaves::Continuous => i64::from(i32::MAX / 8),
            Leaves::Few(values) => 1 + i64::from(values / 8),
            Leaves::BestFirst(_) => WORST as i64,
        }
    }

    #[inline]
    fn key(&self, node: Node) -> u64 {
        node.hash
    }
}

/// Which child of a [`Leaves::BestFirst`] node is the best.
fn best_child(hash: u64, width: u16, chance: u8) -> u16 {
    let draw = mix(!hash);
    if draw % 100 < chance.into() { 0 } else { ((draw >> 32) % u64::from(width)) as u16 }
}

/// The children of a node, made one by one.
#[derive(Clone, Debug)]
pub struct Children {
    parent: Node,
    width: u16,
    best: Option<u16>,
    next: u16,
}

impl Iterator for Children {
    type Item = Child<Node>;

    #[inline]
    fn next(&mut self) -> Option<Child<Node>> {
        if self.next == self.width {
            return None;
        }
        let index = self.next;
        self.next += 1;
        let hash = mix_nth(self.parent.hash, index.into());
        let value = match self.best {
            None => 0,
            Some(best) if best == index => -self.parent.value,
            Some(_) => -self.parent.value + 1 + (hash % WORST) as i64,
        };
        let node = Node { hash, height: self.parent.height - 1, value };
        Some(Child { turn: Turn::Passes, node, index })
    }
}
