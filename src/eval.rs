//! The evaluation: what the pits promise beyond the seeds already banked.
//!
//! A value is a weighted sum of named features, each the mover's count minus
//! the opponent's. It is an estimate only; nothing here is proved.

use crate::kalah::{Board, PitSet, Row};
use crate::score::Value;

/// What is counted of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Seeds in the row.
    pub seeds: i32,
    /// Pits with seeds.
    pub mobility: i32,
    /// Moves whose last seed falls into the store, laps aside.
    pub extra_turns: i32,
    /// The most seeds that one capture banks, laps aside.
    pub capture: i32,
    /// Seeds in the pit farthest from the store.
    pub farthest: i32,
}

/// Hundredths of a seed for one of each feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// For the mover's features.
    pub own: Features,
    /// Against the opponent's features.
    pub opponent: Features,
    /// For being on the move.
    pub tempo: i32,
}

impl Weights {
    /// Nothing but what is banked: the evaluation of the comparison's papers.
    pub const STORES: Self = Self {
        own: Features { seeds: 0, mobility: 0, extra_turns: 0, capture: 0, farthest: 0 },
        opponent: Features { seeds: 0, mobility: 0, extra_turns: 0, capture: 0, farthest: 0 },
        tempo: 0,
    };

    /// The weights that the engine plays with.
    pub const DEFAULT: Self = Self {
        own: Features { seeds: 10, mobility: 40, extra_turns: 80, capture: 50, farthest: 10 },
        opponent: Features { seeds: 10, mobility: 40, extra_turns: 50, capture: 30, farthest: 10 },
        tempo: 0,
    };
}

impl Features {
    /// The features of the side with `own`, on rows of `pits`.
    #[inline]
    pub fn of<R: Row>(own: R, opponent: R, pits: usize) -> Self {
        let occupied = own.occupied();
        // Bit i: a sowing without a lap ends in pit i, or in the store if i = pits.
        let mut reached = 0u32;
        for pit in occupied {
            reached |= 1u32.wrapping_shl(pit.index() as u32 + own.count(pit).min(31 - 15));
        }
        let across = opponent.occupied().0.reverse_bits() >> (16 - pits);
        let targets = PitSet(reached as u16 & !occupied.0 & across);
        let capture = targets.map(|pit| 1 + opponent.count(pit.opposite(pits))).max().unwrap_or(0);
        let extra_turns = occupied.filter(|&pit| pit.index() + own.count(pit) as usize == pits);
        Self {
            seeds: own.sum() as i32,
            mobility: occupied.0.count_ones() as i32,
            extra_turns: extra_turns.count() as i32,
            capture: capture as i32,
            farthest: own.count(crate::kalah::Pit::new(0)) as i32,
        }
    }

    fn weighed(&self, weights: &Features) -> i32 {
        self.seeds * weights.seeds
            + self.mobility * weights.mobility
            + self.extra_turns * weights.extra_turns
            + self.capture * weights.capture
            + self.farthest * weights.farthest
    }
}

/// An estimate of the mover's gain from `board`, which must not be over. It
/// never exceeds what the seeds in play allow.
#[inline]
pub fn evaluate<R: Row>(board: Board<R>, pits: usize, weights: &Weights) -> Value {
    let own = Features::of(board.own, board.opponent, pits);
    let opponent = Features::of(board.opponent, board.own, pits);
    let value = weights.tempo + own.weighed(&weights.own) - opponent.weighed(&weights.opponent);
    let most = (own.seeds + opponent.seeds) * Value::SEED;
    Value(value.clamp(-most, most))
}
