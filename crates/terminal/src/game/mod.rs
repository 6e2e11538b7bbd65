//! A game at a terminal, its players and the engine, and the games that follow it.
//!
//! Front ends pass it [`UserAction`]s and the engine's [`Update`]s, and show the
//! [`GameMessage`]s that it returns. It never waits, reads input or prints; its only side
//! effects are the files of games and the threads of the engine.
//!
//! ```text
//! actions   the actions of a player
//! engine    the engine's tasks and their results, and the running clock
//! ```

mod actions;
mod engine;

use std::error::Error;
use std::time::{Duration, Instant};

use crate::background::{BackgroundEngine, EngineTask};
use crate::command::{CommandInput, UserAction};
use crate::event::Update;
use crate::listings;
use crate::message::{GameMessage, ListingTopic};
use crate::tutor::Tutor;
use kalah_game::{Pit, Position, Side, score::Gain};
use kalah_play::clock::{self, ClockRules};
use kalah_play::line::GameLine;
use kalah_play::saved::{self, Loaded, SavedGames};
use kalah_play::seat::Seat;
use kalah_record::board::{Annotations, Glyphs};
use kalah_record::styled::StyledLine;
use kalah_sys::clock::now;
use kalah_sys::wakeup::AwakeClock;
use kalah_text::names::argument;

/// Why an action was refused.
type Refused = Box<dyn Error>;

/// Settings of a new game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The position from which each game starts.
    pub start: Position,
    /// The players of South and North.
    pub seats: [Seat; 2],
    /// Whether the sides are drawn at random for each game.
    pub random_sides: bool,
    /// Whether the second player may swap sides.
    pub pie_rule: bool,
    /// None if time is unlimited.
    pub clock_rules: Option<ClockRules>,
    /// Whether the mistakes of people are pointed out immediately.
    pub coach: bool,
    /// The minimum time before a move of the engine.
    pub pause: Duration,
}

impl GameSetup {
    fn seats(&self) -> [Seat; 2] {
        let [south, north] = self.seats;
        if self.random_sides && rand::random() { [north, south] } else { [south, north] }
    }
}

/// Plays one game after another.
pub struct TerminalGame {
    setup: GameSetup,
    game: GameLine,
    /// Indexed by the sides that the players had at the start.
    seats: [Seat; 2],
    /// The names of the players in a loaded game, until play resumes.
    names: Option<[String; 2]>,
    /// Date and time at which the game began.
    date: String,
    clock_rules: Option<ClockRules>,
    /// Measures turns, if the game has clocks.
    awake: Option<AwakeClock>,
    /// When the turn of the player to move began, by `awake`.
    turn_began: Duration,
    /// Whose flag fall was reported, indexed like `seats`.
    is_over_time: [bool; 2],
    engine: BackgroundEngine,
    /// When the engine began its task.
    started: Instant,
    saved_games: SavedGames,
    /// Whether the last attempt to save the game failed.
    is_unsaved: bool,
    /// The lessons or puzzles that interrupt the game.
    tutor: Option<Tutor>,
    /// While true, the engine does not move.
    paused: bool,
    flipped: bool,
    /// Whether there is a game to return to after the exercises.
    has_game: bool,
    hinted: Option<Pit>,
    /// South's margin in the opening book, as last reported.
    named_margin: Option<Gain>,
    /// South's expected final margin in seeds, from the latest search.
    expected: Option<f64>,
    input: CommandInput,
    /// Columns available to listings; `glyphs` is their character set.
    width: usize,
    glyphs: Glyphs,
    ended: bool,
    /// Messages collected during the current action.
    messages: Vec<GameMessage>,
}

impl TerminalGame {
    /// A new game, which [`begin`](Self::begin) starts or replaces with a loaded one.
    pub fn new(
        setup: GameSetup,
        engine: BackgroundEngine,
        saved_games: SavedGames,
        glyphs: Glyphs,
    ) -> Self {
        Self {
            game: GameLine::new(setup.start, setup.pie_rule),
            seats: setup.seats(),
            clock_rules: setup.clock_rules,
            setup,
            names: None,
            date: now(),
            awake: None,
            turn_began: Duration::ZERO,
            is_over_time: [false; 2],
            engine,
            started: Instant::now(),
            saved_games,
            is_unsaved: false,
            tutor: None,
            paused: false,
            flipped: false,
            has_game: true,
            hinted: None,
            named_margin: None,
            expected: None,
            input: CommandInput::default(),
            width: 80,
            glyphs,
            ended: false,
            messages: Vec::new(),
        }
    }

    /// Starts with a loaded game or a new one.
    pub fn begin(&mut self, loaded: Option<Loaded>) -> Vec<GameMessage> {
        match loaded {
            Some(loaded) => self.continue_game(loaded),
            None => self.announce(),
        }
        self.take_messages()
    }

    /// Starts with the exercises of a tutor; there is no game to return to after the last of them.
    pub fn begin_lessons(&mut self, mut tutor: Tutor) -> Vec<GameMessage> {
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
    pub(crate) fn answer(&mut self, line: &str) -> Vec<GameMessage> {
        let Some(tutor) = &mut self.tutor else { return Vec::new() };
        self.messages = tutor.answer(line);
        if tutor.has_ended() {
            self.tutor = None;
            self.ended = !self.has_game;
            if self.has_game {
                let side = self.game.position().side();
                self.text(format!("Back to your game, {side} to move."));
                self.messages.push(GameMessage::Board);
            }
        }
        self.take_messages()
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> Position {
        self.tutor.as_ref().map_or(*self.game.position(), Tutor::position)
    }

    /// The game being played.
    pub fn current(&self) -> &GameLine {
        &self.game
    }

    /// Whether the player has left.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// The side for which the engine is choosing a move, or will be once it has judged the
    /// previous one.
    pub fn thinking(&self) -> Option<Side> {
        let side = self.game.position().side();
        match self.engine.task()? {
            EngineTask::Move(..) => Some(side),
            // The engine moves once the coach has judged the person's move, and counts as thinking
            // until then.
            EngineTask::Loss if !self.seat(side).is_person() => Some(side),
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
    pub fn bottom(&self) -> Side {
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
    pub fn name_of(&self, side: Side) -> String {
        let name = match (&self.names, self.seat(side)) {
            (Some(names), _) => names[side.index()].clone(),
            (None, Seat::Person) if self.only_person().is_some() => "you".to_owned(),
            // Numbering the players makes a swap of sides visible.
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
    pub fn hinted(&self) -> Option<Pit> {
        self.hinted
    }

    /// What to show around the board: the names, the times left, the last move, the hint.
    pub fn annotations(&self) -> Annotations {
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
    pub fn expected(&self) -> Option<f64> {
        let result = self.game.record().ending().and_then(|ending| ending.margin);
        result.map(|margin| f64::from(margin.0)).or(self.expected)
    }

    /// The result of a game that has just ended, and what to do next.
    pub fn result(&self) -> Option<Vec<StyledLine>> {
        // Stepping through a finished game announces no result at its end.
        let is_shown = self.game.is_over() && !self.paused;
        is_shown.then(|| {
            let lines = listings::result(self.game.record(), self.only_person());
            listings::folded(lines, self.width)
        })
    }

    /// The number of columns available to listings.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Sets the number of columns available to listings, for example after a change in the
    /// window size.
    pub fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// Sets how the player enters the commands that messages mention.
    pub fn set_input(&mut self, input: CommandInput) {
        self.input = input;
    }

    /// What the player enters for these commands.
    pub fn enter<const N: usize>(&self, names: [&'static str; N]) -> [String; N] {
        self.input.enter(names, self.game.position().pits())
    }

    /// Performs an action of a player.
    pub fn act(&mut self, action: UserAction) -> Vec<GameMessage> {
        if let Err(error) = self.try_to(action) {
            self.messages.push(GameMessage::Error(error.to_string()));
        }
        self.take_messages()
    }

    fn try_to(&mut self, action: UserAction) -> Result<(), Refused> {
        let steps = self.game.steps();
        let position = *self.game.position();
        match action {
            UserAction::Sow(pit) => self.play(Some(pit))?,
            UserAction::SowTurn(pits) => {
                // Pits before a refused one stay sown, as if they had been typed one by one.
                pits.into_iter().try_for_each(|pit| self.play(Some(pit)))?;
            }
            UserAction::Swap => self.play(None)?,
            UserAction::Undo => self.undo()?,
            UserAction::Redo => self.redo()?,
            UserAction::Back => self.step_to(steps.checked_sub(1))?,
            UserAction::Next => self.step_to(Some(steps + 1))?,
            UserAction::First => self.step_to(Some(0))?,
            UserAction::Last => self.step_to(Some(usize::MAX))?,
            UserAction::Go => self.play_on()?,
            // Checked here, because stopping without a task would silently do nothing.
            UserAction::Now if !self.is_busy() => return Err("the engine is not thinking".into()),
            UserAction::Now => self.engine.stop(),
            UserAction::Hint => self.ask(EngineTask::Hint)?,
            UserAction::Eval => self.ask(EngineTask::Values)?,
            UserAction::Analyse => self.analyse()?,
            UserAction::Save(name) => self.save(name)?,
            UserAction::Load(name) => {
                // Loaded before anything changes, so that a damaged file costs nothing.
                let loaded = saved::load(&name)?;
                // The loaded file stays as it is: the game continues in a new one.
                self.saved_games.begin_game();
                self.continue_game(loaded);
            }
            UserAction::Moves => self.list(ListingTopic::Moves, listings::live_moves(&self.game)),
            UserAction::Board => self.messages.push(GameMessage::Board),
            UserAction::Flip => {
                self.flipped = !self.flipped;
                self.text(format!("{} is now at the bottom.", self.bottom()));
                self.messages.push(GameMessage::Board);
            }
            UserAction::Level(name) => self.level(name)?,
            UserAction::Variation(number) => self.variation(number)?,
            UserAction::Resign => self.resign()?,
            UserAction::Learn(number) => self.learn(number)?,
            UserAction::New => self.start_again(),
            UserAction::Help => self.list(ListingTopic::Commands, listings::help(&position)),
            UserAction::Rules => {
                self.list(ListingTopic::Rules, listings::rules(&position, self.width))
            }
            UserAction::Quit => self.end(),
        }
        Ok(())
    }

    /// Accepts a result from the engine; results of cancelled tasks are ignored.
    pub fn update(&mut self, number: u64, update: Update) -> Vec<GameMessage> {
        let Some(task) = self.engine.accept(number, &update) else { return Vec::new() };
        match update {
            Update::Progress(done, count) => self.messages.push(GameMessage::Progress(done, count)),
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
    pub fn estimate(&mut self) -> bool {
        // Only the evaluation bar is lost if the engine cannot start.
        !self.is_busy()
            && !self.game.is_over()
            && self.engine.start(EngineTask::Estimate, self.game.record()).is_ok()
    }

    /// Cancels the task that the player gave the engine, or else leaves.
    pub fn interrupt(&mut self) -> Vec<GameMessage> {
        match self.engine.task() {
            None | Some(EngineTask::Move(..) | EngineTask::Estimate | EngineTask::Loss) => {
                self.end()
            }
            Some(EngineTask::Hint | EngineTask::Values | EngineTask::Losses) => {
                self.cancel();
                self.text("The analysis was cancelled.");
            }
        }
        self.take_messages()
    }

    /// Leaves; the game has already been saved. The message names a command for the
    /// saved game.
    fn end(&mut self) {
        // Not saved here: every move already was.
        self.cancel();
        self.ended = true;
        let Some(file) = self.saved_games.file().filter(|_| !self.is_unsaved) else { return };
        let use_of_it = if self.saved_games.is_in_play() {
            format!("'{}' continues it", self.command("play --resume"))
        } else if let Some(number) = self.saved_games.number() {
            let command = format!("games {number} --report DIR");
            format!("'{}' writes a page for it", self.command(&command))
        } else {
            return;
        };
        self.text(format!("The game is saved in {}; {use_of_it}.", file.display()));
    }

    /// A command line for this program, with the folder for games unless it is the default.
    fn command(&self, words: &str) -> String {
        match self.saved_games.other_folder() {
            Some(folder) => format!("kalah {words} --games {}", argument(folder)),
            None => format!("kalah {words}"),
        }
    }

    fn take_messages(&mut self) -> Vec<GameMessage> {
        std::mem::take(&mut self.messages)
    }

    fn text(&mut self, text: impl Into<String>) {
        self.messages.push(GameMessage::Text(text.into()));
    }

    fn list(&mut self, topic: ListingTopic, lines: Vec<StyledLine>) {
        let lines = listings::folded(lines, self.width);
        self.messages.push(GameMessage::Listing { topic, lines });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_engine::Engine;
    use kalah_game::Rules;
    use kalah_play::saved::Resume;
    use std::path::Path;
    use std::sync::mpsc;

    /// Two people, whose game is saved in `folder`.
    fn game(folder: &Path, resume: Option<Resume>) -> (TerminalGame, Vec<GameMessage>) {
        let setup = GameSetup {
            start: Position::start(Rules::default()),
            seats: [Seat::Person; 2],
            random_sides: false,
            pie_rule: false,
            clock_rules: None,
            coach: false,
            pause: Duration::ZERO,
        };
        let engine = BackgroundEngine::new(Engine::without_tables(1).unwrap(), mpsc::channel().0);
        let mut saved = SavedGames::new(Some(folder.to_owned()));
        let loaded = resume.map(|game| saved.resume(game).unwrap());
        let mut game = TerminalGame::new(setup, engine, saved, Glyphs::Ascii);
        let messages = game.begin(loaded);
        (game, messages)
    }

    fn texts(messages: &[GameMessage]) -> String {
        let texts = messages.iter().map(|message| match message {
            GameMessage::Text(text) | GameMessage::Moved { text, .. } => text.clone(),
            GameMessage::Error(error) => format!("error: {error}"),
            _ => String::new(),
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn two_terminals_that_resume_a_game_both_keep_their_moves() {
        let folder = tempfile::tempdir().unwrap();
        let (mut first, _) = game(folder.path(), None);
        first.act(UserAction::Sow(Pit::new(0)));
        let (mut second, _) = game(folder.path(), Some(Resume::Last));
        second.act(UserAction::Sow(Pit::new(1)));
        let said = texts(&first.act(UserAction::Sow(Pit::new(2))));
        assert!(said.contains("Another program has changed the game in "), "{said}");
        assert!(!texts(&first.act(UserAction::Sow(Pit::new(3)))).contains("Another"));
        second.act(UserAction::Sow(Pit::new(4)));
        let mut games: Vec<String> = SavedGames::new(Some(folder.path().to_owned()))
            .list()
            .0
            .iter()
            .map(|(_, game)| game.steps().iter().map(|step| step.played.letter()).collect())
            .collect();
        games.sort();
        assert_eq!(games, ["AbE", "Acd"]);
    }
}
