//! The engine's tasks and their results.

use std::time::Instant;

use super::{Message, Refused, Session};
use crate::game::Side;
use crate::play::background::Task;
use crate::play::event::MoveLoss;
use crate::play::pages;
use crate::score::Value;
use crate::search::{Info, SearchResult};

impl Session {
    /// Starts the engine if it is its turn.
    pub(super) fn let_engine_move(&mut self) {
        let seat = self.seat(self.game.position().side());
        if !seat.is_person() && !self.paused && !self.game.is_over() {
            self.start(Task::Move(seat));
        }
    }

    pub(super) fn start(&mut self, task: Task) {
        self.started = Instant::now();
        if let Err(error) = self.engine.start(task, self.game.record()) {
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

    pub(super) fn engine_moves(&mut self, result: &SearchResult) {
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

    pub(super) fn show_values(&mut self, values: &[Info]) {
        let position = *self.game.position();
        if let Some(best) = values.first() {
            self.expect(position.side(), best);
        }
        self.page("Values", pages::values(&position, values, self.width));
    }

    pub(super) fn show_losses(&mut self, losses: &[MoveLoss]) {
        let lines = pages::analysis(self.game.record(), losses, self.width, self.glyphs);
        self.page("Analysis", lines);
    }

    pub(super) fn failed(&mut self, task: Task) {
        if task != Task::Estimate {
            self.paused = matches!(task, Task::Move(_));
            let message = "the search failed; the game is safe: go lets it try again";
            self.messages.push(Message::Error(message.to_owned()));
        }
    }

    pub(super) fn expect(&mut self, side: Side, info: &Info) {
        self.expected = Some(side.sees(info.margin.seeds()));
    }
}
