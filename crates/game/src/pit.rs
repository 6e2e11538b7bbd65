//! Sides, pits and sets of pits.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Neg;

use super::rules::MAX_PITS;
use kalah_text::named_enum;

named_enum! {
    /// A player, named after their row.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
    pub enum Side: "side" {
        /// Moves first in a new game. Its pits have capital letters.
        #[default]
        South = "South",
        /// Its pits have small letters.
        North = "North",
    }
}

impl Side {
    /// Both sides in the order of notation, South first.
    pub const BOTH: [Side; 2] = Self::ALL;

    /// Converts a margin from South's point of view to this side's, or back.
    pub fn view_of<V: Neg<Output = V>>(self, margin: V) -> V {
        match self {
            Side::South => margin,
            Side::North => -margin,
        }
    }

    /// The side that plays against this one.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Side::South => Side::North,
            Side::North => Side::South,
        }
    }

    /// 0 for South, 1 for North: the index into pairs of rows and stores.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// The side's letter in the text of a position: `S` or `N`.
    pub fn initial(self) -> char {
        match self {
            Side::South => 'S',
            Side::North => 'N',
        }
    }
}

/// A pit of a row, counted from 0 in its owner's sowing order: pit 0 is
/// farthest from the owner's store. A pit also stands for the move that sows it. It is displayed as
/// its capital letter; parsers accept either case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pit(u8);

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(Side::South), f)
    }
}

impl Pit {
    /// The pit with this index.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_PITS`].
    #[inline]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_PITS, "a row has at most 16 pits");
        Self(index as u8)
    }

    /// The index in the row, from 0.
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The opponent's pit across the board, on rows of `pits` pits.
    #[inline]
    pub fn opposite(self, pits: usize) -> Self {
        Self((pits - 1) as u8 - self.0)
    }

    /// Where seed number `seed` (from 1) of a sowing from this pit falls, on rows of `pits`
    /// pits. A lap passes the sower's row, the sower's store and the opponent's row, but
    /// not the opponent's store.
    #[inline]
    pub fn landing(self, seed: u32, pits: usize) -> Landing {
        // The cycle has no place for the opponent's store.
        match (self.index() + seed as usize) % (2 * pits + 1) {
            place if place < pits => Landing::Own(Self::new(place)),
            place if place == pits => Landing::Store,
            place => Landing::Opponent(Self::new(place - pits - 1)),
        }
    }

    /// The pit's letter: `A`… for South, `a`… for North.
    pub fn letter(self, side: Side) -> char {
        let first = match side {
            Side::South => b'A',
            Side::North => b'a',
        };
        char::from(first + self.0)
    }
}

/// Where a seed falls, from its sower's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// In a pit of the sower's row.
    Own(Pit),
    /// In the sower's store.
    Store,
    /// In a pit of the opponent's row.
    Opponent(Pit),
}

/// A set of pits of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PitSet(pub u16);

impl PitSet {
    /// The number of pits in the set.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set contains no pits.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `pit` is in the set.
    #[inline]
    pub fn contains(self, pit: Pit) -> bool {
        self.0 >> pit.0 & 1 == 1
    }

    /// The set with `pit` added.
    #[inline]
    #[must_use]
    pub fn with(self, pit: Pit) -> Self {
        Self(self.0 | 1 << pit.0)
    }

    /// The set without `pit`.
    #[inline]
    #[must_use]
    pub fn without(self, pit: Pit) -> Self {
        Self(self.0 & !(1 << pit.0))
    }

    /// The pit nearest the store.
    #[inline]
    pub fn nearest(self) -> Option<Pit> {
        // Pits are numbered towards the store: the nearest is the highest bit.
        if self.0 == 0 { None } else { Some(Pit((15 - self.0.leading_zeros()) as u8)) }
    }
}

impl PitSet {
    /// The pits of the set, the farthest from the store first; from the back, the nearest first.
    #[inline]
    pub fn iter(self) -> Pits {
        Pits(self)
    }
}

impl IntoIterator for PitSet {
    type Item = Pit;
    type IntoIter = Pits;

    #[inline]
    fn into_iter(self) -> Pits {
        Pits(self)
    }
}

/// The pits of a [`PitSet`] one by one.
#[derive(Clone, Debug)]
pub struct Pits(PitSet);

impl Iterator for Pits {
    type Item = Pit;

    #[inline]
    fn next(&mut self) -> Option<Pit> {
        let PitSet(bits) = &mut self.0;
        if *bits == 0 {
            return None;
        }
        let pit = Pit(bits.trailing_zeros() as u8);
        *bits &= *bits - 1;
        Some(pit)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl DoubleEndedIterator for Pits {
    #[inline]
    fn next_back(&mut self) -> Option<Pit> {
        let pit = self.0.nearest()?;
        self.0 = self.0.without(pit);
        Some(pit)
    }
}

impl ExactSizeIterator for Pits {}

impl FusedIterator for Pits {}

impl FromIterator<Pit> for PitSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Pit>>(pits: I) -> Self {
        pits.into_iter().fold(Self::default(), Self::with)
    }
}
