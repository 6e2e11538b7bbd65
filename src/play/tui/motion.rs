//! Sowings that are shown seed by seed, one after the other.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use crate::game::{Played, Position};
use crate::play::frames::{self, Frame};

/// How fast seeds are sown on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Pace {
    /// The board changes at once.
    Off,
    /// Two or three seeds a second.
    Slow,
    /// Ten seeds a second.
    #[default]
    Fast,
}

impl Pace {
    /// How long a frame is seen.
    fn frame(self) -> Duration {
        Duration::from_millis(match self {
            Pace::Off => 0,
            Pace::Slow => 400,
            Pace::Fast => 100,
        })
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Pace::Off => "at once",
            Pace::Slow => "slowly",
            Pace::Fast => "fast",
        })
    }
}

/// The longest that one sowing is shown; many seeds are sown faster.
const LONGEST: Duration = Duration::from_secs(4);

/// The sowings that are still to be shown.
pub struct Motion {
    pace: Pace,
    frames: VecDeque<(Duration, Frame)>,
    next: Instant,
}

impl Motion {
    /// Nothing moves.
    pub fn new(pace: Pace) -> Self {
        Self { pace, frames: VecDeque::new(), next: Instant::now() }
    }

    /// How fast.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Slow, fast, off, and slow again.
    pub fn change_pace(&mut self) {
        self.pace = match self.pace {
            Pace::Slow => Pace::Fast,
            Pace::Fast => Pace::Off,
            Pace::Off => Pace::Slow,
        };
        self.finish();
    }

    /// Shows a sowing after those that are being shown.
    pub fn add(&mut self, before: &Position, played: &Played) {
        if self.pace == Pace::Off {
            return;
        }
        if self.frames.is_empty() {
            self.next = Instant::now() + self.pace.frame();
        }
        let frames = frames::of_sowing(before, played);
        let time = self.pace.frame().min(LONGEST / frames.len().max(1) as u32);
        self.frames.extend(frames.into_iter().map(|frame| (time, frame)));
    }

    /// What is shown now; none if the board is at rest.
    pub fn frame(&self) -> Option<&Frame> {
        self.frames.front().map(|(_, frame)| frame)
    }

    /// How long nothing changes by itself.
    pub fn rest(&self) -> Duration {
        const LONG: Duration = Duration::from_secs(3600);
        match self.frames.is_empty() {
            true => LONG,
            false => self.next.saturating_duration_since(Instant::now()),
        }
    }

    /// Shows the next frame if it is time.
    pub fn advance(&mut self) {
        if Instant::now() >= self.next && self.frames.pop_front().is_some() {
            let time = self.frames.front().map_or(Duration::ZERO, |(time, _)| *time);
            self.next = Instant::now() + time;
        }
    }

    /// Shows where it all leads to.
    pub fn finish(&mut self) {
        self.frames.clear();
    }
}
