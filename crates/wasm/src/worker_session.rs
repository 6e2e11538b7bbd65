//! A session of the protocol on the only thread of a worker: work that other hosts do in the
//! background is done immediately, and lines that arrive in the meantime wait.

use std::collections::VecDeque;
use std::time::Duration;

use kalah_engine::search::Limits;
use kalah_engine::{Engine, SearchEvent, SearchResult, Stopper};
use kalah_page::ApiError;
use kalah_protocol::session::{Input, Session, SessionAction};
use kalah_protocol::{Restrictions, count};
use kalah_sys::clock::Instant;
use kalah_sys::random::fresh_seed;

/// The size of the engine's transposition table in MiB.
pub(crate) const HASH: usize = 32;

/// The size of the endgame tables, in seeds in play on a board with 6 pits: those with which every
/// engine starts, which take 5 MB. Tables of 15 seeds would be built in addition. When a position
/// took a byte, the page exceeded 200 MB with them while it analysed and proved margins.
pub(crate) const TABLE_SEEDS: u32 = 14;

/// The longest search, after which a forgotten page no longer drains the battery.
pub(crate) const MAX_TIME: Duration = Duration::from_secs(600);

/// A session with the page.
#[derive(Debug)]
pub struct WorkerSession {
    session: Session,
    /// The result of a search that must not answer before a stop.
    held: Option<SearchResult>,
}

impl WorkerSession {
    /// A session with a new engine.
    ///
    /// # Errors
    /// [`ApiError`] if there is no memory for it.
    pub fn new() -> Result<Self, ApiError> {
        let restrictions = Restrictions {
            hash: HASH as u32,
            threads: 1,
            table_seeds: TABLE_SEEDS,
            time: MAX_TIME,
        };
        let mut engine = Engine::with_hash(HASH).map_err(ApiError::failed)?;
        engine.set_option("TableSeeds", &TABLE_SEEDS.to_string()).map_err(ApiError::failed)?;
        engine.set_seed(fresh_seed());
        let session = Session::restricted(engine, restrictions);
        Ok(Self { session, held: None })
    }

    /// Serves a line from the page; `say` gets the lines of the answer. Returns when the work
    /// that the line has started is done.
    pub fn line(&mut self, line: &str, say: &mut (dyn FnMut(&str) + Send)) {
        let mut inputs: VecDeque<Input> =
            Input::from_line(Ok(line.to_owned())).into_iter().collect();
        while let Some(input) = inputs.pop_front() {
            for action in self.session.take(input) {
                self.act(action, &mut inputs, say);
            }
        }
    }

    fn act(
        &mut self,
        action: SessionAction,
        inputs: &mut VecDeque<Input>,
        say: &mut (dyn FnMut(&str) + Send),
    ) {
        match action {
            SessionAction::Say(line) => say(&line),
            SessionAction::Search(limits) => inputs.extend(self.search(limits, say)),
            SessionAction::Perft(depth) => {
                let position = *self.session.engine_mut().position();
                count::perft(&position, depth, &Stopper::new(), &mut |line| say(&line));
                inputs.push_back(Input::Done);
            }
            SessionAction::Bench => {
                count::bench(&Stopper::new(), &mut |line| say(&line));
                inputs.push_back(Input::Done);
            }
            SessionAction::Prepare => {
                self.session.engine_mut().prepare();
                inputs.push_back(Input::Done);
            }
            SessionAction::Stop | SessionAction::PonderHit => {
                inputs.extend(self.held.take().map(finished));
            }
            // The page ends a worker when it no longer needs it.
            SessionAction::Quit => (),
        }
    }

    /// Searches, and returns the inputs that end the search.
    fn search(&mut self, limits: Limits, say: &mut (dyn FnMut(&str) + Send)) -> Vec<Input> {
        let started = Instant::now();
        let engine = self.session.engine_mut();
        let search = engine.pending(limits);
        let stopper = search.stopper().clone();
        let mut found = None;
        search.run(&mut |event| match event {
            SearchEvent::Finished(result) => found = Some(result),
            event => self.session.take(Input::Search(event)).into_iter().for_each(|action| {
                if let SessionAction::Say(line) = action {
                    say(&line);
                }
            }),
        });
        let mut inputs = Vec::new();
        if started.elapsed() >= MAX_TIME {
            inputs.push(Input::Overtime);
        }
        // An infinite search ends early when its result is proved, but must not answer yet.
        if (limits.infinite || limits.ponder) && !stopper.is_stopped() {
            self.held = found;
        } else {
            inputs.extend(found.map(finished));
        }
        inputs
    }
}

fn finished(result: SearchResult) -> Input {
    Input::Search(SearchEvent::Finished(result))
}
