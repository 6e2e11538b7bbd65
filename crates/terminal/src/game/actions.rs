//! What a player can ask for: moves, stepping through the game, other games, files.

use std::path::PathBuf;

use super::{GameMessage, Refused, TerminalGame};
use crate::{background::EngineTask, listings, message::ListingTopic, tutor::Tutor};
use kalah_coach::explain::in_seeds;
use kalah_coach::history::PuzzleHistory;
use kalah_game::{Capture, Pit, Position, Side};
use kalah_play::clock::ClockRules;
use kalah_play::line::GameLine;
use kalah_play::players;
use kalah_play::saved::{Loaded, SavedGameError};
use kalah_play::seat::Seat;
use kalah_record::{Game, Move, Outcome, Reason, sentence, turn_numbers};
use kalah_sys::clock::now;
use kalah_text::format::counted;
use kalah_text::names::{choice, shortened};

/// Moves.
impl TerminalGame {
    /// Sows a pit; `None` swaps sides.
    pub(super) fn play(&mut self, pit: Option<Pit>) -> Result<(), Refused> {
        if let Some(side) = self.thinking() {
            let (verb, [now, undo, quit]) =
                (self.input.verb(), self.enter(["now", "undo", "quit"]));
            return Err(format!(
                "it is {side}'s turn and the engine is thinking; wait, or {verb} {now}, {undo} or \
                 {quit}"
            )
            .into());
        }
        if let Some(ending) = self.game.record().ending() {
            let why = sentence::cause(ending).map(|cause| format!(": {cause}"));
            let why = why.unwrap_or_default();
            let [undo, new] = self.enter(["undo", "new"]);
            return Err(format!(
                "the game is over{why}; {undo} takes back the last decision, {new} starts a new \
                 game"
            )
            .into());
        }
        let before = *self.game.position();
        let seat = self.seat(before.side());
        if self.paused && !seat.is_person() {
            let (side, verb, [go]) = (before.side(), self.input.verb(), self.enter(["go"]));
            return Err(format!(
                "it is {side}'s turn, and {seat} plays {side}; {verb} {go} to resume play"
            )
            .into());
        }
        let variations = self.game.whole().variations().len();
        match pit {
            Some(pit) => self.game.play(Move { time: self.time_used(), ..Move::new(pit) })?,
            None if self.game.swap() => {}
            None => {
                return Err("only the second player can swap sides, under the pie rule, \
                            instead of making its first move"
                    .into());
            }
        }
        // Cancelled only now: a refused move must leave a running analysis alone.
        self.cancel();
        self.paused = false;
        self.names = None;
        let kept = self.game.whole().variations().len();
        if kept > variations {
            self.text(format!("The moves that followed are kept as variation {kept}."));
        }
        self.after_step(before);
        Ok(())
    }

    /// Reports the step just made, saves the game, and lets it continue.
    pub(super) fn after_step(&mut self, before: Position) {
        if self.game.has_just_swapped() {
            let (side, names) = (self.game.position().side(), self.names_against());
            self.text(format!("{side} swaps sides. {names}, {side} to move."));
            self.messages.push(GameMessage::Board);
        } else if let Some(step) = self.game.record().steps().last() {
            let mut text = sentence::of_move(&step.played, &step.after);
            text += self.verdict();
            self.messages.push(GameMessage::Moved { played: step.played, before, text });
        }
        if self.game.record().may_swap() && self.seat(self.game.position().side()).is_person() {
            let (verb, [swap]) = (self.input.verb(), self.enter(["swap"]));
            self.text(format!("Instead of moving you may swap sides: {verb} {swap}."));
        }
        self.name_opening();
        self.autosave();
        let by_person = !self.game.has_just_swapped() && self.seat(before.side()).is_person();
        // After the last move, the result is the message; `analyse` judges that move, too.
        if self.setup.coach && by_person && !self.game.is_over() {
            // The engine moves once the coach has judged this move; see `coach`.
            self.begin_turn();
            self.start(EngineTask::Loss);
        } else {
            self.let_engine_move();
        }
    }

    /// The result from the point of view of the only person; empty for a draw, an unfinished
    /// game, and if there is not exactly one person.
    pub(super) fn verdict(&self) -> &'static str {
        let outcome = self.game.record().ending().map(|ending| ending.outcome);
        match (outcome, self.only_person()) {
            (Some(Outcome::Won(winner)), Some(side)) if winner == side => " You win.",
            (Some(Outcome::Won(_)), Some(_)) => " You lose.",
            _ => "",
        }
    }

    pub(super) fn resign(&mut self) -> Result<(), Refused> {
        if self.game.is_over() {
            return Err("the game is over".into());
        }
        let side = match self.only_person() {
            Some(side) => side,
            None if self.has_people() => self.game.position().side(),
            None => return Err("only a person can resign; the engine plays both sides".into()),
        };
        self.cancel();
        self.game.lose(side, Reason::Resignation);
        self.text(format!("{side} resigns; {} wins.{}", side.other(), self.verdict()));
        self.autosave();
        Ok(())
    }
}

/// Stepping through the game.
impl TerminalGame {
    pub(super) fn undo(&mut self) -> Result<(), Refused> {
        // Read first, because undo removes the ending.
        let ending = self.game.record().ending().map(|ending| ending.reason);
        let undone = self.game.undo(self.decides());
        self.moved_to_decision(match undone {
            None => return Err("nothing to undo: this is your first decision of the game".into()),
            Some(0) if ending == Some(Reason::Time) => {
                "Play continues; the expired clock no longer counts.".to_owned()
            }
            Some(0) => "Took back the resignation.".to_owned(),
            Some(undone) => format!("Took back {}.", number_of_moves(undone)),
        });
        Ok(())
    }

    pub(super) fn redo(&mut self) -> Result<(), Refused> {
        let redone = self.game.redo(self.decides());
        let redone = redone.ok_or("nothing to redo: no move was undone")?;
        self.moved_to_decision(format!("Replayed {}.", number_of_moves(redone)));
        Ok(())
    }

    /// Whether undo and redo stop at the turns of a player: they stop at people, or at both
    /// players if no person plays.
    fn decides(&self) -> impl Fn(Side) -> bool + use<> {
        let (people, seats) = (self.has_people(), self.seats);
        move |player| !people || seats[player.index()].is_person()
    }

    fn moved_to_decision(&mut self, text: String) {
        self.cancel();
        // Otherwise, two engines playing each other would move on immediately.
        self.paused |= !self.has_people();
        self.continue_here(text);
    }

    /// Shows the position that the player went to, and continues from there.
    fn continue_here(&mut self, text: String) {
        // The estimate belongs to the position that is being left.
        self.expected = None;
        let position = self.game.position();
        let rest = if self.game.is_over() {
            sentence::of_result(position)
        } else {
            format!("{} to move.", position.side())
        };
        self.text(format!("{text} {rest}"));
        self.messages.push(GameMessage::Board);
        if !self.paused {
            self.autosave();
        }
        self.let_engine_move();
    }

    pub(super) fn step_to(&mut self, steps: Option<usize>) -> Result<(), Refused> {
        if !steps.is_some_and(|steps| self.game.step_to(steps)) {
            let end = if self.game.steps() == 0 { "start" } else { "last move" };
            return Err(format!("this is the {end} of the game").into());
        }
        self.cancel();
        self.paused = true;
        self.expected = None;
        let position = self.game.position();
        let text = match self.game.record().steps().last() {
            _ if self.game.has_just_swapped() => format!("{} swapped sides.", position.side()),
            None => {
                let comment = self.game.record().comment.clone();
                format!("{} to move.{}", position.side(), in_parentheses(comment))
            }
            Some(step) => {
                sentence::of_move(&step.played, &step.after) + &annotation_of(&step.r#move)
            }
        };
        let [turn, all] = [self.game.record(), &self.game.whole()]
            .map(|game| turn_numbers(game.steps()).last().unwrap_or(0));
        self.text(format!("Turn {turn} of {all}: {text}"));
        self.messages.push(GameMessage::Board);
        Ok(())
    }

    pub(super) fn variation(&mut self, number: Option<String>) -> Result<(), Refused> {
        let Some(number) = number else {
            self.list(ListingTopic::Variations, listings::variations(&self.game.whole()));
            return Ok(());
        };
        if !number.parse().is_ok_and(|number| self.game.go_to_variation(number)) {
            let expected = choice("variation", self.game.whole().variations().len());
            return Err(format!("expected {expected}, got '{}'", shortened(&number)).into());
        }
        self.cancel();
        self.paused = true;
        // The file remembers which line was chosen, but finished games are left unchanged.
        if self.saved_games.is_in_play() && !self.game.is_over() {
            self.autosave();
        }
        let [next, back, go] = self.enter(["next", "back", "go"]);
        self.continue_here(format!(
            "Variation {number}, {}; {next} and {back} step through it, {go} resumes play.",
            number_of_moves(self.game.steps())
        ));
        Ok(())
    }

    pub(super) fn play_on(&mut self) -> Result<(), Refused> {
        if self.game.position().is_over() {
            let [back] = self.enter(["back"]);
            return Err(format!("the game is over; use {back} to step into it").into());
        }
        if !self.paused {
            return Err("the game is already in progress".into());
        }
        // A resignation or a loss on time does not keep the game from being continued.
        self.game.take_loss();
        self.paused = false;
        self.names = None;
        self.continue_here("The game continues from here.".to_owned());
        Ok(())
    }

    pub(super) fn learn(&mut self, number: Option<String>) -> Result<(), Refused> {
        self.refuse_while_thinking()?;
        if self.clock_rules.is_some() {
            return Err("the clock of this game cannot be paused; run 'kalah learn' to start \
                        the tutorial separately"
                .into());
        }
        let number = number.unwrap_or_else(|| "1".to_owned());
        let wanted =
            number.parse().map_err(|_| format!("expected a lesson, got '{}'", shortened(&number)));
        // Checked before the search is cancelled, so that a wrong number costs nothing.
        let history = PuzzleHistory::load(self.saved_games.folder());
        let mut tutor = Tutor::for_lessons(wanted?, history)?;
        self.cancel();
        self.messages.extend(tutor.begin());
        self.tutor = Some(tutor);
        Ok(())
    }

    pub(super) fn analyse(&mut self) -> Result<(), Refused> {
        self.refuse_while_thinking()?;
        let count = self.game.whole().steps().len();
        if count == 0 {
            return Err("there are no moves to analyse yet".into());
        }
        self.text(format!("Analysing {}; this takes a few seconds.", number_of_moves(count)));
        self.start(EngineTask::Losses);
        Ok(())
    }
}

/// Players, and other games.
impl TerminalGame {
    pub(super) fn level(&mut self, name: Option<String>) -> Result<(), Refused> {
        let Some(name) = name else {
            let current = self.seats.iter().find_map(|seat| match seat {
                Seat::Level(level) => Some(*level),
                _ => None,
            });
            self.list(ListingTopic::Levels, listings::levels(current));
            return Ok(());
        };
        let opponent = Seat::parse_opponent(&name)?;
        if self.seats.iter().all(|seat| seat.is_person()) {
            return Err(
                "the engine plays neither side; start with --level to play against it".into()
            );
        }
        // The setup changes, too, so that the level also applies to later games.
        for seats in [&mut self.seats, &mut self.setup.seats] {
            for seat in seats.iter_mut().filter(|seat| !seat.is_person()) {
                *seat = opponent;
            }
        }
        self.text(format!("The engine plays as {opponent}: {}.", opponent.about()));
        // The running search still has the strength of the old level.
        if self.thinking().is_some() {
            self.cancel();
            self.let_engine_move();
        }
        Ok(())
    }

    pub(super) fn announce(&mut self) {
        let position = self.game.position();
        let mut text = format!(
            "Kalah, {}, {}",
            counted(position.pits() as u64, "pit"),
            sentence::seeds(position.total())
        );
        text += match position.capture() {
            Capture::Standard => "",
            Capture::EmptyCapture => ", empty captures",
        };
        if self.setup.pie_rule {
            text += ", pie rule";
        }
        if let Some(rules) = self.clock_rules {
            text += &format!(", clock {rules}");
        }
        text += &format!(". {}.", self.names_against());
        if self.game.is_over() {
            text += &format!(" {}", sentence::of_result(position));
        }
        self.text(text);
        if self.saved_games.are_new() && self.has_people() {
            self.text("New to Kalah? 'kalah learn' is a ten-minute tutorial.");
        }
        self.name_opening();
        self.messages.push(GameMessage::Board);
        self.let_engine_move();
    }

    pub(super) fn start_again(&mut self) {
        self.cancel();
        self.saved_games.begin_game();
        self.game = GameLine::new(self.setup.start, self.setup.pie_rule);
        self.seats = self.setup.seats();
        self.names = None;
        self.clock_rules = self.setup.clock_rules;
        self.is_over_time = [false; 2];
        self.named_margin = None;
        self.date = now();
        self.paused = false;
        self.expected = None;
        self.announce();
    }

    pub(super) fn continue_game(&mut self, loaded: Loaded) {
        let Loaded { record, number, count, is_torn, .. } = loaded;
        self.cancel();
        self.game = GameLine::from_record(&record);
        match players::seats(&record) {
            Some(seats) => {
                self.seats = Side::BOTH.map(|side| seats[record.player_at(side).index()]);
                self.names = None;
                self.clock_rules = ClockRules::read(&record);
            }
            // A game from a different program: its names are shown until play resumes, and the
            // seats of this program take over then.
            None => self.names = Some(record.players.clone().map(|player| player.name)),
        }
        self.is_over_time = [false; 2];
        self.expected = None;
        let which = if count == 1 { String::new() } else { format!(" game {number} of {count}") };
        let (names, moves) = (self.names_against(), number_of_moves(self.game.steps()));
        let mut text = format!("Loaded{which}: {names}, {moves}.");
        if is_torn {
            text += " The last line of the file is incomplete, so its game is missing.";
        }
        self.paused = record.ending().is_some();
        if let Some(ending) = record.ending() {
            let ending = sentence::recorded(ending);
            let [next, back, last, go] = self.enter(["next", "back", "last", "go"]);
            text += &format!(
                " {ending} {next} and {back} step through it, {last} shows the end, {go} resumes \
                 play."
            );
            // A finished game is loaded to be stepped through, so it is shown from its start.
            self.game.step_to(0);
        }
        self.date = record.date.unwrap_or_else(now);
        self.text(text);
        self.messages.push(GameMessage::Board);
        self.let_engine_move();
    }

    /// The record to save.
    fn record(&self) -> Game {
        let mut record = self.game.whole();
        record.date = Some(self.date.clone());
        // The whole game may have swapped sides after the position that is shown.
        let seats = Side::BOTH.map(|side| self.seats[record.player_at(side).index()]);
        let names = self.names.clone().unwrap_or_else(|| players::default_names(seats));
        players::set(&mut record, seats, &names);
        match self.clock_rules {
            Some(rules) => rules.write(&mut record),
            None => ClockRules::clear(&mut record),
        }
        record
    }

    pub(super) fn save(&mut self, name: Option<String>) -> Result<(), Refused> {
        let record = self.record();
        let text = match name {
            Some(name) => {
                let path = self.saved_games.save_copy(&name, &record)?;
                format!("Saved as {}.", path.display())
            }
            None => {
                let path = self.save_current(&record)?.ok_or("save needs a file name")?;
                format!("The game is saved in {}.", path.display())
            }
        };
        self.text(text);
        Ok(())
    }

    /// Saves the current game, in a new file if another program has changed its own: both keep
    /// their moves.
    fn save_current(&mut self, record: &Game) -> Result<Option<PathBuf>, SavedGameError> {
        let saved = match self.saved_games.save(record) {
            Err(SavedGameError::Conflict(changed)) => {
                self.saved_games.begin_game();
                let saved = self.saved_games.save(record)?.map(|file| file.path.clone());
                if let Some(path) = &saved {
                    self.text(format!(
                        "Another program has changed the game in {}; this one continues in {}.",
                        changed.display(),
                        path.display()
                    ));
                }
                return Ok(saved);
            }
            saved => saved?,
        };
        Ok(saved.map(|file| file.path.clone()))
    }

    /// Saves after a step. A failure is reported once; a disk that was full may have space at the
    /// next step.
    pub(super) fn autosave(&mut self) {
        let saved = self.save_current(&self.record());
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

fn number_of_moves(count: usize) -> String {
    counted(count as u64, "move")
}

/// The mover's evaluation and the comment of a recorded move, if it has any.
fn annotation_of(r#move: &Move) -> String {
    let evaluation = r#move.evaluation.map(|evaluation| {
        let exact = if evaluation.proved { "exactly" } else { "about" };
        let margin = in_seeds(evaluation.margin, evaluation.proved);
        format!("the mover expected a margin of {exact} {margin}")
    });
    in_parentheses(evaluation.into_iter().chain(r#move.comment.clone()))
}

fn in_parentheses(parts: impl IntoIterator<Item = String>) -> String {
    let parts: Vec<String> = parts.into_iter().collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}
