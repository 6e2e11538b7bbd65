//! The engine's search: iterative deepening NegaScout over packed boards.
//!
//! [`search()`] runs one worker per thread. Each worker deepens on its own; the workers share the
//! transposition table and defer moves that another one is searching (ABDADA), and only the
//! first reports. An iteration searches the root in an aspiration window around the value of the
//! iteration before. At a node:
//!
//! 1. The table's entry cuts off if it is deep enough, and so does the static evaluation of a
//!    board near the horizon that is far outside a null window.
//! 2. Every move is made. Some need no search, because the game is over, the seeds in play bound
//!    the result or the endgame tables hold it. Then the entries of all others are probed (ETC).
//! 3. The others are searched in order: the table's move, then the rest by static evaluation. The
//!    first gets the full window; each later one gets a null window, at first with a reduced depth
//!    if it is late and quiet (LMR). Extra turns cost no depth, up to a limit.
//!
//! ```text
//! workers        the threads of a search; `search` is the entry point
//! stack          the stacks of those threads
//! deepening      one thread: iterations, aspiration windows, multipv
//! negascout      the search of a single window, with its cutoffs and reductions
//! node           a board with its window and depth, and its best move so far
//! ordering       the moves of a node in order
//! pv             principal variations
//! control        state shared by all threads: limits, clock, stopping
//! time           time management
//! parameters     the numbers that games decide
//! transposition  its table of results
//! job, limits    the input of a search; event: its output
//! skill          weaker play for human opponents
//! ```
//!
//! A search reports [`SearchEvent`]s and returns a [`SearchResult`]. It prints nothing, and limits
//! are the only text that it parses. Most users call it through
//! [`Engine`](crate::engine::Engine).

mod control;
mod deepening;
mod event;
mod job;
mod limits;
mod negascout;
mod node;
mod ordering;
pub mod parameters;
mod pv;
mod skill;
mod stack;
mod time;
pub mod transposition;
mod workers;

pub use control::Control;
pub use control::Stopper;
pub use event::{Info, RootMove, SearchEvent, SearchResult};
pub use job::{ExternalProof, SearchJob, SearchOptions};
pub use limits::{Clock, LimitError, Limits};
pub use negascout::{SearchObserver, observe};
pub use skill::Skill;
pub use stack::Stack;
pub(crate) use stack::{MIN_SEARCH_BYTES, STACK_BYTES, deep_stack, has_room, on_deep_stack};
pub use time::TimeFactor;
pub use workers::search;
