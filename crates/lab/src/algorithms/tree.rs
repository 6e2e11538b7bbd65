//! The interface of a game tree to an algorithm: nodes, children, leaves with values.
//!
//! A tree is finite and of a fixed depth. It decides which nodes are leaves and
//! what they are worth, so that an algorithm need not deal with depth, rules or
//! evaluation. It records nothing about a search: see
//! [`Observer`](super::Observer).

use std::hash::Hash;

use kalah_game::{Gain, Score, Turn, Window};
use kalah_sys::random::mix_nth;
use kalah_text::named_enum;

/// A finite game tree with two sides.
pub trait Tree: Sync {
    /// The type of values.
    type Value: Measure;
    /// A place in the tree, with all that the tree needs to find its children.
    type Node: Copy;
    /// Equal for two nodes whose subtrees are the same but for their depth.
    type Key: Copy + Ord + Hash + std::fmt::Debug;
    /// The children of a node, generated on demand.
    type Children<'t>: Iterator<Item = ChildNode<Self::Node>>
    where
        Self: 't;

    /// The node from which a search starts.
    fn root(&self) -> Self::Node;
    /// Whether `node` has no children.
    fn is_leaf(&self, node: Self::Node) -> bool;
    /// Whether the leaf `node` has no children at any depth, because the game is over there.
    fn is_end(&self, _node: Self::Node) -> bool {
        false
    }
    /// The value of the leaf `node` to the side to move there.
    fn value(&self, node: Self::Node) -> Self::Value;
    /// The children of a node that is not a leaf, in the tree's order.
    fn children(&self, node: Self::Node) -> Self::Children<'_>;
    /// How many evaluations it took to order `children`, none of which has been taken yet.
    fn ordering_cost(&self, _children: &Self::Children<'_>) -> u64 {
        0
    }
    /// Moves from `node` to the frontier: 0 there.
    fn depth(&self, node: Self::Node) -> u16;
    /// The same node with the frontier `depth` moves away, for shallower
    /// searches. `depth` is at most that of `node`.
    fn truncated(&self, node: Self::Node, depth: u16) -> Self::Node;
    /// The leaf `node` on the frontier, with the frontier moved one move farther away.
    fn beyond(&self, node: Self::Node) -> Self::Node {
        node
    }
    /// An upper bound on the value to the side to move at `node`.
    fn ceiling(&self, _node: Self::Node) -> Self::Value {
        Self::Value::MAX
    }
    /// How far the value is expected to be from a guess: half the width of an aspiration
    /// window.
    fn aspiration_margin(&self) -> Self::Value;
    /// Whether the move from `node` to `child` upsets a static evaluation, so that
    /// quiescence search follows it beyond the frontier. No line has infinitely many such
    /// moves.
    fn is_noisy(&self, _node: Self::Node, _child: &ChildNode<Self::Node>) -> bool {
        false
    }
    /// How the values of shallow searches are related to those of deep ones, if that
    /// is known.
    fn model(&self) -> Option<&ProbCutModel> {
        None
    }
    /// Identifies `node` when a search reaches it again.
    fn key(&self, node: Self::Node) -> Self::Key;
}

/// A node one move below another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildNode<N> {
    /// Whether the side to move is the same as at the parent.
    pub turn: Turn,
    /// The node itself.
    pub node: N,
    /// Which child it is, from 0, in the tree's order.
    pub index: u16,
}

named_enum! {
    /// The sides of a minimax search. Max moves at the root.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum MinimaxSide: "side" {
        /// Wants the value high.
        #[default]
        Max = "max",
        /// Wants the value low.
        Min = "min",
    }
}

impl MinimaxSide {
    /// Who is to move after a move of this side.
    pub fn after(self, turn: Turn) -> Self {
        match (self, turn) {
            (side, Turn::Keeps) => side,
            (MinimaxSide::Max, Turn::Passes) => MinimaxSide::Min,
            (MinimaxSide::Min, Turn::Passes) => MinimaxSide::Max,
        }
    }

    /// Converts a window from this side's point of view to Max's, and back.
    pub fn window<V: Score>(self, window: Window<V>) -> Window<V> {
        match self {
            MinimaxSide::Max => window,
            MinimaxSide::Min => window.for_child(Turn::Passes),
        }
    }

    /// Converts a score from this side's point of view to Max's, and back.
    pub fn to_max<V: Score>(self, score: V) -> V {
        match self {
            MinimaxSide::Max => score,
            MinimaxSide::Min => -score,
        }
    }
}

/// A tree without its transpositions: nodes are distinguished by the moves that lead to
/// them. The laws about sets of leaves hold on such trees.
#[derive(Clone, Copy, Debug)]
pub struct Unfolded<T>(pub T);

/// A node of the underlying tree and the line that leads to it.
#[derive(Clone, Copy, Debug)]
pub struct UnfoldedNode<N> {
    /// The node of the underlying tree.
    pub inner: N,
    /// A hash of the moves from the root; of 64 bits, so that two lines hardly ever share
    /// one.
    pub line: u64,
}

impl<T: Tree> Tree for Unfolded<T> {
    type Value = T::Value;
    type Node = UnfoldedNode<T::Node>;
    type Key = u64;
    type Children<'t>
        = UnfoldedChildren<T::Children<'t>>
    where
        T: 't;

    fn root(&self) -> Self::Node {
        UnfoldedNode { inner: self.0.root(), line: 0 }
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

    fn children(&self, node: Self::Node) -> Self::Children<'_> {
        UnfoldedChildren { children: self.0.children(node.inner), line: node.line }
    }

    fn ordering_cost(&self, children: &Self::Children<'_>) -> u64 {
        self.0.ordering_cost(&children.children)
    }

    fn depth(&self, node: Self::Node) -> u16 {
        self.0.depth(node.inner)
    }

    fn truncated(&self, node: Self::Node, depth: u16) -> Self::Node {
        UnfoldedNode { inner: self.0.truncated(node.inner, depth), ..node }
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

/// Children with their lines.
#[derive(Clone, Debug)]
pub struct UnfoldedChildren<I> {
    children: I,
    line: u64,
}

impl<N, I: Iterator<Item = ChildNode<N>>> Iterator for UnfoldedChildren<I> {
    type Item = ChildNode<UnfoldedNode<N>>;

    fn next(&mut self) -> Option<Self::Item> {
        let ChildNode { turn, node, index } = self.children.next()?;
        let line = mix_nth(self.line, index.into());
        Some(ChildNode { turn, node: UnfoldedNode { inner: node, line }, index })
    }
}

/// A score that converts to and from a number, for bounds that a user types, fitted lines
/// and means.
pub trait Measure: Score {
    /// The score as a number.
    fn number(self) -> f64;
    /// The greatest score that is at most `number`.
    fn at_most(number: f64) -> Self;
}

impl Measure for Gain {
    fn number(self) -> f64 {
        self.0.into()
    }
    fn at_most(number: f64) -> Self {
        Gain(number.floor() as i32).clamp(Self::MIN, Self::MAX)
    }
}

/// deep ≈ slope · shallow + offset, with a standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCutCheck {
    /// The depth of nodes that are checked.
    pub depth: u16,
    /// The depth of the search that checks them.
    pub shallow: u16,
    /// Seeds of the deep value per seed of the shallow one.
    pub slope: f64,
    /// The deep value, in seeds, if the shallow one is 0.
    pub offset: f64,
    /// Standard deviation of the error, in seeds.
    pub deviation: f64,
}

impl ProbCutCheck {
    /// The least-squares line through pairs of values (shallow, deep).
    /// `None` if there are fewer than three pairs, if the shallow values are all
    /// the same, or if the deep ones do not rise with them.
    pub fn fitted<V: Measure>(depth: u16, shallow: u16, pairs: &[(V, V)]) -> Option<Self> {
        let count = pairs.len() as f64;
        let pairs = pairs.iter().map(|(x, y)| (x.number(), y.number()));
        let (sum_x, sum_y) = pairs.clone().fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
        let mean_x = sum_x / count;
        let mean_y = sum_y / count;
        let spread: f64 = pairs.clone().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let common: f64 = pairs.clone().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let slope = common / spread;
        // Two points always lie on a line, which would pass for a line without errors. With a line
        // that falls, a check would cut on the wrong side.
        if count < 3.0 || slope.is_nan() || slope <= 0.0 {
            return None;
        }
        let offset = mean_y - slope * mean_x;
        let errors: f64 = pairs.map(|(x, y)| (y - slope * x - offset).powi(2)).sum();
        // The slope and the offset use up two degrees of freedom.
        let deviation = (errors / (count - 2.0)).sqrt();
        Some(Self { depth, shallow, slope, offset, deviation })
    }

    /// The shallow value for which the expected deep value is `deep`.
    pub(super) fn shallow_for(&self, deep: f64) -> f64 {
        (deep - self.offset) / self.slope
    }
}

/// ProbCut's checks, and how sure they must be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbCutModel {
    /// At most one per depth.
    pub checks: Vec<ProbCutCheck>,
    /// By how many standard deviations a value must clear the bound before a check cuts;
    /// Buro's Othello program used 1.5.
    pub sureness: f64,
}
