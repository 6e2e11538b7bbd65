//! Work shared out among threads, an item at a time.

use std::sync::Mutex;

/// Does `work` on every item, on up to `threads` threads, the caller's own
/// included; items are taken in their order.
pub(super) fn share_out<T: Send>(
    threads: usize,
    items: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let helpers = threads.min(items.len()).saturating_sub(1);
    let items = Mutex::new(items);
    // The lock is held for the taking only.
    let next = || items.lock().expect("no item's taking panics").next();
    let work_on = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(work_on);
        }
        work_on();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_item_is_worked_on_once() {
        for threads in [1, 2, 5] {
            let done: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            share_out(threads, done.iter(), |count| {
                count.fetch_add(1, Ordering::Relaxed);
            });
            assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        }
    }
}
