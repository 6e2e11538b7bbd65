//! The machine as the system reports it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use kalah_sys::machine::{processors, queueing_times};

#[test]
fn threads_that_compete_for_a_processor_wait_for_it() {
    if !Path::new("/proc/self/task").exists() || !Path::new("/proc/self/schedstat").exists() {
        return;
    }
    let (is_over, started) = (AtomicBool::new(false), Instant::now());
    let waited = thread::scope(|scope| {
        for _ in 0..2 * processors() {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        // The limit only guards against waiting for ever.
        let mut waited = Duration::ZERO;
        while waited < Duration::from_millis(20) && started.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(5));
            waited = queueing_times(std::process::id()).into_values().max().unwrap_or_default();
        }
        is_over.store(true, Ordering::Relaxed);
        waited
    });
    assert!(waited >= Duration::from_millis(20), "{waited:?}");
}
