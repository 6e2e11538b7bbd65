//! Scores of positions, search windows and proved intervals.
//!
//! The type gives the unit. [`Gain`] counts whole seeds and is exact: the solver, the endgame
//! tables and the lab use it. [`Value`] counts hundredths of a seed, for evaluations: the engine's
//! search uses it. Both are differences from the point of view of the player to move.
//!
//! The name gives the kind of difference. A *gain* leaves out the stores: it is what remains to be
//! won, and the only difference that searches and tables use. A *margin* is the result of the whole
//! game, the gain plus the lead in the stores; reports and records use it.
//!
//! Nothing here searches or evaluates.

use core::{fmt, ops};

/// A score that a game-tree search maximises.
pub trait Score:
    Copy
    + Ord
    + fmt::Debug
    + ops::Neg<Output = Self>
    + ops::Add<Output = Self>
    + ops::Sub<Output = Self>
{
    /// Lower than every score that a position can have; negating it gives [`Score::MAX`].
    const MIN: Self;
    /// Higher than every score that a position can have.
    const MAX: Self;
    /// The smallest score above this one.
    fn successor(self) -> Self;
}

/// A difference in whole seeds. The gain of a position is the number of seeds that the
/// mover will bank from there on with best play by both sides, minus the number that the
/// opponent will. Its absolute value is at most the number of seeds in play, and it has the
/// parity of that number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gain(pub i32);

/// With its sign: `+4`.
impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

impl Gain {
    /// Neither side is ahead.
    pub const ZERO: Self = Self(0);
}

impl Score for Gain {
    // Not `i32::MIN`, whose negation overflows, and with room for adding scores.
    const MIN: Self = Self(-1_000_000);
    const MAX: Self = Self(1_000_000);
    #[inline]
    fn successor(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The values of trees that do not belong to a game: 32-bit numbers, stored in 64 bits so that the
/// sum of two fits.
impl Score for i64 {
    const MIN: Self = -(1 << 40);
    const MAX: Self = 1 << 40;
    #[inline]
    fn successor(self) -> Self {
        self + 1
    }
}

/// A difference in hundredths of a seed, estimated or exact; displayed in seeds, with a sign:
/// `+2.50`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub i32);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", self.seeds())
    }
}

/// The arithmetic of whole numbers for a difference.
macro_rules! arithmetic {
    ($($Difference:ident)*) => {
        $(
            impl ops::Add for $Difference {
                type Output = Self;
                #[inline]
                fn add(self, other: Self) -> Self {
                    Self(self.0 + other.0)
                }
            }

            impl ops::Sub for $Difference {
                type Output = Self;
                #[inline]
                fn sub(self, other: Self) -> Self {
                    Self(self.0 - other.0)
                }
            }

            impl ops::Neg for $Difference {
                type Output = Self;
                #[inline]
                fn neg(self) -> Self {
                    Self(-self.0)
                }
            }
        )*
    };
}

arithmetic!(Gain Value);

impl Value {
    /// Neither side is ahead.
    pub const ZERO: Self = Self(0);
    /// The value of one seed.
    pub const SEED: i32 = 100;

    /// The value in seeds, with its fraction.
    pub fn seeds(self) -> f64 {
        f64::from(self.0) / f64::from(Self::SEED)
    }

    /// The value in whole seeds, rounded to the nearest.
    pub fn rounded(self) -> Gain {
        // Integer division truncates, so half a seed away from zero is added first.
        Gain((self.0 + self.0.signum() * Self::SEED / 2) / Self::SEED)
    }
}

impl Score for Value {
    const MIN: Self = Self(-100_000_000);
    const MAX: Self = Self(100_000_000);
    #[inline]
    fn successor(self) -> Self {
        Self(self.0 + 1)
    }
}

impl From<Gain> for Value {
    #[inline]
    fn from(gain: Gain) -> Self {
        Value(gain.0 * Value::SEED)
    }
}

/// Who moves after a move: the only reason for a score to change its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The last seed fell into the mover's store: the mover moves again.
    Keeps,
    /// The opponent is to move.
    Passes,
}

impl Turn {
    /// A score of the position after the move, from the point of view of the player
    /// who made it.
    #[inline]
    pub fn from_child<V: Score>(self, score: V) -> V {
        match self {
            Turn::Keeps => score,
            Turn::Passes => -score,
        }
    }
}

/// The window of a search.
///
/// A result of at most `alpha` fails low (it is an upper bound), one of at
/// least `beta` fails high (a lower bound), one in between is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window<V> {
    /// A score that the mover is already sure of elsewhere in the tree.
    pub alpha: V,
    /// The lowest score at which the opponent avoids the position.
    pub beta: V,
}

impl<V: Score> Window<V> {
    /// A window with `alpha < beta`.
    #[inline]
    pub fn new(alpha: V, beta: V) -> Self {
        debug_assert!(alpha < beta, "empty window: {alpha:?} to {beta:?}");
        Self { alpha, beta }
    }

    /// The window that contains every score.
    #[inline]
    pub fn full() -> Self {
        Self::new(V::MIN, V::MAX)
    }

    /// The null window whose search shows whether the score is above `bound`.
    #[inline]
    pub fn null(bound: V) -> Self {
        Self::new(bound, bound.successor())
    }

    /// The null window whose search shows whether the score is below `bound`.
    #[inline]
    pub fn null_under(bound: V) -> Self {
        // The predecessor of `bound` is the negated successor of its negation.
        Self::new(-(-bound).successor(), bound)
    }

    /// Whether no score lies strictly inside.
    #[inline]
    pub fn is_null(self) -> bool {
        self.alpha.successor() >= self.beta
    }

    /// Whether `score` is at most alpha, and so an upper bound.
    #[inline]
    pub fn fails_low(self, score: V) -> bool {
        score <= self.alpha
    }

    /// Whether `score` is at least beta, and so a lower bound.
    #[inline]
    pub fn fails_high(self, score: V) -> bool {
        score >= self.beta
    }

    /// The window with `alpha` raised to `score` if that is higher.
    #[inline]
    pub fn raised(self, score: V) -> Self {
        Self { alpha: self.alpha.max(score), beta: self.beta }
    }

    /// The window for the rest of the game after the mover has banked `banked`.
    #[inline]
    pub fn after(self, banked: V) -> Self {
        // Banked seeds are won already, so the rest of the game needs that many fewer.
        Self { alpha: self.alpha - banked, beta: self.beta - banked }
    }

    /// The window from the point of view of the player to move after a move. A search
    /// changes signs here and in `from_child` of [`Turn`] and [`Interval`], nowhere else.
    #[inline]
    pub fn for_child(self, turn: Turn) -> Self {
        match turn {
            Turn::Keeps => self,
            Turn::Passes => Self { alpha: -self.beta, beta: -self.alpha },
        }
    }
}

/// Proved bounds on a score, which lies between `lower` and `upper` inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval<V> {
    /// The greatest proved lower bound.
    pub lower: V,
    /// The least proved upper bound.
    pub upper: V,
}

/// `+4` if the score is known, otherwise its bounds: `+2 to +8`.
impl<V: Score + fmt::Display> fmt::Display for Interval<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { lower, .. } if self.is_exact() => write!(f, "{lower}"),
            Self { lower, upper } => write!(f, "{lower} to {upper}"),
        }
    }
}

impl<V: Score> Interval<V> {
    /// The interval that contains every score.
    pub fn unknown() -> Self {
        Self { lower: V::MIN, upper: V::MAX }
    }

    /// The interval of a known score.
    #[inline]
    pub fn exactly(score: V) -> Self {
        Self { lower: score, upper: score }
    }

    /// Whether the score is known.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The intersection, which is proved if both intervals are.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The interval with one bound replaced by `result`, which the search of a null
    /// `window` returned: a lower bound if it fails high, an upper bound if it fails low.
    #[inline]
    #[must_use]
    pub fn narrowed(self, window: Window<V>, result: V) -> Self {
        // No score lies inside a null window, so a result that does not fail high fails low.
        if window.fails_high(result) {
            Self { lower: result, ..self }
        } else {
            Self { upper: result, ..self }
        }
    }

    /// The interval of the greater of two scores.
    #[inline]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// The interval of the position before a move that banks `banked`, from the one of
    /// the position after it; each is from the point of view of its mover.
    #[inline]
    #[must_use]
    pub fn from_child(self, banked: V, turn: Turn) -> Self {
        let Self { lower, upper } = match turn {
            Turn::Keeps => self,
            // The opponent's upper bound is the mover's lower bound.
            Turn::Passes => Self { lower: -self.upper, upper: -self.lower },
        };
        Self { lower: banked + lower, upper: banked + upper }
    }

    /// The bound that already decides the search of a null window, if there is one.
    #[inline]
    pub fn answer(self, window: Window<V>) -> Option<V> {
        if window.fails_high(self.lower) {
            Some(self.lower)
        } else if window.fails_low(self.upper) {
            Some(self.upper)
        } else {
            None
        }
    }
}
