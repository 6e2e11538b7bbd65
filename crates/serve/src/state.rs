//! What all requests share: the files and folders served, the bound on parallel work, and
//! shutdown.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::timeout;

use crate::collection::{Collection, FollowedMatch};
use crate::job::{self, RaisedOnDrop};
use kalah_coach::history::PuzzleHistory;
use kalah_coach::judge::Judge;
use kalah_coach::settings::Settings;
use kalah_engine::Engine;
use kalah_engine::search::Stopper;
use kalah_page::ApiError;
use kalah_play::saved::SavedGames;
use kalah_sys::stop::Flag;

/// The maximum number of requests whose work runs at the same time.
const MAX_JOBS: usize = 4;

/// The maximum number of games in which an engine thinks at the same time.
const MAX_REPLIES: usize = 8;

/// The maximum number of requests that may use an engine at the same time. Replies, which take long,
/// leave room for the others.
const MAX_JUDGES: usize = MAX_REPLIES + 2;

/// The maximum number of engines that are kept for later requests.
const MAX_IDLE: usize = 2;

/// The maximum number of protocol sessions at the same time.
pub(crate) const MAX_SESSIONS: u32 = 8;

/// How long a request waits for its work to begin before it is refused.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(10);

/// The files and folders to serve.
#[derive(Debug)]
pub struct ServedContent {
    /// The matches and files of games.
    pub collection: Arc<Collection>,
    /// The folder of saved games; none if games are not saved.
    pub games: Option<PathBuf>,
}

/// What the answer to a request about files needs.
pub(crate) struct ServedHost {
    pub(crate) content: Arc<ServedContent>,
    /// The match whose changes the answer announces.
    pub(crate) watched: Option<Arc<FollowedMatch>>,
}

impl ServedContent {
    /// The saved games; each request has its own value, which remembers the file of a game.
    pub(crate) fn saved_games(&self) -> SavedGames {
        SavedGames::new(self.games.clone())
    }
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct ServerState {
    pub(crate) content: Arc<ServedContent>,
    pub(crate) ending: Ending,
    /// The prototype of all other engines.
    pub(crate) engine: Engine,
    /// The history of exercises, opened by the first request for it: a server that only shows
    /// boards creates no file.
    pub(crate) history: Arc<Mutex<Option<PuzzleHistory>>>,
    /// The player's settings.
    pub(crate) settings: Arc<Mutex<Settings>>,
    /// The permit for the only solver.
    pub(crate) solving: Arc<Semaphore>,
    /// Permits for requests that may use an engine.
    pub(crate) judging: Arc<Semaphore>,
    /// Permits for engines that think in a game.
    pub(crate) replying: Arc<Semaphore>,
    /// Permits for other requests.
    pub(crate) jobs: Arc<Semaphore>,
    /// The engines that no request uses.
    idle: std::sync::Mutex<Vec<Judge>>,
    sessions: Arc<Semaphore>,
}

impl ServerState {
    pub(crate) fn new(content: ServedContent, engine: Engine) -> Self {
        let settings = Settings::new(content.games.as_deref());
        Self {
            content: Arc::new(content),
            ending: Ending::default(),
            engine,
            history: Arc::default(),
            settings: Arc::new(Mutex::new(settings)),
            solving: Arc::new(Semaphore::new(1)),
            judging: Arc::new(Semaphore::new(MAX_JUDGES)),
            replying: Arc::new(Semaphore::new(MAX_REPLIES)),
            jobs: Arc::new(Semaphore::new(MAX_JOBS)),
            idle: std::sync::Mutex::default(),
            sessions: Arc::new(Semaphore::new(MAX_SESSIONS as usize)),
        }
    }

    /// An engine for one request.
    ///
    /// # Errors
    /// [`ApiError`] if there is no memory for it.
    pub(crate) fn lend_judge(&self) -> Result<Judge, ApiError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(judge) = idle {
            return Ok(judge);
        }
        let mut engine = self.engine.sibling().map_err(ApiError::failed)?;
        // A sibling has the seed of its prototype, so all would make the same mistakes.
        engine.set_seed(rand::random());
        Ok(Judge { engine, stopper: Stopper::new() })
    }

    /// Keeps an engine for later requests, unless there are enough.
    pub(crate) fn take_back(&self, judge: Judge) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(judge);
        }
    }

    /// A permit for one more session, unless there are too many.
    pub(crate) fn admit_session(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.sessions).try_acquire_owned().ok()
    }

    /// Waits up to a second for all sessions to end.
    pub(crate) async fn sessions_end(&self) {
        let ended = self.sessions.acquire_many(MAX_SESSIONS);
        let _ = timeout(Duration::from_secs(1), ended).await;
    }

    /// Runs blocking work outside the thread that serves connections, with one of the `permits`. Its
    /// flag is raised when the client has left or the server shuts down, so that long work can stop.
    ///
    /// # Errors
    /// An error from the work, or [`ApiError::busy`] if too much other work is running or the
    /// system refuses a thread.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        permits: &Arc<Semaphore>,
        work: impl FnOnce(&Flag) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = timeout(MAX_WAIT, Arc::clone(permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else { return Err(ApiError::busy()) };
        let raised = RaisedOnDrop::default();
        let flag = raised.0.clone();
        // The permit moves into the work, which keeps running if the client leaves and this
        // future is dropped.
        let mut result = job::start(move || {
            let done = work(&flag);
            drop(permit);
            done
        })?;
        // Biased: a result that is ready counts, even if the server is shutting down.
        let result = tokio::select! {
            biased;
            result = &mut result => result,
            () = self.ending.wait() => {
                raised.0.raise();
                result.await
            }
        };
        result.unwrap_or_else(|_| Err(ApiError::failed("the work on this request failed")))
    }
}

/// The text of a document as a response.
pub(crate) fn json_response(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

/// The signal to shut down; all clones share it.
#[derive(Clone, Debug, Default)]
pub struct Ending(Arc<watch::Sender<bool>>);

impl Ending {
    /// Begins shutdown; returns whether it had begun before.
    pub fn begin(&self) -> bool {
        self.0.send_replace(true)
    }

    /// Waits until shutdown begins.
    pub(crate) async fn wait(&self) {
        // This cannot fail: the sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(|&ending| ending).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn state() -> ServerState {
        let collection = Arc::new(Collection::open(&[]).unwrap());
        let content = ServedContent { collection, games: None };
        ServerState::new(content, Engine::without_tables(1).unwrap())
    }

    /// Work that ends once its flag is raised, and then sends a message.
    fn work(done: mpsc::Sender<()>) -> impl FnOnce(&Flag) -> Result<(), ApiError> {
        move |flag| {
            while !flag.is_raised() {
                std::thread::yield_now();
            }
            done.send(()).map_err(ApiError::failed)
        }
    }

    #[tokio::test]
    async fn work_stops_when_its_client_leaves() {
        let (state, (done, stopped)) = (state(), mpsc::channel());
        // Dropping the future is how a connection that was lost cancels a request.
        let left = timeout(Duration::from_millis(10), state.run(&state.jobs, work(done))).await;
        assert!(left.is_err());
        stopped.recv().unwrap();
    }

    #[tokio::test]
    async fn work_stops_when_the_server_shuts_down() {
        let (state, (done, _stopped)) = (state(), mpsc::channel());
        let ending = state.ending.clone();
        let (answer, ()) = tokio::join!(state.run(&state.jobs, work(done)), async {
            ending.begin();
        });
        assert_eq!(answer, Ok(()));
    }

    #[tokio::test]
    async fn work_that_panics_is_a_failure() {
        let state = state();
        let answer = state.run::<()>(&state.jobs, |_| panic!("as it should")).await;
        assert_eq!(answer.unwrap_err().status(), 500);
    }
}
