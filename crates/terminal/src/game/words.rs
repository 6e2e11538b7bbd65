//! What a game at a terminal says: the events of a game in play as messages, and refusals with
//! what the player can do instead.

use super::{TerminalGame, number_of_moves};
use crate::message::GameMessage;
use crate::{analysis, listings};
use kalah_coach::advice;
use kalah_coach::explain::in_seeds;
use kalah_game::{Capture, Outcome, Played, Position, Side};
use kalah_play::game::{Event, Intent};
use kalah_play::refusal::Refusal;
use kalah_record::{Move, Reason, sentence, turn_numbers};
use kalah_text::format::counted;

impl TerminalGame {
    /// Says what has happened, if there is something to say about it.
    pub(super) fn say(&mut self, event: Event) {
        match event {
            Event::Sown { played, before } => self.say_sown(played, before),
            Event::Swapped(side) => {
                let names = self.names_against();
                self.text(format!("{side} swaps sides. {names}, {side} to move."));
                self.messages.push(GameMessage::Board);
            }
            Event::MaySwap => {
                let [swap] = self.enter(["swap"]);
                self.text(format!("Instead of moving you may swap sides with {swap}."));
            }
            Event::Branched(number) => {
                self.text(format!("The moves that followed are kept as variation {number}."));
            }
            Event::TookBack(steps) => {
                self.say_arrived(&format!("Took back {}.", number_of_moves(steps)));
            }
            Event::TookBackLoss(Reason::Time) => {
                self.say_arrived("Play continues; the expired clock no longer counts.");
            }
            Event::TookBackLoss(_) => self.say_arrived("Took back the resignation."),
            Event::Redone(steps) => {
                self.say_arrived(&format!("Replayed {}.", number_of_moves(steps)));
            }
            Event::Continued => self.say_arrived("The game continues from here."),
            Event::Switched(number) => {
                let moves = number_of_moves(self.game.cursor().steps());
                let [next, back, go] = self.enter(["next", "back", "go"]);
                self.say_arrived(&format!(
                    "Variation {number}, {moves}; {next} and {back} step through it, {go} resumes \
                     play."
                ));
            }
            Event::WentTo => {
                let text = self.where_it_went();
                self.text(text);
                self.messages.push(GameMessage::Board);
            }
            Event::Lost(_, Reason::Time) => {
                let ending = sentence::ending(self.game.record()).unwrap_or_default();
                self.text(ending + &self.verdict());
            }
            Event::Lost(side, _) => {
                let winner = side.other();
                self.text(format!("{side} resigns; {winner} wins.{}", self.verdict()));
            }
            Event::Late(side) => self.text(format!("{side} has run out of time; play continues.")),
            Event::EngineChanged(seat) => {
                self.text(format!("The engine plays as {seat}: {}.", seat.about()));
            }
            event => self.say_answer(event),
        }
    }

    /// Says what the engine and the opening book know.
    fn say_answer(&mut self, event: Event) {
        let position = *self.game.position();
        match event {
            Event::Opening(margin) => {
                let result = match Outcome::from_margin(margin) {
                    Outcome::Draw => "this opening is a draw".to_owned(),
                    Outcome::Won(winner) => {
                        let is_reader = self.game.only_person() == Some(winner);
                        let wins =
                            if is_reader { "you win".to_owned() } else { format!("{winner} wins") };
                        format!("{wins} by {}", margin.0.abs())
                    }
                };
                self.text(format!("With best play, {result}."));
            }
            Event::Coached(before, judgement) => {
                if let Some(text) = advice::coaching(&before, &judgement) {
                    let [undo] = self.enter(["undo"]);
                    self.text(format!("{text} Take it back with {undo}."));
                }
            }
            Event::Progress(done, count) => self.messages.push(GameMessage::Progress(done, count)),
            Event::Hint(judgement) => {
                let texts = advice::hint(&position, &judgement).into_iter();
                self.messages.extend(texts.map(GameMessage::Text));
            }
            Event::Values(values) => {
                let lines = listings::values(&position, &values, self.width);
                self.list("Values", lines);
            }
            Event::Reviewed(judgements) => {
                let whole = self.game.cursor().whole();
                let lines = analysis::listing(&whole, &judgements, self.width, self.glyphs);
                self.list("Analysis", lines);
            }
            Event::Failed(_) => {
                let [go] = self.enter(["go"]);
                self.messages.push(GameMessage::Error(format!(
                    "the search failed, but the game is intact; retry with {go}"
                )));
            }
            // The host acts on the others.
            _ => {}
        }
    }

    fn say_sown(&mut self, played: Played, before: Position) {
        let after = *self.game.position();
        let text = sentence::of_move(&played, &after) + &self.verdict();
        self.messages.push(GameMessage::Moved { played, before, text });
    }

    /// Shows the position that the player went to.
    fn say_arrived(&mut self, text: &str) {
        let position = self.game.position();
        let rest = if self.game.is_over() {
            sentence::of_result(position)
        } else {
            format!("{} to move.", position.side())
        };
        self.text(format!("{text} {rest}"));
        self.messages.push(GameMessage::Board);
    }

    /// `Turn 3 of 17: South sowed …`
    fn where_it_went(&self) -> String {
        let cursor = self.game.cursor();
        let record = cursor.record();
        let side = cursor.position().side();
        let text = match record.steps().last() {
            _ if cursor.has_just_swapped() => format!("{side} swapped sides."),
            None => format!("{side} to move.{}", in_parentheses(record.comment.clone())),
            Some(step) => {
                sentence::of_move(&step.played, &step.after) + &annotation_of(&step.r#move)
            }
        };
        let turn = turn_numbers(record.steps()).last().unwrap_or(0);
        let all = turn_numbers(cursor.whole().steps()).last().unwrap_or(0);
        format!("Turn {turn} of {all}: {text}")
    }

    /// The game at its beginning.
    pub(super) fn announcement(&self) -> String {
        let position = self.game.position();
        let mut text = format!(
            "Kalah, {}, {}",
            counted(position.pits() as u64, "pit"),
            sentence::seeds(position.total())
        );
        if position.capture() != Capture::default() {
            text += &format!(", {}", position.capture().in_words());
        }
        if self.game.record().pie_rule {
            text += ", pie rule";
        }
        if let Some(rules) = self.game.clock_rules() {
            text += &format!(", clock {rules}");
        }
        text += &format!(". {}.", self.names_against());
        if self.game.is_over() {
            text += &format!(" {}", sentence::of_result(position));
        }
        text
    }

    pub(super) fn names_against(&self) -> String {
        let [south, north] = Side::BOTH.map(|side| self.name_of(side));
        format!("{south} against {north}")
    }

    /// The result from the point of view of the only person; empty for a draw, an unfinished
    /// game, and if there is not exactly one person.
    fn verdict(&self) -> String {
        let person = self.game.only_person();
        match self.game.record().ending() {
            Some(ending) if person.is_some() && ending.outcome != Outcome::Draw => {
                format!(" {}.", sentence::heading(ending, person))
            }
            _ => String::new(),
        }
    }

    /// Why an intent was refused, and what to do instead.
    pub(super) fn refusal(&self, intent: &Intent, refusal: &Refusal) -> String {
        let [now, undo, quit, new, back, go] =
            self.enter(["now", "undo", "quit", "new", "back", "go"]);
        match (refusal, intent) {
            (Refusal::Thinking(side), Intent::Ask(_)) => {
                format!("the engine is thinking about {side}'s move; ask on your turn")
            }
            (Refusal::Thinking(_), _) => {
                format!("{refusal}; wait, or use {now}, {undo} or {quit}")
            }
            (Refusal::Over(_), Intent::Sow(_) | Intent::Swap) => {
                format!("{refusal}; {undo} takes back the last decision, {new} starts a new game")
            }
            (Refusal::Over(_), Intent::Ask(_)) => {
                format!("{refusal}; use {back} or {undo} to step into it")
            }
            (Refusal::Over(_), Intent::Continue) => {
                format!("{refusal}; use {back} to step into it")
            }
            (Refusal::Paused(..), _) => format!("{refusal}; resume play with {go}"),
            (Refusal::NoEngine, _) => {
                format!("{refusal}; start with --level to play against it")
            }
            _ => refusal.to_string(),
        }
    }
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
