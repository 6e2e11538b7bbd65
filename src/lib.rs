//! A Kalah engine: rules, search, exact solving and the experiments around them.
//!
//! The modules stand on floors. Each uses only those on lower floors and, on its
//! own, those that stand below it:
//!
//! ```text
//! 6  cli              arguments to a command
//! 5  protocol         the loop on stdin and stdout: uci and ugi
//!    arena            matches: players, games, schedule, statistics, runner
//!    play             playing in a terminal: view, input, game, session
//!    bench            the search's signature, and best moves on known positions
//!    report           tables and pictures of results
//! 4  options          the engine's options: one table, setting them by name
//!    engine           the engine as its users see it: position, settings, go, stop
//! 3  search           iterative deepening NegaScout on all threads
//!    solve            exact values of positions
//!    lab              the algorithms of the comparison, as their papers write them
//! 2  memory, zobrist  the transposition table and its keys
//!    eval             what the pits promise
//!    endgame          exact gains of positions with few seeds in play
//!    record           records of games, as JSON lines and as .kgn text
//! 1  kalah            the game: packed boards, plain rules, notation, perft
//! 0  score, depth     gains, values, windows; depths and plies
//!    mix, prefetch    mixing of bits; fetching memory ahead
//!    pages, machine   huge pages; processors and memory at hand
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
//! use kalah::kalah::{Pit, Position, Rules};
//!
//! let mut position = Position::start(Rules::default());
//! let played = position.play(Pit::new(2)).unwrap();
//! assert_eq!(position.to_string(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
//! assert_eq!(played.banked, 1);
//! ```

pub mod arena;
pub mod bench;
pub mod cli;
pub mod depth;
pub mod endgame;
pub mod engine;
pub mod eval;
pub mod kalah;
pub mod lab;
pub mod machine;
pub mod memory;
pub mod mix;
pub mod options;
pub mod pages;
pub mod play;
pub mod prefetch;
pub mod protocol;
pub mod record;
pub mod report;
pub mod score;
pub mod search;
pub mod solve;
pub mod zobrist;
