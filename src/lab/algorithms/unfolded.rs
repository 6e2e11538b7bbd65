//! Any tree with its transpositions taken apart.
//!
//! Two ways to one position are two nodes here, told apart by a hash of the
//! moves that led to them. Laws about sets of leaves hold on such trees.

use crate::sys::random::mix_nth;

use super::observer::Observer;
use super::tree::{Child, Tree};

/// `T` with a node for each line of moves.
#[derive(Clone, Copy, Debug)]
pub struct Unfolded<T>(pub T);

/// A node of the tree below and the line that leads to it.
#[derive(Clone, Copy, Debug)]
pub struct Node<N> {
    /// The node of the tree below.
    pub inner: N,
    /// A hash of the moves from the root; two lines in a thousand million
    /// million share one.
    pub line: u64,
}

impl<T: Tree> Tree for Unfolded<T> {
    type Value = T::Value;
    type Node = Node<T::Node>;
    type Key = u64;
    type Children<'t>
        = Children<T::Children<'t>>
    where
        T: 't;

    fn root(&self) -> Self::Node {
        Node { inner: self.0.root(), line: 0 }
    }

    #[inline]
    fn is_leaf(&self, node: Self::Node) -> bool {
        self.0.is_leaf(node.inner)
    }

    #[inline]
    fn value(&self, node: Self::Node) -> T::Value {
        self.0.value(node.inner)
    }

    #[inline]
    fn children<O: Observer<Self::Node>>(
        &self,
        node: Self::Node,
        observer: &mut O,
    ) -> Self::Children<'_> {
        let mut inner = Inner { observer, line: node.line };
        Children { children: self.0.children(node.inner, &mut inner), line: node.line }
    }

    #[inline]
    fn height(&self, node: Self::Node) -> u16 {
        self.0.height(node.inner)
    }

    #[inline]
    fn truncated(&self, node: Self::Node, height: u16) -> Self::Node {
        Node { inner: self.0.truncated(node.inner, height), ..node }
    }

    #[inline]
    fn ceiling(&self, node: Self::Node) -> T::Value {
        self.0.ceiling(node.inner)
    }

    fn aspiration_margin(&self) -> T::Value {
        self.0.aspiration_margin()
    }

    #[inline]
    fn key(&self, node: Self::Node) -> u64 {
        node.line
    }
}

/// An observer of the unfolded tree, as the tree below sees it.
struct Inner<'o, O> {
    observer: &'o mut O,
    line: u64,
}

impl<N: Copy, O: Observer<Node<N>>> Observer<N> for Inner<'_, O> {
    fn leaf(&mut self, inner: N) {
        self.observer.leaf(Node { inner, line: self.line });
    }

    fn ordering(&mut self, evaluations: u64) {
        self.observer.ordering(evaluations);
    }
}

/// Children with their lines.
#[derive(Clone, Debug)]
pub struct Children<I> {
    children: I,
    line: u64,
}

impl<N, I: Iterator<Item = Child<N>>> Iterator for Children<I> {
    type Item = Child<Node<N>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let Child { turn, node, index } = self.children.next()?;
        let line = mix_nth(self.line, index.into());
        Some(Child { turn, node: Node { inner: node, line }, index })
    }
}
