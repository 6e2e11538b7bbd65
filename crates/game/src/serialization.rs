//! Positions and rules in files and answers.

use alloc::string::{String, ToString};
use core::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::position::Position;
use super::rules::{BoardError, Capture, Rules};

/// Its text, which names the capture rule unless it is the standard one.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A position as two fields of a file or an answer, its text and its capture rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionText {
    position: String,
    capture: Capture,
}

impl PositionText {
    /// The fields of `position`.
    pub fn new(position: &Position) -> Self {
        Self { position: position.without_rule().to_string(), capture: position.capture() }
    }

    /// The position.
    ///
    /// # Errors
    /// [`BoardError`] if the text is not a position.
    pub fn position(&self) -> Result<Position, BoardError> {
        Position::parse(&self.position, self.capture)
    }
}

/// `<3,0,0,1,0,2,3,4,2> S standard`.
impl fmt::Display for PositionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.position, self.capture)
    }
}

/// Rules as the fields of a file or an answer.
#[derive(Serialize, Deserialize)]
struct RulesFields {
    pits: u32,
    seeds: u32,
    capture: Capture,
}

impl TryFrom<RulesFields> for Rules {
    type Error = BoardError;

    fn try_from(RulesFields { pits, seeds, capture }: RulesFields) -> Result<Self, BoardError> {
        Self::new(pits, seeds, capture)
    }
}

/// The fields `pits`, `seeds` and `capture`.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pits = self.pits() as u32;
        RulesFields { pits, seeds: self.seeds(), capture: self.capture() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RulesFields::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}
