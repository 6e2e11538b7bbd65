//! What the tests of several crates share: tables of `tests/data`, and folders.
//!
//! Only tests depend on this crate, which depends on none of the others.

use tempfile::TempDir;

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
