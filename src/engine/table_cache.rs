//! Endgame tables in memory, built once for all engines that share them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use crate::endgame::{Extent, Tables};

/// Tables by extent; none where building failed.
type Built = HashMap<Extent, Arc<OnceLock<Option<Arc<Tables>>>>>;

/// Tables that engines share; a clone shares them too.
#[derive(Clone, Debug, Default)]
pub(super) struct TableCache(Arc<Mutex<Built>>);

impl TableCache {
    fn cell(&self, extent: Extent) -> Arc<OnceLock<Option<Arc<Tables>>>> {
        let mut built = self.0.lock().expect("entering a cell does not panic");
        Arc::clone(built.entry(extent).or_default())
    }

    /// The tables of `extent`, if they are built.
    pub(super) fn get(&self, extent: Extent) -> Option<Arc<Tables>> {
        self.cell(extent).get().cloned().flatten()
    }

    /// Whether building the tables of `extent` has ended, with or without success.
    pub(super) fn has_tried(&self, extent: Extent) -> bool {
        self.cell(extent).get().is_some()
    }

    /// The tables of `extent`, built by one thread if no engine has yet; waits
    /// while another engine builds them. None if there is no memory.
    pub(super) fn build(&self, extent: Extent) -> Option<Arc<Tables>> {
        let build = || {
            let tables = Tables::build_with(extent, 1, &|_| ());
            tables.inspect_err(|error| log::warn!("no endgame tables: {error}")).ok().map(Arc::new)
        };
        self.cell(extent).get_or_init(build).clone()
    }
}
