//! Bounds of a gain that follow from the rules alone, without a search.
//!
//! - With k seeds in play the gain lies between -k and k.
//! - The mover banks one seed for each pit whose number of seeds equals its distance from
//!   the store. If such pits are sown in turn, nearest first, each sowing ends in the store,
//!   which earns an extra turn, and puts seeds only into nearer pits, already sown.
//! - Sowing a pit with more seeds than that passes the store and banks one more.
//! - Under some rules the mover can always bank a seed ([`Variant::always_banked`]).
//!
//! A seed that the mover banks is lost to the opponent, so b of them raise the lower bound
//! from -k to 2 b - k.

use kalah_game::{Board, Gain, Interval, Row, Variant};

/// Bounds for the positions of one variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleBounds<R> {
    /// For each pit, the number of seeds that just reach the store; in lanes without a pit, a
    /// number that those lanes, which are always empty, never hold.
    reaching: R,
    variant: Variant,
}

impl<R: Row> RuleBounds<R> {
    pub(super) fn new(variant: Variant) -> Self {
        let pits = variant.pits();
        let mut counts = vec![127; R::LANES];
        for (lane, count) in counts[..pits].iter_mut().enumerate() {
            *count = (pits - lane) as u16;
        }
        Self { reaching: R::from_counts(&counts), variant }
    }

    /// Bounds of the gain of `board`, which must not be over and has `in_play` seeds in play.
    #[inline]
    pub(super) fn gain(&self, board: Board<R>, in_play: u32) -> Interval<Gain> {
        // The moves that keep the turn come first, nearest the store first. They only add seeds
        // to a pit that passes the store, so one such pit can still be sown afterwards. Following
        // the whole chain of extra turns saved 4 % of the nodes of (6,4) and took 8 % longer.
        let again = board.own.lanes_equal(self.reaching);
        let passing = u32::from(board.own.any_lane_above(self.reaching));
        let banked = (again + passing).max(self.variant.always_banked());
        // The endgame tables could give exact bounds of each row over all contents of the other,
        // but even those answer only one in eight of the questions next to the gain
        // (doc/lab/kalah66.md).
        Interval { lower: self.variant.gain(banked, in_play), ..self.variant.gains(in_play) }
    }
}
