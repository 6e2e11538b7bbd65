//! Proofs that are too long for one search: split into questions, which any number of workers
//! answer, on any number of machines that share a folder.
//!
//! [`Pieces`] is the folder of a proof, as one worker sees it; [`Pieces::work`] answers questions
//! until the goal is reached. [`ProofStatus`] shows how far a proof is, and [`Review`] checks its
//! ledger. The format of the ledger and the tree that is rebuilt from it belong to the engine,
//! whose opening book reads them as well.
//!
//! This crate prints nothing and knows no commands: activity is reported to a closure.
//!
//! ```text
//! questions    the open questions of a proof, in the order in which to answer them
//! pieces       the folder: its goal and its leases
//! worker       the work on its questions
//! review       the check of a ledger, line by line
//! status       the progress of a proof, as text and as JSON
//! solved       a solved position, as text and as JSON
//! recorder     the bounds that one solver proves, saved as it goes
//! tables_used  the endgame tables that a solver has used
//! survey       the positions near a start, their margins, and the check of lists
//! ```

mod pieces;
mod questions;
mod recorder;
mod review;
mod solved;
mod status;
pub mod survey;
mod tables_used;
mod worker;

pub use kalah_engine::solve::ledger::{PieceCost, ProofGoal, RootText};
pub use pieces::{
    MarginEstimator, OnEvent, PieceOutcome, Pieces, PiecesError, WorkEvent, estimator, goal,
};
pub use questions::Question;
pub use recorder::BoundsRecorder;
pub use review::{ClaimedBounds, Review, sample};
pub use solved::{ProgressRow, ProvedBounds, Solved, largest_alike};
pub use status::{MarginBounds, OpenQuestion, ProofStatus};
pub use tables_used::TablesUsed;
