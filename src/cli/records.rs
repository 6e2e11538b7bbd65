//! Reading files of games in either format.

use std::io::{self, Read};
use std::path::Path;

use super::failure::Failure;
use crate::record::Game;
use crate::record::format::{self, Format};
use crate::sys::files::{self, AccessError};

/// Reads all games of a file, `-` for standard input. The configuration in a
/// match's file is skipped.
pub(super) fn read(path: &Path) -> Result<(Format, Vec<Game>), Failure> {
    let shown = path.display();
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(AccessError::reading(path))?;
        bytes
    } else {
        files::read(path)?
    };
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        // A crash may have cut the text off within a character.
        Err(error) if error.error_len().is_none() => {
            &String::from_utf8_lossy(&bytes[..error.valid_up_to()])
        }
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!("{shown}: expected UTF-8 text, got other bytes at byte {at}");
            return Err(Failure::work(message));
        }
    };
    format::read(text).map_err(|error| Failure::work(format!("{shown}: {error}")))
}
