//! The output of a match: its progress on stderr, as a live line on a terminal and as plain
//! lines elsewhere, and its standing on stdout.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::output::write_document;
use kalah_arena::played::PlayedMatch;
use kalah_arena::schedule::{Schedule, Shard};
use kalah_arena::standing::{GameResults, Standing};
use kalah_arena::summary::{self, Summary};
use kalah_tables::WIDTH;
use kalah_terminal::progress::ProgressLine;
use kalah_text::foreign::Foreign;

/// Minimum time between redraws of the live line: the standing takes time to compute.
const LIVE: Duration = Duration::from_millis(500);

/// Minimum time between plain lines, except before the last one.
const PLAIN: Duration = Duration::from_secs(10);

/// Shows the progress of a match, unless it is quiet.
pub(super) struct Watch<'a> {
    schedule: &'a Schedule,
    progress: Option<ProgressLine>,
    shown: Instant,
    /// The one shown last.
    standing: Standing,
}

impl<'a> Watch<'a> {
    /// Shows the progress of a part with `left` games still to play.
    pub(super) fn new(schedule: &'a Schedule, shard: Shard, left: usize, quiet: bool) -> Self {
        let games = schedule.fixtures.iter().filter(|fixture| shard.has(fixture)).count();
        let progress =
            if quiet { None } else { Some(ProgressLine::with_length(games as u64, "games")) };
        if let Some(progress) = &progress {
            // Games from an earlier run must not distort the estimate of the remaining time.
            progress.set_position((games - left) as u64);
            progress.reset_eta();
        }
        Self { schedule, progress, shown: Instant::now(), standing: Standing::default() }
    }

    pub(super) fn print(&self, line: &str) {
        let line = Foreign(line);
        match &self.progress {
            // A closed stderr must not end a match.
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
        let done = progress.position();
        let games = progress.length().unwrap_or(0);
        if self.shown.elapsed() < every && done < games {
            return;
        }
        self.standing = Standing::after(&self.standing, self.schedule, results);
        let line = summary::progress_line(self.schedule, &self.standing);
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
        let pairings = summary::pairing_figures(schedule, standing);
        return write_document(command, Summary::new(schedule, standing), pairings, out);
    }
    // A program that reads the output expects each statement on one line.
    let width = if io::stdout().is_terminal() { WIDTH } else { usize::MAX };
    Ok(write!(out, "{}", summary::text(schedule, standing, width))?)
}

/// Writes the page of games into a directory and prints its path.
pub(crate) fn write_html(
    directory: &Path,
    played: &PlayedMatch,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    Ok(writeln!(out, "Page: {}", played.write_html(directory)?.display())?)
}
