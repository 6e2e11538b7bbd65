//! Doing many independent pieces of work on all threads, and their time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The results of `work` on each item, in the items' order, whatever the number
/// of `threads` (at least one is used). `done` is called after each item, from
/// any thread.
pub fn in_parallel<T: Sync, U: Send>(
    items: &[T],
    threads: usize,
    done: &(dyn Fn() + Sync),
    work: impl Fn(&T) -> U + Sync,
) -> Vec<U> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some((index, item)) = take(items, &next) {
                    let result = work(item);
                    results
                        .lock()
                        .unwrap_or_else(|poison| poison.into_inner())
                        .push((index, result));
                    done();
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|poison| poison.into_inner());
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Relaxed);
    items.get(index).map(|item| (index, item))
}

/// Processor time that the calling thread has used; where the system cannot
/// tell, the time that has passed.
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_at_any_number_of_threads() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<u64> = items.iter().map(|item| item * item).collect();
        for threads in [0, 1, 3, 200] {
            let calls = AtomicUsize::new(0);
            let done = || {
                calls.fetch_add(1, Relaxed);
            };
            assert_eq!(in_parallel(&items, threads, &done, |item| item * item), squares);
            assert_eq!(calls.into_inner(), 100);
        }
        assert!(in_parallel(&[] as &[u64], 2, &|| (), |item| *item).is_empty());
    }
}
