//! Output that several commands share: the progress line, which Ctrl-C clears, and JSON.

use std::io::{self, IsTerminal, Write};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use serde::Serialize;

use super::failure::{Failure, INTERRUPTED};
use kalah_sys::stop::Flag;
use kalah_text::foreign::Foreign;

/// The progress line now on the terminal. It is global because [`advance`] is called through
/// plain function pointers and Ctrl-C in a signal handler.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The progress line of a command on stderr; hidden unless stderr is a terminal.
pub(super) struct ProgressLine(ProgressBar);

impl ProgressLine {
    /// Progress of unknown length: shows the elapsed time and a message.
    pub(super) fn new() -> Self {
        let target = if io::stderr().is_terminal() {
            ProgressDrawTarget::term_like(Box::new(NarrowTerm(Term::buffered_stderr())))
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style("{spinner} {elapsed} {wide_msg}"));
        if !bar.is_hidden() {
            // Keeps the elapsed time running while nothing is reported.
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        Self(bar)
    }

    /// Progress of `all` steps: shows the percentage, the remaining time and a message.
    pub(super) fn with_length(all: u64, what: &'static str) -> Self {
        let progress = Self::new();
        expect(&progress, all, what);
        progress
    }

    /// Returns to progress of unknown length, for example when the tables are complete and a
    /// proof begins.
    pub(super) fn forget_length(&self) {
        self.0.unset_length();
        self.0.set_style(style("{spinner} {elapsed} {wide_msg}"));
    }
}

impl Deref for ProgressLine {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.0.finish_and_clear();
    }
}

/// The terminal at stderr, reported narrower than it is. indicatif pads the progress line to
/// the full width, after which the echo `^C` would wrap, and clearing the line would leave the
/// one above it. No setting of indicatif or of [`Term`] narrows a line.
#[derive(Debug)]
struct NarrowTerm(Term);

impl TermLike for NarrowTerm {
    fn width(&self) -> u16 {
        self.0.width().saturating_sub("^C".len() as u16 + 1)
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}

fn style(template: &str) -> ProgressStyle {
    // Templates are constants, so any test would reveal an invalid one.
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

/// Adds `positions` to the progress line, out of `all`: positions of endgame tables that the
/// library has built, or solved positions of a list.
pub(super) fn advance(positions: u64, all: u64) {
    if let Some(bar) = &*SHOWN.lock().unwrap_or_else(PoisonError::into_inner) {
        // The first report of a task sets the length, because a plain function pointer cannot.
        if bar.length() != Some(all) {
            expect(bar, all, "positions");
        }
        bar.inc(positions);
    }
}

/// A command's signal handler; returns `true` if the process should keep running.
type OnSignal = Box<dyn FnMut() -> bool + Send>;

/// `None` for commands that lose nothing when the process ends.
static ON_SIGNAL: Mutex<Option<OnSignal>> = Mutex::new(None);

/// Makes Ctrl-C, SIGTERM and SIGHUP end the process with exit code [`INTERRUPTED`], unless a
/// handler set by [`on_signal`] keeps it running. Call this once.
pub(super) fn catch_signals() {
    // ctrlc installs its handlers before it starts the thread that acts on them, and leaves
    // them installed if the thread fails: signals would then do nothing. So whether a thread
    // can be started is tested first.
    let tried = thread::Builder::new().spawn(|| ()).map_err(|error| error.to_string());
    let caught = tried.and_then(|thread| {
        // It must have ended before ctrlc starts its own thread. It does nothing, so it cannot
        // panic.
        let _ = thread.join();
        ctrlc::set_handler(on_caught).map_err(|error| error.to_string())
    });
    if let Err(error) = caught {
        log::warn!("a signal will end this process without a message: {error}");
    }
}

/// Handles a signal, in ctrlc's thread.
fn on_caught() {
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
}

/// Calls `act` on each signal; the process ends if it returns `false`.
pub(super) fn on_signal(act: impl FnMut() -> bool + Send + 'static) {
    *ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
}

/// Raises `flag` on a signal. A second signal ends the process, and so does the first one if
/// `ends_at_once` returns `true`.
pub(super) fn on_interrupt(flag: Flag, ends_at_once: impl Fn() -> bool + Send + 'static) {
    on_signal(move || !flag.raise() && !ends_at_once());
}

/// The output of `--json` in place of the text: one object for all results of a command.
#[derive(Serialize)]
struct Document<'a, S, R> {
    /// The version of the program.
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
    // JSON permits control characters, such as DEL, that a terminal would obey.
    Ok(writeln!(out, "{}", Foreign(&line))?)
}
