//! Endgame tables in memory, built once for all engines that share them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread;

use crate::endgame::{Extent, Tables};

/// Maximum number of bytes of tables kept for boards that no engine uses. Without a bound, a
/// manager or a server that sets up all boards in turn would fill the memory.
const MAX_UNUSED: u64 = 256 << 20;

/// The tables of one extent, built only once.
#[derive(Debug, Default)]
struct Cell {
    /// Whether they are being built in the background, or have been.
    is_begun: AtomicBool,
    /// None if building failed.
    tables: OnceLock<Option<Arc<Tables>>>,
}

impl Cell {
    /// Bytes that dropping this cell would free, because no engine uses its tables.
    fn unused_bytes(&self, extent: Extent) -> u64 {
        match self.tables.get() {
            Some(Some(tables)) if Arc::strong_count(tables) == 1 => extent.positions(),
            _ => 0,
        }
    }
}

/// Tables that engines share; a clone shares them too.
#[derive(Clone, Debug, Default)]
pub(super) struct TableCache(Arc<Mutex<Cells>>);

/// In the order of their last use, the latest last.
type Cells = Vec<(Extent, Arc<Cell>)>;

impl TableCache {
    fn cells(&self) -> MutexGuard<'_, Cells> {
        self.0.lock().expect("nothing panics while the cells are locked")
    }

    fn cell(&self, extent: Extent) -> Arc<Cell> {
        let mut cells = self.cells();
        let index = cells.iter().position(|(other, _)| *other == extent);
        let used = index.map_or_else(|| (extent, Arc::default()), |index| cells.remove(index));
        let cell = Arc::clone(&used.1);
        cells.push(used);
        cell
    }

    /// Drops tables that no engine uses, those used longest ago first, until the rest of
    /// them takes at most `max` bytes.
    fn drop_unused(&self, max: u64) {
        let mut cells = self.cells();
        let mut unused: u64 = cells.iter().map(|(extent, cell)| cell.unused_bytes(*extent)).sum();
        cells.retain(|(extent, cell)| {
            let bytes = cell.unused_bytes(*extent);
            let is_kept = bytes == 0 || unused <= max;
            if !is_kept {
                unused -= bytes;
            }
            is_kept
        });
    }

    /// The tables of `extent`, if they are built.
    pub(super) fn get(&self, extent: Extent) -> Option<Arc<Tables>> {
        self.cell(extent).tables.get().cloned().flatten()
    }

    /// Whether building the tables of `extent` has ended, with or without success.
    pub(super) fn has_tried(&self, extent: Extent) -> bool {
        self.cell(extent).tables.get().is_some()
    }

    /// The tables of `extent`, built by `threads` threads unless an engine has built them;
    /// waits while another engine does. Layers that `folder` has are read instead. None if
    /// there is no memory.
    pub(super) fn build(
        &self,
        extent: Extent,
        folder: Option<&Path>,
        threads: usize,
    ) -> Option<Arc<Tables>> {
        let cell = self.cell(extent);
        let tables = cell.tables.get_or_init(|| {
            let tables = Tables::read_or_build(folder, extent, threads, &|_| ());
            tables.inspect_err(|error| log::warn!("no endgame tables: {error}")).ok().map(Arc::new)
        });
        let tables = tables.clone();
        // The new tables are in use here, and so are kept.
        drop(cell);
        self.drop_unused(MAX_UNUSED);
        tables
    }

    /// As [`TableCache::build`], in the background and once.
    pub(super) fn build_beside(&self, extent: Extent, folder: Option<&Path>) {
        if self.has_tried(extent) || self.cell(extent).is_begun.swap(true, Relaxed) {
            return;
        }
        let (cache, folder) = (self.clone(), folder.map(Path::to_owned));
        let thread = thread::Builder::new().name("tables".to_owned());
        if let Err(error) = thread.spawn(move || cache.build(extent, folder.as_deref(), 1)) {
            log::warn!("no endgame tables: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Capture, Variant};

    #[test]
    fn tables_that_no_engine_uses_are_dropped_in_the_order_of_their_last_use() {
        let cache = TableCache::default();
        let [first, second, third] =
            [3, 4, 5].map(|pits| Extent::small(Variant::new(pits, Capture::Standard).unwrap()));
        let in_use = cache.build(first, None, 1);
        for extent in [third, second, third] {
            cache.build(extent, None, 1);
        }
        cache.drop_unused(third.positions());
        assert!(in_use.is_some() && cache.has_tried(first));
        assert!(!cache.has_tried(second) && cache.has_tried(third));
        cache.drop_unused(0);
        assert!(cache.has_tried(first) && !cache.has_tried(third));
    }
}
