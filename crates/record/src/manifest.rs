//! The manifest of lists of openings: a JSON file next to the lists, with the command that made
//! them and their checksums, so that they can be reproduced and verified.

use kalah_engine::book::{ListedOpening, OpeningList, OpeningListError};
use kalah_game::{Capture, MoveError, Position, Rules};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::opening::Opening;

/// The lists of a survey and how they were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The command that made the lists.
    pub command: String,
    /// The version of the program that made them.
    pub version: String,
    /// Pits per row.
    pub pits: u32,
    /// Seeds per pit at the start.
    pub seeds: u32,
    /// The capture rule of all positions.
    pub capture: Capture,
    /// The maximum number of sowings from the start.
    pub plies: u8,
    /// The lists, whose files are in the folder of the manifest.
    pub lists: Vec<ManifestList>,
}

/// A list in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestList {
    /// The name of its file.
    pub file: String,
    /// The number of its lines with a position.
    pub positions: usize,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// Error for a manifest, or for a list that differs from its manifest.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// The text is not a manifest.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// There is no such board.
    #[error(transparent)]
    Rules(#[from] kalah_game::RulesError),
    /// The list was changed.
    #[error("expected SHA-256 {0}")]
    Sha256(String),
    /// The text is not a list.
    #[error(transparent)]
    List(#[from] OpeningListError),
    /// The list does not end with a checksum of its own.
    #[error("expected a checksum in the last line, got none")]
    NoChecksum,
    /// The list has more or fewer positions.
    #[error("expected {expected} positions, got {got}")]
    Count {
        /// The number in the manifest.
        expected: usize,
        /// The number in the list.
        got: usize,
    },
    /// The moves of a line cannot be played from the start.
    #[error("line {line}: {error}")]
    Moves {
        /// The line, from 1.
        line: usize,
        /// Why a move cannot be played.
        #[source]
        error: MoveError,
    },
    /// The moves of a line lead to a different position.
    #[error("line {line}: expected moves that lead to {expected}, got moves that lead to {got}")]
    OtherPosition {
        /// The line, from 1.
        line: usize,
        /// The position of the line.
        expected: Box<Position>,
        /// The position that its moves reach.
        got: Box<Position>,
    },
}

impl Manifest {
    /// Parses a manifest.
    ///
    /// # Errors
    /// [`ManifestError::Json`].
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The start of all openings.
    ///
    /// # Errors
    /// [`ManifestError::Rules`].
    pub fn start(&self) -> Result<Position, ManifestError> {
        Ok(Position::start(Rules::new(self.pits, self.seeds, self.capture)?))
    }
}

impl ManifestList {
    /// The entry of a list of this many positions with this text, to be written into `file`.
    pub fn new(file: String, positions: usize, text: &str) -> Self {
        Self { file, positions, sha256: sha256(text) }
    }

    /// Parses the `text` of the list and checks it against this entry; the moves of each line
    /// must lead from `start` to its position.
    ///
    /// # Errors
    /// [`ManifestError`] about the first difference.
    pub fn check<'a>(
        &self,
        text: &'a str,
        start: &Position,
    ) -> Result<Vec<ListedOpening<'a>>, ManifestError> {
        if sha256(text) != self.sha256 {
            return Err(ManifestError::Sha256(self.sha256.clone()));
        }
        let OpeningList { lines, has_checksum } = OpeningList::parse(text, start.capture())?;
        if !has_checksum {
            return Err(ManifestError::NoChecksum);
        }
        if lines.len() != self.positions {
            return Err(ManifestError::Count { expected: self.positions, got: lines.len() });
        }
        for &ListedOpening { number: line, position, moves, .. } in &lines {
            let opening = Opening::new(String::new(), *start, moves)
                .map_err(|(_, error)| ManifestError::Moves { line, error })?;
            let (expected, got) = (Box::new(position), Box::new(opening.position()));
            if got != expected {
                return Err(ManifestError::OtherPosition { line, expected, got });
            }
        }
        Ok(lines)
    }
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
