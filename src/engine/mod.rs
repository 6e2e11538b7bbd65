//! The engine as its users see it: a position, options, a search to start and
//! to stop.
//!
//! [`Engine::best_move`] is the simplest search, [`Engine::search`] reports
//! while it runs, [`Engine::go`] runs in the background. No text is read or
//! written here but the names and values of options.

mod algorithm;
pub mod bench;
pub(crate) mod book;
mod hash;
pub mod options;
mod prover;
mod table_cache;
#[cfg(feature = "cli")]
pub mod tune;

use std::collections::TryReserveError;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::endgame::{Extent, Tables, TablesError};
use crate::evaluation::network::Network;
use crate::evaluation::{Evaluation, Weights};
use crate::game::score::Gain;
use crate::game::{Pit, Position, Rules, Variant};
use crate::lab::{Algorithm, ExtraTurns, Method, Model, Order};
use crate::search::table::TranspositionTable;
use crate::search::{self, Info, Job, Limits, SearchOptions, SearchResult, Skill, Stopper};
use crate::solve::{self, TableChoice};

pub use crate::search::Event;
use crate::sys::machine::processors;
use crate::sys::names::named_enum;
use crate::sys::stop::Stopped;
use book::Book;
use hash::Hash;
use prover::{LastProver, Prover};
use table_cache::TableCache;

/// How the engine searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Threads of a search, 1 to 512; no more are started than run at once.
    pub threads: usize,
    /// Best moves to find a pv for, 1 to 16.
    pub multipv: usize,
    /// Time lost between the engine and the clock, for each sowing.
    pub overhead: Duration,
    /// How strong to play, unless `limit_strength`.
    pub skill: Skill,
    /// Whether to play as strongly as `elo` says.
    pub limit_strength: bool,
    /// A strength on the scale of [`Skill::of_elo`].
    pub elo: u32,
    /// The static evaluation of leaves.
    pub evaluation: EvaluationKind,
    /// The lab's algorithm that searches instead of the engine's own; it evaluates
    /// by the stores.
    pub algorithm: Option<Method>,
    /// In which order that algorithm searches moves.
    pub order: Order,
    /// What an extra turn costs that algorithm.
    pub extra_turns: ExtraTurns,
    /// Whether searches limited by time answer from the opening book where they can.
    pub own_book: bool,
    /// Threads of a solver beside the engine's own searches for the best of all moves
    /// that no depth and no nodes limit: what it proves ends the search; 0 to 512.
    pub solver_threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            multipv: 1,
            overhead: Duration::from_millis(10),
            skill: Skill::FULL,
            limit_strength: false,
            elo: Skill::ELO[1],
            evaluation: EvaluationKind::Full,
            algorithm: None,
            order: Order::default(),
            extra_turns: ExtraTurns::default(),
            own_book: true,
            solver_threads: 0,
        }
    }
}

impl Settings {
    /// How strong the next search plays.
    pub fn strength(&self) -> Skill {
        if self.limit_strength { Skill::of_elo(self.elo) } else { self.skill }
    }
}

named_enum! {
    /// What the static evaluation is made of.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum EvaluationKind: "evaluation" {
        /// A network, on boards that one was trained for, or else named features.
        Full = "full",
        /// Named features, on any board.
        Linear = "linear",
        /// The seeds in the stores alone.
        Stores = "stores",
    }
}

/// A search that runs in the background.
#[derive(Debug)]
pub struct Running {
    stopper: Stopper,
    thread: JoinHandle<()>,
}

impl Running {
    /// Stops the search, or starts its clock after a ponderhit.
    pub fn stopper(&self) -> &Stopper {
        &self.stopper
    }

    /// Waits until the search has ended, which it does not by this.
    pub fn wait(self) {
        if self.thread.join().is_err() {
            log::error!("a search panicked");
        }
    }
}

/// A Kalah engine. Its clones use the same tables, of both kinds, until one is
/// given others.
#[derive(Clone, Debug)]
pub struct Engine {
    rules: Rules,
    position: Position,
    settings: Settings,
    hash: Arc<Hash>,
    /// Of the position's variant.
    tables: Option<Arc<Tables>>,
    /// Whether small tables are built where none are found.
    builds_tables: bool,
    /// A folder that may have larger tables than those that are built.
    table_path: Option<PathBuf>,
    /// Seeds in play on 6 pits of the tables that [`Engine::prepare`] builds.
    table_seeds: u32,
    cache: TableCache,
    /// Instead of the network built in.
    network: Option<Arc<Network>>,
    /// Of the position's variant, if the algorithm is ProbCut.
    model: Option<(Variant, Arc<Model>)>,
    /// Instead of the book built in.
    book: Option<Arc<Book>>,
    /// Seeds what is random, see [`Engine::set_seed`]; another for each search.
    seed: u64,
    last_prover: LastProver,
}

impl Engine {
    /// The size of a new engine's transposition table, in MiB.
    pub const DEFAULT_HASH: usize = 64;

    /// Seeds in play of the endgame tables of a prepared engine, on 6 pits; built
    /// in less than a second.
    pub const DEFAULT_TABLE_SEEDS: u32 = 18;

    /// An engine at the start position of (6,4), with [`Engine::DEFAULT_HASH`]
    /// MiB for the transposition table.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn new() -> Result<Self, TryReserveError> {
        Self::with_hash(Self::DEFAULT_HASH)
    }

    /// An engine with a transposition table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn with_hash(mebibytes: usize) -> Result<Self, TryReserveError> {
        let mut engine = Self::without_tables(mebibytes)?;
        engine.builds_tables = true;
        engine.tables = engine.built_tables();
        Ok(engine)
    }

    /// An engine with a transposition table of `mebibytes` MiB and no endgame tables
    /// but those of a table path: quick to create.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn without_tables(mebibytes: usize) -> Result<Self, TryReserveError> {
        let rules = Rules::default();
        Ok(Self {
            rules,
            position: Position::start(rules),
            settings: Settings::default(),
            hash: Arc::new(Hash::new(mebibytes)?),
            tables: None,
            builds_tables: false,
            table_path: None,
            table_seeds: Self::DEFAULT_TABLE_SEEDS,
            cache: TableCache::default(),
            network: None,
            model: None,
            book: None,
            seed: 0,
            last_prover: LastProver::default(),
        })
    }

    /// The rules of the start position, unless a position was set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Changes the rules and sets up their start position.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
        self.set_position(Position::start(rules));
    }

    /// Where the next search starts.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets where the next search starts. On a board of another width or rule
    /// this reads the endgame tables of the table path, or builds small ones in
    /// some hundredths of a second.
    pub fn set_position(&mut self, position: Position) {
        let fits = |tables: &Arc<Tables>| tables.variant() == position.variant();
        self.position = position;
        if !self.tables.as_ref().is_some_and(fits) {
            self.tables = self.tables_on_disk().or_else(|| self.built_tables());
        }
        self.fit_model();
    }

    /// Lets an algorithm of the lab search, or with `None` the engine itself.
    pub fn set_algorithm(&mut self, algorithm: Option<Method>) {
        self.settings.algorithm = algorithm;
        self.fit_model();
    }

    /// Gives ProbCut a model of the board, before a clock runs.
    fn fit_model(&mut self) {
        let algorithm = self.settings.algorithm.map(|method| method.algorithm);
        let variant = self.position.variant();
        let fits = self.model.as_ref().is_some_and(|(fitted, _)| *fitted == variant);
        if algorithm == Some(Algorithm::ProbCut) && !fits {
            self.model = Some((variant, Arc::new(algorithm::fitted(&self.position))));
        }
    }

    /// Does what would take a search's time: builds the endgame tables that the
    /// engine plays best with, which takes less than a second, and writes or clears
    /// the transposition table, about a second for 4 GiB a processor. The first search
    /// of an engine that was not prepared waits for the transposition table or a stop,
    /// and has smaller endgame tables: unless depth or nodes limit it, the others are
    /// built beside it for the next.
    pub fn prepare(&mut self) {
        self.hash.table();
        if self.uses_built_tables() {
            self.cache.build(self.wanted_tables(), processors());
            self.tables = self.built_tables();
        }
    }

    /// Whether [`Engine::prepare`] returns at once.
    pub fn is_prepared(&self) -> bool {
        let has_tables = || self.cache.has_tried(self.wanted_tables());
        self.hash.is_ready() && (!self.uses_built_tables() || has_tables())
    }

    /// Whether the endgame tables are those in memory, and not from a table path.
    fn uses_built_tables(&self) -> bool {
        self.builds_tables && self.table_path.is_none()
    }

    /// Uses the tables of [`Engine::prepare`] if they are there, or has them built for
    /// a later search; not beside a search that shall repeat itself.
    fn prepare_beside(&mut self, limits: &Limits) {
        if !self.uses_built_tables() {
            return;
        }
        if limits.depth.is_none() && limits.nodes.is_none() {
            self.cache.build_beside(self.wanted_tables());
        }
        let built = self.cache.get(self.wanted_tables());
        let seeds = |tables: &Option<Arc<Tables>>| tables.as_ref().map(|tables| tables.seeds());
        if seeds(&built) > seeds(&self.tables) {
            self.tables = built;
        }
    }

    /// How large the endgame tables are that [`Engine::prepare`] builds: as those
    /// of `seeds` seeds in play on 6 pits.
    pub fn set_table_seeds(&mut self, seeds: u32) {
        self.table_seeds = seeds;
        self.tables = self.tables_on_disk().or_else(|| self.built_tables());
    }

    fn wanted_tables(&self) -> Extent {
        Extent::like_six_pits(self.position.variant(), self.table_seeds)
    }

    /// Uses the endgame tables in `folder`, for this board and for those set
    /// later, where there are any; `None` for small ones built in memory.
    ///
    /// # Errors
    /// [`TablesError`] if the folder has none for the board of now, or none that
    /// are whole; the engine then keeps those that it has.
    pub fn set_table_path(&mut self, folder: Option<&Path>) -> Result<(), TablesError> {
        let position = &self.position;
        self.tables = match folder {
            Some(folder) => Some(Arc::new(Tables::open(folder, position.variant())?)),
            None => self.built_tables(),
        };
        self.table_path = folder.map(Path::to_owned);
        Ok(())
    }

    /// Uses `tables` on boards of their variant, from now on until a board of
    /// another variant is set up.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        if tables.variant() == self.position.variant() {
            self.tables = Some(tables);
        }
    }

    fn tables_on_disk(&self) -> Option<Arc<Tables>> {
        let folder = self.table_path.as_deref()?;
        let tables = Tables::open(folder, self.position.variant());
        tables.inspect_err(|error| log::warn!("{error}")).ok().map(Arc::new)
    }

    /// Tables for the position's variant: those wanted if they have been built, or
    /// else some small enough to be built in some hundredths of a second. None if
    /// there is no memory or they are not wanted.
    fn built_tables(&self) -> Option<Arc<Tables>> {
        if !self.builds_tables {
            return None;
        }
        let wanted = self.wanted_tables();
        let small = Extent::small(self.position.variant());
        let at_once = if small.seeds() < wanted.seeds() { small } else { wanted };
        self.cache.get(wanted).or_else(|| self.cache.build(at_once, 1))
    }

    /// How the next search is done.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes how the next search is done.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Seeds the random errors of a weaker skill and the choice among equal moves of
    /// the book, for games that can be repeated.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The size of the transposition table in MiB.
    pub fn hash(&self) -> usize {
        self.hash.mebibytes()
    }

    /// The part of it, in MiB, that was written and so takes memory: all or nothing.
    pub(crate) fn written_hash(&self) -> usize {
        if self.hash.is_written() { self.hash() } else { 0 }
    }

    /// Replaces the transposition table by an empty one of another size, whose
    /// memory is taken when the engine is prepared or searches: after the old one's
    /// has been given back.
    ///
    /// # Errors
    /// If the system refuses the allocation; the old table is then kept.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), TryReserveError> {
        self.hash = Arc::new(Hash::new(mebibytes)?);
        Ok(())
    }

    /// Lets the next search begin with an empty transposition table.
    pub fn new_game(&mut self) {
        self.hash.clear();
    }

    /// The move that a search within `limits` finds best; none if the game is
    /// over. Blocks until a limit is reached or the result is proved, so
    /// `limits` should have one.
    pub fn best_move(&mut self, limits: Limits) -> Option<Pit> {
        self.search(limits, &Stopper::new(), &mut |_| ()).best
    }

    /// Searches in the calling thread; `report` receives each pv and each bound.
    pub fn search(
        &mut self,
        limits: Limits,
        stopper: &Stopper,
        report: &mut (dyn FnMut(&Info) + Send),
    ) -> SearchResult {
        search::on_deep_stack(|| {
            self.run(limits, stopper, &mut |event| {
                if let Event::Info(info) = event {
                    report(&info);
                }
            })
        })
    }

    /// The evaluation of the next search.
    pub fn evaluation(&self) -> Evaluation<'_> {
        let pits = self.position.pits();
        let given = self.network.as_deref().filter(|network| network.pits() == pits);
        match self.settings.evaluation {
            EvaluationKind::Stores => Evaluation::Linear(&Weights::STORES),
            EvaluationKind::Linear => Evaluation::Linear(&Weights::DEFAULT),
            EvaluationKind::Full => given.map_or(Evaluation::best(pits), Evaluation::Network),
        }
    }

    /// Plays from the list of openings in `file`, which holds positions of the board
    /// set up, or from the lists built in.
    ///
    /// # Errors
    /// What is wrong in the text of the list.
    pub fn set_book(&mut self, list: Option<&str>) -> Result<(), String> {
        let book = list.map(|text| Book::parse(text, self.position.capture()));
        self.book = book.transpose()?.map(Arc::new);
        Ok(())
    }

    fn book(&self) -> &Book {
        self.book.as_deref().unwrap_or_else(|| Book::built_in())
    }

    /// The proved margin of a position of the opening book, as its mover sees it.
    pub fn book_margin(&self, position: &Position) -> Option<Gain> {
        self.book().margin(position)
    }

    /// The book's result, if it is to be used and has the position: where time is
    /// what limits the search, and all moves are to be chosen from.
    fn book_result(&self, limits: &Limits) -> Option<SearchResult> {
        let Settings { own_book, multipv, .. } = self.settings;
        let timed = limits.movetime.is_some() || limits.clock.is_some();
        let Limits { depth, nodes, moves, infinite, ponder, .. } = limits;
        let searched = depth.is_some() || nodes.is_some() || moves.is_some();
        let usable = own_book && multipv == 1 && self.settings.strength().is_full();
        if !usable || !timed || searched || *infinite || *ponder {
            return None;
        }
        let (margin, pv) = self.book().pv(&self.position, self.seed)?;
        Some(SearchResult::proved(&self.position, margin, pv))
    }

    /// Evaluates by `network` on boards of its width instead of by the one built in.
    pub fn set_network(&mut self, network: Option<Network>) {
        self.network = network.map(Arc::new);
    }

    fn run(
        &mut self,
        limits: Limits,
        stopper: &Stopper,
        report: &mut dyn FnMut(Event),
    ) -> SearchResult {
        self.seed = self.seed.wrapping_add(1);
        if let Some(method) = self.settings.algorithm {
            let Settings { overhead, order, extra_turns, .. } = self.settings;
            let position = &self.position;
            let model = self.model.as_ref().map(|(_, model)| Arc::clone(model));
            let seed = self.seed;
            let job = algorithm::Job {
                position,
                limits,
                overhead,
                method,
                order,
                extra_turns,
                model,
                seed,
            };
            return algorithm::search(job, stopper, report);
        }
        if let Some(result) = self.book_result(&limits) {
            result.info.iter().for_each(|info| report(Event::Info(info.clone())));
            return result;
        }
        let skill = self.settings.strength();
        if skill.is_full() {
            self.prepare_beside(&limits);
        }
        // A table that must be written or cleared first is, on the mover's clock.
        let called = Instant::now();
        let spare;
        let table = match self.hash.table_unless(stopper.flag()) {
            Ok(table) => table,
            // One iteration is still searched, which needs little.
            Err(Stopped) => {
                spare = TranspositionTable::new(1);
                spare.as_ref().unwrap_or_else(|_| self.hash.table())
            }
        };
        let overhead = self.settings.overhead + called.elapsed();
        let prover = self.prover(&limits);
        let job = Job {
            position: &self.position,
            limits,
            table,
            threads: self.settings.threads.min(processors()),
            multipv: self.settings.multipv,
            overhead,
            skill,
            evaluation: self.evaluation(),
            tables: self.tables.as_deref().filter(|_| skill.is_full()),
            options: SearchOptions::ALL,
            seed: self.seed,
            proof: prover.as_ref().map(Prover::proof),
        };
        search::search(&job, stopper, report)
    }

    /// A solver beside the search, if one is wanted and could end it.
    fn prover(&self, limits: &Limits) -> Option<Prover> {
        let Settings { solver_threads: threads, multipv, .. } = self.settings;
        let Limits { depth, nodes, moves, .. } = limits;
        let is_limited = depth.is_some() || nodes.is_some() || moves.is_some();
        let for_best_move = multipv == 1 && self.settings.strength().is_full();
        let tabled = self.tables.as_ref().map_or(0, |tables| tables.seeds());
        let is_known = self.position.is_over() || self.position.in_play() <= tabled;
        if threads == 0 || is_limited || !for_best_move || is_known {
            return None;
        }
        let settings = solve::Settings {
            threads: threads.min(processors()),
            hash: Some(self.hash() << 20),
            tables: match &self.tables {
                Some(tables) => TableChoice::Given(Arc::clone(tables)),
                None => TableChoice::Seeds(0),
            },
            ..solve::Settings::default()
        };
        Prover::start(self.position, settings, &self.last_prover)
    }

    /// Searches in a thread of the background, which calls `report` with every
    /// event, [`Event::Finished`] last.
    ///
    /// Position and settings are those of now: changing them later does not
    /// affect the running search.
    ///
    /// # Errors
    /// If the system starts no thread.
    pub fn go(
        &mut self,
        limits: Limits,
        mut report: impl FnMut(Event) + Send + 'static,
    ) -> std::io::Result<Running> {
        self.seed = self.seed.wrapping_add(1);
        let mut engine = self.clone();
        let stopper = Stopper::new();
        let search_stopper = stopper.clone();
        let thread = search::deep_stack().spawn(move || {
            let result = engine.run(limits, &search_stopper, &mut report);
            report(Event::Finished(result));
        })?;
        Ok(Running { stopper, thread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Capture;
    use crate::game::depth::Depth;
    use std::sync::mpsc;

    #[test]
    fn a_finished_game_has_no_move() {
        let mut engine = Engine::with_hash(1).unwrap();
        engine.set_position(Position::parse("<1,4,4,0,0> S", Capture::Standard).unwrap());
        let result = engine.search(Limits::default(), &Stopper::new(), &mut |_| ());
        assert_eq!(result, SearchResult::default());
    }

    #[test]
    fn a_search_stopped_before_its_table_is_written_has_a_move_and_writes_no_more() {
        let (mut engine, stopper) = (Engine::without_tables(64).unwrap(), Stopper::new());
        stopper.stop();
        let result = engine.search(Limits::default(), &stopper, &mut |_| ());
        assert!(result.best.is_some() && result.info.is_some());
        assert_eq!(engine.written_hash(), 0);
    }

    #[test]
    fn a_timed_search_has_the_tables_built_for_the_next_one() {
        let mut engine = Engine::with_hash(1).unwrap();
        let seeds = |engine: &Engine| engine.tables.as_ref().unwrap().seeds();
        let small = seeds(&engine);
        engine.search(Limits::nodes(100), &Stopper::new(), &mut |_| ());
        assert!(!engine.cache.is_begun(engine.wanted_tables()));
        engine.settings_mut().own_book = false;
        engine.search(Limits::time(Duration::from_millis(1)), &Stopper::new(), &mut |_| ());
        assert!(seeds(&engine) == small && small < Engine::DEFAULT_TABLE_SEEDS);
        let is_built = |_| {
            std::thread::sleep(Duration::from_millis(5));
            engine.cache.has_tried(engine.wanted_tables())
        };
        assert!((0..12_000).any(is_built), "not built in a minute");
        engine.search(Limits::nodes(100), &Stopper::new(), &mut |_| ());
        assert_eq!(seeds(&engine), Engine::DEFAULT_TABLE_SEEDS);
    }

    #[test]
    fn a_search_in_the_background_ends_when_stopped_and_says_so_once() {
        let mut engine = Engine::with_hash(1).unwrap();
        let (sender, receiver) = mpsc::channel();
        let limits = Limits { infinite: true, ..Limits::default() };
        let running = engine.go(limits, move |event| sender.send(event).unwrap()).unwrap();
        assert!(matches!(receiver.recv(), Ok(Event::Info(_))));
        running.stopper().stop();
        let last = receiver.iter().last();
        assert!(matches!(last, Some(Event::Finished(SearchResult { best: Some(_), .. }))));
        running.wait();
    }

    #[test]
    fn an_algorithm_of_the_lab_visits_its_leaves_and_obeys_every_limit() {
        let mut engine = Engine::without_tables(1).unwrap();
        let search = |engine: &mut Engine, limits| {
            engine.search(limits, &Stopper::new(), &mut |_| ()).info.unwrap()
        };
        // tests/data/lab_counts.tsv
        for (name, leaves) in [("minimax", 125_843), ("f1", 7_557), ("f3", 5_213), ("scout", 7_554)]
        {
            engine.set_option("Algorithm", name).unwrap();
            let info = search(&mut engine, Limits::depth(Depth(5)));
            assert_eq!((info.margin.0, info.leaves), (600, Some(leaves)), "{name}");
        }
        for (name, ..) in Algorithm::NAMED {
            engine.set_option("Algorithm", name).unwrap();
            let info = search(&mut engine, Limits::nodes(500));
            assert!(engine.position().moves().contains(info.pv[0]), "{name}");
            // A node whose search is being stopped may still have leaves.
            assert!(info.nodes < 1_000, "{name}: {} nodes", info.nodes);
            let moves = Some(crate::game::PitSet::default().with(Pit::new(1)));
            let limits = Limits { moves, ..Limits::depth(Depth(2)) };
            assert_eq!(engine.best_move(limits), Some(Pit::new(1)), "{name}");
            let soon = Limits::time(Duration::from_millis(12));
            assert!(engine.best_move(soon).is_some(), "{name}");
        }
    }

    #[test]
    fn small_boards_are_proved_to_their_exact_value() {
        let mut engine = Engine::with_hash(1).unwrap();
        engine.set_position(Position::start(Rules::new(3, 3, Capture::Standard).unwrap()));
        let result = engine.search(Limits::depth(Depth(60)), &Stopper::new(), &mut |_| ());
        let info = result.info.unwrap();
        assert!(info.proved);
        assert_eq!(info.margin.0, 200);
    }
}
