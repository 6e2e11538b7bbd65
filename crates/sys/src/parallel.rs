//! Independent pieces of work on several threads.

use std::{sync::Mutex, thread::Builder};

use crate::stop::{Flag, Stopped};

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
        // If the system refuses a thread, those that run do all the work.
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
