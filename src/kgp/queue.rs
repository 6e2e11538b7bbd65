//! The states that wait for the client's move, and the one search.
//!
//! ```text
//!          start            end, or overdue          send move, yield
//! waiting ───────▶ searched ────────────────▶ decided ────────────────▶ unconfirmed
//! ```
//!
//! Only the first state is searched, because searches at the same time would share the
//! processors and the transposition table. While it is, its best move so far is sent, so
//! that the server has a good one if the last comes too late. A `stop` drops a state
//! wherever it is. All times are on the caller's clock.

use std::collections::VecDeque;
use std::time::Duration;

use crate::game::Position;
use crate::game::depth::Depth;
use crate::record;
use crate::search::table::Bound;
use crate::search::{Clock, Event, Info, Limits, SearchResult};

use super::action::{Action, Outbox};
use super::answers::{MIN_DELAY, Unconfirmed};
use super::message::Quoted;
use super::setup::Mode;

/// Pause between two moves for a state. The server drops all moves beyond the eighth
/// that it has not processed yet.
const IMPROVE_PAUSE: Duration = Duration::from_millis(50);

/// How long a search may outlast its time before its state is answered without it.
const MAX_LATE: Duration = Duration::from_millis(20);

/// Errors of the server after which the move for the first state is sent again.
const MAX_ERRORS: u32 = 8;

/// States that wait. A server has one for each of its games.
const MAX_WAITING: usize = 64;

/// The states of one connection.
#[derive(Debug)]
pub(super) struct Queue {
    mode: Mode,
    waiting: VecDeque<State>,
    search: Search,
    /// The number of the last search. Events of earlier ones are ignored.
    searches: u64,
    unconfirmed: Unconfirmed,
}

/// The search in the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    Idle,
    /// It searches the first state, up to this time.
    Running(Duration),
    /// It has been stopped at this time; its result counts for the first state.
    Stopping(Duration),
    /// It has been stopped, and its state is gone. No other search starts before it
    /// has ended.
    Abandoned,
}

/// A state that waits for its answer.
#[derive(Debug)]
struct State {
    id: Option<u64>,
    position: Position,
    received: Duration,
    /// When it has to be answered.
    deadline: Duration,
    /// What is left for the rest of the game, if the server keeps a clock.
    clock: Option<Clock>,
    /// The best that the search has found so far.
    best: Option<Info>,
    /// Whether the best is final.
    is_decided: bool,
    /// The last answer that was sent.
    sent: Option<String>,
    /// When the first answer may be sent, and when the next that improves on it.
    not_before: Duration,
    improve_at: Duration,
    errors: u32,
}

/// An answered state with its move, for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) position: Position,
    /// None if the game is over and the position is only evaluated.
    pub(super) r#move: Option<record::Move>,
}

impl State {
    /// The best answer so far.
    fn answer(&self, mode: Mode) -> Option<String> {
        let info = self.best.as_ref()?;
        Some(match mode {
            Mode::Eval => format!("eval {:.2}", info.margin.seeds()),
            Mode::Freeplay | Mode::Verify => {
                format!("move {}", info.pv.first()?.index().checked_add(1)?)
            }
        })
    }

    /// Whether there is an answer other than the one sent last.
    fn has_news(&self, mode: Mode) -> bool {
        self.answer(mode).is_some_and(|answer| Some(answer) != self.sent)
    }

    /// Whether a pv begins with a move of this state.
    fn allows(&self, info: &Info) -> bool {
        info.pv.first().is_some_and(|&pit| self.position.moves().contains(pit))
    }

    /// Adopts a pv of the running search. An upper bound only says that a move is worse than
    /// expected, not that it is better than the one known.
    fn improve(&mut self, info: Info) {
        if self.allows(&info) && (info.bound != Bound::Upper || self.best.is_none()) {
            self.best = Some(info);
        }
    }

    /// Makes the answer final: the search's result, else the best so far, else any move,
    /// as the server would choose one at random.
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

    fn decision(&self, now: Duration) -> Decision {
        // Records have whole microseconds.
        let micros = now.saturating_sub(self.received).as_micros();
        let time = Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX));
        let best = self.best.as_ref().and_then(|info| info.pv.first().copied());
        let result = SearchResult { best, ponder: None, info: self.best.clone() };
        Decision { position: self.position, r#move: result.recorded(time) }
    }
}

impl Queue {
    /// `searches` is the number of the last search of an earlier connection, which may
    /// still report.
    pub(super) fn new(mode: Mode, searches: u64) -> Self {
        Self {
            mode,
            waiting: VecDeque::new(),
            search: Search::Idle,
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

    /// Whether the client has nothing left to send by itself.
    pub(super) fn is_settled(&self) -> bool {
        self.waiting.is_empty() && self.unconfirmed.wakes_at().is_none()
    }

    fn index(&self, id: u64) -> Option<usize> {
        self.waiting.iter().position(|state| state.id == Some(id))
    }

    /// Whether a state has been sent before under the same number. It then keeps its
    /// place, or its answer is repeated.
    pub(super) fn is_resent(&mut self, now: Duration, id: u64, position: &Position) -> bool {
        let waiting = self.index(id).and_then(|index| self.waiting.get(index));
        waiting.is_some_and(|state| state.position == *position)
            || self.unconfirmed.repeat_for(now, id, position)
    }

    /// Adds a state to be answered within [`Limits::movetime`].
    pub(super) fn receive(
        &mut self,
        now: Duration,
        id: Option<u64>,
        position: Position,
        limits: Limits,
        out: &mut Outbox,
    ) {
        if let Some(id) = id {
            self.stop(Some(id), out);
        }
        if self.waiting.len() >= MAX_WAITING {
            self.remove(0, out);
        }
        let not_before = now.saturating_add(MIN_DELAY);
        self.waiting.push_back(State {
            id,
            position,
            received: now,
            deadline: now.saturating_add(limits.movetime.unwrap_or_default()).max(not_before),
            clock: limits.clock,
            best: None,
            is_decided: false,
            sent: None,
            not_before,
            improve_at: not_before,
            errors: 0,
        });
        let latest = self.search_end(now);
        if let Search::Running(end) | Search::Stopping(end) = &mut self.search {
            *end = latest;
        }
    }

    /// Answers a state without a search.
    pub(super) fn answer(&mut self, now: Duration, id: u64, answer: String) {
        self.unconfirmed.add(now, id, None, answer);
    }

    /// Drops a state that the server no longer waits for; without a number, the first.
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

    /// The server has refused an answer, but does not say which: all are repeated.
    pub(super) fn refuse(&mut self, now: Duration) {
        if let Some(state) = self.waiting.front_mut().filter(|state| state.errors < MAX_ERRORS) {
            state.errors = state.errors.saturating_add(1);
            state.sent = None;
            state.not_before = now.saturating_add(MIN_DELAY);
            state.improve_at = state.not_before;
        }
        self.unconfirmed.repeat_all(now);
    }

    /// Takes an event of the search with this number.
    pub(super) fn hear(&mut self, number: u64, event: Event) {
        if number != self.searches || self.search == Search::Idle {
            return;
        }
        let is_abandoned = self.search == Search::Abandoned;
        let state = self.waiting.front_mut().filter(|_| !is_abandoned);
        match (event, state) {
            (Event::Info(info), Some(state)) => state.improve(info),
            (Event::Finished(result), state) => {
                self.search = Search::Idle;
                if let Some(state) = state {
                    state.decide(result.info);
                }
            }
            _ => (),
        }
    }

    /// Starts, stops and sends whatever is due; returns the states that were answered
    /// for good.
    pub(super) fn advance(&mut self, now: Duration, out: &mut Outbox) -> Vec<Decision> {
        let mut decisions = Vec::new();
        while let Some(state) = self.waiting.front_mut() {
            let end = match self.search {
                Search::Running(end) | Search::Stopping(end) => end,
                Search::Idle | Search::Abandoned => state.deadline,
            };
            if now >= end.saturating_add(MAX_LATE) {
                state.decide(None);
            }
            if !state.is_decided {
                self.pursue(now, out);
                break;
            }
            if now < state.not_before {
                break;
            }
            decisions.extend(self.conclude(now, out));
        }
        self.unconfirmed.send_due(now, out);
        decisions
    }

    /// When [`Self::advance`] has something to do next, if no message comes.
    pub(super) fn wakes_at(&self) -> Option<Duration> {
        self.first_wakes_at().into_iter().chain(self.unconfirmed.wakes_at()).min()
    }

    fn first_wakes_at(&self) -> Option<Duration> {
        let state = self.waiting.front()?;
        if state.is_decided {
            return Some(state.not_before);
        }
        let due = match self.search {
            Search::Idle => Duration::ZERO,
            Search::Running(end) => end,
            Search::Stopping(end) => end.saturating_add(MAX_LATE),
            Search::Abandoned => state.deadline.saturating_add(MAX_LATE),
        };
        Some(if state.has_news(self.mode) { due.min(state.improve_at) } else { due })
    }

    /// When the first state's search has to end: at its deadline, or earlier, so that
    /// each of those behind it gets an equal share of the time up to its own deadline.
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
            Search::Idle => {
                self.searches = self.searches.wrapping_add(1);
                self.search = Search::Running(latest);
                let movetime = latest.saturating_sub(now).max(Duration::from_millis(1));
                out.push(Action::Search {
                    number: self.searches,
                    position: state.position,
                    limits: Limits { clock: state.clock, ..Limits::time(movetime) },
                });
            }
            Search::Running(end) if now >= end => {
                self.search = Search::Stopping(end);
                out.push(Action::StopSearch);
            }
            _ if now >= state.improve_at && state.has_news(self.mode) => {
                state.improve_at = now.saturating_add(IMPROVE_PAUSE);
                state.sent = state.answer(self.mode);
                out.send(state.id, state.sent.as_deref().unwrap_or_default());
            }
            _ => (),
        }
    }

    /// Sends the last answer to the first state, even if it was sent before: the earlier
    /// one may have been refused.
    fn conclude(&mut self, now: Duration, out: &mut Outbox) -> Option<Decision> {
        self.abandon_search(out);
        let state = self.waiting.pop_front()?;
        let answer = state.answer(self.mode)?;
        if self.mode == Mode::Eval {
            // Evaluations need no `yield`, and are never confirmed.
            if state.has_news(self.mode) {
                out.send(state.id, answer);
            }
            return Some(state.decision(now));
        }
        if let Some(info) = state.best.as_ref().filter(|info| info.depth > Depth(0)) {
            let comment = format!("margin {:+.2}, depth {}", info.margin.seeds(), info.depth);
            out.send(None, format_args!("set info:comment {}", Quoted(&comment)));
        }
        out.send(state.id, &answer);
        out.send(state.id, "yield");
        if let Some(id) = state.id {
            self.unconfirmed.add(now, id, Some(state.position), answer);
        }
        Some(state.decision(now))
    }

    fn remove(&mut self, index: usize, out: &mut Outbox) {
        if index == 0 {
            self.abandon_search(out);
        }
        self.waiting.remove(index);
    }

    /// Ends the search of the first state, whatever it finds.
    fn abandon_search(&mut self, out: &mut Outbox) {
        match self.search {
            Search::Idle | Search::Abandoned => return,
            Search::Running(_) => out.push(Action::StopSearch),
            Search::Stopping(_) => (),
        }
        self.search = Search::Abandoned;
    }
}
