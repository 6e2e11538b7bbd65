//! A tree with its transpositions taken apart.
//!
//! Two ways to one position are two nodes here, so that a node can be recognised
//! by the line that leads to it. Laws about sets of leaves hold on such trees.

use crate::sys::random::mix_nth;

use super::observer::{Event, Observer};
use super::tree::{Child, Tree};

/// Any tree, its nodes told apart by the moves that led to them.
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

    fn is_leaf(&self, node: Self::Node) -> bool {
        self.0.is_leaf(node.inner)
    }

    fn is_end(&self, node: Self::Node) -> bool {
        self.0.is_end(node.inner)
    }

    fn value(&self, node: Self::Node) -> T::Value {
        self.0.value(node.inner)
    }

    fn children<O: Observer<Self::Node>>(
        &self,
        node: Self::Node,
        observer: &mut O,
    ) -> Self::Children<'_> {
        let children = self.0.children(node.inner, &mut Inner(observer));
        Children { children, line: node.line }
    }

    fn height(&self, node: Self::Node) -> u16 {
        self.0.height(node.inner)
    }

    fn truncated(&self, node: Self::Node, height: u16) -> Self::Node {
        Node { inner: self.0.truncated(node.inner, height), ..node }
    }

    fn ceiling(&self, node: Self::Node) -> T::Value {
        self.0.ceiling(node.inner)
    }

    fn aspiration_margin(&self) -> T::Value {
        self.0.aspiration_margin()
    }

    fn key(&self, node: Self::Node) -> u64 {
        node.line
    }
}

/// An observer of the unfolded tree, as the tree below sees it.
struct Inner<'o, O>(&'o mut O);

impl<N: Copy, O: Observer<Node<N>>> Observer<N> for Inner<'_, O> {
    fn observe(&mut self, event: Event<N>) {
        // Ordering is all that a tree reports itself.
        if let Event::Ordering(evaluations) = event {
            self.0.observe(Event::Ordering(evaluations));
        }
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

    fn next(&mut self) -> Option<Self::Item> {
        let Child { turn, node, index } = self.children.next()?;
        let line = mix_nth(self.line, index.into());
        Some(Child { turn, node: Node { inner: node, line }, index })
    }
}
