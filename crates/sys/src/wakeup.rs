//! Suspensions of the process: no clock should run meanwhile, and no player should lose on time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::parallel;

/// A thread that sleeps for a moment and wakes this late shows that the process was suspended (by
/// Ctrl-Z, SIGSTOP or a frozen virtual machine) or that the machine is overloaded beyond use. Load
/// alone usually causes delays of a tenth of this.
const SUSPENSION: Duration = Duration::from_millis(500);

/// How long the measuring thread sleeps at a time.
const PERIOD: Duration = Duration::from_millis(100);

/// A clock that stops while the process is suspended.
#[derive(Debug)]
pub struct AwakeClock {
    started: Instant,
    wakeups: Arc<Mutex<Wakeups>>,
}

#[derive(Debug)]
struct Wakeups {
    /// The time in which the process was suspended.
    suspended: Duration,
    /// When the measuring thread was last awake.
    awake: Instant,
}

impl Wakeups {
    /// Records that the measuring thread is awake.
    fn note(&mut self, now: Instant) {
        self.suspended = self.suspended.saturating_add(self.overdue(now));
        self.awake = now;
    }

    /// How late the measuring thread is, if that is a suspension.
    fn overdue(&self, now: Instant) -> Duration {
        let late = now.saturating_duration_since(self.awake).saturating_sub(PERIOD);
        if late >= SUSPENSION { late } else { Duration::ZERO }
    }
}

fn lock(wakeups: &Mutex<Wakeups>) -> MutexGuard<'_, Wakeups> {
    wakeups.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AwakeClock {
    /// A clock that starts now, and a thread that measures until the clock is dropped.
    pub fn start() -> Self {
        let clock = Self::without_thread();
        // The thread holds a weak reference, so that it ends with the clock.
        let measured = Arc::downgrade(&clock.wakeups);
        let started = parallel::start("wakeups", move || {
            while let Some(wakeups) = measured.upgrade() {
                lock(&wakeups).note(Instant::now());
                drop(wakeups);
                thread::sleep(PERIOD);
            }
        });
        if let Err(error) = started {
            crate::log::warn!("cannot measure suspensions: {error}");
        }
        clock
    }

    fn without_thread() -> Self {
        let now = Instant::now();
        let wakeups = Wakeups { suspended: Duration::ZERO, awake: now };
        Self { started: now, wakeups: Arc::new(Mutex::new(wakeups)) }
    }

    /// The time since the start, without suspensions.
    pub fn now(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.suspended())
    }

    /// The time since the start in which the process was suspended.
    pub fn suspended(&self) -> Duration {
        let wakeups = lock(&self.wakeups);
        // The measuring thread may itself be overdue at this moment.
        wakeups.suspended.saturating_add(wakeups.overdue(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_stops_during_a_suspension_but_not_during_a_delay() {
        let mut clock = AwakeClock::without_thread();
        clock.started -= Duration::from_secs(100);
        for (late, suspended) in [(499, 0), (500, 500), (40_000, 40_500)] {
            let mut wakeups = lock(&clock.wakeups);
            let slept_at = Instant::now() - PERIOD - Duration::from_millis(late);
            wakeups.awake = slept_at;
            wakeups.note(slept_at + PERIOD + Duration::from_millis(late));
            assert_eq!(wakeups.suspended, Duration::from_millis(suspended));
        }
        let now = clock.now();
        assert!(now <= clock.started.elapsed() - Duration::from_millis(40_500), "{now:?}");
        assert!(now >= Duration::from_millis(59_400), "{now:?}");
        assert!(clock.suspended() >= Duration::from_millis(40_500), "{:?}", clock.suspended());
    }
}
