//! `kalah convert`: converts game records from one format to the other.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use kalah_arena::file;
use kalah_record::{format::RecordFormat, json, kgn};
use kalah_sys::files;

/// Convert game records between JSON lines and .kgn text
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kalah convert match.jsonl > match.kgn
  kalah convert games.kgn --out games.jsonl
  tail -3 match.jsonl | kalah convert -        convert the last three games

doc/records.md describes both formats. The configuration in the first line of a match
file is omitted.")]
pub(super) struct ConvertArgs {
    /// File with games in either format; - for standard input
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Output file; - for standard output, the default
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite an existing output file; a match file is never overwritten
    #[arg(short, long, requires = "out")]
    force: bool,
    /// Output format: json (one JSON object per line) or kgn (text similar to the PGN of chess)
    /// [default: from the extension of --out; without --out, whichever format the input is not in]
    #[arg(long)]
    to: Option<RecordFormat>,
}

impl ConvertArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (format, games) = kalah_record::file::read_input(&self.input)?;
        let out_path = self.out.as_deref().filter(|path| *path != Path::new("-"));
        let format = match (self.to, out_path) {
            (Some(format), _) => format,
            (None, Some(path)) => RecordFormat::from_path(path).ok_or_else(|| {
                let path = path.display();
                let fault = format!("expected an extension .kgn or .jsonl, or --to, got {path}");
                Failure::wrong("--out", fault)
            })?,
            (None, None) => format.other(),
        };
        let mut texts = games.iter().map(|game| match format {
            RecordFormat::Json => json::to_line(game) + "\n",
            RecordFormat::Kgn => kgn::write(game),
        });
        match out_path {
            None => texts.try_for_each(|text| Ok(out.write_all(text.as_bytes())?)),
            // `--resume` needs the configuration in its first line, which converted games lack.
            Some(path) if file::is_match(path)? => Err(Failure::Usage(format!(
                "--out: {} is a match file, which is never overwritten",
                path.display()
            ))),
            Some(path) if self.force => Ok(files::replace(path, texts)?),
            Some(path) => files::create(path, texts).map_err(|error| match error.error.kind() {
                ErrorKind::AlreadyExists => {
                    let fault = format!("{} exists; --force overwrites it", path.display());
                    Failure::wrong("--out", fault)
                }
                _ => error.into(),
            }),
        }
    }
}
