//! Reads files of games in either format.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::Failure;
use crate::record::{Game, json, kgn};

/// The format of a file of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// One JSON object a line
    Json,
    /// Text in the manner of chess's PGN
    Kgn,
}

impl Form {
    /// The format of a file's extension.
    pub(super) fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "kgn" => Some(Form::Kgn),
            "json" | "jsonl" => Some(Form::Json),
            _ => None,
        }
    }

    /// JSON lines begin with a brace, `.kgn` text does not.
    fn of_text(text: &str) -> Self {
        if text.trim_start().starts_with('{') { Form::Json } else { Form::Kgn }
    }

    pub(super) fn other(self) -> Self {
        match self {
            Form::Json => Form::Kgn,
            Form::Kgn => Form::Json,
        }
    }
}

/// Reads all games of a file, `-` for standard input. The configuration in a
/// match's file is skipped.
pub(super) fn read(path: &Path) -> Result<(Form, Vec<Game>), Failure> {
    let shown = path.display();
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(Failure::reading(path))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::work(format!("{shown}: expected UTF-8 text, got other bytes at byte {at}"))
    })?;
    let form = Form::of_text(&text);
    let games = match form {
        Form::Kgn => kgn::read(&text),
        Form::Json => text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with(r#"{"match":"#))
            .map(|(index, line)| json::from_line(line, index + 1))
            .collect(),
    };
    let games = games.map_err(|error| Failure::work(format!("{shown}: {error}")))?;
    Ok((form, games))
}
