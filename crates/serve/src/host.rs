//! Hosts the page: gives each of its requests what it needs, one request at a time where only
//! one can use it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::to_bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream, StreamExt};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::settings::Settings;
use kalah_engine::endgame::{Extent, Tables, folder};
use kalah_engine::solve::{SolveError, Solver, SolverSettings, TableChoice};
use kalah_game::{Pit, Position};
use kalah_page::{
    Answer, ApiError, Exclusive, PageHost, REQUESTS, Request, RequestMethod, SavedPlace, respond,
};
use kalah_play::seat::Seat;
use kalah_record::Game;
use kalah_sys::machine::processors;
use kalah_sys::stop::Flag;

use crate::guard::MAX_BODY;
use crate::job::{self, RaisedOnDrop};
use crate::refusal::Refusal;
use crate::state::{Ending, MAX_WAIT, ServerState, json_response};
use crate::{saved, served};

/// How long a request waits for the solver of the previous request, which stops when its client
/// leaves.
const MAX_SOLVER_WAIT: Duration = Duration::from_secs(1);

/// The maximum number of events on their way to a client.
const MAX_EVENTS: usize = 64;

/// Bytes of the solver's transposition table.
const SOLVER_HASH: usize = 128 << 20;

/// Positions with fewer seeds in play are solved faster than tables can be built.
const WORTH_TABLES: u32 = 20;

/// The size of the endgame tables to build, in seeds in play on a board with 6 pits. Building
/// them takes a moment. The user's cache may have larger tables.
const TABLE_SEEDS: u32 = 16;

/// Answers a request from the page.
pub(crate) async fn answer(
    State(state): State<Arc<ServerState>>,
    request: axum::extract::Request,
) -> Result<Response, Refusal> {
    let request = page_request(request).await?;
    if served::has_path(&request) {
        return served::respond(&state, request).await;
    }
    let mut host = RequestHost::new(Arc::clone(&state));
    match request.kind(&REQUESTS)?.0.exclusive {
        Some(Exclusive::Solver) => return solve(&state, request, host).await,
        Some(Exclusive::History) => {
            // Another program may have locked the file. Only one request waits for that lock in
            // a thread; the others wait here and take no permit for work.
            let history = timeout(MAX_WAIT, Arc::clone(&state.history).lock_owned()).await;
            host.history = Some(history.map_err(|_| ApiError::busy())?);
        }
        Some(Exclusive::Settings) => {
            host.settings = Some(Arc::clone(&state.settings).lock_owned().await);
        }
        Some(Exclusive::Judge) => return run(&state, &state.judging, request, host).await,
        None => (),
    }
    run(&state, &state.jobs, request, host).await
}

/// A request as the page understands it.
async fn page_request(request: axum::extract::Request) -> Result<Request, Refusal> {
    let (head, body) = request.into_parts();
    // The guard has received the body and bounded its size.
    let bytes = to_bytes(body, MAX_BODY)
        .await
        .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, error))?;
    let body = String::from_utf8(bytes.to_vec())
        .map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, format!("the body: {error}")))?;
    Ok(Request {
        method: RequestMethod::from_name(head.method.as_str()),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body,
    })
}

async fn run(
    state: &ServerState,
    permits: &Arc<Semaphore>,
    request: Request,
    mut host: RequestHost,
) -> Result<Response, Refusal> {
    let work = move |flag: &Flag| {
        host.stop = flag.clone();
        match respond(&request, &mut host)? {
            Answer::Json(text) => Ok(text),
            Answer::Events => Err(ApiError::failed("no client is left to send events to")),
        }
    };
    Ok(json_response(state.run(permits, work).await?))
}

/// Answers a request with events as they come.
async fn solve(
    state: &ServerState,
    request: Request,
    mut host: RequestHost,
) -> Result<Response, Refusal> {
    let permit = timeout(MAX_SOLVER_WAIT, Arc::clone(&state.solving).acquire_owned()).await;
    let Ok(Ok(permit)) = permit else { return Err(ApiError::busy().into()) };
    let (events, mut received) = mpsc::channel(MAX_EVENTS);
    let raised = RaisedOnDrop::default();
    (host.events, host.stop) = (Some(events), raised.0.clone());
    let answered = job::start(move || {
        let answer = respond(&request, &mut host);
        // Released only now: after its client has left, a proof still runs until it polls the flag.
        drop(permit);
        answer
    })?;
    if let Some(first) = received.recv().await {
        let rest = remaining(received, raised, state.ending.clone());
        return Ok(Sse::new(stream::iter([Ok(first)]).chain(rest)).into_response());
    }
    // An error is answered as such if it comes before the first event.
    let error = answered.await.ok().and_then(Result::err);
    Err(error.unwrap_or_else(|| ApiError::failed("the work on this request failed")).into())
}

/// The events that follow the first, until the end of the work or of the server. Dropping the
/// stream, because the client has left, stops the work.
fn remaining(
    received: Receiver<Event>,
    raised: RaisedOnDrop,
    ending: Ending,
) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((received, raised, ending), |(mut received, raised, ending)| async move {
        let event = tokio::select! {
            event = received.recv() => event?,
            () = ending.wait() => return None,
        };
        Some((Ok(event), (received, raised, ending)))
    })
}

/// The host of one request, with what only this one uses at the moment.
struct RequestHost {
    state: Arc<ServerState>,
    judge: Option<Judge>,
    replying: Option<OwnedSemaphorePermit>,
    history: Option<OwnedMutexGuard<Option<PuzzleHistory>>>,
    settings: Option<OwnedMutexGuard<Settings>>,
    events: Option<Sender<Event>>,
    stop: Flag,
    started: Instant,
}

impl RequestHost {
    fn new(state: Arc<ServerState>) -> Self {
        let stop = Flag::default();
        let started = Instant::now();
        Self {
            state,
            judge: None,
            replying: None,
            history: None,
            settings: None,
            events: None,
            stop,
            started,
        }
    }
}

impl Drop for RequestHost {
    fn drop(&mut self) {
        if let Some(judge) = self.judge.take() {
            self.state.take_back(judge);
        }
    }
}

/// The error of a request that uses what the table does not name.
fn not_acquired() -> ApiError {
    ApiError::failed("a resource that this request needs is unavailable")
}

impl PageHost for RequestHost {
    fn judge(&mut self, seat: Seat) -> Result<&mut Judge, ApiError> {
        if !seat.is_person() {
            let permit = Arc::clone(&self.state.replying).try_acquire_owned();
            self.replying = Some(permit.map_err(|_| ApiError::busy())?);
        }
        let judge = match self.judge.take() {
            Some(judge) => judge,
            None => self.state.lend_judge()?,
        };
        let judge = self.judge.insert(judge);
        seat.set_up(&mut judge.engine);
        Ok(judge)
    }

    fn saved_game(&mut self, name: &str) -> Result<(Game, String), ApiError> {
        saved::named(&self.state.content.saved_games(), name)
    }

    fn save_game(
        &mut self,
        name: &str,
        record: &Game,
        seen: Option<&str>,
    ) -> Result<SavedPlace, ApiError> {
        saved::save_as(self.state.content.saved_games(), name, record, seen)
    }

    fn history(&mut self) -> Result<&mut PuzzleHistory, ApiError> {
        let history = self.history.as_mut().ok_or_else(not_acquired)?;
        let folder = self.state.content.games.as_deref();
        Ok(history.get_or_insert_with(|| PuzzleHistory::load(folder)))
    }

    fn settings(&mut self) -> Result<&mut Settings, ApiError> {
        Ok(self.settings.as_mut().ok_or_else(not_acquired)?)
    }

    fn solver(&mut self, position: &Position) -> Result<Solver, SolveError> {
        // The other half of the processors is left to the page's engine.
        let threads = processors().div_ceil(2);
        let tables = match position.in_play() {
            ..WORTH_TABLES => TableChoice::Seeds(0),
            _ => {
                let built = Extent::like_six_pits(position.variant(), TABLE_SEEDS);
                let cache = folder::cache();
                let (extent, unused) = folder::extent_in(cache.as_deref(), built);
                unused.iter().for_each(|unused| log::warn!("{unused}"));
                let tables = Tables::read_or_build(cache.as_deref(), extent, threads, &|_| ())?;
                TableChoice::Given(Arc::new(tables))
            }
        };
        let settings = SolverSettings::default().threads(threads).hash(SOLVER_HASH).tables(tables);
        Solver::new(position, settings)
    }

    fn played_from(&self, position: &Position) -> Vec<(Pit, u32)> {
        self.state.content.collection.played_from(position)
    }

    fn stop(&self) -> &Flag {
        &self.stop
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn send(&mut self, event: &'static str, json: String) {
        let Some(events) = &self.events else { return };
        // Fails if the client has left; the flag is then raised, too.
        let _ = events.blocking_send(Event::default().event(event).data(json));
    }
}
