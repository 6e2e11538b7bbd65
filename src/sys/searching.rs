//! Which positions other threads are searching, so that a thread can defer a
//! move whose position another one is searching (ABDADA: Weill, "The ABDADA distributed
//! minimax-search algorithm", ICCA Journal 19(1), 1996; simplified as Kerrigan,
//! "Simplified ABDADA"). It is not a lock: a lost entry, or one taken for another,
//! changes which thread searches what, never a result.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The keys of the positions being searched, one cell each.
#[derive(Debug)]
pub struct CurrentlySearching {
    /// Each key in the cell that its high bits name; 0 is an empty cell.
    cells: Box<[AtomicU64]>,
}

impl CurrentlySearching {
    /// Room for `cells` keys at once.
    pub fn new(cells: usize) -> Self {
        Self { cells: (0..cells).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline]
    fn cell(&self, key: u64) -> &AtomicU64 {
        &self.cells[(key >> 32) as usize % self.cells.len()]
    }

    /// Whether some thread is searching the position with this key.
    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        self.cell(key).load(Relaxed) == key
    }

    /// Enters a key, which must be well mixed, in place of any other in its cell.
    /// Returns true, and enters nothing, if another thread is searching the position.
    #[inline]
    pub fn begin(&self, key: u64) -> bool {
        let joined = self.contains(key);
        if !joined {
            self.cell(key).store(key, Relaxed);
        }
        joined
    }

    /// Removes a key, unless another one has replaced it.
    #[inline]
    pub fn end(&self, key: u64) {
        if self.contains(key) {
            self.cell(key).store(0, Relaxed);
        }
    }

    /// Removes all keys: stopped threads leave theirs behind.
    pub fn clear(&self) {
        self.cells.iter().for_each(|cell| cell.store(0, Relaxed));
    }
}
