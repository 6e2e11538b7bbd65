//! Moves shown seed by seed, one after another.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use kalah_game::{Landing, Pit, Played, Position, Side};
use kalah_text::named_enum;

named_enum! {
    /// How fast sowing is shown.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SowingSpeed: "speed" {
        /// The board changes immediately
        Off = "off",
        /// Two or three seeds per second
        Slow = "slow",
        /// Ten seeds per second
        #[default]
        Fast = "fast",
    }
}

impl SowingSpeed {
    fn frame_time(self) -> Duration {
        Duration::from_millis(match self {
            SowingSpeed::Off => 0,
            SowingSpeed::Slow => 400,
            SowingSpeed::Fast => 100,
        })
    }
}

/// The frames that are still to be shown.
pub(super) struct Animation {
    speed: SowingSpeed,
    frames: VecDeque<(Duration, SowingFrame)>,
    /// When the next frame is due.
    next: Instant,
}

impl Animation {
    pub(super) fn new(speed: SowingSpeed) -> Self {
        Self { speed, frames: VecDeque::new(), next: Instant::now() }
    }

    pub(super) fn add(&mut self, before: &Position, played: &Played) {
        // The longest time for one move; moves with many seeds are shown faster.
        const MAX_TIME: Duration = Duration::from_secs(4);
        if self.speed == SowingSpeed::Off {
            return;
        }
        if self.frames.is_empty() {
            self.next = Instant::now() + self.speed.frame_time();
        }
        let frames = frames(before, played);
        let time = self.speed.frame_time().min(MAX_TIME / frames.len().max(1) as u32);
        self.frames.extend(frames.into_iter().map(|frame| (time, frame)));
    }

    /// The current frame; none if nothing is animated.
    pub(super) fn frame(&self) -> Option<&SowingFrame> {
        self.frames.front().map(|(_, frame)| frame)
    }

    /// The time until the next frame is due.
    pub(super) fn time_left(&self) -> Duration {
        if self.frames.is_empty() {
            Duration::MAX
        } else {
            self.next.saturating_duration_since(Instant::now())
        }
    }

    /// Goes to the next frame if it is due.
    pub(super) fn advance(&mut self) {
        // One frame at a time, even if several are due: a busy machine shows them late rather than
        // never.
        if Instant::now() >= self.next && self.frames.pop_front().is_some() {
            self.next = Instant::now();
            if let Some((time, _)) = self.frames.front() {
                self.next += *time;
            }
        }
    }

    pub(super) fn finish(&mut self) {
        self.frames.clear();
    }
}

/// The board at one moment of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SowingFrame {
    /// The board without the seeds in hand.
    pub(super) board: Position,
    /// Seeds in hand.
    pub(super) hand: u32,
    /// The pit where the hand is; none over the store.
    pub(super) pit: Option<(Side, Pit)>,
}

impl SowingFrame {
    /// A moment of a move from `before`, given the seeds in the pits, the stores and the hand.
    fn new(before: &Position, rows: &[Vec<u32>; 2], stores: [u32; 2], hand: u32) -> Self {
        let [south, north] = rows;
        let board = Position::new([south, north], stores, before.side(), before.capture());
        // A position with fewer seeds than a valid one is always valid.
        Self { board: board.unwrap_or(*before), hand, pit: None }
    }
}

/// The moments of a move: the pit lifted, each seed dropped, and the capture if there is
/// one. The final sweep of a game is left out.
fn frames(before: &Position, played: &Played) -> Vec<SowingFrame> {
    let side = played.side;
    let pits = before.pits();
    let mut rows: [Vec<u32>; 2] =
        Side::BOTH.map(|side| before.row(side).iter().map(|&seeds| u32::from(seeds)).collect());
    let mut stores = Side::BOTH.map(|side| before.store(side));
    rows[side.index()][played.pit.index()] = 0;
    let lifted = Some((side, played.pit));
    let mut frames =
        vec![SowingFrame { pit: lifted, ..SowingFrame::new(before, &rows, stores, played.sown) }];
    for seed in 1..=played.sown {
        let pit = match played.pit.landing(seed, pits) {
            Landing::Own(pit) => Some((side, pit)),
            Landing::Store => None,
            Landing::Opponent(pit) => Some((side.other(), pit)),
        };
        match pit {
            Some((owner, pit)) => rows[owner.index()][pit.index()] += 1,
            None => stores[side.index()] += 1,
        }
        frames.push(SowingFrame {
            pit,
            ..SowingFrame::new(before, &rows, stores, played.sown - seed)
        });
    }
    if let (Landing::Own(last), 1..) = (played.last, played.captured) {
        rows[side.index()][last.index()] = 0;
        rows[side.other().index()][last.opposite(pits).index()] = 0;
        stores[side.index()] += played.captured;
        frames.push(SowingFrame::new(before, &rows, stores, 0));
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_game::{Capture, Rules};

    #[test]
    fn no_seed_is_lost_and_the_last_frame_is_the_position_after() {
        for capture in Capture::ALL {
            let mut position = Position::start(Rules::new(4, 7, capture).unwrap());
            let total = position.total();
            for turn in 0.. {
                let Some(pit) = position.moves().iter().nth(turn % position.moves().len().max(1))
                else {
                    break;
                };
                let before = position;
                let played = position.play(pit).unwrap();
                let frames = frames(&before, &played);
                for frame in &frames {
                    assert_eq!(frame.board.total() + frame.hand, total);
                }
                let last = &frames[frames.len() - 1].board;
                for side in Side::BOTH {
                    let swept = played.swept[side.index()];
                    assert_eq!(last.store(side) + swept, position.store(side));
                    assert!(swept > 0 || last.row(side) == position.row(side));
                }
            }
        }
    }

    #[test]
    fn a_capture_has_a_frame_after_the_last_seed() {
        let before = Position::parse("<3,0,0,1,0,2,3,4,2> S", Capture::Standard).unwrap();
        let mut after = before;
        let played = after.play(Pit::new(0)).unwrap();
        let frames = frames(&before, &played);
        let hands: Vec<u32> = frames.iter().map(|frame| frame.hand).collect();
        assert_eq!(hands, [1, 0, 0]);
        assert_eq!(frames[2].pit, None);
    }
}
