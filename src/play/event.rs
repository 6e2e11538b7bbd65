//! Everything that a front end waits for, over one channel: keys and lines of the
//! terminal, signals, and results of the engine.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread;

#[cfg(unix)]
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

use super::explain::Judgement;
use crate::search::{Info, SearchResult};
use crate::sys::lines::{LineError, Lines};

/// Input, or a result of the engine.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of input, or why it was refused.
    Line(Result<String, LineError>),
    /// A key, the mouse, or a new size of the screen.
    Screen(crossterm::event::Event),
    /// End of input.
    End,
    /// Ctrl-C, or a signal to terminate.
    Interrupt,
    /// A result of the task with this number.
    Engine(u64, Update),
}

/// A result of a task of the engine.
#[derive(Debug)]
pub(crate) enum Update {
    /// Moves of a game analysed so far, and their total; more updates follow.
    Progress(usize, usize),
    Best(SearchResult),
    /// The best move, and the best of the others in the place of the move played.
    Hint(Judgement),
    /// The values of the pits, best first.
    Values(Vec<Info>),
    /// Each move of the game.
    Losses(Vec<Judgement>),
    /// The last move.
    Loss(Judgement),
    /// The search failed; the game continues without this result.
    Failed,
}

/// Sends keys, clicks and new sizes of the terminal from a thread.
pub(crate) fn read_keys(events: Sender<Event>) -> io::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let event = crossterm::event::read().map_or(Event::End, Event::Screen);
            let ended = matches!(event, Event::End);
            if events.send(event).is_err() || ended {
                break;
            }
        }
    })?;
    Ok(())
}

/// Reads a line of standard input for each request, in a thread.
pub(crate) fn read_lines(events: Sender<Event>) -> io::Result<Sender<()>> {
    const MAX_LINE: usize = 4096;
    let (request, requests) = mpsc::channel();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut lines = Lines::new(io::stdin().lock(), MAX_LINE);
        for () in requests {
            let event = lines.next().map_or(Event::End, Event::Line);
            let ended = matches!(event, Event::End);
            if events.send(event).is_err() || ended {
                break;
            }
        }
    })?;
    Ok(request)
}

/// A terminal that passes on keys one by one and leaves echoing them to the program, but
/// translates output as usual; dropping it restores the terminal. On Windows the console
/// edits whole lines itself.
pub(crate) struct Unbuffered {
    #[cfg(unix)]
    before: Termios,
}

#[cfg(unix)]
impl Unbuffered {
    /// None if standard input is not such a terminal.
    pub(crate) fn new() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let unbuffered = Self { before };
        unbuffered.set().is_ok().then_some(unbuffered)
    }

    fn set(&self) -> io::Result<()> {
        let mut modes = self.before.clone();
        // Ctrl-C and Ctrl-Z arrive as keys, so that the terminal can be restored first.
        modes.local_modes -=
            LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &modes)?)
    }

    /// Returns to the shell until the process is continued.
    pub(crate) fn suspend(&self) -> io::Result<()> {
        use rustix::process::{Signal, kill_current_process_group};
        self.restore();
        kill_current_process_group(Signal::TSTP)?;
        self.set()
    }

    fn restore(&self) {
        // An error means that the terminal is gone.
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
