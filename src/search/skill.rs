//! Weaker play for people: a limit on what the engine sees, and slips.
//!
//! A level below the full one looks at few boards and then chooses among its
//! lines as if it judged each of them with an error of some seeds. How large
//! the error is falls from level to level, so that levels lose to each other
//! in order.

use rand::{Rng, RngExt};

use crate::game::Pit;
use crate::score::Value;

use super::limits::Limits;
use super::report::Info;

/// A strength from 0 to [`Skill::FULL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skill(u8);

impl Skill {
    /// The strongest level: no limit.
    pub const FULL: Self = Self(10);

    /// The level with this number, if there is one.
    pub fn new(level: u8) -> Option<Self> {
        (level <= Self::FULL.0).then_some(Self(level))
    }

    /// The number of the level.
    pub fn level(self) -> u8 {
        self.0
    }

    /// Whether nothing is held back.
    pub fn is_full(self) -> bool {
        self == Self::FULL
    }

    /// The limits of a search at this level, asked for `limits`.
    pub(super) fn limit(self, limits: Limits) -> Limits {
        if self.is_full() {
            return limits;
        }
        // 30 boards at level 0, four times as many at each further one.
        let most = 30u64 << (2 * self.0);
        let nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
        Limits { nodes, ..limits }
    }

    /// The largest error of judgement, in hundredths of a seed.
    fn largest_error(self) -> i32 {
        let below = i32::from(Self::FULL.0 - self.0);
        below * below * Value::SEED / 12
    }

    /// The line that a player of this level prefers.
    pub(super) fn choose(self, lines: &[Info], random: &mut impl Rng) -> Option<Pit> {
        let error = self.largest_error();
        let judged = lines.iter().map(|line| {
            let slip = if error == 0 { 0 } else { random.random_range(-error..=error) };
            (line.margin + Value(slip), line.pv.first().copied())
        });
        // The first of equals: lines come best first.
        let best = judged.rev().max_by_key(|&(value, _)| value);
        best.and_then(|(_, pit)| pit)
    }
}

impl Default for Skill {
    fn default() -> Self {
        Self::FULL
    }
}
