//! `kalah match merge`: computes the standing of a match from the files of its parts.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::show::{print_standing, write_html};
use crate::arguments::output_file;
use crate::failure::Failure;
use kalah_arena::file::MatchFile;
use kalah_arena::played::PlayedMatch;
use kalah_arena::standing::Standing;
use kalah_arena::summary;

/// Compute the results of a match from the files of its parts
#[derive(Debug, Args)]
#[command(
    after_help = "A game that occurs in several files counts once; it is an error if its moves differ.
Missing games are listed.

Examples:
  kalah match merge part-1.jsonl part-2.jsonl
  kalah match merge part-*.jsonl --out whole.jsonl --report pages"
)]
pub(super) struct MergeArgs {
    /// Files of the parts of one match
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write all games to one file, in the order of the schedule
    #[arg(short, long, value_name = "FILE", value_parser = output_file())]
    out: Option<PathBuf>,
    /// Write an HTML page with tables, charts and the games into DIR
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Print the results as one JSON document (doc/records.md)
    #[arg(long)]
    json: bool,
}

impl MergeArgs {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<(), Failure> {
        // Clap requires at least one file.
        let played = PlayedMatch::read_parts(&self.files[0], &self.files[1..])?;
        let PlayedMatch { schedule, games, runs } = &played;
        if let Some(path) = &self.out {
            let runs = runs.as_deref().unwrap_or_default();
            MatchFile::write(path, &schedule.config, runs, games)?;
        }
        let standing = Standing::from_games(schedule, games);
        print_standing("match merge", schedule, &standing, self.json, out)?;
        let out: &mut dyn Write = if self.json { &mut io::sink() } else { out };
        if let Some(missing) = summary::missing(&standing) {
            writeln!(out, "{missing}")?;
        }
        match &self.report {
            Some(directory) => write_html(directory, &played, out),
            None => Ok(()),
        }
    }
}
