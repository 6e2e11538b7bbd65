//! The classic algorithms of game-tree search, each as published in its paper.
//!
//! Read [`algorithms`] as a textbook: from [`minimax`] to alpha-beta ([`f1`],
//! [`f2`], [`f3`]); TEST and [`scout`]; [`negascout`], its twin for two players
//! [`f4_prime`] and [`pvs`]; [`mtd`] and [`sss`]; [`proof_number`]; and two that
//! may err, [`uct`] and [`probcut`]. None of them depends on Kalah, and none is tuned: the
//! engine's own search is in [`search`](crate::search), and is tested against these.
//! [`experiment`] measures them.
//!
//! ```
//! use kalah::game::{Position, Rules};
//! use kalah::lab::{Counts, ExtraTurns, KalahTree, Order, Player, Run, Tree, f3, scout};
//! use kalah::game::score::Window;
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
#[cfg(feature = "cli")]
pub mod experiment;
#[cfg(feature = "cli")]
pub(crate) mod report;

pub use algorithms::*;
