//! Matches between engines, and what their results mean.
//!
//! ```text
//! spec       players as words             opening    where games begin
//! schedule   the list of a match's games, a function of its configuration
//! player     what is asked of a player; random and greedy ones
//! inprocess  this engine as a player      process    a program as a player
//! game       one game between two players
//! ledger     the file of a match            standing   its games, counted
//! runner     plays what is left of a list
//! summary    the standing in words          page       and as a page
//! stats      Elo, likelihood of superiority, SPRT, ratings
//! ```

pub mod game;
pub mod inprocess;
pub mod ledger;
pub mod opening;
pub mod page;
pub mod player;
pub mod process;
pub mod runner;
pub mod schedule;
pub mod spec;
pub mod standing;
pub mod stats;
pub mod summary;
