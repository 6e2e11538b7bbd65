//! Endgame tables in memory, built once for all engines that share them.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::thread;

use crate::endgame::{BuildError, Extent, Tables, TablesError};
use crate::search::MIN_SEARCH_BYTES;
use kalah_game::Variant;
use kalah_sys::log;
use kalah_sys::machine::{lower_priority, require_address_space};

/// Maximum number of bytes of tables kept for boards that no engine uses. Without a bound, a
/// manager or a server that sets up all boards in turn would fill the memory: 22 boards would
/// take 1.1 GB.
const MAX_UNUSED: u64 = 256 << 20;

/// How tables are obtained.
#[derive(Clone, Debug)]
pub(super) enum TableSource {
    /// Built, except for layers that this folder holds.
    Built(Option<PathBuf>),
    /// Read from this folder; fewer of them if one of its layers is damaged.
    Read(PathBuf),
}

impl TableSource {
    /// Reads or builds tables of `extent`, unless they would leave no address space for a search.
    fn tables(&self, extent: Extent, threads: usize) -> Result<Tables, TablesError> {
        let needed = extent.build_memory() + MIN_SEARCH_BYTES;
        require_address_space(needed).map_err(BuildError::from)?;
        match self {
            Self::Built(folder) => {
                Ok(Tables::read_or_build(folder.as_deref(), extent, threads, &|_| ())?)
            }
            Self::Read(folder) => {
                let tables = Tables::open(folder, extent.variant())?;
                // Headers and lengths were checked, and reported, when the extent was determined.
                let is_new = tables.seeds() < extent.seeds();
                Ok(if is_new { tables.warning_of_unused_layers() } else { tables })
            }
        }
    }
}

/// The tables of one extent, built only once.
#[derive(Debug, Default)]
struct CacheSlot {
    /// Whether they are being built in the background, or have been.
    is_begun: AtomicBool,
    /// The tables, or why there are none.
    tables: OnceLock<Result<Arc<Tables>, Arc<TablesError>>>,
}

impl CacheSlot {
    /// Bytes that dropping this slot would free, because no engine uses its tables.
    fn unused_bytes(&self, extent: Extent) -> u64 {
        match self.tables.get() {
            Some(Ok(tables)) if Arc::strong_count(tables) == 1 => extent.bytes(),
            _ => 0,
        }
    }
}

/// Tables of one variant that become larger in the background.
#[derive(Debug)]
struct Growth {
    variant: Variant,
    /// The largest that are finished.
    tables: Mutex<Option<Arc<Tables>>>,
    /// Whether the thread that builds them has ended.
    is_over: AtomicBool,
}

impl Growth {
    fn tables(&self) -> MutexGuard<'_, Option<Arc<Tables>>> {
        self.tables.lock().expect("nothing panics while the tables are locked")
    }

    /// Whether no thread builds these tables and no engine uses them.
    fn is_abandoned(&self) -> bool {
        let is_used = match &*self.tables() {
            Some(tables) => Arc::strong_count(tables) > 1,
            None => false,
        };
        self.is_over.load(Relaxed) && !is_used
    }
}

/// Whether tables of a cache grow. At most one thread builds them.
#[derive(Debug, Default)]
enum GrowthState {
    #[default]
    NotBegun,
    Begun(Arc<Growth>),
    /// For good, because others need the memory.
    Ended,
}

/// Tables that engines share; a clone shares them too.
#[derive(Clone, Debug, Default)]
pub(super) struct TableCache {
    slots: Arc<Mutex<CacheSlots>>,
    growth: Arc<Mutex<GrowthState>>,
}

/// In the order of their last use, the most recent last.
type CacheSlots = Vec<(Extent, Arc<CacheSlot>)>;

impl TableCache {
    fn slots(&self) -> MutexGuard<'_, CacheSlots> {
        self.slots.lock().expect("nothing panics while the slots are locked")
    }

    fn slot(&self, extent: Extent) -> Arc<CacheSlot> {
        let mut slots = self.slots();
        let used = match slots.iter().position(|(other, _)| *other == extent) {
            Some(index) => slots.remove(index),
            None => (extent, Arc::default()),
        };
        let slot = Arc::clone(&used.1);
        slots.push(used);
        slot
    }

    /// Drops tables that no engine uses, the least recently used first, until the unused ones
    /// that remain take at most `max` bytes.
    pub(super) fn drop_unused(&self, max: u64) {
        let mut slots = self.slots();
        let mut unused: u64 = slots.iter().map(|(extent, slot)| slot.unused_bytes(*extent)).sum();
        slots.retain(|(extent, slot)| {
            let bytes = slot.unused_bytes(*extent);
            let is_kept = bytes == 0 || unused <= max;
            if !is_kept {
                unused -= bytes;
            }
            is_kept
        });
    }

    /// Forgets tables whose files another program has changed in place.
    pub(super) fn drop_changed(&self) {
        self.slots().retain(|(_, slot)| match slot.tables.get() {
            Some(Ok(tables)) => tables.are_intact(),
            _ => true,
        });
    }

    /// The tables of `extent`, if they are built.
    pub(super) fn get(&self, extent: Extent) -> Option<Arc<Tables>> {
        self.slot(extent).tables.get()?.clone().ok()
    }

    /// Why the tables of `extent` could not be built, if they could not.
    pub(super) fn failure(&self, extent: Extent) -> Option<Arc<TablesError>> {
        self.slot(extent).tables.get()?.clone().err()
    }

    /// Whether building the tables of `extent` has ended, with or without success.
    pub(super) fn has_tried(&self, extent: Extent) -> bool {
        self.slot(extent).tables.get().is_some()
    }

    /// The tables of `extent`, read or built on `threads` threads unless an engine has done it;
    /// waits while another engine does it. None if that fails, for example for lack of memory.
    pub(super) fn build(
        &self,
        extent: Extent,
        source: &TableSource,
        threads: usize,
    ) -> Option<Arc<Tables>> {
        // The slots are not locked meanwhile, so that engines on other boards need not wait.
        let slot = self.slot(extent);
        let tables = slot.tables.get_or_init(|| {
            let tables = source.tables(extent, threads);
            tables
                .inspect_err(|error| log::warn!("no endgame tables: {error}"))
                .map(Arc::new)
                .map_err(Arc::new)
        });
        let tables = tables.clone().ok();
        // The clone counts as a use, so the new tables are kept.
        drop(slot);
        self.drop_unused(MAX_UNUSED);
        tables
    }

    fn growth(&self) -> MutexGuard<'_, GrowthState> {
        self.growth.lock().expect("nothing panics while the growth is locked")
    }

    /// The largest tables of this variant that have grown. The first call starts a thread of low
    /// priority, which begins with `tables` and adds layer after layer within `bytes` bytes. Another
    /// variant has its turn once that thread has ended and no engine uses its tables.
    pub(super) fn grown_from(&self, tables: &Arc<Tables>, bytes: u64) -> Option<Arc<Tables>> {
        let mut state = self.growth();
        match &*state {
            GrowthState::Begun(growth) if growth.variant == tables.variant() => {
                return growth.tables().clone();
            }
            GrowthState::Begun(growth) if !growth.is_abandoned() => return None,
            GrowthState::Ended => return None,
            GrowthState::Begun(_) | GrowthState::NotBegun => (),
        }
        let growth = Arc::new(Growth {
            variant: tables.variant(),
            tables: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let growing = Arc::downgrade(&growth);
        *state = GrowthState::Begun(growth);
        let mut tables = Arc::clone(tables);
        let thread = thread::Builder::new().name("growth".to_owned()).spawn(move || {
            lower_priority();
            while let Some(larger) = tables.with_another_layer(bytes)
                && let Some(growth) = growing.upgrade()
            {
                tables = Arc::new(larger);
                *growth.tables() = Some(Arc::clone(&tables));
            }
            drop(tables);
            if let Some(growth) = growing.upgrade() {
                growth.is_over.store(true, Relaxed);
            }
        });
        if let Err(error) = thread {
            log::warn!("endgame tables do not grow: {error}");
        }
        None
    }

    /// Ends the growth of tables for good, and forgets those that have grown.
    pub(super) fn end_growth(&self) {
        *self.growth() = GrowthState::Ended;
    }

    /// Like [`TableCache::build`], but in the background and only once.
    pub(super) fn build_in_background(&self, extent: Extent, source: TableSource) {
        if self.has_tried(extent) || self.slot(extent).is_begun.swap(true, Relaxed) {
            return;
        }
        let cache = self.clone();
        let thread = thread::Builder::new().name("tables".to_owned());
        if let Err(error) = thread.spawn(move || cache.build(extent, &source, 1)) {
            log::warn!("no endgame tables: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::endgame::{Encoding, file_name};
    use kalah_game::{Capture, Variant};

    #[test]
    fn tables_that_no_engine_uses_are_dropped_in_the_order_of_their_last_use() {
        let cache = TableCache::default();
        let [first, second, third, fourth] =
            [3, 2, 4, 5].map(|pits| Extent::small(Variant::new(pits, Capture::Standard).unwrap()));
        let source = TableSource::Built(None);
        let in_use = cache.build(first, &source, 1);
        for extent in [fourth, second, third, fourth] {
            cache.build(extent, &source, 1);
        }
        cache.drop_unused(fourth.bytes());
        assert!(in_use.is_some() && cache.has_tried(first));
        assert!(!cache.has_tried(second) && !cache.has_tried(third) && cache.has_tried(fourth));
        cache.drop_unused(0);
        assert!(cache.has_tried(first) && !cache.has_tried(fourth));
    }

    #[test]
    fn tables_grow_for_one_variant_at_a_time_and_never_again_after_the_end() {
        let cache = TableCache::default();
        let [one, other] = [2, 3].map(|pits| {
            let variant = Variant::new(pits, Capture::Standard).unwrap();
            Arc::new(Tables::build(variant, 4, 1).unwrap())
        });
        let bytes = 1 << 20;
        let wait_for_growth = |tables: &Arc<Tables>| {
            let is_over = |_| {
                cache.grown_from(tables, bytes);
                thread::sleep(Duration::from_millis(5));
                match &*cache.growth() {
                    GrowthState::Begun(growth) => growth.is_over.load(Relaxed),
                    GrowthState::NotBegun | GrowthState::Ended => false,
                }
            };
            assert!((0..12_000).any(is_over), "not over in a minute");
        };
        wait_for_growth(&one);
        let grown = cache.grown_from(&one, bytes).unwrap();
        assert!(grown.seeds() > 10 && grown.bytes_in_memory() <= bytes);
        let built = Tables::build(one.variant(), grown.seeds(), 1).unwrap();
        assert_eq!(grown.checksum(), built.checksum());
        assert!(cache.grown_from(&other, bytes).is_none(), "the first are in use");
        assert!(cache.grown_from(&one, bytes).is_some(), "and stay so");
        drop(grown);
        wait_for_growth(&other);
        assert!(cache.grown_from(&other, bytes).is_some());
        cache.end_growth();
        assert!(cache.grown_from(&one, bytes).is_none());
        assert!(matches!(*cache.growth(), GrowthState::Ended));
    }

    #[test]
    #[cfg(unix)] // Windows refuses to truncate a file that is in use.
    fn only_tables_whose_files_have_changed_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let variant = Variant::new(2, Capture::Standard).unwrap();
        let mapped = Extent::new(variant, 5).unwrap();
        Tables::build_in(folder.path(), mapped, Encoding::Plain, 1, &|_| ()).unwrap();
        let cache = TableCache::default();
        let built = Extent::small(variant);
        cache.build(built, &TableSource::Built(None), 1).unwrap();
        cache.build(mapped, &TableSource::Read(folder.path().to_owned()), 1).unwrap();
        cache.drop_changed();
        assert!(cache.has_tried(built) && cache.has_tried(mapped));
        std::fs::write(folder.path().join(file_name(variant, 5)), "").unwrap();
        cache.drop_changed();
        assert!(cache.has_tried(built) && !cache.has_tried(mapped));
    }
}
