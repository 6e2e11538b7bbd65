//! The engine's transposition table, whose memory is reserved at once and written
//! when it is first needed: to write gigabytes takes seconds, in which a session
//! should answer.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::search::table::{Reserved, TranspositionTable};
use crate::sys::machine::processors;
use crate::sys::stop::{Flag, Stopped};

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
        self.table_unless(&Flag::default()).expect("nothing stops it")
    }

    /// As [`Hash::table`].
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised before the table is ready.
    pub(super) fn table_unless(&self, stop: &Flag) -> Result<&TranspositionTable, Stopped> {
        let mut reserved = self.reserved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(memory) = reserved.take() {
            match memory.zeroed_unless(stop, processors()) {
                Ok(table) => drop(self.table.set(table)),
                Err(memory) => *reserved = Some(memory),
            }
        }
        let table = self.table.get().ok_or(Stopped)?;
        if self.is_stale.load(Relaxed) {
            table.clear(stop, processors())?;
            self.is_stale.store(false, Relaxed);
        }
        Ok(table)
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

    #[test]
    fn a_stop_ends_the_wait_for_a_table_that_can_be_had_later() {
        let (hash, stop) = (Hash::new(1).unwrap(), Flag::default());
        stop.raise();
        assert_eq!(hash.table_unless(&stop).err(), Some(Stopped));
        assert!(!hash.is_written());
        hash.table();
        hash.clear();
        assert_eq!(hash.table_unless(&stop).err(), Some(Stopped));
        assert!(hash.is_written() && !hash.is_ready());
    }
}
