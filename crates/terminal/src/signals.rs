//! Ctrl-C and the signals that ask a process to end.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::progress;
use kalah_sys::stop::Flag;

/// The exit code of a process ended by Ctrl-C, as in shells: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

/// A command's signal handler; returns `true` if the process should keep running.
type OnSignal = Box<dyn FnMut() -> bool + Send>;

/// `None` for commands that lose nothing when the process ends.
static ON_SIGNAL: Mutex<Option<OnSignal>> = Mutex::new(None);

/// Makes Ctrl-C, SIGTERM and SIGHUP end the process with exit code [`INTERRUPTED`], unless a
/// handler set by [`on_signal`] keeps it running. Call this once.
pub fn catch() {
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
pub fn on_signal(act: impl FnMut() -> bool + Send + 'static) {
    *ON_SIGNAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
}

/// Raises `flag` on a signal. A second signal ends the process, and so does the first one if
/// `ends_at_once` returns `true`.
pub fn on_interrupt(flag: Flag, ends_at_once: impl Fn() -> bool + Send + 'static) {
    on_signal(move || !flag.raise() && !ends_at_once());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{self, TerminalEvent};

    // One test, because the handler is global.
    #[test]
    fn a_signal_raises_a_flag_or_is_an_event_and_the_process_goes_on() {
        let flag = Flag::default();
        on_interrupt(flag.clone(), || false);
        assert!(!flag.is_raised());
        on_caught();
        assert!(flag.is_raised());
        let mut act = ON_SIGNAL.lock().unwrap().take().expect("a handler");
        assert!(!act(), "the second signal ends the process");
        on_interrupt(Flag::default(), || true);
        let mut act = ON_SIGNAL.lock().unwrap().take().expect("a handler");
        assert!(!act(), "nothing would be lost");
        let (_sender, events) = event::channel();
        on_caught();
        assert!(matches!(events.try_recv(), Ok(TerminalEvent::Interrupt)));
    }
}
