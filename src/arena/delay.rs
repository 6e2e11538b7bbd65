//! How late the system wakes a sleeping thread: on an overloaded machine a player
//! can lose on time although it was not slow.
//!
//! [`Delays`] sleep and compare; a [`Delay`] is the longest since it was begun.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};
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
        let measure = move || {
            while let Some(delays) = measured.upgrade() {
                delays.note(Instant::now());
                drop(delays);
                thread::sleep(PERIOD);
            }
        };
        let started = thread::Builder::new().name("delays".to_owned()).spawn(measure);
        if let Err(error) = started {
            log::warn!("delays of the system are not measured: {error}");
        }
        delays
    }

    /// The measuring thread is awake.
    fn note(&self, now: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Begins to measure for a game.
    pub(crate) fn begin(&self) -> Delay<'_> {
        let microseconds = Arc::default();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.games.push(Arc::downgrade(&microseconds));
        Delay { delays: self, microseconds }
    }
}

impl Delay<'_> {
    /// The longest so far, the one that may last now included.
    pub(crate) fn longest(&self) -> Duration {
        let awake = self.delays.0.lock().unwrap_or_else(PoisonError::into_inner).awake;
        let lasting = awake.elapsed().saturating_sub(PERIOD);
        Duration::from_micros(self.microseconds.load(Relaxed)).max(lasting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_belongs_to_the_games_in_play() {
        let delays = Delays::new();
        let at = |ms| {
            let begun = delays.0.lock().unwrap().awake;
            delays.note(begun + PERIOD + Duration::from_millis(ms));
        };
        let first = delays.begin();
        at(40);
        let second = delays.begin();
        at(7);
        let ms = |delay: &Delay<'_>| delay.microseconds.load(Relaxed) / 1000;
        assert_eq!([ms(&first), ms(&second)], [40, 7]);
        drop(first);
        at(1);
        assert_eq!(delays.0.lock().unwrap().games.len(), 1);
    }
}
