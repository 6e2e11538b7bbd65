//! A session at the board: what a person or the engine does, and what is to be
//! said about it.
//!
//! Front ends give it [`Action`]s and the engine's `Thought`s and show the
//! [`Note`]s that come back. It never waits, reads or prints; the files of
//! games are the only thing of the world outside that it touches.
//!
//! ```text
//! note       what there is to show
//! commands   what a person can ask for besides sowing
//! answers    what comes of the engine's answers
//! ```

mod answers;
mod commands;
mod note;

use std::time::Instant;

use super::game::{Game, Outcome, Player, Step};
use super::input::Action;
use super::keep::{self, Keeper, Loaded};
use super::pages;
use super::seat::Seat;
use super::thinker::{Question, Thinker, Ticket};
use crate::game::{Pit, Position, Side};
use crate::record::{self, Reason};
use crate::sys::clock::now;
use crate::view::board::{Annotations, Glyphs};
use crate::view::sentence;
use crate::view::text::Line;

pub use note::Note;
use note::{said, trouble};

/// What a new game is like.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where it starts.
    pub start: Position,
    /// Who plays South and North.
    pub seats: [Seat; 2],
    /// Whether the seats are drawn by lot for each game.
    pub random_sides: bool,
    /// Whether the pie rule holds.
    pub pie: bool,
}

impl Setup {
    fn seats(&self) -> [Seat; 2] {
        let [south, north] = self.seats;
        if self.random_sides && rand::random() { [north, south] } else { [south, north] }
    }
}

/// What the thinker is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Move,
    Hint,
    /// A hint that is not told: it feeds the evaluation bar.
    Estimate,
    Values,
    Losses,
}

/// A session: one game after the other at one board.
pub struct Session {
    setup: Setup,
    game: Game,
    seats: [Seat; 2],
    /// Who played a game that was loaded, until it is played on.
    names: Option<[String; 2]>,
    /// When the game began.
    date: String,
    thinker: Thinker,
    task: Option<(Ticket, Task)>,
    asked: Instant,
    keeper: Option<Keeper>,
    /// Whether the engine leaves the position as it is shown.
    paused: bool,
    flipped: bool,
    hinted: Option<Pit>,
    /// What the full engine or the last mover thought of the game: South's
    /// margin at the end, in seeds.
    expected: Option<f64>,
    /// Columns and characters for pages.
    width: usize,
    glyphs: Glyphs,
    left: bool,
}

impl Session {
    /// A session about to begin its first game.
    pub fn new(setup: Setup, thinker: Thinker, keeper: Option<Keeper>, glyphs: Glyphs) -> Self {
        Self {
            game: Game::new(setup.start, setup.pie),
            seats: setup.seats(),
            setup,
            names: None,
            date: now(),
            thinker,
            task: None,
            asked: Instant::now(),
            keeper,
            paused: false,
            flipped: false,
            hinted: None,
            expected: None,
            width: 80,
            glyphs,
            left: false,
        }
    }

    /// Tells who plays and lets the engine begin if it is its turn.
    pub fn begin(&mut self) -> Vec<Note> {
        let [south, north] = Side::BOTH.map(|side| self.name_of(side));
        let rules = match self.setup.start.capture() {
            crate::game::Capture::Standard => "",
            crate::game::Capture::EmptyCapture => ", empty captures",
        };
        let pie = if self.setup.pie { ", pie rule" } else { "" };
        let position = self.game.position();
        let mut notes = vec![
            said(format!(
                "Kalah, {} pits, {}{rules}{pie}. {south} against {north}.",
                position.pits(),
                sentence::seeds(position.total())
            )),
            Note::Board,
        ];
        notes.extend(self.go_on());
        notes
    }

    /// Takes up a loaded game.
    pub fn take_up(&mut self, loaded: Loaded) -> Vec<Note> {
        self.rest();
        let Loaded { game, seats, record, number } = loaded;
        self.game = game;
        self.date = record.date.clone().unwrap_or_else(now);
        self.names = seats.is_none().then(|| record.players.clone().map(|player| player.name));
        self.seats = seats.unwrap_or(self.seats);
        self.expected = None;
        let count = self.game.steps().len();
        let mut text = match number {
            (_, 1) => "The game".to_owned(),
            (number, games) => format!("Game {number} of {games}"),
        };
        let [south, north] = Side::BOTH.map(|side| self.name_of(side));
        text += &format!(" of {south} against {north}, {}.", moves(count));
        let finished = record.ending().is_some();
        if let Some(ending) = record.ending() {
            text += &format!(" {}", of_ending(ending));
        }
        self.paused = finished;
        if finished {
            self.game.step_to(0);
            text += " next and back step through it, last shows the end, go plays on.";
        }
        let mut notes = vec![said(text), Note::Board];
        notes.extend(self.go_on());
        notes
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether the person has left.
    pub fn has_left(&self) -> bool {
        self.left
    }

    /// The side whose move the engine is thinking about.
    pub fn thinking(&self) -> Option<Side> {
        matches!(self.task, Some((_, Task::Move))).then(|| self.game.position().side())
    }

    /// Whether the engine is at anything.
    pub fn is_busy(&self) -> bool {
        self.task.is_some()
    }

    /// Whether any seat is a person's.
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(|seat| seat.is_person())
    }

    /// Whether a person is to decide: the game goes on and waits.
    pub fn waits(&self) -> bool {
        self.game.outcome().is_none() && self.thinking().is_none()
    }

    /// Whether nothing will happen by itself any more.
    pub fn is_finished(&self) -> bool {
        self.game.outcome().is_some() && self.task.is_none()
    }

    /// The seat of a side.
    pub fn seat(&self, side: Side) -> Seat {
        self.seats[self.game.player_at(side).index()]
    }

    /// The side that is shown at the bottom: that of the one person, unless
    /// the board was flipped.
    pub fn bottom(&self) -> Side {
        let side = self.only_person().unwrap_or(Side::South);
        if self.flipped { side.other() } else { side }
    }

    /// The side of the person, if there is one and no more.
    fn only_person(&self) -> Option<Side> {
        match self.seats.map(Seat::is_person) {
            [true, false] => Some(self.game.side_of(Player(Side::South))),
            [false, true] => Some(self.game.side_of(Player(Side::North))),
            _ => None,
        }
    }

    /// The name of a side and who plays it.
    pub fn name_of(&self, side: Side) -> String {
        if let Some(names) = &self.names {
            return match names[side.index()].as_str() {
                "" => side.to_string(),
                name => format!("{side} ({name})"),
            };
        }
        match self.seat(side) {
            Seat::Person if self.only_person().is_some() => format!("{side} (you)"),
            Seat::Person => side.to_string(),
            Seat::Engine(strength) => format!("{side} ({strength})"),
        }
    }

    /// What is to be pointed out on the board.
    pub fn annotations(&self) -> Annotations {
        let position = self.game.position();
        let over = self.game.outcome().is_some();
        let last = self.game.steps().iter().rev().find_map(|made| made.played);
        Annotations {
            last: last.map(|played| (played.side, played.pit)),
            chosen: self.hinted.map(|pit| (position.side(), pit)),
            names: Side::BOTH.map(|side| self.name_of(side)),
            to_move: (!over).then(|| position.side()),
        }
    }

    /// South's expected margin at the end, in seeds, if anyone has said so.
    pub fn expected(&self) -> Option<f64> {
        match self.game.outcome() {
            Some(Outcome::Finished(margin)) => Some(f64::from(margin.0)),
            _ => self.expected,
        }
    }

    /// The file that the game is kept in.
    pub fn file(&self) -> Option<&std::path::Path> {
        self.keeper.as_ref()?.file()
    }

    /// Tells how wide pages may be.
    pub fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// Does what a person asks for.
    pub fn act(&mut self, action: Action) -> Vec<Note> {
        match action {
            Action::Sow(pit) => self.step(Step::Sow(pit)),
            Action::Swap => self.step(Step::Swap),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Back => self.step_to(self.game.steps().len().checked_sub(1)),
            Action::Next => self.step_to(Some(self.game.steps().len() + 1)),
            Action::First => self.step_to(Some(0)),
            Action::Last => self.step_to(Some(usize::MAX)),
            Action::Go => self.go(),
            Action::Now => self.now(),
            Action::Hint => self.ask(Task::Hint, Question::Hint(*self.game.position())),
            Action::Eval => self.ask(Task::Values, Question::Values(*self.game.position())),
            Action::Analyse => self.analyse(),
            Action::Save(name) => vec![self.save(name)],
            Action::Load(name) => match keep::load(&at_home(&name)) {
                Ok(loaded) => {
                    self.leave_file();
                    self.take_up(loaded)
                }
                Err(error) => vec![trouble(error)],
            },
            Action::Moves => vec![self.page("Moves", pages::moves(&self.game))],
            Action::Board => vec![Note::Board],
            Action::Flip => {
                self.flipped = !self.flipped;
                vec![said(format!("{} is at the bottom now.", self.bottom())), Note::Board]
            }
            Action::Level(name) => self.level(name),
            Action::Resign => self.resign(),
            Action::New => self.start_again(),
            Action::Help => {
                vec![self.page("Commands", pages::help(self.game.position(), self.width))]
            }
            Action::Rules => {
                vec![self.page("Rules", pages::rules(self.game.position(), self.width))]
            }
            Action::Quit => self.leave(),
        }
    }

    fn page(&self, title: &'static str, lines: Vec<Line>) -> Note {
        let fold = |line| pages::folded(line, self.width);
        Note::Page { title, lines: lines.into_iter().flat_map(fold).collect() }
    }

    fn step(&mut self, step: Step) -> Vec<Note> {
        if let Some(side) = self.thinking() {
            return vec![trouble(format!(
                "it is {side}'s turn, and the engine thinks; wait, or type now, undo or quit"
            ))];
        }
        let before = *self.game.position();
        if let Err(error) = self.game.make(step) {
            return vec![trouble(match self.game.outcome() {
                Some(_) => format!("{error}; undo takes the last decision back, new starts again"),
                None => error.to_string(),
            })];
        }
        self.rest();
        self.paused = false;
        self.names = None;
        self.after_step(before)
    }

    /// Tells of the step just made, keeps the game, and lets it go on.
    fn after_step(&mut self, before: Position) -> Vec<Note> {
        let Some(made) = self.game.last() else { return Vec::new() };
        let mut notes = Vec::new();
        match made.played {
            Some(played) => {
                let mut sentence = sentence::of_move(&played, &made.after);
                if made.after.is_over() {
                    sentence += self.verdict();
                }
                notes.push(Note::Sowed { played, before, sentence });
            }
            None => {
                let [south, north] = Side::BOTH.map(|side| self.name_of(side));
                notes.push(said(format!(
                    "{} swaps the sides. {south} against {north}, {} to move.",
                    made.side,
                    self.game.position().side()
                )));
                notes.push(Note::Board);
            }
        }
        if self.game.may_swap() && self.seat(self.game.position().side()).is_person() {
            notes.push(said("You may swap the sides instead of moving: swap."));
        }
        notes.extend(self.keep());
        notes.extend(self.go_on());
        notes
    }

    /// What the end means to the one person.
    fn verdict(&self) -> &'static str {
        let loser = match self.game.outcome() {
            Some(Outcome::Finished(margin)) if margin.0 > 0 => Side::North,
            Some(Outcome::Finished(margin)) if margin.0 < 0 => Side::South,
            Some(Outcome::Resigned(side)) => side,
            _ => return "",
        };
        match self.only_person() {
            Some(side) if side == loser => " You lose.",
            Some(_) => " You win.",
            None => "",
        }
    }

    /// Starts the engine if it is its turn.
    fn go_on(&mut self) -> Vec<Note> {
        let position = *self.game.position();
        let Seat::Engine(strength) = self.seat(position.side()) else { return Vec::new() };
        if self.paused || self.game.outcome().is_some() {
            return Vec::new();
        }
        self.put(Task::Move, Question::Move(position, strength))
    }

    fn put(&mut self, task: Task, question: Question) -> Vec<Note> {
        self.asked = Instant::now();
        match self.thinker.ask(question) {
            Ok(ticket) => {
                self.task = Some((ticket, task));
                Vec::new()
            }
            Err(error) => {
                self.task = None;
                vec![trouble(format!("the engine cannot think: {error}"))]
            }
        }
    }

    /// Lets the engine judge the position for [`Session::expected`], unasked.
    pub fn estimate(&mut self) {
        let position = *self.game.position();
        if self.task.is_none() && self.game.outcome().is_none() {
            // Nobody asked, nobody is told that it failed.
            let _ = self.put(Task::Estimate, Question::Hint(position));
        }
    }

    fn ask(&mut self, task: Task, question: Question) -> Vec<Note> {
        if let Some(side) = self.thinking() {
            return vec![trouble(format!(
                "the engine thinks about {side}'s move; ask in your turn"
            ))];
        }
        if self.game.outcome().is_some() {
            return vec![trouble("the game is over; back and undo go back into it")];
        }
        self.put(task, question)
    }

    /// Gives up whatever the engine is at.
    fn rest(&mut self) {
        self.thinker.give_up();
        self.task = None;
        self.hinted = None;
    }
}

/// `one move`, `5 moves`.
fn moves(count: usize) -> String {
    if count == 1 { "one move".to_owned() } else { format!("{count} moves") }
}

/// How a recorded game ended, in a sentence.
fn of_ending(ending: &record::Ending) -> String {
    let reason = match ending.reason {
        Reason::Normal => String::new(),
        reason => format!(" ({reason})"),
    };
    match ending.outcome {
        record::Outcome::Won(side) => format!("{side} won{reason}."),
        record::Outcome::Draw => format!("It was a draw{reason}."),
    }
}

/// A file name with `~/` as shells read it.
fn at_home(name: &str) -> String {
    match (name.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) if !home.is_empty() => format!("{home}/{rest}"),
        _ => name.to_owned(),
    }
}
