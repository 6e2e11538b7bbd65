//! Exact values: the margin of a position under perfect play, proved.
//!
//! [`Solver`] is the entry point. It proves gains by null-window searches on all
//! threads (`proof`, `search`), which store proved bounds in a transposition table (`proof_table`)
//! and probe the endgame tables. No step is heuristic: an entry of the transposition table
//! identifies its position completely, so a collision cannot return a wrong bound, and all
//! other bounds are exact or follow from the rules (`bounds`). Estimates determine the order
//! of moves (`order`) and the sizes of tables (`plan`), but never a value.
//!
//! A proof that is too long for one search is split into questions that many processes
//! answer: `tree` holds the proved bounds, and [`ledger`] keeps them in a file. The crate
//! `kalah-proof` chooses the next question and runs the workers.
//!
//! Nothing here reads or prints text; progress is reported to a closure.

mod bounds;
#[cfg(feature = "files")]
pub mod ledger;
mod node;
mod order;
mod plan;
mod proof;
mod proof_table;
mod search;
mod solver;
mod tree;

pub use order::Order;
pub use plan::planned_hash;
pub(crate) use proof::STACK_BYTES;
pub use search::GainQuestion;
pub use solver::{
    OnProgress, Provenance, Solution, SolveError, SolveProgress, Solver, SolverSettings,
    TableChoice,
};
pub use tree::{Contradiction, Edge, QuestionNode, QuestionTree};
