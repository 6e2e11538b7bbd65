//! The algorithms that made game-tree search, each as its paper writes it.
//!
//! Read it as a textbook: [`minimax`], [`negamax`], alpha-beta as [`f1`],
//! [`f2`] and [`f3`], [`test`], [`scout`], [`negascout`] and its twin for two
//! players, [`pvs`]. Each is a function over [`Search`]; what they search is a
//! [`Tree`], who watches an [`Observer`], what is kept a [`Memory`]. None of
//! them knows Kalah, and none is tuned: the engine's own search is elsewhere,
//! and is measured against these.
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
mod f1;
mod f2;
mod f3;
pub mod kalah_tree;
pub mod memory;
mod minimax;
mod negamax;
mod negascout;
mod negascout_minmax;
mod observer;
mod pvs;
mod scout;
pub mod search;
mod test;
mod tree;
pub mod unfolded;
pub mod uniform;

pub use condition::{ExtraTurns, Order, UnknownName};
pub use f1::f1;
pub use f2::f2;
pub use f3::f3;
pub use kalah_tree::KalahTree;
pub use memory::{Memory, Table};
pub use minimax::minimax;
pub use negamax::negamax;
pub use negascout::{Form, Options, negascout};
pub use negascout_minmax::{f4_prime, g4_prime};
pub use observer::{Budget, Counts, Leaves, Observer};
pub use pvs::pvs;
pub use scout::scout;
pub use search::{Run, Search};
pub use test::{test_above, test_under};
pub use tree::{Child, Player, Tree};
pub use unfolded::Unfolded;
pub use uniform::{Payoff, UniformTree};
