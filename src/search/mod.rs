//! The engine's search: iterative deepening NegaScout over packed boards.
//!
//! ```text
//! iterate      deepens, one aspiration window after the other; several lines
//! negascout    the search of one window, and of the root's moves
//! node         what is asked of a board, and the best of its moves so far
//! children     the moves of a node: settled at once, or ordered to be searched
//! ordering     what recent cutoffs say about the order of moves
//! control      limits, the clock, stopping: what all threads of a search share
//! limits       what a search is asked; report: what it answers
//! skill        weaker play for people
//! ```
//!
//! The search works on gains, so stores play no part in it, and never prints.

mod children;
mod control;
pub mod eval;
mod iterate;
mod limits;
mod negascout;
mod node;
mod ordering;
mod report;
mod skill;
pub mod table;
pub mod zobrist;

pub use control::{Control, Stopped, Stopper};
pub use iterate::{Job, STACK, observe, search};
pub use limits::{Clock, Limits, TimeControl};
pub use negascout::{Observer, SearchOptions};
pub use report::{Event, Info, RootMove, SearchResult};
pub use skill::Skill;
