//! Playing on the full screen, with keys and mouse.
//!
//! ```text
//! keys        the meaning of keys
//! animation   moves shown seed by seed
//! app         the state: the session and what is shown of it; input to actions
//! screen      drawing the state: pure
//! ```
//!
//! This file has the event loop and the terminal, which is restored on every exit path.

mod animation;
mod app;
mod keys;
mod screen;

use std::io::{self, Stdout, stdout};
use std::panic;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

use super::event::{Event, read_keys};
use super::session::{Message, Session};
use super::typing::{History, Typing};
use app::App;

pub(crate) use animation::Pace;
pub(crate) use app::Style;

/// Plays until the player leaves or the terminal is gone. Restores the terminal and returns
/// what to show on it.
///
/// # Errors
/// If the terminal cannot be taken over or written to; the game is already in its file.
pub(crate) fn play(
    session: &mut Session,
    first: Vec<Message>,
    style: Style,
    history: History,
    (sender, events): (Sender<Event>, Receiver<Event>),
) -> io::Result<Vec<Message>> {
    let mut guard = Guard::new()?;
    read_keys(sender)?;
    let mut app = App::new(session, style, Typing::new(history));
    app.show(first);
    while !app.has_ended() {
        let mut layout = None;
        guard.draw(|frame| layout = screen::draw(frame, &app))?;
        app.layout = layout;
        app.session.set_width(guard.width().saturating_sub(4));
        app.estimate();
        match events.recv_timeout(app.time_to_change()) {
            Ok(event) => app.handle(event),
            Err(RecvTimeoutError::Timeout) => app.pass_time(),
            Err(RecvTimeoutError::Disconnected) => app.handle(Event::End),
        }
        if std::mem::take(&mut app.suspends) {
            guard.suspend()?;
        }
    }
    Ok(app.last_messages)
}

/// The full screen; dropping it restores the terminal.
pub struct Guard(Terminal<CrosstermBackend<Stdout>>);

impl Guard {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// If it cannot be taken over; it is then restored.
    pub fn new() -> io::Result<Self> {
        restore_on_panic();
        let terminal = take_over().and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        if terminal.is_err() {
            restore();
        }
        // Starts watching for changes of the window's size: one between the first drawing and
        // the first reading of events would be lost. Reading reports errors.
        let _ = crossterm::event::poll(Duration::ZERO);
        terminal.map(Self)
    }

    /// Columns of the screen; 80 if unknown.
    fn width(&self) -> usize {
        self.0.size().map_or(80, |size| size.width.into())
    }

    /// Returns to the shell until the process is continued.
    fn suspend(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use rustix::process::{Signal, kill_current_process_group};
            restore();
            kill_current_process_group(Signal::TSTP)?;
            take_over()?;
            // Forget what was on the screen, so that everything is drawn.
            self.0 = Terminal::new(CrosstermBackend::new(stdout()))?;
        }
        Ok(())
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
        restore();
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)
}

/// Restores the terminal; errors mean that it is gone.
fn restore() {
    let _ = execute!(stdout(), Show, DisableMouseCapture, LeaveAlternateScreen);
    let _ = disable_raw_mode();
}

/// Restores the terminal before a panic of this thread is printed. A panic of the engine's
/// thread is caught there, and printing it would garble the screen.
fn restore_on_panic() {
    let drawing = thread::current().id();
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == drawing {
            restore();
            print(info);
        }
    }));
}
