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
//! use kalah::game::{Position, Rules};
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

pub mod algorithms;
pub mod experiment;
pub mod report;

pub use algorithms::*;
