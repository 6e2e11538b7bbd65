//! How late the system wakes a sleeping thread: on an overloaded machine, a player can lose on
//! time through no fault of its own.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the measuring thread sleeps at a time.
const PERIOD: Duration = Duration::from_millis(5);

/// The longest delay since each worker's game began, measured by one thread.
#[derive(Debug)]
pub(crate) struct WakeupMonitor(Mutex<Wakeups>);

#[derive(Debug)]
struct Wakeups {
    /// When the measuring thread was last awake.
    awake: Instant,
    /// By worker.
    longest: Vec<Duration>,
}

impl WakeupMonitor {
    fn new(workers: usize) -> Self {
        let longest = vec![Duration::ZERO; workers];
        Self(Mutex::new(Wakeups { awake: Instant::now(), longest }))
    }

    /// Starts a thread that measures until the monitor is dropped.
    pub(crate) fn start(workers: usize) -> Arc<Self> {
        let monitor = Arc::new(Self::new(workers));
        // The thread holds a weak reference, so that it ends with the match.
        let measured = Arc::downgrade(&monitor);
        let thread = thread::Builder::new().name("wakeups".to_owned());
        let started = thread.spawn(move || {
            while let Some(monitor) = measured.upgrade() {
                monitor.note(Instant::now());
                drop(monitor);
                thread::sleep(PERIOD);
            }
        });
        if let Err(error) = started {
            log::warn!("cannot measure the delays of the system: {error}");
        }
        monitor
    }

    fn lock(&self) -> MutexGuard<'_, Wakeups> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the measuring thread is awake.
    fn note(&self, now: Instant) {
        let mut state = self.lock();
        let late = now.saturating_duration_since(state.awake).saturating_sub(PERIOD);
        state.awake = now;
        state.longest.iter_mut().for_each(|longest| *longest = late.max(*longest));
    }
}

/// A monitor from the point of view of one worker, by its number.
pub(crate) struct WorkerWakeups<'a>(pub &'a WakeupMonitor, pub usize);

impl WorkerWakeups<'_> {
    /// A game of the worker begins.
    pub(crate) fn begin(&self) {
        self.0.lock().longest[self.1] = Duration::ZERO;
    }

    /// The longest delay since the worker's game began.
    pub(crate) fn longest(&self) -> Duration {
        let state = self.0.lock();
        // The measuring thread may itself be overdue at this moment.
        state.longest[self.1].max(state.awake.elapsed().saturating_sub(PERIOD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measuring thread wakes this late.
    fn wake_late(monitor: &WakeupMonitor, milliseconds: u64) {
        let slept_at = monitor.lock().awake;
        monitor.note(slept_at + PERIOD + Duration::from_millis(milliseconds));
    }

    #[test]
    fn a_delay_belongs_to_the_games_in_play() {
        let monitor = WakeupMonitor::new(2);
        wake_late(&monitor, 40);
        WorkerWakeups(&monitor, 1).begin();
        wake_late(&monitor, 7);
        assert_eq!(monitor.lock().longest, [40, 7].map(Duration::from_millis));
    }
}
