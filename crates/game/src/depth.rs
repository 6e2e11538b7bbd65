//! Distances in a search tree: remaining depth, and plies from the root. Both count
//! sowings, so an extra turn is a ply like any other.

use core::{fmt, ops};

/// Sowings left to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Depth(pub u16);

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ops::Add for Depth {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl ops::Sub for Depth {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Depth {
    /// The depth of a leaf, which is evaluated.
    pub const ZERO: Self = Self(0);
    /// The depth of a parent of leaves.
    pub const ONE: Self = Self(1);
    /// The depth of the last iteration of an unlimited search.
    pub const MAX: Self = Self(500);

    /// The depth minus `plies`, but at least [`Depth::ZERO`].
    #[inline]
    pub fn reduced(self, plies: u16) -> Self {
        Self(self.0.saturating_sub(plies))
    }
}

/// Sowings made since the root of a search; the root itself is ply 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ply(pub u16);

impl Ply {
    /// The ply after one more sowing.
    #[inline]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}
