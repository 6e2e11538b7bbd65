//! What recent cutoffs say about the order of moves.
//!
//! The order that matters most needs no memory: extra turns first, then
//! captures, then the pits nearest the store. What is learnt here refines it.

use crate::depth::{Depth, Ply};
use crate::game::{MAX_PITS, Pit};

/// Plies that have killers of their own.
const PLIES: usize = 256;
/// Counts of seeds that are told apart; larger ones are taken together.
const COUNTS: usize = 32;

/// Killers and history of one thread.
#[derive(Clone, Debug)]
pub(super) struct Ordering {
    killers: [[Option<Pit>; 2]; PLIES],
    history: [[i32; COUNTS]; MAX_PITS],
}

impl Ordering {
    pub(super) fn new() -> Self {
        Self { killers: [[None; 2]; PLIES], history: [[0; COUNTS]; MAX_PITS] }
    }

    /// Remembers that sowing `count` seeds from `pit` cut off a search of
    /// `depth`, after the moves of `tried` had failed to.
    pub(super) fn reward(
        &mut self,
        ply: Ply,
        depth: Depth,
        best: (Pit, u32),
        tried: impl Iterator<Item = (Pit, u32)>,
    ) {
        let bonus = i32::from(depth.0).pow(2).min(HISTORY_LIMIT / 4);
        self.shift(best, bonus);
        for sowing in tried {
            self.shift(sowing, -bonus);
        }
        let killers = &mut self.killers[usize::from(ply.0) % PLIES];
        if killers[0] != Some(best.0) {
            *killers = [Some(best.0), killers[0]];
        }
    }

    /// Moves a history count toward its limit, the slower the nearer it is.
    fn shift(&mut self, (pit, count): (Pit, u32), bonus: i32) {
        let history = &mut self.history[pit.index()][(count as usize).min(COUNTS - 1)];
        *history += bonus - *history * bonus.abs() / HISTORY_LIMIT;
    }

    /// What cutoffs say for sowing `count` seeds from `pit`, within
    /// [`HISTORY_LIMIT`] of 0.
    #[inline]
    pub(super) fn history(&self, pit: Pit, count: u32) -> i32 {
        self.history[pit.index()][(count as usize).min(COUNTS - 1)]
    }

    /// Whether the pit cut off at this ply lately.
    #[inline]
    pub(super) fn is_killer(&self, ply: Ply, pit: Pit) -> bool {
        self.killers[usize::from(ply.0) % PLIES].contains(&Some(pit))
    }
}

/// The largest size of a history count.
pub(super) const HISTORY_LIMIT: i32 = 1 << 14;
