//! The engine from its user's point of view: a position, options, and a search to start
//! and stop.
//!
//! [`Engine::best_move`] is the simplest search, [`Engine::search`] reports progress, and
//! [`Engine::go`] runs in the background.
//!
//! ```text
//! settings      parameters of searches
//! resources     the transposition table, endgame tables, network and book
//! table_cache   endgame tables in memory, shared by engines
//! delays        time lost outside the searches
//! prover        a solver running alongside a search
//! search        from a call to its result: the book, a search, a proof
//! options       all options by name, for protocols
//! ```
//!
//! This file holds the state of an engine, and two types that refer to the engine and belong to
//! it: its options, and the [`Searcher`] that it can be given in place of its own search.

mod delays;
pub(crate) mod options;
mod prover;
mod resources;
pub(crate) mod search;
mod settings;
mod table_cache;

use std::any::Any;
use std::error::Error;
use std::fmt::Debug;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::endgame::folder;
use crate::evaluation::Evaluation;
use crate::search::{Limits, SearchEvent, SearchResult, Stack, Stopper};
use kalah_game::{Position, Rules};
use kalah_sys::machine::MemoryError;

use delays::Delays;
use prover::LastProver;

pub use resources::{Resources, TablePath};
pub use settings::{EvaluationKind, Settings};

/// A Kalah engine. Its clones share its [`Resources`].
#[derive(Clone, Debug)]
pub struct Engine {
    rules: Rules,
    position: Position,
    settings: Settings,
    resources: Resources,
    /// The stack of the thread that calls [`Engine::run`].
    stack: Stack,
    /// Algorithms that can replace the engine's own search.
    searcher: Option<Box<dyn Searcher>>,
    /// Set by [`Engine::set_seed`]; changes with each search.
    seed: u64,
    last_prover: LastProver,
    /// The delays of the current game, since the last [`Engine::new_game`].
    delays: Arc<Mutex<Delays>>,
}

impl Engine {
    /// The size of a new engine's transposition table, in MiB.
    pub const DEFAULT_HASH: usize = 64;

    /// An engine at the start position of (6,4), with [`Engine::DEFAULT_HASH`]
    /// MiB for the transposition table.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn new() -> Result<Self, MemoryError> {
        Self::with_hash(Self::DEFAULT_HASH)
    }

    /// An engine with a transposition table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn with_hash(mebibytes: usize) -> Result<Self, MemoryError> {
        Self::with_tables(mebibytes, None)
    }

    /// Like [`Engine::with_hash`], but searches that are limited neither in depth nor in nodes
    /// also use the larger endgame tables that `kalah tables cache` has built for the user.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn with_cached_tables(mebibytes: usize) -> Result<Self, MemoryError> {
        Self::with_tables(mebibytes, folder::cache())
    }

    fn with_tables(mebibytes: usize, user_cache: Option<PathBuf>) -> Result<Self, MemoryError> {
        let mut engine = Self::without_tables(mebibytes)?;
        engine.resources.builds_tables = true;
        engine.resources.user_cache = user_cache;
        engine.resources.choose_tables();
        Ok(engine)
    }

    /// An engine with a transposition table of `mebibytes` MiB that builds no endgame
    /// tables: quick to create.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn without_tables(mebibytes: usize) -> Result<Self, MemoryError> {
        let rules = Rules::default();
        let position = Position::start(rules);
        Ok(Self {
            rules,
            position,
            settings: Settings::default(),
            resources: Resources::new(mebibytes, position.variant())?,
            stack: Stack::Usual,
            searcher: None,
            seed: 0,
            last_prover: LastProver::default(),
            delays: Arc::default(),
        })
    }

    /// An engine with the same options and the same memory for its transposition table that shares
    /// nothing that a search changes: no table, no solver and no measured delays. It shares the
    /// endgame tables, the network and the book, so that any number of engines in one process hold
    /// these in memory only once.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn sibling(&self) -> Result<Self, MemoryError> {
        let mut engine = self.clone();
        engine.resources.set_hash(self.resources.hash())?;
        engine.last_prover = LastProver::default();
        engine.delays = Arc::default();
        Ok(engine)
    }

    /// The rules of the start position. [`Engine::set_position`] does not change them.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rules and sets up their start position.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.set_position(Position::start(rules));
    }

    /// The position from which the next search starts.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the position from which the next search starts. If its variant differs, this
    /// reads the endgame tables in the table path, or builds small ones in a few hundredths
    /// of a second.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
        self.resources.set_variant(position.variant());
        if let Some(searcher) = &mut self.searcher {
            searcher.prepare(&position);
        }
    }

    /// Gives the engine algorithms that its options can select in place of its own search.
    #[must_use]
    pub fn with_searcher(mut self, mut searcher: impl Searcher) -> Self {
        searcher.prepare(&self.position);
        self.searcher = Some(Box::new(searcher));
        self
    }

    /// The searcher that the engine was given, if it is an `S`, and the current position.
    pub fn searcher_mut<S: Searcher>(&mut self) -> Option<(&mut S, &Position)> {
        // Found by its type, because only the crate that provides a searcher knows its options.
        let searcher: &mut dyn Any = self.searcher.as_deref_mut()?;
        Some((searcher.downcast_mut()?, &self.position))
    }

    /// Performs expensive initialisation, so that no search has to do it on its clock: builds
    /// the endgame tables with which the engine plays best, in less than a second, reads the
    /// book, and writes or clears the transposition table, at about 4 GiB per second per processor.
    /// Without this call, the first search waits for the last two and uses smaller endgame tables;
    /// unless depth or nodes limit that search, the larger ones are built in parallel for later
    /// searches.
    pub fn prepare(&mut self) {
        self.resources.prepare();
    }

    /// Lets the endgame tables grow while the engine plays, layer by layer, in up to `bytes` bytes of
    /// memory. The first search limited neither in depth nor in nodes that finds the other tables built
    /// starts a thread, on Linux one of the lowest priority, and later searches of this kind use
    /// what it has built. If such a search finds that less memory is available than half of theirs,
    /// they are freed and grow no more.
    pub fn grow_tables(&mut self, bytes: u64) {
        self.resources.set_growth(bytes);
    }

    /// Whether [`Engine::prepare`] has no table left to build, write or clear.
    pub fn is_prepared(&self) -> bool {
        self.resources.is_prepared()
    }

    /// The settings of the next search.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings of the next search.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The tables, network and book of the next search.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Changes the tables, network or book of the next search.
    pub fn resources_mut(&mut self) -> &mut Resources {
        &mut self.resources
    }

    /// Seeds the random errors of a weaker skill and the choice among equal moves of
    /// the book, for reproducible games.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Makes the next search start with an empty transposition table, and forgets the delays that
    /// the clocks of the last game revealed.
    pub fn new_game(&mut self) {
        self.resources.hash.clear_later();
        self.delays = Arc::default();
    }

    /// The evaluation of the next search.
    pub fn evaluation(&self) -> Evaluation<'_> {
        self.resources.evaluation(self.settings.evaluation)
    }
}

/// A search for a [`Searcher`]: what the engine passes on.
#[derive(Clone, Copy, Debug)]
pub struct SearchQuery<'a> {
    /// The position at the root.
    pub position: &'a Position,
    /// The search ends at the first of these.
    pub limits: Limits,
    /// Time lost between the engine and the clock on each sowing.
    pub overhead: Duration,
    /// Seed of random orders and random games; differs from search to search.
    pub seed: u64,
}

/// Search algorithms, of which options select at most one.
pub trait Searcher: Any + Debug + Send + Sync {
    /// The options, which are listed after the engine's own. Their setters reach the searcher
    /// through [`Engine::searcher_mut`](crate::Engine::searcher_mut).
    fn options(&self) -> &'static [EngineOption];

    /// Does expensive work for a position that has been set, before a clock runs.
    fn prepare(&mut self, position: &Position);

    /// Whether an algorithm is selected. Otherwise the engine's own search runs.
    fn is_selected(&self) -> bool;

    /// Searches in the calling thread, which has a deep stack, with the selected algorithm;
    /// `report` receives each finished iteration.
    fn search(
        &self,
        query: SearchQuery<'_>,
        stopper: &Stopper,
        report: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> SearchResult;

    /// A copy, for the clones of its engine.
    fn boxed_clone(&self) -> Box<dyn Searcher>;
}

impl Clone for Box<dyn Searcher> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

/// An option that can be listed and set.
#[derive(Clone, Debug)]
pub struct EngineOption {
    /// Matched without regard to case.
    pub name: &'static str,
    /// Its type, default, range and setter.
    pub kind: OptionKind,
    /// Its purpose, in one lower-case line.
    pub doc: &'static str,
    /// What a session with a remote manager may do with it.
    pub restriction: Restriction,
}

/// How sessions with remote managers may use an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restriction {
    /// As in any other session.
    Free,
    /// Up to the largest hash table.
    Hash,
    /// Up to the largest number of threads.
    Threads,
    /// Up to the largest endgame tables.
    TableSeeds,
    /// Not at all, because its memory has no bound. Options that name files need no mark.
    Withheld,
}

/// The reason why an option refuses a value: the error of the underlying setting, which does not
/// name the option.
pub type RefusedValue = Box<dyn Error + Send + Sync>;

/// The five types of options in UCI, each with the default of a new engine, the values
/// that are accepted, and a setter for one of them.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields mean the same in every type")]
pub enum OptionKind {
    /// A switch, `true` or `false`.
    Check { default: bool, set: fn(&mut Engine, bool) -> Result<(), RefusedValue> },
    /// A whole number within `range`.
    Spin {
        default: u32,
        range: RangeInclusive<u32>,
        set: fn(&mut Engine, u32) -> Result<(), RefusedValue>,
    },
    /// One of several words or, if `open`, one of them with a suffix.
    Combo {
        default: &'static str,
        choices: fn() -> Vec<&'static str>,
        open: bool,
        set: fn(&mut Engine, &str) -> Result<(), RefusedValue>,
    },
    /// An action without a value.
    Button { press: fn(&mut Engine) },
    /// Any text, which the setter parses; empty in a new engine.
    Text { set: fn(&mut Engine, &str) -> Result<(), RefusedValue> },
    /// A text that names a file or a folder on the engine's machine.
    File { set: fn(&mut Engine, &str) -> Result<(), RefusedValue> },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::{Encoding, Extent, Tables, file_name};

    /// Whether two engines would search with the same endgame tables in memory.
    fn share_tables(one: &Engine, other: &Engine) -> bool {
        let [one, other] = [one, other].map(|engine| engine.resources.tables(&Limits::default()));
        one.zip(other).is_some_and(|(one, other)| Arc::ptr_eq(one, other))
    }

    #[test]
    fn siblings_share_tables_and_nothing_that_a_search_changes() {
        let prototype = Engine::with_hash(1).unwrap();
        let [mut one, mut other] = [(); 2].map(|()| prototype.sibling().unwrap());
        one.prepare();
        assert!(!share_tables(&one, &other));
        // The other engine adopts the larger tables that were built for the first one.
        other.prepare();
        assert!(share_tables(&one, &other));
        assert!(!Arc::ptr_eq(&one.resources.hash, &other.resources.hash));
        assert!(!Arc::ptr_eq(&one.last_prover, &other.last_prover));
        assert!(!Arc::ptr_eq(&one.delays, &other.delays));
        one.settings_mut().multipv = 3;
        assert_eq!(other.settings().multipv, 1);
    }

    #[test]
    fn the_tables_of_the_user_serve_searches_that_need_not_be_reproducible() {
        let folder = tempfile::tempdir().unwrap();
        let extent = Extent::new(Rules::default().variant(), 8).unwrap();
        Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).unwrap();
        let prepared = |path: &str| {
            let mut engine = Engine::with_tables(1, Some(folder.path().to_owned())).unwrap();
            engine.set_option("TableSeeds", "4").unwrap();
            engine.set_option("TablePath", path).unwrap();
            engine.prepare();
            engine
        };
        let used = |engine: &Engine| {
            [Limits::default(), Limits::nodes(1)]
                .map(|limits| engine.resources.tables(&limits).unwrap().seeds())
        };
        let given = folder.path().to_str().unwrap();
        for (path, expected) in [("", [8, 4]), ("none", [4, 4]), (given, [8, 8])] {
            let engine = prepared(path);
            assert_eq!(used(&engine), expected, "{path:?}");
            assert!(engine.resources.table_fault().is_none(), "{path:?}");
        }
        std::fs::remove_file(folder.path().join(file_name(extent.variant(), 7))).unwrap();
        for (path, expected) in [("", [6, 4]), ("none", [4, 4]), (given, [6, 6])] {
            let engine = prepared(path);
            assert_eq!(used(&engine), expected, "{path:?}");
            assert_eq!(engine.resources.table_fault().is_some(), path != "none", "{path:?}");
        }
    }
}
