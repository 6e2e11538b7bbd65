//! The manifest of lists of openings: a JSON file next to the lists, with the command that made
//! them and their checksums, so that they can be reproduced and verified.

use std::io;
use std::path::Path;

use data_encoding::HEXLOWER;
use kalah_engine::book::{ListedOpening, OpeningList};
use kalah_game::{Position, Rules};
use kalah_sys::files::{self, AccessError};
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
    /// The rules of the start of all openings.
    #[serde(flatten)]
    pub rules: Rules,
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
#[error("{0}")]
pub struct ManifestError(String);

impl Manifest {
    /// Parses a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] if the text is not a manifest.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        serde_json::from_str(text).map_err(|error| ManifestError(error.to_string()))
    }

    /// Writes lists into a folder, with a manifest: the lines of a survey of `rules` to this many
    /// `plies`, all of them and those of positions worth exactly 0.
    ///
    /// # Errors
    /// [`AccessError`] if a file cannot be written.
    pub fn write(
        folder: &Path,
        rules: Rules,
        plies: u8,
        [all, fair]: [&[String]; 2],
    ) -> Result<Self, AccessError> {
        let pits = rules.pits();
        let seeds = rules.seeds();
        let capture = rules.capture();
        let name = format!("{pits}x{seeds}-{capture}");
        let mut lists = Vec::new();
        for (file, lines) in [(format!("{name}.tsv"), all), (format!("{name}-fair.tsv"), fair)] {
            let text = OpeningList::text(rules.variant(), lines);
            files::replace(&folder.join(&file), [&text])?;
            lists.push(ManifestList::new(file, lines.len(), &text));
        }
        let command = format!(
            "kalah openings make --pits {pits} --seeds {seeds} --capture {capture} --plies {plies}"
        );
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = Self { command, version, rules, plies, lists };
        let file = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(&manifest).map_err(io::Error::from);
        files::replace(&file, [text.map_err(AccessError::writing(&file))? + "\n"])?;
        Ok(manifest)
    }

    /// The start of all openings.
    pub fn start(&self) -> Position {
        Position::start(self.rules)
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
        // Anyone can compute this hash with common tools; the checksum within the list only detects
        // damage.
        if sha256(text) != self.sha256 {
            return Err(ManifestError(format!("expected SHA-256 {}", self.sha256)));
        }
        let OpeningList { lines, has_checksum } = OpeningList::parse(text, start.variant())
            .map_err(|error| ManifestError(error.to_string()))?;
        if !has_checksum {
            let fault = "expected a checksum in the last line, got none";
            return Err(ManifestError(fault.to_owned()));
        }
        if lines.len() != self.positions {
            let fault = format!("expected {} positions, got {}", self.positions, lines.len());
            return Err(ManifestError(fault));
        }
        for &ListedOpening { number: line, position, moves, .. } in &lines {
            let opening = Opening::new(String::new(), *start, moves)
                .map_err(|(_, error)| ManifestError(format!("line {line}: {error}")))?;
            let got = opening.position();
            if got != position {
                return Err(ManifestError(format!(
                    "line {line}: expected moves that lead to {position}, \
                     got moves that lead to {got}"
                )));
            }
        }
        Ok(lines)
    }
}

/// The hash of a text with LF, whatever its line ends are: Git on Windows may convert them.
fn sha256(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.replace("\r\n", "\n")))
}
