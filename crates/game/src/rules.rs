//! The parameters of the game: pits per row, seeds per pit and the capture rule.

use derive_more::Display;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use kalah_text::named_enum;

/// The most pits a row may have.
pub const MAX_PITS: usize = 16;

/// The most seeds that may be on a board, stores included.
pub const MAX_SEEDS: u32 = 32_767;

named_enum! {
    /// What the mover captures when the last seed falls into an empty pit of the mover's row.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Capture: "capture rule" {
        /// A capture needs seeds in the opposite pit.
        #[default]
        Standard = "standard",
        /// The last seed is banked even if the opposite pit is empty: the rule of
        /// Irving, Donkers and Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000.
        EmptyCapture = "empty-capture",
    }
}

// A rule is distinguished only by an exhaustive `match`, never by `== EmptyCapture`: a further rule
// would silently be a standard one there, with the same hash keys and the same table files.
impl Capture {
    /// Whether a last seed in an empty pit of the mover's captures when the opposite pit holds
    /// `opposite` seeds.
    #[inline]
    pub const fn captures(self, opposite: u32) -> bool {
        match self {
            Self::Standard => opposite > 0,
            Self::EmptyCapture => true,
        }
    }

    /// The number of the rule in files of endgame tables and in hash keys, which must never change.
    pub const fn code(self) -> u8 {
        match self {
            Self::Standard => 0,
            Self::EmptyCapture => 1,
        }
    }

    /// The rule with this number.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.code() == code)
    }
}

/// The width of the board and the capture rule, which never change during a game. Sowing
/// tables and endgame tables are made for one variant.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
#[display("{pits} pit{}, {capture}", if *pits == 1 { "" } else { "s" })]
pub struct Variant {
    pits: u8,
    capture: Capture,
}

impl Variant {
    /// Rows of `pits` pits, with the rule `capture`.
    ///
    /// # Errors
    /// [`RulesError::Pits`] unless `pits` is 1 to [`MAX_PITS`].
    pub fn new(pits: usize, capture: Capture) -> Result<Self, RulesError> {
        if (1..=MAX_PITS).contains(&pits) {
            Ok(Self { pits: pits as u8, capture })
        } else {
            Err(RulesError::Pits(pits))
        }
    }

    /// All variants, the narrowest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=MAX_PITS as u8).flat_map(|pits| Capture::ALL.map(|capture| Self { pits, capture }))
    }

    /// Pits per row, 1 to [`MAX_PITS`].
    #[inline]
    pub fn pits(self) -> usize {
        self.pits.into()
    }

    /// When the seeds of the opposite pit are captured.
    #[inline]
    pub fn capture(self) -> Capture {
        self.capture
    }
}

/// A variant, and the seeds in each pit at the start.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
#[display("Kalah({},{seeds}) {}", self.pits(), self.capture())]
pub struct Rules {
    variant: Variant,
    seeds: u16,
}

/// Error when a board is too small or too large.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The number of pits is out of range.
    #[error("expected 1 to {MAX_PITS} pits per row, got {0}")]
    Pits(usize),
    /// The number of seeds is out of range.
    #[error("expected 1 to {limit} seeds per pit with {pits} pits per row, got {seeds}")]
    Seeds {
        /// Pits per row.
        pits: u32,
        /// Seeds in each pit at the start.
        seeds: u32,
        /// The maximum for boards of that width.
        limit: u32,
    },
}

impl Rules {
    /// Rules with `pits` pits per row and `seeds` seeds in each at the start.
    ///
    /// # Errors
    /// [`RulesError`] unless there are 1 to [`MAX_PITS`] pits, at least one seed per
    /// pit and at most [`MAX_SEEDS`] seeds in all.
    pub fn new(pits: u32, seeds: u32, capture: Capture) -> Result<Self, RulesError> {
        let variant = Variant::new(pits as usize, capture)?;
        let limit = MAX_SEEDS / (2 * pits);
        if !(1..=limit).contains(&seeds) {
            return Err(RulesError::Seeds { pits, seeds, limit });
        }
        Ok(Self { variant, seeds: seeds as u16 })
    }

    /// Six pits per row with four seeds each.
    pub const fn usual(capture: Capture) -> Self {
        Self { variant: Variant { pits: 6, capture }, seeds: 4 }
    }

    /// The width of the board and the capture rule.
    pub fn variant(self) -> Variant {
        self.variant
    }

    /// Pits per row, 1 to [`MAX_PITS`].
    pub fn pits(self) -> usize {
        self.variant.pits()
    }

    /// Seeds in each pit at the start.
    pub fn seeds(self) -> u32 {
        self.seeds.into()
    }

    /// When the seeds of the opposite pit are captured.
    pub fn capture(self) -> Capture {
        self.variant.capture
    }

    /// All seeds on the board.
    pub fn total(self) -> u32 {
        2 * u32::from(self.variant.pits) * self.seeds()
    }
}

impl Default for Rules {
    /// Six pits per row, four seeds in each, standard captures.
    fn default() -> Self {
        Self::usual(Capture::Standard)
    }
}
