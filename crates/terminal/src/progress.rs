//! The progress line of a command on stderr.

use std::io::{self, IsTerminal};
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

/// The progress line now on the terminal. It is global because [`advance`] is called through
/// plain function pointers and Ctrl-C in a signal handler.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The progress line of a command on stderr; hidden unless stderr is a terminal.
pub struct ProgressLine(ProgressBar);

impl ProgressLine {
    /// Progress of unknown length: shows the elapsed time and a message.
    pub fn start() -> Self {
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
    pub fn with_length(all: u64, what: &'static str) -> Self {
        let progress = Self::start();
        expect(&progress, all, what);
        progress
    }

    /// Returns to progress of unknown length, for example when the tables are complete and a
    /// proof begins.
    pub fn forget_length(&self) {
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

/// Removes the progress line; returns whether one was visible.
pub fn clear() -> bool {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(bar) = shown.filter(|bar| !bar.is_hidden()) else { return false };
    bar.finish_and_clear();
    true
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
pub fn advance(positions: u64, all: u64) {
    if let Some(bar) = &*SHOWN.lock().unwrap_or_else(PoisonError::into_inner) {
        // The first report of a task sets the length, because a plain function pointer cannot.
        if bar.length() != Some(all) {
            expect(bar, all, "positions");
        }
        bar.inc(positions);
    }
}
