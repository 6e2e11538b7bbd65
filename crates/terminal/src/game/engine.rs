//! The engine's tasks and their results, and the running clock.

use std::time::{Duration, Instant};

use super::{GameMessage, Refused, TerminalGame};
use crate::background::EngineTask;
use crate::command::CommandInput;
use crate::message::ListingTopic;
use crate::{analysis, listings};
use kalah_coach::advice;
use kalah_coach::explain::Judgement;
use kalah_engine::search::{Clock, Info, SearchResult};
use kalah_game::{Side, score::Value};
use kalah_play::clock::{next_change, shown};
use kalah_record::{Move, Reason, sentence};
use kalah_sys::wakeup::AwakeClock;

/// Tasks.
impl TerminalGame {
    /// Starts the engine if it is its turn.
    pub(super) fn let_engine_move(&mut self) {
        let side = self.game.position().side();
        let seat = self.seat(side);
        self.begin_turn();
        if !seat.is_person() && !self.paused && !self.game.is_over() {
            // A pause would be charged to the engine's clock.
            let timed = self.clock_rules.is_some();
            let pause = if timed { Duration::ZERO } else { self.setup.pause };
            self.start(EngineTask::Move(seat, self.clock(side), pause));
        }
    }

    pub(super) fn start(&mut self, task: EngineTask) {
        self.started = Instant::now();
        // The analysis includes the undone moves; all other tasks are about the position shown.
        let whole = (task == EngineTask::Losses).then(|| self.game.whole());
        let record = whole.as_ref().unwrap_or_else(|| self.game.record());
        if let Err(error) = self.engine.start(task, record) {
            self.messages.push(GameMessage::Error(format!("the engine cannot start: {error}")));
        }
    }

    /// Starts a task that a player asked for.
    pub(super) fn ask(&mut self, task: EngineTask) -> Result<(), Refused> {
        self.refuse_while_thinking()?;
        if self.game.position().is_over() {
            let [back, undo] = self.enter(["back", "undo"]);
            return Err(format!("the game is over; use {back} or {undo} to step into it").into());
        }
        self.start(task);
        Ok(())
    }

    pub(super) fn refuse_while_thinking(&self) -> Result<(), Refused> {
        self.thinking().map_or(Ok(()), |side| {
            Err(format!("the engine is thinking about {side}'s move; ask on your turn").into())
        })
    }

    /// Cancels the engine's task, which belongs to the position that is being left.
    pub(super) fn cancel(&mut self) {
        self.engine.cancel();
        self.hinted = None;
    }
}

/// Results.
impl TerminalGame {
    pub(super) fn searched(&mut self, task: EngineTask, result: &SearchResult) {
        if let EngineTask::Move(..) = task {
            return self.engine_moves(task, result);
        }
        if let Some(info) = &result.info {
            self.expect(self.game.position().side(), info.margin);
        }
    }

    pub(super) fn show_hint(&mut self, judgement: &Judgement) {
        let position = *self.game.position();
        self.expect(position.side(), judgement.best.margin);
        self.hinted = Some(judgement.best.pit());
        self.messages.extend(advice::hint(&position, judgement).into_iter().map(GameMessage::Text));
    }

    fn engine_moves(&mut self, task: EngineTask, result: &SearchResult) {
        let before = *self.game.position();
        let info = result.info.as_ref();
        // Swapping sides negates the mover's margin.
        if info.is_some_and(|info| info.margin < Value::ZERO) && self.game.swap() {
            return self.after_step(before);
        }
        let time = self.time_used().unwrap_or_else(|| self.started.elapsed());
        let best = Move::from_search(result, time);
        match best.map(|best| self.game.play(best)) {
            Some(Ok(())) => {
                if let Some(info) = info {
                    self.expect(before.side(), info.margin);
                }
                self.after_step(before);
            }
            _ => self.failed(task),
        }
    }

    pub(super) fn show_values(&mut self, values: &[Info]) {
        let position = *self.game.position();
        if let Some(best) = values.first() {
            self.expect(position.side(), best.margin);
        }
        self.list(ListingTopic::Values, listings::values(&position, values, self.width));
    }

    pub(super) fn show_losses(&mut self, losses: &[Judgement]) {
        let lines = analysis::listing(&self.game.whole(), losses, self.width, self.glyphs);
        self.list(ListingTopic::Analysis, lines);
    }

    /// Reports what the last move lost, and lets the game continue.
    pub(super) fn coach(&mut self, loss: &Judgement) {
        if let [before @ .., _] = self.game.record().steps() {
            let position = *self.game.record().position_after(before.len());
            if let Some(text) = advice::coaching(&position, loss) {
                let [undo] = self.enter(["undo"]);
                let ask = match self.input {
                    CommandInput::Lines => "Type",
                    CommandInput::Keys => "Press",
                };
                self.text(format!("{text} {ask} {undo} to take it back."));
            }
        }
        self.let_engine_move();
    }

    /// In a game with a coach, reports the margin of the opening on the board, if the book has
    /// it and it differs from the margin reported last.
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

    pub(super) fn failed(&mut self, task: EngineTask) {
        // The game does not depend on the coach: it continues without this judgement.
        if task == EngineTask::Loss {
            return self.let_engine_move();
        }
        if task != EngineTask::Estimate {
            // Without the pause, the engine would fail at the same position again and again.
            self.paused = matches!(task, EngineTask::Move(..));
            let (verb, [go]) = (self.input.verb(), self.enter(["go"]));
            self.messages.push(GameMessage::Error(format!(
                "the search failed, but the game is intact; {verb} {go} to retry"
            )));
        }
    }

    fn expect(&mut self, side: Side, margin: Value) {
        self.expected = Some(side.view_of(margin.seeds()));
    }
}

/// The clock.
impl TerminalGame {
    /// The clock of the player who has `side` now, as the last move left it.
    fn clock(&self, side: Side) -> Option<Clock> {
        let record = self.game.record();
        self.clock_rules.map(|rules| rules.clocks(record)[record.player_at(side).index()])
    }

    /// The time left to the player who has `side` now, less the time of the current turn.
    pub(crate) fn time_left(&self, side: Side) -> Option<Duration> {
        let left = self.clock(side)?.remaining;
        let runs = self.is_clock_running() && side == self.game.position().side();
        Some(if runs { left.saturating_sub(self.turn_time()) } else { left })
    }

    fn is_clock_running(&self) -> bool {
        !self.paused && !self.game.is_over()
    }

    /// The times left as clocks show them, `South 4:58, North 5:00`.
    pub(crate) fn times(&self) -> Option<String> {
        let [south, north] = Side::BOTH.map(|side| self.time_left(side).map(shown));
        Some(format!("{} {}, {} {}", Side::South, south?, Side::North, north?))
    }

    /// The time until [`tick`](Self::tick) has something to report or, if the clocks are `seen`
    /// on the screen, until the displayed second changes.
    pub fn next_tick(&self, seen: bool) -> Duration {
        let side = self.game.position().side();
        let left = self.time_left(side).filter(|_| self.is_clock_running());
        match left {
            // The flag fall has been reported, and the displayed time stays at zero.
            Some(Duration::ZERO) if self.is_over_time[self.player(side)] => Duration::MAX,
            Some(left) if seen => next_change(left),
            Some(left) => left,
            None => Duration::MAX,
        }
    }

    /// Checks the clock. A flag fall is reported once; it loses the game if the rules say so.
    pub fn tick(&mut self) -> Vec<GameMessage> {
        let side = self.game.position().side();
        let player = self.player(side);
        let is_over = self.is_clock_running() && self.time_left(side) == Some(Duration::ZERO);
        if is_over && !self.is_over_time[player] {
            self.is_over_time[player] = true;
            if self.clock_rules.is_some_and(|rules| rules.flag) {
                self.cancel();
                self.game.lose(side, Reason::Time);
                let ending = sentence::ending(self.game.record()).unwrap_or_default();
                self.text(ending + self.verdict());
                self.autosave();
            } else {
                self.text(format!("{side} has run out of time; play continues."));
            }
        }
        self.take_messages()
    }

    fn player(&self, side: Side) -> usize {
        self.game.record().player_at(side).index()
    }

    /// The time used for the move being made, which games with clocks record.
    pub(super) fn time_used(&self) -> Option<Duration> {
        self.clock_rules.map(|_| self.turn_time())
    }

    /// The time since the turn began.
    fn turn_time(&self) -> Duration {
        let now = self.awake.as_ref().map(AwakeClock::now);
        now.unwrap_or_default().saturating_sub(self.turn_began)
    }

    /// Starts the clock for the next move.
    pub(super) fn begin_turn(&mut self) {
        if self.clock_rules.is_some() {
            // Started on demand: the clock has a thread, which games without a time limit do not
            // need.
            self.turn_began = self.awake.get_or_insert_with(AwakeClock::start).now();
        }
    }
}
