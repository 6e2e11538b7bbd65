//! A game at a terminal, and the games that follow it: the host of a [`GameInPlay`].
//!
//! Front ends pass it [`UserAction`]s and the engine's [`Answer`]s, and show the
//! [`GameMessage`]s that it returns. The game in play decides what an action does; this host
//! measures time, keeps the files and the engine's threads, and finds the words.
//!
//! ```text
//! words   events and refusals in sentences
//! ```

mod words;

use std::error::Error;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use crate::background::BackgroundEngine;
use crate::command::{CommandInput, UserAction};
use crate::event::TerminalEvent;
use crate::listings;
use crate::message::{self, GameMessage};
use crate::tutor::Tutor;
use kalah_engine::Engine;
use kalah_game::{Position, Rules, Side};
use kalah_play::clock;
use kalah_play::game::{Event, GameInPlay, Intent, NewGame};
use kalah_play::question::{Answer, Question};
use kalah_play::saved::{self, Loaded, SavedGameError, SavedGames};
use kalah_play::seat::Seat;
use kalah_record::sentence;
use kalah_sys::clock::now;
use kalah_sys::machine::MemoryError;
use kalah_sys::wakeup::AwakeClock;
use kalah_text::format::counted;
use kalah_text::names::{argument, missing, shortened};
use kalah_view::board::{Annotations, Glyphs};
use kalah_view::styled::StyledLine;

/// Why an action was refused.
type Refused = Box<dyn Error>;

/// Settings of new games.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// What all of them share; each has its own date.
    pub game: NewGame,
    /// Whether the sides are drawn at random for each game.
    pub random_sides: bool,
    /// The minimum time before a move of the engine.
    pub pause: Duration,
}

impl GameSetup {
    fn new_game(&self) -> NewGame {
        let mut game = NewGame { date: now(), ..self.game.clone() };
        if self.random_sides && rand::random() {
            game.seats.reverse();
        }
        game
    }
}

/// Plays one game after another.
pub struct TerminalGame {
    setup: GameSetup,
    game: GameInPlay,
    clock: AwakeClock,
    engine: BackgroundEngine,
    saved_games: SavedGames,
    /// Whether the last attempt to save the game failed.
    is_unsaved: bool,
    /// The tutor whose lessons or puzzles replace the game.
    tutor: Option<Tutor>,
    flipped: bool,
    input: CommandInput,
    /// Columns available to listings; `glyphs` is their character set.
    width: usize,
    glyphs: Glyphs,
    ended: bool,
    /// Messages collected during the current action.
    messages: Vec<GameMessage>,
}

/// Front ends.
impl TerminalGame {
    /// A new game, which [`begin`](Self::begin) starts or replaces with a loaded one.
    pub fn new(
        setup: GameSetup,
        engine: BackgroundEngine,
        saved_games: SavedGames,
        glyphs: Glyphs,
    ) -> Self {
        Self {
            clock: AwakeClock::start(),
            game: GameInPlay::new(setup.new_game()),
            setup,
            engine,
            saved_games,
            is_unsaved: false,
            tutor: None,
            flipped: false,
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

    /// The exercises of a tutor, which take the place of a game, and its first messages.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn for_lessons(
        mut tutor: Tutor,
        events: Sender<TerminalEvent>,
        glyphs: Glyphs,
    ) -> Result<(Self, Vec<GameMessage>), MemoryError> {
        let game = NewGame::for_people(Position::start(Rules::default()));
        let setup = GameSetup { game, random_sides: false, pause: Duration::ZERO };
        // A game needs an engine, but this one never searches: the solver judges exercises.
        let engine = BackgroundEngine::new(Engine::without_tables(1)?, events);
        let first = tutor.begin();
        let game = Self::new(setup, engine, SavedGames::new(None), glyphs);
        Ok((Self { tutor: Some(tutor), ..game }, first))
    }

    /// The tutor while it sets exercises.
    pub(crate) fn tutor(&self) -> Option<&Tutor> {
        self.tutor.as_ref()
    }

    /// Passes a line to the tutor.
    pub(crate) fn answer(&mut self, line: &str) -> Vec<GameMessage> {
        let Some(tutor) = &mut self.tutor else { return Vec::new() };
        let messages = tutor.answer(line);
        self.ended = tutor.has_ended();
        messages
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> Position {
        match &self.tutor {
            Some(tutor) => tutor.position(),
            None => *self.game.position(),
        }
    }

    /// The game being played.
    pub fn current(&self) -> &GameInPlay {
        &self.game
    }

    /// Whether the player has left.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether the engine has a question to answer.
    pub(crate) fn is_busy(&self) -> bool {
        self.game.question().is_some()
    }

    /// The side at the bottom of the board: the only person's, unless the board was
    /// flipped.
    pub fn bottom(&self) -> Side {
        if let Some(tutor) = &self.tutor {
            return tutor.side();
        }
        let side = self.game.only_person().unwrap_or(Side::South);
        if self.flipped { side.other() } else { side }
    }

    /// A side and who plays it, `South (you)`.
    pub fn name_of(&self, side: Side) -> String {
        let name = self.game.name(side);
        if name.is_empty() { side.to_string() } else { format!("{side} ({name})") }
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
            chosen: self.game.hinted().map(|pit| (side, pit)),
            names: Side::BOTH.map(|side| {
                let time = self.time_left(side).map(|left| format!(", {}", clock::shown(left)));
                self.name_of(side) + &time.unwrap_or_default()
            }),
            to_move: if self.game.is_over() { None } else { Some(side) },
        }
    }

    /// The result of a game that has just ended, and what to do next.
    pub fn result(&self) -> Option<Vec<StyledLine>> {
        // Stepping through a finished game announces no result at its end.
        if !self.game.is_over() || self.game.is_paused() {
            return None;
        }
        let lines = listings::result(self.game.record(), self.game.only_person());
        Some(listings::folded(lines, self.width))
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

    /// The time left to the player who has `side` now.
    pub(crate) fn time_left(&self, side: Side) -> Option<Duration> {
        self.game.time_left(side, self.clock.now())
    }

    /// The times left as clocks show them, `South 4:58, North 5:00`.
    pub(crate) fn times(&self) -> Option<String> {
        let [south, north] = Side::BOTH.map(|side| self.time_left(side).map(clock::shown));
        Some(format!("{} {}, {} {}", Side::South, south?, Side::North, north?))
    }

    /// The time until [`tick`](Self::tick) has something to report or, if the clocks are `seen`
    /// on the screen, until the displayed second changes.
    pub fn next_tick(&self, seen: bool) -> Duration {
        self.game.next_tick(self.clock.now(), seen)
    }

    /// Looks at the clock.
    pub fn tick(&mut self) -> Vec<GameMessage> {
        let events = self.game.tick(self.clock.now());
        self.follow(events);
        self.take_messages()
    }

    /// Performs an action of a player.
    pub fn act(&mut self, action: UserAction) -> Vec<GameMessage> {
        if let Err(error) = self.try_to(action) {
            self.messages.push(GameMessage::Error(error.to_string()));
        }
        self.take_messages()
    }

    /// Accepts an answer of the engine; those to questions that were dropped are ignored.
    pub fn update(&mut self, number: u64, answer: Answer) -> Vec<GameMessage> {
        if self.engine.accepts(number, &answer) {
            let events = self.game.hear(answer, self.clock.now());
            self.follow(events);
        }
        self.take_messages()
    }

    /// Withdraws the question that the player asked the engine, or else leaves.
    pub fn interrupt(&mut self) -> Vec<GameMessage> {
        match self.game.question() {
            None | Some(Question::Move(..) | Question::LastMove) => self.end(),
            Some(Question::Hint | Question::Values | Question::Review) => {
                // Never refused.
                let _ = self.intend(Intent::Withdraw);
                self.text("The analysis was cancelled.");
            }
        }
        self.take_messages()
    }

    fn take_messages(&mut self) -> Vec<GameMessage> {
        std::mem::take(&mut self.messages)
    }

    fn text(&mut self, text: impl Into<String>) {
        self.messages.push(GameMessage::Text(text.into()));
    }

    fn list(&mut self, title: &'static str, lines: Vec<StyledLine>) {
        let lines = listings::folded(lines, self.width);
        self.messages.push(GameMessage::Listing { title, lines });
    }
}

/// The host of the game in play.
impl TerminalGame {
    /// Passes an intent to the game.
    fn intend(&mut self, intent: Intent) -> Result<(), Refused> {
        match self.game.act(intent.clone(), self.clock.now()) {
            Ok(events) => {
                self.follow(events);
                Ok(())
            }
            Err(refusal) => Err(self.refusal(&intent, &refusal).into()),
        }
    }

    /// Does and says what the events of the game require.
    fn follow(&mut self, events: Vec<Event>) {
        for event in events {
            match event {
                Event::Save => self.autosave(),
                Event::Ask(question, game) => {
                    // A pause would be charged to the engine's clock.
                    let is_paced = matches!(question, Question::Move(_, None));
                    let pause = if is_paced { self.setup.pause } else { Duration::ZERO };
                    if let Err(error) = self.engine.start(question, *game, pause) {
                        let message = format!("the engine cannot start: {error}");
                        self.messages.push(GameMessage::Error(message));
                        let events = self.game.hear(Answer::Failed, self.clock.now());
                        self.follow(events);
                    }
                }
                Event::Hurry => self.engine.hurry(),
                Event::Drop => self.engine.drop_question(),
                event => self.say(event),
            }
        }
    }

    /// Replaces the game.
    fn host(&mut self, game: GameInPlay) {
        self.engine.drop_question();
        self.clock = AwakeClock::start();
        self.game = game;
    }

    fn begin_turns(&mut self) {
        let events = self.game.begin(self.clock.now());
        self.follow(events);
    }

    fn announce(&mut self) {
        self.text(self.announcement());
        if self.saved_games.are_new() && self.game.has_people() {
            self.text("New to Kalah? 'kalah learn' is a ten-minute tutorial.");
        }
        self.messages.push(GameMessage::Board);
        self.begin_turns();
    }

    fn start_again(&mut self) {
        self.saved_games.begin_game();
        self.host(GameInPlay::new(self.setup.new_game()));
        self.announce();
    }

    fn continue_game(&mut self, loaded: Loaded) {
        let Loaded { record, number, count, is_torn, .. } = loaded;
        self.host(GameInPlay::load(&record, self.setup.new_game()));
        let which = if count == 1 { String::new() } else { format!(" game {number} of {count}") };
        let names = self.names_against();
        let moves = number_of_moves(self.game.cursor().steps());
        let mut text = format!("Loaded{which}: {names}, {moves}.");
        if is_torn {
            text += " The last line of the file is incomplete, so its game is missing.";
        }
        if let Some(ending) = record.ending() {
            let ending = sentence::recorded(ending);
            let [next, back, last, go] = self.enter(["next", "back", "last", "go"]);
            text += &format!(
                " {ending} {next} and {back} step through it, {last} shows the end, {go} resumes \
                 play."
            );
            // A finished game is loaded to be stepped through, so it is shown from its start. The
            // words for that are already there.
            let _ = self.game.act(Intent::GoTo(0), self.clock.now());
        }
        self.text(text);
        self.messages.push(GameMessage::Board);
        self.begin_turns();
    }

    /// Leaves; the game has already been saved. The message names a command for the
    /// saved game.
    fn end(&mut self) {
        // Not saved here: every move already was.
        self.engine.drop_question();
        self.ended = true;
        if self.is_unsaved {
            return;
        }
        let Some(file) = self.saved_games.file() else { return };
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

    /// Saves the current game, in a new file if another program has changed its own: both keep
    /// their moves.
    fn save_current(&mut self) -> Result<Option<PathBuf>, SavedGameError> {
        let record = self.game.saved();
        let changed = match self.saved_games.save(&record) {
            Err(SavedGameError::Conflict(changed)) => changed,
            saved => return Ok(saved?.map(|file| file.path.clone())),
        };
        self.saved_games.begin_game();
        let saved = self.saved_games.save(&record)?.map(|file| file.path.clone());
        if let Some(path) = &saved {
            self.text(format!(
                "Another program has changed the game in {}; this one continues in {}.",
                changed.display(),
                path.display()
            ));
        }
        Ok(saved)
    }

    /// Saves after a step. A failure is reported once; a disk that was full may have space at the
    /// next step.
    fn autosave(&mut self) {
        let saved = self.save_current();
        let was_unsaved = std::mem::replace(&mut self.is_unsaved, saved.is_err());
        match saved {
            Err(error) if !was_unsaved => {
                let [save] = self.enter(["save"]);
                self.messages.push(GameMessage::Error(format!(
                    "{error}; this game is no longer saved, but each move tries again, and \
                     {save} FILE still works"
                )));
            }
            Ok(Some(path)) if was_unsaved => {
                self.text(format!("The game is now saved in {}.", path.display()));
            }
            _ => {}
        }
    }
}

/// The actions of a player.
impl TerminalGame {
    fn try_to(&mut self, action: UserAction) -> Result<(), Refused> {
        let steps = self.game.cursor().steps();
        let position = *self.game.position();
        match action {
            UserAction::Sow(pits) => {
                // Pits before a refused one stay sown, as if they had been typed one by one.
                pits.into_iter().try_for_each(|pit| self.intend(Intent::Sow(pit)))?;
            }
            UserAction::Intend(intent) => self.intend(intent)?,
            UserAction::Back => self.intend(Intent::GoTo(steps.saturating_sub(1)))?,
            UserAction::Next => self.intend(Intent::GoTo(steps + 1))?,
            UserAction::Analyse => {
                self.intend(Intent::Ask(Question::Review))?;
                let moves = number_of_moves(self.game.cursor().whole().steps().len());
                self.text(format!("Analysing {moves}; this takes a few seconds."));
            }
            UserAction::Save(name) => self.save(name)?,
            UserAction::Load(name) => {
                // Loaded before anything changes, so that a damaged file costs nothing.
                let loaded = saved::load(&name)?;
                // The loaded file stays as it is: the game continues in a new one.
                self.saved_games.begin_game();
                self.continue_game(loaded);
            }
            UserAction::Moves => {
                self.list("Moves", listings::live_moves(self.game.cursor()));
            }
            UserAction::Board => self.messages.push(GameMessage::Board),
            UserAction::Flip => {
                self.flipped = !self.flipped;
                self.text(format!("{} is now at the bottom.", self.bottom()));
                self.messages.push(GameMessage::Board);
            }
            UserAction::Level(name) => self.level(name)?,
            UserAction::Variation(number) => self.variation(number)?,
            UserAction::New => self.start_again(),
            UserAction::Help => self.list(message::COMMANDS, listings::help(&position)),
            UserAction::Rules => {
                self.list("Rules", listings::rules(&position, self.width));
            }
            UserAction::Quit => self.end(),
        }
        Ok(())
    }

    fn save(&mut self, name: Option<String>) -> Result<(), Refused> {
        let text = match name {
            Some(name) => {
                let path = self.saved_games.save_copy(&name, &self.game.saved())?;
                format!("Saved as {}.", path.display())
            }
            None => {
                let path = self.save_current()?.ok_or("save needs a file name")?;
                format!("The game is saved in {}.", path.display())
            }
        };
        self.text(text);
        Ok(())
    }

    fn variation(&mut self, number: Option<String>) -> Result<(), Refused> {
        let Some(number) = number else {
            let lines = listings::variations(&self.game.cursor().whole());
            self.list("Variations", lines);
            return Ok(());
        };
        let parsed = number.parse().unwrap_or(0);
        if self.intend(Intent::Variation(parsed)).is_err() {
            let count = self.game.cursor().whole().variations().len();
            return Err(missing("variation", shortened(&number), count).into());
        }
        // The file remembers which line was chosen, but finished games are left unchanged.
        if self.saved_games.is_in_play() && !self.game.is_over() {
            self.autosave();
        }
        Ok(())
    }

    fn level(&mut self, name: Option<String>) -> Result<(), Refused> {
        let Some(name) = name else {
            let seats = Side::BOTH.map(|side| self.game.seat(side));
            let current = seats.iter().find_map(|seat| match seat {
                Seat::Level(level) => Some(*level),
                _ => None,
            });
            self.list("Levels", listings::levels(current));
            return Ok(());
        };
        let opponent = Seat::parse_opponent(&name)?;
        self.intend(Intent::Engine(opponent))?;
        // The setup changes, too, so that the level also applies to later games.
        for seat in self.setup.game.seats.iter_mut().filter(|seat| !seat.is_person()) {
            *seat = opponent;
        }
        Ok(())
    }
}

fn number_of_moves(count: usize) -> String {
    counted(count as u64, "move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_coach::history::PuzzleHistory;
    use kalah_game::Pit;
    use kalah_play::saved::Resume;
    use std::path::Path;
    use std::sync::mpsc;

    /// Two people, whose game is saved in `folder`.
    fn game(folder: &Path, resume: Option<Resume>) -> (TerminalGame, Vec<GameMessage>) {
        let game = NewGame::for_people(Position::start(Rules::default()));
        let setup = GameSetup { game, random_sides: false, pause: Duration::ZERO };
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
        first.act(UserAction::Sow(vec![Pit::new(0)]));
        let (mut second, _) = game(folder.path(), Some(Resume::Last));
        second.act(UserAction::Sow(vec![Pit::new(1)]));
        let said = texts(&first.act(UserAction::Sow(vec![Pit::new(2)])));
        assert!(said.contains("Another program has changed the game in "), "{said}");
        assert!(!texts(&first.act(UserAction::Sow(vec![Pit::new(3)]))).contains("Another"));
        second.act(UserAction::Sow(vec![Pit::new(4)]));
        let mut games: Vec<String> = SavedGames::new(Some(folder.path().to_owned()))
            .list()
            .0
            .iter()
            .map(|(_, game)| game.steps().iter().map(|step| step.played.letter()).collect())
            .collect();
        games.sort();
        assert_eq!(games, ["AbE", "Acd"]);
    }

    #[test]
    fn lessons_take_the_place_of_a_game() {
        let tutor = Tutor::for_lessons(0, PuzzleHistory::default());
        let position = tutor.position();
        let (sender, _events) = mpsc::channel();
        let (mut game, first) = TerminalGame::for_lessons(tutor, sender, Glyphs::Ascii).unwrap();
        assert!(!first.is_empty());
        assert_eq!(game.position(), position);
        assert!(!game.answer("hint").is_empty() && !game.has_ended());
        game.answer("quit");
        assert!(game.has_ended());
    }
}
