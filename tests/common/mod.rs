//! What several tests share: reading the tables under `tests/data`, and folders.

use tempfile::TempDir;

/// A folder in memory, where there is one: for tests that sync or rewrite files thousands
/// of times.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The rows of a tab-separated table, its header left out.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}
