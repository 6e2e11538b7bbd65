//! The static evaluation: an estimate of the gain still to come from the pits, by
//! [`Evaluation::of`].
//!
//! On boards for which one was trained, those of 6 pits per row, it is the output of a small
//! neural [`network`]. On others it is linear: a weighted sum of named features of the
//! mover's row minus one of the opponent's. Both are only estimates; nothing here is proved.

pub mod network;

use crate::game::score::Value;
use crate::game::{Board, PitSet, Row};
use network::Network;

/// Counts of one side of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Seeds in all pits of the row.
    pub seeds: i32,
    /// Number of pits with seeds in them.
    pub mobility: i32,
    /// Pits whose last seed falls into the store, laps aside.
    pub extra_turns: i32,
    /// The most seeds that one capture banks, laps aside.
    pub capture: i32,
    /// Pits with enough seeds to reach the opponent's row.
    pub loaded: i32,
    /// Seeds of loaded pits that go past the store.
    pub spill: i32,
    /// Pits with enough seeds to come round to the own row.
    pub lapping: i32,
}

/// Hundredths of a seed for one of each feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// For the mover's features.
    pub own: Features,
    /// Against the opponent's features.
    pub opponent: Features,
}

impl Weights {
    /// Only the seeds already banked count, as in the papers that the [`lab`](crate::lab)
    /// compares.
    pub const STORES: Self = Self { own: Features::NONE, opponent: Features::NONE };

    /// The weights that the engine uses where it has no network: the mean of two linear regressions
    /// on the values of searches of 60,000 nodes, over 12,000 positions of (6,4)
    /// and as many of (6,6), rounded. An extra turn that can be taken now is
    /// worth nothing to the mover beyond its seeds, because the search takes it.
    ///
    /// Against the stores alone, at 5,000 nodes a move: 66.1 ± 2.6 % in 600 games
    /// of (6,4), 70.8 ± 3.9 % in 400 of (6,6).
    ///
    /// There is no term for tempo. A bonus for being on the move gained nothing
    /// (3,000 games), and with 8 to 15 seeds in play the mover gains 0.1 ± 0.1
    /// seeds more than the evaluation (1,232 positions). The number of steps that
    /// seeds can still be sown before one passes the store explains 0.2 % of the
    /// variance for (6,4) and 0.8 % for (6,6) beyond the other features (12,000
    /// positions each).
    pub const DEFAULT: Self = Self {
        own: Features {
            seeds: 75,
            mobility: 110,
            extra_turns: 0,
            capture: 63,
            loaded: -440,
            spill: -38,
            lapping: 200,
        },
        opponent: Features {
            seeds: 52,
            mobility: 150,
            extra_turns: -140,
            capture: 21,
            loaded: -440,
            spill: -20,
            lapping: 190,
        },
    };
}

impl Features {
    /// All zero.
    const NONE: Self =
        Self { seeds: 0, mobility: 0, extra_turns: 0, capture: 0, loaded: 0, spill: 0, lapping: 0 };

    /// The features of the side with `own`, on rows of `pits`.
    #[inline]
    fn of<R: Row>(own: R, opponent: R, pits: usize) -> Self {
        let occupied = own.occupied();
        let mut features = Self { mobility: occupied.0.count_ones() as i32, ..Self::NONE };
        // Bit i: a sowing that stays in the row ends in pit i.
        let mut reached = 0u16;
        for pit in occupied {
            let seeds = own.count(pit) as i32;
            let past = pit.index() as i32 + seeds - pits as i32;
            features.seeds += seeds;
            features.extra_turns += i32::from(past == 0);
            features.loaded += i32::from(past > 0);
            features.spill += past.max(0);
            features.lapping += i32::from(past > pits as i32);
            if past < 0 {
                reached |= 1 << (pits as i32 + past);
            }
        }
        let across = opponent.occupied().0.reverse_bits() >> (16 - pits);
        let targets = PitSet(reached & !occupied.0 & across);
        let captures = targets.map(|pit| 1 + opponent.count(pit.opposite(pits)));
        features.capture = captures.max().unwrap_or(0) as i32;
        features
    }

    /// The features with their names, in the order in which they stand above.
    fn named(&self) -> [(&'static str, i32); 7] {
        [
            ("seeds", self.seeds),
            ("mobility", self.mobility),
            ("extra turns", self.extra_turns),
            ("capture", self.capture),
            ("loaded", self.loaded),
            ("spill", self.spill),
            ("lapping", self.lapping),
        ]
    }

    #[inline]
    fn weighed(&self, weights: &Features) -> i32 {
        let pairs = self.named().into_iter().zip(weights.named());
        pairs.map(|((_, count), (_, weight))| count * weight).sum()
    }
}

/// A line of the evaluation: a feature's name, then its count and its weight for
/// the mover and for the opponent, in hundredths of a seed to the mover.
pub type Term = (&'static str, [(i32, i32); 2]);

/// The evaluation of `board`, feature by feature.
pub fn terms<R: Row>(board: Board<R>, pits: usize, weights: &Weights) -> [Term; 7] {
    let own = Features::of(board.own, board.opponent, pits).named();
    let opponent = Features::of(board.opponent, board.own, pits).named();
    let (for_own, against) = (weights.own.named(), weights.opponent.named());
    std::array::from_fn(|index| {
        let (name, count) = own[index];
        (name, [(count, for_own[index].1), (opponent[index].1, -against[index].1)])
    })
}

/// How a search estimates boards.
#[derive(Clone, Copy, Debug)]
pub enum Evaluation<'a> {
    /// By named features, on any board.
    Linear(&'a Weights),
    /// By a network for boards of the position's width.
    Network(&'a Network),
}

impl Evaluation<'static> {
    /// The best evaluation for boards with `pits` pits per row.
    pub fn best(pits: usize) -> Self {
        Network::trained(pits).map_or(Self::Linear(&Weights::DEFAULT), Self::Network)
    }
}

impl Evaluation<'_> {
    /// An estimate of the mover's gain from `board`, which must not be over. It
    /// never exceeds what the seeds in play allow.
    #[inline]
    pub fn of<R: Row>(self, board: Board<R>, pits: usize) -> Value {
        match self {
            Self::Linear(weights) => evaluate(board, pits, weights),
            Self::Network(network) => network.evaluate(board),
        }
    }
}

#[inline]
fn evaluate<R: Row>(board: Board<R>, pits: usize, weights: &Weights) -> Value {
    let own = Features::of(board.own, board.opponent, pits);
    let opponent = Features::of(board.opponent, board.own, pits);
    let value = own.weighed(&weights.own) - opponent.weighed(&weights.opponent);
    let most = (own.seeds + opponent.seeds) * Value::SEED;
    Value(value.clamp(-most, most))
}
