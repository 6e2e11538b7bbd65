//! Kalah to a fixed depth, as a tree.
//!
//! A leaf on the frontier is worth the difference of the stores, a leaf where
//! the game is over the final margin, both to the side to move there.
//! [`ExtraTurns`] decides what counts as a move, and [`ChildOrder`] which move comes first.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kalah_game::{
    Board, Gain, MAX_PITS, Pit, PitSet, Pits, Position, Row, Rules, Sowing, Sown, Turn, Variant,
    with_row,
};
use kalah_sys::random::SplitMix64;
use kalah_text::named_enum;

use super::reference_table::MixHasher;
use super::tree::{ChildNode, ProbCutModel, Tree};

named_enum! {
    /// The depth that an extra turn costs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ExtraTurns: "treatment of extra turns" {
        /// A whole turn of several sowings is one move.
        #[default]
        Compound = "compound",
        /// Each sowing is a move; the same side may be to move again.
        Ply = "ply",
        /// Each sowing is a move, and one that earns an extra turn costs no depth. To F1, F2 and F3,
        /// it is the tree of whole turns. To SCOUT, NegaScout and PVS, it is a different one: they
        /// compare the turns after an extra one with one another before the mover's best turn.
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
    /// The order in which children are searched.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ChildOrder: "order" {
        /// The pit farthest from the store first.
        #[default]
        Far = "far",
        /// The pit nearest to the store first.
        Near = "near",
        /// Shuffled by the tree's seed and the position after the move.
        Random = "random",
        /// The move with the best evaluation first, ties as in `Far`. On the last move
        /// before the frontier, where sorting would cost as much as it saves, as in `Far`.
        Static = "static",
    }
}

/// The tree below a position.
#[derive(Clone, Debug)]
pub struct KalahTree<R> {
    sowing: Sowing<R>,
    root: KalahNode<R>,
    extra_turns: ExtraTurns,
    order: ChildOrder,
    /// The seed of [`ChildOrder::Random`].
    seed: u64,
    /// The pits from which the first sowing may be made; `None` for all.
    first: Option<PitSet>,
    /// Whether the pits from which a side can sow count at the frontier.
    mobility: bool,
    model: Option<Arc<ProbCutModel>>,
}

/// A position of the tree, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KalahNode<R> {
    /// The pits, the mover's own first.
    pub board: Board<R>,
    /// The mover's store minus the opponent's.
    pub lead: Gain,
    /// Moves to the frontier.
    pub depth: u16,
}

impl<R: Row> KalahNode<R> {
    /// The static evaluation: the final margin if the game is over, otherwise the lead.
    fn worth(&self, variant: Variant) -> Gain {
        if self.board.is_over(variant) {
            self.lead + self.board.final_gain(variant)
        } else {
            self.lead
        }
    }

    /// The static evaluation in quarters of a seed. Until the game is over, it adds a quarter for
    /// each pit from which a side can sow.
    fn fine_worth(&self, variant: Variant) -> Gain {
        let Board { own, opponent } = self.board;
        let other = Board { own: opponent, opponent: own };
        let worth = 4 * self.worth(variant).0;
        if self.board.is_over(variant) {
            return Gain(worth);
        }
        let own = self.board.moves(variant).len() as i32;
        Gain(worth + own - other.moves(variant).len() as i32)
    }
}

impl<R: Row> KalahTree<R> {
    /// The tree of `depth` moves below `position`.
    ///
    /// # Panics
    /// If `position` does not fit on rows of type `R`
    /// (see [`Position::fits`]).
    pub fn new(
        position: &Position,
        depth: u16,
        extra_turns: ExtraTurns,
        order: ChildOrder,
    ) -> Self {
        assert!(position.fits::<R>());
        let root =
            KalahNode { board: position.board(), lead: position.lead(position.side()), depth };
        let sowing = Sowing::new(position.variant());
        Self {
            sowing,
            root,
            extra_turns,
            order,
            seed: 0,
            first: None,
            mobility: false,
            model: None,
        }
    }

    /// The same tree with a different random order.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same tree with values in quarters of a seed, to which each pit from which a side can sow
    /// adds one: a finer evaluation, with fewer ties.
    #[must_use]
    pub fn with_mobility(self) -> Self {
        Self { mobility: true, ..self }
    }

    /// The same tree with ProbCut's model, if there is one.
    #[must_use]
    pub fn with_model(self, model: impl Into<Option<Arc<ProbCutModel>>>) -> Self {
        Self { model: model.into(), ..self }
    }

    /// The same tree, restricted to first sowings from these pits.
    #[must_use]
    pub(crate) fn starting_with(self, pits: PitSet) -> Self {
        Self { first: Some(pits), ..self }
    }

    /// The sowings of the root's child with this number: one, or a whole turn.
    ///
    /// # Panics
    /// If there is no such child.
    pub fn sowings(&self, index: u16) -> Vec<Pit> {
        let child = self.children(self.root).nth(index.into()).expect("the number of a child");
        // Sorting renumbers the children, and only the unsorted iterator knows the sowings, so
        // the child is found by its position. Any turn that leads to it will do.
        let mut turns = self.lazy(self.root);
        let found = turns.find(|other| other.node == child.node);
        debug_assert!(found.is_some(), "every order has the same children");
        turns.above.iter().chain([&turns.current]).map(|frame| frame.sown).collect()
    }

    fn moves(&self, node: KalahNode<R>) -> PitSet {
        let moves = node.board.moves(self.sowing.variant());
        match self.first {
            // The depth is not compared: iterative deepening searches the root at several.
            Some(first) if (node.board, node.lead) == (self.root.board, self.root.lead) => {
                moves.iter().filter(|&pit| first.contains(pit)).collect()
            }
            _ => moves,
        }
    }

    fn lazy(&self, node: KalahNode<R>) -> LazyMoves<'_, R> {
        let current = PartialTurn::new(node.board, node.lead, self.moves(node));
        let from_far = self.order != ChildOrder::Near;
        LazyMoves { tree: self, depth: node.depth, from_far, current, above: Vec::new(), index: 0 }
    }
}

impl<R: Row> Tree for KalahTree<R> {
    type Value = Gain;
    type Node = KalahNode<R>;
    type Key = (Board<R>, Gain);
    type Children<'t> = KalahChildren<'t, R>;

    fn root(&self) -> KalahNode<R> {
        self.root
    }

    fn is_leaf(&self, node: KalahNode<R>) -> bool {
        node.depth == 0 || self.is_end(node)
    }

    fn is_end(&self, node: KalahNode<R>) -> bool {
        node.board.is_over(self.sowing.variant())
    }

    fn value(&self, node: KalahNode<R>) -> Gain {
        let variant = self.sowing.variant();
        if self.mobility { node.fine_worth(variant) } else { node.worth(variant) }
    }

    fn children(&self, node: KalahNode<R>) -> KalahChildren<'_, R> {
        let lazy = self.lazy(node);
        match self.order {
            ChildOrder::Far | ChildOrder::Near => KalahChildren::Lazy(lazy),
            // A hash and not a generator, because a node must have the same order at each visit.
            ChildOrder::Random => KalahChildren::Sorted(sorted(lazy, |child| {
                let mut hasher = MixHasher::default();
                (self.seed, child.node.board, child.node.lead.0).hash(&mut hasher);
                hasher.finish()
            })),
            ChildOrder::Static if node.depth < 2 => KalahChildren::Lazy(lazy),
            ChildOrder::Static => KalahChildren::Sorted(sorted(lazy, |child| {
                -child.turn.from_child(child.node.worth(self.sowing.variant()))
            })),
        }
    }

    fn ordering_cost(&self, children: &KalahChildren<'_, R>) -> u64 {
        match children {
            KalahChildren::Sorted(children) if self.order == ChildOrder::Static => {
                children.len() as u64
            }
            _ => 0,
        }
    }

    fn depth(&self, node: KalahNode<R>) -> u16 {
        node.depth
    }

    fn truncated(&self, node: KalahNode<R>, depth: u16) -> KalahNode<R> {
        KalahNode { depth, ..node }
    }

    fn beyond(&self, node: KalahNode<R>) -> KalahNode<R> {
        KalahNode { depth: 1, ..node }
    }

    /// A move that earns an extra turn, or one that gains two seeds or more at once, as every
    /// capture does.
    fn is_noisy(&self, node: KalahNode<R>, child: &ChildNode<KalahNode<R>>) -> bool {
        let gain = child.turn.from_child(child.node.lead) - node.lead;
        child.turn == Turn::Keeps || gain > Gain(1)
    }

    fn model(&self) -> Option<&ProbCutModel> {
        self.model.as_deref()
    }

    fn ceiling(&self, node: KalahNode<R>) -> Gain {
        let gains = self.sowing.variant().gains(node.board.in_play());
        let highest = node.lead + gains.upper;
        // No side can sow from more pits than it has.
        if self.mobility { Gain(4 * highest.0 + MAX_PITS as i32) } else { highest }
    }

    fn aspiration_margin(&self) -> Gain {
        // One seed.
        Gain(if self.mobility { 4 } else { 1 })
    }

    fn key(&self, node: KalahNode<R>) -> Self::Key {
        (node.board, node.lead)
    }
}

impl ProbCutModel {
    /// ProbCut's usual checks for Kalah: for nodes 3 to 7 moves high, fitted to 100 positions.
    /// Fitting takes a few hundredths of a second on small boards.
    pub fn for_kalah(rules: Rules, seed: u64) -> Self {
        Self::fitted_to_kalah(rules, 7, 100, seed)
    }

    /// ProbCut's checks for Kalah, for nodes 3 to `highest` moves high, each by a search
    /// two moves shallower. They are fitted to `samples` positions, each reached from the
    /// start by 0 to 15 random turns.
    pub fn fitted_to_kalah(rules: Rules, highest: u16, samples: usize, seed: u64) -> Self {
        let start = Position::start(rules);
        let mut random = SplitMix64::new(seed);
        with_row!(start, R => {
            // Deep enough for the random turns to a sample and the search from there.
            let tree =
                KalahTree::<R>::new(&start, highest + 16, ExtraTurns::Compound, ChildOrder::Static);
            ProbCutModel::fitted(&tree, 3..=highest, samples, &mut random)
        })
    }
}

#[inline(never)]
fn sorted<R: Row, K: Ord>(
    lazy: LazyMoves<'_, R>,
    key: impl Fn(&ChildNode<KalahNode<R>>) -> K,
) -> std::vec::IntoIter<ChildNode<KalahNode<R>>> {
    let mut children: Vec<_> = lazy.collect();
    children.sort_by_cached_key(key);
    for (index, child) in children.iter_mut().enumerate() {
        child.index = index as u16;
    }
    children.into_iter()
}

/// The moves of a node.
#[derive(Clone, Debug)]
pub enum KalahChildren<'t, R> {
    /// In the order of the pits, generated on demand.
    Lazy(LazyMoves<'t, R>),
    /// In a different order, all generated at once.
    Sorted(std::vec::IntoIter<ChildNode<KalahNode<R>>>),
}

impl<R: Row> Iterator for KalahChildren<'_, R> {
    type Item = ChildNode<KalahNode<R>>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            KalahChildren::Lazy(sowings) => sowings.next(),
            KalahChildren::Sorted(children) => children.next(),
        }
    }
}

/// Moves in the order of the pits. A move of several sowings has the place of its first
/// one.
#[derive(Clone, Debug)]
pub struct LazyMoves<'t, R> {
    tree: &'t KalahTree<R>,
    depth: u16,
    from_far: bool,
    current: PartialTurn<R>,
    /// The sowings of the same turn before `current`, each with the pits that are still
    /// to be tried there. Always empty unless a whole turn is one move.
    above: Vec<PartialTurn<R>>,
    index: u16,
}

#[derive(Clone, Debug)]
struct PartialTurn<R> {
    board: Board<R>,
    lead: Gain,
    left: Pits,
    /// The last pit taken from `left`.
    sown: Pit,
}

impl<R> PartialTurn<R> {
    fn new(board: Board<R>, lead: Gain, left: PitSet) -> Self {
        Self { board, lead, left: left.iter(), sown: Pit::new(0) }
    }
}

impl<R: Row> Iterator for LazyMoves<'_, R> {
    type Item = ChildNode<KalahNode<R>>;

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
            let mut depth = self.depth - 1;
            let variant = self.tree.sowing.variant();
            if sown.turn == Turn::Keeps && !sown.board.is_over(variant) {
                match self.tree.extra_turns {
                    ExtraTurns::Compound => {
                        let next = PartialTurn::new(sown.board, lead, sown.board.moves(variant));
                        self.above.push(std::mem::replace(&mut self.current, next));
                        continue;
                    }
                    // The tree stays finite, because each such sowing banks a seed.
                    ExtraTurns::Free => depth = self.depth,
                    ExtraTurns::Ply => {}
                }
            }
            let index = self.index;
            self.index += 1;
            let node = KalahNode { board: sown.board, lead: sown.turn.from_child(lead), depth };
            return Some(ChildNode { turn: sown.turn, node, index });
        }
    }
}
