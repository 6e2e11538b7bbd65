//! How late the system wakes a sleeping thread: on an overloaded machine a player
//! can lose on time although it was not slow.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the measuring thread sleeps at a time.
const PERIOD: Duration = Duration::from_millis(5);

/// The longest delay since each worker's game began, measured by one thread.
#[derive(Debug)]
pub(crate) struct Delays(Mutex<State>);

#[derive(Debug)]
struct State {
    /// When the measuring thread was awake last.
    awake: Instant,
    /// By worker.
    longest: Vec<Duration>,
}

impl Delays {
    fn new(workers: usize) -> Self {
        let longest = vec![Duration::ZERO; workers];
        Self(Mutex::new(State { awake: Instant::now(), longest }))
    }

    /// Starts a thread that measures until the delays are dropped.
    pub(crate) fn start(workers: usize) -> Arc<Self> {
        let delays = Arc::new(Self::new(workers));
        let measured = Arc::downgrade(&delays);
        let thread = thread::Builder::new().name("delays".to_owned());
        let started = thread.spawn(move || {
            while let Some(delays) = measured.upgrade() {
                delays.note(Instant::now());
                drop(delays);
                thread::sleep(PERIOD);
            }
        });
        if let Err(error) = started {
            log::warn!("cannot measure the delays of the system: {error}");
        }
        delays
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the measuring thread is awake.
    fn note(&self, now: Instant) {
        let mut state = self.lock();
        let late = now.saturating_duration_since(state.awake).saturating_sub(PERIOD);
        state.awake = now;
        state.longest.iter_mut().for_each(|longest| *longest = late.max(*longest));
    }

    pub(crate) fn begin(&self, worker: usize) {
        self.lock().longest[worker] = Duration::ZERO;
    }

    /// The longest since the game of `worker` began.
    pub(crate) fn longest(&self, worker: usize) -> Duration {
        let state = self.lock();
        // The measuring thread itself may be late at this moment.
        state.longest[worker].max(state.awake.elapsed().saturating_sub(PERIOD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measuring thread wakes this late.
    fn wake_late(delays: &Delays, milliseconds: u64) {
        let slept_at = delays.lock().awake;
        delays.note(slept_at + PERIOD + Duration::from_millis(milliseconds));
    }

    #[test]
    fn a_delay_belongs_to_the_games_in_play() {
        let delays = Delays::new(2);
        wake_late(&delays, 40);
        delays.begin(1);
        wake_late(&delays, 7);
        assert_eq!(delays.lock().longest, [40, 7].map(Duration::from_millis));
    }
}
