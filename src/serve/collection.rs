//! The files of the command line: matches, which are followed while they are played, and
//! files of games.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::text;
use crate::arena::MatchError;
use crate::arena::follower::Follower;
use crate::arena::ledger;
use crate::game::{Capture, Pit, Position};
use crate::record::{Course, Game};
use crate::sys::files::{self, AccessError};
use crate::sys::foreign::Foreign;

/// How often the files of matches are looked at while a page watches.
const INTERVAL: Duration = Duration::from_secs(1);

/// Pages that watch at the same time.
pub(super) const MAX_WATCHING: usize = 32;

/// Error of a file of the command line.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error("{}: {}", .0.display(), .1)]
    Games(PathBuf, String),
}

/// The files, in the order of the command line.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(super) matches: Vec<Arc<Match>>,
    pub(super) files: Vec<File>,
    watching: Arc<Semaphore>,
}

/// A file of games.
#[derive(Debug)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) games: Vec<Game>,
    courses: Vec<Course>,
}

/// A match, perhaps still being played.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) name: String,
    follower: Mutex<Follower>,
    /// Counts what happened in the file.
    changes: watch::Sender<u64>,
}

impl Collection {
    /// Reads all files.
    ///
    /// # Errors
    /// [`FileError`] for the first file that is neither a match nor has games.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, FileError> {
        let (mut matches, mut files) = (Vec::new(), Vec::new());
        for path in paths {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let name = Foreign(&name).to_string();
            if ledger::is_match(path)? {
                let (changes, _) = watch::channel(0);
                let follower = Mutex::new(Follower::open(path)?);
                matches.push(Arc::new(Match { name, follower, changes }));
            } else {
                let games = text::games(&files::read_text(path)?, Capture::Standard, &mut |_| true);
                let games = games.map_err(|error| FileError::Games(path.clone(), error))?;
                let courses = games.iter().filter_map(Course::of).collect();
                files.push(File { name, games, courses });
            }
        }
        Ok(Self { matches, files, watching: Arc::new(Semaphore::new(MAX_WATCHING)) })
    }

    /// Looks for changes of the matches that pages watch, as long as the server runs.
    pub(super) fn follow(&self) {
        for one in &self.matches {
            let one = Arc::clone(one);
            tokio::spawn(async move {
                loop {
                    sleep(INTERVAL).await;
                    if one.changes.receiver_count() > 0 {
                        let one = Arc::clone(&one);
                        // A panic is in the log; the next look may succeed.
                        let _ = spawn_blocking(move || drop(one.follower())).await;
                    }
                }
            });
        }
    }

    /// A place for one more page that watches, unless there are too many.
    pub(super) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.watching).try_acquire_owned().ok()
    }

    /// The moves that were made from a position in the finished games of all files: one item a
    /// game, with the half points that the player got in the end.
    pub(super) fn played_from(&self, position: &Position) -> Vec<(Pit, u32)> {
        let courses = self.files.iter().flat_map(|file| &file.courses);
        let mut played: Vec<_> =
            courses.filter_map(|course| course.played_from(position)).collect();
        for one in &self.matches {
            let follower = one.follower();
            played.extend(follower.courses().filter_map(|course| course.played_from(position)));
        }
        played
    }
}

impl Match {
    /// The match as it is now. Reads what is new in its file.
    pub(super) fn follower(&self) -> MutexGuard<'_, Follower> {
        // Its state is whole between any two steps.
        let mut follower = self.follower.lock().unwrap_or_else(PoisonError::into_inner);
        if follower.update() {
            self.changes.send_modify(|count| *count += 1);
        }
        follower
    }

    /// Counts what happened in the file.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The count of [`Match::changes`] now.
    pub(super) fn version(&self) -> u64 {
        *self.changes.borrow()
    }
}
