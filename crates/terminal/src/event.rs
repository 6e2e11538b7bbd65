//! Everything that a front end waits for, over one channel: keys and lines from the
//! terminal, signals, and results from the engine.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};

#[cfg(unix)]
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
#[cfg(unix)]
use crossterm::execute;
#[cfg(unix)]
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

use crate::signals::on_signal;
use kalah_play::question::Answer;
use kalah_sys::lines::{LineError, Lines};
use kalah_sys::parallel;

/// Input, or a result from the engine.
#[derive(Debug)]
pub enum TerminalEvent {
    /// A line of input, or why it was refused.
    Line(Result<String, LineError>),
    /// A key press, a pasted text, a mouse event, or a change in the window size.
    Screen(crossterm::event::Event),
    /// End of input.
    End,
    /// Ctrl-C, or a termination signal.
    Interrupt,
    /// An answer to the question with this number.
    Engine(u64, Answer),
}

/// A channel on which each signal arrives as [`TerminalEvent::Interrupt`]: everything is already
/// saved, so a signal is no different from the command `quit`.
pub fn channel() -> (Sender<TerminalEvent>, Receiver<TerminalEvent>) {
    let (sender, events) = mpsc::channel();
    let signals = sender.clone();
    on_signal(move || {
        // Without a receiver, the process is about to end. Closing a window sends two signals,
        // and the second must not prevent the terminal from being restored.
        let _ = signals.send(TerminalEvent::Interrupt);
        true
    });
    (sender, events)
}

/// Starts a thread that sends key presses, clicks and changes in the window size.
pub fn read_keys(events: Sender<TerminalEvent>) -> io::Result<()> {
    parallel::start("input", move || {
        while let Ok(event) = crossterm::event::read()
            && events.send(TerminalEvent::Screen(event)).is_ok()
        {}
        // Sending fails once the front end has ended.
        let _ = events.send(TerminalEvent::End);
    })?;
    Ok(())
}

/// Starts a thread that reads one line of standard input per request. Nothing is read ahead,
/// because the meaning of a script's next line depends on the result of this one.
pub(crate) fn read_lines(events: Sender<TerminalEvent>) -> io::Result<Sender<()>> {
    const MAX_LINE: usize = 4096;
    let (request, requests) = mpsc::channel();
    parallel::start("input", move || {
        let mut lines = Lines::new(io::stdin().lock(), MAX_LINE);
        while requests.recv().is_ok()
            && let Some(line) = lines.next()
            && events.send(TerminalEvent::Line(line)).is_ok()
        {}
        let _ = events.send(TerminalEvent::End);
    })?;
    Ok(request)
}

/// A terminal mode in which keys arrive one by one and are not echoed, but output is still
/// translated. Dropping it restores the terminal. On Windows, where the console edits whole
/// lines itself, there is no such mode.
pub(crate) struct Unbuffered {
    #[cfg(unix)]
    before: Termios,
}

#[cfg(unix)]
impl Unbuffered {
    /// None if standard input is not a terminal that can be switched to this mode.
    pub(crate) fn new() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let unbuffered = Self { before };
        unbuffered.set().ok()?;
        Some(unbuffered)
    }

    fn set(&self) -> io::Result<()> {
        let mut modes = self.before.clone();
        // Without ISIG, Ctrl-C and Ctrl-Z arrive as keys, so that the terminal can be restored
        // before the process ends or stops.
        modes.local_modes -=
            LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        // A read returns with the first byte, and waits for it indefinitely.
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(io::stdin(), OptionalActions::Now, &modes)?;
        execute!(io::stdout(), EnableBracketedPaste)
    }

    /// Suspends the process; returns when it is continued.
    pub(crate) fn suspend(&self) -> io::Result<()> {
        use rustix::process::{Signal, kill_current_process_group};
        self.restore();
        kill_current_process_group(Signal::TSTP)?;
        self.set()
    }

    fn restore(&self) {
        // Errors mean that the terminal is gone.
        let _ = execute!(io::stdout(), DisableBracketedPaste);
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

#[cfg(not(unix))]
impl Unbuffered {
    pub(crate) fn new() -> Option<Self> {
        None
    }

    pub(crate) fn suspend(&self) -> io::Result<()> {
        Ok(())
    }

    fn restore(&self) {}
}

impl Drop for Unbuffered {
    fn drop(&mut self) {
        self.restore();
    }
}
