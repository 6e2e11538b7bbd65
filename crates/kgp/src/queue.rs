//! The states that wait for the client's move, and the only search.
//!
//! ```text
//!          start            end, or overdue          send move, yield
//! waiting ───────▶ searched ────────────────▶ decided ────────────────▶ unconfirmed
//! ```
//!
//! Only the first state is searched, because simultaneous searches would share the
//! processors and the transposition table. During the search, the best move so far is sent,
//! so that the server has a good one if the final move comes too late. A `stop` drops a
//! state in any of these stages. All times are on the caller's clock.

use std::{collections::VecDeque, time::Duration};

use kalah_engine::search::{Clock, Info, Limits, SearchEvent, SearchResult, transposition::Bound};
use kalah_game::score::Value;
use kalah_game::{Pit, Position, depth::Depth};

use super::action::{KgpAction, Outbox};
use super::answers::{MIN_DELAY, Unconfirmed};
use super::command::Quoted;

/// Pause between two moves for the same state. The server queues eight unprocessed moves and
/// drops the rest.
const IMPROVE_PAUSE: Duration = Duration::from_millis(50);

/// How long a search may overrun its time before its state is answered without the result.
const MAX_LATE: Duration = Duration::from_millis(20);

/// Maximum number of server errors after which the move for the first state is resent.
const MAX_ERRORS: u32 = 8;

/// Maximum number of waiting states. A server has one state per game.
const MAX_WAITING: usize = 64;

/// The states of one connection.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: VecDeque<PendingState>,
    search: SearchState,
    /// The number of the last search. Events of earlier searches are ignored.
    searches: u64,
    unconfirmed: Unconfirmed,
}

/// The search in the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchState {
    Idle,
    /// The first state is being searched, until this time.
    Running(Duration),
    /// The search was stopped at this time; its result still counts for the first state.
    Stopping(Duration),
    /// The search was stopped and its state is gone. No other search starts before this one
    /// has ended.
    Abandoned,
}

/// A state that waits for an answer.
#[derive(Debug)]
struct PendingState {
    id: Option<u64>,
    position: Position,
    received: Duration,
    /// When the state must be answered.
    deadline: Duration,
    /// The clock for the rest of the game, if the server keeps one.
    clock: Option<Clock>,
    /// The best line that the search has found so far.
    best: Option<Info>,
    /// Whether `best` is final.
    is_decided: bool,
    /// The last answer that was sent.
    sent: Option<String>,
    /// When the first answer may be sent, and when the next improvement may be.
    not_before: Duration,
    improve_at: Duration,
    errors: u32,
}

/// An answered state with its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) position: Position,
    pub(super) pit: Pit,
    /// The expected final margin, from the mover's point of view.
    pub(super) margin: Option<Value>,
    /// The time between the arrival of the state and the answer.
    pub(super) time: Duration,
}

impl PendingState {
    /// The best answer so far.
    fn answer(&self) -> Option<String> {
        let pit = self.best.as_ref()?.pv.first()?;
        Some(format!("move {}", pit.index().checked_add(1)?))
    }

    /// Whether the best answer differs from the one sent last.
    fn has_news(&self) -> bool {
        let answer = self.answer();
        answer.is_some() && answer != self.sent
    }

    /// Whether a pv begins with a legal move in this state.
    fn allows(&self, info: &Info) -> bool {
        match info.pv.first() {
            Some(&pit) => self.position.moves().contains(pit),
            None => false,
        }
    }

    /// Adopts a pv of the running search. An upper bound is a fail low: it shows only that
    /// the move is worse than expected, not that it is better than the known one.
    fn improve(&mut self, info: Info) {
        if self.allows(&info) && (info.bound != Bound::Upper || self.best.is_none()) {
            self.best = Some(info);
        }
    }

    /// Makes the answer final: the result of the search, or the best line so far, or any legal
    /// move, because the server would otherwise choose one at random.
    fn decide(&mut self, result: Option<Info>) {
        self.is_decided = true;
        let found = result.filter(|info| self.allows(info)).or_else(|| self.best.take());
        self.best = found.or_else(|| {
            let margin = self.position.margin(self.position.side());
            let pv = self.position.moves().nearest().into_iter().collect();
            let any = SearchResult::proved(&self.position, margin, pv).info?;
            Some(Info { depth: Depth(0), proved: false, ..any })
        });
    }

    fn decision(&self, now: Duration) -> Option<Decision> {
        let info = self.best.as_ref()?;
        Some(Decision {
            position: self.position,
            pit: *info.pv.first()?,
            margin: Some(info.margin),
            time: now.saturating_sub(self.received),
        })
    }
}

impl Queue {
    /// `searches` is the number of the last search on an earlier connection, which may still
    /// report.
    pub(super) fn new(searches: u64) -> Self {
        Self {
            waiting: VecDeque::new(),
            search: SearchState::Idle,
            searches,
            unconfirmed: Unconfirmed::default(),
        }
    }

    /// The number of the last search.
    pub(super) fn searches(&self) -> u64 {
        self.searches
    }

    /// Whether no state waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Whether the client has nothing left to send on its own.
    pub(super) fn is_settled(&self) -> bool {
        self.waiting.is_empty() && self.unconfirmed.wakes_at().is_none()
    }

    fn index(&self, id: u64) -> Option<usize> {
        self.waiting.iter().position(|state| state.id == Some(id))
    }

    /// Whether the same state was sent before under the same number. If so, it keeps its place,
    /// or its answer is repeated.
    pub(super) fn is_resent(&mut self, now: Duration, id: u64, position: &Position) -> bool {
        let waiting = self.index(id).and_then(|index| self.waiting.get(index));
        match waiting {
            Some(state) if state.position == *position => true,
            _ => self.unconfirmed.repeat_for(now, id, position),
        }
    }

    /// Adds a state that must be answered within [`Limits::movetime`].
    pub(super) fn receive(
        &mut self,
        now: Duration,
        id: Option<u64>,
        position: Position,
        limits: Limits,
        out: &mut Outbox,
    ) {
        // A different board under a known number replaces the old state.
        if let Some(id) = id {
            self.stop(Some(id), out);
        }
        // The oldest is the one whose time is most likely to be over.
        if self.waiting.len() >= MAX_WAITING {
            self.remove(0, out);
        }
        let not_before = now.saturating_add(MIN_DELAY);
        self.waiting.push_back(PendingState {
            id,
            position,
            received: now,
            // Even without any time left, the server would refuse an earlier answer.
            deadline: now.saturating_add(limits.movetime.unwrap_or_default()).max(not_before),
            clock: limits.clock,
            best: None,
            is_decided: false,
            sent: None,
            not_before,
            improve_at: not_before,
            errors: 0,
        });
        // The new state gets a share of the time, so the running search may have to end earlier.
        // Only the end moves. A new search would lose the depth that this one has reached.
        let latest = self.search_end(now);
        if let SearchState::Running(end) | SearchState::Stopping(end) = &mut self.search {
            *end = latest;
        }
    }

    /// Answers a state without a search.
    pub(super) fn answer(&mut self, now: Duration, id: u64, answer: String) {
        self.unconfirmed.add(now, id, None, answer);
    }

    /// Drops a state for which the server no longer waits; without a number, the first one.
    pub(super) fn stop(&mut self, id: Option<u64>, out: &mut Outbox) {
        let index = match id {
            Some(id) => {
                self.unconfirmed.forget(id);
                self.index(id)
            }
            None => Some(0),
        };
        if let Some(index) = index {
            self.remove(index, out);
        }
    }

    /// The server has refused an answer without saying which: all are repeated.
    pub(super) fn refuse(&mut self, now: Duration) {
        if let Some(state) = self.waiting.front_mut().filter(|state| state.errors < MAX_ERRORS) {
            state.errors = state.errors.saturating_add(1);
            state.sent = None;
            state.not_before = now.saturating_add(MIN_DELAY);
            state.improve_at = state.not_before;
        }
        self.unconfirmed.repeat_all(now);
    }

    /// Handles an event from the search with this number.
    pub(super) fn hear(&mut self, number: u64, event: SearchEvent) {
        // Events of earlier searches may still be in the channel.
        if number != self.searches || self.search == SearchState::Idle {
            return;
        }
        let is_abandoned = self.search == SearchState::Abandoned;
        let state = self.waiting.front_mut().filter(|_| !is_abandoned);
        match (event, state) {
            (SearchEvent::Info(info), Some(state)) => state.improve(info),
            (SearchEvent::Finished(result), state) => {
                self.search = SearchState::Idle;
                if let Some(state) = state {
                    state.decide(result.info);
                }
            }
            _ => (),
        }
    }

    /// Starts, stops and sends whatever is due; returns the states that got their final
    /// answer.
    pub(super) fn advance(&mut self, now: Duration, out: &mut Outbox) -> Vec<Decision> {
        let mut decisions = Vec::new();
        while let Some(state) = self.waiting.front_mut() {
            let end = match self.search {
                SearchState::Running(end) | SearchState::Stopping(end) => end,
                SearchState::Idle | SearchState::Abandoned => state.deadline,
            };
            // The search is overdue: the best move so far has to do.
            if now >= end.saturating_add(MAX_LATE) {
                state.decide(None);
            }
            if !state.is_decided {
                self.pursue(now, out);
                break;
            }
            // The server would refuse an answer that comes too early.
            if now < state.not_before {
                break;
            }
            decisions.extend(self.conclude(now, out));
        }
        self.unconfirmed.send_due(now, out);
        decisions
    }

    /// When [`Self::advance`] next has something to do if no message arrives.
    pub(super) fn wakes_at(&self) -> Option<Duration> {
        self.first_wakes_at().into_iter().chain(self.unconfirmed.wakes_at()).min()
    }

    fn first_wakes_at(&self) -> Option<Duration> {
        let state = self.waiting.front()?;
        if state.is_decided {
            return Some(state.not_before);
        }
        let due = match self.search {
            SearchState::Idle => Duration::ZERO,
            SearchState::Running(end) => end,
            SearchState::Stopping(end) => end.saturating_add(MAX_LATE),
            SearchState::Abandoned => state.deadline.saturating_add(MAX_LATE),
        };
        Some(if state.has_news() { due.min(state.improve_at) } else { due })
    }

    /// When the search of the first state must end: at its deadline, or earlier, so that each
    /// state behind it gets an equal share of the time until its own deadline.
    fn search_end(&self, now: Duration) -> Duration {
        let shares = self.waiting.iter().zip(1..).map(|(state, number)| {
            let left = state.deadline.saturating_sub(now);
            now.saturating_add(left.checked_div(number).unwrap_or(left))
        });
        shares.min().unwrap_or(now)
    }

    /// Starts or stops the search of the first state, or sends its best move so far.
    fn pursue(&mut self, now: Duration, out: &mut Outbox) {
        let latest = self.search_end(now);
        let Some(state) = self.waiting.front_mut() else { return };
        match self.search {
            SearchState::Idle => {
                self.searches = self.searches.wrapping_add(1);
                self.search = SearchState::Running(latest);
                // The deadline may have passed already, but the state still needs a move.
                let movetime = latest.saturating_sub(now).max(Duration::from_millis(1));
                out.push(KgpAction::Search {
                    number: self.searches,
                    position: state.position,
                    limits: Limits { clock: state.clock, ..Limits::time(movetime) },
                });
            }
            SearchState::Running(end) if now >= end => {
                self.search = SearchState::Stopping(end);
                out.push(KgpAction::StopSearch);
            }
            _ if now >= state.improve_at && state.has_news() => {
                state.improve_at = now.saturating_add(IMPROVE_PAUSE);
                state.sent = state.answer();
                out.send(state.id, state.sent.as_deref().unwrap_or_default());
            }
            _ => (),
        }
    }

    /// Sends the final answer to the first state, even if it was sent before, because the
    /// server may have refused the earlier one.
    fn conclude(&mut self, now: Duration, out: &mut Outbox) -> Option<Decision> {
        self.abandon_search(out);
        let state = self.waiting.pop_front()?;
        let answer = state.answer()?;
        // A depth of 0 marks a move that no search has chosen.
        if let Some(info) = state.best.as_ref().filter(|info| info.depth > Depth(0)) {
            let comment = format!("margin {:+.2}, depth {}", info.margin.seeds(), info.depth);
            out.send(None, format_args!("set info:comment {}", Quoted(&comment)));
        }
        out.send(state.id, &answer);
        out.send(state.id, "yield");
        if let Some(id) = state.id {
            self.unconfirmed.add(now, id, Some(state.position), answer);
        }
        state.decision(now)
    }

    fn remove(&mut self, index: usize, out: &mut Outbox) {
        if index == 0 {
            self.abandon_search(out);
        }
        self.waiting.remove(index);
    }

    /// Ends the search of the first state and discards its result.
    fn abandon_search(&mut self, out: &mut Outbox) {
        match self.search {
            SearchState::Idle | SearchState::Abandoned => return,
            SearchState::Running(_) => out.push(KgpAction::StopSearch),
            SearchState::Stopping(_) => (),
        }
        self.search = SearchState::Abandoned;
    }
}
