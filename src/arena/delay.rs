//! How late the system wakes a sleeping thread: on an overloaded machine a player
//! can lose on time although it was not slow.
//!
//! One thread of [`Delays`] sleeps and measures; a [`Delay`] is the longest since its
//! game began.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// How long the measuring thread sleeps at a time.
const PERIOD: Duration = Duration::from_millis(5);

/// The delays that are measured for games in play.
#[derive(Debug)]
pub(crate) struct Delays(Mutex<State>);

#[derive(Debug)]
struct State {
    /// When the measuring thread was awake last.
    awake: Instant,
    games: Vec<Weak<AtomicU64>>,
}

/// The longest delay since a game began.
#[derive(Debug)]
pub(crate) struct Delay<'a> {
    delays: &'a Delays,
    microseconds: Arc<AtomicU64>,
}

impl Delays {
    fn new() -> Self {
        Self(Mutex::new(State { awake: Instant::now(), games: Vec::new() }))
    }

    /// Starts a thread that measures until the delays are dropped.
    pub(crate) fn start() -> Arc<Self> {
        let delays = Arc::new(Self::new());
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
            log::warn!("delays of the system are not measured: {error}");
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
        state.games.retain(|game| match game.upgrade() {
            Some(longest) => {
                longest.fetch_max(late.as_micros() as u64, Relaxed);
                true
            }
            None => false,
        });
    }

    /// Starts measuring for a game.
    pub(crate) fn begin(&self) -> Delay<'_> {
        let microseconds = Arc::default();
        self.lock().games.push(Arc::downgrade(&microseconds));
        Delay { delays: self, microseconds }
    }
}

impl Delay<'_> {
    /// The longest so far.
    pub(crate) fn longest(&self) -> Duration {
        // The measuring thread itself may be late at this moment.
        let current = self.delays.lock().awake.elapsed().saturating_sub(PERIOD);
        self.measured().max(current)
    }

    fn measured(&self) -> Duration {
        Duration::from_micros(self.microseconds.load(Relaxed))
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
        let delays = Delays::new();
        let first = delays.begin();
        wake_late(&delays, 40);
        let second = delays.begin();
        wake_late(&delays, 7);
        assert_eq!([first.measured(), second.measured()], [40, 7].map(Duration::from_millis));
        drop(first);
        wake_late(&delays, 1);
        assert_eq!(delays.0.lock().unwrap().games.len(), 1);
    }
}
