//! The resources of an engine: the transposition table, endgame tables, the network and
//! the opening book. The parameters of its searches are in
//! [`Settings`](super::settings::Settings).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::settings::EvaluationKind;
use super::table_cache::{TableCache, TableSource};
use crate::book::{Book, OpeningListError};
use crate::endgame::{Extent, OtherTables, Tables, TablesError, UnusedLayers, folder};
use crate::evaluation::network::Network;
use crate::evaluation::{Evaluation, FeatureWeights};
use crate::search::transposition::TranspositionTable;
use crate::search::{Limits, MIN_SEARCH_BYTES};
use kalah_game::{Gain, Position, Variant};
use kalah_sys::log;
use kalah_sys::machine::{MemoryError, available_memory, processors, require_address_space};
use kalah_sys::stop::Flag;

/// The source of an engine's endgame tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TablePath {
    /// Tables built in memory. Searches that are limited neither in depth nor in nodes use the
    /// larger tables in the user's cache, if the engine was
    /// [created with one](super::Engine::with_cached_tables).
    #[default]
    Cache,
    /// Only tables built in memory.
    Memory,
    /// A folder that has tables for the current board. On other boards for which it has none,
    /// tables are built in memory.
    Folder(PathBuf),
}

/// The tables, network and book of an engine. Clones share them until one clone is given different
/// ones.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The variant of the engine's position, and so of the endgame tables.
    variant: Variant,
    pub(crate) hash: Arc<TranspositionTable>,
    /// Independent of the user's cache: for reproducible searches, and for all others if the
    /// cache has no larger ones.
    tables: Option<Arc<Tables>>,
    /// The extent of the layers in the user's cache, if it is larger than
    /// [`Resources::built_extent`].
    cached_extent: Option<Extent>,
    /// The tables of that extent, once they have been opened.
    cached_tables: Option<Arc<Tables>>,
    /// Memory for tables that grow in the background, in bytes; 0 for none.
    growth: u64,
    /// The tables that have grown, once they are built.
    grown_tables: Option<Arc<Tables>>,
    /// The layers in the user's cache that cannot be used.
    unused_layers: Option<UnusedLayers>,
    /// Whether to build small tables if none are found.
    pub(super) builds_tables: bool,
    table_path: TablePath,
    /// The folder of the user's tables, whether or not it exists.
    pub(super) user_cache: Option<PathBuf>,
    /// Seeds in play, on 6 pits, of the tables that [`Resources::prepare`] builds.
    table_seeds: u32,
    cache: TableCache,
    /// Replaces the built-in network.
    network: Option<Arc<Network>>,
    /// Replaces the built-in book.
    book: Option<Arc<Book>>,
}

impl Resources {
    /// Seeds in play, on 6 pits, of the endgame tables of a prepared engine; built in
    /// less than a second.
    pub const DEFAULT_TABLE_SEEDS: u32 = 18;

    /// A transposition table of `mebibytes` MiB, no endgame tables, and the built-in
    /// network and book.
    pub(super) fn new(mebibytes: usize, variant: Variant) -> Result<Self, MemoryError> {
        Ok(Self {
            variant,
            hash: reserve_hash(mebibytes)?,
            tables: None,
            cached_extent: None,
            cached_tables: None,
            growth: 0,
            grown_tables: None,
            unused_layers: None,
            builds_tables: false,
            table_path: TablePath::default(),
            user_cache: None,
            table_seeds: Self::DEFAULT_TABLE_SEEDS,
            cache: TableCache::default(),
            network: None,
            book: None,
        })
    }

    /// Changes the variant. The endgame tables of a new variant are read from the table
    /// path, or small ones are built in a few hundredths of a second.
    pub(super) fn set_variant(&mut self, variant: Variant) {
        self.variant = variant;
        match &self.tables {
            Some(tables) if tables.variant() == variant => {}
            _ => self.choose_tables(),
        }
    }

    /// See [`Engine::prepare`](super::Engine::prepare).
    pub(super) fn prepare(&mut self) {
        self.hash.prepare(&Flag::default(), processors()).expect("the flag is never raised");
        self.drop_changed_tables();
        for (extent, source) in self.wanted_tables() {
            self.cache.build(extent, &source, processors());
        }
        self.use_wanted_tables();
        // The built-in book is parsed when it is first used.
        self.book();
    }

    pub(super) fn is_prepared(&self) -> bool {
        self.hash.is_ready() && self.missing_tables().next().is_none()
    }

    /// Uses the endgame tables of [`Resources::prepare`] if they exist, or else starts to
    /// build them in parallel with this search for a later one. A reproducible search does
    /// not start a build: the nodes of the next one would depend on whether it had finished.
    pub(super) fn prepare_in_background(&mut self, limits: &Limits) {
        self.drop_changed_tables();
        if !limits.are_reproducible() {
            for (extent, source) in self.wanted_tables() {
                self.cache.build_in_background(extent, source);
            }
        }
        self.use_wanted_tables();
        if !limits.are_reproducible() {
            self.grow_tables();
        }
    }

    /// See [`Engine::grow_tables`](super::Engine::grow_tables).
    pub(super) fn set_growth(&mut self, bytes: u64) {
        self.growth = bytes;
    }

    /// Lets the largest tables grow in the background, once the wanted ones are built, or frees those
    /// that have grown if others need their memory.
    fn grow_tables(&mut self) {
        self.grown_tables = None;
        if self.growth == 0 || !self.uses_built_tables() || self.missing_tables().next().is_some() {
            return;
        }
        let Some(largest) = self.cached_tables.as_ref().or(self.tables.as_ref()) else { return };
        let Some(grown) = self.cache.grown_from(largest, self.growth) else { return };
        if !leaves_room(grown.bytes_in_memory(), available_memory()) {
            log::info!("freeing the largest endgame tables: little memory is left");
            self.end_growth();
        } else if grown.seeds() > largest.seeds() {
            self.grown_tables = Some(grown);
        }
    }

    fn end_growth(&mut self) {
        self.grown_tables = None;
        self.cache.end_growth();
    }

    /// Reopens the endgame tables whose files another program has changed in place since they were
    /// mapped: probing them could kill the process. Nothing can be done about files that change
    /// during a search.
    pub(super) fn drop_changed_tables(&mut self) {
        self.cache.drop_changed();
        let used = [&self.tables, &self.cached_tables, &self.grown_tables];
        if !used.into_iter().flatten().all(|tables| tables.are_intact()) {
            log::warn!("files of endgame tables have changed; reopening them");
            self.choose_tables();
        }
    }

    /// Frees the endgame tables, so that there is address space for a search.
    pub(super) fn free_tables(&mut self) {
        self.end_growth();
        self.tables = None;
        self.cached_tables = None;
        self.cache.drop_unused(0);
    }

    /// The reason why the endgame tables are smaller than wanted, if they are: layers in the table
    /// path or in the user's cache that cannot be used, or a lack of memory.
    pub fn table_fault(&self) -> Option<Arc<TablesError>> {
        let tables = [&self.cached_tables, &self.tables].into_iter().flatten();
        let in_use = tables.filter_map(|tables| tables.origin().unused.as_ref()).next();
        let unused = in_use.or(self.unused_layers.as_ref());
        match unused {
            Some(unused) => Some(Arc::new(unused.clone().into())),
            None => self.wanted_tables().iter().find_map(|(extent, _)| self.cache.failure(*extent)),
        }
    }

    /// The endgame tables of a search within `limits`.
    pub fn tables(&self, limits: &Limits) -> Option<&Arc<Tables>> {
        let larger = self.grown_tables.as_ref().or(self.cached_tables.as_ref());
        larger.filter(|_| !limits.are_reproducible()).or(self.tables.as_ref())
    }

    /// Whether the endgame tables are built in memory, not read from a folder.
    fn uses_built_tables(&self) -> bool {
        self.builds_tables && !matches!(self.table_path, TablePath::Folder(_))
    }

    /// The user's cache, if it is in use. Its layers are read instead of being built, and
    /// searches that are not reproducible use all of them.
    fn cache_folder(&self) -> Option<&Path> {
        self.user_cache.as_deref().filter(|_| self.table_path == TablePath::Cache)
    }

    /// Makes [`Engine::prepare`](super::Engine::prepare) build endgame tables of the size that
    /// tables of `seeds` seeds in play have on 6 pits.
    pub(super) fn set_table_seeds(&mut self, seeds: u32) {
        self.table_seeds = seeds;
        self.choose_tables();
    }

    /// The endgame tables that [`Engine::prepare`](super::Engine::prepare) still has to read or
    /// build: their seeds in play, and the bytes of memory that building them takes.
    pub(crate) fn missing_tables(&self) -> impl Iterator<Item = (u32, u64)> {
        let wanted = self.wanted_tables().into_iter().map(|(extent, _)| extent);
        let missing = wanted.filter(|&extent| !self.cache.has_tried(extent));
        missing.map(|extent| (extent.seeds(), extent.build_memory()))
    }

    fn built_extent(&self) -> Extent {
        Extent::like_six_pits(self.variant, self.table_seeds)
    }

    /// The endgame tables for reproducible searches, then the cached ones for others.
    fn wanted_tables(&self) -> Vec<(Extent, TableSource)> {
        let mut wanted = Vec::new();
        if self.uses_built_tables() {
            wanted.push((self.built_extent(), self.built_source()));
        }
        if let Some(extent) = self.cached_extent
            && let Some(folder) = self.cache_folder()
        {
            wanted.push((extent, TableSource::Read(folder.to_owned())));
        }
        wanted
    }

    fn built_source(&self) -> TableSource {
        TableSource::Built(self.cache_folder().map(Path::to_owned))
    }

    /// Uses the wanted endgame tables that exist.
    fn use_wanted_tables(&mut self) {
        if !self.uses_built_tables() {
            return;
        }
        // Larger tables that were given stay in use.
        if let Some(built) = self.cache.get(self.built_extent()) {
            match &self.tables {
                Some(used) if used.seeds() >= built.seeds() => {}
                _ => self.tables = Some(built),
            }
        }
        let cached = self.cached_extent.and_then(|extent| self.cache.get(extent));
        // Because of a damaged layer, they may be no larger than the built ones.
        self.cached_tables = cached.filter(|cached| cached.seeds() > self.built_extent().seeds());
    }

    /// Changes where endgame tables are found, on this board and on those set up later.
    ///
    /// # Errors
    /// [`TablesError`] if a folder has no complete tables for the current board; the tables
    /// in use are then kept.
    pub fn set_table_path(&mut self, path: TablePath) -> Result<(), TablesError> {
        if let TablePath::Folder(folder) = &path {
            let tables = Tables::open(folder, self.variant)?.warning_of_unused_layers();
            self.set_tables(Arc::new(tables)).expect("tables opened for this variant");
            self.table_path = path;
        } else {
            self.table_path = path;
            self.choose_tables();
        }
        Ok(())
    }

    /// Uses `tables` until a board of a different variant is set up.
    ///
    /// # Errors
    /// [`OtherTables`] if they are not for the current variant; the tables in use are then kept.
    pub fn set_tables(&mut self, tables: Arc<Tables>) -> Result<(), OtherTables> {
        tables.require_variant(self.variant)?;
        self.tables = Some(tables);
        // Every search uses the given tables, so larger ones are left out.
        self.cached_extent = None;
        self.cached_tables = None;
        self.grown_tables = None;
        Ok(())
    }

    /// Reads the endgame tables in the table path or, if it has none, builds small ones.
    pub(super) fn choose_tables(&mut self) {
        let read = match &self.table_path {
            TablePath::Folder(folder) => Tables::open(folder, self.variant)
                .inspect_err(|error| log::warn!("{error}"))
                .ok()
                .map(|tables| Arc::new(tables.warning_of_unused_layers())),
            TablePath::Cache | TablePath::Memory => None,
        };
        self.tables = read.or_else(|| self.built_tables());
        let built = self.built_extent();
        let (found, unused) = folder::extent_in(self.cache_folder(), built);
        unused.iter().for_each(|unused| log::warn!("{unused}"));
        self.unused_layers = unused;
        // Only their extent is read here; `prepare` or the next search opens the tables.
        self.cached_extent = Some(found).filter(|&found| self.builds_tables && found != built);
        self.cached_tables = None;
        self.grown_tables = None;
    }

    /// The requested endgame tables if they have been built, or else tables small enough to
    /// be built in a few hundredths of a second. None if this engine builds no tables or there
    /// is not enough memory.
    fn built_tables(&self) -> Option<Arc<Tables>> {
        if !self.builds_tables {
            return None;
        }
        let wanted = self.built_extent();
        let small = Extent::small(self.variant);
        let at_once = if small.seeds() < wanted.seeds() { small } else { wanted };
        self.cache.get(wanted).or_else(|| self.cache.build(at_once, &self.built_source(), 1))
    }

    /// The size of the transposition table in MiB.
    pub fn hash(&self) -> usize {
        self.hash.mebibytes
    }

    /// MiB of memory that the transposition table occupies: all of it once it has been
    /// written, none before.
    pub(super) fn written_hash(&self) -> u64 {
        if self.hash.is_written() { self.hash() as u64 } else { 0 }
    }

    /// Replaces the transposition table with an empty one of a different size. Its memory is
    /// allocated when the engine is prepared or searches, after the memory of the old table
    /// has been freed.
    ///
    /// # Errors
    /// If the system refuses the allocation; the old table is then kept.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        // A running search keeps the old table until it ends.
        self.hash = reserve_hash(mebibytes)?;
        Ok(())
    }

    /// Uses `network` instead of the built-in one on boards of its width; `None` restores the
    /// built-in one. The transposition table holds evaluations by the old one, so it is emptied.
    pub(super) fn set_network(&mut self, network: Option<Network>) {
        self.hash.clear_later();
        self.network = network.map(Arc::new);
    }

    pub(super) fn evaluation(&self, kind: EvaluationKind) -> Evaluation<'_> {
        let pits = self.variant.pits();
        match kind {
            EvaluationKind::Stores => Evaluation::Linear(&FeatureWeights::STORES),
            EvaluationKind::Linear => Evaluation::Linear(&FeatureWeights::DEFAULT),
            EvaluationKind::Full => match &self.network {
                Some(given) if given.pits() == pits => Evaluation::Network(given),
                _ => Evaluation::best(pits),
            },
        }
    }

    /// Plays from a list of openings for the current capture rule, given as text; with
    /// `None`, from the built-in book. Results from a list without a checksum do not count
    /// as proved.
    ///
    /// # Errors
    /// [`OpeningListError`] if the text is not such a list; the book in use is then kept.
    pub fn set_book(&mut self, list: Option<&str>) -> Result<(), OpeningListError> {
        let book = list.map(|text| Book::parse(text, self.variant));
        self.book = book.transpose()?.map(Arc::new);
        Ok(())
    }

    pub(super) fn book(&self) -> &Book {
        self.book.as_deref().unwrap_or_else(|| Book::built_in())
    }

    /// The proved margin of a position of the opening book, from its mover's point of
    /// view; none from a list without a checksum.
    pub fn book_margin(&self, position: &Position) -> Option<Gain> {
        self.book().proved_margin(position)
    }
}

/// Whether tables of `bytes` bytes may stay, given the memory that is still available: at least half
/// of theirs.
fn leaves_room(bytes: u64, available: Option<u64>) -> bool {
    match available {
        Some(available) => available >= bytes / 2,
        None => true,
    }
}

/// A transposition table that leaves address space for a search.
fn reserve_hash(mebibytes: usize) -> Result<Arc<TranspositionTable>, MemoryError> {
    let bytes = (mebibytes as u64).saturating_mul(1 << 20);
    require_address_space(bytes.saturating_add(MIN_SEARCH_BYTES))?;
    TranspositionTable::reserve(mebibytes).map(Arc::new)
}
