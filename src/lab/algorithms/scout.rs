//! SCOUT: evaluate the first child, test whether the others are better, and
//! evaluate those that are.
//!
//! EVAL and TEST of Pearl, "Scout: a simple game-searching algorithm with proven
//! optimal properties", AAAI-80. It is what Noe compared with alpha-beta on
//! Kalah. TEST asks only whether a value lies beyond a bound; in verdict and
//! leaves it is alpha-beta with a null window.

use crate::game::score::Window;

use super::measure::Measure;
use super::observer::Event;
use super::search::Search;
use super::tree::{Child, Player};

/// EVAL: the value of `node` as Max counts it; `player` is to move there.
pub fn scout<S: Search>(search: &mut S, node: S::Node, player: Player) -> S::Value {
    let Some(mut children) = search.children(node) else {
        return player.to_max(search.leaf(node));
    };
    let eval = |search: &mut S, node, player, _| scout(search, node, player);
    let first = children.next().expect("a node with children has a first one");
    let mut value = search.below_player(eval, first, player, Window::full());
    for child in children {
        if test_below_node(search, child, player, Question { bound: value, wanting: player }) {
            search.report(Event::Research);
            value = search.below_player(eval, child, player, Window::full());
        }
    }
    value
}

/// TEST>: whether the value of `node`, as Max counts it, is above `bound`.
/// `player` is to move at `node`. Its complement is the test for `<=`.
pub fn test_above<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    bound: S::Value,
) -> bool {
    test(search, node, player, Question { bound, wanting: Player::Max })
}

/// TEST<: whether the value of `node`, as Max counts it, is below `bound`.
/// `player` is to move at `node`. Its complement is the test for `>=`.
pub fn test_below<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    bound: S::Value,
) -> bool {
    test(search, node, player, Question { bound, wanting: Player::Min })
}

/// Whether a value is better than `bound` for `wanting`. All as Max counts.
#[derive(Clone, Copy)]
struct Question<V> {
    bound: V,
    wanting: Player,
}

impl<V: Measure> Question<V> {
    fn holds(self, value: V) -> bool {
        match self.wanting {
            Player::Max => value > self.bound,
            Player::Min => value < self.bound,
        }
    }

    /// The null window that asks the same.
    fn window(self) -> Window<V> {
        match self.wanting {
            Player::Max => Window::null(self.bound),
            Player::Min => Window::null_under(self.bound),
        }
    }

    /// The end of the window that an answer proves.
    fn proved(self, holds: bool) -> V {
        let Window { alpha, beta } = self.window();
        if holds == (self.wanting == Player::Max) { beta } else { alpha }
    }
}

/// The answer to `question`: one child that passes is enough where `wanting`
/// moves, all must pass where the other does.
fn test<S: Search>(
    search: &mut S,
    node: S::Node,
    player: Player,
    question: Question<S::Value>,
) -> bool {
    let Some(mut children) = search.children(node) else {
        return question.holds(player.to_max(search.leaf(node)));
    };
    let mut passes = |child| test_below_node(search, child, player, question);
    if player == question.wanting { children.any(&mut passes) } else { children.all(&mut passes) }
}

/// TEST of a child of a node where `player` moves.
fn test_below_node<S: Search>(
    search: &mut S,
    child: Child<S::Node>,
    player: Player,
    question: Question<S::Value>,
) -> bool {
    let tested =
        |search: &mut S, node, player, _| question.proved(test(search, node, player, question));
    question.holds(search.below_player(tested, child, player, question.window()))
}
