//! The clock that runs, and what happens when it has run down.

use std::time::{Duration, Instant};

use super::{Message, Session};
use crate::game::Side;
use crate::play::clock::{next_change, shown};
use crate::record::Reason;
use crate::search::Clock;

impl Session {
    /// The clock of the player who has `side` now, as the last move left it.
    pub(super) fn clock(&self, side: Side) -> Option<Clock> {
        let record = self.game.record();
        self.clock_rules.map(|rules| rules.clocks(record)[record.player_at(side).index()])
    }

    /// What is left to the player who has `side` now, the time of this turn taken off.
    pub(crate) fn time_left(&self, side: Side) -> Option<Duration> {
        let left = self.clock(side)?.remaining;
        let runs = self.is_clock_running() && side == self.game.position().side();
        Some(if runs { left.saturating_sub(self.turn_began.elapsed()) } else { left })
    }

    fn is_clock_running(&self) -> bool {
        !self.paused && !self.game.is_over()
    }

    /// The times left as clocks show them, `South 4:58, North 5:00`.
    pub(crate) fn times(&self) -> Option<String> {
        let [south, north] = Side::BOTH.map(|side| self.time_left(side).map(shown));
        Some(format!("{} {}, {} {}", Side::South, south?, Side::North, north?))
    }

    /// How long until [`tick`](Self::tick) has something to say, or until a clock shows
    /// another second if those are `seen`.
    pub(crate) fn next_tick(&self, seen: bool) -> Duration {
        let side = self.game.position().side();
        let left = self.time_left(side).filter(|_| self.is_clock_running());
        match left {
            Some(Duration::ZERO) if self.is_over_time[self.player(side)] => Duration::MAX,
            Some(left) if seen => next_change(left),
            Some(left) => left,
            None => Duration::MAX,
        }
    }

    /// Looks at the clock: says once when a player's time is over, who then loses if
    /// the flag falls.
    pub(crate) fn tick(&mut self) -> Vec<Message> {
        let side = self.game.position().side();
        let player = self.player(side);
        let is_over = self.is_clock_running() && self.time_left(side) == Some(Duration::ZERO);
        if is_over && !self.is_over_time[player] {
            self.is_over_time[player] = true;
            if self.clock_rules.is_some_and(|rules| rules.has_flag()) {
                self.cancel();
                self.game.lose(side, Reason::Time);
                let verdict = self.verdict();
                self.text(format!("{side}'s time is over, {} wins.{verdict}", side.other()));
                self.autosave();
            } else {
                self.text(format!("{side}'s time is over; play goes on."));
            }
        }
        self.take_messages()
    }

    fn player(&self, side: Side) -> usize {
        self.game.record().player_at(side).index()
    }

    /// The time of the move that is made now, for the record of a game with clocks.
    pub(super) fn time_used(&self) -> Option<Duration> {
        self.clock_rules.map(|_| self.turn_began.elapsed())
    }

    /// The next move's time begins.
    pub(super) fn begin_turn(&mut self) {
        self.turn_began = Instant::now();
    }
}
