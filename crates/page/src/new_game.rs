//! A new game, as the page asks for one.

use serde::Deserialize;

use kalah_game::{Capture, Position, Rules};
use kalah_play::clock::ClockRules;
use kalah_play::game::NewGame;
use kalah_play::seat::{Level, Seat};
use kalah_sys::clock::now;

use crate::board::parsed;
use crate::error::ApiError;

/// A request for a new game; the defaults are those of `kalah play`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AskedGame {
    /// As in `kalah play --south`.
    south: Option<String>,
    north: Option<String>,
    pits: Option<u32>,
    seeds: Option<u32>,
    capture: Option<Capture>,
    /// Replaces `pits` and `seeds`.
    position: Option<String>,
    pie_rule: bool,
    /// As in `kalah play --clock`.
    clock: Option<String>,
    flag: bool,
    /// As in `kalah play --coach`.
    coach: bool,
}

impl AskedGame {
    /// The game, if its players, its board and its clock exist.
    pub(crate) fn new_game(&self) -> Result<NewGame, ApiError> {
        Ok(NewGame {
            start: self.start()?,
            seats: self.seats()?,
            pie_rule: self.pie_rule,
            clock_rules: self.clock()?,
            has_coach: self.coach,
            date: now(),
        })
    }

    fn start(&self) -> Result<Position, ApiError> {
        if let Some(text) = &self.position {
            return parsed(text, self.capture).map_err(ApiError::invalid);
        }
        let usual = Rules::default();
        let pits = self.pits.unwrap_or(usual.pits() as u32);
        let seeds = self.seeds.unwrap_or(usual.seeds());
        let rules = Rules::new(pits, seeds, self.capture.unwrap_or_default());
        Ok(Position::start(rules.map_err(ApiError::invalid)?))
    }

    /// South's and North's players.
    fn seats(&self) -> Result<[Seat; 2], ApiError> {
        let seat = |text: &Option<String>, usual| match text {
            Some(text) => text.parse().map_err(ApiError::invalid),
            None => Ok(usual),
        };
        Ok([seat(&self.south, Seat::Person)?, seat(&self.north, Seat::Level(Level::default()))?])
    }

    fn clock(&self) -> Result<Option<ClockRules>, ApiError> {
        let Some(text) = &self.clock else { return Ok(None) };
        let rules: ClockRules =
            text.parse().map_err(|error| ApiError::invalid(format!("clock: {error}")))?;
        Ok(Some(ClockRules { flag: self.flag, ..rules }))
    }
}
