//! Helpers for the tests of several crates: the tables of `tests/data`, temporary folders, waiting,
//! and requests over HTTP.
//!
//! Only tests depend on this crate, which depends on none of the others.

pub mod http;

use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long tests wait for what must happen: a guard against hanging, not a measure of speed.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// Polls until there is a value, which it returns: what the test then checks is what it waited for.
#[track_caller]
pub fn wait_for<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "no {what} within {PATIENCE:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A folder in memory, where available, for tests that sync or rewrite files thousands of
/// times.
pub fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The rows of a tab-separated table, its header left out.
pub fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}
