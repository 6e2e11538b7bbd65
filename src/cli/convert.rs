//! `kalah convert`: records of games in one format to the other; and how all commands
//! read them.

use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::failure::Failure;
use crate::arena::ledger;
use crate::record::format::{self, Format};
use crate::record::{Game, json, kgn};
use crate::sys::files::{self, AccessError};

/// Convert game records between JSON lines and .kgn text
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah convert match.jsonl > match.kgn
  kalah convert games.kgn --out games.jsonl
  tail -3 match.jsonl | kalah convert -        read the last three games

doc/records.md describes both formats. The configuration in the first line of a match
file is omitted.")]
pub(super) struct Args {
    /// File of games in either format; - for standard input
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Output file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the output file; the file of a match is never overwritten
    #[arg(short, long, requires = "out")]
    force: bool,
    /// Output format [default: given by the extension of --out, or else the other format]
    #[arg(long, value_enum)]
    to: Option<Format>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (format, games) = read(&self.input)?;
        let format = match (self.to, &self.out) {
            (Some(format), _) => format,
            (None, Some(path)) => Format::of_name(path).ok_or_else(|| {
                let path = path.display();
                let message =
                    format!("--out: expected an extension .kgn or .jsonl, or --to, got {path}");
                Failure::Usage(message)
            })?,
            (None, None) => format.other(),
        };
        let mut texts = games.iter().map(|game| match format {
            Format::Json => json::to_line(game) + "\n",
            Format::Kgn => kgn::write(game),
        });
        match &self.out {
            None => texts.try_for_each(|text| Ok(out.write_all(text.as_bytes())?)),
            Some(path) if ledger::is_match(path)? => Err(Failure::Usage(format!(
                "--out: {} is the file of a match, which is never overwritten",
                path.display()
            ))),
            Some(path) if self.force => Ok(files::replace(path, texts)?),
            Some(path) => files::create(path, texts).map_err(|error| match error.error.kind() {
                ErrorKind::AlreadyExists => {
                    let message =
                        format!("--out: {} exists; --force overwrites it", path.display());
                    Failure::Usage(message)
                }
                _ => error.into(),
            }),
        }
    }
}

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
