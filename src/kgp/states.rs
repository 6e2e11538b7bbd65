//! The states that a server waits for: which is searched how long, and when what
//! is answered.
//!
//! One search runs at a time, on the state that has waited longest. The best move
//! so far is sent as soon as the server can be expected to take it, and sent once
//! more before `yield`. All times are on the caller's clock.

use std::collections::VecDeque;
use std::time::Duration;

use crate::game::Position;
use crate::game::depth::Depth;
use crate::game::score::Value;
use crate::record;
use crate::search::table::Bound;
use crate::search::{Clock, Event, Info, Limits, SearchResult};

use super::action::{Action, Mode, Outbox};
use super::message::Quoted;

/// A server registers a state after sending it: an earlier answer would be refused.
const FIRST_ANSWER: Duration = Duration::from_millis(5);

/// Time between two moves for a state. The server drops what exceeds eight of them
/// before it has looked at the first.
const BETWEEN_MOVES: Duration = Duration::from_millis(50);

/// How long the end of a search is waited for when its time is over.
const LATE: Duration = Duration::from_millis(20);

/// When an answer that was not confirmed by `stop` is repeated, and each time later
/// by this factor.
const REPEAT: Duration = Duration::from_millis(250);

/// How often an answer is repeated unasked, and how often in all.
const REPEATS: u32 = 2;
const ERRORS: u32 = 8;

/// The most states that wait, and the most answers that are remembered. A server
/// has one state for each of its games.
const MOST: usize = 64;

/// The states of one connection.
#[derive(Debug)]
pub(super) struct States {
    mode: Mode,
    waiting: VecDeque<State>,
    running: Option<Running>,
    answered: VecDeque<Answered>,
    /// Of the last search.
    number: u64,
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
    /// What a search found, and whether the search has ended.
    best: Option<Info>,
    is_decided: bool,
    /// The last answer that was sent.
    sent: Option<String>,
    /// When the next may be sent, and when one that only improves on it.
    not_before: Duration,
    improve_at: Duration,
    errors: u32,
}

/// A search that was started and has not ended.
#[derive(Clone, Copy, Debug)]
struct Running {
    number: u64,
    /// When it is stopped.
    end: Duration,
    is_stopping: bool,
    /// Whether its state is gone.
    is_obsolete: bool,
}

/// An answered state. It is forgotten when the server stops it.
#[derive(Debug)]
struct Answered {
    id: u64,
    /// The state, if it was one that can be searched.
    position: Option<Position>,
    answer: String,
    repeat_at: Option<Duration>,
    repeats: u32,
}

/// A state with the move that was played, for records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) position: Position,
    /// None where none is legal, which is only evaluated.
    pub(super) r#move: Option<record::Move>,
}

impl State {
    /// The best answer so far.
    fn answer(&self, mode: Mode) -> Option<String> {
        let info = self.best.as_ref()?;
        Some(match mode {
            Mode::Eval => format!("eval {:.2}", seeds(info.margin)),
            Mode::Freeplay | Mode::Verify => {
                format!("move {}", info.pv.first()?.index().checked_add(1)?)
            }
        })
    }

    /// Takes a pv, unless it is only an upper bound of what another move promised
    /// more for.
    fn consider(&mut self, info: Info) {
        let is_known = self.best.is_some();
        if self.allows(&info) && (info.bound != Bound::Upper || !is_known) {
            self.best = Some(info);
        }
    }

    /// Whether a pv begins with a move of this state.
    fn allows(&self, info: &Info) -> bool {
        info.pv.first().is_some_and(|&pit| self.position.moves().contains(pit))
    }

    /// What was decided, for records, which have whole microseconds.
    fn decision(&self, now: Duration) -> Decision {
        let micros = now.saturating_sub(self.received).as_micros();
        let time = Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX));
        let best = self.best.as_ref().and_then(|info| info.pv.first().copied());
        let result = SearchResult { best, ponder: None, info: self.best.clone() };
        Decision { position: self.position, r#move: result.recorded(time) }
    }

    /// Without a search any move is better than the server's random one.
    fn decide(&mut self) {
        self.is_decided = true;
        if self.best.is_none() {
            let margin = self.position.margin(self.position.side());
            let pv = self.position.moves().nearest().into_iter().collect();
            let found = SearchResult::proved(&self.position, margin, pv).info;
            self.best = found.map(|info| Info { depth: Depth(0), proved: false, ..info });
        }
    }
}

fn seeds(value: Value) -> f64 {
    f64::from(value.0) / f64::from(Value::SEED)
}

impl States {
    pub(super) fn new(mode: Mode) -> Self {
        Self { mode, waiting: VecDeque::new(), running: None, answered: VecDeque::new(), number: 0 }
    }

    /// Whether nothing is to be sent if nothing comes.
    pub(super) fn is_settled(&self) -> bool {
        self.waiting.is_empty() && self.answered.iter().all(|answered| answered.repeat_at.is_none())
    }

    /// Whether no state waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn index(&self, id: Option<u64>) -> Option<usize> {
        self.waiting.iter().position(|state| id.is_some() && state.id == id)
    }

    /// Whether a state has come before, under the same number: if it was answered, the
    /// answer is repeated.
    pub(super) fn knows(&mut self, now: Duration, id: Option<u64>, position: &Position) -> bool {
        let waits = self.index(id).and_then(|index| self.waiting.get(index));
        let is_same = |answered: &&mut Answered| {
            Some(answered.id) == id && answered.position.as_ref() == Some(position)
        };
        let answered = self.answered.iter_mut().find(is_same);
        if let Some(answered) = answered.filter(|answered| answered.repeats < ERRORS) {
            answered.repeat_at = Some(now.saturating_add(FIRST_ANSWER));
            return true;
        }
        waits.is_some_and(|state| state.position == *position)
    }

    /// A state to be answered within the time of a move, [`Limits::movetime`].
    pub(super) fn receive(
        &mut self,
        now: Duration,
        id: Option<u64>,
        position: Position,
        limits: Limits,
        out: &mut Outbox,
    ) {
        if let Some(index) = self.index(id) {
            self.drop_turn(index, out);
        }
        self.answered.retain(|answered| Some(answered.id) != id);
        if self.waiting.len() >= MOST {
            self.drop_turn(0, out);
        }
        let first_answer = now.saturating_add(FIRST_ANSWER);
        self.waiting.push_back(State {
            id,
            position,
            received: now,
            deadline: now.saturating_add(limits.movetime.unwrap_or_default()).max(first_answer),
            clock: limits.clock,
            best: None,
            is_decided: false,
            sent: None,
            not_before: first_answer,
            improve_at: first_answer,
            errors: 0,
        });
        if let (Some(end), Some(running)) = (self.front_end(now), &mut self.running) {
            running.end = end;
        }
    }

    /// The server waits no longer for a state; without a number, for the first.
    pub(super) fn stop(&mut self, id: Option<u64>, out: &mut Outbox) {
        self.answered.retain(|answered| Some(answered.id) != id);
        let index = match id {
            Some(_) => self.index(id),
            None => (!self.waiting.is_empty()).then_some(0),
        };
        if let Some(index) = index {
            self.drop_turn(index, out);
        }
    }

    /// The server refuses an answer, it does not say which: those of late are
    /// repeated.
    pub(super) fn refuse(&mut self, now: Duration) {
        let again = now.saturating_add(FIRST_ANSWER);
        if let Some(state) = self.waiting.front_mut().filter(|state| state.errors < ERRORS) {
            state.errors = state.errors.saturating_add(1);
            state.sent = None;
            (state.not_before, state.improve_at) = (again, again);
        }
        for answered in &mut self.answered {
            if answered.repeats < ERRORS {
                answered.repeat_at = Some(again);
            }
        }
    }

    /// An event of the search with this number.
    pub(super) fn search(&mut self, number: u64, event: Event) {
        let Some(running) = self.running.filter(|running| running.number == number) else { return };
        let state = self.waiting.front_mut().filter(|_| !running.is_obsolete);
        match (event, state) {
            (Event::Info(info), Some(state)) => state.consider(info),
            (Event::Finished(result), state) => {
                self.running = None;
                if let Some(state) = state {
                    let found = result.info.filter(|info| state.allows(info));
                    state.best = found.or(state.best.take());
                    state.decide();
                }
            }
            _ => (),
        }
    }

    /// Does what is due; the moves that were played for good.
    pub(super) fn advance(&mut self, now: Duration, out: &mut Outbox) -> Vec<Decision> {
        let mut decisions = Vec::new();
        loop {
            let end = self.front_end(now);
            let Some(state) = self.waiting.front_mut() else { break };
            let running = self.running.filter(|running| !running.is_obsolete);
            let limit = running.map_or(state.deadline, |running| running.end);
            if now >= limit.saturating_add(LATE) {
                state.decide();
            }
            if state.is_decided {
                if now < state.not_before {
                    break;
                }
                decisions.extend(self.conclude(now, out));
                continue;
            }
            match (&mut self.running, end) {
                (None, Some(end)) => self.start(now, end, out),
                (Some(running), _) if !running.is_stopping && now >= running.end => {
                    running.is_stopping = true;
                    out.push(Action::StopSearch);
                }
                _ => self.improve(now, out),
            }
            break;
        }
        self.repeat(now, out);
        decisions
    }

    /// When [`Self::advance`] has something to do next, if no message comes.
    pub(super) fn wakes_at(&self) -> Option<Duration> {
        let repeats = self.answered.iter().filter_map(|answered| answered.repeat_at).min();
        repeats.into_iter().chain(self.front_wakes_at()).min()
    }

    fn front_wakes_at(&self) -> Option<Duration> {
        let state = self.waiting.front()?;
        if state.is_decided {
            return Some(state.not_before);
        }
        let end = match self.running {
            Some(running) if running.is_obsolete => state.deadline.saturating_add(LATE),
            Some(running) if running.is_stopping => running.end.saturating_add(LATE),
            Some(running) => running.end,
            None => Duration::ZERO,
        };
        let is_news = state.answer(self.mode).is_some_and(|answer| Some(answer) != state.sent);
        Some(if is_news { end.min(state.improve_at) } else { end })
    }

    /// When the first state's search has to end: at its deadline, and so early that
    /// as much time is left for each of the others up to theirs.
    fn front_end(&self, now: Duration) -> Option<Duration> {
        let share = |(state, number): (&State, u32)| {
            let left = state.deadline.saturating_sub(now);
            now.saturating_add(left.checked_div(number).unwrap_or(left))
        };
        self.waiting.iter().zip(1..).map(share).min()
    }

    fn start(&mut self, now: Duration, end: Duration, out: &mut Outbox) {
        let Some(state) = self.waiting.front() else { return };
        self.number = self.number.wrapping_add(1);
        let number = self.number;
        self.running = Some(Running { number, end, is_stopping: false, is_obsolete: false });
        let movetime = end.saturating_sub(now).max(Duration::from_millis(1));
        let limits = Limits { clock: state.clock, ..Limits::time(movetime) };
        out.push(Action::Search { number, position: state.position, limits });
    }

    /// Sends the best answer so far if it is another one than before.
    fn improve(&mut self, now: Duration, out: &mut Outbox) {
        let mode = self.mode;
        let Some(state) = self.waiting.front_mut().filter(|state| now >= state.improve_at) else {
            return;
        };
        let answer = state.answer(mode);
        if answer.is_some() && answer != state.sent {
            state.improve_at = now.saturating_add(BETWEEN_MOVES);
            out.send(state.id, answer.as_deref().unwrap_or_default());
            state.sent = answer;
        }
    }

    /// Sends the last answer for the first state, even if it was sent before.
    fn conclude(&mut self, now: Duration, out: &mut Outbox) -> Option<Decision> {
        self.give_up_search(out);
        let state = self.waiting.pop_front()?;
        let answer = state.answer(self.mode)?;
        let decision = state.decision(now);
        if self.mode == Mode::Eval {
            if state.sent.as_ref() != Some(&answer) {
                out.send(state.id, answer);
            }
            return Some(decision);
        }
        if let Some(info) = state.best.as_ref().filter(|info| info.depth > Depth(0)) {
            let comment = format!("margin {:+.2}, depth {}", seeds(info.margin), info.depth);
            out.send(None, format_args!("set info:comment {}", Quoted(&comment)));
        }
        out.send(state.id, &answer);
        out.send(state.id, "yield");
        if let Some(id) = state.id {
            self.store(id, Some(state.position), answer, now.saturating_add(REPEAT));
        }
        Some(decision)
    }

    /// A state that is not searched: it is answered as soon as it may be.
    pub(super) fn answer(&mut self, now: Duration, id: Option<u64>, answer: String) {
        if let Some(id) = id {
            self.answered.retain(|answered| answered.id != id);
            self.store(id, None, answer, now.saturating_add(FIRST_ANSWER));
        }
    }

    fn store(&mut self, id: u64, position: Option<Position>, answer: String, at: Duration) {
        if self.answered.len() >= MOST {
            self.answered.pop_front();
        }
        self.answered.push_back(Answered { id, position, answer, repeat_at: Some(at), repeats: 0 });
    }

    fn repeat(&mut self, now: Duration, out: &mut Outbox) {
        for answered in &mut self.answered {
            if answered.repeat_at.is_some_and(|at| now >= at) {
                out.send(Some(answered.id), &answered.answer);
                out.send(Some(answered.id), "yield");
                answered.repeats = answered.repeats.saturating_add(1);
                let pause = REPEAT.saturating_mul(1 << answered.repeats.min(8));
                answered.repeat_at =
                    (answered.repeats < REPEATS).then(|| now.saturating_add(pause));
            }
        }
    }

    fn drop_turn(&mut self, index: usize, out: &mut Outbox) {
        if index == 0 {
            self.give_up_search(out);
        }
        self.waiting.remove(index);
    }

    /// Ends the search of the first state.
    fn give_up_search(&mut self, out: &mut Outbox) {
        if let Some(running) = self.running.as_mut().filter(|running| !running.is_obsolete) {
            running.is_obsolete = true;
            if !std::mem::replace(&mut running.is_stopping, true) {
                out.push(Action::StopSearch);
            }
        }
    }
}
