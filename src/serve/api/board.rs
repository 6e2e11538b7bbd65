//! Positions and moves as JSON: what the page draws and animates. Each move says where its
//! seeds fall one by one, so that no rule need be known there.

use serde::{Deserialize, Serialize};

use super::super::error::ApiError;
use crate::game::{Capture, Landing, Played, Position, Side};
use crate::view::sentence;

/// A value for each side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BySide<T> {
    #[serde(rename = "S")]
    south: T,
    #[serde(rename = "N")]
    north: T,
}

impl<T> BySide<T> {
    pub(super) fn of(value: impl Fn(Side) -> T) -> Self {
        Self { south: value(Side::South), north: value(Side::North) }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct PositionData {
    text: String,
    capture: Capture,
    pits: usize,
    side: char,
    stores: BySide<u32>,
    /// In sowing order.
    rows: BySide<Vec<u16>>,
    over: bool,
}

impl PositionData {
    pub(super) fn of(position: &Position) -> Self {
        Self {
            text: position.to_string(),
            capture: position.capture(),
            pits: position.pits(),
            side: position.side().initial(),
            stores: BySide::of(|side| position.store(side)),
            rows: BySide::of(|side| position.row(side).to_vec()),
            over: position.is_over(),
        }
    }
}

/// A place where a seed falls: a pit, by its letter, or a store.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Place {
    Pit(char),
    Store(Side),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct CaptureData {
    /// The pits that are emptied: the one where the last seed fell and, unless it is empty,
    /// the one opposite.
    from: Vec<char>,
    seeds: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct MoveData {
    pit: char,
    side: char,
    seeds: u32,
    /// Where each seed falls, in this order.
    sown: Vec<Place>,
    capture: Option<CaptureData>,
    /// Seeds that each side keeps because the game has ended.
    swept: BySide<u32>,
    /// Seeds that the mover's store gains, without those swept.
    banked: u32,
    again: bool,
    sentence: String,
    after: PositionData,
}

impl MoveData {
    pub(super) fn of(played: &Played, after: &Position) -> Self {
        let Played { side, pit, sown, last, banked, captured, swept, .. } = *played;
        let opponent = side.other();
        let landings = (1..=sown).map(|seed| Landing::of(pit, seed, after.pits()));
        let places = landings.map(|landing| match landing {
            Landing::Own(pit) => Place::Pit(pit.letter(side)),
            Landing::Store => Place::Store(side),
            Landing::Opponent(pit) => Place::Pit(pit.letter(opponent)),
        });
        let capture = match last {
            Landing::Own(pit) if captured > 0 => {
                let opposite = pit.opposite(after.pits()).letter(opponent);
                let opposite = Some(opposite).filter(|_| captured > 1);
                let from = std::iter::once(pit.letter(side)).chain(opposite).collect();
                Some(CaptureData { from, seeds: captured })
            }
            _ => None,
        };
        Self {
            pit: pit.letter(side),
            side: side.initial(),
            seeds: sown,
            sown: places.collect(),
            capture,
            swept: BySide::of(|side| swept[side.index()]),
            banked,
            again: !after.is_over() && after.side() == side,
            sentence: sentence::of_move(played, after),
            after: PositionData::of(after),
        }
    }
}

/// A position in a request.
#[derive(Debug, Deserialize)]
pub(super) struct PositionText {
    position: String,
    #[serde(default)]
    capture: Capture,
}

impl PositionText {
    /// # Errors
    /// If the text is not a position.
    pub(super) fn position(&self) -> Result<Position, ApiError> {
        let position = Position::parse(&self.position, self.capture);
        position.map_err(|error| ApiError::invalid(format!("position: {error}")))
    }

    /// # Errors
    /// If the text is not a position, or the game is over.
    pub(super) fn unfinished(&self) -> Result<Position, ApiError> {
        let position = self.position()?;
        if position.is_over() {
            return Err(ApiError::invalid(
                "expected a position in which moves are left, got the end of a game",
            ));
        }
        Ok(position)
    }
}
