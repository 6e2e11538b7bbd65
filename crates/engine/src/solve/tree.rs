//! Proved bounds by position, and the tree into which a long proof is split: pure data,
//! rebuilt from the lines of a ledger.
//!
//! A node is a position without stores; transpositions lead to one node. A node whose
//! question took too long is *split* into its moves, and its bounds follow from theirs by
//! minimax.
//!
//! [`QuestionTree::open`] lists the open questions in the order of *proof-number search* (Allis,
//! van der Meulen and van den Herik, "Proof-number search", Artificial Intelligence 66,
//! 1994): the move with the smallest proof number first. Instead of 1, a leaf counts as the
//! number of nodes that its answer is expected to take. The numbers determine only the
//! order: every answer is a proved bound, whatever the order.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::plan::question_nodes;
use kalah_game::{Gain, Interval, Pit, Position, Side, Turn, Variant};

/// The scale, in seeds, of the logistic distribution of the errors of estimates.
const ESTIMATE_SCALE: f64 = 2.0;

/// Asks whether the gain of `position`, which has no stores, is at least a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// A position without stores and with South to move.
    pub position: Position,
    /// The bound, which has the parity of the seeds in play.
    pub at_least: Gain,
    /// The position that the proof is about, stores included.
    pub root: Position,
    /// The moves from the root to `position`.
    pub line: Vec<Pit>,
}

impl Question {
    /// Identifies the question, regardless of the moves that lead to it.
    pub fn key(&self) -> (Position, Gain) {
        (self.position, self.at_least)
    }

    /// The letters of the moves from the root to the position.
    pub fn letters(&self) -> String {
        self.root.letters(&self.line).collect()
    }
}

/// Error of a bound that contradicts the bounds proved so far.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("contradicts an earlier bound")]
pub(super) struct Contradiction;

#[derive(Clone, Debug)]
struct QuestionNode {
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
    /// The number of nodes that a question about the position takes by the general law of `plan`.
    fn usual_nodes(&self, at_least: Gain) -> f64 {
        question_nodes(&self.position, self.estimate.0.abs_diff(at_least.0))
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    pit: Pit,
    banked: Gain,
    turn: Turn,
    child: usize,
}

impl Edge {
    /// The bound to ask about after this move in order to decide whether the position
    /// before it gains `at_least`.
    fn at_least(&self, at_least: Gain, variant: Variant) -> Gain {
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
        let node = self.places.get(bare).map(|&place| self.nodes[place].gain);
        node.unwrap_or_else(|| bare.gains())
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

    fn node(&self, bare: &Position) -> Option<&QuestionNode> {
        self.places.get(bare).map(|&place| &self.nodes[place])
    }

    /// Whether the question about `bare` took too long and is replaced by its moves.
    pub fn is_split(&self, bare: &Position) -> bool {
        match self.node(bare) {
            Some(node) => !node.moves.is_empty(),
            None => false,
        }
    }

    /// Adds a proved bound, and narrows the bounds of the nodes above.
    pub(super) fn prove(
        &mut self,
        bare: &Position,
        gain: Interval<Gain>,
    ) -> Result<(), Contradiction> {
        let place = self.place(bare);
        self.narrow(place, gain)
    }

    /// Gives a node its moves in the order of [`Position::children`], with estimates of
    /// their gains, each from the point of view of the player then to move.
    pub(super) fn split(
        &mut self,
        bare: &Position,
        estimates: &[i32],
    ) -> Result<(), Contradiction> {
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

    pub(super) fn add_root(&mut self, bare: &Position, estimate: Gain) {
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

    /// The open questions that `question` depends on, starting with those whose answers are
    /// expected to help most for the least work.
    pub fn open(&self, question: &Question, sizes: &Sizes) -> Vec<Question> {
        let Some(&place) = self.places.get(&question.position) else { return Vec::new() };
        let mut walk = Walk {
            tree: self,
            sizes,
            known: Default::default(),
            visited: Default::default(),
            root: question.root,
            line: question.line.clone(),
            open: Vec::new(),
        };
        walk.visit((place, question.at_least));
        walk.open
    }

    fn is_at_least(&self, place: usize, at_least: Gain) -> Option<bool> {
        let QuestionNode { position, gain, .. } = &self.nodes[place];
        let window = position.variant().at_least(at_least);
        gain.answer(window).map(|bound| window.fails_high(bound))
    }

    /// The number of nodes that a question about `bare` takes by the general law of `plan`; 0 if
    /// `bare` is not in the tree.
    pub fn usual_nodes(&self, bare: &Position, at_least: Gain) -> f64 {
        match self.node(bare) {
            Some(node) => node.usual_nodes(at_least),
            None => 0.0,
        }
    }

    /// Whether the estimated gain of `bare` reaches `at_least`; false if `bare` is not in the tree.
    pub fn expects(&self, bare: &Position, at_least: Gain) -> bool {
        match self.places.get(bare) {
            Some(&place) => self.estimate(place) >= at_least,
            None => false,
        }
    }

    /// The estimated gain of a leaf, within its proved bounds.
    fn estimate(&self, place: usize) -> Gain {
        let QuestionNode { estimate, gain, .. } = &self.nodes[place];
        Gain(estimate.0.clamp(gain.lower.0, gain.upper.0))
    }
}

/// The numbers of nodes expected to prove that a bound is reached, and to disprove it: the
/// proof and disproof numbers of proof-number search.
#[derive(Clone, Copy, Debug)]
struct ProofNumbers {
    prove: f64,
    disprove: f64,
}

/// A node and the bound to prove or disprove.
type Asked = (usize, Gain);

/// A walk through the undecided part of a tree, the most promising moves first.
struct Walk<'t> {
    tree: &'t QuestionTree,
    sizes: &'t Sizes,
    /// Memoised, because transpositions reach a node by many paths.
    known: HashMap<Asked, ProofNumbers>,
    visited: HashSet<Asked>,
    root: Position,
    /// The moves from the root to the node being visited.
    line: Vec<Pit>,
    open: Vec<Question>,
}

impl Walk<'_> {
    fn numbers(&mut self, (place, at_least): Asked) -> ProofNumbers {
        let node = &self.tree.nodes[place];
        match self.tree.is_at_least(place, at_least) {
            Some(true) => return ProofNumbers { prove: 0.0, disprove: f64::INFINITY },
            Some(false) => return ProofNumbers { prove: f64::INFINITY, disprove: 0.0 },
            None => {}
        }
        if let Some(&known) = self.known.get(&(place, at_least)) {
            return known;
        }
        let numbers = if node.moves.is_empty() {
            // A search of `size` nodes proves the bound with probability p and disproves it with
            // probability 1 - p, so a proof is expected to take size / p.
            let size = self.sizes.mean(node.usual_nodes(at_least));
            let ahead = f64::from(self.tree.estimate(place).0 - at_least.0 + 1);
            let odds = (ahead / ESTIMATE_SCALE).exp();
            ProofNumbers { prove: size * (1.0 + odds) / odds, disprove: size * (1.0 + odds) }
        } else {
            // One move is enough to prove a bound; to disprove it, all have to fail. A node reached
            // by several moves is counted once for each, which affects only the order.
            let start = ProofNumbers { prove: f64::INFINITY, disprove: 0.0 };
            node.moves.iter().fold(start, |best, m| {
                let child = self.after(m, at_least);
                ProofNumbers {
                    prove: best.prove.min(child.prove),
                    disprove: best.disprove + child.disprove,
                }
            })
        };
        self.known.insert((place, at_least), numbers);
        numbers
    }

    /// The numbers of a move, from the point of view of the player who makes it.
    fn after(&mut self, m: &Edge, at_least: Gain) -> ProofNumbers {
        let ProofNumbers { prove, disprove } =
            self.numbers((m.child, m.at_least(at_least, self.root.variant())));
        match m.turn {
            Turn::Keeps => ProofNumbers { prove, disprove },
            // What the opponent proves, the mover disproves.
            Turn::Passes => ProofNumbers { prove: disprove, disprove: prove },
        }
    }

    /// The undecided moves of a node, the smallest proof number first.
    fn ordered(&mut self, (place, at_least): Asked) -> Vec<Edge> {
        let mut ranked = Vec::new();
        for &m in &self.tree.nodes[place].moves {
            if self.tree.is_at_least(m.child, m.at_least(at_least, self.root.variant())).is_none() {
                ranked.push((self.after(&m, at_least).prove, m));
            }
        }
        // Only the order depends on these numbers: each answer is a bound of the same tree,
        // whatever the numbers are.
        ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
        ranked.into_iter().map(|(_, m)| m).collect()
    }

    fn visit(&mut self, asked: Asked) {
        let ((place, at_least), tree) = (asked, self.tree);
        if tree.is_at_least(place, at_least).is_some() || !self.visited.insert(asked) {
            return;
        }
        let QuestionNode { position, moves, .. } = &tree.nodes[place];
        if moves.is_empty() {
            let line = self.line.clone();
            self.open.push(Question { position: *position, at_least, root: self.root, line });
        }
        for m in self.ordered(asked) {
            self.line.push(m.pit);
            self.visit((m.child, m.at_least(at_least, self.root.variant())));
            self.line.pop();
        }
    }
}

/// The sizes of questions, calibrated by finished pieces: the ratio of the nodes that a question
/// takes to those that the general law predicts is assumed to have a lognormal distribution.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// The mean logarithm of the ratio.
    shift: f64,
    /// Its standard deviation.
    scatter: f64,
}

impl Sizes {
    /// From finished pieces, each with the nodes that the general law predicts and those it took.
    pub fn new(finished: impl Iterator<Item = (f64, u64)>) -> Self {
        /// The weight of the general law, as a number of finished pieces.
        const PRIOR: f64 = 2.0;
        /// As measured: 1.7 with standard captures, 1.4 with empty captures (doc/lab/kalah66.md).
        const PRIOR_SCATTER: f64 = 1.5;
        /// With a larger scatter, the mean would far exceed all observed sizes.
        const MAX_SCATTER: f64 = 2.0;
        /// Answers with fewer nodes came from the transposition table, not from a search.
        const MIN_NODES: u64 = 1000;
        let searched = finished.filter(|&(_, nodes)| nodes >= MIN_NODES);
        let logs: Vec<f64> =
            searched.map(|(usual, nodes)| (nodes as f64 / usual.max(1.0)).ln()).collect();
        let count = PRIOR + logs.len() as f64;
        let shift = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - shift).powi(2)).sum();
        let scatter = ((squares + PRIOR * PRIOR_SCATTER.powi(2)) / count).sqrt();
        Self { shift, scatter: scatter.min(MAX_SCATTER) }
    }

    /// The mean number of nodes for a question that takes `usual` by the general law.
    pub(super) fn mean(&self, usual: f64) -> f64 {
        // The mean of a lognormal distribution is the median times exp(scatter² / 2).
        self.median(usual) * (self.scatter.powi(2) / 2.0).exp()
    }

    /// The median number of nodes for a question that takes `usual` by the general law.
    pub fn median(&self, usual: f64) -> f64 {
        usual * self.shift.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::verify::Minimax;
    use kalah_game::{Capture, Rules};

    #[test]
    fn finished_pieces_calibrate_the_sizes() {
        let sizes = Sizes::new((0..20).map(|_| (1e5, 1_000_000)));
        assert!((6e5..=12e5).contains(&sizes.mean(1e5)), "{sizes:?}");
        assert!(sizes.mean(1e7) > 50.0 * sizes.mean(1e5));
        let searched = (0..20).map(|_| (1e5, 1_000_000));
        let with_warm = Sizes::new(searched.chain((0..20).map(|_| (1e9, 1))));
        assert_eq!(with_warm.mean(1e5), sizes.mean(1e5));
        let scattered = Sizes::new((0..20).map(|n| (1e5, [1000, 1_000_000_000][n % 2])));
        assert!(scattered.mean(1e5) < 8.0 * scattered.median(1e5), "{scattered:?}");
        // Without finished pieces, the general law is the median of a lognormal distribution.
        let prior = Sizes::new(std::iter::empty());
        assert_eq!(prior.median(1e5), 1e5);
        assert!((prior.mean(1e5) / 1e5 - 1.125_f64.exp()).abs() < 1e-9, "{prior:?}");
    }

    #[test]
    fn the_likelier_an_answer_the_less_work_it_is_expected_to_take() {
        let root = Position::start(Rules::default());
        let sizes = Sizes::new(std::iter::empty());
        let at_least = Gain(2);
        let mut likely = Vec::new();
        for (estimate, is_likely) in [(-8, false), (-2, false), (4, true), (10, true)] {
            let mut tree = QuestionTree::default();
            tree.add_root(&root, Gain(estimate));
            let place = tree.places[&root.without_stores()];
            let mut walk = Walk {
                tree: &tree,
                sizes: &sizes,
                known: Default::default(),
                visited: Default::default(),
                root,
                line: Vec::new(),
                open: Vec::new(),
            };
            let ProofNumbers { prove, disprove } = walk.numbers((place, at_least));
            assert_eq!(prove < disprove, is_likely, "{prove} {disprove}");
            // One search of this size answers the question with yes or with no.
            let usual = tree.usual_nodes(&root.without_stores(), at_least);
            assert_eq!(usual, question_nodes(&root, estimate.abs_diff(at_least.0)));
            let size = sizes.mean(usual);
            assert!((size / prove + size / disprove - 1.0).abs() < 1e-9, "{prove} {disprove}");
            likely.push(size / prove);
        }
        // Gains are even, so those around the bound are equally far from 1.
        for (one, other) in [(0, 3), (1, 2)] {
            assert!((likely[one] + likely[other] - 1.0).abs() < 1e-9, "{likely:?}");
        }
        assert_eq!(QuestionTree::default().usual_nodes(&root, at_least), 0.0);
    }

    #[test]
    fn a_question_is_named_by_its_moves() {
        let root = Position::start(Rules::default());
        let line = [2, 5, 0].map(Pit::new).to_vec();
        let question = Question { position: root, at_least: Gain::ZERO, root, line };
        assert_eq!(question.letters(), "CFa");
    }

    /// All unfinished positions of two pits with at most three seeds in each, and some larger ones.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        for capture in Capture::ALL {
            for n in 0..256u32 {
                let [a, b, c, d] = [n % 4, n / 4 % 4, n / 16 % 4, n / 64];
                let rows = [&[a, b][..], &[c, d]];
                positions.push(Position::new(rows, [0, 0], Side::South, capture).unwrap());
            }
            positions.push(Position::start(Rules::new(3, 2, capture).unwrap()));
            positions.push(Position::start(Rules::new(3, 3, capture).unwrap()));
        }
        positions.retain(|position| !position.is_over());
        positions
    }

    #[test]
    fn a_split_position_has_the_minimax_gain_even_if_a_move_sweeps() {
        let mut minimax = Minimax::default();
        let mut sweeps = 0;
        for bare in positions() {
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

    /// The bounds that a true answer to a question proves.
    fn truth(question: &Question, minimax: &mut Minimax) -> Interval<Gain> {
        let all = question.position.gains();
        if minimax.gain(&question.position) >= question.at_least {
            Interval { lower: question.at_least, ..all }
        } else {
            Interval { upper: question.at_least - Gain(2), ..all }
        }
    }

    #[test]
    fn true_answers_to_the_open_questions_answer_the_question_of_the_root() {
        let mut minimax = Minimax::default();
        let sizes = Sizes::new(std::iter::empty());
        let mut questions = 0;
        for (root, above) in positions().into_iter().flat_map(|root| [(root, 0), (root, 2)]) {
            let gain = minimax.gain(&root);
            let at_least = gain + Gain(above);
            let question = Question { position: root, at_least, root, line: Vec::new() };
            let mut tree = QuestionTree::default();
            tree.add_root(&root, gain);
            while let Some(next) = tree.open(&question, &sizes).first() {
                questions += 1;
                let end = next.line.iter().fold(root, |mut position, &pit| {
                    position.play(pit).unwrap();
                    position
                });
                assert_eq!(end.without_stores(), next.position, "{}", next.letters());
                if next.position.in_play() % 3 == 0 || next.line.is_empty() {
                    tree.split(&next.position, &[1; 3]).unwrap();
                } else {
                    tree.prove(&next.position, truth(next, &mut minimax)).unwrap();
                }
            }
            let window = root.variant().at_least(at_least);
            let bound = tree.gain(&root).answer(window).expect("no question is left");
            assert_eq!(window.fails_high(bound), above == 0, "{root}");
        }
        assert!(questions > 2000, "{questions}");
    }

    #[test]
    fn the_move_with_the_best_estimate_is_asked_about_first() {
        let root = Position::start(Rules::default());
        let sizes = Sizes::new(std::iter::empty());
        let question = Question { position: root, at_least: Gain(2), root, line: Vec::new() };
        for (best, _) in root.children() {
            let mut tree = QuestionTree::default();
            tree.add_root(&root, Gain::ZERO);
            let estimates: Vec<i32> = root
                .children()
                .map(|(played, _)| {
                    let gain = if played.pit == best.pit { 8 } else { -8 };
                    played.turn.from_child(Gain(gain)).0
                })
                .collect();
            tree.split(&root, &estimates).unwrap();
            let open = tree.open(&question, &sizes);
            assert_eq!(open.len(), 6);
            assert_eq!(open[0].line, [best.pit]);
            for (played, after) in root.children() {
                let bare = after.without_stores();
                let estimate = estimates[played.pit.index()];
                assert!(tree.expects(&bare, Gain(estimate)));
                assert!(!tree.expects(&bare, Gain(estimate + 1)));
            }
        }
    }
}
