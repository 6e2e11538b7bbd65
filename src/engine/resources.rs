//! The resources of an engine: the transposition table, endgame tables, the network and
//! the opening book. The parameters of its searches are in
//! [`Settings`](super::settings::Settings).

use std::collections::TryReserveError;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::book::Book;
use super::settings::EvaluationKind;
use super::table_cache::TableCache;
use crate::endgame::{Extent, Tables, TablesError};
use crate::evaluation::network::Network;
use crate::evaluation::{Evaluation, Weights};
use crate::game::score::Gain;
use crate::game::{Position, Variant};
use crate::search::Limits;
use crate::search::table::TranspositionTable;
use crate::sys::machine::processors;
use crate::sys::stop::Flag;

/// The tables, network and book of an engine. Clones share them until one is given others.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The variant of the engine's position, and so of the endgame tables.
    variant: Variant,
    pub(super) hash: Arc<TranspositionTable>,
    pub(super) tables: Option<Arc<Tables>>,
    /// Whether to build small tables if none are found.
    pub(super) builds_tables: bool,
    /// A folder that may hold larger tables than those that are built.
    table_path: Option<PathBuf>,
    /// Seeds in play, on 6 pits, of the tables that [`Resources::prepare`] builds.
    table_seeds: u32,
    cache: TableCache,
    /// Instead of the built-in network.
    network: Option<Arc<Network>>,
    /// Instead of the built-in book.
    book: Option<Arc<Book>>,
}

impl Resources {
    /// Seeds in play, on 6 pits, of the endgame tables of a prepared engine; built in
    /// less than a second.
    pub const DEFAULT_TABLE_SEEDS: u32 = 18;

    /// A transposition table of `mebibytes` MiB, no endgame tables, and the built-in
    /// network and book.
    pub(super) fn new(mebibytes: usize, variant: Variant) -> Result<Self, TryReserveError> {
        Ok(Self {
            variant,
            hash: Arc::new(TranspositionTable::reserve(mebibytes)?),
            tables: None,
            builds_tables: false,
            table_path: None,
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
        if self.tables.as_ref().is_none_or(|tables| tables.variant() != variant) {
            self.choose_tables();
        }
    }

    /// See [`Engine::prepare`](super::Engine::prepare).
    pub(super) fn prepare(&mut self) {
        self.hash.prepare(&Flag::default(), processors()).expect("nothing stops it");
        if self.uses_built_tables() {
            self.cache.build(self.wanted_tables(), processors());
            self.tables = self.built_tables();
        }
    }

    pub(super) fn is_prepared(&self) -> bool {
        self.hash.is_ready()
            && (!self.uses_built_tables() || self.cache.has_tried(self.wanted_tables()))
    }

    /// Uses the endgame tables of [`Resources::prepare`] if they exist, or else starts to
    /// build them in parallel with this search for a later one. A reproducible search does
    /// not start that: the nodes of the next one would depend on whether they were ready.
    pub(super) fn prepare_beside(&mut self, limits: &Limits) {
        if !self.uses_built_tables() {
            return;
        }
        if !limits.are_reproducible() {
            self.cache.build_beside(self.wanted_tables());
        }
        if let Some(built) = self.cache.get(self.wanted_tables())
            && built.seeds() > self.seeds_in_tables()
        {
            self.tables = Some(built);
        }
    }

    /// The maximum number of seeds in play of the endgame tables, which hold all positions
    /// up to it.
    pub(super) fn seeds_in_tables(&self) -> u32 {
        self.tables.as_ref().map_or(0, |tables| tables.seeds())
    }

    /// Whether the endgame tables are built in memory, not read from a table path.
    fn uses_built_tables(&self) -> bool {
        self.builds_tables && self.table_path.is_none()
    }

    /// Sets the size of the endgame tables that [`Engine::prepare`](super::Engine::prepare)
    /// builds to that of `seeds` seeds in play on 6 pits.
    pub fn set_table_seeds(&mut self, seeds: u32) {
        self.table_seeds = seeds;
        self.choose_tables();
    }

    /// The seeds of the endgame tables that [`Resources::prepare`] has to build, and the bytes
    /// for that.
    #[cfg(feature = "cli")]
    pub(crate) fn missing_tables(&self) -> Option<(u32, u64)> {
        let wanted = self.wanted_tables();
        let is_missing = self.uses_built_tables() && !self.cache.has_tried(wanted);
        is_missing.then(|| (wanted.seeds(), wanted.build_memory()))
    }

    fn wanted_tables(&self) -> Extent {
        Extent::like_six_pits(self.variant, self.table_seeds)
    }

    /// Uses the endgame tables in `folder`, on this board and on those set up later, if it
    /// has tables for them; with `None`, small ones built in memory.
    ///
    /// # Errors
    /// [`TablesError`] if the folder has no complete tables for the current board; the
    /// tables in use are then kept.
    pub fn set_table_path(&mut self, folder: Option<&Path>) -> Result<(), TablesError> {
        self.tables = match folder {
            Some(folder) => Some(Arc::new(Tables::open(folder, self.variant)?)),
            None => self.built_tables(),
        };
        self.table_path = folder.map(Path::to_owned);
        Ok(())
    }

    /// Uses `tables` until a board of another variant is set up. Tables of another
    /// variant are ignored.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        if tables.variant() == self.variant {
            self.tables = Some(tables);
        }
    }

    /// Uses the endgame tables in the table path or, if it has none, builds them.
    pub(super) fn choose_tables(&mut self) {
        let read = self.table_path.as_deref().and_then(|folder| {
            let tables = Tables::open(folder, self.variant);
            tables.inspect_err(|error| log::warn!("{error}")).ok().map(Arc::new)
        });
        self.tables = read.or_else(|| self.built_tables());
    }

    /// The requested endgame tables if they have been built, or else tables small enough to
    /// be built in a few hundredths of a second. None if tables are not to be built or there
    /// is not enough memory.
    fn built_tables(&self) -> Option<Arc<Tables>> {
        if !self.builds_tables {
            return None;
        }
        let wanted = self.wanted_tables();
        let small = Extent::small(self.variant);
        let at_once = if small.seeds() < wanted.seeds() { small } else { wanted };
        self.cache.get(wanted).or_else(|| self.cache.build(at_once, 1))
    }

    /// The size of the transposition table in MiB.
    pub fn hash(&self) -> usize {
        self.hash.mebibytes()
    }

    /// MiB of memory that the transposition table occupies: all of it once it has been
    /// written, none before.
    pub(super) fn written_hash(&self) -> usize {
        if self.hash.is_written() { self.hash() } else { 0 }
    }

    /// Replaces the transposition table by an empty one of another size. Its memory is
    /// allocated when the engine is prepared or searches, after that of the old table has
    /// been freed.
    ///
    /// # Errors
    /// If the system refuses the allocation; the old table is then kept.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), TryReserveError> {
        self.hash = Arc::new(TranspositionTable::reserve(mebibytes)?);
        Ok(())
    }

    /// Evaluates boards of the width of `network` by it instead of by the built-in one.
    pub fn set_network(&mut self, network: Option<Network>) {
        self.network = network.map(Arc::new);
    }

    pub(super) fn evaluation(&self, kind: EvaluationKind) -> Evaluation<'_> {
        let pits = self.variant.pits();
        let given = self.network.as_deref().filter(|network| network.pits() == pits);
        match kind {
            EvaluationKind::Stores => Evaluation::Linear(&Weights::STORES),
            EvaluationKind::Linear => Evaluation::Linear(&Weights::DEFAULT),
            EvaluationKind::Full => given.map_or(Evaluation::best(pits), Evaluation::Network),
        }
    }

    /// Plays from a list of openings for the current capture rule, given as text; with
    /// `None`, from the built-in lists. Results from a list without a checksum do not count
    /// as proved.
    ///
    /// # Errors
    /// A message that names the first faulty line, or the checksum that does not match.
    pub fn set_book(&mut self, list: Option<&str>) -> Result<(), String> {
        let book = list.map(|text| Book::parse(text, self.variant.capture()));
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
