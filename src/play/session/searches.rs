//! The engine's tasks and their results.

use std::time::Instant;

use super::{Message, Refused, Session};
use crate::game::Side;
use crate::game::score::Value;
use crate::play::background::Task;
use crate::play::event::MoveLoss;
use crate::play::pages;
use crate::search::{Info, SearchResult};

impl Session {
    /// Starts the engine if it is its turn.
    pub(super) fn let_engine_move(&mut self) {
        let seat = self.seat(self.game.position().side());
        self.begin_turn();
        if !seat.is_person() && !self.paused && !self.game.is_over() {
            let side = self.game.position().side();
            self.start(Task::Move(seat, self.clock(side)));
        }
    }

    pub(super) fn start(&mut self, task: Task) {
        self.started = Instant::now();
        let whole = (task == Task::Losses).then(|| self.game.whole());
        let record = whole.as_ref().unwrap_or_else(|| self.game.record());
        if let Err(error) = self.engine.start(task, record) {
            self.messages.push(Message::Error(format!("the engine cannot start: {error}")));
        }
    }

    pub(super) fn ask(&mut self, task: Task) -> Result<(), Refused> {
        self.refuse_while_thinking()?;
        if self.game.is_over() {
            return Err("the game is over; back and undo go back into it".into());
        }
        self.start(task);
        Ok(())
    }

    pub(super) fn refuse_while_thinking(&self) -> Result<(), Refused> {
        self.thinking().map_or(Ok(()), |side| {
            Err(format!("the engine thinks about {side}'s move; ask in your turn").into())
        })
    }

    /// Drops what the engine was asked for at another position.
    pub(super) fn cancel(&mut self) {
        self.engine.cancel();
        self.hinted = None;
    }

    pub(super) fn searched(&mut self, task: Task, result: &SearchResult) {
        let position = *self.game.position();
        if let Task::Move(..) = task {
            return self.engine_moves(task, result);
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

    pub(super) fn engine_moves(&mut self, task: Task, result: &SearchResult) {
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
            _ => self.failed(task),
        }
    }

    pub(super) fn show_values(&mut self, values: &[Info]) {
        let position = *self.game.position();
        if let Some(best) = values.first() {
            self.expect(position.side(), best);
        }
        self.page("Values", pages::values(&position, values, self.width));
    }

    pub(super) fn show_losses(&mut self, losses: &[MoveLoss]) {
        let lines = pages::analysis(&self.game.whole(), losses, self.width, self.glyphs);
        self.page("Analysis", lines);
    }

    /// Says what the last move has lost, and lets the game go on.
    pub(super) fn coach(&mut self, loss: &MoveLoss) {
        if let Some(step) = self.game.record().steps().last() {
            self.messages.extend(pages::coaching(step.played.side, loss).map(Message::Text));
        }
        self.let_engine_move();
    }

    /// In a game with a coach, what the opening on the board is worth, if that is known
    /// and has changed.
    pub(super) fn name_opening(&mut self) {
        let position = *self.game.position();
        let margin = self.engine.book_margin(&position).filter(|_| self.setup.coach);
        let margin = margin.map(|margin| position.side().view_of(margin));
        if margin != std::mem::replace(&mut self.named_margin, margin)
            && let Some(margin) = margin
        {
            self.text(format!("This opening is worth exactly {margin} to South."));
        }
    }

    pub(super) fn failed(&mut self, task: Task) {
        if task == Task::Loss {
            return self.let_engine_move();
        }
        if task != Task::Estimate {
            self.paused = matches!(task, Task::Move(..));
            let message = "the search failed; the game is safe: go lets it try again";
            self.messages.push(Message::Error(message.to_owned()));
        }
    }

    pub(super) fn expect(&mut self, side: Side, info: &Info) {
        self.expected = Some(side.view_of(info.margin.seeds()));
    }
}
