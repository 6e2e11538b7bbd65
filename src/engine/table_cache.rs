//! Endgame tables in memory, built once for all engines that share them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use crate::endgame::{Extent, Tables};

/// Tables of one extent, which are built once.
#[derive(Debug, Default)]
struct Cell {
    /// Whether a thread of their own builds them, or has.
    is_begun: AtomicBool,
    /// None if building failed.
    tables: OnceLock<Option<Arc<Tables>>>,
}

/// Tables that engines share; a clone shares them too.
#[derive(Clone, Debug, Default)]
pub(super) struct TableCache(Arc<Mutex<HashMap<Extent, Arc<Cell>>>>);

impl TableCache {
    fn cell(&self, extent: Extent) -> Arc<Cell> {
        let mut built = self.0.lock().expect("entering a cell does not panic");
        Arc::clone(built.entry(extent).or_default())
    }

    /// The tables of `extent`, if they are built.
    pub(super) fn get(&self, extent: Extent) -> Option<Arc<Tables>> {
        self.cell(extent).tables.get().cloned().flatten()
    }

    /// Whether building the tables of `extent` has ended, with or without success.
    pub(super) fn has_tried(&self, extent: Extent) -> bool {
        self.cell(extent).tables.get().is_some()
    }

    /// The tables of `extent`, built by so many threads if no engine has yet; waits
    /// while another engine builds them. None if there is no memory.
    pub(super) fn build(&self, extent: Extent, threads: usize) -> Option<Arc<Tables>> {
        let build = || {
            let tables = Tables::build_extent(extent, threads);
            tables.inspect_err(|error| log::warn!("no endgame tables: {error}")).ok().map(Arc::new)
        };
        self.cell(extent).tables.get_or_init(build).clone()
    }

    /// Whether a thread of their own builds the tables of `extent`, or has.
    #[cfg(test)]
    pub(super) fn is_begun(&self, extent: Extent) -> bool {
        self.cell(extent).is_begun.load(Relaxed)
    }

    /// Has the tables of `extent` built by a thread of their own, if none does yet.
    pub(super) fn build_beside(&self, extent: Extent) {
        if self.has_tried(extent) || self.cell(extent).is_begun.swap(true, Relaxed) {
            return;
        }
        let cache = self.clone();
        let thread = thread::Builder::new().name("tables".to_owned());
        if let Err(error) = thread.spawn(move || cache.build(extent, 1)) {
            log::warn!("no endgame tables: {error}");
        }
    }
}
