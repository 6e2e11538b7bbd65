//! What connects an algorithm with its tree: a transposition table, and an
//! [`Observer`] that the search reports to.
//!
//! An algorithm is a function over [`Search`]. It asks for children and leaf
//! values, and calls itself through [`Search::visit`] or [`Search::below`], where
//! a stored bound can answer; so each algorithm is written once and runs with
//! and without a table. [`Run`] is the only implementation.

use derive_more::Add;

use crate::game::score::Window;

use super::table::{Known, TranspositionTable};
use super::tree::{Child, Measure, Player, Tree};

/// Something that a search does.
#[derive(Clone, Copy, Debug)]
pub enum Event<N> {
    /// A node is asked for.
    Visit {
        /// Whether no score lies strictly inside the window.
        null_window: bool,
    },
    /// A leaf's value is asked for.
    Leaf(N),
    /// A node's children are asked for.
    Interior(N),
    /// So many positions were evaluated only to order children.
    Ordering(u64),
    /// A node is searched again because its first result was only a bound.
    Research,
    /// The root is searched, for the first time or again.
    Pass,
}

/// What a search reports to. Both methods do nothing unless they are written, so
/// that only what is observed costs time. It changes nothing but its own records, with
/// one exception: if it stops the search, every further node looks like a leaf, so that
/// the search ends at once with a value that its caller must discard.
///
/// Every algorithm is compiled for each type of tree and of observer. Where no time is
/// measured, a `dyn Observer` keeps these few.
pub trait Observer<N> {
    /// Something is about to happen.
    #[inline]
    fn observe(&mut self, _event: Event<N>) {}
    /// Whether the search should end, its value unused.
    #[inline]
    fn is_stopped(&self) -> bool {
        false
    }
}

impl<N> Observer<N> for () {}

impl<N, O: Observer<N> + ?Sized> Observer<N> for &mut O {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        (**self).observe(event);
    }
    #[inline]
    fn is_stopped(&self) -> bool {
        (**self).is_stopped()
    }
}

/// The leaves in the order in which they are visited, repeats included.
impl<N> Observer<N> for Vec<N> {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        if let Event::Leaf(node) = event {
            self.push(node);
        }
    }
}

/// How often each thing happened, repeats included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Add)]
pub struct Counts {
    /// Leaves whose value was asked for.
    pub leaves: u64,
    /// Nodes whose children were asked for.
    pub interior: u64,
    /// Positions evaluated to order children.
    pub ordering: u64,
    /// Nodes searched again with a wider window.
    pub researches: u64,
    /// Searches of the root: 1, or more for drivers that repeat it.
    pub passes: u64,
}

impl Counts {
    /// Leaves and interior nodes together.
    pub fn nodes(&self) -> u64 {
        self.leaves + self.interior
    }
}

impl<N> Observer<N> for Counts {
    #[inline]
    fn observe(&mut self, event: Event<N>) {
        match event {
            Event::Visit { .. } => {}
            Event::Leaf(_) => self.leaves += 1,
            Event::Interior(_) => self.interior += 1,
            Event::Ordering(evaluations) => self.ordering += evaluations,
            Event::Research => self.researches += 1,
            Event::Pass => self.passes += 1,
        }
    }
}

/// A search as its algorithm sees it.
pub trait Search {
    /// A place in the tree.
    type Node: Copy;
    /// What leaves are worth.
    type Value: Measure;
    /// The tree that is searched.
    type Tree: Tree<Node = Self::Node, Value = Self::Value>;
    /// The children of a node.
    type Children: Iterator<Item = Child<Self::Node>>;

    /// The tree that is searched.
    fn tree(&self) -> &Self::Tree;
    /// The children of `node`; `None` if it is a leaf or the search is stopped.
    fn children(&mut self, node: Self::Node) -> Option<Self::Children>;
    /// What the leaf `node` is worth to the player to move there.
    fn leaf(&mut self, node: Self::Node) -> Self::Value;
    /// The value of `node` by `algorithm`, or a stored bound that answers
    /// `window`.
    fn visit(
        &mut self,
        algorithm: impl Fn(&mut Self, Self::Node, Window<Self::Value>) -> Self::Value,
        node: Self::Node,
        window: Window<Self::Value>,
    ) -> Self::Value;
    /// As [`Search::visit`]; window and value are those of the player to move
    /// *above* `child`.
    #[inline]
    fn below(
        &mut self,
        algorithm: impl Fn(&mut Self, Self::Node, Window<Self::Value>) -> Self::Value,
        child: Child<Self::Node>,
        window: Window<Self::Value>,
    ) -> Self::Value {
        let value = self.visit(algorithm, child.node, window.for_child(child.turn));
        let value = child.turn.from_child(value);
        self.child_returned(child.index, value);
        value
    }
    /// As [`Search::below`] for algorithms that count as Max does everywhere:
    /// `player` moves above `child`, `algorithm` gets the player to move there.
    #[inline]
    fn below_player(
        &mut self,
        algorithm: impl Fn(&mut Self, Self::Node, Player, Window<Self::Value>) -> Self::Value,
        child: Child<Self::Node>,
        player: Player,
        window: Window<Self::Value>,
    ) -> Self::Value {
        let mover = player.after(child.turn);
        let as_mover = |search: &mut Self, node, window| {
            mover.to_max(algorithm(search, node, mover, mover.window(window)))
        };
        player.to_max(self.below(as_mover, child, player.window(window)))
    }
    /// The search of a node's child with number `index` has found `value`, as the
    /// player to move at the node sees it. [`Search::below`] notes it itself.
    fn child_returned(&mut self, index: u16, value: Self::Value);
    /// Reports to the observer.
    fn report(&mut self, event: Event<Self::Node>);
    /// Whether the observer ends the search, its value unused.
    fn is_stopped(&self) -> bool;
}

/// A search of `tree`.
#[derive(Debug)]
pub struct Run<'t, T: Tree, O = ()> {
    /// Shared, so that threads can search one tree.
    pub tree: &'t T,
    /// What the search reports to.
    pub observer: O,
    /// Bounds of nodes that were searched, if they are to be used again.
    table: Option<TranspositionTable<T>>,
    /// Whether a value that was used comes from a leaf at which the tree could go on,
    /// so that a deeper search may find another.
    pub(super) reached_frontier: bool,
}

impl<'t, T: Tree> Run<'t, T> {
    /// A search without observer and table.
    pub fn new(tree: &'t T) -> Self {
        Self::watched(tree, ())
    }
}

impl<'t, T: Tree, O: Observer<T::Node>> Run<'t, T, O> {
    /// A search without a table that reports to `observer`.
    pub fn watched(tree: &'t T, observer: O) -> Self {
        Self { tree, observer, table: None, reached_frontier: false }
    }

    /// The same search with a table, if there is one.
    #[must_use]
    pub fn with_table(self, table: impl Into<Option<TranspositionTable<T>>>) -> Self {
        Self { table: table.into(), ..self }
    }

    /// The best child of the last search of the root that found one, if a table
    /// takes notes.
    pub(super) fn root_best(&self) -> Option<u16> {
        self.table.as_ref().and_then(TranspositionTable::root_best)
    }
}

impl<'t, T: Tree, O: Observer<T::Node>> Search for Run<'t, T, O> {
    type Node = T::Node;
    type Value = T::Value;
    type Tree = T;
    type Children = BestFirst<T, T::Children<'t>>;

    #[inline]
    fn tree(&self) -> &T {
        self.tree
    }

    #[inline]
    fn children(&mut self, node: T::Node) -> Option<Self::Children> {
        if self.tree.is_leaf(node) || self.observer.is_stopped() {
            return None;
        }
        self.observer.observe(Event::Interior(node));
        let index = self.table.as_ref().and_then(|table| table.best(self.tree, node));
        // The table's best child first: what was best before most often cuts at once.
        // It is made apart from the others: its cost is counted once, with theirs.
        let pending = index.and_then(|index| self.tree.children(node).nth(index.into()));
        let best = pending.map(|child| child.index);
        let rest = self.tree.children(node);
        let cost = self.tree.ordering_cost(&rest);
        if cost > 0 {
            self.observer.observe(Event::Ordering(cost));
        }
        Some(BestFirst { pending, best, rest })
    }

    #[inline]
    fn leaf(&mut self, node: T::Node) -> T::Value {
        self.observer.observe(Event::Leaf(node));
        self.reached_frontier |= !self.tree.is_end(node);
        let value = self.tree.value(node);
        if let Some(table) = &mut self.table {
            table.is_leaf(value);
        }
        value
    }

    #[inline]
    fn visit(
        &mut self,
        algorithm: impl Fn(&mut Self, T::Node, Window<T::Value>) -> T::Value,
        node: T::Node,
        window: Window<T::Value>,
    ) -> T::Value {
        self.observer.observe(Event::Visit { null_window: window.is_null() });
        let Some(table) = &mut self.table else { return algorithm(self, node, window) };
        let Known { proved, from_frontier } = table.probe(self.tree, node);
        let exact = proved.is_exact().then_some(proved.lower);
        if let Some(value) = exact.or_else(|| proved.answer(window)) {
            self.reached_frontier |= from_frontier;
            return value;
        }
        table.begin();
        // The stored bounds narrow the window, so that the value rests on them too.
        let elsewhere = std::mem::replace(&mut self.reached_frontier, from_frontier);
        let window = Window::new(window.alpha.max(proved.lower), window.beta.min(proved.upper));
        let value = algorithm(self, node, window);
        if let Some(table) = &mut self.table {
            table.store(self.tree, node, window, value, self.reached_frontier);
        }
        self.reached_frontier |= elsewhere;
        value
    }

    #[inline]
    fn child_returned(&mut self, index: u16, value: T::Value) {
        if let Some(table) = &mut self.table
            && !self.observer.is_stopped()
        {
            table.child_returned(index, value);
        }
    }

    #[inline]
    fn report(&mut self, event: Event<T::Node>) {
        self.observer.observe(event);
    }

    #[inline]
    fn is_stopped(&self) -> bool {
        self.observer.is_stopped()
    }
}

/// A node's children with the table's best one before the others.
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
