//! A manager without threads and clocks: it searches when a session asks for it, and
//! returns the result before the next line.

use std::sync::LazyLock;

use kalah::engine::{Engine, Event};
use kalah::protocol::count;
use kalah::protocol::session::{Action, Input, Session};
use kalah::search::{Limits, Stopper};

/// What `bench` reports. It takes seconds, so the tests share one run.
pub(crate) static BENCH: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    count::bench(&Stopper::new(), &mut |line| lines.push(line));
    lines
});

/// A session, and a search that waits for its stop.
pub(crate) struct Manager {
    session: Session,
    waiting: Option<Limits>,
    /// Whether the session has ended.
    pub has_quit: bool,
}

impl Manager {
    pub(crate) fn new() -> Self {
        /// The owner of the endgame tables that all managers share: they take seconds.
        static PREPARED: LazyLock<Engine> = LazyLock::new(|| {
            let mut engine = Engine::with_hash(1).expect("a MiB");
            engine.prepare();
            engine
        });
        let mut engine = PREPARED.clone();
        engine.resources_mut().set_hash(1).expect("a MiB of its own");
        let session = Session::new(engine);
        Self { session, waiting: None, has_quit: false }
    }

    /// Sends a line; returns the answers.
    pub(crate) fn say(&mut self, line: &str) -> Vec<String> {
        Input::of_line(Ok(line.to_owned())).map_or_else(Vec::new, |input| self.give(input))
    }

    /// Sends several lines; returns the answers.
    pub(crate) fn say_all(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().flat_map(|line| self.say(line)).collect()
    }

    pub(crate) fn give(&mut self, input: Input) -> Vec<String> {
        let mut answers = Vec::new();
        for action in self.session.take(input) {
            match action {
                Action::Say(line) => answers.push(line),
                Action::Search(limits) if limits.infinite || limits.ponder => {
                    self.waiting = Some(limits);
                }
                Action::Search(limits) => answers.extend(self.search(limits, &Stopper::new())),
                Action::Perft(depth) => {
                    let position = *self.session.engine_mut().position();
                    answers.extend(self.work(|stopper, report| {
                        count::perft(&position, depth, stopper, report);
                    }));
                }
                Action::Prepare => {
                    self.session.engine_mut().prepare();
                    answers.extend(self.give(Input::Done));
                }
                Action::Bench => {
                    answers.extend(self.work(|_, report| BENCH.iter().cloned().for_each(report)))
                }
                Action::Stop => {
                    let stopper = Stopper::new();
                    stopper.stop();
                    answers.extend(self.end_waiting(&stopper));
                }
                Action::PonderHit => answers.extend(self.end_waiting(&Stopper::new())),
                Action::Quit => self.has_quit = true,
            }
        }
        answers
    }

    fn end_waiting(&mut self, stopper: &Stopper) -> Vec<String> {
        let Some(limits) = self.waiting.take() else { return Vec::new() };
        self.search(Limits { infinite: false, ponder: false, ..limits }, stopper)
    }

    fn search(&mut self, limits: Limits, stopper: &Stopper) -> Vec<String> {
        let mut events = Vec::new();
        let engine = self.session.engine_mut();
        let report =
            engine.search(limits, stopper, &mut |info| events.push(Event::Info(info.clone())));
        events.push(Event::Finished(report));
        events.into_iter().flat_map(|event| self.give(Input::Search(event))).collect()
    }

    /// Does work that reports lines, then reports its end.
    fn work(&mut self, job: impl FnOnce(&Stopper, &mut dyn FnMut(String))) -> Vec<String> {
        let mut lines = Vec::new();
        job(&Stopper::new(), &mut |line| lines.push(line));
        let answers: Vec<_> = lines.into_iter().flat_map(|l| self.give(Input::Text(l))).collect();
        [answers, self.give(Input::Done)].concat()
    }
}
