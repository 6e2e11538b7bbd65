//! Playing on the full screen, with keys and mouse.
//!
//! ```text
//! screen    what is on the screen: pure, from what is known to a frame
//! keys      what a key means
//! motion    sowings that are shown seed by seed
//! guard     the terminal, given back on every way out
//! ```
//!
//! The loop here brings keys, signals and the engine's thoughts together. The
//! game itself is the same [`Session`] that plays line by line.

mod guard;
mod keys;
mod motion;
mod screen;

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;

use ratatui::crossterm::event::{self, Event as Input, KeyEventKind, MouseButton, MouseEventKind};

use super::input::{self, Action};
use super::session::{Note, Session};
use super::thinker::Thought;
use crate::game::Pit;
use crate::view::board::Glyphs;
use crate::view::palette::Palette;

pub use motion::Pace;

pub use guard::Guard;
use keys::Key;
use motion::Motion;
use screen::{Popup, Screen};

/// Something that the loop has to look at.
#[derive(Debug)]
pub enum Event {
    /// A key, the mouse, or a new size.
    Input(Input),
    /// The terminal is gone, or the process is asked to end.
    End,
    /// The engine says something.
    Thought(Thought),
}

/// How the screen is to look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Its colours.
    pub palette: Palette,
    /// Its characters.
    pub glyphs: Glyphs,
    /// How fast seeds are sown.
    pub pace: Pace,
}

/// Plays until the person leaves or the terminal is gone. The terminal is as
/// it was when this returns, by whatever way.
///
/// # Errors
/// If the terminal cannot be taken over or written to; the game is in its
/// file by then.
pub fn play(
    session: &mut Session,
    first: Vec<Note>,
    style: Style,
    (sender, events): (Sender<Event>, Receiver<Event>),
) -> io::Result<Vec<Note>> {
    let mut guard = Guard::new()?;
    read_input(sender)?;
    let mut table = Table::new(session, style);
    table.take(first);
    while !table.session.has_left() {
        let (shown, popup) = (table.screen(), table.popup.clone());
        guard.draw(|frame| {
            table.geometry = screen::draw(frame, &shown, popup.as_ref());
        })?;
        table.estimate();
        let event = match events.recv_timeout(table.motion.rest()) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => {
                table.motion.advance();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => Event::End,
        };
        table.handle(event);
    }
    Ok(table.last_words)
}

/// Sends what is typed and clicked, from a thread.
fn read_input(events: Sender<Event>) -> io::Result<()> {
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let event = event::read().map_or(Event::End, Event::Input);
            let ended = matches!(event, Event::End);
            if events.send(event).is_err() || ended {
                break;
            }
        }
    })?;
    Ok(())
}

/// The most sentences that are remembered for the screen.
const REMEMBERED: usize = 50;

/// All that is on the table: the session and what is shown of it.
struct Table<'a> {
    session: &'a mut Session,
    style: Style,
    /// The pit that the arrows chose.
    chosen: Option<Pit>,
    /// What was said, the latest last; whether it was trouble.
    sayings: VecDeque<(bool, String)>,
    popup: Option<Popup>,
    /// A command being typed after `:`.
    typed: Option<String>,
    motion: Motion,
    shows_bar: bool,
    geometry: screen::Geometry,
    last_words: Vec<Note>,
    /// The number of steps after which the position was judged for the bar.
    estimated: Option<usize>,
    /// Sowings of the game that are judged, of how many.
    progress: Option<(usize, usize)>,
}

impl<'a> Table<'a> {
    fn new(session: &'a mut Session, style: Style) -> Self {
        Self {
            session,
            style,
            chosen: None,
            sayings: VecDeque::new(),
            popup: None,
            typed: None,
            motion: Motion::new(style.pace),
            shows_bar: true,
            geometry: screen::Geometry::default(),
            last_words: Vec::new(),
            estimated: None,
            progress: None,
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Thought(thought) => {
                self.progress = None;
                let notes = self.session.hear(thought);
                self.take(notes);
            }
            Event::End => self.last_words = self.session.leave(),
            Event::Input(Input::Key(key)) if key.kind != KeyEventKind::Release => {
                match &mut self.typed {
                    Some(_) => self.type_on(key),
                    None => self.press(keys::meaning(key, self.session.game().position().pits())),
                }
            }
            Event::Input(Input::Mouse(mouse))
                if mouse.kind == MouseEventKind::Down(MouseButton::Left) =>
            {
                self.click(mouse.column.into(), mouse.row.into());
            }
            Event::Input(_) => {}
        }
    }

    /// A key while a command is being typed.
    fn type_on(&mut self, key: event::KeyEvent) {
        use event::{KeyCode, KeyModifiers};
        let Some(typed) = &mut self.typed else { return };
        match key.code {
            KeyCode::Esc => self.typed = None,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                self.typed = None
            }
            KeyCode::Char(letter) if typed.chars().count() < 200 => typed.push(letter),
            KeyCode::Backspace if typed.is_empty() => self.typed = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Enter => {
                let line = self.typed.take().unwrap_or_default();
                match input::parse(&line, self.session.game().position()) {
                    Ok(action) => self.act(action),
                    Err(input::InputError::Empty { .. }) => {}
                    Err(error) => self.take(vec![Note::Trouble(error.to_string())]),
                }
            }
            _ => {}
        }
    }

    fn press(&mut self, key: Key) {
        if let Some(popup) = &mut self.popup {
            match key {
                Key::Up => popup.first_line = popup.first_line.saturating_sub(1),
                Key::Down => popup.first_line += 1,
                _ => self.popup = None,
            }
            return;
        }
        match key {
            Key::Act(action) => self.act(action),
            Key::Left => self.choose(-1),
            Key::Right => self.choose(1),
            // On an upright board the near row runs downwards.
            Key::Up if self.geometry.is_upright() => self.choose(-1),
            Key::Down if self.geometry.is_upright() => self.choose(1),
            Key::Up | Key::Down => {}
            Key::SowChosen => match self.chosen {
                Some(pit) => self.act(Action::Sow(pit)),
                None => self.choose(1),
            },
            Key::Command => self.typed = Some(String::new()),
            Key::Pace => {
                self.motion.change_pace();
                self.take(vec![Note::Said(format!("Sowing is shown {}.", self.motion.pace()))]);
            }
            Key::Bar => self.shows_bar = !self.shows_bar,
            Key::Nothing => {}
        }
    }

    /// Moves the choice over the pits that can be sown, by screen directions.
    fn choose(&mut self, step: isize) {
        let position = self.session.game().position();
        let pits: Vec<Pit> = position.moves().collect();
        if pits.is_empty() || self.session.thinking().is_some() {
            return;
        }
        let reversed = position.side() != self.session.bottom();
        let forward = (step > 0) != reversed;
        let place = self.chosen.and_then(|chosen| pits.iter().position(|&pit| pit == chosen));
        let last = pits.len() - 1;
        let next = match (place, forward) {
            (None, true) => 0,
            (None, false) => last,
            (Some(place), true) => {
                if place == last {
                    0
                } else {
                    place + 1
                }
            }
            (Some(place), false) => place.checked_sub(1).unwrap_or(last),
        };
        self.chosen = Some(pits[next]);
    }

    fn click(&mut self, column: usize, row: usize) {
        if self.popup.take().is_some() {
            return;
        }
        let position = self.session.game().position();
        let Some((side, pit)) = self.geometry.pit_at(position, column, row) else { return };
        if side == position.side() {
            self.act(Action::Sow(pit));
        } else {
            let text =
                format!("pit {} is not yours: {} is to move", pit.letter(side), position.side());
            self.take(vec![Note::Trouble(text)]);
        }
    }

    fn act(&mut self, action: Action) {
        self.progress = None;
        self.motion.finish();
        let leaves = action == Action::Quit;
        let notes = self.session.act(action);
        if leaves {
            self.last_words = notes;
        } else {
            self.take(notes);
        }
    }

    fn take(&mut self, notes: Vec<Note>) {
        for note in notes {
            match note {
                Note::Sowed { played, before, sentence } => {
                    self.chosen = None;
                    self.motion.add(&before, &played);
                    self.say(false, sentence);
                }
                Note::Board => {
                    self.chosen = None;
                    self.estimated = None;
                    self.motion.finish();
                }
                Note::Said(text) => self.say(false, text),
                Note::Trouble(text) => self.say(true, text),
                Note::Page { title, lines } => self.popup = Some(Popup::new(title, lines)),
                Note::Progress(done, all) => self.progress = Some((done, all)),
            }
        }
    }

    fn say(&mut self, trouble: bool, text: String) {
        self.sayings.push_back((trouble, text));
        if self.sayings.len() > REMEMBERED {
            self.sayings.pop_front();
        }
    }

    /// Lets the engine judge a position that nobody has judged yet, for the bar.
    fn estimate(&mut self) {
        let steps = self.session.game().steps().len();
        let wanted = self.shows_bar && self.session.waits() && self.estimated != Some(steps);
        if wanted && !self.session.is_busy() {
            self.estimated = Some(steps);
            self.session.estimate();
        }
    }

    fn screen(&self) -> Screen {
        let session = &*self.session;
        let mut annotations = session.annotations();
        let side = session.game().position().side();
        if session.thinking().is_none()
            && let Some(pit) = self.chosen
        {
            annotations.chosen = Some((side, pit));
        }
        let frame = self.motion.frame();
        if let Some(frame) = frame {
            annotations.chosen = match frame.at {
                super::frames::Place::Pit(side, pit) => Some((side, pit)),
                super::frames::Place::Store(_) => None,
            };
        }
        Screen {
            position: frame.map_or(*session.game().position(), |frame| frame.board),
            hand: frame.map(|frame| frame.hand),
            annotations,
            bottom: session.bottom(),
            palette: self.style.palette,
            glyphs: self.style.glyphs,
            expected: self.shows_bar.then(|| session.expected()),
            moves: super::pages::moves(session.game()),
            sayings: self.sayings.iter().cloned().collect(),
            typed: self.typed.clone(),
            thinking: session.thinking().map(|side| session.name_of(side)),
            progress: self.progress,
            over: session.game().outcome().is_some(),
        }
    }
}
