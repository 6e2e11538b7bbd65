//! Output that several commands share: progress, what Ctrl-C leaves of it, and JSON.

use std::io::{self, IsTerminal, Write};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use serde::Serialize;
use terminal_size::terminal_size_of;

use super::failure::{Failure, INTERRUPTED};
use crate::sys::foreign::Foreign;
use crate::sys::stop::Flag;

/// What is on the terminal now, for [`advance`] and for Ctrl-C, which clears it.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The progress of a command, a line on stderr; hidden unless stderr is a terminal.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Progress of unknown length: the time so far and a message.
    pub(super) fn unknown() -> Self {
        let target = if io::stderr().is_terminal() {
            ProgressDrawTarget::term_like(Box::new(Terminal))
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style("{spinner} {elapsed} {wide_msg}"));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        Self(bar)
    }

    /// Progress of `all` steps: the percentage, the remaining time and a message.
    pub(super) fn of(all: u64, what: &'static str) -> Self {
        let progress = Self::unknown();
        expect(&progress, all, what);
        progress
    }

    /// The length is unknown from now on.
    pub(super) fn forget_length(&self) {
        self.0.unset_length();
        self.0.set_style(style("{spinner} {elapsed} {wide_msg}"));
    }
}

impl Deref for Progress {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.0.finish_and_clear();
    }
}

/// The terminal at stderr, a little narrower than it is: lines are filled up to its width,
/// and after a full one the `^C` of Ctrl-C would begin another.
#[derive(Debug)]
struct Terminal;

impl Terminal {
    fn move_cursor(&self, places: usize, direction: char) -> io::Result<()> {
        if places == 0 { Ok(()) } else { self.write_str(&format!("\x1b[{places}{direction}")) }
    }
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        let columns = terminal_size_of(io::stderr()).map_or(80, |(columns, _)| columns.0);
        columns.saturating_sub("^C".len() as u16 + 1)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.move_cursor(lines, 'A')
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.move_cursor(lines, 'B')
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.move_cursor(columns, 'C')
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.move_cursor(columns, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        io::stderr().write_all(text.as_bytes())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn style(template: &str) -> ProgressStyle {
    // Templates are constants, so an invalid one fails in the first test.
    ProgressStyle::with_template(template).expect("a valid template")
}

fn expect(bar: &ProgressBar, all: u64, what: &'static str) {
    bar.set_length(all);
    bar.set_position(0);
    bar.reset_eta();
    bar.set_prefix(what);
    bar.set_style(style(
        "{percent:>3} % [{bar:10}] {human_pos}/{human_len} {prefix}, {eta} left  {wide_msg}",
    ));
}

/// Adds positions of endgame tables that a library function has built, or others that are
/// done, to the progress that is shown; `all` is the number of all positions.
pub(super) fn advance(positions: u64, all: u64) {
    if let Some(bar) = &*SHOWN.lock().unwrap_or_else(PoisonError::into_inner) {
        if bar.length() != Some(all) {
            expect(bar, all, "positions");
        }
        bar.inc(positions);
    }
}

/// A command's signal handler; returns `true` if the process should keep running.
type OnSignal = Box<dyn FnMut() -> bool + Send>;

/// None for commands that lose nothing when they end.
static ON_SIGNAL: Mutex<Option<OnSignal>> = Mutex::new(None);

/// Makes Ctrl-C, and every other signal that asks a process to end, end this one with
/// [`INTERRUPTED`], unless [`on_signal`] has another plan. To be called once.
pub(super) fn catch_signals() {
    let caught = ctrlc::set_handler(|| {
        let mut act = ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner);
        if act.as_mut().is_some_and(|act| act()) {
            return;
        }
        let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(bar) = shown.filter(|bar| !bar.is_hidden()) {
            bar.finish_and_clear();
            let _ = writeln!(io::stderr(), "error: interrupted");
        }
        std::process::exit(INTERRUPTED.into());
    });
    if let Err(error) = caught {
        log::warn!("a signal will end this process without a message: {error}");
    }
}

/// Calls `act` on each signal; the process ends if it returns `false`.
pub(super) fn on_signal(act: impl FnMut() -> bool + Send + 'static) {
    *ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
}

/// Raises `flag` on a signal. A second one ends the process, and so does the first while
/// `ends_at_once` holds.
pub(super) fn on_interrupt(flag: Flag, ends_at_once: impl Fn() -> bool + Send + 'static) {
    on_signal(move || !flag.raise() && !ends_at_once());
}

/// What `--json` prints in place of the text: one object for all results of a command.
#[derive(Serialize)]
struct Document<'a, S, R> {
    /// The version.
    kalah: &'static str,
    command: &'a str,
    #[serde(flatten)]
    summary: S,
    results: R,
}

/// Writes the results of `command` as one JSON document. The fields of `summary` describe
/// all of them.
pub(super) fn write_document(
    command: &str,
    summary: impl Serialize,
    results: impl Serialize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write_json(&Document { kalah: env!("CARGO_PKG_VERSION"), command, summary, results }, out)
}

/// Writes a result as a line of JSON.
pub(super) fn write_json(row: &impl Serialize, out: &mut dyn Write) -> Result<(), Failure> {
    let line = serde_json::to_string(row)?;
    // What JSON need not escape may still be obeyed by a terminal.
    Ok(writeln!(out, "{}", Foreign(&line))?)
}
