//! The parameters of the game: pits per row, seeds per pit and the capture rule.

use alloc::format;
use alloc::string::String;
use core::{error, fmt};

use crate::score::{Gain, Interval, Window};
use kalah_text::named_enum;

/// The most pits a row may have.
pub const MAX_PITS: usize = 16;

/// The most seeds that may be on a board, stores included.
pub const MAX_SEEDS: u32 = 32_767;

named_enum! {
    /// What the mover captures when the last seed falls into an empty pit of the mover's row.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
    pub enum Capture: "capture rule" {
        /// A capture needs seeds in the opposite pit.
        #[default]
        Standard = "standard",
        /// The last seed is banked even if the opposite pit is empty: the rule of
        /// Irving, Donkers and Uiterwijk, "Solving Kalah", ICGA Journal 23(3), 2000.
        EmptyCapture = "empty-capture",
    }
}

impl Capture {
    /// The rule in a title: `standard captures`.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Standard => "standard captures",
            Self::EmptyCapture => "empty captures",
        }
    }
}

/// The width of the board and the capture rule, which never change during a game. Sowing
/// tables and endgame tables are made for one variant.
///
/// Everything that follows from the rules alone is a method here, so that the boards, the solver,
/// the endgame tables and the ledgers agree about it: captures, the end of the game, and the gains
/// that a position can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Variant {
    pits: u8,
    capture: Capture,
}

/// `6 pits, standard`.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.pits == 1 { "" } else { "s" };
        write!(f, "{} pit{plural}, {}", self.pits, self.capture)
    }
}

impl Variant {
    /// Rows of `pits` pits, with the rule `capture`.
    ///
    /// # Errors
    /// [`BoardError`] unless `pits` is 1 to [`MAX_PITS`].
    pub fn new(pits: usize, capture: Capture) -> Result<Self, BoardError> {
        if (1..=MAX_PITS).contains(&pits) {
            Ok(Self { pits: pits as u8, capture })
        } else {
            Err(BoardError(format!("expected 1 to {MAX_PITS} pits per row, got {pits}")))
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

    /// The number of the rule in files of endgame tables and in hash keys, which never changes.
    pub const fn code(self) -> u8 {
        match self.capture {
            Capture::Standard => 0,
            Capture::EmptyCapture => 1,
        }
    }

    /// The variant of boards with `pits` pits per row whose rule has the number `code`.
    pub fn from_code(pits: usize, code: u8) -> Option<Self> {
        Self::all().find(|variant| variant.pits() == pits && variant.code() == code)
    }
}

// A rule is distinguished only by an exhaustive `match`, never by `== EmptyCapture`: a further rule
// would silently be a standard one there, with the same hash keys and the same table files.
impl Variant {
    /// Whether a last seed in an empty pit of the mover's captures when the opposite pit holds
    /// `opposite` seeds.
    #[inline]
    pub const fn captures(self, opposite: u32) -> bool {
        match self.capture {
            Capture::Standard => opposite > 0,
            Capture::EmptyCapture => true,
        }
    }

    /// Seeds that a mover with a legal move can always bank.
    pub const fn always_banked(self) -> u32 {
        match self.capture {
            Capture::Standard => 0,
            // The last seed of the occupied pit nearest the store reaches the store or an empty
            // pit, where it captures.
            Capture::EmptyCapture => 1,
        }
    }

    /// Whether the game is over, by which rows are empty.
    #[inline]
    pub const fn is_over(self, own_is_empty: bool, opponent_is_empty: bool) -> bool {
        match self.capture {
            // Even if only the opponent's row is empty and the mover could still sow.
            Capture::Standard | Capture::EmptyCapture => own_is_empty || opponent_is_empty,
        }
    }

    /// The seeds that go to the two stores at the end of the game, by those left in the two rows;
    /// those of the player who would move next come first.
    #[inline]
    pub const fn swept(self, left: [u32; 2]) -> [u32; 2] {
        match self.capture {
            // To the owner of their row.
            Capture::Standard | Capture::EmptyCapture => left,
        }
    }

    /// The gain of a player who banks `won` of the `in_play` seeds.
    #[inline]
    pub const fn gain(self, won: u32, in_play: u32) -> Gain {
        match self.capture {
            // Every seed is banked, so the opponent banks the others.
            Capture::Standard | Capture::EmptyCapture => Gain(2 * won as i32 - in_play as i32),
        }
    }

    /// The seeds that a player banks of the `in_play` seeds to gain `gain`: the inverse of
    /// [`Variant::gain`].
    #[inline]
    pub const fn won(self, gain: Gain, in_play: u32) -> u32 {
        match self.capture {
            Capture::Standard | Capture::EmptyCapture => ((gain.0 + in_play as i32) / 2) as u32,
        }
    }

    /// The difference between neighbouring gains of one position, and between its margins.
    #[inline]
    pub const fn gain_step(self) -> Gain {
        match self.capture {
            // Every seed is banked, so all gains of a position have the parity of its seeds in
            // play.
            Capture::Standard | Capture::EmptyCapture => Gain(2),
        }
    }

    /// The window whose search decides whether the gain of a position is at least `gain`, which must
    /// be one of the gains that the position can have. None of them lies strictly inside.
    #[inline]
    pub fn at_least(self, gain: Gain) -> Window<Gain> {
        Window::new(gain - self.gain_step(), gain)
    }

    /// The bounds of the gains of positions with `in_play` seeds in play.
    #[inline]
    pub const fn gains(self, in_play: u32) -> Interval<Gain> {
        Interval { lower: self.gain(0, in_play), upper: self.gain(in_play, in_play) }
    }

    /// Whether a position with `in_play` seeds in play can have this gain.
    pub fn has_gain(self, gain: Gain, in_play: u32) -> bool {
        let Interval { lower, upper } = self.gains(in_play);
        lower <= gain && gain <= upper && (gain - lower).0 % self.gain_step().0 == 0
    }

    /// `gain`, or else the next larger one that has the parity of the gains of positions with
    /// `in_play` seeds in play; it may exceed all of them.
    pub fn next_gain(self, gain: Gain, in_play: u32) -> Gain {
        let lower = self.gains(in_play).lower;
        // `%` would yield a negative remainder below the lower bound.
        gain + Gain((lower - gain).0.rem_euclid(self.gain_step().0))
    }
}

/// A variant, and the seeds in each pit at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    variant: Variant,
    seeds: u16,
}

/// `Kalah(6,4) standard`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kalah({},{}) {}", self.pits(), self.seeds, self.capture())
    }
}

/// Error of a board that is too small or too large, or of text that is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError(pub(super) String);

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for BoardError {}

impl Rules {
    /// Rules with `pits` pits per row and `seeds` seeds in each at the start.
    ///
    /// # Errors
    /// [`BoardError`] unless there are 1 to [`MAX_PITS`] pits, at least one seed per
    /// pit and at most [`MAX_SEEDS`] seeds in all.
    pub fn new(pits: u32, seeds: u32, capture: Capture) -> Result<Self, BoardError> {
        let variant = Variant::new(pits as usize, capture)?;
        let limit = MAX_SEEDS / (2 * pits);
        if !(1..=limit).contains(&seeds) {
            return Err(BoardError(format!(
                "expected 1 to {limit} seeds per pit with {pits} pits per row, got {seeds}"
            )));
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
