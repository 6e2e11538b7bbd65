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
//! List the three best moves, and stop a search from another thread:
//!
//! ```
//! use std::thread;
//! use std::time::Duration;
//!
//! use kalah_engine::{Depth, Engine, Limits, Stopper};
//!
//! let mut engine = Engine::new()?;
//! engine.settings_mut().multipv = 3;
//! for line in engine.analyse(Limits::depth(Depth(8))) {
//!     let moves = String::from_iter(engine.position().letters(&line.pv));
//!     println!("{}. {} {moves}", line.multipv, line.margin);
//! }
//! let stopper = Stopper::new();
//! let other = stopper.clone();
//! let timer = thread::spawn(move || {
//!     thread::sleep(Duration::from_millis(20));
//!     other.stop();
//! });
//! let result = engine.search(Limits::default(), &stopper, &mut |info| println!("{}", info.depth));
//! assert!(result.best.is_some());
//! timer.join().expect("the timer ends");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Build endgame tables, and get the exact margin of each move:
//!
//! ```
//! use kalah_engine::{Position, Rules, Tables};
//!
//! let tables = Tables::build(Rules::default().variant(), 8, 1)?;
//! let position: Position = "<6,18,10,4,1,1,0,0,0,0,0,0,2,0,0> S".parse()?;
//! println!("{:?} {:?}", tables.margin(&position), tables.move_margins(&position));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Count the sequences of moves from a position:
//!
//! ```
//! use kalah_engine::game::perft::{Counting, perft};
//! use kalah_engine::{Depth, Position, Rules};
//!
//! let start = Position::start(Rules::default());
//! assert_eq!(perft(&start, Depth(4), Counting::Bulk), 942);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! All are on by default; without one, what needs it is missing or reports that it is not supported.
//!
//! - `files`: ledgers, the proofs in the book, kept transposition tables and mapped endgame tables.
//! - `compression`: compressed layers of endgame tables.
//! - `memory`: huge pages, and sizes of tables that follow the memory of the machine.
//! - `log`: warnings to the `log` crate.
//!
//! # Reading order
//!
//! Read [`kalah_game`] first: everything here works on its packed boards, and on gains, which
//! leave out the stores. Then, each module using only those before it:
//!
//! 1. `abdada` serves the search and the solver alike: the positions that threads are searching at
//!    the moment.
//! 2. [`evaluation`] estimates the gain of a board, by a small network or by named features. It
//!    may be wrong.
//! 3. [`endgame`], a crate below this one, holds the exact gain of every position with few seeds in
//!    play, in a few bits each, built by retrograde analysis.
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
//! 8. [`mod@bench`] computes the engine's signature, every change of which must be explained.
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
mod engine;
pub mod evaluation;
pub mod search;
pub mod solve;

pub use endgame::Tables;
pub use engine::options::{OPTIONS, OptionError};
pub use engine::search::{PendingSearch, RunningSearch, guess_margin};
pub use engine::{
    Engine, EngineOption, EvaluationKind, OptionKind, RefusedValue, Resources, Restriction,
    SearchQuery, Searcher, Settings, TablePath,
};
// Inlined, so that the documentation of this crate has no links to pages that `--no-deps` leaves
// out.
#[doc(inline)]
pub use kalah_endgame as endgame;
#[doc(no_inline)]
pub use kalah_game as game;
#[doc(inline)]
pub use kalah_game::{
    Board, BoardError, Capture, Depth, Gain, Interval, MoveError, Pit, PitSet, Played, Ply,
    Position, Row, Rules, Side, Turn, Value, Variant, Window,
};
#[doc(inline)]
pub use kalah_sys::{
    files::FileError, machine::MemoryError, parallel::ThreadError, stop::Flag, stop::Stopped,
};
pub use search::transposition::Bound;
pub use search::{Clock, Info, Limits, SearchEvent, SearchResult, Skill, Stopper};
pub use solve::{Solution, SolveError, Solver, SolverSettings};
