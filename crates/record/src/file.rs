//! Files of games in either format, and of openings.

use std::path::Path;

use super::error::TextError;
use super::format::{self, RecordFormat};
use super::game::Game;
use super::opening::{self, Opening};
use kalah_game::Position;
use kalah_sys::files;

/// Reads all games of a file. The configuration in a match's file is skipped.
pub fn read(path: &Path) -> Result<(RecordFormat, Vec<Game>), TextError> {
    parse(files::read(path)?, path)
}

/// Like [`read`], but `-` stands for standard input.
pub fn read_input(path: &Path) -> Result<(RecordFormat, Vec<Game>), TextError> {
    parse(files::read_input(path)?, path)
}

/// Reads the openings of a file: the openings of its games, or a list in which moves without a
/// position begin at `start`.
pub fn read_openings(path: &Path, start: Position) -> Result<Vec<Opening>, TextError> {
    let text = text_from_bytes(files::read(path)?, path)?;
    let openings = if opening::is_list(&text) {
        opening::read(&text, start)
    } else {
        read_games(&text, path).and_then(|(_, games)| opening::from_games(&games))
    };
    openings.map_err(in_file(path))
}

fn parse(bytes: Vec<u8>, path: &Path) -> Result<(RecordFormat, Vec<Game>), TextError> {
    let text = text_from_bytes(bytes, path)?;
    // The format is recognised by the contents, because standard input has no extension.
    read_games(&text, path).map_err(in_file(path))
}

fn in_file(path: &Path) -> impl FnOnce(TextError) -> TextError {
    move |fault| TextError(format!("{}: {fault}", path.display()))
}

/// The text of a file, which a program that knows nothing of UTF-8 may have written.
fn text_from_bytes(bytes: Vec<u8>, path: &Path) -> Result<String, TextError> {
    files::text_from_bytes(bytes).or_else(|source| {
        // A crash may have cut the text off within a character.
        if let Some(text) = source.before_cut() {
            return Ok(text);
        }
        let text = source.as_windows_1252();
        if text.is_some() {
            log::warn!("{}: not in UTF-8; read as Windows-1252 or Latin-1", path.display());
        }
        text.ok_or_else(|| in_file(path)(TextError(source.to_string())))
    })
}

fn read_games(text: &str, path: &Path) -> Result<(RecordFormat, Vec<Game>), TextError> {
    if format::is_torn(text) {
        log::warn!("{}: skipping the last line, which is incomplete", path.display());
    }
    format::read(text)
}
