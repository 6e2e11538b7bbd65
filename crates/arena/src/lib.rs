//! Matches between engines, and the statistics of their results.
//!
//! A [`config::MatchConfig`] determines a [`schedule::Schedule`], [`runner::RunningMatch`] plays its
//! games into a [`file::MatchFile`], and a [`standing::Standing`] counts them. The order in which games
//! finish, the machine on which they are played and the number of workers do not affect the
//! standing.
//!
//! ```
//! use kalah_arena::config::{MatchConfig, PlayerConfig};
//! use kalah_arena::runner::{MatchOptions, RunningMatch};
//! use kalah_arena::schedule::Schedule;
//! use kalah_arena::standing::Standing;
//! use kalah_engine::Engine;
//! use kalah_game::{Position, Rules};
//! use kalah_record::opening;
//! use kalah_sys::stop::Flag;
//!
//! let schedule = Schedule::new(MatchConfig {
//!     players: vec![PlayerConfig::parse("greedy", "")?, PlayerConfig::parse("random", "")?],
//!     rounds: 3,
//!     openings: opening::random(Position::start(Rules::default()), 4, 3, 1),
//!     ..MatchConfig::default()
//! })?;
//!
//! let folder = tempfile::tempdir()?;
//! let (file, logs) = (folder.path().join("match.jsonl"), folder.path().join("logs"));
//! let (shard, interrupt) = ("1/1".parse()?, Flag::default());
//! let options =
//!     MatchOptions { file: &file, shard, concurrency: 2, logs: &logs, interrupt: &interrupt };
//! let mut running =
//!     RunningMatch::new(&schedule, &options, None, || Engine::without_tables(1))?;
//! running.play(&mut |_, _| ())?;
//!
//! let standing = Standing::new(&schedule, running.results());
//! let greedy = &standing.scores[&(0, 1)];
//! assert_eq!(greedy.wins + greedy.draws + greedy.losses, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A match does not know how engines search: it speaks to programs in UCI and UGI, and to the
//! engine of this process through its public interface. It prints nothing; the statistics (module
//! [`stats`]) know neither games nor files.
//!
//! ```text
//! config      players, limits and openings
//! schedule    the games of a match, a function of its configuration
//! contestant  who chooses the moves of a player; the contestants of this process
//! process     a program as a contestant
//! referee     one game between two contestants
//! file        the file of a match
//! standing    the finished games, counted
//! played      the games of a match from its files, and their page
//! follower    the file of a running match, read while it grows
//! team        the contestants of each worker
//! parts       the other parts of a match, read while they grow
//! runner      plays the games of a schedule that are not in the file
//! summary     the standing as text, tables and figures
//! html        the standing as an HTML document, with its games
//! stats       Elo, likelihood of superiority, SPRT, ratings
//! ```

pub mod config;
pub(crate) mod contestant;
mod error;
pub mod file;
pub mod follower;
pub mod html;
pub(crate) mod parts;
pub mod played;
pub mod process;
pub(crate) mod referee;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod stats;
pub mod summary;
pub mod team;

pub(crate) use error::ProgramError;
pub use error::{ConfigError, MatchError};
