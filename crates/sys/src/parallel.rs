//! Starting threads, and independent pieces of work on several of them.

use std::io;
use std::sync::Mutex;
use std::thread::{Builder, JoinHandle};

use thiserror::Error;

use crate::stop::{Flag, Stopped};

/// The system refuses to start a thread.
#[derive(Debug, Error)]
#[error(
    "cannot start a thread ({0}): the limit on processes ('ulimit -u') or on address space \
     ('ulimit -v') may be too low"
)]
pub struct ThreadError(io::Error);

impl ThreadError {
    /// This error as one of an operation that also reads and writes, for `map_err`.
    pub fn from_start(error: io::Error) -> io::Error {
        io::Error::new(error.kind(), Self(error))
    }
}

/// Starts a thread with this name.
///
/// # Errors
/// [`ThreadError`], wrapped, if the system refuses one.
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new().name(name.to_owned()).spawn(work).map_err(ThreadError::from_start)
}

/// Calls `work` on every item, on up to `threads` threads, the caller's own
/// included; items are taken in their order.
pub fn for_each<T: Send>(
    threads: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    // The calling thread works, too.
    let helpers = threads.min(items.len()).saturating_sub(1);
    let items = Mutex::new(items);
    // The lock is held only while an item is taken.
    let next = || items.lock().expect("taking an item does not panic").next();
    let work_through = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        // If the system refuses a thread, those already running do all the work.
        for _ in 0..helpers {
            if Builder::new().spawn_scoped(scope, work_through).is_err() {
                break;
            }
        }
        work_through();
    });
}

/// Like [`for_each`], but skips the remaining items once `stop` is raised.
///
/// # Errors
/// [`Stopped`] if items were skipped.
pub fn for_each_unless<T: Send>(
    stop: &Flag,
    threads: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) -> Result<(), Stopped> {
    let skipped = Flag::default();
    for_each(threads, items, |item| {
        if stop.is_raised() {
            skipped.raise();
        } else {
            work(item);
        }
    });
    if skipped.is_raised() { Err(Stopped) } else { Ok(()) }
}

/// The results of `work` on each item, in the items' order, whatever the number
/// of `threads`. `done` is called after each item, from any thread.
pub fn map<T: Sync, U: Send>(
    items: &[T],
    threads: usize,
    done: &(dyn Fn() + Sync),
    work: impl Fn(&T) -> U + Sync,
) -> Vec<U> {
    let mut results = Vec::new();
    results.resize_with(items.len(), || None);
    for_each(threads, items.iter().zip(&mut results), |(item, result)| {
        *result = Some(work(item));
        done();
    });
    results.into_iter().flatten().collect()
}
