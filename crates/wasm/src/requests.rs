//! Hosts the requests from the page, one at a time. Their resources are created on first use and
//! kept for later requests.

use std::sync::Arc;
use std::time::Duration;

use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::settings::Settings;
use kalah_engine::Engine;
use kalah_engine::endgame::{Extent, Tables};
use kalah_engine::search::Stopper;
use kalah_engine::solve::{SolveError, Solver, SolverSettings, TableChoice};
use kalah_game::{Pit, Position};
use kalah_page::{Answer, ApiError, PageHost, Request, RequestMethod, SavedPlace, respond};
use kalah_play::seat::Seat;
use kalah_record::Game;
use kalah_sys::clock::Instant;
use kalah_sys::random::fresh_seed;
use kalah_sys::stop::Flag;

use crate::worker_session::TABLE_SEEDS;

// With more memory for judgements and proofs, the page would take more than 200 MB while it
// analyses, gives a hint and proves margins.

/// The size of the transposition table for moves, hints and judgements in MiB.
const JUDGE_HASH: usize = 8;

/// The size of the solver's transposition table in MiB.
const SOLVER_HASH: usize = 8;

/// A part of the answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageReply<'a> {
    /// The answer, which comes last: the status of HTTP, and a JSON document or an error.
    Answer(u16, &'a str),
    /// An event by its name, with its JSON.
    Event(&'a str, &'a str),
    /// A line of the history of puzzles, for the page to keep.
    History(&'a str),
}

/// What requests share.
#[derive(Debug)]
pub struct RequestHost {
    judge: Option<Judge>,
    history: PuzzleHistory,
    /// Not in use: the page's own storage keeps the settings.
    settings: Settings,
}

impl RequestHost {
    /// A host that knows the lines of the history that the page has kept.
    pub fn with_history(lines: &str) -> Self {
        let history = PuzzleHistory::from_lines(lines.lines());
        Self { judge: None, history, settings: Settings::default() }
    }

    /// Answers a request like `POST /api/new`, followed by its body in further lines.
    pub fn answer(&mut self, text: &str, reply: &mut dyn FnMut(PageReply<'_>)) {
        let started = Instant::now();
        let mut host = RequestScope { shared: self, stop: Flag::default(), started, reply };
        let answer = respond(&request(text), &mut host);
        self.history.take_lines().iter().for_each(|line| reply(PageReply::History(line)));
        match answer {
            Ok(Answer::Json(text)) => reply(PageReply::Answer(200, &text)),
            Ok(Answer::Events) => reply(PageReply::Answer(200, "{}")),
            Err(error) => reply(PageReply::Answer(error.status(), &error.to_json())),
        }
    }
}

fn request(text: &str) -> Request {
    let (head, body) = text.split_once('\n').unwrap_or((text, ""));
    let (method, place) = head.split_once(' ').unwrap_or(("", head));
    let (path, query) = place.split_once('?').unwrap_or((place, ""));
    Request {
        method: RequestMethod::from_name(method),
        path: path.to_owned(),
        query: query.to_owned(),
        body: body.to_owned(),
    }
}

/// The error of a request that names a file: the page's own storage keeps the games.
fn no_files() -> ApiError {
    ApiError::failed("there are no files here")
}

/// The host of one request.
struct RequestScope<'a> {
    shared: &'a mut RequestHost,
    stop: Flag,
    started: Instant,
    reply: &'a mut dyn FnMut(PageReply<'_>),
}

impl PageHost for RequestScope<'_> {
    fn judge(&mut self, seat: Seat) -> Result<&mut Judge, ApiError> {
        let judge = &mut self.shared.judge;
        if judge.is_none() {
            // With the small endgame tables of a new engine: larger ones would delay the first
            // hint.
            let mut engine = Engine::with_hash(JUDGE_HASH).map_err(ApiError::failed)?;
            engine.set_seed(fresh_seed());
            *judge = Some(Judge { engine, stopper: Stopper::new() });
        }
        let judge = judge.as_mut().ok_or_else(|| ApiError::failed("there is no engine"))?;
        // In place of an algorithm, the engine itself plays: the lab is not worth its bytes here.
        judge.engine.settings_mut().skill = seat.skill();
        Ok(judge)
    }

    fn saved_game(&mut self, _: &str) -> Result<(Game, String), ApiError> {
        Err(no_files())
    }

    fn save_game(&mut self, _: &str, _: &Game, _: Option<&str>) -> Result<SavedPlace, ApiError> {
        Err(no_files())
    }

    fn history(&mut self) -> Result<&mut PuzzleHistory, ApiError> {
        Ok(&mut self.shared.history)
    }

    fn settings(&mut self) -> Result<&mut Settings, ApiError> {
        Ok(&mut self.shared.settings)
    }

    fn solver(&mut self, position: &Position) -> Result<Solver, SolveError> {
        let extent = Extent::like_six_pits(position.variant(), TABLE_SEEDS);
        // Not kept: every proof has its own worker, whose end frees all of its memory.
        let tables = Tables::build_extent(extent, 1, &|_| ())?;
        let tables = TableChoice::Given(Arc::new(tables));
        let settings = SolverSettings::default().hash(SOLVER_HASH << 20).tables(tables);
        Solver::new(position, settings)
    }

    fn played_from(&self, _: &Position) -> Vec<(Pit, u32)> {
        Vec::new()
    }

    fn stop(&self) -> &Flag {
        &self.stop
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn send(&mut self, event: &'static str, json: String) {
        (self.reply)(PageReply::Event(event, &json));
    }
}
