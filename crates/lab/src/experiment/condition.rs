//! The trees that are searched: Kalah under chosen conditions, and uniform trees.

use std::str::FromStr;

use crate::algorithms::uniform::{Leaves, UniformTree};
use crate::algorithms::{ChildOrder, ExtraTurns, KalahTree};
use kalah_game::{Capture, Position, Row, Rules};
use kalah_sys::random::mix_nth;
use kalah_text::named_enum;
use kalah_text::names::{UnknownName, named};

use super::ensemble::Ensemble;

named_enum! {
    /// The static evaluation of Kalah.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Evaluation: "evaluation" {
        /// The difference of the stores.
        #[default]
        Stores = "stores",
        /// The same, and a quarter of a seed for each pit from which a side can sow. Ties are
        /// rarer.
        Mobility = "mobility",
    }
}

/// Kalah, apart from the depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KalahTrees {
    /// Pits, seeds, capture rule; the seeds have no meaning for given positions.
    pub rules: Rules,
    /// The depth that an extra turn costs.
    pub extra_turns: ExtraTurns,
    /// The order of the children.
    pub order: ChildOrder,
    /// The value of a position at the frontier.
    pub evaluation: Evaluation,
    /// Which positions are searched.
    pub ensemble: Ensemble,
}

/// The number of uniform trees of one shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreesPerShape {
    /// This many.
    Fixed(usize),
    /// At least 10: ideally enough for alpha-beta to visit about `leaves` leaves in total, because
    /// small trees vary more and are cheap.
    Within {
        /// The leaves of all trees together.
        leaves: f64,
        /// The maximum number of trees.
        at_most: usize,
    },
}

/// What is searched, apart from the depth.
#[derive(Clone, Debug, PartialEq)]
pub enum Trees {
    /// Positions of Kalah.
    Kalah(KalahTrees),
    /// Trees in which every node has the same number of children.
    Uniform {
        /// Children of a node.
        width: u16,
        /// How the leaves get their values, which includes the order of the children.
        leaves: Leaves,
        /// How many trees of each depth.
        count: TreesPerShape,
    },
}

/// The conditions of a search, apart from the depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What is searched.
    pub trees: Trees,
    /// The seed of positions, trees and random orders.
    pub seed: u64,
}

const LEAVES: [(&str, Leaves); 9] = [
    ("continuous", Leaves::Continuous),
    ("keys-12", Leaves::ShortKeys(12)),
    ("keys-16", Leaves::ShortKeys(16)),
    ("keys-20", Leaves::ShortKeys(20)),
    ("few", Leaves::Few(101)),
    ("cubes", Leaves::Cubes(101)),
    ("best-first", Leaves::BestFirst(100)),
    ("any-order", Leaves::BestFirst(0)),
    ("worst-first", Leaves::WorstFirst),
];

/// By the names that records use.
impl FromStr for Leaves {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        named("kind of leaves", &LEAVES, |(name, _)| name, text).map(|(_, leaves)| leaves)
    }
}

/// The largest expected number of leaves of a uniform tree that is searched by itself.
const MAX_WORST: f64 = 3e5;

impl Condition {
    /// The conditions of a search of Kalah; `None` for uniform trees.
    pub(crate) fn kalah(&self) -> Option<&KalahTrees> {
        match &self.trees {
            Trees::Kalah(kalah) => Some(kalah),
            Trees::Uniform { .. } => None,
        }
    }

    /// The number of independent groups of trees: positions, games or trees.
    pub fn groups(&self, depth: u16) -> usize {
        match &self.trees {
            Trees::Kalah(kalah) => kalah.ensemble.groups(),
            // Nothing is cut there.
            Trees::Uniform { width, leaves: Leaves::WorstFirst, .. }
                if f64::from(*width).powi(depth.into()) > MAX_WORST =>
            {
                0
            }
            Trees::Uniform { count: TreesPerShape::Fixed(count), .. } => *count,
            Trees::Uniform { width, count: TreesPerShape::Within { leaves, at_most }, .. } => {
                let trees = (leaves / expected_leaves(*width, depth)) as usize;
                trees.clamp(10, *at_most)
            }
        }
    }

    /// Whether the sample can be enlarged: given positions and the start position cannot.
    pub(crate) fn can_grow(&self) -> bool {
        match &self.trees {
            Trees::Kalah(kalah) => matches!(kalah.ensemble, Ensemble::Positions(_)),
            Trees::Uniform { leaves, .. } => *leaves == Leaves::Continuous,
        }
    }

    /// The name of the order of moves or, on uniform trees, of the kind of leaves.
    pub fn order(&self) -> &'static str {
        match &self.trees {
            Trees::Kalah(kalah) => kalah.order.name(),
            Trees::Uniform { leaves, .. } => {
                LEAVES.iter().find(|(_, own)| own == leaves).map_or("other", |(name, _)| name)
            }
        }
    }

    /// The same condition in another order or, on uniform trees, with other leaves.
    pub(crate) fn in_order(&self, name: &str) -> Self {
        let mut other = self.clone();
        match &mut other.trees {
            Trees::Kalah(kalah) => kalah.order = name.parse().unwrap_or(kalah.order),
            Trees::Uniform { leaves, .. } => *leaves = name.parse().unwrap_or(*leaves),
        }
        other
    }

    /// The same condition on uniform trees of another width.
    pub(super) fn of_width(&self, wanted: u16) -> Self {
        let mut other = self.clone();
        if let Trees::Uniform { width, .. } = &mut other.trees {
            *width = wanted;
        }
        other
    }

    /// Whether this and another condition agree in everything but the order.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.in_order(other.order()) == *other
    }

    /// The pits of a row or, on uniform trees, the children of a node.
    pub fn width(&self) -> u16 {
        match &self.trees {
            Trees::Kalah(kalah) => kalah.rules.pits() as u16,
            Trees::Uniform { width, .. } => *width,
        }
    }

    /// The board as `(6,4)` or, for given positions, by its pits alone; for uniform trees, the
    /// width.
    pub fn board(&self) -> String {
        let kalah = match &self.trees {
            Trees::Kalah(kalah) => kalah,
            Trees::Uniform { width, .. } => return format!("b = {width}"),
        };
        let capture = match kalah.rules.capture() {
            usual if usual == Capture::default() => String::new(),
            other => format!(" {other}"),
        };
        match kalah.seeds() {
            Some(seeds) => format!("({},{seeds}){capture}", kalah.rules.pits()),
            None => format!("{} pits{capture}", kalah.rules.pits()),
        }
    }

    /// All that distinguishes it, in words. A whole turn is one move, values are differences of
    /// the stores, and leaves are continuous unless it says otherwise.
    pub fn words(&self) -> String {
        let mut words = self.board();
        match &self.trees {
            Trees::Kalah(kalah) => {
                if kalah.evaluation != Evaluation::Stores {
                    words += &format!(" {}", kalah.evaluation);
                }
                if kalah.extra_turns != ExtraTurns::Compound {
                    words += &format!(" {}", kalah.extra_turns);
                }
                words += &format!(" {}", kalah.order);
                match kalah.ensemble {
                    Ensemble::Positions(_) => {}
                    Ensemble::Games(_) => words += ", whole games",
                    ref other => words += &format!(", {other}"),
                }
            }
            Trees::Uniform { leaves: Leaves::Continuous, .. } => {}
            Trees::Uniform { .. } => words += &format!(" {}", self.order()),
        }
        words
    }

    /// The tree of this depth with this number; for uniform trees.
    pub(super) fn uniform(&self, depth: u16, nth: usize) -> Option<UniformTree> {
        let Trees::Uniform { width, leaves, .. } = self.trees else { return None };
        // By shape and number, so that a tree is the same whichever other shapes are searched.
        let shape = (u64::from(width) << 48) ^ (u64::from(depth) << 32);
        let seed = mix_nth(self.seed, shape ^ nth as u64);
        Some(UniformTree { width, depth, leaves, seed })
    }
}

impl KalahTrees {
    /// The same trees on all combinations of boards, extra turns and orders.
    pub fn varied(
        &self,
        rules: &[Rules],
        extra_turns: &[ExtraTurns],
        orders: &[ChildOrder],
    ) -> Vec<Trees> {
        let mut all = Vec::new();
        for &rules in rules {
            for &extra_turns in extra_turns {
                for &order in orders {
                    all.push(Trees::Kalah(Self { rules, extra_turns, order, ..self.clone() }));
                }
            }
        }
        all
    }

    /// Seeds per pit at the start; `None` for given positions.
    pub fn seeds(&self) -> Option<u32> {
        match self.ensemble {
            Ensemble::Given(_) => None,
            _ => Some(self.rules.seeds()),
        }
    }

    /// The tree of `depth` moves below a position.
    pub(super) fn tree<R: Row>(&self, position: &Position, depth: u16, seed: u64) -> KalahTree<R> {
        let tree = KalahTree::new(position, depth, self.extra_turns, self.order).with_seed(seed);
        if self.evaluation == Evaluation::Mobility { tree.with_mobility() } else { tree }
    }
}

/// The approximate number of leaves that alpha-beta visits on a tree with random leaves.
///
/// Pearl, "The solution for the branching factor of the alpha-beta pruning
/// algorithm and its optimality", CACM 25, 1982: the factor is x / (1 - x),
/// where x^width + x = 1.
pub fn expected_leaves(width: u16, depth: u16) -> f64 {
    let mut low = 0.0f64;
    let mut high = 1.0;
    // The left side of the equation rises with x, so bisection finds the root; 60 halvings exhaust
    // the precision of a number.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if middle.powi(width.into()) + middle > 1.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    (low / (1.0 - low)).max(1.0).powi(depth.into()) * 2.0
}

/// The cost of a minimal tree of even depth by published formulas: Knuth and Moore
/// 1975 for the leaves, Hsu's slides for the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimalTree {
    /// Leaves of alpha-beta: b^ceil(l/2) + b^floor(l/2) - 1.
    pub leaves: u64,
    /// H1, nodes of TEST with a true verdict: 2 (b^(l/2+1) - 1)/(b - 1) - b^(l/2).
    pub test_nodes: u64,
    /// H2, nodes of alpha-beta: 2 H1 + b^(l/2) - (l + 2).
    pub nodes: u64,
    /// The older H2, which also subtracts b^(l/2-1), and is wrong.
    pub old_nodes: u64,
}

impl MinimalTree {
    /// The formulas for trees with a width of at least 2 and an even depth of at
    /// least 2.
    pub fn new(width: u16, depth: u16) -> Self {
        let width = u64::from(width);
        let depth = u32::from(depth);
        let half = width.pow(depth / 2);
        let leaves = width.pow(depth.div_ceil(2)) + half - 1;
        let test_nodes = 2 * (half * width - 1) / (width - 1) - half;
        let nodes = 2 * test_nodes + half - u64::from(depth + 2);
        Self { leaves, test_nodes, nodes, old_nodes: nodes - width.pow(depth / 2 - 1) }
    }
}
