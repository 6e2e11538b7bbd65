//! Proved bounds by position, and the tree into which a long proof is split: pure data,
//! rebuilt from the lines of a ledger.
//!
//! A node is a position without stores; transpositions lead to one node. A node whose
//! question took too long is *split* into its moves, and its bounds follow from theirs by
//! minimax. The crate `kalah-proof` chooses the next question.

use std::collections::HashMap;

use thiserror::Error;

use super::plan::question_nodes;
use kalah_game::{Gain, Interval, Pit, Position, Side, Turn, Variant};

/// Error of a bound that contradicts the bounds proved so far.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("contradicts an earlier bound")]
pub struct Contradiction;

/// A position of the tree.
#[derive(Clone, Debug)]
pub struct QuestionNode {
    position: Position,
    gain: Interval<Gain>,
    /// The estimated gain, before anything is proved.
    estimate: Gain,
    /// Whether a goal is about it.
    is_root: bool,
    /// Empty before the node is split.
    moves: Vec<Edge>,
    parents: Vec<usize>,
}

impl QuestionNode {
    /// The position, without stores.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves; none before the node is split.
    pub fn moves(&self) -> &[Edge] {
        &self.moves
    }

    /// The estimated gain, within the proved bounds.
    pub fn estimate(&self) -> Gain {
        self.estimate.clamp(self.gain.lower, self.gain.upper)
    }

    /// Whether the gain is at least this; none if the proved bounds do not decide it.
    pub fn is_at_least(&self, at_least: Gain) -> Option<bool> {
        let window = self.position.variant().at_least(at_least);
        self.gain.answer(window).map(|bound| window.fails_high(bound))
    }

    /// The number of nodes that a question about the position takes by the general law of `plan`.
    pub fn usual_nodes(&self, at_least: Gain) -> f64 {
        question_nodes(&self.position, self.estimate.0.abs_diff(at_least.0))
    }
}

/// A move from one position of the tree to another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The move.
    pub pit: Pit,
    banked: Gain,
    /// Whose turn it is afterwards.
    pub turn: Turn,
    /// The place of the position after the move.
    pub child: usize,
}

impl Edge {
    /// The bound to ask about after this move in order to decide whether the position
    /// before it gains `at_least`.
    pub fn at_least(&self, at_least: Gain, variant: Variant) -> Gain {
        variant.at_least(at_least).after(self.banked).for_child(self.turn).beta
    }
}

/// All positions with proved bounds, and those that they are split into.
#[derive(Clone, Debug, Default)]
pub struct QuestionTree {
    nodes: Vec<QuestionNode>,
    places: HashMap<Position, usize>,
}

impl QuestionTree {
    /// The proved bounds of the gain of `bare`, a position without stores.
    pub fn gain(&self, bare: &Position) -> Interval<Gain> {
        match self.node(bare) {
            Some(node) => node.gain,
            None => bare.gains(),
        }
    }

    /// All positions and their proved bounds.
    pub fn bounds(&self) -> impl Iterator<Item = (&Position, Interval<Gain>)> {
        self.nodes.iter().map(|node| (&node.position, node.gain))
    }

    /// Whether a question about `bare` can arise: it is a root or the child of a split node.
    pub fn is_reached(&self, bare: &Position) -> bool {
        match self.node(bare) {
            Some(node) => node.is_root || !node.parents.is_empty(),
            None => false,
        }
    }

    /// The node of `bare`, a position without stores.
    pub fn node(&self, bare: &Position) -> Option<&QuestionNode> {
        self.find(bare).map(|place| self.at(place))
    }

    /// The place of `bare` in the tree.
    pub fn find(&self, bare: &Position) -> Option<usize> {
        self.places.get(bare).copied()
    }

    /// The node at a place.
    pub fn at(&self, place: usize) -> &QuestionNode {
        &self.nodes[place]
    }

    /// Whether the question about `bare` took too long and is replaced by its moves.
    pub fn is_split(&self, bare: &Position) -> bool {
        match self.node(bare) {
            Some(node) => !node.moves.is_empty(),
            None => false,
        }
    }

    /// Adds a proved bound, and narrows the bounds of the nodes above.
    ///
    /// # Errors
    /// If the bound contradicts earlier ones, some of which may already have been narrowed.
    pub fn prove(&mut self, bare: &Position, gain: Interval<Gain>) -> Result<(), Contradiction> {
        let place = self.place(bare);
        self.narrow(place, gain)
    }

    /// Gives a node its moves in the order of [`Position::children`], with estimates of
    /// their gains, each from the point of view of the player then to move.
    ///
    /// # Errors
    /// If the bound contradicts earlier ones, some of which may already have been narrowed.
    pub fn split(&mut self, bare: &Position, estimates: &[i32]) -> Result<(), Contradiction> {
        let place = self.place(bare);
        for ((played, after), &estimate) in bare.children().zip(estimates) {
            let child = self.place(&after.without_stores());
            self.nodes[child].estimate = Gain(estimate);
            self.nodes[child].parents.push(place);
            // The lead and not the mover's store: a move that ends the game may also give the
            // opponent seeds.
            let banked = after.lead(Side::South);
            self.nodes[place].moves.push(Edge {
                pit: played.pit,
                banked,
                turn: played.turn,
                child,
            });
        }
        self.narrow(place, self.nodes[place].gain)
    }

    /// Adds a position that a goal is about, with its estimated gain.
    pub fn add_root(&mut self, bare: &Position, estimate: Gain) {
        let place = self.place(bare);
        self.nodes[place].is_root = true;
        self.nodes[place].estimate = estimate;
    }

    fn place(&mut self, bare: &Position) -> usize {
        *self.places.entry(*bare).or_insert_with(|| {
            self.nodes.push(QuestionNode {
                position: *bare,
                gain: bare.gains(),
                estimate: Gain::ZERO,
                is_root: false,
                moves: Vec::new(),
                parents: Vec::new(),
            });
            self.nodes.len() - 1
        })
    }

    fn narrow(&mut self, place: usize, gain: Interval<Gain>) -> Result<(), Contradiction> {
        // Transpositions give a node several parents, and its bounds spread to all of them. This
        // terminates because bounds only narrow and no position repeats.
        let mut narrowed = vec![(place, gain)];
        while let Some((place, gain)) = narrowed.pop() {
            // Minimax on bounds: the greatest lower and the greatest upper bound of all moves.
            let of_moves = self.minimax(place).unwrap_or(gain);
            let node = &mut self.nodes[place];
            let gain = node.gain.and(gain).and(of_moves);
            if gain.lower > gain.upper {
                return Err(Contradiction);
            }
            if gain != node.gain {
                node.gain = gain;
                let parents = node.parents.clone();
                narrowed.extend(parents.iter().map(|&place| (place, self.nodes[place].gain)));
            }
        }
        Ok(())
    }

    /// The bounds of a split node that follow from its moves.
    fn minimax(&self, place: usize) -> Option<Interval<Gain>> {
        let moves = self.nodes[place].moves.iter();
        let gains = moves.map(|m| self.nodes[m.child].gain.from_child(m.banked, m.turn));
        gains.reduce(Interval::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::verify::{Minimax, small_positions};
    use kalah_game::Rules;

    #[test]
    fn expected_nodes_depend_on_the_distance_from_the_estimate() {
        let root = Position::start(Rules::default());
        let bare = root.without_stores();
        for estimate in [-8, -2, 4, 10] {
            let mut tree = QuestionTree::default();
            tree.add_root(&root, Gain(estimate));
            let usual = tree.node(&bare).unwrap().usual_nodes(Gain(2));
            assert_eq!(usual, question_nodes(&root, estimate.abs_diff(2)));
        }
        assert!(QuestionTree::default().node(&bare).is_none());
    }

    #[test]
    fn a_split_position_has_the_minimax_gain_even_if_a_move_sweeps() {
        let mut minimax = Minimax::default();
        let mut sweeps = 0;
        for bare in small_positions() {
            let mut tree = QuestionTree::default();
            tree.add_root(&bare, Gain::ZERO);
            tree.split(&bare, &[0; 3]).unwrap();
            for (played, after) in bare.children() {
                let child = after.without_stores();
                let exact = Interval::exactly(minimax.gain(&child));
                assert!(tree.is_reached(&child) && !tree.is_split(&child));
                tree.prove(&child, exact).unwrap();
                sweeps += u32::from(played.swept != [0, 0]);
            }
            assert_eq!(tree.gain(&bare), Interval::exactly(minimax.gain(&bare)), "{bare}");
            let wrong = Interval::exactly(minimax.gain(&bare) + Gain(2));
            assert_eq!(tree.prove(&bare, wrong), Err(Contradiction));
        }
        assert!(sweeps > 100, "{sweeps}");
    }
}
