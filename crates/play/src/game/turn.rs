//! The course of a turn: the answers of the engine and of the coach, the clock, and what follows a
//! move.

use std::time::Duration;

use kalah_coach::explain::Judgement;
use kalah_engine::book::Book;
use kalah_game::score::Value;
use kalah_game::{Position, Side};
use kalah_record::{Move, Reason};

use super::{Event, GameInPlay};
use crate::question::{Answer, Question};

impl GameInPlay {
    /// Takes an answer to the latest question, unless it was dropped.
    pub fn hear(&mut self, answer: Answer, now: Duration) -> Vec<Event> {
        if let Answer::Progress(done, count) = answer {
            return vec![Event::Progress(done, count)];
        }
        let Some(question) = self.question.take() else { return Vec::new() };
        match (question, answer) {
            (Question::Move(..), Answer::Move(best)) => {
                let time = Some(self.time_of_move(now));
                self.move_by_engine(best.map(|best| Move { time, ..best }), now);
            }
            (_, Answer::LastMove(judgement)) => self.coach(judgement, now),
            (_, Answer::Hint(judgement)) => {
                self.hinted = Some(judgement.best.pit());
                self.events.push(Event::Hint(judgement));
            }
            (_, Answer::Values(values)) => self.events.push(Event::Values(values)),
            (_, Answer::Review(judgements)) => self.events.push(Event::Reviewed(judgements)),
            (question, _) => {
                self.fail(question, now);
            }
        }
        self.take_events()
    }

    /// Looks at the clock. A flag fall is reported once; it loses the game if the rules say so.
    pub fn tick(&mut self, now: Duration) -> Vec<Event> {
        let side = self.position().side();
        let player = self.player(side);
        let is_late = self.began.is_some() && self.time_left(side, now) == Some(Duration::ZERO);
        if !is_late || self.is_late[player] {
            return Vec::new();
        }
        self.is_late[player] = true;
        match self.clock_rules {
            Some(rules) if rules.flag => self.lose(side, Reason::Time),
            _ => self.events.push(Event::Late(side)),
        }
        self.take_events()
    }

    pub(super) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The time since the beginning of the turn; zero while no clock runs.
    pub(super) fn time_of_turn(&self, now: Duration) -> Duration {
        self.began.map_or(Duration::ZERO, |began| now.saturating_sub(began))
    }

    /// The time of the engine's move: that of its clock, or else of its search.
    fn time_of_move(&self, now: Duration) -> Duration {
        match self.clock_rules {
            Some(_) => self.time_of_turn(now),
            None => now.saturating_sub(self.asked),
        }
    }

    fn move_by_engine(&mut self, best: Option<Move>, now: Duration) {
        let before = *self.position();
        let margin = best.as_ref().and_then(|best| Some(best.evaluation?.margin));
        // Swapping sides negates the mover's margin.
        if let Some(margin) = margin
            && margin < Value::ZERO
            && self.cursor.swap()
        {
            return self.after_step(before, now);
        }
        let is_played = match best {
            Some(best) => self.cursor.play(best).is_ok(),
            None => false,
        };
        if !is_played {
            let seat = self.seat(before.side());
            return self.fail(Question::Move(seat, None), now);
        }
        self.after_step(before, now);
    }

    /// Reports the step just made, saves the game, and lets it continue.
    pub(super) fn after_step(&mut self, before: Position, now: Duration) {
        let side = self.position().side();
        let has_swapped = self.cursor.has_just_swapped();
        if has_swapped {
            self.events.push(Event::Swapped(side));
        } else if let Some(step) = self.record().steps().last() {
            let played = step.played;
            self.events.push(Event::Sown { played, before });
        }
        if self.record().may_swap() && self.seat(side).is_person() {
            self.events.push(Event::MaySwap);
        }
        self.name_opening();
        self.events.push(Event::Save);
        let by_person = !has_swapped && self.seat(before.side()).is_person();
        // After the last move, the result is the message; a review judges that move, too.
        if self.has_coach && by_person && !self.is_over() {
            // No clock runs while the engine, which moves next, judges this move.
            self.began = if self.seat(side).is_person() { Some(now) } else { None };
            self.ask(Question::LastMove, now);
        } else {
            self.continue_turn(now);
        }
    }

    /// Starts the turn of the side to move, unless the game is over or paused. Clocks run from the
    /// first move on: until then, players may study the board.
    pub(super) fn continue_turn(&mut self, now: Duration) {
        self.began = None;
        if self.is_paused || self.is_over() {
            return;
        }
        if !self.record().steps().is_empty() {
            self.began = Some(now);
        }
        let side = self.position().side();
        let seat = self.seat(side);
        if !seat.is_person() {
            self.ask(Question::Move(seat, self.clock(side)), now);
        }
    }

    pub(super) fn ask(&mut self, question: Question, now: Duration) {
        self.question = Some(question);
        self.asked = now;
        // A review includes the undone moves; all other questions are about the position shown.
        let game = match question {
            Question::Review => self.cursor.whole(),
            _ => self.record().clone(),
        };
        self.events.push(Event::Ask(question, Box::new(game)));
    }

    /// Drops the question to the engine, which belongs to the position that is being left.
    pub(super) fn drop_question(&mut self) {
        self.hinted = None;
        if self.question.take().is_some() {
            self.events.push(Event::Drop);
        }
    }

    fn coach(&mut self, judgement: Judgement, now: Duration) {
        if let [before @ .., _] = self.record().steps() {
            let before = *self.record().position_after(before.len());
            self.events.push(Event::Coached(before, judgement));
        }
        self.after_judgement(now);
    }

    /// Lets the engine move that has waited for the coach. The clock of a person already runs.
    fn after_judgement(&mut self, now: Duration) {
        if !self.seat(self.position().side()).is_person() {
            self.continue_turn(now);
        }
    }

    fn fail(&mut self, question: Question, now: Duration) {
        match question {
            // The game does not depend on the coach: it continues without this judgement.
            Question::LastMove => return self.after_judgement(now),
            // Without the pause, the engine would fail at the same position again and again.
            Question::Move(..) => self.pause(),
            _ => {}
        }
        self.events.push(Event::Failed(question));
    }

    /// Reports the margin of the opening on the board, if the game has a coach, the book has the
    /// opening, and the margin differs from the one reported last.
    pub(super) fn name_opening(&mut self) {
        let position = self.position();
        let margin = match Book::built_in().proved_margin(position) {
            Some(margin) if self.has_coach => Some(position.side().view_of(margin)),
            _ => None,
        };
        let before = std::mem::replace(&mut self.named_margin, margin);
        if let Some(margin) = margin
            && Some(margin) != before
        {
            self.events.push(Event::Opening(margin));
        }
    }

    pub(super) fn pause(&mut self) {
        self.is_paused = true;
        self.began = None;
    }

    pub(super) fn lose(&mut self, side: Side, reason: Reason) {
        self.drop_question();
        self.began = None;
        self.cursor.lose(side, reason);
        self.events.push(Event::Lost(side, reason));
        self.events.push(Event::Save);
    }
}
