//! A manager without threads and clocks: it searches when a session asks for a search, and
//! returns the result before the next line.

use once_cell::sync::Lazy;

use kalah_engine::search::{Limits, Stopper};
use kalah_engine::{Engine, SearchEvent};
use kalah_lab::LabSearcher;
use kalah_protocol::count;
use kalah_protocol::session::{Input, Session, SessionAction};

/// The output of `bench`. A run takes seconds, so the tests share one.
pub(crate) static BENCH: Lazy<Vec<String>> = Lazy::new(|| {
    let mut lines = Vec::new();
    count::bench(&Stopper::new(), &mut |line| lines.push(line));
    lines
});

/// A session, and the search that waits for a stop or a ponderhit.
pub(crate) struct Manager {
    session: Session,
    waiting: Option<Limits>,
    /// Whether the session has ended.
    pub has_quit: bool,
}

impl Manager {
    pub(crate) fn new() -> Self {
        /// The owner of the endgame tables that all managers share: building them takes seconds.
        static PREPARED: Lazy<Engine> = Lazy::new(|| {
            let engine = Engine::with_hash(1).expect("a MiB");
            let mut engine = engine.with_searcher(LabSearcher::default());
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
        Input::from_line(Ok(line.to_owned())).map_or_else(Vec::new, |input| self.give(input))
    }

    /// Sends several lines; returns the answers.
    pub(crate) fn say_all(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().flat_map(|line| self.say(line)).collect()
    }

    pub(crate) fn give(&mut self, input: Input) -> Vec<String> {
        let mut answers = Vec::new();
        for action in self.session.take(input) {
            match action {
                SessionAction::Say(line) => answers.push(line),
                SessionAction::Search(limits) if limits.infinite || limits.ponder => {
                    self.waiting = Some(limits);
                }
                SessionAction::Search(limits) => {
                    answers.extend(self.search(limits, &Stopper::new()))
                }
                SessionAction::Perft(depth) => {
                    let position = *self.session.engine_mut().position();
                    answers.extend(self.work(|stopper, report| {
                        count::perft(&position, depth, stopper, report);
                    }));
                }
                SessionAction::Prepare => {
                    self.session.engine_mut().prepare();
                    answers.extend(self.give(Input::Done));
                }
                SessionAction::Bench => {
                    answers.extend(self.work(|_, report| BENCH.iter().cloned().for_each(report)))
                }
                SessionAction::Stop => {
                    let stopper = Stopper::new();
                    stopper.stop();
                    answers.extend(self.end_waiting(&stopper));
                }
                SessionAction::PonderHit => answers.extend(self.end_waiting(&Stopper::new())),
                SessionAction::Quit => self.has_quit = true,
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
        let report = engine
            .search(limits, stopper, &mut |info| events.push(SearchEvent::Info(info.clone())));
        events.push(SearchEvent::Finished(report));
        events.into_iter().flat_map(|event| self.give(Input::Search(event))).collect()
    }

    /// Runs a job that reports lines, then reports its end.
    fn work(&mut self, job: impl FnOnce(&Stopper, &mut dyn FnMut(String))) -> Vec<String> {
        let mut lines = Vec::new();
        job(&Stopper::new(), &mut |line| lines.push(line));
        let answers: Vec<_> = lines.into_iter().flat_map(|l| self.give(Input::Text(l))).collect();
        [answers, self.give(Input::Done)].concat()
    }
}
