//! A host in this process, with little memory.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::settings::Settings;
use kalah_engine::Engine;
use kalah_engine::search::Stopper;
use kalah_engine::solve::{SolveError, Solver, SolverSettings, TableChoice};
use kalah_game::{Pit, Position};
use kalah_page::{
    Answer, ApiError, Exclusive, PageHost, Request, RequestMethod, SavedPlace, respond,
};
use kalah_play::seat::Seat;
use kalah_record::Game;
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
    /// The versions of saved games.
    pub(crate) saved: BTreeMap<String, Vec<Game>>,
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
            saved: BTreeMap::new(),
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
    fn judge(&mut self, seat: Seat) -> Result<&mut Judge, ApiError> {
        self.lent.push(Exclusive::Judge);
        seat.set_up(&mut self.judge.engine);
        Ok(&mut self.judge)
    }

    fn saved_game(&mut self, name: &str) -> Result<(Game, String), ApiError> {
        let versions = self.saved.get(name).ok_or_else(|| ApiError::not_found(name))?;
        let latest = versions.last().ok_or_else(|| ApiError::not_found(name))?;
        Ok((latest.clone(), versions.len().to_string()))
    }

    /// The version of a game is the number of its saves.
    fn save_game(
        &mut self,
        name: &str,
        record: &Game,
        seen: Option<&str>,
    ) -> Result<SavedPlace, ApiError> {
        let versions = self.saved.entry(name.to_owned()).or_default();
        let seen: usize = seen.map_or(0, |seen| seen.parse().unwrap());
        if seen != versions.len() {
            return Err(ApiError::new(409, name));
        }
        versions.push(record.clone());
        let version = Some(versions.len().to_string());
        Ok(SavedPlace { name: Some(name.to_owned()), version, fault: None })
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
