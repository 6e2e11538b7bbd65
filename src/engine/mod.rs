//! The engine from its user's point of view: a position, options, and a search to start
//! and stop.
//!
//! ```text
//! settings   parameters of searches   options      all options by name, for protocols
//! resources  tables, network, book    table_cache  endgame tables in memory
//! book       proved bounds, and the moves that follow from them
//! known      proofs in this repository, and margins of starts
//! prover     a solver beside the search
//! delays     time lost beside the searches
//! algorithm  searches by an algorithm of the lab
//! bench      the signature and suites
//! restrictions  bounds for managers that use the machine from elsewhere
//! tune       the data and the weights of the network
//! ```
//!
//! [`Engine::best_move`] is the simplest search, [`Engine::search`] reports progress, and
//! [`Engine::go`] runs in the background. The names and values of options are the only
//! text that is read or written here.

mod algorithm;
pub mod bench;
pub(crate) mod book;
mod delays;
pub(crate) mod known;
pub mod options;
mod prover;
mod resources;
pub mod restrictions;
mod settings;
mod table_cache;
#[cfg(feature = "cli")]
pub mod tune;

use std::collections::TryReserveError;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::endgame::file;
use crate::evaluation::Evaluation;
use crate::game::{Pit, Position, Rules, Variant};
use crate::lab::{Algorithm, Method, Model};
use crate::search::table::TranspositionTable;
use crate::search::{self, Info, Job, Limits, SearchOptions, SearchResult, Stopper};
use crate::solve::{self, TableChoice};
#[cfg(feature = "cli")]
use crate::sys::machine::THREAD_BYTES;
use crate::sys::machine::processors;
use crate::sys::stop::Stopped;
use book::Book;
use delays::Delays;
use prover::{LastProver, Prover};

pub use crate::search::Event;
pub use resources::{Resources, TablePath};
pub use settings::{EvaluationKind, Settings};

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

    /// Waits for the end of the search, without stopping it.
    pub fn wait(self) {
        if self.thread.join().is_err() {
            log::error!("a search panicked");
        }
    }
}

/// A Kalah engine. Its clones share its [`Resources`].
#[derive(Clone, Debug)]
pub struct Engine {
    rules: Rules,
    position: Position,
    settings: Settings,
    resources: Resources,
    /// The model of the position's variant, if the algorithm is ProbCut.
    model: Option<(Variant, Arc<Model>)>,
    /// See [`Engine::set_seed`]; changes with each search.
    seed: u64,
    last_prover: LastProver,
    /// Those of the game, from the last [`Engine::new_game`] on.
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
    pub fn new() -> Result<Self, TryReserveError> {
        Self::with_hash(Self::DEFAULT_HASH)
    }

    /// An engine with a transposition table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn with_hash(mebibytes: usize) -> Result<Self, TryReserveError> {
        Self::with_tables(mebibytes, None)
    }

    /// As [`Engine::with_hash`]; searches that are limited neither in depth nor in nodes also
    /// use the larger endgame tables that `kalah tables cache` has built for the user.
    ///
    /// # Errors
    /// If the system refuses the allocation.
    pub fn with_cached_tables(mebibytes: usize) -> Result<Self, TryReserveError> {
        Self::with_tables(mebibytes, file::cache())
    }

    fn with_tables(mebibytes: usize, user_cache: Option<PathBuf>) -> Result<Self, TryReserveError> {
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
    pub fn without_tables(mebibytes: usize) -> Result<Self, TryReserveError> {
        let rules = Rules::default();
        let position = Position::start(rules);
        Ok(Self {
            rules,
            position,
            settings: Settings::default(),
            resources: Resources::new(mebibytes, position.variant())?,
            model: None,
            seed: 0,
            last_prover: LastProver::default(),
            delays: Arc::default(),
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
        self.fit_model();
    }

    /// Selects an algorithm of the lab for searches, or with `None` the engine's own.
    pub fn set_algorithm(&mut self, algorithm: Option<Method>) {
        self.settings.algorithm = algorithm;
        self.fit_model();
    }

    /// Fits ProbCut's model to the board before a clock runs.
    fn fit_model(&mut self) {
        let algorithm = self.settings.algorithm.map(|method| method.algorithm);
        let variant = self.position.variant();
        let fits = self.model.as_ref().is_some_and(|(fitted, _)| *fitted == variant);
        if algorithm == Some(Algorithm::ProbCut) && !fits {
            self.model = Some((variant, Arc::new(algorithm::fitted(&self.position))));
        }
    }

    /// Does the work that would otherwise cost the first search time: builds the endgame
    /// tables with which the engine plays best, in less than a second, reads the book, and
    /// writes or clears the transposition table, at about 4 GiB per second and processor.
    /// Without this call, the first search waits for the last two and uses smaller endgame
    /// tables; unless depth or nodes limit that search, the larger ones are built in parallel
    /// for later searches.
    pub fn prepare(&mut self) {
        self.resources.prepare();
    }

    /// Whether [`Engine::prepare`] has no table left to build, to write or to clear.
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

    /// Makes the next search begin with an empty transposition table, and forgets the delays
    /// that the clocks of the last game have shown.
    pub fn new_game(&mut self) {
        self.resources.hash.clear_later();
        self.delays = Arc::default();
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
            self.run(limits, Instant::now(), stopper, &mut |event| {
                if let Event::Info(info) = event {
                    report(&info);
                }
            })
        })
    }

    /// The evaluation of the next search.
    pub fn evaluation(&self) -> Evaluation<'_> {
        self.resources.evaluation(self.settings.evaluation)
    }

    /// The book, if it may answer. It answers only time-limited searches: a caller that limits
    /// depth or nodes wants the search itself.
    fn book_for(&self, limits: &Limits) -> Option<&Book> {
        let is_timed = limits.movetime.is_some() || limits.clock.is_some();
        let is_asked = is_timed && !limits.infinite;
        let usable = self.settings.own_book && self.settings.wants_best_move();
        let is_free = !limits.are_reproducible() && limits.moves.is_none();
        (usable && is_asked && is_free).then(|| self.resources.book())
    }

    /// Searches, where the mover's clock runs since `called` unless it waits for a ponderhit.
    fn run(
        &mut self,
        limits: Limits,
        called: Instant,
        stopper: &Stopper,
        report: &mut dyn FnMut(Event),
    ) -> SearchResult {
        let side = self.position.side();
        let overhead = self.settings.overhead;
        let Some(clock) = limits.clock.filter(|_| !limits.ponder && !limits.infinite) else {
            return self.search_within(limits, overhead, stopper, report);
        };
        let overhead = self.delays().begin(side, clock, overhead);
        let result = self.search_within(limits, overhead, stopper, report);
        self.delays().end(side, clock, called.elapsed());
        result
    }

    fn delays(&self) -> MutexGuard<'_, Delays> {
        self.delays.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search_within(
        &mut self,
        limits: Limits,
        overhead: Duration,
        stopper: &Stopper,
        report: &mut dyn FnMut(Event),
    ) -> SearchResult {
        self.seed = self.seed.wrapping_add(1);
        if let Some(method) = self.settings.method().unwrap_or(self.settings.algorithm) {
            let job = algorithm::Job {
                position: &self.position,
                limits,
                overhead,
                method,
                order: self.settings.order,
                extra_turns: self.settings.extra_turns,
                model: self.model.as_ref().map(|(_, model)| Arc::clone(model)),
                seed: self.seed,
            };
            return algorithm::search(job, stopper, report);
        }
        // Reading the book and writing or clearing the table cost the mover's time unless
        // `prepare` has done it.
        let called = Instant::now();
        // Book moves are the best by exact margins, so no search could find better ones.
        let book = self.book_for(&limits).filter(|_| !limits.ponder);
        if let Some(result) = book.and_then(|book| book.result(&self.position, self.seed)) {
            result.info.iter().for_each(|info| report(Event::Info(info.clone())));
            return result;
        }
        let skill = self.settings.strength();
        // A weaker level is to misjudge endgames, too: it gets no tables.
        if skill.is_full() {
            self.resources.prepare_beside(&limits);
        }
        let hash = &self.resources.hash;
        let spare = match hash.prepare(stopper.flag(), processors()) {
            Ok(()) => None,
            // A stop does not wait for gigabytes: the one iteration that is still
            // searched needs little.
            Err(Stopped) => Some(TranspositionTable::new(1).expect("a MiB of memory")),
        };
        let overhead = overhead + called.elapsed();
        let prover = self.prover(&limits);
        let job = Job {
            position: &self.position,
            limits,
            table: spare.as_ref().unwrap_or(hash),
            threads: self.settings.threads.min(processors()),
            multipv: self.settings.multipv,
            overhead,
            skill,
            evaluation: self.evaluation(),
            tables: self.resources.tables(&limits).filter(|_| skill.is_full()).map(Arc::as_ref),
            options: SearchOptions::ALL,
            seed: self.seed,
            proof: prover.as_ref().map(Prover::proof),
        };
        let found = search::search(&job, stopper, report);
        let book = self.book_for(&limits);
        let Some(result) =
            book.and_then(|book| book.replacement(&self.position, &found, self.seed))
        else {
            return found;
        };
        result.info.iter().for_each(|info| report(Event::Info(info.clone())));
        result
    }

    /// Bytes of address space that the threads of a search reserve, and a solver beside it.
    #[cfg(feature = "cli")]
    pub(crate) fn search_bytes(&self) -> u64 {
        let Settings { threads, solver_threads, .. } = self.settings;
        let [search, solver] = [threads, solver_threads].map(|n| n.min(processors()) as u64);
        let table = if solver > 0 { (self.resources.hash() as u64) << 20 } else { 0 };
        search * (search::STACK_BYTES as u64 + THREAD_BYTES)
            + solver * (solve::STACK_BYTES as u64 + THREAD_BYTES)
            + table
    }

    /// A solver beside the search, if one is wanted and its proof could end the search.
    fn prover(&self, limits: &Limits) -> Option<Prover> {
        let threads = self.settings.solver_threads;
        let is_limited = limits.are_reproducible() || limits.moves.is_some();
        let tables = self.resources.tables(limits);
        let is_known = self.position.is_over()
            || tables.is_some_and(|tables| self.position.in_play() <= tables.seeds());
        if threads == 0 || is_limited || !self.settings.wants_best_move() || is_known {
            return None;
        }
        let settings = solve::Settings {
            threads: threads.min(processors()),
            hash: Some(self.resources.hash() << 20),
            tables: match tables {
                Some(tables) => TableChoice::Given(Arc::clone(tables)),
                None => TableChoice::Seeds(0),
            },
            ..solve::Settings::default()
        };
        Prover::start(self.position, settings, &self.last_prover)
    }

    /// Searches in a background thread, which calls `report` with every event,
    /// [`Event::Finished`] last.
    ///
    /// Position and settings are captured: changing them later does not affect the
    /// running search.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn go(
        &mut self,
        limits: Limits,
        mut report: impl FnMut(Event) + Send + 'static,
    ) -> std::io::Result<Running> {
        self.seed = self.seed.wrapping_add(1);
        let mut engine = self.clone();
        let (called, stopper) = (Instant::now(), Stopper::new());
        let search_stopper = stopper.clone();
        let thread = search::deep_stack().spawn(move || {
            let result = engine.run(limits, called, &search_stopper, &mut report);
            report(Event::Finished(result));
        })?;
        Ok(Running { stopper, thread })
    }
}
