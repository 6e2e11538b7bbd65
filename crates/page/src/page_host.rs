//! What the host of the page provides for a request: clock, engine, solver and files.

use std::time::Duration;

use serde::Serialize;

use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::settings::Settings;
use kalah_engine::solve::{SolveError, Solver};
use kalah_game::{Pit, Position};
use kalah_play::seat::Seat;
use kalah_record::Game;
use kalah_sys::stop::Flag;

use crate::error::ApiError;

/// The host of one request. A server has one for each request that it works on.
pub trait PageHost {
    /// An engine that plays like this player. For a person, which is a request for a hint or a
    /// judgement, it has its full strength.
    ///
    /// # Errors
    /// [`ApiError`] if there is no memory for it.
    fn judge(&mut self, seat: Seat) -> Result<&mut Judge, ApiError>;

    /// The saved game in the file with this name, and the version of the file.
    ///
    /// # Errors
    /// [`ApiError`] if there is none.
    fn saved_game(&mut self, name: &str) -> Result<(Game, String), ApiError>;

    /// Saves a game in place of the version `seen` of its file or, without one, in a new file.
    ///
    /// # Errors
    /// [`ApiError`] if another program has changed the file, or it cannot be written.
    fn save_game(
        &mut self,
        name: &str,
        record: &Game,
        seen: Option<&str>,
    ) -> Result<SavedPlace, ApiError>;

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

/// Where a game was saved. `name` and `version` are `null` if games are not saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SavedPlace {
    /// The name of the file.
    pub name: Option<String>,
    /// The version of the file, which the next save replaces.
    pub version: Option<String>,
    /// Why the game could not be saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// What only one request, or few, can use at a time.
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
