//! Playing line by line: in any terminal, through a pipe, and with screen readers.
//!
//! At a terminal a line can be typed while the engine thinks. Where the terminal allows it,
//! the line is edited key by key and redrawn with carriage returns instead of escape
//! sequences. A line from a pipe is read only once everything before it is done, so that a
//! script has the same effect on every machine.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use crossterm::event::{Event as Input, KeyCode, KeyEventKind, KeyModifiers};

use crate::command::{self, UserAction};
use crate::event::{TerminalEvent, Unbuffered, read_keys, read_lines};
use crate::game::TerminalGame;
use crate::listings;
use crate::message::GameMessage;
use crate::terminal::Terminal;
use crate::typing::{Typed, Typing};
use kalah_game::Side;
use kalah_play::clock;
use kalah_record::sentence;
use kalah_text::{format::wrapped, width::columns};
use kalah_view::styled::{Role, StyledLine};

/// How long the engine may think before a message says so.
const SILENCE: Duration = Duration::from_millis(900);

/// Plays until the player leaves or the input ends. `first` is shown at the start.
///
/// # Errors
/// If the output cannot be written; the game has already been saved.
pub fn play(
    game: &mut TerminalGame,
    first: &[GameMessage],
    terminal: Terminal,
    (sender, events): (Sender<TerminalEvent>, Receiver<TerminalEvent>),
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys = if terminal.edited { Unbuffered::new() } else { None };
    let next_line = match &keys {
        Some(_) => read_keys(sender).map(|()| None),
        None => read_lines(sender).map(Some),
    }?;
    let keyboard = keys.map(|keys| Keyboard { keys, typing: Typing::default() });
    let mut printer = Printer { terminal, out, prompted: false, keyboard, columns: 0 };
    printer.show(game, first)?;
    let mut reading = false;
    let mut silent = true;
    while !game.has_ended() {
        if !game.is_busy() {
            printer.prompt(game)?;
        }
        // A person may type while the engine thinks; a script must wait for it.
        if let Some(next_line) = &next_line
            && !reading
            && (terminal.typed || !game.is_busy())
        {
            reading = next_line.send(()).is_ok();
        }
        let waits = silent && game.current().thinking().is_some();
        let patience = if waits { SILENCE } else { Duration::MAX };
        // Only a prompt that is redrawn key by key shows a running clock.
        let seen = printer.keyboard.is_some() && !game.is_busy();
        let event = match events.recv_timeout(patience.min(game.next_tick(seen))) {
            Ok(TerminalEvent::Screen(input)) => match printer.take(game, input)? {
                Some(event) => event,
                None => continue,
            },
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => {
                let messages = game.tick();
                if messages.is_empty() && waits {
                    // Shown only once: the next event starts a new silence.
                    silent = false;
                    printer.show_thinking(game)?;
                }
                printer.show(game, &messages)?;
                if seen && messages.is_empty() {
                    printer.draw_line(game)?;
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => TerminalEvent::End,
        };
        silent = true;
        if let TerminalEvent::Line(_) = event {
            reading = false;
            printer.prompted = false;
        }
        game.set_width(printer.width());
        let messages = handle(game, event, terminal.typed);
        printer.show(game, &messages)?;
    }
    printer.begin_line()?;
    printer.out.flush()
}

fn handle(game: &mut TerminalGame, event: TerminalEvent, typed: bool) -> Vec<GameMessage> {
    let action = match event {
        TerminalEvent::Engine(number, update) => return game.update(number, update),
        TerminalEvent::Interrupt => return game.interrupt(),
        TerminalEvent::Line(Ok(line)) if game.tutor().is_some() => return game.answer(&line),
        // An empty line in a script has no effect; one that is typed asks what to type.
        TerminalEvent::Line(Ok(line)) if !typed && line.trim().is_empty() => return Vec::new(),
        TerminalEvent::Line(Ok(line)) => {
            command::parse(&line, game.current().position()).map_err(|error| error.to_string())
        }
        TerminalEvent::Line(Err(error)) => Err(error.to_string()),
        // The end of the input. Keys and clicks never arrive here: the printer has taken them.
        _ => Ok(UserAction::Quit),
    };
    match action {
        Ok(action) => game.act(action),
        Err(error) => vec![GameMessage::Error(error)],
    }
}

/// A terminal that is read key by key, and the line being typed.
struct Keyboard {
    keys: Unbuffered,
    typing: Typing,
}

/// Prints messages as lines, and draws the line being typed.
struct Printer<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
    /// Whether the prompt has been shown and no line read since.
    prompted: bool,
    /// None if the input arrives in whole lines.
    keyboard: Option<Keyboard>,
    /// Columns taken by the prompt and the typed text, if they are drawn key by key.
    columns: usize,
}

impl Printer<'_> {
    fn width(&self) -> usize {
        // Longer lines of prose are hard to read.
        self.terminal.width().min(100)
    }

    fn show(&mut self, game: &TerminalGame, messages: &[GameMessage]) -> io::Result<()> {
        // Printed lines cannot be overwritten, so progress would fill the screen.
        if messages.iter().all(|message| matches!(message, GameMessage::Progress(..))) {
            return Ok(());
        }
        self.begin_line()?;
        let mut draws = false;
        for message in messages {
            match message {
                GameMessage::Moved { played, text, .. } => {
                    self.sentence(Role::Of(played.side), text)?;
                    draws |= is_drawn_after(game, played.side);
                }
                GameMessage::Board => draws = true,
                GameMessage::Heading(text) => {
                    if self.terminal.drawn {
                        self.line(&StyledLine::default())?;
                    }
                    self.sentence(Role::Strong, text)?;
                }
                GameMessage::Text(text) => self.sentence(Role::Plain, text)?,
                GameMessage::Listing { title, lines } => self.listing(title, lines)?,
                GameMessage::Progress(..) => {}
                GameMessage::Error(text) => self.sentence(Role::Bad, &listings::error(text))?,
            }
        }
        if draws {
            let asked_for = game.tutor().is_some() || matches!(messages, [GameMessage::Board]);
            self.board(game, asked_for)?;
        }
        self.out.flush()
    }

    fn sentence(&mut self, role: Role, text: &str) -> io::Result<()> {
        // Without drawings, each sentence is one line, for programs that read the output.
        let width = if self.terminal.drawn { self.width() } else { usize::MAX };
        for line in wrapped(text, width) {
            self.line(&StyledLine::default().with(role, line))?;
        }
        Ok(())
    }

    fn listing(&mut self, title: &str, lines: &[StyledLine]) -> io::Result<()> {
        if self.terminal.drawn {
            self.line(&StyledLine::default())?;
            self.line(&StyledLine::default().with(Role::Strong, title))?;
        }
        lines.iter().try_for_each(|line| self.line(line))
    }

    fn line(&mut self, line: &StyledLine) -> io::Result<()> {
        writeln!(self.out, "{}", self.terminal.palette.paint(line))
    }

    /// Draws the board. Without drawings, it is described in sentences, but only on request.
    fn board(&mut self, game: &TerminalGame, asked_for: bool) -> io::Result<()> {
        let position = &game.position();
        if self.terminal.drawn {
            let drawing = self.terminal.draw(position, &game.annotations(), game.bottom());
            writeln!(self.out, "\n{drawing}")?;
        } else if asked_for {
            for line in sentence::of_position(position) {
                writeln!(self.out, "{line}")?;
            }
            if let Some(times) = game.times() {
                writeln!(self.out, "Time left: {times}.")?;
            }
        }
        Ok(())
    }

    /// Clears the line of the prompt before other output, or ends it if it cannot be cleared.
    /// The prompt and the text typed so far are redrawn below that output.
    fn begin_line(&mut self) -> io::Result<()> {
        let columns = std::mem::take(&mut self.columns);
        match (std::mem::take(&mut self.prompted), &self.keyboard) {
            (_, Some(_)) if columns > 0 => write!(self.out, "\r{:columns$}\r", ""),
            (true, None) => writeln!(self.out),
            _ => Ok(()),
        }
    }

    /// Shows the prompt at a terminal.
    fn prompt(&mut self, game: &TerminalGame) -> io::Result<()> {
        if !self.terminal.typed || self.prompted {
            return Ok(());
        }
        self.prompted = true;
        if self.keyboard.is_some() {
            return self.draw_line(game);
        }
        write!(self.out, "{} ", self.terminal.palette.paint(&prompt_of(game)))?;
        self.out.flush()
    }

    /// Draws the prompt, unless the engine is busy, and the line being typed.
    fn draw_line(&mut self, game: &TerminalGame) -> io::Result<()> {
        const MIN_COLUMNS: usize = 8;
        let Some(Keyboard { typing, .. }) = &self.keyboard else { return Ok(()) };
        let mut prompt = if game.is_busy() { StyledLine::default() } else { prompt_of(game) };
        // In a narrow terminal, room for typing matters more than the prompt.
        if prompt.width() + MIN_COLUMNS > self.terminal.width() {
            prompt = StyledLine::plain(">");
        }
        let space = if prompt.width() > 0 { " " } else { "" };
        let before = prompt.width() + space.len();
        let (typed, rest) = typing.shown(self.terminal.width().saturating_sub(before));
        let used = before + columns(&typed) + columns(&rest);
        let start = format!("\r{}{space}{typed}", self.terminal.palette.paint(&prompt));
        let cleared = self.columns.saturating_sub(used);
        write!(self.out, "{start}{rest}{:cleared$}", "")?;
        // The cursor is positioned by rewriting the line up to it, without escape sequences.
        if cleared > 0 || !rest.is_empty() {
            write!(self.out, "{start}")?;
        }
        self.columns = used;
        self.out.flush()
    }

    /// Handles a key; returns the event that it completes, if any.
    fn take(&mut self, game: &TerminalGame, input: Input) -> io::Result<Option<TerminalEvent>> {
        let Some(Keyboard { keys, typing }) = &mut self.keyboard else { return Ok(None) };
        let key = match input {
            Input::Key(key) => key,
            Input::Paste(text) => {
                if let Err(error) = typing.paste(&text) {
                    self.show(game, &[GameMessage::Error(error)])?;
                }
                self.draw_line(game)?;
                return Ok(None);
            }
            _ => return Ok(None),
        };
        // Windows reports each key a second time when it is released.
        if key.kind == KeyEventKind::Release {
            return Ok(None);
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return Ok(Some(TerminalEvent::Interrupt)),
            // As in shells, Ctrl-D ends the input only on an empty line.
            KeyCode::Char('d') if is_control && typing.is_empty() => {
                return Ok(Some(TerminalEvent::End));
            }
            KeyCode::Char('z') if is_control => keys.suspend()?,
            _ => match typing.press(key, &game.position()) {
                Typed::Nothing => {}
                Typed::Line(line) => {
                    // The line stays where it was typed.
                    self.columns = 0;
                    self.prompted = false;
                    writeln!(self.out)?;
                    return Ok(Some(TerminalEvent::Line(Ok(line))));
                }
                Typed::Choices(choices) => {
                    self.begin_line()?;
                    self.sentence(Role::Quiet, &choices.join(", "))?;
                }
            },
        }
        self.draw_line(game)?;
        Ok(None)
    }

    /// At a terminal, reports that the engine is thinking and what can be typed.
    fn show_thinking(&mut self, game: &TerminalGame) -> io::Result<()> {
        if let (Some(side), true) = (game.current().thinking(), self.terminal.typed) {
            let name = game.name_of(side);
            let text = format!("{name} is thinking; you can type now, undo or quit.");
            self.sentence(Role::Quiet, &text)?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// The side to move and what can be typed.
fn prompt_of(game: &TerminalGame) -> StyledLine {
    if let Some(tutor) = game.tutor() {
        return StyledLine::default().with(Role::Mover(tutor.side()), tutor.question() + ">");
    }
    let position = game.current().position();
    let side = position.side();
    let (role, text) = if game.current().is_over() {
        (Role::Plain, "Game over (new, undo, analyse, quit)".to_owned())
    } else {
        let letters = position.pit_letters(side);
        let time = match game.time_left(side) {
            Some(left) => format!(" {}", clock::shown(left)),
            None => String::new(),
        };
        (Role::Mover(side), format!("{side}{time}, {letters} or help"))
    };
    StyledLine::default().with(role, text).with(Role::Plain, ">")
}

/// Whether the board is drawn after a move. Between the moves of one engine turn it is not:
/// they follow each other too quickly to be seen.
fn is_drawn_after(game: &TerminalGame, mover: Side) -> bool {
    let next = game.current().position().side();
    !game.current().has_people()
        || game.current().is_over()
        || game.current().seat(mover).is_person()
        || game.current().seat(next).is_person()
}
