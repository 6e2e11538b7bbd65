//! The conditions a comparison on Kalah is made under.

use std::fmt;
use std::str::FromStr;

use crate::sys::names::UnknownName;

/// What an extra turn costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExtraTurns {
    /// A whole turn of several sowings is one move.
    #[default]
    Compound,
    /// Each sowing is a move; the same side may be to move again.
    Ply,
    /// Each sowing is a move, and one that earns an extra turn costs no depth.
    Free,
}

impl ExtraTurns {
    /// Every treatment.
    pub const ALL: [Self; 3] = [Self::Compound, Self::Ply, Self::Free];

    /// Its name in options and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compound => "compound",
            Self::Ply => "ply",
            Self::Free => "free",
        }
    }

    /// Whether sides alternate from each move to the next.
    pub fn alternates(self) -> bool {
        self == Self::Compound
    }
}

/// In which order children are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// The pit farthest from the store first.
    #[default]
    Far,
    /// The pit nearest to the store first.
    Near,
    /// Shuffled; the seed and the position after the move decide.
    Random(u64),
    /// The best evaluation after the move first, ties as in `Far`; on the last
    /// move before the frontier, where it would cost what it saves, as `Far`.
    Static,
}

impl Order {
    /// Its name in options and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Far => "far",
            Self::Near => "near",
            Self::Random(_) => "random",
            Self::Static => "static",
        }
    }
}

impl FromStr for ExtraTurns {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|treatment| treatment.name() == text);
        found.ok_or_else(|| {
            UnknownName::new("treatment of extra turns", Self::ALL.map(Self::name), text)
        })
    }
}

impl fmt::Display for ExtraTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
