//! Boards that threads are searching at this moment, so that others start with
//! something else (Kerrigan, "Simplified ABDADA", after Weill, "The ABDADA
//! distributed minimax-search algorithm", 1996).
//!
//! A hint only: a board that is missed or taken for another costs time, never
//! truth.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::depth::Depth;

/// Where each thread enters the boards that it searches.
#[derive(Debug)]
pub(super) struct Crowd {
    /// Keys, each in the cell that its low bits name; 0: nobody is here.
    cells: Box<[AtomicU64]>,
}

impl Crowd {
    /// Shallower searches are over before anybody could look.
    pub(super) const LEAST_DEPTH: Depth = Depth(3);
    const CELLS: usize = 1 << 12;

    pub(super) fn new() -> Self {
        Self { cells: (0..Self::CELLS).map(|_| AtomicU64::new(0)).collect() }
    }

    fn cell(&self, key: u64) -> &AtomicU64 {
        &self.cells[key as usize % Self::CELLS]
    }

    /// Whether another thread seems to be searching the board with this key.
    #[inline]
    pub(super) fn is_searched(&self, key: u64) -> bool {
        self.cell(key).load(Relaxed) == key
    }

    #[inline]
    pub(super) fn enter(&self, key: u64) {
        self.cell(key).store(key, Relaxed);
    }

    #[inline]
    pub(super) fn leave(&self, key: u64) {
        if self.is_searched(key) {
            self.cell(key).store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_left_is_not_found() {
        let crowd = Crowd::new();
        crowd.enter(5);
        assert!(crowd.is_searched(5) && !crowd.is_searched(5 + Crowd::CELLS as u64));
        crowd.enter(5 + Crowd::CELLS as u64);
        crowd.leave(5);
        assert!(crowd.is_searched(5 + Crowd::CELLS as u64));
        crowd.leave(5 + Crowd::CELLS as u64);
        assert!(!crowd.is_searched(5 + Crowd::CELLS as u64));
    }
}
