//! Exact values: the margin of a position under perfect play, proved.
//!
//! [`Solver`] is the entry point. It proves gains by null-window searches on all
//! threads (`proof`, `search`), which store proved bounds in a table (`table`) and probe the
//! endgame tables. No step is heuristic: an entry of the transposition table holds the
//! whole position, so that a collision can never return a wrong one, and all other bounds
//! follow from the rules (`bounds`). Estimates determine the order of moves (`order`) and
//! the sizes of tables (`plan`), but never a value.
//!
//! A proof that is too long for one search is split into questions that many processes
//! answer: `tree` holds the proved bounds and chooses the next question, [`ledger`] is the
//! file, [`pieces`] does the work, and [`review`] shows the status and checks the ledger.
//!
//! Nothing here reads or prints text; progress is reported to a closure.

mod bounds;
pub mod ledger;
mod node;
mod order;
pub mod pieces;
mod plan;
mod proof;
pub mod review;
mod search;
mod solver;
mod table;
mod tree;

pub use order::Order;
#[cfg(feature = "cli")]
pub(crate) use proof::STACK_BYTES;
pub(crate) use solver::without_stores;
pub use solver::{
    Means, OnProgress, Progress, Settings, Solution, SolveError, Solver, TableChoice,
};
pub use tree::Question;
