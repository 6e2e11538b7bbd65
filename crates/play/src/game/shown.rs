//! What a front end shows of a game in play. Nothing here changes it.

use std::time::Duration;

use kalah_engine::search::Clock;
use kalah_game::{Pit, Position, Side};
use kalah_record::Game;

use super::GameInPlay;
use crate::clock::{ClockRules, next_change};
use crate::cursor::GameCursor;
use crate::players;
use crate::question::Question;
use crate::seat::Seat;

impl GameInPlay {
    /// The moves up to the position on the board, and those that were undone.
    pub fn cursor(&self) -> &GameCursor {
        &self.cursor
    }

    /// The game up to the position on the board.
    pub fn record(&self) -> &Game {
        self.cursor.record()
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.cursor.position()
    }

    /// Whether the game has ended, by its moves, a resignation or on time.
    pub fn is_over(&self) -> bool {
        self.cursor.is_over()
    }

    /// Whether the player looks at positions instead of playing.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Whether mistakes are pointed out immediately.
    pub fn has_coach(&self) -> bool {
        self.has_coach
    }

    /// The time control, if the game has clocks.
    pub fn clock_rules(&self) -> Option<ClockRules> {
        self.clock_rules
    }

    /// The question that the engine has yet to answer.
    pub fn question(&self) -> Option<Question> {
        self.question
    }

    /// The side for which the engine is choosing a move, or will be once it has judged the
    /// previous one.
    pub fn thinking(&self) -> Option<Side> {
        let side = self.position().side();
        match self.question? {
            Question::Move(..) => Some(side),
            // The engine moves once the coach has judged the person's move, and counts as thinking
            // until then.
            Question::LastMove if !self.seat(side).is_person() => Some(side),
            _ => None,
        }
    }

    /// Who plays a side now.
    pub fn seat(&self, side: Side) -> Seat {
        self.seats[self.player(side)]
    }

    /// Whether a person plays.
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(|seat| seat.is_person())
    }

    /// The side of the person, if there is exactly one.
    pub fn only_person(&self) -> Option<Side> {
        players::only_person(Side::BOTH.map(|side| self.seat(side)))
    }

    /// The name of the player of a side, empty if there is nothing to add to the side's own.
    pub fn name(&self, side: Side) -> String {
        if let Some(names) = &self.names {
            return names[side.index()].clone();
        }
        match self.seat(side) {
            Seat::Person if self.only_person().is_some() => "you".to_owned(),
            // Numbering the players makes a swap of sides visible.
            Seat::Person if self.record().pie_rule => format!("player {}", self.player(side) + 1),
            Seat::Person => String::new(),
            engine => engine.to_string(),
        }
    }

    /// Whether a person has decided something, or a game was lost, that can be taken back.
    pub fn may_take_back(&self) -> bool {
        self.has_people() && self.cursor.clone().undo(self.decides()).is_some()
    }

    /// The pit of the last hint, until a move is made.
    pub fn hinted(&self) -> Option<Pit> {
        self.hinted
    }

    /// The time left to the player who has `side` now, less the time of the current turn; none
    /// without clocks.
    pub fn time_left(&self, side: Side, now: Duration) -> Option<Duration> {
        let left = self.clock(side)?.remaining;
        if side == self.position().side() {
            Some(left.saturating_sub(self.time_of_turn(now)))
        } else {
            Some(left)
        }
    }

    /// The time until [`tick`](Self::tick) has something to report or, if the clocks are `seen` on
    /// the screen, until the displayed second changes.
    pub fn next_tick(&self, now: Duration, seen: bool) -> Duration {
        let side = self.position().side();
        if self.began.is_none() {
            return Duration::MAX;
        }
        match self.time_left(side, now) {
            // The flag fall has been reported, and the displayed time stays at zero.
            Some(Duration::ZERO) if self.is_late[self.player(side)] => Duration::MAX,
            Some(left) if seen => next_change(left),
            Some(left) => left,
            None => Duration::MAX,
        }
    }

    pub(super) fn player(&self, side: Side) -> usize {
        self.record().player_at(side).index()
    }

    /// The clock of the player who has `side` now, as the last move left it.
    pub(super) fn clock(&self, side: Side) -> Option<Clock> {
        let rules = self.clock_rules?;
        Some(rules.clocks(self.record())[self.player(side)])
    }
}
