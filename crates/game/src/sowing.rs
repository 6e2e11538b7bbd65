//! Tables that turn a sowing into two additions.
//!
//! Sowing n seeds from pit p changes both rows by amounts that depend on p and n alone.
//! [`Sowing`] holds, for each p and n, the change to either row, the seeds that reach
//! the store and where the last seed falls.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::pit::{Landing, Pit};
use super::row::Row;
use super::rules::{MAX_PITS, Variant};

/// The effect of sowing a number of seeds from a pit, apart from captures.
#[derive(Clone, Copy, Debug)]
pub(super) struct SowingDelta<R> {
    /// The change to the mover's row; it takes the sown seeds out of their pit.
    pub own: R,
    /// The change to the opponent's row.
    pub opponent: R,
    /// Seeds that fall into the mover's store.
    pub banked: u8,
    /// Where the last seed falls.
    pub landing: Landing,
}

/// Counts from 0 to 255 have an entry each. For larger ones, on wide rows, whole laps are
/// sown first.
const COUNTS: usize = 256;

/// The sowings of a variant as tables for packed rows of type `R`.
#[derive(Clone, Debug)]
pub struct Sowing<R> {
    entries: Box<[SowingDelta<R>]>,
    /// The change to either row by one lap: a seed in each pit.
    pub(super) lap: R,
    variant: Variant,
}

impl<R: Row> Sowing<R> {
    /// The tables for `variant`.
    ///
    /// # Panics
    /// If `R` has fewer lanes than a row has pits.
    pub fn new(variant: Variant) -> Self {
        let pits = variant.pits();
        assert!(pits <= R::LANES);
        let mut entries = Vec::with_capacity(pits * COUNTS);
        for from in 0..pits {
            Self::push_entries(&mut entries, pits, Pit::new(from));
        }
        Self { entries: entries.into(), lap: R::delta(&vec![1; pits]), variant }
    }

    /// Adds the entries for 0, 1, 2… seeds from one pit. Each adds a seed to the previous one, and
    /// the seeds of a lap are computed once: every search, however short, makes these tables.
    fn push_entries(entries: &mut Vec<SowingDelta<R>>, pits: usize, from: Pit) {
        let places = 2 * pits + 1;
        let lap: Vec<_> =
            (1..=places).map(|seed| Self::one_seed(pits, from, seed as u32)).collect();
        let mut entry = SowingDelta {
            own: R::default(),
            opponent: R::default(),
            banked: 0,
            landing: from.landing(0, pits),
        };
        entries.push(entry);
        for seed in lap.iter().cycle().take(COUNTS - 1) {
            entry.own = entry.own.plus(seed.own);
            entry.opponent = entry.opponent.plus(seed.opponent);
            entry.banked += seed.banked;
            entry.landing = seed.landing;
            entries.push(entry);
        }
    }

    /// The effect of one seed of a sowing, the `seed`-th from 1.
    fn one_seed(pits: usize, from: Pit, seed: u32) -> SowingDelta<R> {
        let mut own = [0; MAX_PITS];
        let mut opponent = [0; MAX_PITS];
        let mut banked = 0;
        // Every sown seed leaves its pit, even one that a lap brings back.
        own[from.index()] -= 1;
        let landing = from.landing(seed, pits);
        match landing {
            Landing::Own(pit) => own[pit.index()] += 1,
            Landing::Store => banked = 1,
            Landing::Opponent(pit) => opponent[pit.index()] = 1,
        }
        SowingDelta {
            own: R::delta(&own[..pits]),
            opponent: R::delta(&opponent[..pits]),
            banked,
            landing,
        }
    }

    /// The entry for `count` seeds, at most 255, from `pit`.
    #[inline]
    pub(super) fn entry(&self, pit: Pit, count: u32) -> &SowingDelta<R> {
        &self.entries[pit.index() * COUNTS + count as usize]
    }

    /// Number of pits in a row, stores not counted.
    #[inline]
    pub fn pits(&self) -> usize {
        self.variant.pits()
    }

    /// The width of the board and the capture rule.
    pub fn variant(&self) -> Variant {
        self.variant
    }
}
