//! Kalah to a fixed depth, as a tree.
//!
//! A leaf on the frontier is worth the difference of the stores, a leaf where
//! the game is over its final margin; both to the player to move there. What
//! counts as a move is [`ExtraTurns`]' choice, which move comes first [`Order`]'s.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::game::score::{Gain, Turn};
use crate::game::{Board, Pit, PitSet, Position, Row, Rules, Sowing, Sown, with_row};
use crate::sys::names::named_enum;
use crate::sys::random::SplitMix64;

use super::table::MixHasher;
use super::tree::{Child, Model, Tree};

named_enum! {
    /// What an extra turn costs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ExtraTurns: "treatment of extra turns" {
        /// A whole turn of several sowings is one move.
        #[default]
        Compound = "compound",
        /// Each sowing is a move; the same side may be to move again.
        Ply = "ply",
        /// Each sowing is a move, and one that earns an extra turn costs no depth.
        Free = "free",
    }
}

impl ExtraTurns {
    /// Whether sides alternate from each move to the next.
    pub fn alternates(self) -> bool {
        self == Self::Compound
    }
}

named_enum! {
    /// In which order children are searched.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Order: "order" {
        /// The pit farthest from the store first.
        #[default]
        Far = "far",
        /// The pit nearest to the store first.
        Near = "near",
        /// Shuffled; the tree's seed and the position after the move decide.
        Random = "random",
        /// The best evaluation after the move first, ties as in `Far`; on the last
        /// move before the frontier, where it would cost what it saves, as `Far`.
        Static = "static",
    }
}

/// The tree below a position.
#[derive(Clone, Debug)]
pub struct KalahTree<R> {
    sowing: Sowing<R>,
    root: Node<R>,
    extra_turns: ExtraTurns,
    order: Order,
    /// What [`Order::Random`] follows from.
    seed: u64,
    /// The pits that the first sowing may be from.
    first: Option<PitSet>,
    model: Option<Arc<Model>>,
}

/// A position of the tree, seen from the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node<R> {
    /// The pits, the mover's own first.
    pub board: Board<R>,
    /// The mover's store minus the opponent's.
    pub lead: Gain,
    /// Moves to the frontier.
    pub height: u16,
}

impl<R: Row> Node<R> {
    /// What the node is worth if the game ends or the search stops here.
    #[inline]
    fn worth(&self) -> Gain {
        if self.board.is_over() { self.lead + self.board.final_gain() } else { self.lead }
    }
}

impl<R: Row> KalahTree<R> {
    /// The tree of `depth` moves below `position`.
    ///
    /// # Panics
    /// If `position` does not fit on rows of type `R`
    /// (see [`Position::fits`]).
    pub fn new(position: &Position, depth: u16, extra_turns: ExtraTurns, order: Order) -> Self {
        assert!(position.fits::<R>());
        let root =
            Node { board: position.board(), lead: position.lead(position.side()), height: depth };
        let sowing = Sowing::new(position.variant());
        Self { sowing, root, extra_turns, order, seed: 0, first: None, model: None }
    }

    /// The same tree with another random order.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same tree with the relation of deep values to shallow ones, if one is known.
    #[must_use]
    pub fn with_model(self, model: impl Into<Option<Arc<Model>>>) -> Self {
        Self { model: model.into(), ..self }
    }

    /// The same tree with the first sowing from one of these pits.
    #[must_use]
    pub fn starting_with(self, pits: PitSet) -> Self {
        Self { first: Some(pits), ..self }
    }

    /// The sowings of the root's child with this number: one, or a whole turn.
    ///
    /// # Panics
    /// If there is no such child.
    pub fn sowings(&self, index: u16) -> Vec<Pit> {
        let wanted = self.children(self.root).nth(index.into());
        let wanted = wanted.expect("the number of a child").node;
        let mut turns = self.lazy(self.root);
        let found = turns.find(|child| child.node == wanted);
        debug_assert!(found.is_some(), "every order has the same children");
        turns.above.iter().chain([&turns.current]).map(|frame| frame.sown).collect()
    }

    fn moves(&self, node: Node<R>) -> PitSet {
        let moves = node.board.moves();
        match self.first {
            Some(first) if (node.board, node.lead) == (self.root.board, self.root.lead) => {
                moves.filter(|&pit| first.contains(pit)).collect()
            }
            _ => moves,
        }
    }

    fn lazy(&self, node: Node<R>) -> Sowings<'_, R> {
        let current = Frame::new(node.board, node.lead, self.moves(node));
        let from_far = self.order != Order::Near;
        Sowings { tree: self, height: node.height, from_far, current, above: Vec::new(), index: 0 }
    }
}

impl<R: Row> Tree for KalahTree<R> {
    type Value = Gain;
    type Node = Node<R>;
    type Key = (Board<R>, Gain);
    type Children<'t> = Children<'t, R>;

    #[inline]
    fn root(&self) -> Node<R> {
        self.root
    }

    #[inline]
    fn is_leaf(&self, node: Node<R>) -> bool {
        node.height == 0 || node.board.is_over()
    }

    #[inline]
    fn is_end(&self, node: Node<R>) -> bool {
        node.board.is_over()
    }

    #[inline]
    fn value(&self, node: Node<R>) -> Gain {
        node.worth()
    }

    #[inline]
    fn children(&self, node: Node<R>) -> Children<'_, R> {
        let lazy = self.lazy(node);
        match self.order {
            Order::Far | Order::Near => Children::Lazy(lazy),
            Order::Random => Children::Sorted(sorted(lazy, |child| {
                let mut hasher = MixHasher::default();
                (self.seed, child.node.board, child.node.lead.0).hash(&mut hasher);
                hasher.finish()
            })),
            Order::Static if node.height < 2 => Children::Lazy(lazy),
            Order::Static => {
                Children::Sorted(sorted(lazy, |child| -child.turn.from_child(child.node.worth())))
            }
        }
    }

    #[inline]
    fn ordering_cost(&self, children: &Children<'_, R>) -> u64 {
        match children {
            Children::Sorted(children) if self.order == Order::Static => children.len() as u64,
            _ => 0,
        }
    }

    #[inline]
    fn height(&self, node: Node<R>) -> u16 {
        node.height
    }

    #[inline]
    fn truncated(&self, node: Node<R>, height: u16) -> Node<R> {
        Node { height, ..node }
    }

    #[inline]
    fn beyond(&self, node: Node<R>) -> Node<R> {
        Node { height: 1, ..node }
    }

    /// An extra turn, or two seeds banked at once: all captures do that.
    fn is_noisy(&self, node: Node<R>, child: &Child<Node<R>>) -> bool {
        let gain = child.turn.from_child(child.node.lead) - node.lead;
        child.turn == Turn::Keeps || gain > Gain(1)
    }

    fn model(&self) -> Option<&Model> {
        self.model.as_deref()
    }

    #[inline]
    fn ceiling(&self, node: Node<R>) -> Gain {
        node.lead + Gain(node.board.in_play() as i32)
    }

    fn aspiration_margin(&self) -> Gain {
        Gain(2)
    }

    #[inline]
    fn key(&self, node: Node<R>) -> Self::Key {
        (node.board, node.lead)
    }
}

impl Model {
    /// ProbCut's checks of Kalah for nodes 3 to `highest` moves high, by searches
    /// two moves less deep, fitted on so many positions that 0 to 15 random turns
    /// from the start lead to.
    pub fn of_kalah(rules: Rules, highest: u16, samples: usize, seed: u64) -> Self {
        let start = Position::start(rules);
        let mut random = SplitMix64::new(seed);
        with_row!(start, R => {
            let tree =
                KalahTree::<R>::new(&start, highest + 16, ExtraTurns::Compound, Order::Static);
            Model::fitted(&tree, 3..=highest, samples, &mut random)
        })
    }
}

#[inline(never)]
fn sorted<R: Row, K: Ord>(
    lazy: Sowings<'_, R>,
    key: impl Fn(&Child<Node<R>>) -> K,
) -> std::vec::IntoIter<Child<Node<R>>> {
    let mut children: Vec<_> = lazy.collect();
    children.sort_by_cached_key(key);
    for (index, child) in children.iter_mut().enumerate() {
        child.index = index as u16;
    }
    children.into_iter()
}

/// The moves of a node.
#[derive(Clone, Debug)]
pub enum Children<'t, R> {
    /// In the order of the pits, each made when it is asked for.
    Lazy(Sowings<'t, R>),
    /// In another order, all made at once.
    Sorted(std::vec::IntoIter<Child<Node<R>>>),
}

impl<R: Row> Iterator for Children<'_, R> {
    type Item = Child<Node<R>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Children::Lazy(sowings) => sowings.next(),
            Children::Sorted(children) => children.next(),
        }
    }
}

/// Moves in the order of the pits; a move of several sowings comes where its
/// first one would.
#[derive(Clone, Debug)]
pub struct Sowings<'t, R> {
    tree: &'t KalahTree<R>,
    height: u16,
    from_far: bool,
    current: Frame<R>,
    /// The sowings of the same turn before `current`, each with what is left
    /// to try there. Always empty unless a turn is one move.
    above: Vec<Frame<R>>,
    index: u16,
}

#[derive(Clone, Copy, Debug)]
struct Frame<R> {
    board: Board<R>,
    lead: Gain,
    left: PitSet,
    /// The last pit taken from `left`.
    sown: Pit,
}

impl<R> Frame<R> {
    #[inline]
    fn new(board: Board<R>, lead: Gain, left: PitSet) -> Self {
        Self { board, lead, left, sown: Pit::new(0) }
    }
}

impl<R: Row> Iterator for Sowings<'_, R> {
    type Item = Child<Node<R>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let left = &mut self.current.left;
            let Some(pit) = (if self.from_far { left.next() } else { left.next_back() }) else {
                self.current = self.above.pop()?;
                continue;
            };
            self.current.sown = pit;
            let sown: Sown<R> = self.current.board.sow(&self.tree.sowing, pit);
            let lead = self.current.lead + sown.gain();
            let mut height = self.height - 1;
            if sown.turn == Turn::Keeps && !sown.board.is_over() {
                match self.tree.extra_turns {
                    ExtraTurns::Compound => {
                        let next = Frame::new(sown.board, lead, sown.board.moves());
                        self.above.push(std::mem::replace(&mut self.current, next));
                        continue;
                    }
                    ExtraTurns::Free => height = self.height,
                    ExtraTurns::Ply => {}
                }
            }
            let index = self.index;
            self.index += 1;
            let node = Node { board: sown.board, lead: sown.turn.from_child(lead), height };
            return Some(Child { turn: sown.turn, node, index });
        }
    }
}
