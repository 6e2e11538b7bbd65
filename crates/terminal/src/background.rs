//! The engine in the background: one question at a time, each in a thread that sends its answers
//! as [`TerminalEvent`]s. Asking a question drops the previous one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use crate::event::TerminalEvent;
use kalah_coach::judge::Judge;
use kalah_engine::Engine;
use kalah_engine::search::Stopper;
use kalah_play::question::{Answer, Question};
use kalah_record::Game;
use kalah_sys::parallel;

/// The engine and its question.
pub struct BackgroundEngine {
    engine: Engine,
    events: Sender<TerminalEvent>,
    started: u64,
    /// Varies the mistakes of weaker levels from one run of the program to the next.
    seed: u64,
    running: Option<Stopper>,
}

impl BackgroundEngine {
    /// Without a question; `events` receives the answers to later ones.
    pub fn new(engine: Engine, events: Sender<TerminalEvent>) -> Self {
        Self { engine, events, started: 0, seed: rand::random(), running: None }
    }

    /// Starts to answer a question about `game`; the answer comes after `pause` at the earliest.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(crate) fn start(
        &mut self,
        question: Question,
        game: Game,
        pause: Duration,
    ) -> io::Result<()> {
        self.drop_question();
        self.started += 1;
        let number = self.started;
        // Set here rather than in the thread, so that endgame tables for a new board are built
        // once and not for every question.
        self.engine.set_position(*game.position());
        let mut judge = Judge { engine: self.engine.clone(), stopper: Stopper::new() };
        // A seed for each question: after an undo, the engine may answer the same move differently.
        judge.engine.set_seed(self.seed.wrapping_add(number));
        let stopper = judge.stopper.clone();
        let events = self.events.clone();
        parallel::start("engine", move || {
            let report = |answer| {
                // Sending fails once the front end has ended.
                let _ = events.send(TerminalEvent::Engine(number, answer));
            };
            let progress = |done, all| report(Answer::Progress(done, all));
            let earliest = Instant::now() + pause;
            // A fault in the engine costs a move, not the game, which the front end still holds.
            let answer =
                catch_unwind(AssertUnwindSafe(|| question.answer(&mut judge, &game, &progress)));
            while Instant::now() < earliest && !judge.stopper.is_stopped() {
                // Polls, so that stopping the engine ends the pause, too.
                std::thread::sleep(Duration::from_millis(10));
            }
            report(answer.unwrap_or(Answer::Failed));
        })?;
        self.running = Some(stopper);
        Ok(())
    }

    /// Whether an answer belongs to the question, which its last answer ends.
    pub(crate) fn accepts(&mut self, number: u64, answer: &Answer) -> bool {
        let is_current = self.running.is_some() && number == self.started;
        if is_current && !matches!(answer, Answer::Progress(..)) {
            self.running = None;
        }
        is_current
    }

    /// Ends the search early, with the answer so far.
    pub(crate) fn hurry(&self) {
        if let Some(stopper) = &self.running {
            stopper.stop();
        }
    }

    /// Ends the search without an answer.
    pub(crate) fn drop_question(&mut self) {
        self.hurry();
        self.running = None;
    }
}

impl Drop for BackgroundEngine {
    fn drop(&mut self) {
        // The thread must not keep searching for a front end that has ended.
        self.drop_question();
    }
}
