//! A Kalah engine: evaluation, endgame tables, search and exact solver, and the engine over them.
//!
//! - A [`Position`] is a board with its stores, the side to move and the rules.
//! - An [`Engine`] finds the best move in a position within [`Limits`].
//! - A [`Solver`] proves the exact margin of a position.
//!
//! Search for the best move:
//!
//! ```
//! use kalah_engine::{Depth, Engine, Limits, Pit};
//!
//! let mut engine = Engine::new()?;
//! assert_eq!(engine.best_move(Limits::depth(Depth(10))), Some(Pit::new(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Solve a position:
//!
//! ```
//! use kalah_engine::solve::SolverSettings;
//! use kalah_engine::{Capture, Gain, Position, Rules, Solver};
//!
//! let start = Position::start(Rules::new(4, 3, Capture::Standard)?);
//! let mut solver = Solver::new(&start, SolverSettings::default())?;
//! let solution = solver.solve(&start, &mut |_| true)?;
//! assert_eq!(solution.margin, Gain(6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Reading order
//!
//! Read [`kalah_game`] first: everything here works on its packed boards, and on gains, which
//! leave out the stores. Then, each module using only those before it:
//!
//! 1. `memory` and `abdada` serve the search and the solver alike: large tables in huge pages
//!    or in mapped files, and the positions that threads are searching at the moment.
//! 2. [`evaluation`] estimates the gain of a board, by a small network or by named features. It
//!    may be wrong.
//! 3. [`endgame`] holds the exact gain of every position with few seeds in play, in a few bits
//!    each, built by retrograde analysis.
//! 4. [`search`] finds the best move within a limit: NegaScout in iterative deepening, on one or
//!    more threads that share a transposition table. It marks a result as proved if no estimate
//!    contributed to it.
//! 5. [`solve`] proves exact margins by null-window searches without a depth limit, in which
//!    estimates determine the order of moves but never a value. A long proof is split into
//!    questions that many processes answer.
//! 6. [`book`] holds the margins that were proved before this program was built, and the moves
//!    that follow from them.
//! 7. `engine` puts them together: an [`Engine`] has a position, [`Settings`], [`Resources`] and
//!    options by name ([`OPTIONS`]), and answers from the book or by a search, with a solver
//!    alongside it on request.
//! 8. [`survey`] collects the positions near a start with their margins, for lists of openings.
//! 9. [`mod@bench`] measures an engine: its signature, every change of which must be explained,
//!    and its results on suites of solved positions.
//!
//! # What the engine does not know
//!
//! - The algorithms of the lab, which specify this search: an engine receives them as a
//!   [`Searcher`].
//! - Recorded games, matches and levels; they belong to the engine's callers.
//! - Protocols and front ends. Nothing here reads standard input or prints; events go to a
//!   closure, and warnings to the `log` crate.
//!
//! # Words
//!
//! [`kalah_game`] defines the words of the game. Those of the search:
//!
//! - A *node* is one visit of a position by a search. The *static evaluation* estimates the gain
//!   of a *leaf*.
//! - A search has a *window* (alpha, beta). A result at or below alpha *fails
//!   low* and is an upper bound; one at or above beta *fails high* and is a lower
//!   bound. No score lies strictly inside a *null window*. An *aspiration window* is a narrow
//!   one around the value that is expected.
//! - The *principal variation* (pv) is the line of best play by both sides.
//! - The *transposition table* holds results of searched positions; it is *probed*, and results
//!   are *stored*. An *enhanced transposition cutoff* (ETC) takes the entry of a position one
//!   move away. *Endgame tables* hold the exact gains of all positions with few seeds in play.
//! - A *late-move reduction* (LMR) searches moves that are unlikely to be best less deeply at
//!   first.
//! - With *ABDADA*, a thread defers a move whose position another thread is searching.
//! - A *ledger* is the file of a long proof: a line for each proved bound. *Proof-number search*
//!   chooses the next *question* of such a proof.

mod abdada;
pub mod bench;
pub mod book;
pub mod endgame;
mod engine;
pub mod evaluation;
mod file_error;
mod memory;
pub mod search;
pub mod solve;
pub mod survey;

pub use endgame::Tables;
pub use engine::options::{OPTIONS, OptionError};
pub use engine::restrictions::Restrictions;
pub use engine::search::{PendingSearch, RunningSearch, guess_margin};
pub use engine::{
    Engine, EngineOption, EvaluationKind, OptionKind, RefusedValue, Resources, Restriction,
    SearchQuery, Searcher, Settings, TablePath,
};
// Inlined, so that the documentation of this crate has no links to pages that `--no-deps` leaves
// out.
pub use file_error::FileError;
#[doc(inline)]
pub use kalah_game::{
    Capture, Depth, Gain, Pit, PitSet, Played, Position, Rules, Side, Value, Variant,
};
pub use search::{Info, Limits, SearchEvent, SearchResult, Stopper};
pub use solve::{Solution, Solver};
