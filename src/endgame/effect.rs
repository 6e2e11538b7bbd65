//! What a sowing does, as far as the sown row alone tells.
//!
//! Which seeds are banked, spilled into the opponent's row or left in the own
//! one depends on the sown row only; so does where the last seed falls. The
//! opponent's row matters for a capture, and there through one pit.

use super::rank::{Counts, Ranks, sum};

/// How a sowing ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum End {
    /// In the store: the mover moves again.
    Keeps,
    /// Without a capture: the opponent moves.
    Passes,
    /// In the own pit of this index, empty before: a capture if the rule and
    /// the opposite pit allow it.
    Captures(usize),
}

/// The part of a sowing that both rows must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Effect {
    /// Seeds sown into the opponent's row.
    pub spilled: u32,
    /// Seeds sown into the store; captured ones are not counted.
    pub banked: u32,
    pub end: End,
}

impl Effect {
    /// Leaves store and opponent alone.
    pub const QUIET: Self = Self { spilled: 0, banked: 0, end: End::Passes };

    /// What is left of `seeds` in the mover's row. A capture takes away the
    /// capturing seed.
    pub fn own_seeds(self, seeds: u32) -> u32 {
        seeds - self.spilled - self.banked - u32::from(matches!(self.end, End::Captures(_)))
    }

    /// The opponent's row after the spill: every pit has its share, those
    /// farthest from the opponent's store first.
    pub fn spill(self, row: &Counts, pits: usize) -> Counts {
        let (all, some) = (self.spilled as usize / pits, self.spilled as usize % pits);
        let mut row = *row;
        for (index, count) in row[..pits].iter_mut().enumerate() {
            *count += (all + usize::from(index < some)) as u8;
        }
        row
    }

    /// Whether this ending in an own empty pit captures nothing and leaves the
    /// seed where it is, given the seeds opposite.
    pub fn settles(self, opposite: u8, captures_nothing: bool) -> bool {
        opposite == 0 && !captures_nothing
    }
}

/// A sowing of one row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sowing {
    pub effect: Effect,
    /// The rank of the mover's row afterwards, the capturing seed taken away.
    pub rank: usize,
    /// The same with that seed left in its pit, should it capture nothing.
    pub settled: usize,
}

impl Sowing {
    /// Sows pit `from` of `row`; `None` if it is empty.
    pub fn new(ranks: &Ranks, row: &Counts, from: usize) -> Option<Self> {
        let pits = ranks.pits();
        let mut row = *row;
        let seeds = std::mem::take(&mut row[from]);
        if seeds == 0 {
            return None;
        }
        let (mut spilled, mut banked) = (0, 0);
        let mut place = from;
        for _ in 0..seeds {
            place = (place + 1) % (2 * pits + 1);
            if place < pits {
                row[place] += 1;
            } else if place == pits {
                banked += 1;
            } else {
                spilled += 1;
            }
        }
        let end = match place {
            _ if place == pits => End::Keeps,
            _ if place < pits && row[place] == 1 => End::Captures(place),
            _ => End::Passes,
        };
        let settled = ranks.rank_counts(&row);
        let rank = if let End::Captures(pit) = end {
            row[pit] = 0;
            ranks.rank_counts(&row)
        } else {
            settled
        };
        debug_assert!(sum(&row) <= ranks.seeds());
        Some(Self { effect: Effect { spilled, banked, end }, rank, settled })
    }
}
