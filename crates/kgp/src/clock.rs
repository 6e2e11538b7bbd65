//! The time for a move, computed from the user's limit and the server's clock.

use std::time::Duration;

use kalah_engine::search::{Clock, Limits};

use super::setup::ClientSetup;

/// The time for a move if neither the user nor the server sets one. The published server
/// allows 5 s without announcing it.
pub(super) const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Times from a server's clock are clamped to this many seconds.
const MAX_TIME: f64 = 86_400.0;

/// The server's clock, as its `set time:…` commands describe it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ServerClock {
    mode: TimeMode,
    /// The client's remaining time.
    left: Option<Duration>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TimeMode {
    /// No time is tracked.
    None,
    /// The remaining time is for the rest of the game.
    #[default]
    Absolute,
    /// The remaining time is for this move.
    Relative,
}

impl ServerClock {
    /// Obeys `set time:mode`.
    pub(super) fn set_mode(&mut self, mode: &str) {
        self.mode = match mode {
            "absolute" => TimeMode::Absolute,
            "relative" => TimeMode::Relative,
            _ => TimeMode::None,
        };
    }

    /// Obeys `set time:clock`. Text that is not a number clears the remaining time.
    pub(super) fn set_left(&mut self, seconds: &str) {
        // `from_secs_f64` panics for NaN and for values out of range.
        let seconds = seconds.parse().ok().filter(|seconds: &f64| !seconds.is_nan());
        self.left = seconds.map(|seconds| Duration::from_secs_f64(seconds.clamp(0.0, MAX_TIME)));
    }

    /// Charges the time of a move, because the server does not send its clock after every
    /// move.
    pub(super) fn charge(&mut self, time: Duration) {
        if self.mode == TimeMode::Absolute {
            self.left = self.left.map(|left| left.saturating_sub(time));
        }
    }

    /// The limits of the next search, including the clock for the rest of the game if the
    /// server keeps one.
    pub(super) fn limits(&self, setup: &ClientSetup) -> Limits {
        let left = self.left.filter(|_| self.mode != TimeMode::None);
        let time = setup.time.into_iter().chain(left).min().unwrap_or(DEFAULT_TIME);
        // Without a clock for the whole game, all of the time is for this move.
        let is_for_game = self.mode == TimeMode::Absolute;
        let clock = left.filter(|_| is_for_game).map(|left| Clock {
            remaining: left.saturating_sub(setup.overhead),
            increment: Duration::ZERO,
            moves_to_go: None,
        });
        Limits { clock, ..Limits::time(time.saturating_sub(setup.overhead)) }
    }
}
