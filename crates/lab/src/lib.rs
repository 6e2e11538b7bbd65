//! The classic algorithms of game-tree search as published, and experiments that test what
//! the literature claims about them.
//!
//! Read [`algorithms`] as a textbook, in this order: from [`minimax`] and [`negamax`] to
//! alpha-beta ([`f1`], [`f2`], [`f3`]); TEST ([`test()`]) and [`scout`]; [`negascout`] and
//! [`pvs`]; [`mtd`] and the best-first [`sss`]; [`proof_number`]; then those that are not exact: [`quiescence`], [`beam`], [`probcut`],
//! [`bandit()`] and [`uct`]. All are written against one interface, a [`Tree`], and [`KalahTree`]
//! is one of three trees. [`Method`] runs an algorithm by name, alone or with a transposition
//! table, iterative deepening and an aspiration window.
//!
//! [`experiment`] measures the algorithms, and [`findings`] judges claims by the measurements.
//! [`LabSearcher`] adds the algorithms to an [`Engine`](kalah_engine::Engine), as its option
//! `Algorithm`.
//!
//! No algorithm here is tuned, and none depends on Kalah. The engine's own search is in
//! [`kalah_engine::search`] and does not know this crate, which specifies it: with every option
//! off, it visits the leaves of [`negascout`] in the same order.
//!
//! ```
//! use kalah_game::score::Window;
//! use kalah_game::{Position, Rules};
//! use kalah_lab::{
//!     ChildOrder, ExtraTurns, KalahTree, MinimaxSide, SearchCounts, SearchRun, Tree, f3, scout,
//! };
//!
//! let start = Position::start(Rules::default());
//! let tree = KalahTree::<u64>::new(&start, 5, ExtraTurns::Compound, ChildOrder::Far);
//!
//! let mut counts = SearchCounts::default();
//! let value = f3(&mut SearchRun::watched(&tree, &mut counts), tree.root(), Window::full());
//! assert_eq!((value.0, counts.leaves), (6, 5213));
//!
//! let mut counts = SearchCounts::default();
//! let value = scout(&mut SearchRun::watched(&tree, &mut counts), tree.root(), MinimaxSide::Max);
//! assert_eq!((value.0, counts.leaves), (6, 7554));
//! ```

pub mod algorithms;

pub mod experiment;

pub mod findings;

mod searcher;

pub use algorithms::*;
pub use searcher::LabSearcher;
