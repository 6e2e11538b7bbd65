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
//! Search for the best move:
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
//! All are on by default.
//!
//! - `cli`: the `kalah` program, the modules that only it uses ([`arena`], [`cli`],
//!   [`play`] and [`report`]) and their dependencies.
//! - `tui`: `kalah play --tui`, which plays on the full screen.
//! - `kgp`: `kalah kgp`, which plays on game servers over TCP and WebSocket.
//! - `serve`: `kalah serve`, the board in a browser.
//!
//! # Map
//!
//! The modules are arranged on floors. Each uses only modules on lower floors, never one on
//! its own, and there are no circular dependencies between files.
//! `tests/library/floors.rs` checks every path.
//!
//! ```text
//! 9  cli                    the commands and their arguments
//! 8  serve                  the board in a browser
//! 7  arena                  matches between engines
//! 6  protocol, kgp, play    UCI and UGI; a client of game servers; playing in a terminal
//! 5  engine                 the engine: its position, options and searches
//! 4  search, solve, lab     finding the best move; exact values; the comparison of algorithms
//! 3  endgame, evaluation, record, view  endgame tables; the network; recorded games; positions as text
//! 2  game, report           rules, notation and perft; tables, charts and pages
//! 1  sys                    threads, memory, time, files, and text for people
//! ```
//!
//! # Words
//!
//! - *Pits* hold *seeds*. A *row* is one player's pits in sowing order: pit A is
//!   farthest from the *store*. Seeds *in play* are those in pits.
//! - A *variant* is a number of pits per row and a capture rule. (6,4) is the board
//!   with six pits per row and four seeds in each at the start.
//! - A *move* *sows* the seeds of one pit. If the last one falls into the mover's own
//!   store, the player keeps the *turn*; otherwise the turn passes. A *ply* is one
//!   sowing.
//! - Seeds are *banked* when they reach a store, by sowing or by capture.
//! - A *gain* is the number of seeds that the mover has yet to bank minus the number that
//!   the opponent has yet to bank. A *margin* is the difference between the stores at the
//!   end of the game. A *value* is either of them in hundredths of a seed.
//! - A *node* is one visit of a position by a search.
//! - A search has a *window* (alpha, beta). A result at or below alpha *fails
//!   low* and is an upper bound; one at or above beta *fails high* and is a lower
//!   bound. No score lies strictly inside a *null window*.
//! - The *principal variation* (pv) is the line of best play by both sides.
//! - The *transposition table* holds results of searched positions. *Endgame
//!   tables* hold the exact gains of all positions with few seeds in play.

#![cfg_attr(
    not(feature = "serve"),
    allow(dead_code, reason = "the server alone uses some parts of other modules")
)]

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
#[cfg(feature = "serve")]
mod serve;
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
