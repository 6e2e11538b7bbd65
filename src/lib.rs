//! A Kalah engine: rules, search, exact solving and the experiments around them.
//!
//! The modules stand on floors: each uses only modules on lower floors, never a
//! sibling on its own floor (`tests/floors.rs` holds it to that).
//!
//! ```text
//! 8  cli                    arguments to a command
//! 7  protocol, arena, play  text on stdin and stdout; matches; a terminal
//! 6  engine                 the engine as its users see it: position, options, go, stop
//! 5  search, solve, lab     NegaScout; exact values; the algorithms of the comparison
//! 4  endgame, record, view  exact gains of few seeds; recorded games; a position as text
//! 3  game                   the rules: plain positions, packed boards, notation, perft
//! 2  score, depth           gains, values, windows; depths and plies
//! 1  sys, report            threads, memory, time; tables, charts and pages
//! ```
//!
//! # Words
//!
//! - *Pits* hold *seeds*; a *row* is one player's pits, in sowing order, pit A
//!   farthest from the *store*. Seeds *in play* are those in pits.
//! - To *sow* a pit is a *move*. A last seed in the own store gives an extra
//!   turn: the *turn* is kept, otherwise it passes. A *ply* is one sowing.
//! - Seeds are *banked* when they reach a store, by sowing or by capture.
//! - A *gain* is what the mover still wins more than the other, from the pits
//!   alone; a *margin* is the difference at the end of the game, stores
//!   included. A *value* is a gain in hundredths of a seed, as searches guess it.
//! - A search asks with a *window* (alpha, beta). A result at or below alpha
//!   *fails low* and is an upper bound, one at or above beta *fails high* and is
//!   a lower bound. A null window has no room between.
//! - The *principal variation* (pv) is the line both sides are expected to play.
//! - The *transposition table*, or memory, keeps what was found of positions.
//!   *Endgame tables* hold the exact gains of all positions with few seeds.
//!
//! ```
//! use kalah::{Pit, Position, Rules};
//!
//! let mut position = Position::start(Rules::default());
//! let played = position.play(Pit::new(2)).unwrap();
//! assert_eq!(position.to_string(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
//! assert_eq!(played.banked, 1);
//! ```

pub mod arena;
pub mod cli;
pub mod depth;
pub mod endgame;
pub mod engine;
pub mod game;
pub mod lab;
pub mod play;
pub mod protocol;
pub mod record;
pub mod report;
pub mod score;
pub mod search;
pub mod solve;
pub mod sys;
pub mod view;

pub use game::{Capture, Pit, PitSet, Played, Position, Rules, Side};
