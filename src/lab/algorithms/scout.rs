//! SCOUT: evaluate the first child, test whether the others are better, and
//! evaluate those that are.
//!
//! EVAL and TEST of Pearl, "Scout: a simple game-searching algorithm with proven
//! optimal properties", AAAI-80. It is what Noe compared with alpha-beta on
//! Kalah. TEST only answers whether a value lies beyond a bound; in verdict and
//! leaves it is alpha-beta with a null window.

use std::fmt;
use std::ops::Neg;

use crate::game::score::{Score, Window};
use crate::sys::names::named_enum;

use super::search::{Event, Search};
use super::tree::{Child, Measure, Player};

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

/// Whether a value, from Max's point of view, lies on one side of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Question<V> {
    /// The side.
    pub relation: Relation,
    /// What the value is compared with.
    pub bound: V,
}

impl<V: fmt::Display> fmt::Display for Question<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.relation, self.bound)
    }
}

impl<V: Ord> Question<V> {
    /// Whether the value is greater than `bound`: TEST>.
    pub fn above(bound: V) -> Self {
        Self { relation: Relation::Above, bound }
    }

    /// Whether the value is less than `bound`: TEST<.
    pub fn below(bound: V) -> Self {
        Self { relation: Relation::Below, bound }
    }

    /// The question that is true where this one is false.
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

    /// The player who wants the answer to be yes.
    fn wanting(&self) -> Player {
        match self.relation {
            Relation::Above | Relation::AtLeast => Player::Max,
            Relation::Below | Relation::AtMost => Player::Min,
        }
    }
}

impl<V: Neg<Output = V>> Question<V> {
    /// The same question about the value from the point of view of `player`.
    #[must_use]
    pub fn from_view_of(self, player: Player) -> Self {
        if player == Player::Max {
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

impl Question<i32> {
    /// The question with a score of a tree for its bound.
    pub fn measured<V: Measure>(self) -> Question<V> {
        Question { relation: self.relation, bound: V::at_most(self.bound.into()) }
    }
}

impl<V: Score> Question<V> {
    /// The null window that alpha-beta answers the question with.
    pub(super) fn window(self) -> Window<V> {
        match self.relation {
            Relation::Above | Relation::AtMost => Window::null(self.bound),
            Relation::Below | Relation::AtLeast => Window::null_under(self.bound),
        }
    }

    /// The end of that window which an answer proves to be a bound of the value.
    pub(super) fn proved(self, holds: bool) -> V {
        let Window { alpha, beta } = self.window();
        if holds == (self.wanting() == Player::Max) { beta } else { alpha }
    }
}

/// EVAL: the value of `node` from Max's point of view; `player` is to move there.
///
/// TEST costs less than an evaluation, because one bound prunes more than a
/// window does, and it fails for most children of a well-ordered node.
pub fn scout<S: Search>(search: &mut S, node: S::Node, player: Player) -> S::Value {
    let Some(mut children) = search.children(node) else {
        return player.to_max(search.leaf(node));
    };
    let first = children.next().expect("a node with children has a first one");
    let mut value = eval_child(search, first, player);
    for child in children {
        let better = match player {
            Player::Max => Question::above(value),
            Player::Min => Question::below(value),
        };
        if test_child(search, child, player, better) {
            search.report(Event::Research);
            value = eval_child(search, child, player);
        }
    }
    value
}

/// EVAL of a child of a node where `player` moves.
fn eval_child<S: Search>(search: &mut S, child: Child<S::Node>, player: Player) -> S::Value {
    search.below_player(|s, node, player, _| scout(s, node, player), child, player, Window::full())
}

/// TEST: the answer to `question` about `node`, where `player` is to move.
///
/// One child with a yes is enough where the player moves who wants it; where the
/// other moves all must say yes. By De Morgan's laws TEST<= is so the complement
/// of TEST>, leaf for leaf, and TEST>= that of TEST<.
pub fn test<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    question: Question<S::Value>,
) -> bool {
    let Some(mut children) = search.children(node) else {
        return question.holds(player.to_max(search.leaf(node)));
    };
    let mut holds = |child| test_child(search, child, player, question);
    if player == question.wanting() { children.any(&mut holds) } else { children.all(&mut holds) }
}

/// TEST of a child of a node where `player` moves. As a search with a null window
/// it can be answered by a transposition table.
fn test_child<S: Search>(
    search: &mut S,
    child: Child<S::Node>,
    player: Player,
    question: Question<S::Value>,
) -> bool {
    let value = search.below_player(
        |search, node, player, _| question.proved(test(search, node, player, question)),
        child,
        player,
        question.window(),
    );
    question.holds(value)
}
