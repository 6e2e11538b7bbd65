//! What players do: each intent is refused, or changes the game.

use std::time::Duration;

use kalah_game::{Pit, Side};
use kalah_record::{Move, Reason};

use super::{Event, GameInPlay, Intent};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seat::Seat;

impl GameInPlay {
    /// Does what a player intends.
    ///
    /// # Errors
    /// [`Refusal`]; the game is then unchanged.
    pub fn act(&mut self, intent: Intent, now: Duration) -> Result<Vec<Event>, Refusal> {
        match intent {
            Intent::Sow(pit) => self.move_by_person(Some(pit), now)?,
            Intent::Swap => self.move_by_person(None, now)?,
            Intent::TakeBack => self.take_back(now)?,
            Intent::Redo => self.redo(now)?,
            Intent::GoTo(steps) => self.go_to(steps)?,
            Intent::Variation(number) => self.go_to_variation(number)?,
            Intent::Continue => self.resume(now)?,
            Intent::Resign => self.resign()?,
            Intent::Ask(question) => self.ask_for_person(question, now)?,
            Intent::Withdraw => self.drop_question(),
            Intent::Hurry if self.question.is_none() => return Err(Refusal::NotThinking),
            Intent::Hurry => self.events.push(Event::Hurry),
            Intent::Engine(seat) => self.change_engine(seat, now)?,
            Intent::Coach(has_coach) => {
                self.has_coach = has_coach;
                self.events.push(Event::Save);
            }
        }
        Ok(self.take_events())
    }

    /// Sows a pit for a person; `None` swaps sides.
    fn move_by_person(&mut self, pit: Option<Pit>, now: Duration) -> Result<(), Refusal> {
        if let Some(side) = self.thinking() {
            return Err(Refusal::Thinking(side));
        }
        if let Some(ending) = self.record().ending() {
            return Err(Refusal::Over(Some(ending.clone())));
        }
        let before = *self.position();
        let seat = self.seat(before.side());
        if self.is_paused && !seat.is_person() {
            return Err(Refusal::Paused(before.side(), seat));
        }
        let variations = self.cursor.whole().variations().len();
        match pit {
            Some(pit) => {
                let time = self.clock_rules.map(|_| self.time_of_turn(now));
                self.cursor.play(Move { time, ..Move::new(pit) })?;
            }
            None if self.cursor.swap() => {}
            None => return Err(Refusal::NoSwap),
        }
        // Only now: a refused move must leave a running analysis alone.
        self.drop_question();
        self.is_paused = false;
        self.names = None;
        let kept = self.cursor.whole().variations().len();
        if kept > variations {
            self.events.push(Event::Branched(kept));
        }
        self.after_step(before, now);
        Ok(())
    }

    fn ask_for_person(&mut self, question: Question, now: Duration) -> Result<(), Refusal> {
        if let Some(side) = self.thinking() {
            return Err(Refusal::Thinking(side));
        }
        if question == Question::Review {
            if self.cursor.whole().steps().is_empty() {
                return Err(Refusal::NoMoves);
            }
        } else if self.position().is_over() {
            return Err(Refusal::Over(None));
        }
        self.ask(question, now);
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over(None));
        }
        let side = match self.only_person() {
            Some(side) => side,
            None if self.has_people() => self.position().side(),
            None => return Err(Refusal::NoPerson),
        };
        self.lose(side, Reason::Resignation);
        Ok(())
    }

    fn take_back(&mut self, now: Duration) -> Result<(), Refusal> {
        // Read first, because undo removes the ending.
        let ending = self.record().ending().map(|ending| ending.reason);
        let event = match (self.cursor.undo(self.decides()), ending) {
            (None, _) => return Err(Refusal::NothingToUndo),
            (Some(0), Some(reason)) => Event::TookBackLoss(reason),
            (Some(steps), _) => Event::TookBack(steps),
        };
        self.arrive_at_decision(event, now);
        Ok(())
    }

    fn redo(&mut self, now: Duration) -> Result<(), Refusal> {
        match self.cursor.redo(self.decides()) {
            None => Err(Refusal::NothingToRedo),
            Some(steps) => {
                self.arrive_at_decision(Event::Redone(steps), now);
                Ok(())
            }
        }
    }

    /// Whether undo and redo stop at the turns of a player: they stop at people, or at both
    /// players if no person plays.
    pub(super) fn decides(&self) -> impl Fn(Side) -> bool + use<> {
        let has_people = self.has_people();
        let seats = self.seats;
        move |player| !has_people || seats[player.index()].is_person()
    }

    fn arrive_at_decision(&mut self, event: Event, now: Duration) {
        self.drop_question();
        // Otherwise, two engines playing each other would move on immediately.
        self.is_paused |= !self.has_people();
        self.arrive(event, now);
    }

    /// Continues from the position that the player went to.
    fn arrive(&mut self, event: Event, now: Duration) {
        self.events.push(event);
        if !self.is_paused {
            self.events.push(Event::Save);
        }
        self.continue_turn(now);
    }

    fn go_to(&mut self, steps: usize) -> Result<(), Refusal> {
        if !self.cursor.step_to(steps) {
            return Err(Refusal::NoSuchStep(self.cursor.steps() == 0));
        }
        self.look(Event::WentTo);
        Ok(())
    }

    fn go_to_variation(&mut self, number: usize) -> Result<(), Refusal> {
        if !self.cursor.go_to_variation(number) {
            return Err(Refusal::NoSuchVariation(self.cursor.whole().variations().len()));
        }
        self.look(Event::Switched(number));
        Ok(())
    }

    /// Pauses at the position that the player went to.
    fn look(&mut self, event: Event) {
        self.drop_question();
        self.pause();
        self.events.push(event);
    }

    fn resume(&mut self, now: Duration) -> Result<(), Refusal> {
        if self.position().is_over() {
            return Err(Refusal::Over(None));
        }
        if !self.is_paused {
            return Err(Refusal::InProgress);
        }
        self.drop_question();
        // A resignation or a loss on time does not keep the game from being continued.
        self.cursor.take_loss();
        self.is_paused = false;
        self.names = None;
        self.arrive(Event::Continued, now);
        Ok(())
    }

    fn change_engine(&mut self, engine: Seat, now: Duration) -> Result<(), Refusal> {
        if self.seats.iter().all(|seat| seat.is_person()) {
            return Err(Refusal::NoEngine);
        }
        for seat in self.seats.iter_mut().filter(|seat| !seat.is_person()) {
            *seat = engine;
        }
        self.events.push(Event::EngineChanged(engine));
        // The running search still has the strength of the old player.
        if self.thinking().is_some() {
            self.drop_question();
            self.continue_turn(now);
        }
        Ok(())
    }
}
