//! Code shared by commands: signal handling and JSON output.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Serialize;

use super::failure::{Failure, INTERRUPTED};
use kalah_sys::stop::Flag;
use kalah_terminal::progress;
use kalah_text::foreign::Foreign;

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
    if progress::clear() {
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
