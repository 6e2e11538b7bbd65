//! The algorithms, all written against one interface.
//!
//! Algorithms search a [`Tree`], and an [`Observer`] counts their visits; [`TreeSearch`]
//! combines both with a [`ReferenceTable`]. Each algorithm is a function that is
//! generic over [`TreeSearch`], in one file with its relatives; [`Method`] runs one by name.

// The interface of the algorithms.
mod reference_table;
mod search;
mod tree;

// The algorithms, simplest first.
mod alpha_beta;

mod scout;

mod negascout;

mod printed;

mod best_first;

mod proof;

mod selective;

mod bandit;

// By name.
mod algorithm;
mod method;

// Trees.
mod kalah_tree;
pub mod list_tree;
pub mod uniform;

pub use algorithm::Algorithm;
pub use alpha_beta::{
    Cutoff, ExtraTurnBounds, F1Form, alpha_beta_by_sides, f1, f2, f2_strict, f3, minimax, negamax,
};
pub use bandit::{Arm, Policy, Strategy, bandit, uct};
pub(super) use bandit::{EPSILON, playout, won};
pub use best_first::{mt_dual, mt_sss, mtd, sss};
pub(super) use kalah_tree::KalahNode;
pub use kalah_tree::{ChildOrder, ExtraTurns, KalahTree};
pub use list_tree::ListTree;
pub use method::{Method, MethodError, MethodResult};
pub use negascout::{Research, negascout, pvs};
pub use printed::{Options, printed_f4, printed_f4_prime};
pub use proof::proof_number;
pub(super) use reference_table::MixHasher;
pub use reference_table::ReferenceTable;
pub use scout::{Relation, TestQuestion, scout, test};
pub use search::{Observer, SearchCounts, SearchRun, TreeEvent, TreeSearch};
pub use selective::{beam, probcut, quiescence};
pub(super) use tree::UnfoldedNode;
pub use tree::{ChildNode, Measure, MinimaxSide, ProbCutCheck, ProbCutModel, Tree, Unfolded};
pub use uniform::UniformTree;
