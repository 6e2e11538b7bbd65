//! Bounds of a gain from the rules alone, without a search.
//!
//! With k seeds in play the gain lies between -k and k. The mover banks one
//! seed for each pit that holds as many seeds as it is pits away from the store:
//! sown in turn, the nearest first, each of them ends in the store and spoils
//! none of the others. A pit with more seeds than that passes the store and banks
//! one more. And where a last seed in an empty pit is always banked, the mover
//! banks one in any case: the occupied pit nearest the store reaches the store
//! or an empty pit.

use crate::game::score::{Gain, Interval};
use crate::game::{Board, Capture, Row, Variant};

/// Bounds for the positions of one variant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<R> {
    /// In each pit, the seeds that just reach the store; elsewhere more than
    /// there are.
    reaching: R,
    /// Seeds that the mover can always bank.
    least: i32,
}

impl<R: Row> Bounds<R> {
    pub(super) fn new(variant: Variant) -> Self {
        let pits = variant.pits();
        let reaching = |lane| if lane < pits { pits - lane } else { 127 };
        let counts: Vec<u16> = (0..R::LANES).map(|lane| reaching(lane) as u16).collect();
        let least = i32::from(variant.capture() == Capture::EmptyCapture);
        Self { reaching: R::from_counts(&counts), least }
    }

    /// Bounds of the gain of `board`, which is not over and has `in_play` seeds.
    #[inline]
    pub(super) fn of(&self, board: Board<R>, in_play: u32) -> Interval<Gain> {
        let in_play = in_play as i32;
        let again = board.own.lanes_equal(self.reaching) as i32;
        let passing = i32::from(board.own.any_lane_above(self.reaching));
        let banked = (again + passing).max(self.least);
        Interval { lower: Gain(2 * banked - in_play), upper: Gain(in_play) }
    }
}
