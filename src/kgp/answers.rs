//! Answers that the server has not confirmed yet: it may have dropped them.
//!
//! A server confirms an answer with `stop`. It refuses one that comes too early with an
//! error that names no state, so the client repeats whatever is unconfirmed.

use std::collections::VecDeque;
use std::time::Duration;

use crate::game::Position;

use super::action::Outbox;

/// A server registers a state just after sending it: an answer within about 0.2 ms is
/// refused, and a random move is played instead.
pub(super) const MIN_DELAY: Duration = Duration::from_millis(5);

/// The pause before an unconfirmed answer is repeated, doubled each time.
const REPEAT_PAUSE: Duration = Duration::from_millis(250);

/// Repetitions of an answer without an error of the server, and in all. They are
/// limited because a server may never send `stop`, or an error to every answer.
const MAX_SILENT_REPEATS: u32 = 2;
const MAX_REPEATS: u32 = 8;

/// Answers that are remembered. A server has one state for each of its games.
const MAX_ANSWERS: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Unconfirmed(VecDeque<Answer>);

#[derive(Debug)]
struct Answer {
    /// The number of the state.
    id: u64,
    /// None if the state was answered without a search.
    position: Option<Position>,
    command: String,
    repeat_at: Option<Duration>,
    repeats: u32,
}

impl Unconfirmed {
    /// Adds an answer to the state of this number. It was sent if there is a position; to a
    /// state that cannot be searched, it is sent as soon as the server takes it.
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
        self.0.push_back(Answer { id, position, command, repeat_at, repeats: 0 });
    }

    /// The server has stopped a state, or sent another one under its number.
    pub(super) fn forget(&mut self, id: u64) {
        self.0.retain(|answer| answer.id != id);
    }

    /// Repeats the answer to a state that has been sent once more; returns whether there
    /// is one.
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

    /// The server has refused one of the answers, but does not say which.
    pub(super) fn repeat_all(&mut self, now: Duration) {
        for answer in self.0.iter_mut().filter(|answer| answer.repeats < MAX_REPEATS) {
            answer.repeat_at = Some(now.saturating_add(MIN_DELAY));
        }
    }

    pub(super) fn send_due(&mut self, now: Duration, out: &mut Outbox) {
        for answer in &mut self.0 {
            if answer.repeat_at.is_some_and(|at| now >= at) {
                out.send(Some(answer.id), &answer.command);
                out.send(Some(answer.id), "yield");
                answer.repeats = answer.repeats.saturating_add(1);
                let pause = REPEAT_PAUSE.saturating_mul(1 << answer.repeats.min(MAX_REPEATS));
                answer.repeat_at =
                    (answer.repeats < MAX_SILENT_REPEATS).then(|| now.saturating_add(pause));
            }
        }
    }

    /// When the next answer is due.
    pub(super) fn wakes_at(&self) -> Option<Duration> {
        self.0.iter().filter_map(|answer| answer.repeat_at).min()
    }
}
