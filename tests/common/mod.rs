//! What several tests share: reading the tables under `tests/data`, folders, and streams.

#![allow(dead_code, reason = "no test binary uses all of it")]

use std::io::{self, ErrorKind, Read, Write};

use tempfile::TempDir;

/// A stream that continues when the process is suspended and resumed while it waits: on a socket
/// with a timeout, Linux then fails with EINTR, which most readers mistake for the end.
#[derive(Debug)]
pub(crate) struct Uninterrupted<S>(pub(crate) S);

fn retried<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::Interrupted => (),
            done => return done,
        }
    }
}

impl<S: Read> Read for Uninterrupted<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        retried(|| self.0.read(buffer))
    }
}

impl<S: Write> Write for Uninterrupted<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retried(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        retried(|| self.0.flush())
    }
}

/// A folder in memory, where available, for tests that sync or rewrite files thousands of
/// times.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// The rows of a tab-separated table, its header left out.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}
