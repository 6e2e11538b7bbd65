//! Positions and moves as JSON: what the page draws and animates. Each move lists where its
//! seeds fall one by one, so that the page need not know any rules.

use serde::{Deserialize, Serialize};

use kalah_game::{BoardError, Capture, Landing, Played, Position, Side};
use kalah_record::sentence;

use crate::error::ApiError;

/// A value for each side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BySide<T> {
    #[serde(rename = "S")]
    south: T,
    #[serde(rename = "N")]
    north: T,
}

impl<T> BySide<T> {
    pub(crate) fn from_fn(value: impl Fn(Side) -> T) -> Self {
        Self { south: value(Side::South), north: value(Side::North) }
    }
}

/// A position as the page draws it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ShownPosition {
    text: String,
    capture: Capture,
    pits: usize,
    side: char,
    stores: BySide<u32>,
    /// In sowing order.
    rows: BySide<Vec<u16>>,
    over: bool,
}

impl ShownPosition {
    pub(crate) fn new(position: &Position) -> Self {
        Self {
            text: position.to_string(),
            capture: position.capture(),
            pits: position.pits(),
            side: position.side().initial(),
            stores: BySide::from_fn(|side| position.store(side)),
            rows: BySide::from_fn(|side| position.row(side).to_vec()),
            over: position.is_over(),
        }
    }
}

/// A place where a seed falls: a pit, by its letter, or a store.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum SeedPlace {
    Pit(char),
    Store(Side),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ShownCapture {
    /// The pits that are emptied: the one where the last seed fell and, unless it is empty,
    /// the one opposite.
    from: Vec<char>,
    seeds: u32,
}

/// A move as the page animates it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ShownMove {
    pit: char,
    side: char,
    /// Where each seed falls, in sowing order.
    sown: Vec<SeedPlace>,
    capture: Option<ShownCapture>,
    /// Seeds that each side keeps because the game has ended.
    swept: BySide<u32>,
    again: bool,
    sentence: String,
    after: ShownPosition,
}

impl ShownMove {
    pub(crate) fn new(played: &Played, after: &Position) -> Self {
        let Played { side, pit, sown, last, captured, swept, .. } = *played;
        let opponent = side.other();
        let landings = (1..=sown).map(|seed| pit.landing(seed, after.pits()));
        let places = landings.map(|landing| match landing {
            Landing::Own(pit) => SeedPlace::Pit(pit.letter(side)),
            Landing::Store => SeedPlace::Store(side),
            Landing::Opponent(pit) => SeedPlace::Pit(pit.letter(opponent)),
        });
        let capture = match last {
            Landing::Own(pit) if captured > 0 => {
                let mut from = vec![pit.letter(side)];
                // `captured` includes the capturing seed, so 1 means that the opposite pit was
                // empty.
                if captured > 1 {
                    from.push(pit.opposite(after.pits()).letter(opponent));
                }
                Some(ShownCapture { from, seeds: captured })
            }
            _ => None,
        };
        Self {
            pit: pit.letter(side),
            side: side.initial(),
            sown: places.collect(),
            capture,
            swept: BySide::from_fn(|side| swept[side.index()]),
            // `played.turn` is no use here: the mover keeps the turn even if the game is over.
            again: !after.is_over() && after.side() == side,
            sentence: sentence::of_move(played, after),
            after: ShownPosition::new(after),
        }
    }
}

/// A position in a request.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedPosition {
    position: String,
    capture: Option<Capture>,
}

/// Parses a position. If `capture` is given, it must agree with any rule in the text.
pub(crate) fn parsed(text: &str, capture: Option<Capture>) -> Result<Position, BoardError> {
    match capture {
        Some(capture) => Position::parse(text, capture),
        None => text.parse(),
    }
}

impl AskedPosition {
    /// The position, if the text is one.
    pub(crate) fn position(&self) -> Result<Position, ApiError> {
        let position = parsed(&self.position, self.capture);
        position.map_err(|error| ApiError::invalid(format!("position: {error}")))
    }

    /// The same, if its game is not over.
    pub(crate) fn unfinished(&self) -> Result<Position, ApiError> {
        let position = self.position()?;
        if position.is_over() {
            return Err(ApiError::invalid(
                "expected a position with a legal move, got a finished game",
            ));
        }
        Ok(position)
    }
}
