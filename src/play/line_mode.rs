//! Playing line by line: in every terminal, through a pipe, and with screen
//! readers.
//!
//! At a terminal a line is read while the engine thinks. Lines of a pipe are
//! read one by one, each when all before it is done, so that a script means the
//! same on every machine.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::command::{self, Action};
use super::event::Event;
use super::session::{Message, Session};
use crate::game::Side;
use crate::sys::lines::Lines;
use crate::view::sentence;
use crate::view::terminal::Terminal;
use crate::view::text::{Line, Role, wrapped};

/// How long the engine may think before the player sees a message.
const SILENCE: Duration = Duration::from_millis(900);

const LONGEST_LINE: usize = 4096;

/// Plays until the player leaves or the input ends. `first` is shown before
/// anything else.
///
/// # Errors
/// If the output fails; the game is in its file by then.
pub(crate) fn play(
    session: &mut Session,
    first: &[Message],
    terminal: Terminal,
    (sender, events): (Sender<Event>, Receiver<Event>),
    out: &mut dyn Write,
) -> io::Result<()> {
    let next_line = read_lines(sender)?;
    let mut printer = Printer { terminal, out, prompted: false };
    printer.show(session, first)?;
    let mut reading = false;
    let mut silent = true;
    while !session.has_ended() {
        if !session.is_busy() {
            printer.prompt(session)?;
        }
        if !reading && (terminal.typed || !session.is_busy()) {
            reading = next_line.send(()).is_ok();
        }
        let waits = silent && session.thinking().is_some();
        let event = match events.recv_timeout(if waits { SILENCE } else { Duration::MAX }) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => {
                silent = false;
                printer.show_thinking(session)?;
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
    printer.out.flush()
}

fn handle(session: &mut Session, event: Event, typed: bool) -> Vec<Message> {
    let action = match event {
        Event::Engine(number, update) => return session.update(number, update),
        Event::Interrupt => return session.interrupt(),
        // An empty line of a script asks for nothing.
        Event::Line(Ok(line)) if !typed && line.trim().is_empty() => return Vec::new(),
        Event::Line(Ok(line)) => command::parse(&line, session.game().position()),
        Event::Line(Err(error)) => Err(error.to_string()),
        _ => Ok(Action::Quit),
    };
    action.map_or_else(|error| vec![Message::Error(error)], |action| session.act(action))
}

/// Reads a line of the standard input for each request, in a thread.
fn read_lines(events: Sender<Event>) -> io::Result<Sender<()>> {
    let (request, requests) = mpsc::channel();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut lines = Lines::new(io::stdin().lock(), LONGEST_LINE);
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

/// Shows messages as lines.
struct Printer<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
    /// Whether the cursor stands behind the prompt.
    prompted: bool,
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
        if std::mem::take(&mut self.prompted) {
            writeln!(self.out)?;
        }
        let mut draws = false;
        for message in messages {
            match message {
                Message::Moved { played, text, .. } => {
                    self.sentence(Role::Of(played.side), text)?;
                    draws |= is_drawn_after(session, played.side);
                }
                Message::Board => draws = true,
                Message::Text(text) => self.sentence(Role::Plain, text)?,
                Message::Page { title, lines } => self.page(title, lines)?,
                Message::Progress(..) => {}
                Message::Error(text) => self.sentence(Role::Bad, &as_sentence(text))?,
            }
        }
        if draws {
            let asked_for = matches!(messages, [Message::Board]);
            self.board(session, asked_for)?;
        }
        self.out.flush()
    }

    fn sentence(&mut self, role: Role, text: &str) -> io::Result<()> {
        // Without drawings each sentence is one line, for programs that read them.
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

    /// Draws the board; without drawings it is in sentences, if it was asked for.
    fn board(&mut self, session: &Session, asked_for: bool) -> io::Result<()> {
        let position = session.game().position();
        if self.terminal.drawn {
            let drawing = self.terminal.draw(position, &session.annotations(), session.bottom());
            writeln!(self.out, "\n{drawing}")?;
        } else if asked_for {
            for line in sentence::of_position(position) {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }

    /// At a terminal: whose turn it is, and what can be typed.
    fn prompt(&mut self, session: &Session) -> io::Result<()> {
        if !self.terminal.typed || self.prompted {
            return Ok(());
        }
        let position = session.game().position();
        let side = position.side();
        let (role, text) = if session.game().is_over() {
            (Role::Plain, "Game over (new, undo, analyse, quit)".to_owned())
        } else {
            let letters = sentence::letters(position, side);
            (Role::Mover(side), format!("{side}, {letters} or help"))
        };
        let prompt = Line::default().with(role, text).with(Role::Plain, ">");
        write!(self.out, "{} ", self.terminal.palette.paint(&prompt))?;
        self.prompted = true;
        self.out.flush()
    }

    /// At a terminal: that the engine is thinking, and what can be typed.
    fn show_thinking(&mut self, session: &Session) -> io::Result<()> {
        if let (Some(side), true) = (session.thinking(), self.terminal.typed) {
            let name = session.name_of(side);
            let text = format!("{name} thinks; now, undo and quit can be typed.");
            self.sentence(Role::Quiet, &text)?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// Whether the board is drawn after a move: not between the moves of one turn
/// of the engine, which follow each other too fast.
fn is_drawn_after(session: &Session, mover: Side) -> bool {
    let next = session.game().position().side();
    !session.has_people()
        || session.game().is_over()
        || session.seat(mover).is_person()
        || session.seat(next).is_person()
}

fn as_sentence(error: &str) -> String {
    let mut letters = error.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_become_sentences() {
        assert_eq!(as_sentence("pit C is empty"), "Pit C is empty.");
    }
}
