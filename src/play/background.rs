//! The engine in the background: one task at a time, each in a thread that sends its
//! results as [`Event`]s. Starting a task cancels the previous one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::event::{Event, Update};
use super::explain::Judgement;
use super::judge::{HINT_TIME, Judge, LOSS_TIME};
use super::seat::Seat;
use crate::engine::Engine;
use crate::game::score::Gain;
use crate::game::{MAX_PITS, Position};
use crate::record::Game;
use crate::search::{Clock, Info, Limits, Stopper};

/// A question to the engine about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A move for this player, within its clock if it has one, after this time at the
    /// earliest.
    Move(Seat, Option<Clock>, Duration),
    /// The full engine's move.
    Hint,
    /// The same for the evaluation bar, without a message.
    Estimate,
    /// The values of all pits.
    Values,
    /// The loss of each move.
    Losses,
    /// The loss of the last move, for the coach.
    Loss,
}

const VALUES_TIME: Duration = Duration::from_millis(900);
/// For all moves of a game together, in equal shares.
const LOSSES_TIME: Duration = Duration::from_secs(8);

/// The engine and its task.
pub(crate) struct BackgroundEngine {
    engine: Engine,
    events: Sender<Event>,
    started: u64,
    /// Varies the mistakes of weaker levels from session to session.
    seed: u64,
    running: Option<(Task, Stopper)>,
}

impl BackgroundEngine {
    pub(crate) fn new(engine: Engine, events: Sender<Event>) -> Self {
        Self { engine, events, started: 0, seed: rand::random(), running: None }
    }

    pub(crate) fn task(&self) -> Option<Task> {
        self.running.as_ref().map(|&(task, _)| task)
    }

    /// The proved margin of a position in the opening book, from its mover's point of view.
    pub(crate) fn book_margin(&self, position: &Position) -> Option<Gain> {
        self.engine.resources().book_margin(position)
    }

    /// Starts a task on `game`.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(crate) fn start(&mut self, task: Task, game: &Game) -> io::Result<()> {
        self.cancel();
        self.started += 1;
        let number = self.started;
        // Here, so that endgame tables for a new board are built once, not by every
        // thread.
        self.engine.set_position(*game.position());
        let mut work = Judge { engine: self.engine.clone(), stopper: Stopper::new() };
        work.engine.set_seed(self.seed.wrapping_add(number));
        let running = (task, work.stopper.clone());
        let (events, game) = (self.events.clone(), game.clone());
        thread::Builder::new().name("engine".to_owned()).spawn(move || {
            let report = |update| {
                // Fails if the session has ended.
                let _ = events.send(Event::Engine(number, update));
            };
            let update = catch_unwind(AssertUnwindSafe(|| work.run(task, &game, &report)));
            report(update.unwrap_or(Update::Failed));
        })?;
        self.running = Some(running);
        Ok(())
    }

    /// Returns the task of an update, unless it was cancelled in the meantime. After its
    /// last update another task may be started.
    pub(crate) fn accept(&mut self, number: u64, update: &Update) -> Option<Task> {
        let task = self.task().filter(|_| number == self.started)?;
        if !matches!(update, Update::Progress(..)) {
            self.running = None;
        }
        Some(task)
    }

    /// Ends the running task early, with the result so far.
    pub(crate) fn stop(&self) {
        if let Some((_, stopper)) = &self.running {
            stopper.stop();
        }
    }

    /// Ends the running task and drops its results.
    pub(crate) fn cancel(&mut self) {
        self.stop();
        self.running = None;
    }
}

impl Drop for BackgroundEngine {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Judge {
    fn run(&mut self, task: Task, game: &Game, report: &dyn Fn(Update)) -> Update {
        let position = *game.position();
        match task {
            Task::Move(seat, clock, pause) => {
                let earliest = Instant::now() + pause;
                self.engine.settings_mut().skill = seat.skill();
                self.engine.set_algorithm(seat.algorithm());
                let result = self.search(position, seat.limits(clock));
                while Instant::now() < earliest && !self.stopper.is_stopped() {
                    thread::sleep(Duration::from_millis(10));
                }
                Update::Best(result)
            }
            Task::Hint => Update::Hint(self.hint(position)),
            Task::Estimate => Update::Best(self.search(position, Limits::time(HINT_TIME))),
            Task::Values => Update::Values(self.values(position)),
            Task::Losses => Update::Losses(self.losses(game, report)),
            Task::Loss => match game.steps() {
                [before @ .., last] => {
                    let position = *game.position_after(before.len());
                    Update::Loss(self.judgement(position, last.played.pit, LOSS_TIME))
                }
                [] => Update::Failed,
            },
        }
    }

    /// The last value of each pit, best first.
    fn values(&mut self, position: Position) -> Vec<Info> {
        self.engine.settings_mut().multipv = MAX_PITS;
        self.engine.set_position(position);
        let mut values: Vec<Info> = Vec::new();
        self.engine.search(Limits::time(VALUES_TIME), &self.stopper, &mut |info| {
            values.retain(|known| known.pv.first() != info.pv.first());
            values.push(info.clone());
        });
        for info in &mut values {
            if let Some(margin) = info.pv.first().and_then(|&pit| self.known(position, pit)) {
                (info.margin, info.proved) = (margin, true);
            }
        }
        // The last iteration may not have reached every pit, so the order of reports is
        // not that of the margins.
        values.sort_by_key(|info| -info.margin);
        values
    }

    /// Analyses the game backwards, so that the transposition table already holds what
    /// follows a position.
    fn losses(&mut self, game: &Game, report: &dyn Fn(Update)) -> Vec<Judgement> {
        let count = game.steps().len();
        let time = (LOSSES_TIME / count.max(1) as u32)
            .clamp(Duration::from_millis(30), Duration::from_millis(400));
        let mut losses = Vec::with_capacity(count);
        for index in (0..count).rev() {
            report(Update::Progress(losses.len(), count));
            let pit = game.steps()[index].played.pit;
            losses.push(self.judgement(*game.position_after(index), pit, time));
        }
        losses.reverse();
        losses
    }
}
