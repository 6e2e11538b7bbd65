//! What a match shows: its progress on stderr, as a live line on a terminal and as plain
//! lines elsewhere, and its standing on stdout.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::arena::ledger::{Games, Run};
use crate::arena::schedule::{Schedule, Shard};
use crate::arena::standing::{GameResult, GameResults, Standing};
use crate::arena::{page, report};
use crate::cli::failure::Failure;
use crate::cli::output::{Progress, write_document};
use crate::report::WIDTH;
use crate::sys::files::{self, AccessError};
use crate::sys::foreign::Foreign;
use crate::sys::format::{counted, wrapped};

/// A live line is redrawn at most this often: the standing takes time to compute.
const LIVE: Duration = Duration::from_millis(500);

/// Plain lines are printed at most this often, except the last.
const PLAIN: Duration = Duration::from_secs(10);

/// Shows a match while it runs, unless it is to be quiet.
pub(super) struct Watch<'a> {
    schedule: &'a Schedule,
    progress: Option<Progress>,
    shown: Instant,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        schedule: &'a Schedule,
        shard: Shard,
        results: &GameResults,
        quiet: bool,
    ) -> Self {
        let mine = schedule.fixtures.iter().filter(|fixture| shard.has(fixture));
        let (games, done) = mine.fold((0, 0), |(games, done), fixture| {
            (games + 1, done + u64::from(results.contains_key(&fixture.index)))
        });
        let progress = (!quiet).then(|| Progress::of(games, "games"));
        if let Some(progress) = &progress {
            progress.set_position(done);
            progress.reset_eta();
        }
        Self { schedule, progress, shown: Instant::now() }
    }

    /// Warns if openings have to be reused.
    pub(super) fn warn_about_openings(&self) {
        let (openings, rounds) = (self.schedule.config.openings.len(), self.schedule.config.rounds);
        if openings < rounds as usize {
            self.print(&format!(
                "{} for {rounds} pairs: openings are reused, and deterministic engines will \
                 repeat games",
                counted(openings as u64, "opening")
            ));
        }
    }

    fn print(&self, line: &str) {
        let line = Foreign(line);
        match &self.progress {
            // A closed stderr must not stop a match.
            Some(progress) if progress.is_hidden() => drop(writeln!(io::stderr(), "{line}")),
            Some(progress) => progress.println(line.to_string()),
            None => {}
        }
    }

    /// Shows the standing after a game, and the message of a failure.
    pub(super) fn update(&mut self, results: &GameResults, failure: Option<String>) {
        let Some(progress) = &self.progress else { return };
        progress.inc(1);
        if let Some(message) = failure {
            self.print(&message);
        }
        let every = if progress.is_hidden() { PLAIN } else { LIVE };
        let (done, games) = (progress.position(), progress.length().unwrap_or(0));
        if self.shown.elapsed() < every && done < games {
            return;
        }
        let standing = Standing::of(self.schedule, results);
        let line = report::progress_line(self.schedule, &standing);
        if progress.is_hidden() {
            self.print(&format!("{done}/{games} {line}"));
        } else {
            progress.set_message(Foreign(&line).to_string());
        }
        self.shown = Instant::now();
    }
}

/// Writes the standing to `out`, as the JSON document of `command` or as text.
pub(super) fn print_standing(
    command: &str,
    schedule: &Schedule,
    standing: &Standing,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if json {
        let summary = report::Summary::of(schedule, standing);
        return write_document(command, summary, report::pairing_figures(schedule, standing), out);
    }
    if schedule.config.players.len() > 2 {
        for table in [report::crosstable(schedule, standing), report::pairings(schedule, standing)]
        {
            writeln!(out, "{}", table.to_text(Default::default()))?;
        }
    }
    for sentence in report::sentences(schedule, standing) {
        for line in wrapped(&Foreign(&sentence).to_string(), WIDTH) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Writes the page of games into a directory and prints its path.
pub(in crate::cli) fn write_page(
    directory: &Path,
    schedule: &Schedule,
    games: &Games,
    runs: Option<&[Run]>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let standing = Standing::of(schedule, &GameResult::of_all(games));
    let page = page::page(schedule, &standing, games, runs);
    let file = directory.join("index.html");
    fs::create_dir_all(directory).map_err(AccessError::writing(directory))?;
    files::replace(&file, [page.to_html()])?;
    Ok(writeln!(out, "Page: {}", file.display())?)
}
