//! A session: a game, who plays it, and the engine.
//!
//! Front ends give it [`Action`]s and the engine's [`Update`]s, and show the
//! [`Message`]s that come back. It never waits, reads or prints; of the outside
//! world it touches only the files of games.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use super::background::{BackgroundEngine, Task};
use super::command::Action;
use super::event::{MoveLoss, Update};
use super::game::Game;
use super::pages;
use super::saved::{self, Loaded, SavedGames};
use super::seat::Seat;
use crate::game::{Capture, Pit, Played, Position, Side};
use crate::record::{self, Ending, Move, Outcome, Reason};
use crate::report::format::counted;
use crate::score::Value;
use crate::search::{Info, SearchResult};
use crate::sys::clock::now;
use crate::sys::names::shortened;
use crate::view::board::{Annotations, Glyphs};
use crate::view::sentence;
use crate::view::text::Line;

/// What a front end shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Message {
    /// A move was made; `text` says the same in words.
    Moved {
        played: Played,
        before: Position,
        text: String,
    },
    /// The board has changed in another way, or was asked for.
    Board,
    Text(String),
    /// Several lines, each at most as wide as [`Session::set_width`] says.
    Page {
        title: &'static str,
        lines: Vec<Line>,
    },
    /// Moves of the game analysed so far, of how many.
    Progress(usize, usize),
    /// Why an action cannot be done.
    Error(String),
}

/// Why an action cannot be done, for a message.
type Refused = Box<dyn Error>;

/// What a new game starts with.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) start: Position,
    /// The players of South and North.
    pub(crate) seats: [Seat; 2],
    /// Whether each game deals the seats at random.
    pub(crate) random_sides: bool,
    pub(crate) pie_rule: bool,
}

impl Setup {
    fn seats(&self) -> [Seat; 2] {
        let [south, north] = self.seats;
        if self.random_sides && rand::random() { [north, south] } else { [south, north] }
    }
}

/// One game after the other.
pub(crate) struct Session {
    setup: Setup,
    game: Game,
    /// By the sides that the players had at the start.
    seats: [Seat; 2],
    /// The players' names of a loaded game, until it is played on.
    names: Option<[String; 2]>,
    /// When the game began.
    date: String,
    engine: BackgroundEngine,
    /// When the engine began its task.
    started: Instant,
    saved_games: SavedGames,
    /// While true, the engine makes no moves.
    paused: bool,
    flipped: bool,
    hinted: Option<Pit>,
    /// South's margin at the end, in seeds, by the latest search.
    expected: Option<f64>,
    /// Columns and characters for pages.
    width: usize,
    glyphs: Glyphs,
    ended: bool,
    /// What the current action has to show.
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
            setup,
            names: None,
            date: now(),
            engine,
            started: Instant::now(),
            saved_games,
            paused: false,
            flipped: false,
            hinted: None,
            expected: None,
            width: 80,
            glyphs,
            ended: false,
            messages: Vec::new(),
        }
    }

    /// Begins with a loaded game, or with a new one.
    pub(crate) fn begin(&mut self, loaded: Option<Loaded>) -> Vec<Message> {
        match loaded {
            Some(loaded) => self.continue_game(loaded),
            None => self.announce(),
        }
        self.take_messages()
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The side whose move the engine is searching.
    pub(crate) fn thinking(&self) -> Option<Side> {
        matches!(self.engine.task(), Some(Task::Move(_))).then(|| self.game.position().side())
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

    /// The side that is shown at the bottom: that of the only person, unless
    /// the board was flipped.
    pub(crate) fn bottom(&self) -> Side {
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

    /// The name of a side and who plays it.
    pub(crate) fn name_of(&self, side: Side) -> String {
        let name = match (&self.names, self.seat(side)) {
            (Some(names), _) => names[side.index()].clone(),
            (None, Seat::Person) if self.only_person().is_some() => "you".to_owned(),
            // So that a swap can be seen.
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

    pub(crate) fn annotations(&self) -> Annotations {
        let side = self.game.position().side();
        let last = self.game.record().steps().last();
        Annotations {
            last: last.map(|step| (step.played.side, step.played.pit)),
            chosen: self.hinted.map(|pit| (side, pit)),
            names: Side::BOTH.map(|side| self.name_of(side)),
            to_move: (!self.game.is_over()).then_some(side),
        }
    }

    /// South's margin at the end, in seeds: the result, or by the latest search.
    #[cfg(feature = "tui")]
    pub(crate) fn expected(&self) -> Option<f64> {
        let result = self.game.record().ending().and_then(|ending| ending.margin);
        result.map(|margin| f64::from(margin.0)).or(self.expected)
    }

    /// The number of columns for pages.
    pub(crate) fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// Does what a player asks for.
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
                let loaded = saved::load(&expand_home(&name))?;
                self.saved_games.begin_game();
                self.continue_game(loaded);
            }
            Action::Moves => self.page("Moves", pages::moves(&self.game)),
            Action::Board => self.messages.push(Message::Board),
            Action::Flip => {
                self.flipped = !self.flipped;
                self.text(format!("{} is at the bottom now.", self.bottom()));
                self.messages.push(Message::Board);
            }
            Action::Level(name) => self.level(name)?,
            Action::Variation(number) => self.variation(number)?,
            Action::Resign => self.resign()?,
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
            Update::Values(values) => self.show_values(&values),
            Update::Losses(losses) => self.show_losses(&losses),
            Update::Failed => self.failed(task),
        }
        self.take_messages()
    }

    /// Lets the engine find out what to [expect](Self::expected), if it has no
    /// other task; returns whether it does.
    #[cfg(feature = "tui")]
    pub(crate) fn estimate(&mut self) -> bool {
        // Only the evaluation bar is lost if the engine cannot start.
        !self.is_busy()
            && !self.game.is_over()
            && self.engine.start(Task::Estimate, self.game.record()).is_ok()
    }

    /// Ends what the engine was asked for, or else the session.
    pub(crate) fn interrupt(&mut self) -> Vec<Message> {
        match self.engine.task() {
            None | Some(Task::Move(_) | Task::Estimate) => self.end(),
            Some(Task::Hint | Task::Values | Task::Losses) => {
                self.cancel();
                self.text("The analysis is ended.");
            }
        }
        self.take_messages()
    }

    /// Ends the session; the game is in its file already.
    fn end(&mut self) {
        self.cancel();
        self.ended = true;
        if let Some(file) = self.saved_games.file().filter(|_| !self.game.is_over()) {
            let (file, command) = (file.display(), self.saved_games.resume_command());
            self.text(format!("The game is saved in {file}; {command} goes on."));
        }
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

/// Beginning, saving and leaving games.
impl Session {
    fn announce(&mut self) {
        let position = self.game.position();
        let capture = match position.capture() {
            Capture::Standard => "",
            Capture::EmptyCapture => ", empty captures",
        };
        let pie_rule = if self.setup.pie_rule { ", pie rule" } else { "" };
        let seeds = sentence::seeds(position.total());
        let (pits, names) = (counted(position.pits() as u64, "pit"), self.names_against());
        let result = match self.game.is_over() {
            true => format!(" {}", sentence::of_result(position)),
            false => String::new(),
        };
        self.text(format!("Kalah, {pits}, {seeds}{capture}{pie_rule}. {names}.{result}"));
        self.messages.push(Message::Board);
        self.let_engine_move();
    }

    fn start_again(&mut self) {
        self.cancel();
        self.saved_games.begin_game();
        self.game = Game::new(self.setup.start, self.setup.pie_rule);
        self.seats = self.setup.seats();
        self.names = None;
        self.date = now();
        self.paused = false;
        self.expected = None;
        self.announce();
    }

    fn continue_game(&mut self, Loaded { record, number, count }: Loaded) {
        self.cancel();
        self.game = Game::from_record(&record);
        match saved::seats_of(&record) {
            Some(seats) => {
                self.seats = Side::BOTH.map(|side| seats[record.player_at(side).index()]);
                self.names = None;
            }
            None => self.names = Some(record.players.clone().map(|player| player.name)),
        }
        self.expected = None;
        let mut text = match count {
            1 => "The game".to_owned(),
            _ => format!("Game {number} of {count}"),
        };
        text += &format!(" of {}, {}.", self.names_against(), moves(self.game.steps()));
        self.paused = record.ending().is_some();
        if let Some(ending) = record.ending() {
            let ending = result_of(ending);
            text += &format!(
                " {ending} next and back step through it, last shows the end, go plays on."
            );
            self.game.step_to(0);
        }
        self.date = record.date.unwrap_or_else(now);
        self.text(text);
        self.messages.push(Message::Board);
        self.let_engine_move();
    }

    /// The record as files have it.
    fn record(&self) -> record::Game {
        let mut record = self.game.whole();
        record.date = Some(self.date.clone());
        let seats = Side::BOTH.map(|side| self.seat(side));
        let names = self.names.clone().unwrap_or_else(|| {
            seats.map(|seat| if seat.is_person() { "human" } else { "kalah" }.to_owned())
        });
        saved::set_players(&mut record, seats, &names);
        record
    }

    fn save(&mut self, name: Option<String>) -> Result<(), Refused> {
        let record = self.record();
        let text = match name {
            Some(name) => {
                let path = PathBuf::from(expand_home(&name));
                self.saved_games.save_copy(&path, &record)?;
                format!("Saved as {}.", path.display())
            }
            None => {
                let file =
                    self.saved_games.save(&record)?.ok_or("save needs the name of a file")?;
                format!("The game is saved in {}.", file.display())
            }
        };
        self.text(text);
        Ok(())
    }

    /// Saves after a step. A failure is reported once.
    fn autosave(&mut self) {
        let record = self.record();
        if let Err(error) = self.saved_games.save(&record) {
            self.saved_games.disable();
            self.messages.push(Message::Error(format!(
                "{error}; this game is not saved any more, save FILE still works"
            )));
        }
    }
}

/// What a player can ask for.
impl Session {
    /// Plays a pit, or swaps sides.
    fn play(&mut self, pit: Option<Pit>) -> Result<(), Refused> {
        if let Some(side) = self.thinking() {
            return Err(format!(
                "it is {side}'s turn, and the engine thinks; wait, or type now, undo or quit"
            )
            .into());
        }
        if let Some(ending) = self.game.record().ending() {
            let resigned = match (ending.reason, ending.outcome) {
                (Reason::Resignation, Outcome::Won(side)) => format!(": {} resigned", side.other()),
                _ => String::new(),
            };
            return Err(format!(
                "the game is over{resigned}; undo takes the last decision back, new starts again"
            )
            .into());
        }
        let before = *self.game.position();
        let seat = self.seat(before.side());
        if self.paused && !seat.is_person() {
            let side = before.side();
            return Err(format!("it is {side}'s turn here, whom {seat} plays; go plays on").into());
        }
        let variations = self.game.whole().variations().len();
        match pit {
            Some(pit) => self.game.play(Move::new(pit))?,
            None if self.game.swap() => {}
            None => {
                return Err("the sides can be swapped only under the pie rule, by the second \
                            player, in place of its first move"
                    .into());
            }
        }
        self.cancel();
        self.paused = false;
        self.names = None;
        let kept = self.game.whole().variations().len();
        if kept > variations {
            self.text(format!("The moves that followed here are kept: variation {kept}."));
        }
        self.after_step(before);
        Ok(())
    }

    /// Reports the step just made, saves the game, and lets it go on.
    fn after_step(&mut self, before: Position) {
        if self.game.has_just_swapped() {
            let (side, names) = (self.game.position().side(), self.names_against());
            self.text(format!("{side} swaps the sides. {names}, {side} to move."));
            self.messages.push(Message::Board);
        } else if let Some(step) = self.game.record().steps().last() {
            let mut text = sentence::of_move(&step.played, &step.after);
            text += self.verdict();
            self.messages.push(Message::Moved { played: step.played, before, text });
        }
        if self.game.record().may_swap() && self.seat(self.game.position().side()).is_person() {
            self.text("You may swap the sides instead of moving: swap.");
        }
        self.autosave();
        self.let_engine_move();
    }

    /// What the end of the game means to the only person.
    fn verdict(&self) -> &'static str {
        let outcome = self.game.record().ending().map(|ending| ending.outcome);
        match (outcome, self.only_person()) {
            (Some(Outcome::Won(winner)), Some(side)) if winner == side => " You win.",
            (Some(Outcome::Won(_)), Some(_)) => " You lose.",
            _ => "",
        }
    }

    fn undo(&mut self) -> Result<(), Refused> {
        let undone = self.game.undo(self.decides());
        self.moved_to_decision(match undone {
            None => return Err("nothing to undo: this is your first decision of the game".into()),
            Some(0) => "The resignation is taken back.".to_owned(),
            Some(undone) => format!("Took back {}.", moves(undone)),
        });
        Ok(())
    }

    fn redo(&mut self) -> Result<(), Refused> {
        let redone = self.game.redo(self.decides());
        let redone = redone.ok_or("nothing to redo: no move was undone")?;
        self.moved_to_decision(format!("Made {} again.", moves(redone)));
        Ok(())
    }

    /// Whether undo and redo stop at the turns of a player: the persons, or both
    /// engines.
    fn decides(&self) -> impl Fn(Side) -> bool + use<> {
        let (people, seats) = (self.has_people(), self.seats);
        move |player| !people || seats[player.index()].is_person()
    }

    fn moved_to_decision(&mut self, text: String) {
        self.cancel();
        // Otherwise two engines would play on at once.
        self.paused |= !self.has_people();
        self.continue_here(text);
    }

    /// Goes on from the position that the player has gone to.
    fn continue_here(&mut self, text: String) {
        self.expected = None;
        let position = self.game.position();
        let rest = match self.game.is_over() {
            false => format!("{} to move.", position.side()),
            true => sentence::of_result(position),
        };
        self.text(format!("{text} {rest}"));
        self.messages.push(Message::Board);
        if !self.paused {
            self.autosave();
        }
        self.let_engine_move();
    }

    fn step_to(&mut self, steps: Option<usize>) -> Result<(), Refused> {
        if !steps.is_some_and(|steps| self.game.step_to(steps)) {
            let end = if self.game.steps() == 0 { "start" } else { "last move" };
            return Err(format!("this is the {end} of the game").into());
        }
        self.cancel();
        self.paused = true;
        self.expected = None;
        let position = self.game.position();
        let step = self.game.record().steps().last();
        let text = match step {
            _ if self.game.has_just_swapped() => format!("{} swapped the sides.", position.side()),
            None => format!("{} to move.", position.side()),
            Some(step) => {
                sentence::of_move(&step.played, &step.after) + &annotation_of(&step.r#move)
            }
        };
        let [count, all] = [self.game.record(), &self.game.whole()].map(|game| game.steps().len());
        self.text(format!("Move {count} of {all}: {text}"));
        self.messages.push(Message::Board);
        Ok(())
    }

    fn variation(&mut self, number: Option<String>) -> Result<(), Refused> {
        let Some(number) = number else {
            self.page("Variations", pages::variations(&self.game.whole()));
            return Ok(());
        };
        if !number.parse().is_ok_and(|number| self.game.go_to_variation(number)) {
            let count = self.game.whole().variations().len();
            let got = shortened(&number);
            return Err(format!("expected a variation from 1 to {count}, got '{got}'").into());
        }
        self.cancel();
        self.paused = true;
        self.continue_here(format!(
            "Variation {number}, {}; next and back step through it, go plays on.",
            moves(self.game.steps())
        ));
        Ok(())
    }

    fn play_on(&mut self) -> Result<(), Refused> {
        if self.game.is_over() {
            return Err("the game is over; back goes back into it".into());
        }
        if !self.paused {
            return Err("the game is going on".into());
        }
        self.paused = false;
        self.names = None;
        self.continue_here("The game goes on from here.".to_owned());
        Ok(())
    }

    fn analyse(&mut self) -> Result<(), Refused> {
        self.refuse_while_thinking()?;
        let count = self.game.record().steps().len();
        if count == 0 {
            return Err("there are no moves to analyse yet".into());
        }
        self.text(format!("Judging {}; this takes some seconds.", moves(count)));
        self.start(Task::Losses);
        Ok(())
    }

    fn level(&mut self, name: Option<String>) -> Result<(), Refused> {
        let Some(name) = name else {
            let current = self.seats.iter().find_map(|seat| match seat {
                Seat::Level(level) => Some(*level),
                _ => None,
            });
            self.page("Levels", pages::levels(current));
            return Ok(());
        };
        let opponent = Seat::opponent(&name)?;
        if self.seats.iter().all(|seat| seat.is_person()) {
            return Err(
                "the engine plays neither side; start with --level to play against it".into()
            );
        }
        for seats in [&mut self.seats, &mut self.setup.seats] {
            for seat in seats.iter_mut().filter(|seat| !seat.is_person()) {
                *seat = opponent;
            }
        }
        self.text(format!("The engine plays as {opponent}: {}.", opponent.about()));
        if self.thinking().is_some() {
            self.cancel();
            self.let_engine_move();
        }
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Refused> {
        if self.game.is_over() {
            return Err("the game is over".into());
        }
        let side = match self.only_person() {
            Some(side) => side,
            None if self.has_people() => self.game.position().side(),
            None => return Err("only a person can resign; the engine plays both sides".into()),
        };
        self.cancel();
        self.game.resign(side);
        self.text(format!("{side} resigns, {} wins.{}", side.other(), self.verdict()));
        self.autosave();
        Ok(())
    }
}

/// The engine's tasks and their results.
impl Session {
    /// Starts the engine if it is its turn.
    fn let_engine_move(&mut self) {
        let seat = self.seat(self.game.position().side());
        if !seat.is_person() && !self.paused && !self.game.is_over() {
            self.start(Task::Move(seat));
        }
    }

    fn start(&mut self, task: Task) {
        self.started = Instant::now();
        if let Err(error) = self.engine.start(task, self.game.record()) {
            self.messages.push(Message::Error(format!("the engine cannot start: {error}")));
        }
    }

    fn ask(&mut self, task: Task) -> Result<(), Refused> {
        self.refuse_while_thinking()?;
        if self.game.is_over() {
            return Err("the game is over; back and undo go back into it".into());
        }
        self.start(task);
        Ok(())
    }

    fn refuse_while_thinking(&self) -> Result<(), Refused> {
        self.thinking().map_or(Ok(()), |side| {
            Err(format!("the engine thinks about {side}'s move; ask in your turn").into())
        })
    }

    /// Drops what the engine was asked for at another position.
    fn cancel(&mut self) {
        self.engine.cancel();
        self.hinted = None;
    }

    fn searched(&mut self, task: Task, result: &SearchResult) {
        let position = *self.game.position();
        if let Task::Move(_) = task {
            return self.engine_moves(result);
        }
        if let Some(info) = &result.info {
            self.expect(position.side(), info);
        }
        if task == Task::Hint {
            self.hinted = result.best;
            self.messages.push(match (result.best, &result.info) {
                (Some(pit), Some(info)) => Message::Text(pages::hint(&position, pit, info)),
                _ => Message::Error("no pit can be sown".to_owned()),
            });
        }
    }

    fn engine_moves(&mut self, result: &SearchResult) {
        let before = *self.game.position();
        let info = result.info.as_ref();
        if info.is_some_and(|info| info.margin < Value::ZERO) && self.game.swap() {
            return self.after_step(before);
        }
        let best = result.recorded(self.started.elapsed());
        match best.map(|best| self.game.play(best)) {
            Some(Ok(())) => {
                if let Some(info) = info {
                    self.expect(before.side(), info);
                }
                self.after_step(before);
            }
            _ => self.failed(Task::Move(self.seat(before.side()))),
        }
    }

    fn show_values(&mut self, values: &[Info]) {
        let position = *self.game.position();
        if let Some(best) = values.first() {
            self.expect(position.side(), best);
        }
        self.page("Values", pages::values(&position, values, self.width));
    }

    fn show_losses(&mut self, losses: &[MoveLoss]) {
        let lines = pages::analysis(self.game.record(), losses, self.width, self.glyphs);
        self.page("Analysis", lines);
    }

    fn failed(&mut self, task: Task) {
        if task != Task::Estimate {
            self.paused = matches!(task, Task::Move(_));
            let message = "the search failed; the game is safe: go lets it try again";
            self.messages.push(Message::Error(message.to_owned()));
        }
    }

    fn expect(&mut self, side: Side, info: &Info) {
        self.expected = Some(side.sees(info.margin.seeds()));
    }
}

fn moves(count: usize) -> String {
    if count == 1 { "one move".to_owned() } else { format!("{count} moves") }
}

/// How a recorded game ended, in a sentence.
fn result_of(ending: &Ending) -> String {
    let reason = match ending.reason {
        Reason::Normal => String::new(),
        reason => format!(" ({reason})"),
    };
    match ending.outcome {
        Outcome::Won(side) => format!("{side} won{reason}."),
        Outcome::Draw => format!("It was a draw{reason}."),
    }
}

/// The mover's evaluation and the comment of a recorded move, if it has any.
fn annotation_of(r#move: &Move) -> String {
    let evaluation = r#move.evaluation.map(|evaluation| {
        let exact = if evaluation.proved { "exactly" } else { "about" };
        let margin = pages::in_seeds(evaluation.margin, evaluation.proved);
        format!("the mover expected {exact} {margin}")
    });
    let parts: Vec<String> = evaluation.into_iter().chain(r#move.comment.clone()).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// A file name with `~/` as shells read it.
fn expand_home(name: &str) -> String {
    match (name.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) if !home.is_empty() => format!("{home}/{rest}"),
        _ => name.to_owned(),
    }
}
