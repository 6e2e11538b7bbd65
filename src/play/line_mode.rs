//! Playing line by line: in any terminal, through a pipe, and with screen readers.
//!
//! At a terminal a line can be typed while the engine thinks. Where the terminal allows it,
//! the line is edited key by key and redrawn with carriage returns instead of escape
//! sequences. A line of a pipe is read only when everything before it is done, so that a
//! script has the same effect on every machine.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use crossterm::event::{Event as Input, KeyCode, KeyEventKind, KeyModifiers};

use super::clock;
use super::command::{self, Action};
use super::event::{Event, Unbuffered, read_keys, read_lines};
use super::pages;
use super::session::{Message, Session};
use super::typing::{History, Typed, Typing};
use crate::game::Side;
use crate::sys::format::wrapped;
use crate::view::sentence;
use crate::view::terminal::Terminal;
use crate::view::text::{Line, Role};

/// How long the engine may think before a message says so.
const SILENCE: Duration = Duration::from_millis(900);

/// Plays until the player leaves or the input ends. `first` is shown first.
///
/// # Errors
/// If the output fails; the game is already in its file.
pub(crate) fn play(
    session: &mut Session,
    first: &[Message],
    terminal: Terminal,
    history: History,
    (sender, events): (Sender<Event>, Receiver<Event>),
    out: &mut dyn Write,
) -> io::Result<()> {
    let keys = if terminal.edited { Unbuffered::new() } else { None };
    let next_line = match &keys {
        Some(_) => read_keys(sender).map(|()| None),
        None => read_lines(sender).map(Some),
    }?;
    let keyboard = keys.map(|keys| Keyboard { keys, typing: Typing::new(history) });
    let mut printer = Printer { terminal, out, prompted: false, keyboard, columns: 0 };
    printer.show(session, first)?;
    let mut reading = false;
    let mut silent = true;
    while !session.has_ended() {
        if !session.is_busy() {
            printer.prompt(session)?;
        }
        if let Some(next_line) = &next_line
            && !reading
            && (terminal.typed || !session.is_busy())
        {
            reading = next_line.send(()).is_ok();
        }
        let waits = silent && session.thinking().is_some();
        let patience = if waits { SILENCE } else { Duration::MAX };
        // A prompt that is drawn key by key shows the clock.
        let seen = printer.keyboard.is_some() && !session.is_busy();
        let event = match events.recv_timeout(patience.min(session.next_tick(seen))) {
            Ok(Event::Screen(input)) => match printer.take(session, input)? {
                Some(event) => event,
                None => continue,
            },
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => {
                let messages = session.tick();
                if messages.is_empty() && waits {
                    silent = false;
                    printer.show_thinking(session)?;
                }
                printer.show(session, &messages)?;
                if seen && messages.is_empty() {
                    printer.draw_line(session)?;
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => Event::End,
        };
        silent = true;
        if let Event::Line(_) = event {
            reading = false;
            printer.prompted = false;
        }
        session.set_width(printer.width());
        let messages = handle(session, event, terminal.typed);
        printer.show(session, &messages)?;
    }
    printer.begin_line()?;
    printer.out.flush()
}

fn handle(session: &mut Session, event: Event, typed: bool) -> Vec<Message> {
    let action = match event {
        Event::Engine(number, update) => return session.update(number, update),
        Event::Interrupt => return session.interrupt(),
        // An empty line of a script has no effect.
        Event::Line(Ok(line)) if session.tutor().is_some() => return session.answer(&line),
        Event::Line(Ok(line)) if !typed && line.trim().is_empty() => return Vec::new(),
        Event::Line(Ok(line)) => command::parse(&line, session.game().position()),
        Event::Line(Err(error)) => Err(error.to_string()),
        _ => Ok(Action::Quit),
    };
    action.map_or_else(|error| vec![Message::Error(error)], |action| session.act(action))
}

/// A terminal that is read key by key, and the line being typed.
struct Keyboard {
    keys: Unbuffered,
    typing: Typing,
}

/// Shows messages as lines, and the line being typed.
struct Printer<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
    /// Whether the prompt has been shown and no line read since.
    prompted: bool,
    /// None if the input arrives in whole lines.
    keyboard: Option<Keyboard>,
    /// Columns of the prompt and the text after it, if they are drawn key by key.
    columns: usize,
}

impl Printer<'_> {
    fn width(&self) -> usize {
        // Longer lines of sentences are hard to read.
        self.terminal.width().min(100)
    }

    fn show(&mut self, session: &Session, messages: &[Message]) -> io::Result<()> {
        if messages.iter().all(|message| matches!(message, Message::Progress(..))) {
            return Ok(());
        }
        self.begin_line()?;
        let mut draws = false;
        for message in messages {
            match message {
                Message::Moved { played, text, .. } => {
                    self.sentence(Role::Of(played.side), text)?;
                    draws |= is_drawn_after(session, played.side);
                }
                Message::Board => draws = true,
                Message::Heading(text) => {
                    if self.terminal.drawn {
                        self.line(&Line::default())?;
                    }
                    self.sentence(Role::Strong, text)?;
                }
                Message::Text(text) => self.sentence(Role::Plain, text)?,
                Message::Page { title, lines } => self.page(title, lines)?,
                Message::Progress(..) => {}
                Message::Error(text) => self.sentence(Role::Bad, &pages::error(text))?,
            }
        }
        if draws {
            let asked_for = session.tutor().is_some() || matches!(messages, [Message::Board]);
            self.board(session, asked_for)?;
        }
        self.out.flush()
    }

    fn sentence(&mut self, role: Role, text: &str) -> io::Result<()> {
        // Without drawings each sentence is one line, for programs that read the output.
        let width = if self.terminal.drawn { self.width() } else { usize::MAX };
        for line in wrapped(text, width) {
            self.line(&Line::default().with(role, line))?;
        }
        Ok(())
    }

    fn page(&mut self, title: &str, lines: &[Line]) -> io::Result<()> {
        if self.terminal.drawn {
            self.line(&Line::default())?;
            self.line(&Line::default().with(Role::Strong, title))?;
        }
        lines.iter().try_for_each(|line| self.line(line))
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.out, "{}", self.terminal.palette.paint(line))
    }

    /// Draws the board. Without drawings it is written in sentences, but only on request.
    fn board(&mut self, session: &Session, asked_for: bool) -> io::Result<()> {
        let position = &session.position();
        if self.terminal.drawn {
            let drawing = self.terminal.draw(position, &session.annotations(), session.bottom());
            writeln!(self.out, "\n{drawing}")?;
        } else if asked_for {
            for line in sentence::of_position(position) {
                writeln!(self.out, "{line}")?;
            }
            if let Some(times) = session.times() {
                writeln!(self.out, "Time left: {times}.")?;
            }
        }
        Ok(())
    }

    /// Leaves the line of the prompt; what was typed there is redrawn below.
    fn begin_line(&mut self) -> io::Result<()> {
        let columns = std::mem::take(&mut self.columns);
        match (std::mem::take(&mut self.prompted), &self.keyboard) {
            (_, Some(_)) if columns > 0 => write!(self.out, "\r{:columns$}\r", ""),
            (true, None) => writeln!(self.out),
            _ => Ok(()),
        }
    }

    /// Shows the prompt at a terminal.
    fn prompt(&mut self, session: &Session) -> io::Result<()> {
        if !self.terminal.typed || self.prompted {
            return Ok(());
        }
        self.prompted = true;
        if self.keyboard.is_some() {
            return self.draw_line(session);
        }
        write!(self.out, "{} ", self.terminal.palette.paint(&prompt_of(session)))?;
        self.out.flush()
    }

    /// Draws the prompt, unless the engine is busy, and the line being typed.
    fn draw_line(&mut self, session: &Session) -> io::Result<()> {
        const MIN_COLUMNS: usize = 8;
        let Some(Keyboard { typing, .. }) = &self.keyboard else { return Ok(()) };
        let mut prompt = if session.is_busy() { Line::default() } else { prompt_of(session) };
        if prompt.width() + MIN_COLUMNS > self.terminal.width() {
            prompt = Line::plain(">");
        }
        let space = if prompt.width() > 0 { " " } else { "" };
        let before = prompt.width() + space.len();
        let (text, cursor) = typing.shown(self.terminal.width() - before);
        let columns = before + text.chars().count();
        let start = format!("\r{}{space}", self.terminal.palette.paint(&prompt));
        let rest = self.columns.saturating_sub(columns);
        write!(self.out, "{start}{text}{:rest$}", "")?;
        if rest > 0 || before + cursor < columns {
            let text: String = text.chars().take(cursor).collect();
            write!(self.out, "{start}{text}")?;
        }
        self.columns = columns;
        self.out.flush()
    }

    /// Handles a key; returns the event that it completes, if any.
    fn take(&mut self, session: &Session, input: Input) -> io::Result<Option<Event>> {
        let Some(Keyboard { keys, typing }) = &mut self.keyboard else { return Ok(None) };
        let Input::Key(key) = input else { return Ok(None) };
        if key.kind == KeyEventKind::Release {
            return Ok(None);
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return Ok(Some(Event::Interrupt)),
            KeyCode::Char('d') if is_control && typing.is_empty() => return Ok(Some(Event::End)),
            KeyCode::Char('z') if is_control => keys.suspend()?,
            _ => match typing.press(key, &session.position()) {
                Typed::Nothing => {}
                Typed::Line(line) => {
                    // The line stays where it was typed.
                    self.columns = 0;
                    self.prompted = false;
                    writeln!(self.out)?;
                    return Ok(Some(Event::Line(Ok(line))));
                }
                Typed::Choices(choices) => {
                    self.begin_line()?;
                    self.sentence(Role::Quiet, &choices.join(", "))?;
                }
            },
        }
        self.draw_line(session)?;
        Ok(None)
    }

    /// At a terminal, reports that the engine is thinking and what can be typed.
    fn show_thinking(&mut self, session: &Session) -> io::Result<()> {
        if let (Some(side), true) = (session.thinking(), self.terminal.typed) {
            let name = session.name_of(side);
            let text = format!("{name} is thinking; you can type now, undo or quit.");
            self.sentence(Role::Quiet, &text)?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// The side to move and what can be typed.
fn prompt_of(session: &Session) -> Line {
    if let Some(tutor) = session.tutor() {
        return Line::default().with(Role::Mover(tutor.side()), tutor.question() + ">");
    }
    let position = session.game().position();
    let side = position.side();
    let (role, text) = if session.game().is_over() {
        (Role::Plain, "Game over (new, undo, analyse, quit)".to_owned())
    } else {
        let letters = position.pit_letters(side);
        let time = session.time_left(side).map(|left| format!(" {}", clock::shown(left)));
        let time = time.unwrap_or_default();
        (Role::Mover(side), format!("{side}{time}, {letters} or help"))
    };
    Line::default().with(role, text).with(Role::Plain, ">")
}

/// Whether the board is drawn after a move. It is not between the moves of one turn of the
/// engine, which follow each other too fast.
fn is_drawn_after(session: &Session, mover: Side) -> bool {
    let next = session.game().position().side();
    !session.has_people()
        || session.game().is_over()
        || session.seat(mover).is_person()
        || session.seat(next).is_person()
}
