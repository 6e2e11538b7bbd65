//! `kalah match merge`: what the parts of a match mean together.

use std::io::Write;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::super::Failure;
use crate::arena::ledger::{self, Ledger, Results};
use crate::arena::schedule::Schedule;
use crate::arena::standing::{Brief, Standing};

/// Reckon anew what the games in files mean: the parts of one match, or all of it
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Games that stand in several files count once; if they differ, that is an error.
Games of the list that are in no file are listed.

Examples:
  kalah match merge part-1.jsonl part-2.jsonl
  kalah match merge part-*.jsonl --out whole.jsonl --report pages"
)]
pub struct Args {
    /// Files of one match
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write all games into one file, in the order of the list
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write a page with tables and pictures there
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let (schedule, results) = self.read()?;
        if let Some(path) = &self.out {
            let mut ledger = Ledger::create(path, &schedule.config)?;
            for game in results.values() {
                ledger.append_game(game)?;
            }
        }
        let briefs =
            results.iter().filter_map(|(&index, game)| Some((index, Brief::of(game)?))).collect();
        let standing = Standing::of(&schedule, &briefs);
        super::print(&schedule, &standing, out)?;
        if !standing.is_decided() {
            list_missing(&schedule, &results, out)?;
        }
        if let Some(directory) = &self.report {
            super::write_report(directory, &schedule, &standing, &results)?;
        }
        Ok(())
    }

    fn read(&self) -> Result<(Schedule, Results), Failure> {
        let mut begun: Option<(Schedule, &PathBuf)> = None;
        let mut results = Results::new();
        for path in &self.files {
            let contents = ledger::read(path)?;
            let (schedule, _) = match begun.take() {
                Some((schedule, first)) if schedule.config != contents.config => {
                    return Err(Failure::work(format!(
                        "{} and {} are of different matches",
                        first.display(),
                        path.display()
                    )));
                }
                Some(known) => begun.insert(known),
                None => {
                    let schedule = Schedule::new(contents.config)?;
                    begun.insert((schedule, path))
                }
            };
            ledger::place(contents.games, schedule, path, &mut results)?;
        }
        let (schedule, _) =
            begun.ok_or_else(|| Failure::Usage("expected at least one file".to_owned()))?;
        Ok((schedule, results))
    }
}

/// Names the games that are in no file, runs of them together.
fn list_missing(
    schedule: &Schedule,
    results: &Results,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for round in (1..=schedule.fixtures.len()).filter(|round| !results.contains_key(&(round - 1))) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == round => *last = round,
            _ => runs.push((round, round)),
        }
    }
    if runs.is_empty() {
        return Ok(());
    }
    let missing = schedule.fixtures.len() - results.len();
    let shown = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    let runs: Vec<_> = runs.iter().map(shown).collect();
    Ok(writeln!(out, "Missing: {missing} games, numbers {}.", runs.join(", "))?)
}
