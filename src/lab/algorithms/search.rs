//! What stands between an algorithm and its tree: who watches, and what is
//! remembered.
//!
//! An algorithm is a function over [`Search`]. It asks for children and leaf
//! values, and calls itself through [`Search::visit`] or [`Search::below`];
//! there a memory can answer instead, so that each algorithm is written once
//! and runs with and without one. [`Run`] is the only implementation.

use crate::score::{Score, Window};

use super::memory::{Memory, Recollection};
use super::observer::Observer;
use super::tree::{Child, Tree};

/// A search as its algorithm sees it.
pub trait Search {
    /// A place in the tree.
    type Node: Copy;
    /// What leaves are worth.
    type Value: Score;
    /// The children of a node.
    type Children: Iterator<Item = Child<Self::Node>>;

    /// The children of `node`; `None` if it is a leaf.
    fn children(&mut self, node: Self::Node) -> Option<Self::Children>;
    /// What the leaf `node` is worth to the player to move there.
    fn leaf(&mut self, node: Self::Node) -> Self::Value;
    /// What `algorithm` says of `node`, unless that is remembered.
    fn visit<A>(
        &mut self,
        algorithm: A,
        node: Self::Node,
        window: Window<Self::Value>,
    ) -> Self::Value
    where
        A: Fn(&mut Self, Self::Node, Window<Self::Value>) -> Self::Value;
    /// What `algorithm` says of `child`, asked and answered as the player to
    /// move *above* it sees it.
    fn below<A>(
        &mut self,
        algorithm: A,
        child: Child<Self::Node>,
        window: Window<Self::Value>,
    ) -> Self::Value
    where
        A: Fn(&mut Self, Self::Node, Window<Self::Value>) -> Self::Value;
    /// Notes that a node is about to be searched again.
    fn research(&mut self);
    /// Notes that the root is about to be searched.
    fn pass(&mut self);
    /// Moves from `node` to the frontier.
    fn height(&self, node: Self::Node) -> u16;
    /// The same node with the frontier `height` moves away.
    fn truncated(&self, node: Self::Node, height: u16) -> Self::Node;
    /// Whether the search should end, its value unused.
    fn is_spent(&self) -> bool;
    /// The most that the player to move at `node` can get.
    fn ceiling(&self, node: Self::Node) -> Self::Value;
}

/// A search of `tree`, watched by `observer`, remembered in `memory`.
#[derive(Debug)]
pub struct Run<'t, T: Tree, O = (), M = ()> {
    /// What is searched.
    pub tree: &'t T,
    /// Who watches.
    pub observer: O,
    /// What is remembered.
    pub memory: M,
}

impl<'t, T: Tree> Run<'t, T> {
    /// A search that nobody watches and nothing is remembered of.
    pub fn new(tree: &'t T) -> Self {
        Self { tree, observer: (), memory: () }
    }
}

impl<'t, T: Tree, O: Observer<T::Node>> Run<'t, T, O> {
    /// A search that `observer` watches.
    pub fn watched(tree: &'t T, observer: O) -> Self {
        Self { tree, observer, memory: () }
    }
}

impl<'t, T: Tree, O: Observer<T::Node>, M: Memory<T>> Search for Run<'t, T, O, M> {
    type Node = T::Node;
    type Value = T::Value;
    type Children = BestFirst<T, T::Children<'t>>;

    #[inline]
    fn children(&mut self, node: T::Node) -> Option<Self::Children> {
        if self.tree.is_leaf(node) || self.observer.is_spent() {
            return None;
        }
        self.observer.interior(node);
        let best = self
            .memory
            .best(self.tree, node)
            .and_then(|index| self.tree.children(node, &mut ()).nth(index.into()));
        Some(BestFirst {
            pending: best,
            best: best.map(|child| child.index),
            rest: self.tree.children(node, &mut self.observer),
        })
    }

    #[inline]
    fn leaf(&mut self, node: T::Node) -> T::Value {
        self.observer.leaf(node);
        self.tree.value(node)
    }

    #[inline]
    fn visit<A>(&mut self, algorithm: A, node: T::Node, window: Window<T::Value>) -> T::Value
    where
        A: Fn(&mut Self, T::Node, Window<T::Value>) -> T::Value,
    {
        match self.memory.recall(self.tree, node, window) {
            Recollection::Answer(value) => value,
            Recollection::Question(window) => {
                let value = algorithm(self, node, window);
                self.memory.store(self.tree, node, window, value);
                value
            }
        }
    }

    #[inline]
    fn below<A>(
        &mut self,
        algorithm: A,
        child: Child<T::Node>,
        window: Window<T::Value>,
    ) -> T::Value
    where
        A: Fn(&mut Self, T::Node, Window<T::Value>) -> T::Value,
    {
        let value =
            child.turn.from_child(self.visit(algorithm, child.node, window.seen_by(child.turn)));
        self.memory.returned(child.index, value);
        value
    }

    #[inline]
    fn research(&mut self) {
        self.observer.research();
    }

    #[inline]
    fn pass(&mut self) {
        self.observer.pass();
    }

    #[inline]
    fn height(&self, node: T::Node) -> u16 {
        self.tree.height(node)
    }

    #[inline]
    fn truncated(&self, node: T::Node, height: u16) -> T::Node {
        self.tree.truncated(node, height)
    }

    #[inline]
    fn is_spent(&self) -> bool {
        self.observer.is_spent()
    }

    #[inline]
    fn ceiling(&self, node: T::Node) -> T::Value {
        self.tree.ceiling(node)
    }
}

/// A node's children with a remembered best one before the others.
pub struct BestFirst<T: Tree, I> {
    pending: Option<Child<T::Node>>,
    best: Option<u16>,
    rest: I,
}

impl<T: Tree, I: Iterator<Item = Child<T::Node>>> Iterator for BestFirst<T, I> {
    type Item = Child<T::Node>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(best) = self.pending.take() {
            return Some(best);
        }
        let best = self.best;
        self.rest.find(|child| Some(child.index) != best)
    }
}
