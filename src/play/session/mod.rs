//! A session: a game, its players and the engine.
//!
//! Front ends pass it [`Action`]s and the engine's [`Update`]s, and show the
//! [`Message`]s that it returns. It never waits, reads input or prints; the only
//! side effects are the files of games.
//!
//! ```text
//! actions   the actions of a player
//! engine    the engine's tasks and their results, and the clock that runs
//! ```

mod actions;
mod engine;

use std::error::Error;
use std::time::{Duration, Instant};

use super::background::{BackgroundEngine, Task};
use super::clock::{self, ClockRules};
use super::command::Action;
use super::event::Update;
use super::game::Game;
pub(crate) use super::message::Message;
use super::pages;
use super::saved::{self, Loaded, SavedGames};
use super::seat::Seat;
use super::tutor::Tutor;
use crate::game::score::Gain;
use crate::game::{Pit, Position, Side};
use crate::sys::clock::now;
use crate::view::board::{Annotations, Glyphs};
use crate::view::text::Line;

/// Why an action was refused.
type Refused = Box<dyn Error>;

/// Settings of a new game.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) start: Position,
    /// The players of South and North.
    pub(crate) seats: [Seat; 2],
    /// Whether each game deals the seats at random.
    pub(crate) random_sides: bool,
    pub(crate) pie_rule: bool,
    /// None if time is unlimited.
    pub(crate) clock_rules: Option<ClockRules>,
    /// Whether the mistakes of people are pointed out immediately.
    pub(crate) coach: bool,
    /// The least time before a move of the engine.
    pub(crate) pause: Duration,
}

impl Setup {
    fn seats(&self) -> [Seat; 2] {
        let [south, north] = self.seats;
        if self.random_sides && rand::random() { [north, south] } else { [south, north] }
    }
}

/// One game after another.
pub(crate) struct Session {
    setup: Setup,
    game: Game,
    /// By the sides that the players had at the start.
    seats: [Seat; 2],
    /// The players' names of a loaded game, until play resumes.
    names: Option<[String; 2]>,
    /// When the game began.
    date: String,
    clock_rules: Option<ClockRules>,
    /// When the turn of the player to move began.
    turn_began: Instant,
    /// Whose flag fall was reported, by the sides that the players had at the start.
    is_over_time: [bool; 2],
    engine: BackgroundEngine,
    /// When the engine began its task.
    started: Instant,
    saved_games: SavedGames,
    /// The lessons or puzzles for which the game waits.
    tutor: Option<Tutor>,
    /// While true, the engine does not move.
    paused: bool,
    flipped: bool,
    /// Whether there is a game to go back to after the exercises.
    has_game: bool,
    hinted: Option<Pit>,
    /// South's margin in the opening book, as last reported.
    named_margin: Option<Gain>,
    /// South's expected final margin in seeds, from the latest search.
    expected: Option<f64>,
    /// Columns and characters for pages.
    width: usize,
    glyphs: Glyphs,
    ended: bool,
    /// Messages of the current action.
    messages: Vec<Message>,
}

impl Session {
    pub(crate) fn new(
        setup: Setup,
        engine: BackgroundEngine,
        saved_games: SavedGames,
        glyphs: Glyphs,
    ) -> Self {
        Self {
            game: Game::new(setup.start, setup.pie_rule),
            seats: setup.seats(),
            clock_rules: setup.clock_rules,
            setup,
            names: None,
            date: now(),
            turn_began: Instant::now(),
            is_over_time: [false; 2],
            engine,
            started: Instant::now(),
            saved_games,
            tutor: None,
            paused: false,
            flipped: false,
            has_game: true,
            hinted: None,
            named_margin: None,
            expected: None,
            width: 80,
            glyphs,
            ended: false,
            messages: Vec::new(),
        }
    }

    /// Starts with a loaded game or a new one.
    pub(crate) fn begin(&mut self, loaded: Option<Loaded>) -> Vec<Message> {
        match loaded {
            Some(loaded) => self.continue_game(loaded),
            None => self.announce(),
        }
        self.take_messages()
    }

    /// Sets the exercises of a tutor; the session ends with them.
    pub(crate) fn begin_lessons(&mut self, mut tutor: Tutor) -> Vec<Message> {
        let messages = tutor.begin();
        self.tutor = Some(tutor);
        self.has_game = false;
        messages
    }

    /// The tutor while it sets exercises.
    pub(crate) fn tutor(&self) -> Option<&Tutor> {
        self.tutor.as_ref()
    }

    /// Passes a line to the tutor; after its last exercise the game continues.
    pub(crate) fn answer(&mut self, line: &str) -> Vec<Message> {
        let Some(tutor) = &mut self.tutor else { return Vec::new() };
        self.messages = tutor.answer(line);
        if tutor.has_ended() {
            self.tutor = None;
            self.ended = !self.has_game;
            if self.has_game {
                let side = self.game.position().side();
                self.text(format!("Back to your game, {side} to move."));
                self.messages.push(Message::Board);
            }
        }
        self.take_messages()
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> Position {
        self.tutor.as_ref().map_or(*self.game.position(), Tutor::position)
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The side for which the engine is searching a move, or will when it has judged the
    /// last one.
    pub(crate) fn thinking(&self) -> Option<Side> {
        let side = self.game.position().side();
        match self.engine.task()? {
            Task::Move(..) => Some(side),
            Task::Loss if !self.seat(side).is_person() => Some(side),
            _ => None,
        }
    }

    /// Whether the engine has a task.
    pub(crate) fn is_busy(&self) -> bool {
        self.engine.task().is_some()
    }

    pub(crate) fn has_people(&self) -> bool {
        self.seats.iter().any(|seat| seat.is_person())
    }

    /// Who plays a side now.
    pub(crate) fn seat(&self, side: Side) -> Seat {
        self.seats[self.game.record().player_at(side).index()]
    }

    /// The side at the bottom of the board: the only person's, unless the board was
    /// flipped.
    pub(crate) fn bottom(&self) -> Side {
        if let Some(tutor) = &self.tutor {
            return tutor.side();
        }
        let side = self.only_person().unwrap_or(Side::South);
        if self.flipped { side.other() } else { side }
    }

    /// The side of the person, if there is exactly one.
    fn only_person(&self) -> Option<Side> {
        match Side::BOTH.map(|side| self.seat(side).is_person()) {
            [true, false] => Some(Side::South),
            [false, true] => Some(Side::North),
            _ => None,
        }
    }

    /// A side and who plays it, `South (you)`.
    pub(crate) fn name_of(&self, side: Side) -> String {
        let name = match (&self.names, self.seat(side)) {
            (Some(names), _) => names[side.index()].clone(),
            (None, Seat::Person) if self.only_person().is_some() => "you".to_owned(),
            // Makes a swap visible.
            (None, Seat::Person) if self.setup.pie_rule => {
                format!("player {}", self.game.record().player_at(side).index() + 1)
            }
            (None, Seat::Person) => String::new(),
            (None, engine) => engine.to_string(),
        };
        if name.is_empty() { side.to_string() } else { format!("{side} ({name})") }
    }

    fn names_against(&self) -> String {
        let [south, north] = Side::BOTH.map(|side| self.name_of(side));
        format!("{south} against {north}")
    }

    /// The pit of the last hint, until a move is made.
    #[cfg(feature = "tui")]
    pub(crate) fn hinted(&self) -> Option<Pit> {
        self.hinted
    }

    pub(crate) fn annotations(&self) -> Annotations {
        if let Some(tutor) = &self.tutor {
            return Annotations {
                last: tutor.last_move(),
                chosen: None,
                names: Side::BOTH.map(|side| {
                    if side == tutor.side() { format!("{side} (you)") } else { side.to_string() }
                }),
                to_move: tutor.to_move(),
            };
        }
        let side = self.game.position().side();
        let last = self.game.record().steps().last();
        Annotations {
            last: last.map(|step| (step.played.side, step.played.pit)),
            chosen: self.hinted.map(|pit| (side, pit)),
            names: Side::BOTH.map(|side| {
                let time = self.time_left(side).map(|left| format!(", {}", clock::shown(left)));
                self.name_of(side) + &time.unwrap_or_default()
            }),
            to_move: (!self.game.is_over()).then_some(side),
        }
    }

    /// South's final margin in seeds: the result, or the latest search's expectation.
    #[cfg(feature = "tui")]
    pub(crate) fn expected(&self) -> Option<f64> {
        let result = self.game.record().ending().and_then(|ending| ending.margin);
        result.map(|margin| f64::from(margin.0)).or(self.expected)
    }

    /// The result of a game that has just ended, and what to do next.
    #[cfg(feature = "tui")]
    pub(crate) fn result(&self) -> Option<Vec<Line>> {
        let is_shown = self.game.is_over() && !self.paused;
        is_shown.then(|| pages::result(self.game.record(), self.only_person()))
    }

    /// The number of columns for pages.
    pub(crate) fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// Performs an action of a player.
    pub(crate) fn act(&mut self, action: Action) -> Vec<Message> {
        if let Err(error) = self.try_to(action) {
            self.messages.push(Message::Error(error.to_string()));
        }
        self.take_messages()
    }

    fn try_to(&mut self, action: Action) -> Result<(), Refused> {
        let steps = self.game.steps();
        let position = *self.game.position();
        match action {
            Action::Sow(pit) => self.play(Some(pit))?,
            Action::Swap => self.play(None)?,
            Action::Undo => self.undo()?,
            Action::Redo => self.redo()?,
            Action::Back => self.step_to(steps.checked_sub(1))?,
            Action::Next => self.step_to(Some(steps + 1))?,
            Action::First => self.step_to(Some(0))?,
            Action::Last => self.step_to(Some(usize::MAX))?,
            Action::Go => self.play_on()?,
            Action::Now if !self.is_busy() => return Err("the engine is not thinking".into()),
            Action::Now => self.engine.stop(),
            Action::Hint => self.ask(Task::Hint)?,
            Action::Eval => self.ask(Task::Values)?,
            Action::Analyse => self.analyse()?,
            Action::Save(name) => self.save(name)?,
            Action::Load(name) => {
                let loaded = saved::load(&name)?;
                self.saved_games.begin_game();
                self.continue_game(loaded);
            }
            Action::Moves => self.page("Moves", pages::moves(&self.game)),
            Action::Board => self.messages.push(Message::Board),
            Action::Flip => {
                self.flipped = !self.flipped;
                self.text(format!("{} is now at the bottom.", self.bottom()));
                self.messages.push(Message::Board);
            }
            Action::Level(name) => self.level(name)?,
            Action::Variation(number) => self.variation(number)?,
            Action::Resign => self.resign()?,
            Action::Learn(number) => self.learn(number)?,
            Action::New => self.start_again(),
            Action::Help => self.page("Commands", pages::help(&position, self.width)),
            Action::Rules => self.page("Rules", pages::rules(&position, self.width)),
            Action::Quit => self.end(),
        }
        Ok(())
    }

    /// Accepts a result of the engine.
    pub(crate) fn update(&mut self, number: u64, update: Update) -> Vec<Message> {
        let Some(task) = self.engine.accept(number, &update) else { return Vec::new() };
        match update {
            Update::Progress(done, count) => self.messages.push(Message::Progress(done, count)),
            Update::Best(result) => self.searched(task, &result),
            Update::Hint(judgement) => self.show_hint(&judgement),
            Update::Values(values) => self.show_values(&values),
            Update::Losses(losses) => self.show_losses(&losses),
            Update::Loss(loss) => self.coach(&loss),
            Update::Failed => self.failed(task),
        }
        self.take_messages()
    }

    /// Starts a search for the [expected margin](Self::expected) if the engine has no
    /// other task; returns whether it started.
    #[cfg(feature = "tui")]
    pub(crate) fn estimate(&mut self) -> bool {
        // Only the evaluation bar is lost if the engine cannot start.
        !self.is_busy()
            && !self.game.is_over()
            && self.engine.start(Task::Estimate, self.game.record()).is_ok()
    }

    /// Cancels the task that the player gave the engine, or else ends the session.
    pub(crate) fn interrupt(&mut self) -> Vec<Message> {
        match self.engine.task() {
            None | Some(Task::Move(..) | Task::Estimate | Task::Loss) => self.end(),
            Some(Task::Hint | Task::Values | Task::Losses) => {
                self.cancel();
                self.text("The analysis was cancelled.");
            }
        }
        self.take_messages()
    }

    /// Ends the session; the game is already in its file. The message names the command
    /// that makes use of it.
    fn end(&mut self) {
        self.cancel();
        self.ended = true;
        let Some(file) = self.saved_games.file() else { return };
        let use_of_it = if self.saved_games.is_in_play() {
            format!("'{}' continues it", self.saved_games.command("play --resume"))
        } else if let Some(number) = self.saved_games.number() {
            let command = format!("games {number} --report DIR");
            format!("'{}' writes a page of it", self.saved_games.command(&command))
        } else {
            return;
        };
        self.text(format!("The game is saved in {}; {use_of_it}.", file.display()));
    }

    fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    fn text(&mut self, text: impl Into<String>) {
        self.messages.push(Message::Text(text.into()));
    }

    fn page(&mut self, title: &'static str, lines: Vec<Line>) {
        let lines = lines.into_iter().flat_map(|line| pages::folded(line, self.width)).collect();
        self.messages.push(Message::Page { title, lines });
    }
}
