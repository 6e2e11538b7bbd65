//! Playing line by line: works in every terminal, in a pipe and aloud.
//!
//! One channel brings typed lines, signals and the engine's thoughts to one
//! loop. Somebody who types is heard at once, whatever the engine is at; lines
//! of a pipe are read one by one, each when all before it is done, so that a
//! script means the same on every machine.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::input;
use super::session::{Note, Session};
use super::thinker::Thought;
use crate::game::Side;
use crate::sys::lines::{LineError, Lines};
use crate::view::board::{View, board};
use crate::view::sentence;
use crate::view::terminal::Terminal;
use crate::view::text::{Line, Role, wrapped};

/// Something that the loop has to look at.
#[derive(Debug)]
pub enum Event {
    /// A line was typed.
    Line(Result<String, LineError>),
    /// No more lines will come.
    End,
    /// The process is asked to end.
    Interrupt,
    /// The engine says something.
    Thought(Thought),
}

/// How long the engine may think before it is said that it does.
const PATIENCE: Duration = Duration::from_millis(900);

/// The longest line that is read, in bytes.
const LONGEST_LINE: usize = 4096;

/// Plays until the person leaves or the input ends.
///
/// `first` is what is to be told before anything else; `events` gets the
/// engine's thoughts and signals, `sender` is its other end, for typed lines.
///
/// # Errors
/// If the output fails; the game is in its file by then.
pub fn play(
    session: &mut Session,
    first: Vec<Note>,
    terminal: Terminal,
    (sender, events): (Sender<Event>, Receiver<Event>),
    out: &mut dyn Write,
) -> io::Result<()> {
    let next_line = read_lines(sender)?;
    let mut teller = Teller { terminal, out, prompted: false };
    teller.tell(session, &first)?;
    let mut reading = false;
    let mut patient = true;
    while !session.has_left() {
        if !session.is_busy() {
            teller.prompt(session)?;
        }
        if !reading && (terminal.typed || !session.is_busy()) {
            reading = next_line.send(()).is_ok();
        }
        let waits = patient && session.thinking().is_some();
        let Some(event) = receive(&events, waits.then_some(PATIENCE)) else {
            patient = false;
            teller.say_who_thinks(session)?;
            continue;
        };
        patient = true;
        session.set_width(teller.width());
        let notes = match event {
            Event::Line(line) => {
                reading = false;
                teller.prompted = false;
                match line {
                    Ok(line) => act_on(session, line.trim(), terminal.typed),
                    Err(error) => vec![Note::Trouble(error.to_string())],
                }
            }
            Event::End | Event::Interrupt => session.leave(),
            Event::Thought(thought) => session.hear(thought),
        };
        teller.tell(session, &notes)?;
    }
    teller.out.flush()
}

/// What comes of a line that was typed.
fn act_on(session: &mut Session, line: &str, typed: bool) -> Vec<Note> {
    match input::parse(line, session.game().position()) {
        Ok(action) => session.act(action),
        // An empty line of a script says nothing.
        Err(input::InputError::Empty { .. }) if !typed => Vec::new(),
        Err(error) => vec![Note::Trouble(error.to_string())],
    }
}

/// The next event; none if it takes longer than `patience`.
fn receive(events: &Receiver<Event>, patience: Option<Duration>) -> Option<Event> {
    let Some(patience) = patience else {
        // If all senders are gone nothing can happen any more.
        return Some(events.recv().unwrap_or(Event::End));
    };
    match events.recv_timeout(patience) {
        Ok(event) => Some(event),
        Err(mpsc::RecvTimeoutError::Timeout) => None,
        Err(mpsc::RecvTimeoutError::Disconnected) => Some(Event::End),
    }
}

/// Reads a line of the standard input whenever told to, in a thread.
fn read_lines(events: Sender<Event>) -> io::Result<Sender<()>> {
    let (ask, asked) = mpsc::channel();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let mut lines = Lines::new(io::stdin().lock(), LONGEST_LINE);
        for () in asked {
            let event = lines.next().map_or(Event::End, Event::Line);
            let ended = matches!(event, Event::End);
            if events.send(event).is_err() || ended {
                break;
            }
        }
    })?;
    Ok(ask)
}

/// Shows notes as lines.
struct Teller<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
    /// Whether the prompt stands on the line already.
    prompted: bool,
}

impl Teller<'_> {
    fn width(&self) -> usize {
        // Sentences are hard to read if they are too long.
        self.terminal.width().min(100)
    }

    fn tell(&mut self, session: &Session, notes: &[Note]) -> io::Result<()> {
        if notes.iter().all(|note| matches!(note, Note::Progress(..))) {
            return Ok(());
        }
        if std::mem::take(&mut self.prompted) {
            writeln!(self.out)?;
        }
        let mut draws = false;
        for note in notes {
            match note {
                Note::Sowed { played, sentence, .. } => {
                    self.sentence(Role::Of(played.side), sentence)?;
                    draws |= is_worth_drawing(session, played.side);
                }
                Note::Board => draws = true,
                Note::Said(text) => self.sentence(Role::Plain, text)?,
                Note::Page { title, lines } => self.page(title, lines)?,
                Note::Progress(..) => {}
                Note::Trouble(text) => self.sentence(Role::Bad, &as_sentence(text))?,
            }
        }
        if draws {
            let asked = matches!(notes, [Note::Board]);
            self.board(session, asked)?;
        }
        self.out.flush()
    }

    fn sentence(&mut self, role: Role, text: &str) -> io::Result<()> {
        // Without a drawing nothing is broken: one sentence, one line.
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

    /// The board as a picture, or in sentences if they were asked for.
    fn board(&mut self, session: &Session, asked: bool) -> io::Result<()> {
        let position = session.game().position();
        if self.terminal.drawn {
            let view = View {
                width: self.terminal.width(),
                glyphs: self.terminal.glyphs,
                bottom: session.bottom(),
            };
            writeln!(self.out)?;
            for line in board(position, &session.annotations(), &view) {
                self.line(&line)?;
            }
            return writeln!(self.out);
        }
        if asked {
            for line in sentence::of_position(position) {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Says whose turn it is and what can be typed, to somebody who types.
    fn prompt(&mut self, session: &Session) -> io::Result<()> {
        if !self.terminal.typed || self.prompted {
            return Ok(());
        }
        let position = session.game().position();
        let side = position.side();
        let (role, text) = match session.game().outcome() {
            Some(_) => (Role::Plain, "Game over (new, undo, analyse, quit)".to_owned()),
            None => {
                let [first, last] = input::ends(position, side);
                (Role::Mover(side), format!("{side}, {first} to {last} or help"))
            }
        };
        let prompt = Line::default().with(role, text).with(Role::Plain, ">");
        write!(self.out, "{} ", self.terminal.palette.paint(&prompt))?;
        self.prompted = true;
        self.out.flush()
    }

    /// Says that the engine takes its time, to somebody who types.
    fn say_who_thinks(&mut self, session: &Session) -> io::Result<()> {
        if let (Some(side), true) = (session.thinking(), self.terminal.typed) {
            let name = session.name_of(side);
            let text = format!("{name} thinks; now, undo and quit can be typed.");
            self.sentence(Role::Quiet, &text)?;
            self.out.flush()?;
        }
        Ok(())
    }
}

/// Whether the board is shown after a sowing: not between the sowings of one
/// turn of the engine, which come too fast to be looked at.
fn is_worth_drawing(session: &Session, mover: Side) -> bool {
    let next = session.game().position().side();
    !session.has_people()
        || session.game().outcome().is_some()
        || session.seat(mover).is_person()
        || session.seat(next).is_person()
}

/// An error's message as a sentence of its own.
fn as_sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_as_sentences() {
        assert_eq!(as_sentence("pit C is empty"), "Pit C is empty.");
    }
}
