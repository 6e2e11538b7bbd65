//! Playing in full-screen mode, with keys and mouse.
//!
//! ```text
//! keys        the meaning of keys
//! animation   moves shown seed by seed
//! app         the state: the game and how it is displayed; turns input into actions
//! screen      draws the state; a pure function
//! ```
//!
//! This file has the event loop and the terminal, which is restored on every exit path. This
//! crate must not know the rules of a game at a terminal: what an action does, and what there is
//! to say about it, comes from `kalah-terminal`.

mod animation;
mod app;
mod keys;
mod screen;

use std::io::{self, Stdout, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use std::{panic, thread};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

use app::App;
use kalah_terminal::event::{TerminalEvent, read_keys};
use kalah_terminal::game::TerminalGame;
use kalah_terminal::message::GameMessage;

pub use animation::SowingSpeed;
pub use app::ScreenStyle;

/// Plays until the player leaves or the terminal is gone. Restores the terminal and returns
/// the messages to print on it.
///
/// # Errors
/// If the terminal cannot be taken over or written to; the game has already been saved.
pub fn play(
    game: &mut TerminalGame,
    first: Vec<GameMessage>,
    style: ScreenStyle,
    (sender, events): (Sender<TerminalEvent>, Receiver<TerminalEvent>),
) -> io::Result<Vec<GameMessage>> {
    let mut guard = FullScreen::new()?;
    read_keys(sender)?;
    let mut app = App::new(game, style);
    app.show(first);
    while !app.has_ended() {
        guard.draw(|frame| draw(frame, &mut app))?;
        match events.recv_timeout(app.time_to_change()) {
            Ok(event) => {
                app.handle(event);
                // Keys can arrive faster than the screen is drawn, as in a paste.
                while !app.has_ended()
                    && !app.suspends
                    && let Ok(event) = events.try_recv()
                {
                    app.handle(event);
                }
            }
            Err(RecvTimeoutError::Timeout) => app.pass_time(),
            Err(RecvTimeoutError::Disconnected) => app.handle(TerminalEvent::End),
        }
        if std::mem::take(&mut app.suspends) {
            guard.suspend()?;
        }
    }
    Ok(app.last_messages)
}

/// Draws the state of `app`, which learns where its board is and how wide its sentences may be.
fn draw(frame: &mut Frame, app: &mut App) {
    app.layout = screen::draw(frame, app);
    app.game.set_width(usize::from(frame.area().width).saturating_sub(4));
}

/// The full screen; dropping it restores the terminal.
pub struct FullScreen(Terminal<CrosstermBackend<Stdout>>);

impl FullScreen {
    /// Switches the terminal to full-screen mode.
    ///
    /// # Errors
    /// If the terminal cannot be switched; it is then restored.
    pub fn new() -> io::Result<Self> {
        restore_on_panic();
        let terminal = take_over().and_then(|()| Terminal::new(CrosstermBackend::new(stdout())));
        if terminal.is_err() {
            restore();
        }
        // Polling installs the handler for changes in the window size: without it, a change
        // between the first drawing and the first read would be lost. An error shows up again
        // in that read.
        let _ = crossterm::event::poll(Duration::ZERO);
        terminal.map(Self)
    }

    /// Suspends the process; returns when it is continued.
    fn suspend(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            use rustix::process::{Signal, kill_current_process_group};
            restore();
            kill_current_process_group(Signal::TSTP)?;
            take_over()?;
            // A new terminal has forgotten what was on the screen, so everything is redrawn.
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

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore();
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, Hide)
}

/// Restores the terminal; errors mean that it is gone.
fn restore() {
    let _ =
        execute!(stdout(), Show, DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen);
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

#[cfg(test)]
mod tests;
