//! The engine in the background: questions in, answers out, never in the way.
//!
//! Each question runs in a thread of its own and answers through a function
//! that its owner gives; an answer to a question that was given up is told
//! apart by its ticket. Nothing here knows a game or a terminal.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::engine::Engine;
use crate::game::{MAX_PITS, Pit, PitSet, Position};
use crate::score::Value;
use crate::search::{Info, Limits, SearchResult, Stopper};

use super::seat::Strength;

/// Tells a question from those asked before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// What the engine is asked.
#[derive(Clone, Debug)]
pub enum Question {
    /// What to play, at some strength?
    Move(Position, Strength),
    /// What would the full engine play?
    Hint(Position),
    /// What is each pit worth?
    Values(Position),
    /// What was lost by each of these sowings?
    Losses(Vec<(Position, Pit)>),
}

impl Question {
    /// A position of the board that it is about.
    fn position(&self) -> Option<&Position> {
        match self {
            Question::Move(position, _) | Question::Hint(position) | Question::Values(position) => {
                Some(position)
            }
            Question::Losses(sowings) => sowings.first().map(|(position, _)| position),
        }
    }
}

/// What the engine says.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The move to play.
    Move(SearchResult),
    /// The move that it would play.
    Hint(SearchResult),
    /// The pits, the best first.
    Values(Vec<Info>),
    /// So many sowings of so many are judged.
    Progress(usize, usize),
    /// What was lost, in the order of the question.
    Losses(Vec<Judged>),
    /// The engine broke down; the game goes on without this answer.
    Failed,
}

/// One sowing of a game as the full engine sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The pit that was sown.
    pub pit: Pit,
    /// The best pit.
    pub best: Pit,
    /// The mover's margin at the end with the best pit, stores included.
    pub best_value: Value,
    /// The mover's margin at the end with the pit that was sown.
    pub value: Value,
    /// Whether both values are proved.
    pub proved: bool,
}

impl Judged {
    /// What the sowing gave away; never negative.
    pub fn loss(&self) -> Value {
        self.best_value - self.value
    }
}

/// An answer and the question that it belongs to.
#[derive(Clone, Debug)]
pub struct Thought {
    /// Which question.
    pub ticket: Ticket,
    /// The answer; after [`Answer::Progress`] others follow.
    pub answer: Answer,
}

type Tell = Arc<dyn Fn(Thought) + Send + Sync>;

/// The engine, and the question that it is at.
pub struct Thinker {
    engine: Engine,
    tell: Tell,
    asked: u64,
    /// Makes the slips of weaker levels differ from session to session.
    seed: u64,
    stopper: Option<Stopper>,
}

const HINT_TIME: Duration = Duration::from_millis(700);
const VALUES_TIME: Duration = Duration::from_millis(900);
/// For all sowings of a game together; each is judged for a share.
const LOSSES_TIME: Duration = Duration::from_secs(8);

impl Thinker {
    /// A thinker that answers by calling `tell` from its threads.
    pub fn new(engine: Engine, tell: impl Fn(Thought) + Send + Sync + 'static) -> Self {
        Self { engine, tell: Arc::new(tell), asked: 0, seed: rand::random(), stopper: None }
    }

    /// Gives up what it was at and turns to `question`.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn ask(&mut self, question: Question) -> io::Result<Ticket> {
        self.give_up();
        self.asked += 1;
        let ticket = Ticket(self.asked);
        let stopper = Stopper::new();
        // The engine gets ready for a new board once, not in every thread.
        if let Some(position) = question.position() {
            self.engine.set_position(*position);
        }
        let mut work = Work { engine: self.engine.clone(), stopper: stopper.clone() };
        work.engine.set_seed(self.seed.wrapping_add(self.asked));
        let tell = Arc::clone(&self.tell);
        thread::Builder::new().name("thinker".to_owned()).spawn(move || {
            let progress = |done, all| {
                tell(Thought { ticket, answer: Answer::Progress(done, all) });
            };
            let answer = catch_unwind(AssertUnwindSafe(|| work.answer(question, &progress)));
            tell(Thought { ticket, answer: answer.unwrap_or(Answer::Failed) });
        })?;
        self.stopper = Some(stopper);
        Ok(ticket)
    }

    /// Ends the thinking; the answer comes at once.
    pub fn hurry(&self) {
        if let Some(stopper) = &self.stopper {
            stopper.stop();
        }
    }

    /// Ends the thinking; what it was at is of no interest any more.
    pub fn give_up(&mut self) {
        self.hurry();
        self.stopper = None;
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// A question being answered.
struct Work {
    engine: Engine,
    stopper: Stopper,
}

impl Work {
    fn answer(&mut self, question: Question, progress: &dyn Fn(usize, usize)) -> Answer {
        match question {
            Question::Move(position, strength) => {
                self.engine.settings_mut().skill = strength.skill();
                Answer::Move(self.search(position, strength.limits()))
            }
            Question::Hint(position) => {
                Answer::Hint(self.search(position, Limits::time(HINT_TIME)))
            }
            Question::Values(position) => Answer::Values(self.values(position)),
            Question::Losses(sowings) => Answer::Losses(self.losses(&sowings, progress)),
        }
    }

    fn search(&mut self, position: Position, limits: Limits) -> SearchResult {
        self.engine.set_position(position);
        self.engine.search(limits, &self.stopper, &mut |_| ())
    }

    /// The last word on every pit, the best first.
    fn values(&mut self, position: Position) -> Vec<Info> {
        self.engine.settings_mut().multipv = MAX_PITS;
        self.engine.set_position(position);
        let mut lines: Vec<Info> = Vec::new();
        let limits = Limits::time(VALUES_TIME);
        self.engine.search(limits, &self.stopper, &mut |info| {
            lines.retain(|line| line.pv.first() != info.pv.first());
            lines.push(info.clone());
        });
        // A pit whose value is older is not better for that.
        lines.sort_by_key(|line| -line.margin);
        lines
    }

    /// From the end to the start, so that memory helps.
    fn losses(
        &mut self,
        sowings: &[(Position, Pit)],
        progress: &dyn Fn(usize, usize),
    ) -> Vec<Judged> {
        let share = LOSSES_TIME / sowings.len().max(1) as u32;
        let share = share.clamp(Duration::from_millis(30), Duration::from_millis(400));
        let mut judged = Vec::with_capacity(sowings.len());
        for (done, &(position, pit)) in sowings.iter().rev().enumerate() {
            progress(done, sowings.len());
            judged.push(self.judge(position, pit, share));
        }
        judged.reverse();
        judged
    }

    fn judge(&mut self, position: Position, pit: Pit, time: Duration) -> Judged {
        let lead = Value::from(position.lead(position.side()));
        let known = |report: &SearchResult| match &report.info {
            Some(info) => (info.margin, info.proved),
            None => (lead, false),
        };
        let best = self.search(position, Limits::time(time));
        let (best_value, best_proved) = known(&best);
        let best = best.best.unwrap_or(pit);
        if best == pit {
            return Judged { pit, best, best_value, value: best_value, proved: best_proved };
        }
        let only = PitSet::default().with(pit);
        let limits = Limits { moves: Some(only), ..Limits::time(time) };
        let (value, proved) = known(&self.search(position, limits));
        // A short search may see the other pit in a better light.
        let value = value.min(best_value);
        Judged { pit, best, best_value, value, proved: proved && best_proved }
    }
}
