//! How late the system wakes a sleeping thread: on an overloaded machine, a player can lose on
//! time through no fault of its own, and no clock should run while the process is suspended.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::parallel;

/// A thread that sleeps for a few milliseconds and wakes this late, or a program that was stopped
/// for this long, was suspended: by Ctrl-Z, SIGSTOP or a frozen virtual machine. Load alone causes
/// delays of a tenth of this.
pub const SUSPENSION: Duration = Duration::from_millis(500);

/// The longest delay since each worker's game began, measured by one thread.
#[derive(Debug)]
pub struct WakeupMonitor(Mutex<Wakeups>);

#[derive(Debug)]
struct Wakeups {
    /// How long the measuring thread sleeps at a time.
    period: Duration,
    /// The time in which the process was suspended.
    suspended: Duration,
    /// When the measuring thread was last awake.
    awake: Instant,
    /// By worker.
    longest: Vec<Duration>,
}

impl WakeupMonitor {
    fn new(workers: usize, period: Duration) -> Self {
        Self(Mutex::new(Wakeups {
            period,
            suspended: Duration::ZERO,
            awake: Instant::now(),
            longest: vec![Duration::ZERO; workers],
        }))
    }

    /// Starts a thread that measures until the monitor is dropped, and sleeps for `period` at a
    /// time.
    pub fn start(workers: usize, period: Duration) -> Arc<Self> {
        let monitor = Arc::new(Self::new(workers, period));
        // The thread holds a weak reference, so that it ends with the match.
        let measured = Arc::downgrade(&monitor);
        let started = parallel::start("wakeups", move || {
            while let Some(monitor) = measured.upgrade() {
                monitor.note(Instant::now());
                drop(monitor);
                thread::sleep(period);
            }
        });
        if let Err(error) = started {
            log::warn!("cannot measure system delays: {error}");
        }
        monitor
    }

    fn lock(&self) -> MutexGuard<'_, Wakeups> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the measuring thread is awake.
    fn note(&self, now: Instant) {
        let mut state = self.lock();
        let late = state.lateness(now);
        state.awake = now;
        state.suspended = state.suspended.saturating_add(suspension(late));
        state.longest.iter_mut().for_each(|longest| *longest = late.max(*longest));
    }
}

impl Wakeups {
    /// How late the measuring thread is if it has not been awake until `now`.
    fn lateness(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.awake).saturating_sub(self.period)
    }
}

/// The part of a delay that was a suspension: all or nothing.
fn suspension(late: Duration) -> Duration {
    if late >= SUSPENSION { late } else { Duration::ZERO }
}

/// A clock that stops while the process is suspended.
#[derive(Debug)]
pub struct AwakeClock {
    started: Instant,
    monitor: Arc<WakeupMonitor>,
}

impl AwakeClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        const PERIOD: Duration = Duration::from_millis(100);
        Self { started: Instant::now(), monitor: WakeupMonitor::start(0, PERIOD) }
    }

    /// The time since the start, without suspensions.
    pub fn now(&self) -> Duration {
        let now = Instant::now();
        let state = self.monitor.lock();
        let elapsed = now.saturating_duration_since(self.started);
        // The measuring thread may itself be overdue at this moment.
        let overdue = suspension(state.lateness(now));
        elapsed.saturating_sub(state.suspended).saturating_sub(overdue)
    }
}

/// A monitor from the point of view of one worker, by its number.
pub struct WorkerWakeups<'a>(pub &'a WakeupMonitor, pub usize);

impl WorkerWakeups<'_> {
    /// Marks the start of a game of the worker.
    pub fn begin(&self) {
        self.0.lock().longest[self.1] = Duration::ZERO;
    }

    /// The longest delay since the worker's game began.
    pub fn longest(&self) -> Duration {
        let state = self.0.lock();
        // The measuring thread may itself be overdue at this moment.
        state.longest[self.1].max(state.lateness(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Duration = Duration::from_millis(5);

    /// The measuring thread wakes this late.
    fn wake_late(monitor: &WakeupMonitor, milliseconds: u64) {
        let slept_at = monitor.lock().awake;
        monitor.note(slept_at + PERIOD + Duration::from_millis(milliseconds));
    }

    #[test]
    fn a_delay_belongs_to_the_games_in_play() {
        let monitor = WakeupMonitor::new(2, PERIOD);
        wake_late(&monitor, 40);
        WorkerWakeups(&monitor, 1).begin();
        wake_late(&monitor, 7);
        assert_eq!(monitor.lock().longest, [40, 7].map(Duration::from_millis));
    }

    #[test]
    fn a_clock_stops_during_a_suspension_but_not_during_a_delay() {
        let monitor = Arc::new(WakeupMonitor::new(0, PERIOD));
        let started = Instant::now() - Duration::from_secs(100);
        for (late, suspended) in [(499, 0), (500, 500), (40_000, 40_500)] {
            let slept_at = Instant::now() - PERIOD - Duration::from_millis(late);
            monitor.lock().awake = slept_at;
            monitor.note(slept_at + PERIOD + Duration::from_millis(late));
            assert_eq!(monitor.lock().suspended, Duration::from_millis(suspended));
        }
        let clock = AwakeClock { started, monitor };
        let now = clock.now();
        assert!(now <= started.elapsed() - Duration::from_millis(40_500), "{now:?}");
        assert!(now >= Duration::from_millis(59_400), "{now:?}");
    }
}
