//! The files named on the command line: matches, which are followed while they are played, and
//! files of games.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;

use crate::job;
use kalah_arena::follower::MatchFollower;
use kalah_arena::{MatchError, file};
use kalah_game::{Pit, Position};
use kalah_record::{Game, TextError};
use kalah_sys::files::AccessError;
use kalah_text::foreign::Foreign;

/// How often match files are polled while a page watches.
const INTERVAL: Duration = Duration::from_secs(1);

/// The maximum number of pages that watch at the same time.
pub(crate) const MAX_WATCHING: usize = 32;

/// Error in a file named on the command line.
#[derive(Debug, Error)]
pub enum CollectionError {
    /// The file cannot be read.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The file of a match is wrong.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The file is not that of a match, and its games are wrong.
    #[error(transparent)]
    Games(#[from] TextError),
}

/// The files, in the order of the command line.
#[derive(Debug)]
pub struct Collection {
    pub(crate) matches: Vec<Arc<FollowedMatch>>,
    pub(crate) files: Vec<GamesFile>,
    watching: Arc<Semaphore>,
}

/// A file of games.
#[derive(Debug)]
pub(crate) struct GamesFile {
    pub(crate) name: String,
    pub(crate) games: Vec<Game>,
}

/// A match, perhaps still being played.
#[derive(Debug)]
pub(crate) struct FollowedMatch {
    pub(crate) name: String,
    follower: Mutex<MatchFollower>,
    /// Counts the changes to the file.
    changes: watch::Sender<u64>,
}

impl Collection {
    /// Reads all files.
    ///
    /// # Errors
    /// [`CollectionError`] for the first file that is neither a match nor has games.
    pub fn open(paths: &[PathBuf]) -> Result<Self, CollectionError> {
        let mut matches = Vec::new();
        let mut files = Vec::new();
        for path in paths {
            let file_name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let name = Foreign(&file_name).to_string();
            if file::is_match(path)? {
                let (changes, _) = watch::channel(0);
                let follower = Mutex::new(MatchFollower::open(path)?);
                matches.push(Arc::new(FollowedMatch { name, follower, changes }));
            } else {
                let (_, games) = kalah_record::file::read(path)?;
                files.push(GamesFile { name, games });
            }
        }
        Ok(Self { matches, files, watching: Arc::new(Semaphore::new(MAX_WATCHING)) })
    }

    /// Polls for changes to the matches that pages watch, for as long as the server runs.
    pub(crate) fn follow(&self) {
        for one in &self.matches {
            let one = Arc::clone(one);
            tokio::spawn(async move {
                loop {
                    sleep(INTERVAL).await;
                    // A match without watchers is not polled: every request reads what is new
                    // anyway.
                    if one.changes.receiver_count() > 0 {
                        let one = Arc::clone(&one);
                        // A panic or a lack of threads has been logged; the next poll may succeed.
                        if let Ok(read) = job::start(move || drop(one.follower())) {
                            let _ = read.await;
                        }
                    }
                }
            });
        }
    }

    /// A permit for one more page to watch, unless there are too many.
    pub(crate) fn place(&self) -> Option<OwnedSemaphorePermit> {
        // Refused instead of queued: a page keeps its permit for as long as it watches.
        Arc::clone(&self.watching).try_acquire_owned().ok()
    }

    /// The moves made from a position in the finished games of all files: one item per game,
    /// with the half points that the player scored.
    pub(crate) fn played_from(&self, position: &Position) -> Vec<(Pit, u32)> {
        let games = self.files.iter().flat_map(|file| &file.games);
        let mut played: Vec<_> = games.filter_map(|game| game.played_from(position)).collect();
        for one in &self.matches {
            played.extend(one.follower().played_from(position));
        }
        played
    }
}

impl FollowedMatch {
    /// The match as it is now. Reads what is new in its file.
    pub(crate) fn follower(&self) -> MutexGuard<'_, MatchFollower> {
        // A panic does no harm: the state is consistent between any two steps.
        let mut follower = self.follower.lock().unwrap_or_else(PoisonError::into_inner);
        if follower.update() {
            self.changes.send_modify(|count| *count += 1);
        }
        follower
    }

    /// A receiver that is notified of each change to the file and gets the number of changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
