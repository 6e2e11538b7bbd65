//! A Kalah engine: the rules, a search for the best move, exact solving, and
//! matches and experiments around them.
//!
//! Play a game:
//!
//! ```
//! use kalah::{Position, Rules, Side};
//!
//! let mut position = Position::start(Rules::default());
//! while let Some(pit) = position.moves().nearest() {
//!     let played = position.play(pit)?;
//!     println!("{} sows {pit} and banks {} seeds", played.side, played.banked);
//! }
//! println!("South's margin is {}", position.margin(Side::South));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Search a best move:
//!
//! ```
//! use kalah::{Depth, Engine, Limits, Pit};
//!
//! let mut engine = Engine::new()?;
//! assert_eq!(engine.best_move(Limits::depth(Depth(10))), Some(Pit::new(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Solve a position:
//!
//! ```
//! use kalah::solve::Settings;
//! use kalah::{Capture, Gain, Position, Rules, Solver};
//!
//! let start = Position::start(Rules::new(4, 3, Capture::Standard)?);
//! let mut solver = Solver::new(&start, Settings::default())?;
//! let solution = solver.solve(&start, &mut |_| true)?;
//! assert_eq!(solution.margin, Gain(6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `cli` (default): the `kalah` program and the modules that only it uses,
//!   [`cli`], [`play`] and [`arena`], with their dependencies.
//! - `tui` (default): `kalah play --tui`, playing on the full screen.
//! - `kgp` (default): `kalah kgp`, playing on servers over TCP and WebSocket.
//!
//! # Map
//!
//! The modules stand on floors: each uses only modules on lower floors, never a
//! sibling on its own floor (`tests/floors.rs` enforces it).
//!
//! ```text
//! 8  cli                    arguments to a command
//! 7  arena                  matches between engines
//! 6  protocol, kgp, play    UCI and UGI; a client of game servers; playing in a terminal
//! 5  engine                 the engine as its users see it: position, options, go, stop
//! 4  search, solve, lab     NegaScout; exact values; the algorithms of the comparison
//! 3  endgame, evaluation, record, view  exact and estimated gains; games; a position as text
//! 2  game                   the rules, notation and perft; gains, windows, depths
//! 1  sys, report            threads, memory, time; tables, charts and pages
//! ```
//!
//! # Words
//!
//! - *Pits* hold *seeds*; a *row* is one player's pits, in sowing order, pit A
//!   farthest from the *store*. Seeds *in play* are those in pits.
//! - A *variant* is a number of pits a row and a capture rule.
//! - To *sow* a pit is a *move*. A last seed in the own store gives an extra
//!   turn: the *turn* is kept, otherwise it passes. A *ply* is one sowing.
//! - Seeds are *banked* when they reach a store, by sowing or by capture.
//! - A *gain* is a difference in seeds still to be banked, from the mover's point
//!   of view; a *margin* is the difference at the end of the game, stores included. A
//!   *value* is either of them in hundredths of a seed.
//! - A *node* is one visit of a position by a search.
//! - A search has a *window* (alpha, beta). A result at or below alpha *fails
//!   low* and is an upper bound, one at or above beta *fails high* and is a lower
//!   bound. A *null window* has no score strictly inside.
//! - The *principal variation* (pv) is the line of best play by both sides.
//! - The *transposition table* holds results of searched positions. *Endgame
//!   tables* hold the exact gains of all positions with few seeds in play.

#[cfg(feature = "cli")]
pub mod arena;
#[cfg(feature = "cli")]
pub mod cli;
pub mod endgame;
pub mod engine;
pub mod evaluation;
pub mod game;
#[cfg(feature = "kgp")]
pub mod kgp;
pub mod lab;
#[cfg(feature = "cli")]
pub mod play;
pub mod protocol;
pub mod record;
#[cfg(feature = "cli")]
pub mod report;
pub mod search;
pub mod solve;
pub mod sys;
pub mod view;

pub use endgame::Tables;
pub use engine::Engine;
pub use game::depth::Depth;
pub use game::score::{Gain, Value};
pub use game::{Board, Capture, Pit, PitSet, Played, Position, Rules, Side, Variant};
pub use search::{Limits, SearchResult, Stopper};
pub use solve::{Solution, Solver};
