//! The static evaluation: an estimate of a board's gain, by [`Evaluation::evaluate`].
//!
//! On boards for which a small neural [`network`] was trained, it is the output of that network.
//! On other boards it is linear: a weighted sum of named features of the mover's row minus one for
//! the opponent's row. Both are only estimates; nothing here is proved.

pub mod network;

use kalah_game::{Board, PitSet, Row, Value};
use network::Network;

/// The features of one side of the board:
///
/// 1. seeds in all pits of the row;
/// 2. pits with seeds in them;
/// 3. pits whose last seed falls into the store without a lap;
/// 4. the most seeds that one capture without a lap banks;
/// 5. pits with enough seeds to reach the opponent's row;
/// 6. seeds of these pits that go past the store;
/// 7. pits with enough seeds to come back to their owner's row.
const FEATURES: [&str; 7] =
    ["seeds", "mobility", "extra turns", "capture", "loaded", "spill", "lapping"];

/// A number for each of the [`FEATURES`]: its count, or its weight.
type FeatureCounts = [i32; FEATURES.len()];

/// Hundredths of a seed per unit of each feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureWeights {
    /// Added for the mover's features.
    own: FeatureCounts,
    /// Subtracted for the opponent's features.
    opponent: FeatureCounts,
}

impl FeatureWeights {
    /// Only the seeds already banked count, as in most papers on game-tree search in Kalah.
    pub const STORES: Self = Self { own: [0; 7], opponent: [0; 7] };

    /// The weights that the engine uses where it has no network: the mean of two linear
    /// regressions on the values of searches of 60,000 nodes, over 12,000 positions of
    /// (6,4) and as many of (6,6), rounded. An extra turn that the mover can take now is
    /// worth nothing beyond its seeds, because the search takes it.
    ///
    /// Against [`FeatureWeights::STORES`], at 5,000 nodes per move, they score 66.1 ± 2.6 % in 600
    /// games of (6,4) and 70.8 ± 3.9 % in 400 games of (6,6).
    ///
    /// There is no term for tempo. A bonus for having the move gained nothing in 3,000
    /// games, and with 8 to 15 seeds in play the mover gains 0.1 ± 0.1 seeds more than the
    /// evaluation (1,232 positions). The number of steps that seeds can still be sown
    /// before one passes the store explains 0.2 % of the variance for (6,4) and 0.8 % for
    /// (6,6) beyond the other features (12,000 positions each).
    pub const DEFAULT: Self = Self {
        own: [75, 110, 0, 63, -440, -38, 200],
        opponent: [52, 150, -140, 21, -440, -20, 190],
    };
}

/// The features of the side whose row is `own`, on rows of `pits` pits.
#[inline]
fn features<R: Row>(own: R, opponent: R, pits: usize) -> FeatureCounts {
    let occupied = own.occupied();
    let mut sum = 0;
    let mut extra_turns = 0;
    let mut loaded = 0;
    let mut spill = 0;
    let mut lapping = 0;
    // Bit i: a sowing that stays in the row ends in pit i.
    let mut reached = 0u16;
    for pit in occupied {
        let seeds = own.count(pit) as i32;
        // How far beyond the row's last pit the sowing ends, counted from the store as 0.
        let past = pit.index() as i32 + seeds - pits as i32;
        sum += seeds;
        extra_turns += i32::from(past == 0);
        loaded += i32::from(past > 0);
        spill += past.max(0);
        lapping += i32::from(past > pits as i32);
        if past < 0 {
            reached |= 1 << (pits as i32 + past);
        }
    }
    // Opposite pits have mirrored indices, so the opponent's set is read backwards.
    let across = opponent.occupied().0.reverse_bits() >> (16 - pits);
    let targets = PitSet(reached & !occupied.0 & across);
    let captures = targets.iter().map(|pit| 1 + opponent.count(pit.opposite(pits)));
    let capture = captures.max().unwrap_or(0) as i32;
    [sum, occupied.0.count_ones() as i32, extra_turns, capture, loaded, spill, lapping]
}

/// A line of the evaluation: a feature's name, then its count and its weight for the mover
/// and for the opponent. Weights are in hundredths of a seed from the mover's point of
/// view.
pub type Term = (&'static str, [(i32, i32); 2]);

/// The evaluation of `board`, feature by feature.
pub fn terms<R: Row>(
    board: Board<R>,
    pits: usize,
    weights: &FeatureWeights,
) -> [Term; FEATURES.len()] {
    let own = features(board.own, board.opponent, pits);
    let opponent = features(board.opponent, board.own, pits);
    std::array::from_fn(|at| {
        (FEATURES[at], [(own[at], weights.own[at]), (opponent[at], -weights.opponent[at])])
    })
}

/// A static evaluation, and how far it is likely to be off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The mover's gain.
    pub value: Value,
    /// The uncertainty of this value.
    pub uncertainty: Uncertainty,
}

/// How far a static evaluation is likely to be off, in steps from 0 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uncertainty(pub(crate) u8);

impl Uncertainty {
    /// That of an evaluation that does not estimate its error: the greatest.
    pub const UNKNOWN: Self = Self(7);
    /// The step of a common error, 2.2 seeds.
    const COMMON: i32 = 3;
    /// The number of bits that hold its step.
    pub(crate) const BITS: u32 = 3;
    /// Hundredths of a seed that a step comprises; the first one ends at three times as many.
    const STEP: i32 = 40;

    /// That of an evaluation with this expected absolute error.
    #[inline]
    pub fn of_error(error: Value) -> Self {
        Self((error.0 / Self::STEP - 2).clamp(0, 7) as u8)
    }

    /// The number of steps above that of a common error, from -3 to 4.
    #[inline]
    pub fn above_common(self) -> i32 {
        i32::from(self.0) - Self::COMMON
    }
}

/// How a search estimates boards.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation<'a> {
    /// By named features, on any board.
    Linear(&'a FeatureWeights),
    /// By a network for boards of the position's width.
    Network(&'a Network),
}

impl Evaluation<'static> {
    /// The best evaluation for boards with `pits` pits per row.
    pub(crate) fn best(pits: usize) -> Self {
        match Network::trained(pits) {
            Some(network) => Self::Network(network),
            None => Self::Linear(&FeatureWeights::DEFAULT),
        }
    }
}

impl Evaluation<'_> {
    /// An estimate of the mover's gain from `board`, which must not be over. It
    /// never exceeds what the seeds in play allow.
    #[inline]
    pub fn evaluate<R: Row>(self, board: Board<R>, pits: usize) -> Value {
        match self {
            Self::Linear(weights) => evaluate(board, pits, weights),
            Self::Network(network) => network.evaluate(board),
        }
    }

    /// The same estimate with its uncertainty, which takes a little longer.
    #[inline]
    pub fn estimate<R: Row>(self, board: Board<R>, pits: usize) -> Estimate {
        match self {
            Self::Linear(weights) => Estimate {
                value: evaluate(board, pits, weights),
                uncertainty: Uncertainty::UNKNOWN,
            },
            Self::Network(network) => network.estimate(board),
        }
    }
}

#[inline]
fn evaluate<R: Row>(board: Board<R>, pits: usize, weights: &FeatureWeights) -> Value {
    let own = features(board.own, board.opponent, pits);
    let opponent = features(board.opponent, board.own, pits);
    let value = weighed(own, weights.own) - weighed(opponent, weights.opponent);
    // No gain exceeds the seeds in play, but a weighted sum may.
    let most = (own[0] + opponent[0]) * Value::SEED;
    Value(value.clamp(-most, most))
}

#[inline]
fn weighed(counts: FeatureCounts, weights: FeatureCounts) -> i32 {
    counts.iter().zip(weights).map(|(count, weight)| count * weight).sum()
}
