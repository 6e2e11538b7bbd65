//! What a player can ask for.

use super::{Message, Refused, Session};
use crate::game::{Pit, Position, Side};
use crate::play::background::Task;
use crate::play::pages;
use crate::play::seat::Seat;
use crate::record::{Move, Outcome, Reason};
use crate::sys::names::{choice, shortened};
use crate::view::sentence;

impl Session {
    /// Plays a pit, or swaps sides.
    pub(super) fn play(&mut self, pit: Option<Pit>) -> Result<(), Refused> {
        if let Some(side) = self.thinking() {
            return Err(format!(
                "it is {side}'s turn, and the engine thinks; wait, or type now, undo or quit"
            )
            .into());
        }
        if let Some(ending) = self.game.record().ending() {
            let why = match (ending.reason, ending.outcome) {
                (Reason::Resignation, Outcome::Won(side)) => format!(": {} resigned", side.other()),
                (Reason::Time, Outcome::Won(side)) => {
                    format!(": {}'s time is over", side.other())
                }
                _ => String::new(),
            };
            return Err(format!(
                "the game is over{why}; undo takes the last decision back, new starts again"
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
            Some(pit) => self.game.play(Move { time: self.time_used(), ..Move::new(pit) })?,
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
    pub(super) fn after_step(&mut self, before: Position) {
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
        self.name_opening();
        self.autosave();
        let by_person = !self.game.has_just_swapped() && self.seat(before.side()).is_person();
        match self.setup.coach && by_person && !self.game.is_over() {
            true => {
                self.begin_turn();
                self.start(Task::Loss);
            }
            false => self.let_engine_move(),
        }
    }

    /// What the end of the game means to the only person.
    pub(super) fn verdict(&self) -> &'static str {
        let outcome = self.game.record().ending().map(|ending| ending.outcome);
        match (outcome, self.only_person()) {
            (Some(Outcome::Won(winner)), Some(side)) if winner == side => " You win.",
            (Some(Outcome::Won(_)), Some(_)) => " You lose.",
            _ => "",
        }
    }

    pub(super) fn undo(&mut self) -> Result<(), Refused> {
        let ending = self.game.record().ending().map(|ending| ending.reason);
        let on_time = ending == Some(Reason::Time);
        let undone = self.game.undo(self.decides());
        self.moved_to_decision(match undone {
            None => return Err("nothing to undo: this is your first decision of the game".into()),
            Some(0) if on_time => "Play goes on without the time.".to_owned(),
            Some(0) => "The resignation is taken back.".to_owned(),
            Some(undone) => format!("Took back {}.", pages::number_of_moves(undone)),
        });
        Ok(())
    }

    pub(super) fn redo(&mut self) -> Result<(), Refused> {
        let redone = self.game.redo(self.decides());
        let redone = redone.ok_or("nothing to redo: no move was undone")?;
        self.moved_to_decision(format!("Made {} again.", pages::number_of_moves(redone)));
        Ok(())
    }

    /// Whether undo and redo stop at the turns of a player: the persons, or both
    /// engines.
    pub(super) fn decides(&self) -> impl Fn(Side) -> bool + use<> {
        let (people, seats) = (self.has_people(), self.seats);
        move |player| !people || seats[player.index()].is_person()
    }

    pub(super) fn moved_to_decision(&mut self, text: String) {
        self.cancel();
        // Otherwise two engines would play on at once.
        self.paused |= !self.has_people();
        self.continue_here(text);
    }

    /// Goes on from the position that the player has gone to.
    pub(super) fn continue_here(&mut self, text: String) {
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

    pub(super) fn step_to(&mut self, steps: Option<usize>) -> Result<(), Refused> {
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

    pub(super) fn variation(&mut self, number: Option<String>) -> Result<(), Refused> {
        let Some(number) = number else {
            self.page("Variations", pages::variations(&self.game.whole()));
            return Ok(());
        };
        if !number.parse().is_ok_and(|number| self.game.go_to_variation(number)) {
            let expected = choice("variation", self.game.whole().variations().len());
            return Err(format!("expected {expected}, got '{}'", shortened(&number)).into());
        }
        self.cancel();
        self.paused = true;
        self.save_line();
        self.continue_here(format!(
            "Variation {number}, {}; next and back step through it, go plays on.",
            pages::number_of_moves(self.game.steps())
        ));
        Ok(())
    }

    pub(super) fn play_on(&mut self) -> Result<(), Refused> {
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

    pub(super) fn analyse(&mut self) -> Result<(), Refused> {
        self.refuse_while_thinking()?;
        let count = self.game.whole().steps().len();
        if count == 0 {
            return Err("there are no moves to analyse yet".into());
        }
        self.text(format!("Judging {}; this takes some seconds.", pages::number_of_moves(count)));
        self.start(Task::Losses);
        Ok(())
    }

    pub(super) fn level(&mut self, name: Option<String>) -> Result<(), Refused> {
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
        self.text(format!("{side} resigns, {} wins.{}", side.other(), self.verdict()));
        self.autosave();
        Ok(())
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
