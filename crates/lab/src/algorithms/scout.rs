//! SCOUT: evaluate the first child, test whether the others are better, and
//! evaluate those that are.
//!
//! EVAL and TEST are from Pearl, "Scout: a simple game-searching algorithm with proven
//! optimal properties", AAAI-80. Noe compared SCOUT with alpha-beta on Kalah. TEST only decides
//! whether a value lies beyond a bound; its answer and its leaves are those of alpha-beta with a
//! null window.

use std::ops::Neg;

use derive_more::Display;
use kalah_game::{Score, Window};
use kalah_text::named_enum;

use super::search::{TreeEvent, TreeSearch};
use super::tree::{ChildNode, Measure, MinimaxSide};

named_enum! {
    /// The four forms of TEST.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Relation: "relation" {
        /// Greater than the bound.
        Above = ">",
        /// Greater than the bound, or equal.
        AtLeast = ">=",
        /// Less than the bound.
        Below = "<",
        /// Less than the bound, or equal.
        AtMost = "<=",
    }
}

/// The question whether a value, from Max's point of view, lies on one side of a bound.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
#[display("{relation}{bound}")]
pub struct TestQuestion<V> {
    /// Which side it is.
    pub relation: Relation,
    /// The number with which the value is compared.
    pub bound: V,
}

impl<V: Ord> TestQuestion<V> {
    /// Whether the value is greater than `bound`: TEST>.
    pub fn above(bound: V) -> Self {
        Self { relation: Relation::Above, bound }
    }

    /// Whether the value is less than `bound`: TEST<.
    pub fn below(bound: V) -> Self {
        Self { relation: Relation::Below, bound }
    }

    /// The opposite question, which holds if this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        let relation = match self.relation {
            Relation::Above => Relation::AtMost,
            Relation::AtLeast => Relation::Below,
            Relation::Below => Relation::AtLeast,
            Relation::AtMost => Relation::Above,
        };
        Self { relation, ..self }
    }

    /// The answer for a known value.
    pub fn holds(&self, value: V) -> bool {
        match self.relation {
            Relation::Above => value > self.bound,
            Relation::AtLeast => value >= self.bound,
            Relation::Below => value < self.bound,
            Relation::AtMost => value <= self.bound,
        }
    }

    /// The side that wants the answer to be yes.
    fn wanting(&self) -> MinimaxSide {
        match self.relation {
            Relation::Above | Relation::AtLeast => MinimaxSide::Max,
            Relation::Below | Relation::AtMost => MinimaxSide::Min,
        }
    }
}

impl<V: Neg<Output = V>> TestQuestion<V> {
    /// The same question about the value from the point of view of `side`.
    #[must_use]
    pub(crate) fn from_view_of(self, side: MinimaxSide) -> Self {
        if side == MinimaxSide::Max {
            return self;
        }
        let relation = match self.relation {
            Relation::Above => Relation::Below,
            Relation::AtLeast => Relation::AtMost,
            Relation::Below => Relation::Above,
            Relation::AtMost => Relation::AtLeast,
        };
        Self { relation, bound: -self.bound }
    }
}

impl TestQuestion<i32> {
    /// The question with its bound as a score of a tree.
    pub fn measured<V: Measure>(self) -> TestQuestion<V> {
        TestQuestion { relation: self.relation, bound: V::at_most(self.bound.into()) }
    }
}

impl<V: Score> TestQuestion<V> {
    /// The null window with which alpha-beta answers the question.
    pub(super) fn window(self) -> Window<V> {
        match self.relation {
            Relation::Above | Relation::AtMost => Window::null(self.bound),
            Relation::Below | Relation::AtLeast => Window::null_under(self.bound),
        }
    }

    /// The end of that window that the answer proves to be a bound on the value.
    pub(crate) fn proved(self, holds: bool) -> V {
        let Window { alpha, beta } = self.window();
        if holds == (self.wanting() == MinimaxSide::Max) { beta } else { alpha }
    }
}

/// EVAL: the value of `node` from Max's point of view; `side` is to move there.
///
/// TEST costs less than an evaluation, because one bound prunes more than a
/// window does, and in a well-ordered node it fails for most children, which then need
/// no evaluation.
pub fn scout<S: TreeSearch>(search: &mut S, node: S::Node, side: MinimaxSide) -> S::Value {
    side.to_max(eval(search, node))
}

/// EVAL with one rule for both sides: the value of `node` to the side to move there.
fn eval<S: TreeSearch>(search: &mut S, node: S::Node) -> S::Value {
    let Some(mut children) = search.children(node) else { return search.leaf(node) };
    let first = children.next().expect("a node with children has a first one");
    // Nothing is known yet with which the first child could be compared.
    let mut best = eval_child(search, first);
    for child in children {
        if test_child(search, child, best.successor()) {
            // TEST shows that the child is better, but not by how much.
            search.report(TreeEvent::Research);
            let value = eval_child(search, child);
            debug_assert!(value > best || search.is_stopped(), "the test was passed");
            best = value;
        }
    }
    best
}

/// EVAL of a child, from the point of view of the side to move at its parent.
fn eval_child<S: TreeSearch>(search: &mut S, child: ChildNode<S::Node>) -> S::Value {
    search.below(|search, node, _| eval(search, node), child, Window::full())
}

/// TEST: the answer to `question` about `node`, where `side` is to move.
///
/// All four forms ask the side to move whether it can reach a bound. TEST<= is the complement of
/// TEST>, leaf for leaf, and TEST>= that of TEST<.
pub fn test<S: TreeSearch>(
    search: &mut S,
    node: S::Node,
    side: MinimaxSide,
    question: TestQuestion<S::Value>,
) -> bool {
    let question = question.from_view_of(side);
    let bound = question.bound;
    match question.relation {
        Relation::AtLeast => reaches(search, node, bound),
        Relation::Above => reaches(search, node, bound.successor()),
        Relation::Below => !reaches(search, node, bound),
        Relation::AtMost => !reaches(search, node, bound.successor()),
    }
}

/// TEST>= with one rule for both sides: whether the value of `node` to the side to move there is
/// at least `bound`. One child with a yes is enough, and ends the test: this is TEST's cutoff.
fn reaches<S: TreeSearch>(search: &mut S, node: S::Node, bound: S::Value) -> bool {
    let Some(children) = search.children(node) else { return search.leaf(node) >= bound };
    for child in children {
        if test_child(search, child, bound) {
            return true;
        }
    }
    false
}

/// Whether the value of `child` to the side to move at its parent is at least `bound`. As a search
/// with a null window it can be answered by a transposition table.
fn test_child<S: TreeSearch>(search: &mut S, child: ChildNode<S::Node>, bound: S::Value) -> bool {
    let answer = |search: &mut S, node, window: Window<S::Value>| {
        if reaches(search, node, window.beta) { window.beta } else { window.alpha }
    };
    search.below(answer, child, Window::null_under(bound)) >= bound
}
