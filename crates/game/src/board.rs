//! The packed board that searches run on.
//!
//! A board holds only the pits, from the point of view of the player to move: the seeds
//! in the stores never change what can still be won. Passing the turn swaps two words.

use crate::score::{Gain, Turn};

use super::pit::{Landing, Pit, PitSet};
use super::row::Row;
use super::rules::{MAX_PITS, Variant};
use super::sowing::Sowing;

/// The pits of both players, the mover's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board<R> {
    /// The pits of the player to move.
    pub own: R,
    /// The pits of the other player, in that player's sowing order.
    pub opponent: R,
}

/// The result of a sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown<R> {
    /// The board from the point of view of the player who moves next. At the end of the
    /// game the remaining seeds are not swept: see [`Board::final_gain`].
    pub board: Board<R>,
    /// Seeds that went to the mover's store, including captures.
    pub banked: u32,
    /// Who moves next; set even if the game is over.
    pub turn: Turn,
}

impl<R> Sown<R> {
    /// The seeds banked, as the mover's gain.
    #[inline]
    pub fn gain(&self) -> Gain {
        Gain(self.banked as i32)
    }
}

impl<R: Row> Board<R> {
    /// Sows the seeds of `pit`.
    ///
    /// `pit` must hold seeds and the game must not be over: every pit of
    /// [`Board::moves`] qualifies.
    #[inline]
    pub fn sow(self, sowing: &Sowing<R>, pit: Pit) -> Sown<R> {
        let mut count = self.own.count(pit);
        debug_assert!(
            count > 0 && !self.is_over(sowing.variant()),
            "illegal move: pit {pit:?} of {self:?}"
        );
        let Board { mut own, mut opponent } = self;
        let mut banked = 0;
        // Byte rows never hold that many seeds, so the compiler drops this block for them.
        if R::CAPACITY > u32::from(u8::MAX) {
            while count > u32::from(u8::MAX) {
                // The table ends at 255 seeds, so whole laps are sown first. A lap puts one
                // seed into every pit and into the mover's store.
                count -= 2 * sowing.pits() as u32 + 1;
                own = own.plus(sowing.lap);
                opponent = opponent.plus(sowing.lap);
                banked += 1;
            }
            if banked > 0 {
                // Each lap has left one seed in the sown pit; the entry takes out the rest.
                own = own.without(pit).plus(lane(pit, banked + count));
            }
        }
        let entry = sowing.entry(pit, count);
        own = own.plus(entry.own);
        opponent = opponent.plus(entry.opponent);
        banked += u32::from(entry.banked);
        let turn = match entry.landing {
            Landing::Store => Turn::Keeps,
            Landing::Opponent(_) => Turn::Passes,
            Landing::Own(last) => {
                // One seed means that the pit was empty, or that a whole lap ended where it
                // began.
                if own.count(last) == 1 {
                    let opposite = last.opposite(sowing.pits());
                    let captured = opponent.count(opposite);
                    if sowing.variant().captures(captured) {
                        own = own.without(last);
                        opponent = opponent.without(opposite);
                        banked += 1 + captured;
                    }
                }
                Turn::Passes
            }
        };
        let board = match turn {
            Turn::Keeps => Board { own, opponent },
            Turn::Passes => Board { own: opponent, opponent: own },
        };
        Sown { board, banked, turn }
    }

    /// The pits that can be sown under the rules of `variant`; none if the game is over.
    #[inline]
    pub fn moves(self, variant: Variant) -> PitSet {
        // An empty row of the mover's has no pit to sow anyway.
        if variant.is_over(false, self.opponent.is_empty()) {
            PitSet::default()
        } else {
            self.own.occupied()
        }
    }

    /// Whether the game is over under the rules of `variant`.
    #[inline]
    pub fn is_over(self, variant: Variant) -> bool {
        variant.is_over(self.own.is_empty(), self.opponent.is_empty())
    }

    /// The mover's gain when the game is over, from the seeds left in the rows.
    #[inline]
    pub fn final_gain(self, variant: Variant) -> Gain {
        let [own, opponent] = variant.swept([self.own.sum(), self.opponent.sum()]);
        Gain(own as i32 - opponent as i32)
    }

    /// Seeds in the pits of both rows.
    #[inline]
    pub fn in_play(self) -> u32 {
        self.own.sum() + self.opponent.sum()
    }
}

/// A row with seeds in only one pit.
#[cold]
fn lane<R: Row>(pit: Pit, count: u32) -> R {
    let mut counts = [0; MAX_PITS];
    counts[pit.index()] = count as u16;
    R::from_counts(&counts[..R::LANES])
}
