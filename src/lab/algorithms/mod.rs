//! The algorithms over one interface.
//!
//! Algorithms search a [`Tree`], and an [`Observer`] counts their visits; [`Search`]
//! combines both with a [`TranspositionTable`]. Each algorithm is a function over
//! [`Search`], next to its relatives; [`Method`] runs one by its name.

mod algorithm;
mod alpha_beta;
mod bandit;
mod best_first;
mod kalah_tree;
pub mod list_tree;
mod method;
mod negascout;
mod proof;
mod scout;
mod search;
mod selective;
mod table;
mod tree;
pub mod uniform;

pub use algorithm::{Algorithm, Suffix};
pub use alpha_beta::{f1, f2, f2_prime, f3, minimax, negamax};
pub use bandit::{Arm, EPSILON, Policy, Strategy, bandit, uct};
#[cfg(feature = "cli")]
pub(super) use bandit::{playout, won};
pub use best_first::{mt_dual, mt_sss, mtd, sss};
#[cfg(feature = "cli")]
pub(super) use kalah_tree::Node as KalahNode;
pub use kalah_tree::{ExtraTurns, KalahTree, Order};
pub use list_tree::ListTree;
pub use method::{Found, Method};
pub use negascout::{Form, Options, f4_prime, negascout, pvs};
pub use proof::proof_number;
pub use scout::{Question, Relation, scout, test};
pub use search::{Counts, Event, Observer, Run, Search};
pub use selective::{beam, probcut, quiescence};
#[cfg(feature = "cli")]
pub(super) use table::MixHasher;
pub use table::TranspositionTable;
#[cfg(feature = "cli")]
pub(super) use tree::UnfoldedNode;
pub use tree::{Check, Child, Measure, Model, Player, Tree, Unfolded};
pub use uniform::UniformTree;
