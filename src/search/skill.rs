//! Weaker play for people: fewer nodes, and random errors of judgement.
//!
//! A level below the full one visits few nodes and then chooses among all its
//! moves with a random error in each value. Nodes grow and errors fall from
//! level to level, so that each level loses to the next.

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

    /// Whether play is not weakened.
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

    /// The move that a player of this level chooses from the pvs of all moves.
    pub(super) fn choose(self, pvs: &[Info], random: &mut impl Rng) -> Option<Pit> {
        let largest = self.largest_error();
        let judged = pvs.iter().map(|info| {
            let error = if largest == 0 { 0 } else { random.random_range(-largest..=largest) };
            (info.margin + Value(error), info.pv.first().copied())
        });
        // The first of equals: pvs come best first.
        judged.rev().max_by_key(|&(value, _)| value).and_then(|(_, pit)| pit)
    }
}

impl Default for Skill {
    fn default() -> Self {
        Self::FULL
    }
}
