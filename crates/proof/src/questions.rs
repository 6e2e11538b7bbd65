//! The questions of a proof in pieces, in the order of *proof-number search* (Allis, van der Meulen
//! and van den Herik, "Proof-number search", Artificial Intelligence 66, 1994): the move with the
//! smallest proof number first. Instead of 1, a leaf counts as the number of nodes that its answer
//! is expected to take. The numbers determine only the order: every answer is a proved bound,
//! whatever the order.

use std::collections::{HashMap, HashSet};

use kalah_engine::solve::{Edge, QuestionTree};
use kalah_game::{Gain, Pit, Position, Turn};

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

/// The open questions that `question` depends on, starting with those whose answers are expected to
/// help most for the least work.
pub(crate) fn open(tree: &QuestionTree, question: &Question, sizes: &Sizes) -> Vec<Question> {
    let Some(place) = tree.find(&question.position) else { return Vec::new() };
    let mut walk = Walk::new(tree, question, sizes);
    walk.visit((place, question.at_least));
    walk.open
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

impl<'t> Walk<'t> {
    fn new(tree: &'t QuestionTree, question: &Question, sizes: &'t Sizes) -> Self {
        Self {
            tree,
            sizes,
            known: HashMap::new(),
            visited: HashSet::new(),
            root: question.root,
            line: question.line.clone(),
            open: Vec::new(),
        }
    }

    fn numbers(&mut self, (place, at_least): Asked) -> ProofNumbers {
        let node = self.tree.at(place);
        match node.is_at_least(at_least) {
            Some(true) => return ProofNumbers { prove: 0.0, disprove: f64::INFINITY },
            Some(false) => return ProofNumbers { prove: f64::INFINITY, disprove: 0.0 },
            None => {}
        }
        if let Some(&known) = self.known.get(&(place, at_least)) {
            return known;
        }
        let numbers = if node.moves().is_empty() {
            // A search of `size` nodes proves the bound with probability p and disproves it with
            // probability 1 - p, so a proof is expected to take size / p.
            let size = self.sizes.mean(node.usual_nodes(at_least));
            let ahead = f64::from(node.estimate().0 - at_least.0 + 1);
            let odds = (ahead / ESTIMATE_SCALE).exp();
            ProofNumbers { prove: size * (1.0 + odds) / odds, disprove: size * (1.0 + odds) }
        } else {
            // One move is enough to prove a bound; to disprove it, all have to fail. A node reached
            // by several moves is counted once for each, which affects only the order.
            let start = ProofNumbers { prove: f64::INFINITY, disprove: 0.0 };
            node.moves().iter().fold(start, |best, m| {
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
        for &m in self.tree.at(place).moves() {
            let asked = m.at_least(at_least, self.root.variant());
            if self.tree.at(m.child).is_at_least(asked).is_none() {
                ranked.push((self.after(&m, at_least).prove, m));
            }
        }
        // Only the order depends on these numbers: each answer is a bound of the same tree,
        // whatever the numbers are.
        ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
        ranked.into_iter().map(|(_, m)| m).collect()
    }

    fn visit(&mut self, asked: Asked) {
        let (place, at_least) = asked;
        let node = self.tree.at(place);
        if node.is_at_least(at_least).is_some() || !self.visited.insert(asked) {
            return;
        }
        if node.moves().is_empty() {
            let line = self.line.clone();
            self.open.push(Question {
                position: *node.position(),
                at_least,
                root: self.root,
                line,
            });
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
pub(crate) struct Sizes {
    /// The mean logarithm of the ratio.
    shift: f64,
    /// Its standard deviation.
    scatter: f64,
}

impl Sizes {
    /// From finished pieces, each with the nodes that the general law predicts and those it took.
    pub(crate) fn new(finished: impl Iterator<Item = (f64, u64)>) -> Self {
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
    fn mean(&self, usual: f64) -> f64 {
        // The mean of a lognormal distribution is the median times exp(scatter² / 2).
        self.median(usual) * (self.scatter.powi(2) / 2.0).exp()
    }

    /// The median number of nodes for a question that takes `usual` by the general law.
    pub(crate) fn median(&self, usual: f64) -> f64 {
        usual * self.shift.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_engine::endgame::verify::{Minimax, small_positions};
    use kalah_game::{Interval, Rules};

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
            let place = tree.find(&root.without_stores()).unwrap();
            let question = Question { position: root, at_least, root, line: Vec::new() };
            let mut walk = Walk::new(&tree, &question, &sizes);
            let ProofNumbers { prove, disprove } = walk.numbers((place, at_least));
            assert_eq!(prove < disprove, is_likely, "{prove} {disprove}");
            // One search of this size answers the question with yes or with no.
            let size = sizes.mean(tree.at(place).usual_nodes(at_least));
            assert!((size / prove + size / disprove - 1.0).abs() < 1e-9, "{prove} {disprove}");
            likely.push(size / prove);
        }
        // Gains are even, so those around the bound are equally far from 1.
        for (one, other) in [(0, 3), (1, 2)] {
            assert!((likely[one] + likely[other] - 1.0).abs() < 1e-9, "{likely:?}");
        }
    }

    #[test]
    fn a_question_is_named_by_its_moves() {
        let root = Position::start(Rules::default());
        let line = [2, 5, 0].map(Pit::new).to_vec();
        let question = Question { position: root, at_least: Gain::ZERO, root, line };
        assert_eq!(question.letters(), "CFa");
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
        for (root, above) in small_positions().into_iter().flat_map(|root| [(root, 0), (root, 2)]) {
            let gain = minimax.gain(&root);
            let at_least = gain + Gain(above);
            let question = Question { position: root, at_least, root, line: Vec::new() };
            let mut tree = QuestionTree::default();
            tree.add_root(&root, gain);
            while let Some(next) = open(&tree, &question, &sizes).first() {
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
            let open = super::open(&tree, &question, &sizes);
            assert_eq!(open.len(), 6);
            assert_eq!(open[0].line, [best.pit]);
            for (played, after) in root.children() {
                let bare = after.without_stores();
                let estimate = estimates[played.pit.index()];
                assert_eq!(tree.node(&bare).unwrap().estimate(), Gain(estimate));
            }
        }
    }
}
