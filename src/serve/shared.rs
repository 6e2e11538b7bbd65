//! What all requests share: the files and folders served, the bound on parallel work, and
//! the end of the server.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::collection::Collection;
use super::error::ApiError;
use crate::play::history::PuzzleHistory;
use crate::play::judge::Judge;
use crate::sys::foreign::Foreign;
use crate::sys::stop::Flag;

/// Requests whose work runs at the same time.
const MAX_JOBS: usize = 4;

/// Requests for a judgement that are answered or wait.
const MAX_JUDGED: usize = 8;

/// Sessions of the protocol at the same time.
pub(super) const MAX_SESSIONS: u32 = 8;

/// How long a request waits for its work to begin before it is refused.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(10);

/// The files and folders to serve.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) collection: Arc<Collection>,
    /// The folder of saved games; none if games are not saved.
    pub(crate) games: Option<PathBuf>,
}

/// What all requests share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) content: Content,
    pub(super) ending: Ending,
    /// The history of puzzles, once it has been asked for.
    pub(super) history: Arc<Mutex<Option<PuzzleHistory>>>,
    /// The engine of hints and judgements, once it has been asked.
    pub(super) judge: Arc<Mutex<Option<Judge>>>,
    /// Places of the requests that wait for it.
    pub(super) judging: Semaphore,
    /// The place of the one solver.
    pub(super) solving: Arc<Semaphore>,
    jobs: Arc<Semaphore>,
    sessions: Arc<Semaphore>,
}

impl Shared {
    pub(super) fn new(content: Content) -> Self {
        let jobs = Arc::new(Semaphore::new(MAX_JOBS));
        Self {
            content,
            ending: Ending::default(),
            history: Arc::default(),
            judge: Arc::default(),
            judging: Semaphore::new(MAX_JUDGED),
            solving: Arc::new(Semaphore::new(1)),
            jobs,
            sessions: Arc::new(Semaphore::new(MAX_SESSIONS as usize)),
        }
    }

    /// Room for a session until the permit is dropped, if there is any.
    pub(super) fn admit_session(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.sessions).try_acquire_owned().ok()
    }

    /// Waits a moment for the end of all sessions.
    pub(super) async fn sessions_end(&self) {
        let ended = self.sessions.acquire_many(MAX_SESSIONS);
        let _ = timeout(Duration::from_secs(1), ended).await;
    }

    /// Runs work that blocks, beside the thread that serves connections. Its flag is raised
    /// when the client has left or the server ends, so that long work can stop.
    ///
    /// # Errors
    /// Those of the work, or [`ApiError::busy`] if too much other work is running.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Flag) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = timeout(MAX_WAIT, Arc::clone(&self.jobs).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else { return Err(ApiError::busy()) };
        let raised = RaisedOnDrop(Flag::default());
        let flag = raised.0.clone();
        // The work keeps its permit if the client leaves and this future is dropped.
        let work = spawn_blocking(move || {
            let done = work(&flag);
            drop(permit);
            done
        });
        work.await.unwrap_or_else(|_| Err(ApiError::failed("the work on this request failed")))
    }

    /// As [`Shared::run`], with the result as JSON.
    ///
    /// # Errors
    /// As [`Shared::run`].
    pub(super) async fn answer<T: Serialize>(
        &self,
        work: impl FnOnce(&Flag) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<Response, ApiError> {
        let answer = self.run(|flag| {
            let text = serde_json::to_string(&work(flag)?).map_err(ApiError::failed)?;
            // What JSON need not escape may still be obeyed by a terminal.
            Ok(Foreign(&text).to_string())
        });
        Ok(([(CONTENT_TYPE, "application/json")], answer.await?).into_response())
    }
}

/// Raises its flag when it is dropped.
struct RaisedOnDrop(Flag);

impl Drop for RaisedOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// The end of the server; clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ending(Arc<watch::Sender<bool>>);

impl Ending {
    /// Begins the end; returns whether it had begun before.
    pub(crate) fn begin(&self) -> bool {
        self.0.send_replace(true)
    }

    /// Returns when the end begins.
    pub(super) async fn wait(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(|&ending| ending).await;
    }
}
