//! Matches between engines, and the statistics of their results.
//!
//! ```text
//! config     players, limits and openings     opening    where games begin
//! schedule   the games of a match, a function of its configuration
//! player     the interface of a player; the players in this process
//! process    a program as a player
//! game       one game between two players
//! delay      the delay with which the system wakes a thread
//! ledger     the file of a match              standing   its games, counted
//! follower   the file of a match while it is written
//! team       the players of each worker
//! runner     plays the games of a schedule that are not in the file
//! report     the standing as text              page       as a page, with the games
//! stats      Elo, likelihood of superiority, SPRT, ratings
//! ```

use thiserror::Error;

pub mod config;
pub(crate) mod delay;
pub(crate) mod follower;
pub(crate) mod game;
pub mod ledger;
pub(crate) mod opening;
pub(crate) mod page;
pub(crate) mod player;
pub(crate) mod process;
pub(crate) mod report;
pub(crate) mod runner;
pub mod schedule;
pub mod standing;
pub mod stats;
pub(crate) mod team;

/// Error when preparing or running a match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchError {
    /// Players, openings or a test that a match cannot be made of.
    #[error("{0}")]
    Config(String),
    /// A game of a file is not in the schedule of its match.
    #[error("{0}")]
    Foreign(String),
    /// A failure of a file, a program or the system.
    #[error("{0}")]
    Failed(String),
}

impl MatchError {
    fn config(message: impl ToString) -> Self {
        Self::Config(message.to_string())
    }
}
