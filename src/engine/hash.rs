//! The engine's transposition table, whose memory is reserved at once and written
//! when it is first needed: to write gigabytes takes seconds, in which a session
//! should answer.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::search::table::{Reserved, TranspositionTable};
use crate::sys::machine::processors;

/// A transposition table that may still have to be written or cleared.
#[derive(Debug)]
pub(super) struct Hash {
    mebibytes: usize,
    /// Until the table is made of it.
    reserved: Mutex<Option<Reserved>>,
    table: OnceLock<TranspositionTable>,
    /// Whether entries are to be removed before the next use.
    is_stale: AtomicBool,
}

impl Hash {
    /// # Errors
    /// If the system refuses the allocation.
    pub(super) fn new(mebibytes: usize) -> Result<Self, TryReserveError> {
        let reserved = Reserved::new(mebibytes)?;
        Ok(Self {
            mebibytes: reserved.mebibytes(),
            reserved: Mutex::new(Some(reserved)),
            table: OnceLock::new(),
            is_stale: AtomicBool::new(false),
        })
    }

    pub(super) fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Removes all entries before the next use.
    pub(super) fn clear(&self) {
        self.is_stale.store(self.is_written(), Relaxed);
    }

    /// Whether the reserved memory was written.
    pub(super) fn is_written(&self) -> bool {
        self.table.get().is_some()
    }

    /// Whether [`Hash::table`] returns at once.
    pub(super) fn is_ready(&self) -> bool {
        self.is_written() && !self.is_stale.load(Relaxed)
    }

    /// The table, written and cleared by all processors where it has to be.
    pub(super) fn table(&self) -> &TranspositionTable {
        let table = self.table.get_or_init(|| {
            let mut reserved = self.reserved.lock().unwrap_or_else(PoisonError::into_inner);
            reserved.take().expect("only here it is taken, once").zeroed(processors())
        });
        if self.is_stale.swap(false, Relaxed) {
            table.clear(processors());
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_written_and_entries_are_removed_when_the_table_is_next_needed() {
        let hash = Hash::new(1).unwrap();
        assert!(!hash.is_ready(), "reserved only");
        hash.clear();
        hash.table();
        assert!(hash.is_ready());
        hash.clear();
        assert!(!hash.is_ready(), "not cleared yet");
        hash.table();
        assert!(hash.is_ready());
    }
}
