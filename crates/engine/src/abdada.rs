//! The positions being searched, so that a thread can defer a move whose position another
//! thread is searching (ABDADA: Weill, "The ABDADA distributed minimax-search algorithm",
//! ICCA Journal 19(1), 1996; simplified as in Kerrigan, "Simplified ABDADA"). This is not a
//! lock: a lost entry, or one mistaken for another, changes which thread searches what, but
//! never a result.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The keys of the positions being searched, one cell each.
#[derive(Debug)]
pub(crate) struct AbdadaTable {
    /// Each key is in the cell that its high bits choose; 0 is an empty cell.
    cells: Box<[AtomicU64]>,
}

impl AbdadaTable {
    /// Room for `cells` keys at once.
    pub(crate) fn new(cells: usize) -> Self {
        Self { cells: (0..cells).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline]
    fn cell(&self, key: u64) -> &AtomicU64 {
        &self.cells[(key >> 32) as usize % self.cells.len()]
    }

    /// Whether some thread is searching the position with this key.
    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.cell(key).load(Relaxed) == key
    }

    /// Stores a key, which must be well mixed, in place of any other in its cell. Returns
    /// true and stores nothing if another thread is searching the position.
    #[inline]
    pub(crate) fn begin(&self, key: u64) -> bool {
        // Between the load and the store another thread may store the same key: then both
        // search the position, which only costs time.
        let joined = self.contains(key);
        if !joined {
            self.cell(key).store(key, Relaxed);
        }
        joined
    }

    /// Removes a key, unless another one has replaced it.
    #[inline]
    pub(crate) fn end(&self, key: u64) {
        if self.contains(key) {
            self.cell(key).store(0, Relaxed);
        }
    }

    /// Removes all keys: stopped threads leave theirs behind.
    pub(crate) fn clear(&self) {
        self.cells.iter().for_each(|cell| cell.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_until_it_ends_or_is_replaced() {
        let searching = AbdadaTable::new(4);
        let (key, other) = (1 << 32 | 7, 5 << 32 | 7);
        assert!(!searching.begin(key));
        assert!(searching.contains(key) && !searching.contains(other));
        assert!(searching.begin(key), "begun twice");
        assert!(!searching.begin(other));
        searching.end(key);
        assert!(searching.contains(other) && !searching.contains(key));
        searching.end(other);
        assert!(!searching.contains(other));
    }
}
