//! What a game tree is to an algorithm: nodes, children, leaves with values.
//!
//! A tree is finite and of a fixed depth; it says which nodes are leaves and
//! what they are worth, so that an algorithm needs no word on depth, rules or
//! evaluation. It records nothing of a search: see [`Observer`].

use std::hash::Hash;

use crate::game::score::{Score, Turn, Window};

use super::measure::{Measure, Model};
use super::observer::Observer;

/// A finite game tree with two sides.
pub trait Tree: Sync {
    /// What leaves are worth.
    type Value: Measure;
    /// A place in the tree. It carries all that the tree needs to go on.
    type Node: Copy;
    /// What is the same for two nodes with the same subtree, up to its height.
    type Key: Copy + Ord + Hash + std::fmt::Debug;
    /// The children of a node, made one by one as they are asked for.
    type Children<'t>: Iterator<Item = Child<Self::Node>>
    where
        Self: 't;

    /// The node that the question is about.
    fn root(&self) -> Self::Node;
    /// Whether `node` has no children.
    fn is_leaf(&self, node: Self::Node) -> bool;
    /// Whether the leaf `node` has no children at any height, as where a game is over.
    fn is_end(&self, _node: Self::Node) -> bool {
        false
    }
    /// What the leaf `node` is worth to the player who is to move there.
    fn value(&self, node: Self::Node) -> Self::Value;
    /// The children of a node that is no leaf, in the tree's order. What it
    /// cost to find that order is reported to `observer`.
    fn children<O: Observer<Self::Node>>(
        &self,
        node: Self::Node,
        observer: &mut O,
    ) -> Self::Children<'_>;
    /// Moves from `node` to the frontier: 0 there.
    fn height(&self, node: Self::Node) -> u16;
    /// The same node with the frontier `height` moves away, for searches that
    /// are less deep. `height` is at most that of `node`.
    fn truncated(&self, node: Self::Node, height: u16) -> Self::Node;
    /// The leaf `node` of the frontier with the frontier one move farther away.
    fn beyond(&self, node: Self::Node) -> Self::Node {
        node
    }
    /// The most that the player to move at `node` can get.
    fn ceiling(&self, _node: Self::Node) -> Self::Value {
        Self::Value::MAX
    }
    /// How far from a guess the value of a search with an aspiration window is
    /// expected to be.
    fn aspiration_margin(&self) -> Self::Value;
    /// Whether the move from `node` to `child` upsets a static evaluation, so that
    /// a search looks beyond the frontier for it. No line has such moves for ever.
    fn is_noisy(&self, _node: Self::Node, _child: &Child<Self::Node>) -> bool {
        false
    }
    /// How values of shallow searches are related to those of deep ones, if that
    /// is known.
    fn model(&self) -> Option<&Model> {
        None
    }
    /// Recognises `node` when it is met again.
    fn key(&self, node: Self::Node) -> Self::Key;
}

/// A node one move below another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child<N> {
    /// Who is to move there, compared with the node above.
    pub turn: Turn,
    /// The node itself.
    pub node: N,
    /// Which child it is, from 0, in the tree's order.
    pub index: u16,
}

/// The players as minimax names them. Max is to move at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Player {
    /// Wants the value high.
    #[default]
    Max,
    /// Wants the value low.
    Min,
}

impl Player {
    /// Who is to move after a move of this player.
    #[inline]
    pub fn after(self, turn: Turn) -> Self {
        match (self, turn) {
            (player, Turn::Keeps) => player,
            (Player::Max, Turn::Passes) => Player::Min,
            (Player::Min, Turn::Passes) => Player::Max,
        }
    }

    /// A window as Max counts it, given as this player counts it; and back.
    #[inline]
    pub fn window<V: Score>(self, window: Window<V>) -> Window<V> {
        match self {
            Player::Max => window,
            Player::Min => window.for_child(Turn::Passes),
        }
    }

    /// A score as Max counts it, given as this player counts it; and back.
    #[inline]
    pub fn to_max<V: Score>(self, score: V) -> V {
        match self {
            Player::Max => score,
            Player::Min => -score,
        }
    }
}
