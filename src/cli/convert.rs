//! `kalah convert`: records of games from one format to the other.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::Failure;
use super::records;
use crate::record::{Format, json, kgn};

/// Convert game records between JSON lines and .kgn text
#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  kalah convert match.jsonl > match.kgn
  kalah convert games.kgn --out games.jsonl
  tail -3 match.jsonl | kalah convert -        the last three games, to read

Both formats are described in doc/records.md. The configuration in the first line of a
match's file is left out.")]
pub(super) struct Args {
    /// The file of games, in either format; - for standard input
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Output file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format to write [default: by the extension of --out, or the other one]
    #[arg(long, value_enum)]
    to: Option<Format>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (format, games) = records::read(&self.input)?;
        let by_name = self.out.as_deref().and_then(Format::of_name);
        let format = self.to.or(by_name).unwrap_or(format.other());
        let mut texts = games.iter().map(|game| match format {
            Format::Json => json::to_line(game) + "\n",
            Format::Kgn => kgn::write(game),
        });
        match &self.out {
            None => texts.try_for_each(|text| Ok(out.write_all(text.as_bytes())?)),
            Some(path) => {
                let written = File::create(path).and_then(|file| {
                    let mut file = BufWriter::new(file);
                    for text in texts {
                        file.write_all(text.as_bytes())?;
                    }
                    file.into_inner().map_err(|error| error.into_error())?.sync_all()
                });
                written.map_err(Failure::writing(path))
            }
        }
    }
}
