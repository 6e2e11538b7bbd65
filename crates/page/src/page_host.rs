//! What the host of the page provides for a request: clock, engine, solver and files.

use std::time::Duration;

use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::settings::Settings;
use kalah_engine::solve::{SolveError, Solver};
use kalah_game::{Pit, Position};
use kalah_sys::stop::Flag;

use crate::error::ApiError;

/// The host of one request. A server has one for each request that it works on.
pub trait PageHost {
    /// The engine for hints and judgements, which all requests share.
    ///
    /// # Errors
    /// [`ApiError`] if there is no memory for it.
    fn judge(&mut self) -> Result<&mut Judge, ApiError>;

    /// The answers to exercises, which all requests share.
    ///
    /// # Errors
    /// [`ApiError`] if they cannot be used.
    fn history(&mut self) -> Result<&mut PuzzleHistory, ApiError>;

    /// The player's settings, which all requests share.
    ///
    /// # Errors
    /// [`ApiError`] if they cannot be used.
    fn settings(&mut self) -> Result<&mut Settings, ApiError>;

    /// A solver for a position, with the threads, the memory and the endgame tables that the
    /// host grants it.
    ///
    /// # Errors
    /// [`SolveError`] if there is not enough memory.
    fn solver(&mut self, position: &Position) -> Result<Solver, SolveError>;

    /// The moves made from a position in the finished games that the host knows: one item per
    /// game, with the half points that the player scored.
    fn played_from(&self, position: &Position) -> Vec<(Pit, u32)>;

    /// Raised once the client has gone, to end long work.
    fn stop(&self) -> &Flag;

    /// The time since the request arrived.
    fn elapsed(&self) -> Duration;

    /// Passes an event, by name and with its JSON, to the client that is waiting for events.
    fn send(&mut self, event: &'static str, json: String);
}

/// What only one request can use at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusive {
    /// [`PageHost::judge`].
    Judge,
    /// [`PageHost::history`].
    History,
    /// [`PageHost::settings`].
    Settings,
    /// [`PageHost::solver`], and [`PageHost::send`]: the answer is a stream of events.
    Solver,
}
