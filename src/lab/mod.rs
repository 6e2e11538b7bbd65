//! The algorithms that made game-tree search, each as its paper writes it.
//!
//! Read it as a textbook: [`minimax`], [`negamax`], alpha-beta as [`f1`],
//! [`f2`] and [`f3`], [`test_above`], [`scout`], [`negascout`] and its twin for
//! two players [`f4_prime`], [`pvs`], [`mtd`] and what follows from it, [`sss`],
//! [`proof_number`]; and two that may err, [`uct`] and [`probcut`]. Each is a
//! function over [`Search`]; what they search is a [`Tree`], who watches an
//! [`Observer`], what is kept a [`Memory`]; [`deepening`] and [`aspiration`] wrap
//! them. None of them knows Kalah, and none is tuned: the engine's own search is
//! elsewhere, and is measured against these.
//!
//! ```
//! use kalah::kalah::{Position, Rules};
//! use kalah::lab::{Counts, ExtraTurns, KalahTree, Order, Run, Tree, f3, scout};
//! use kalah::lab::Player;
//! use kalah::score::Window;
//!
//! let start = Position::start(Rules::default());
//! let tree = KalahTree::<u64>::new(&start, 5, ExtraTurns::Compound, Order::Far);
//!
//! let mut counts = Counts::default();
//! let value = f3(&mut Run::watched(&tree, &mut counts), tree.root(), Window::full());
//! assert_eq!((value.0, counts.leaves), (6, 5213));
//!
//! let mut counts = Counts::default();
//! let value = scout(&mut Run::watched(&tree, &mut counts), tree.root(), Player::Max);
//! assert_eq!((value.0, counts.leaves), (6, 7554));
//! ```

mod condition;
pub mod experiment;
mod f1;
mod f2;
mod f3;
mod family;
pub mod kalah_tree;
pub mod memory;
mod minimax;
mod mtd;
mod negamax;
mod negascout;
mod negascout_minmax;
mod observer;
mod probcut;
mod proof;
mod pvs;
mod scout;
pub mod search;
mod sss;
mod test;
mod tree;
mod uct;
pub mod unfolded;
pub mod uniform;
mod wrappers;

pub use condition::{ExtraTurns, Order, UnknownName};
pub use f1::f1;
pub use f2::f2;
pub use f3::f3;
pub use family::{Algorithm, Method};
pub use kalah_tree::KalahTree;
pub use memory::{Memory, Table};
pub use minimax::minimax;
pub use mtd::{mt_dual, mt_sss, mtd};
pub use negamax::negamax;
pub use negascout::{Form, Options, negascout};
pub use negascout_minmax::{f4_prime, g4_prime};
pub use observer::{Budget, Counts, Leaves, Observer};
pub use probcut::{Check, Model, probcut};
pub use proof::proof_number;
pub use pvs::pvs;
pub use scout::scout;
pub use search::{Run, Search};
pub use sss::sss;
pub use test::{test_above, test_under};
pub use tree::{Child, Player, Tree};
pub use uct::{Policy, uct};
pub use unfolded::Unfolded;
pub use uniform::{Payoff, UniformTree};
pub use wrappers::{aspiration, deepening};
