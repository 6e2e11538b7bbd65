//! The engine's search: iterative deepening NegaScout over packed boards.
//!
//! ```text
//! workers      the threads of a search; `search` is the entry point
//! deepening    one thread: iterations, aspiration windows, multipv
//! negascout    the search of a single window, with its cutoffs and reductions
//! node         a board with its window and depth, and its best move so far
//! ordering     the moves of a node in order; killers and history
//! pv           principal variations
//! control      state shared by all threads: limits, clock, stopping
//! time         time management
//! table        the transposition table; zobrist: its keys
//! job, limits  the input of a search; report: its output
//! skill        weaker play for people
//! ```
//!
//! A search reports [`Event`]s and returns a [`SearchResult`]. It prints nothing, and the
//! only text that it parses is that of limits. Most users call it through
//! [`Engine`](crate::engine::Engine).

mod control;
mod deepening;
mod job;
mod limits;
mod negascout;
mod node;
mod ordering;
mod pv;
mod report;
mod skill;
pub mod table;
mod time;
mod workers;
mod zobrist;

pub use crate::record::Clock;
pub(crate) use control::Control;
pub use control::Stopper;
pub use job::{Job, Proof, SearchOptions};
pub use limits::Limits;
pub use negascout::{Observer, observe};
pub use report::{Event, Info, RootMove, SearchResult};
pub use skill::Skill;
pub(crate) use time::Patience;
#[cfg(feature = "cli")]
pub(crate) use workers::STACK_BYTES;
pub use workers::search;
pub(crate) use workers::{deep_stack, on_deep_stack};
