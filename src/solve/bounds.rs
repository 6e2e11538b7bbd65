//! What is certain of a position without looking ahead.
//!
//! With k seeds in play the gain lies between -k and k. The mover banks one
//! seed for each pit that holds as many seeds as it is pits away from the store:
//! sown in turn, the nearest first, each of them ends in the store and spoils
//! none of the others.

use crate::kalah::{Board, Row};
use crate::score::{Gain, Interval};

/// Bounds for the positions with a given number of pits a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<R> {
    /// In each pit, the seeds that just reach the store; elsewhere a number
    /// that no lane holds.
    reaching: R,
}

impl<R: Row> Bounds<R> {
    pub fn new(pits: usize) -> Self {
        let reaching = |lane| if lane < pits { pits - lane } else { 255 };
        let counts: Vec<u16> = (0..R::LANES).map(|lane| reaching(lane) as u16).collect();
        Self { reaching: R::from_counts(&counts) }
    }

    /// Bounds of the gain of `board`, which is not over and has `in_play` seeds.
    #[inline]
    pub fn of(&self, board: Board<R>, in_play: u32) -> Interval<Gain> {
        let in_play = in_play as i32;
        let banked = board.own.lanes_equal(self.reaching) as i32;
        Interval { lower: Gain(2 * banked - in_play), upper: Gain(in_play) }
    }
}
