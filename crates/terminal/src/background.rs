//! The engine in the background: one task at a time, each in a thread that sends its
//! results as [`TerminalEvent`]s. Starting a task cancels the previous one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::event::{TerminalEvent, Update};
use kalah_coach::judge::{HINT_TIME, Judge, LOSS_TIME};
use kalah_engine::Engine;
use kalah_engine::search::{Clock, Limits, Stopper};
use kalah_game::{Position, score::Gain};
use kalah_lab::LabSearcher;
use kalah_play::seat::Seat;
use kalah_record::Game;
use kalah_sys::parallel;

/// A question to the engine about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EngineTask {
    /// A move for this player, on its clock if it has one, made no earlier than after this
    /// delay.
    Move(Seat, Option<Clock>, Duration),
    /// The full engine's move.
    Hint,
    /// The full engine's margin for the evaluation bar, without a message.
    Estimate,
    /// The values of all pits.
    Values,
    /// The loss of each move.
    Losses,
    /// The loss of the last move, for the coach.
    Loss,
}

/// The engine and its task.
pub struct BackgroundEngine {
    engine: Engine,
    events: Sender<TerminalEvent>,
    started: u64,
    /// Varies the mistakes of weaker levels from one run of the program to the next.
    seed: u64,
    running: Option<(EngineTask, Stopper)>,
}

impl BackgroundEngine {
    /// Without a task; `events` receives the results of later ones.
    pub fn new(engine: Engine, events: Sender<TerminalEvent>) -> Self {
        Self { engine, events, started: 0, seed: rand::random(), running: None }
    }

    pub(crate) fn task(&self) -> Option<EngineTask> {
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
    pub(crate) fn start(&mut self, task: EngineTask, game: &Game) -> io::Result<()> {
        self.cancel();
        self.started += 1;
        let number = self.started;
        // Set here rather than in the thread, so that endgame tables for a new board are built
        // once and not for every task.
        self.engine.set_position(*game.position());
        let mut work = Judge { engine: self.engine.clone(), stopper: Stopper::new() };
        // A seed for each task: after an undo, the engine may answer the same move differently.
        work.engine.set_seed(self.seed.wrapping_add(number));
        let running = (task, work.stopper.clone());
        let (events, game) = (self.events.clone(), game.clone());
        parallel::start("engine", move || {
            let report = |update| {
                // Sending fails once the front end has ended.
                let _ = events.send(TerminalEvent::Engine(number, update));
            };
            // A fault in the engine costs a move, not the game, which the front end still holds.
            let update = catch_unwind(AssertUnwindSafe(|| run(&mut work, task, &game, &report)));
            report(update.unwrap_or(Update::Failed));
        })?;
        self.running = Some(running);
        Ok(())
    }

    /// Returns the task that an update belongs to, unless it was cancelled in the meantime. The
    /// last update ends the task.
    pub(crate) fn accept(&mut self, number: u64, update: &Update) -> Option<EngineTask> {
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
        // The thread must not keep searching for a front end that has ended.
        self.cancel();
    }
}

fn run(judge: &mut Judge, task: EngineTask, game: &Game, report: &dyn Fn(Update)) -> Update {
    let position = *game.position();
    match task {
        EngineTask::Move(seat, clock, pause) => {
            let earliest = Instant::now() + pause;
            // Set only here: hints and judgements are those of the full engine, whatever the
            // level.
            judge.engine.settings_mut().skill = seat.skill();
            LabSearcher::select(&mut judge.engine, seat.algorithm());
            let result = judge.search(position, seat.limits(clock));
            while Instant::now() < earliest && !judge.stopper.is_stopped() {
                // Polls, so that stopping the task ends the pause, too.
                std::thread::sleep(Duration::from_millis(10));
            }
            Update::Best(result)
        }
        EngineTask::Hint => Update::Hint(judge.hint(position)),
        EngineTask::Estimate => Update::Best(judge.search(position, Limits::time(HINT_TIME))),
        EngineTask::Values => Update::Values(judge.values(position)),
        EngineTask::Losses => {
            Update::Losses(judge.losses(game, &|done, all| report(Update::Progress(done, all))))
        }
        EngineTask::Loss => match game.steps() {
            [before @ .., last] => {
                let position = *game.position_after(before.len());
                Update::Loss(judge.judgement(position, last.played.pit, LOSS_TIME))
            }
            [] => Update::Failed,
        },
    }
}
