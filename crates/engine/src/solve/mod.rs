//! Exact values: the margin of a position under perfect play, proved.
//!
//! [`Solver`] is the entry point. It proves gains by null-window searches on all
//! threads (`proof`, `search`), which store proved bounds in a transposition table (`table`)
//! and probe the endgame tables. No step is heuristic: an entry of the transposition table
//! identifies its position completely, so a collision cannot return a wrong bound, and all
//! other bounds are exact or follow from the rules (`bounds`). Estimates determine the order
//! of moves (`order`) and the sizes of tables (`plan`), but never a value. A [`Labeller`] finds the
//! margins of many positions.
//!
//! A proof that is too long for one search is split into questions that many processes
//! answer: `tree` holds the proved bounds and chooses the next question, and [`ledger`] keeps them
//! in a file. The crate `kalah-proof` runs the workers.
//!
//! Nothing here reads or prints text; progress is reported to a closure.

mod bounds;
mod labeller;
#[cfg(feature = "files")]
pub mod ledger;
mod node;
mod order;
mod plan;
mod proof;
mod search;
mod solver;
mod table;
#[cfg_attr(not(feature = "files"), expect(dead_code, reason = "only ledgers split and prove"))]
mod tree;

pub use labeller::Labeller;
pub use order::Order;
pub(crate) use proof::STACK_BYTES;
pub use search::GainQuestion;
pub use solver::{
    OnProgress, Provenance, Solution, SolveError, SolveProgress, Solver, SolverSettings,
    TableChoice,
};
pub use tree::{Question, QuestionTree, Sizes};
