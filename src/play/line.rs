//! Playing line by line: works in every terminal, in a pipe and aloud.
//!
//! One channel brings typed lines, signals and the engine's thoughts to one
//! loop. Somebody who types is heard at once, whatever the engine is at; lines
//! of a pipe are read one by one, each when all before it is done, so that a
//! script means the same on every machine.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::input;
use super::sentence;
use super::session::{Note, Session};
use super::terminal::Terminal;
use super::text::{Line, Role, wrapped};
use super::thinker::Thought;
use super::view::{View, board};
use crate::kalah::Side;

/// Something that the loop has to look at.
#[derive(Debug)]
pub enum Event {
    /// A line was typed.
    Line(String),
    /// No more lines will come.
    End,
    /// The process is asked to end.
    Interrupt,
    /// The engine says something.
    Thought(Thought),
}

/// How long the engine may think before it is said that it does.
const PATIENCE: Duration = Duration::from_millis(900);

/// The longest line that is read, in bytes; the rest of it is dropped.
const LONGEST_LINE: u64 = 4096;

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
    let mut teller = Teller { terminal, out };
    teller.tell(session, &first)?;
    let mut reading = false;
    let mut patient = true;
    while !session.has_left() {
        if !reading && (terminal.typed || !session.is_busy()) {
            teller.prompt(session)?;
            reading = next_line.send(()).is_ok();
        }
        let timeout =
            if patient && session.thinking().is_some() { PATIENCE } else { Duration::MAX };
        let event = match receive(&events, timeout) {
            Some(event) => event,
            None => {
                patient = false;
                teller.say_who_thinks(session)?;
                continue;
            }
        };
        session.set_width(teller.width());
        let notes = match event {
            Event::Line(line) => {
                reading = false;
                match input::parse(&line, session.game().position()) {
                    Ok(action) => session.act(action),
                    // An empty line in a script says nothing.
                    Err(input::InputError::Empty { .. }) if !terminal.typed => Vec::new(),
                    Err(error) => vec![Note::Trouble(error.to_string())],
                }
            }
            Event::End | Event::Interrupt => {
                teller.end_line()?;
                session.leave()
            }
            Event::Thought(thought) => {
                let notes = session.hear(thought);
                let tells = notes.iter().any(|note| !matches!(note, Note::Progress(..)));
                if tells && reading {
                    // The prompt stands on the line already.
                    teller.end_line()?;
                    teller.tell(session, &notes)?;
                    teller.prompt(session)?;
                    patient = true;
                    continue;
                }
                notes
            }
        };
        patient = true;
        teller.tell(session, &notes)?;
    }
    teller.out.flush()
}

fn receive(events: &Receiver<Event>, timeout: Duration) -> Option<Event> {
    if timeout == Duration::MAX {
        // All senders gone: nothing can happen any more.
        return Some(events.recv().unwrap_or(Event::End));
    }
    match events.recv_timeout(timeout) {
        Ok(event) => Some(event),
        Err(mpsc::RecvTimeoutError::Timeout) => None,
        Err(mpsc::RecvTimeoutError::Disconnected) => Some(Event::End),
    }
}

/// Reads a line of the standard input whenever told to, in a thread.
fn read_lines(events: Sender<Event>) -> io::Result<Sender<()>> {
    let (ask, asked) = mpsc::channel();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        for () in asked {
            let event = read_line(&mut io::stdin().lock()).map_or(Event::End, Event::Line);
            let ended = matches!(event, Event::End);
            if events.send(event).is_err() || ended {
                break;
            }
        }
    })?;
    Ok(ask)
}

/// The next line, cut where it gets too long; none at the end.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).ok()?;
    if bytes.is_empty() {
        return None;
    }
    if !bytes.ends_with(b"\n") && bytes.len() as u64 == LONGEST_LINE {
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Shows notes as lines.
struct Teller<'a> {
    terminal: Terminal,
    out: &'a mut dyn Write,
}

impl Teller<'_> {
    fn width(&self) -> usize {
        // Sentences are hard to read if they are too long.
        self.terminal.width().min(100)
    }

    fn tell(&mut self, session: &Session, notes: &[Note]) -> io::Result<()> {
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
            for line in board(position, &session.marks(), &view) {
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
        if !self.terminal.typed {
            return Ok(());
        }
        let position = session.game().position();
        let side = position.side();
        let (role, text) = match () {
            _ if session.thinking().is_some() => (Role::Quiet, String::new()),
            _ if session.game().outcome().is_some() => {
                (Role::Plain, "Game over (new, undo, analyse, quit)".to_owned())
            }
            _ => {
                let [first, last] = input::ends(position, side);
                (Role::Mover(side), format!("{side}, {first} to {last} or help"))
            }
        };
        let prompt = Line::default().with(role, text).with(Role::Plain, ">");
        write!(self.out, "{} ", self.terminal.palette.paint(&prompt))?;
        self.out.flush()
    }

    /// Leaves the line of the prompt.
    fn end_line(&mut self) -> io::Result<()> {
        if self.terminal.typed { writeln!(self.out) } else { Ok(()) }
    }

    fn say_who_thinks(&mut self, session: &Session) -> io::Result<()> {
        let Some(side) = session.thinking().filter(|_| self.terminal.typed) else {
            return Ok(());
        };
        self.end_line()?;
        let text = format!("{} thinks; now, undo and quit can be typed.", session.name_of(side));
        self.line(&Line::default().with(Role::Quiet, text))?;
        self.prompt(session)
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
    fn a_line_that_never_ends_is_cut_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; 1_000_000];
        text.extend(b"\nundo\n\xff\nlast");
        let mut input = &text[..];
        assert_eq!(read_line(&mut input).map(|line| line.len()), Some(4096));
        assert_eq!(read_line(&mut input), Some("undo".to_owned()));
        assert_eq!(read_line(&mut input), Some("\u{fffd}".to_owned()));
        assert_eq!(read_line(&mut input), Some("last".to_owned()));
        assert_eq!(read_line(&mut input), None);
    }

    #[test]
    fn errors_are_told_as_sentences() {
        assert_eq!(as_sentence("pit C is empty"), "Pit C is empty.");
    }
}
