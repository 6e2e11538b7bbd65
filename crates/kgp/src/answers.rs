//! Answers that the server has not yet confirmed, and may have dropped.
//!
//! A server confirms an answer with `stop`. It refuses an answer that comes too early with an
//! error that names no state, so the client repeats every unconfirmed answer.

use std::{collections::VecDeque, time::Duration};

use kalah_game::Position;

use super::action::Outbox;

/// The delay before the first answer. The published server registers a state just after
/// sending it: it refuses an answer within about 0.2 ms and plays a random move instead.
pub(super) const MIN_DELAY: Duration = Duration::from_millis(5);

/// The pause before an unconfirmed answer is repeated; it doubles each time.
const REPEAT_PAUSE: Duration = Duration::from_millis(250);

/// Maximum repetitions of an answer without an error from the server, and in total. They
/// are limited because a server may never send `stop`, or may send an error for every answer.
const MAX_SILENT_REPEATS: u32 = 2;
const MAX_REPEATS: u32 = 8;

/// Maximum number of remembered answers. A server has one state per game.
const MAX_ANSWERS: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Unconfirmed(VecDeque<PendingAnswer>);

#[derive(Debug)]
struct PendingAnswer {
    /// The number of the state.
    id: u64,
    /// None if the state was answered without a search.
    position: Option<Position>,
    command: String,
    repeat_at: Option<Duration>,
    repeats: u32,
}

impl Unconfirmed {
    /// Adds an answer to the state with this number. If there is a position, the answer has
    /// been sent. Without one, the state could not be searched, and the answer is sent as
    /// soon as the server accepts it.
    pub(super) fn add(
        &mut self,
        now: Duration,
        id: u64,
        position: Option<Position>,
        command: String,
    ) {
        self.forget(id);
        if self.0.len() >= MAX_ANSWERS {
            self.0.pop_front();
        }
        let pause = if position.is_some() { REPEAT_PAUSE } else { MIN_DELAY };
        let repeat_at = Some(now.saturating_add(pause));
        self.0.push_back(PendingAnswer { id, position, command, repeat_at, repeats: 0 });
    }

    /// The server has stopped a state, or has sent a different one under its number.
    pub(super) fn forget(&mut self, id: u64) {
        self.0.retain(|answer| answer.id != id);
    }

    /// Repeats the answer to a state that the server has resent; returns whether there is
    /// one.
    pub(super) fn repeat_for(&mut self, now: Duration, id: u64, position: &Position) -> bool {
        let answer = self.0.iter_mut().find(|answer| answer.id == id);
        match answer.filter(|answer| answer.position.as_ref() == Some(position)) {
            Some(answer) if answer.repeats < MAX_REPEATS => {
                answer.repeat_at = Some(now.saturating_add(MIN_DELAY));
                true
            }
            _ => false,
        }
    }

    /// The server has refused an answer without saying which: all are repeated.
    pub(super) fn repeat_all(&mut self, now: Duration) {
        for answer in self.0.iter_mut().filter(|answer| answer.repeats < MAX_REPEATS) {
            answer.repeat_at = Some(now.saturating_add(MIN_DELAY));
        }
    }

    pub(super) fn send_due(&mut self, now: Duration, out: &mut Outbox) {
        for answer in &mut self.0 {
            match answer.repeat_at {
                Some(at) if now >= at => {}
                _ => continue,
            }
            out.send(Some(answer.id), &answer.command);
            out.send(Some(answer.id), "yield");
            answer.repeats = answer.repeats.saturating_add(1);
            let pause = REPEAT_PAUSE.saturating_mul(1 << answer.repeats.min(MAX_REPEATS));
            answer.repeat_at = if answer.repeats < MAX_SILENT_REPEATS {
                Some(now.saturating_add(pause))
            } else {
                // Only an error from the server causes another repetition.
                None
            };
        }
    }

    /// When the next answer is due.
    pub(super) fn wakes_at(&self) -> Option<Duration> {
        self.0.iter().filter_map(|answer| answer.repeat_at).min()
    }
}
