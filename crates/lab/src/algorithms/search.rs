//! The layer between an algorithm and its tree: a transposition table, and an
//! [`Observer`] that the search reports to.
//!
//! An algorithm is a function over [`TreeSearch`]. It asks for children and leaf
//! values, and calls itself through [`TreeSearch::visit`] or [`TreeSearch::below`], which
//! may return a stored bound; so each algorithm is written once and runs with
//! and without a table. [`SearchRun`] is the only implementation.

use derive_more::Add;
use serde::Serialize;

use kalah_game::Window;

use super::reference_table::{Known, ReferenceTable};
use super::tree::{ChildNode, Measure, MinimaxSide, Tree};

/// An event of a search.
#[derive(Clone, Copy, Debug)]
pub enum TreeEvent<N> {
    /// A node is about to be searched, or answered by the table.
    Visit {
        /// The lower bound of its window, as a number, if no score lies strictly inside: the search
        /// only decides whether the value is above it.
        null_window: Option<f64>,
    },
    /// A leaf's value is requested.
    Leaf(N),
    /// A node's children are requested.
    Interior(N),
    /// This many positions were evaluated only to order children.
    Ordering(u64),
    /// A node is searched again because its first result was only a bound.
    Research,
    /// The root is searched, for the first time or again.
    Pass,
}

/// Receives the events of a search. Both methods do nothing by default, so that only what
/// is observed costs time. An observer does not influence the search, with one exception:
/// if it stops the search, every further node looks like a leaf, so that the search ends
/// immediately with a value that the caller must discard.
///
/// Every algorithm is compiled for each combination of tree and observer. Where no time is
/// measured, a `dyn Observer` keeps their number small.
pub trait Observer<N> {
    /// Called for each event, in order.
    fn observe(&mut self, _event: TreeEvent<N>) {}
    /// Whether the search should end. Its value is then not used.
    fn is_stopped(&self) -> bool {
        false
    }
}

impl<N> Observer<N> for () {}

impl<N, O: Observer<N> + ?Sized> Observer<N> for &mut O {
    fn observe(&mut self, event: TreeEvent<N>) {
        (**self).observe(event);
    }
    fn is_stopped(&self) -> bool {
        (**self).is_stopped()
    }
}

/// The leaves in the order in which they are visited, repeats included.
impl<N> Observer<N> for Vec<N> {
    fn observe(&mut self, event: TreeEvent<N>) {
        if let TreeEvent::Leaf(node) = event {
            self.push(node);
        }
    }
}

/// The number of times each event occurred, repeats included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Add, Serialize)]
pub struct SearchCounts {
    /// Leaves whose value was requested.
    pub leaves: u64,
    /// Nodes whose children were requested.
    pub interior: u64,
    /// Positions evaluated to order children.
    #[serde(rename = "ordering_evaluations")]
    pub ordering: u64,
    /// Nodes searched again with a wider window.
    #[serde(rename = "re_searches")]
    pub researches: u64,
    /// Searches of the root: 1, or more for drivers that repeat it.
    pub passes: u64,
}

impl SearchCounts {
    /// Leaves and interior nodes together.
    pub fn nodes(&self) -> u64 {
        self.leaves + self.interior
    }
}

impl<N> Observer<N> for SearchCounts {
    fn observe(&mut self, event: TreeEvent<N>) {
        match event {
            TreeEvent::Visit { .. } => {}
            TreeEvent::Leaf(_) => self.leaves += 1,
            TreeEvent::Interior(_) => self.interior += 1,
            TreeEvent::Ordering(evaluations) => self.ordering += evaluations,
            TreeEvent::Research => self.researches += 1,
            TreeEvent::Pass => self.passes += 1,
        }
    }
}

/// The interface of a search to its algorithm.
pub trait TreeSearch {
    /// A place in the tree.
    type Node: Copy;
    /// The type of values.
    type Value: Measure;
    /// The tree that is searched.
    type Tree: Tree<Node = Self::Node, Value = Self::Value>;
    /// The children of a node.
    type Children: Iterator<Item = ChildNode<Self::Node>>;

    /// The tree that is searched.
    fn tree(&self) -> &Self::Tree;
    /// The children of `node`; `None` if it is a leaf or the search is stopped.
    fn children(&mut self, node: Self::Node) -> Option<Self::Children>;
    /// The value of the leaf `node` to the side to move there.
    fn leaf(&mut self, node: Self::Node) -> Self::Value;
    /// The value of `node` by `algorithm`, or a stored bound that answers
    /// `window`.
    fn visit(
        &mut self,
        algorithm: impl Fn(&mut Self, Self::Node, Window<Self::Value>) -> Self::Value,
        node: Self::Node,
        window: Window<Self::Value>,
    ) -> Self::Value;
    /// Like [`TreeSearch::visit`], but window and value are from the point of view of the
    /// side to move at the *parent* of `child`.
    fn below(
        &mut self,
        algorithm: impl Fn(&mut Self, Self::Node, Window<Self::Value>) -> Self::Value,
        child: ChildNode<Self::Node>,
        window: Window<Self::Value>,
    ) -> Self::Value {
        let found = self.visit(algorithm, child.node, window.for_child(child.turn));
        let value = child.turn.from_child(found);
        self.child_returned(child.index, value);
        value
    }
    /// Like [`TreeSearch::below`], for algorithms whose values are all from Max's point of
    /// view: `side` is to move at the parent of `child`, and `algorithm` is passed the
    /// side to move at `child`.
    fn below_side(
        &mut self,
        algorithm: impl Fn(&mut Self, Self::Node, MinimaxSide, Window<Self::Value>) -> Self::Value,
        child: ChildNode<Self::Node>,
        side: MinimaxSide,
        window: Window<Self::Value>,
    ) -> Self::Value {
        let mover = side.after(child.turn);
        let as_mover = |search: &mut Self, node, window| {
            mover.to_max(algorithm(search, node, mover, mover.window(window)))
        };
        side.to_max(self.below(as_mover, child, side.window(window)))
    }
    /// Records that the search of child `index` of a node found `value`, from the point of
    /// view of the side to move at the node. [`TreeSearch::below`] calls it automatically.
    fn child_returned(&mut self, index: u16, value: Self::Value);
    /// Reports to the observer.
    fn report(&mut self, event: TreeEvent<Self::Node>);
    /// Whether the observer has stopped the search, whose value must then be discarded.
    fn is_stopped(&self) -> bool;
}

/// A search of `tree`.
#[derive(Debug)]
pub struct SearchRun<'t, T: Tree, O = ()> {
    /// Shared, so that threads can search one tree.
    pub tree: &'t T,
    /// Receives the events of the search.
    pub observer: O,
    /// Bounds of the nodes that were searched; `None` if nothing is stored.
    table: Option<ReferenceTable<T>>,
    /// Whether a value that was used came from a leaf that would have children at a greater
    /// depth, so that a deeper search may find a different value.
    pub(super) reached_frontier: bool,
}

/// What a table knows of a node that is about to be searched.
enum Recalled<V> {
    /// A value that answers the window.
    Answer(V),
    /// It must be searched.
    Search {
        /// The window between the stored bounds.
        narrowed: Window<V>,
        /// Whether a value that was used outside its subtree reached the frontier.
        elsewhere: bool,
    },
}

impl<'t, T: Tree> SearchRun<'t, T> {
    /// A search without observer and table.
    pub fn new(tree: &'t T) -> Self {
        Self::watched(tree, ())
    }
}

impl<'t, T: Tree, O: Observer<T::Node>> SearchRun<'t, T, O> {
    /// A search without a table that reports to `observer`.
    pub fn watched(tree: &'t T, observer: O) -> Self {
        Self { tree, observer, table: None, reached_frontier: false }
    }

    /// The same search with a table, if there is one.
    #[must_use]
    pub fn with_table(self, table: impl Into<Option<ReferenceTable<T>>>) -> Self {
        Self { table: table.into(), ..self }
    }

    /// What the table, which there is, knows of `node` before a search with `window`.
    ///
    /// It and [`SearchRun::record`] are not part of [`TreeSearch::visit`], which is compiled for
    /// each algorithm.
    #[inline(never)]
    fn recall(&mut self, node: T::Node, window: Window<T::Value>) -> Recalled<T::Value> {
        let table = self.table.as_mut().expect("a search with a table");
        let Known { proved, from_frontier } = table.probe(self.tree, node);
        let known = if proved.is_exact() { Some(proved.lower) } else { proved.answer(window) };
        if let Some(value) = known {
            self.reached_frontier |= from_frontier;
            return Recalled::Answer(value);
        }
        table.begin();
        // The stored bounds narrow the window. The value then depends on them, too, and on the
        // frontier if they do. The flag is kept for this subtree alone while it is searched, so
        // that its entry records whether this node's value reached the frontier.
        let elsewhere = std::mem::replace(&mut self.reached_frontier, from_frontier);
        // Not by `Window::new`, because alpha-beta that cuts off only above beta searches on with an
        // empty window where a value equals beta.
        let narrowed =
            Window { alpha: window.alpha.max(proved.lower), beta: window.beta.min(proved.upper) };
        Recalled::Search { narrowed, elsewhere }
    }

    /// Stores the value that a search of `node` within `narrowed` found.
    #[inline(never)]
    fn record(
        &mut self,
        node: T::Node,
        narrowed: Window<T::Value>,
        value: T::Value,
        elsewhere: bool,
    ) {
        if let Some(table) = &mut self.table {
            table.store(self.tree, node, narrowed, value, self.reached_frontier);
        }
        self.reached_frontier |= elsewhere;
    }

    /// The best child of the last search of the root that found one, if there is a table
    /// to record it.
    pub(super) fn root_best(&self) -> Option<u16> {
        self.table.as_ref()?.root
    }
}

impl<'t, T: Tree, O: Observer<T::Node>> TreeSearch for SearchRun<'t, T, O> {
    type Node = T::Node;
    type Value = T::Value;
    type Tree = T;
    type Children = BestFirst<T, T::Children<'t>>;

    fn tree(&self) -> &T {
        self.tree
    }

    fn children(&mut self, node: T::Node) -> Option<Self::Children> {
        if self.tree.is_leaf(node) || self.observer.is_stopped() {
            return None;
        }
        self.observer.observe(TreeEvent::Interior(node));
        let index = self.table.as_ref().and_then(|table| table.best(self.tree, node));
        // The table's best child first: the child that was best before is the most likely to cause
        // an immediate cutoff. It comes from an iterator of its own, which orders the same children
        // as `rest`, so the cost of ordering is counted for `rest` alone.
        let pending = index.and_then(|index| self.tree.children(node).nth(index.into()));
        let best = pending.map(|child| child.index);
        let rest = self.tree.children(node);
        let cost = self.tree.ordering_cost(&rest);
        if cost > 0 {
            self.observer.observe(TreeEvent::Ordering(cost));
        }
        Some(BestFirst { pending, best, rest })
    }

    fn leaf(&mut self, node: T::Node) -> T::Value {
        self.observer.observe(TreeEvent::Leaf(node));
        self.reached_frontier |= !self.tree.is_end(node);
        let value = self.tree.value(node);
        if let Some(table) = &mut self.table {
            table.is_leaf(value);
        }
        value
    }

    fn visit(
        &mut self,
        algorithm: impl Fn(&mut Self, T::Node, Window<T::Value>) -> T::Value,
        node: T::Node,
        window: Window<T::Value>,
    ) -> T::Value {
        let null_window = if window.is_null() { Some(window.alpha.number()) } else { None };
        self.observer.observe(TreeEvent::Visit { null_window });
        if self.table.is_none() {
            return algorithm(self, node, window);
        }
        match self.recall(node, window) {
            Recalled::Answer(value) => value,
            Recalled::Search { narrowed, elsewhere } => {
                let value = algorithm(self, node, narrowed);
                self.record(node, narrowed, value, elsewhere);
                value
            }
        }
    }

    fn child_returned(&mut self, index: u16, value: T::Value) {
        if let Some(table) = &mut self.table
            && !self.observer.is_stopped()
        {
            table.child_returned(index, value);
        }
    }

    fn report(&mut self, event: TreeEvent<T::Node>) {
        self.observer.observe(event);
    }

    fn is_stopped(&self) -> bool {
        self.observer.is_stopped()
    }
}

/// A node's children with the table's best one before the others.
pub struct BestFirst<T: Tree, I> {
    pending: Option<ChildNode<T::Node>>,
    best: Option<u16>,
    rest: I,
}

impl<T: Tree, I: Iterator<Item = ChildNode<T::Node>>> Iterator for BestFirst<T, I> {
    type Item = ChildNode<T::Node>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(best) = self.pending.take() {
            return Some(best);
        }
        let best = self.best;
        self.rest.find(|child| Some(child.index) != best)
    }
}
