//! The terminal while it is ours, and its return.

use std::io::{self, Stdout, stdout};
use std::panic;
use std::thread;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

/// The full screen; dropping it gives the terminal back.
pub struct Guard(Terminal<CrosstermBackend<Stdout>>);

impl Guard {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// If it cannot be taken over; it is then as it was.
    pub fn new() -> io::Result<Self> {
        give_back_on_panic();
        let taken = enable_raw_mode().and_then(|()| {
            execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)?;
            Terminal::new(CrosstermBackend::new(stdout()))
        });
        if taken.is_err() {
            give_back();
        }
        taken.map(Self)
    }

    /// Draws the screen.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        self.0.draw(draw).map(drop)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Makes the terminal what it was; a terminal that is gone needs nothing.
fn give_back() {
    let _ = execute!(stdout(), Show, DisableMouseCapture, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

/// Gives the terminal back before a panic of this thread is told. One of
/// another thread is caught there, and telling it would spoil the screen.
fn give_back_on_panic() {
    let ours = thread::current().id();
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == ours {
            give_back();
            tell(info);
        }
    }));
}
