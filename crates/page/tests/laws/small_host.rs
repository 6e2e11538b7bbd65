//! A host in this process, with little memory.

use std::time::{Duration, Instant};

use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::settings::Settings;
use kalah_engine::Engine;
use kalah_engine::search::Stopper;
use kalah_engine::solve::{SolveError, Solver, SolverSettings, TableChoice};
use kalah_game::{Pit, Position};
use kalah_page::{Answer, ApiError, Exclusive, PageHost, Request, RequestMethod, respond};
use kalah_sys::stop::Flag;

pub(crate) struct SmallHost {
    pub(crate) judge: Judge,
    history: PuzzleHistory,
    settings: Settings,
    pub(crate) stop: Flag,
    started: Instant,
    pub(crate) events: Vec<(&'static str, String)>,
    /// Raises `stop` at this event, counted from 0.
    pub(crate) stop_at: Option<usize>,
    /// What requests have used exclusively.
    pub(crate) lent: Vec<Exclusive>,
}

impl SmallHost {
    pub(crate) fn new() -> Self {
        let engine = Engine::without_tables(1).unwrap();
        Self {
            judge: Judge { engine, stopper: Stopper::new() },
            history: PuzzleHistory::default(),
            settings: Settings::default(),
            stop: Flag::default(),
            started: Instant::now(),
            events: Vec::new(),
            stop_at: None,
            lent: Vec::new(),
        }
    }

    pub(crate) fn ask(
        &mut self,
        method: RequestMethod,
        path: &str,
        body: &str,
    ) -> Result<Answer, ApiError> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let [path, query, body] = [path, query, body].map(str::to_owned);
        respond(&Request { method, path, query, body }, self)
    }
}

impl PageHost for SmallHost {
    fn judge(&mut self) -> Result<&mut Judge, ApiError> {
        self.lent.push(Exclusive::Judge);
        Ok(&mut self.judge)
    }

    fn history(&mut self) -> Result<&mut PuzzleHistory, ApiError> {
        self.lent.push(Exclusive::History);
        Ok(&mut self.history)
    }

    fn settings(&mut self) -> Result<&mut Settings, ApiError> {
        self.lent.push(Exclusive::Settings);
        Ok(&mut self.settings)
    }

    fn solver(&mut self, position: &Position) -> Result<Solver, SolveError> {
        self.lent.push(Exclusive::Solver);
        let tables = TableChoice::Seeds(0);
        Solver::new(position, SolverSettings::default().tables(tables).hash(1 << 20))
    }

    fn played_from(&self, _: &Position) -> Vec<(Pit, u32)> {
        vec![(Pit::new(2), 2), (Pit::new(2), 1)]
    }

    fn stop(&self) -> &Flag {
        &self.stop
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn send(&mut self, event: &'static str, json: String) {
        if self.stop_at == Some(self.events.len()) {
            self.stop.raise();
        }
        self.events.push((event, json));
    }
}
