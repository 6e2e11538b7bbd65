//! From a call to its result: by a different algorithm, by the book, or by a search with a solver
//! running alongside it.

use std::io;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::book::Book;
use crate::endgame::Tables;
use crate::search::transposition::{Bound, TranspositionTable};
use crate::search::{
    self, Info, Limits, MIN_SEARCH_BYTES, SearchEvent, SearchJob, SearchOptions, SearchResult,
    Stack, Stopper,
};
use crate::solve::{self, SolverSettings, TableChoice};
use kalah_game::{Depth, Gain, Pit, Position};
use kalah_sys::clock::Instant;
use kalah_sys::log;
use kalah_sys::machine::{
    MemoryError, THREAD_BYTES, address_space_left, processors, require_address_space,
};
use kalah_sys::parallel::ThreadError;
use kalah_sys::stop::Stopped;

use super::delays::Delays;
use super::prover::Prover;
use super::{Engine, SearchQuery, Searcher};

/// A search that runs in the background.
#[derive(Debug)]
pub struct RunningSearch {
    stopper: Stopper,
    thread: JoinHandle<()>,
}

impl RunningSearch {
    /// The stopper of the search, which also starts its clock after a ponderhit.
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

/// A search that has not started, although the mover's clock is running.
#[derive(Debug)]
pub struct PendingSearch {
    engine: Engine,
    limits: Limits,
    called: Instant,
    stopper: Stopper,
}

impl PendingSearch {
    /// Ends the search.
    pub fn stopper(&self) -> &Stopper {
        &self.stopper
    }

    /// Searches on the caller's stack, which must be deep. `report` receives every event,
    /// [`SearchEvent::Finished`] last.
    pub fn run(self, report: &mut (dyn FnMut(SearchEvent) + Send)) {
        let Self { mut engine, limits, called, stopper } = self;
        let result = engine.run(limits, called, &stopper, report);
        report(SearchEvent::Finished(result));
    }
}

/// A first guess of the margin of `position` from its mover's point of view, for long proofs, which
/// do not rely on it: see [`SolverSettings::guess`]. None if the proof is expected to take less
/// time than the guess saves, or if there is no memory for it.
pub fn guess_margin(position: &Position) -> Option<Gain> {
    /// With fewer seeds in play, a guess takes longer than it saves.
    const WORTH_GUESSING: u32 = 50;
    /// A search to this depth takes at most a tenth of a second.
    const DEPTH: Depth = Depth(12);
    const MEBIBYTES: usize = 16;
    if position.in_play() < WORTH_GUESSING {
        return None;
    }
    let mut engine = Engine::with_hash(MEBIBYTES).ok()?;
    Some(engine.estimate(position, Limits::depth(DEPTH)))
}

impl Engine {
    /// The move that a search within `limits` finds best; none if the game is
    /// over. Blocks until a limit is reached or the result is proved, so
    /// `limits` should have one.
    pub fn best_move(&mut self, limits: Limits) -> Option<Pit> {
        self.search(limits, &Stopper::new(), &mut |_| ()).best
    }

    /// The best lines that a search within `limits` finds, the best first: at most
    /// [`Settings::multipv`](super::Settings::multipv) of them, none if the game is over. Blocks like
    /// [`Engine::best_move`].
    pub fn analyse(&mut self, limits: Limits) -> Vec<Info> {
        let mut lines: Vec<Info> = Vec::new();
        let result = self.search(limits, &Stopper::new(), &mut |info| {
            if info.bound == Bound::Exact {
                lines.retain(|line| line.multipv != info.multipv);
                lines.push(info.clone());
            }
        });
        lines.sort_by_key(|line| line.multipv);
        // A search that was stopped may have found a better move, whose value is only a bound.
        if let Some(best) = result.info {
            let wanted = lines.len().max(1);
            lines.retain(|line| line.pv.first() != best.pv.first());
            lines.insert(0, best);
            lines.truncate(wanted);
        }
        lines
    }

    /// The margin of `position` from its mover's point of view, estimated by a search within
    /// `limits` and rounded to whole seeds: the starting point of a proof. Leaves the engine at
    /// `position`.
    pub fn estimate(&mut self, position: &Position, limits: Limits) -> Gain {
        self.set_position(*position);
        match self.search(limits, &Stopper::new(), &mut |_| ()).info {
            Some(info) => info.margin.rounded(),
            None => position.margin(position.side()),
        }
    }

    /// Searches in the calling thread, which needs a stack of 1 MiB; `report` receives each pv and
    /// each bound.
    pub fn search(
        &mut self,
        limits: Limits,
        stopper: &Stopper,
        report: &mut (dyn FnMut(&Info) + Send),
    ) -> SearchResult {
        if let Err(error) = self.make_room() {
            log::warn!("{error}");
        }
        let called = Instant::now();
        let mut report = |event| {
            if let SearchEvent::Info(info) = event {
                report(&info);
            }
        };
        if self.selected_searcher().is_none() {
            return self.run(limits, called, stopper, &mut report);
        }
        let result = search::on_deep_stack(|| self.run(limits, called, stopper, &mut report));
        result.unwrap_or_else(|error| {
            log::warn!("cannot start a thread with a deep stack, using the caller's: {error}");
            self.run(limits, called, stopper, &mut report)
        })
    }

    /// The searcher, if one of its algorithms is selected.
    fn selected_searcher(&self) -> Option<&dyn Searcher> {
        self.searcher.as_deref().filter(|searcher| searcher.is_selected())
    }

    /// The book, if it may answer. It answers only time-limited searches: a caller that limits
    /// depth or nodes wants a search, not a book move.
    fn book_for(&self, limits: &Limits) -> Option<&Book> {
        let is_timed = limits.movetime.is_some() || limits.clock.is_some();
        // An infinite search is an analysis, for which a line from the book would not be enough.
        let is_asked = is_timed && !limits.infinite;
        let usable = self.settings.own_book && self.settings.wants_best_move();
        let is_free = !limits.are_reproducible() && limits.moves.is_none();
        if usable && is_asked && is_free { Some(self.resources.book()) } else { None }
    }

    /// Searches. The mover's clock has been running since `called`, unless it waits for a
    /// ponderhit.
    fn run(
        &mut self,
        limits: Limits,
        called: Instant,
        stopper: &Stopper,
        report: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> SearchResult {
        let side = self.position.side();
        let overhead = self.settings.overhead;
        let Some(clock) = limits.clock.filter(|_| !limits.ponder && !limits.infinite) else {
            self.delays().forget(side);
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

    /// Returns the result of the first of these that gives one: a different algorithm, the book, a
    /// search. `overhead` is reserved on the clock.
    fn search_within(
        &mut self,
        limits: Limits,
        overhead: Duration,
        stopper: &Stopper,
        report: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> SearchResult {
        self.seed = self.seed.wrapping_add(1);
        let query = SearchQuery { position: &self.position, limits, overhead, seed: self.seed };
        if let Some(searcher) = self.selected_searcher() {
            return searcher.search(query, stopper, report);
        }
        // Unless `prepare` has done it, reading the book (18 ms) and writing or clearing the
        // table take the mover's time. Before this was charged, games were lost on time.
        let called = Instant::now();
        // Book moves are the best by exact margins, so no search could find better ones.
        let known = self.book_for(&limits).filter(|_| !limits.ponder);
        if let Some(result) = known.and_then(|book| book.result(&self.position, self.seed)) {
            send_info(&result, report);
            return result;
        }
        let spare = self.prepare_for(&limits, stopper);
        let overhead = overhead + called.elapsed();
        let found = self.search_with(spare.as_ref(), limits, overhead, stopper, report);
        // The book is asked again, because a pondering search has not asked it yet, and because it
        // may prove a different move to be better.
        let book = self.book_for(&limits);
        match book.and_then(|book| book.replacement(&self.position, &found, self.seed)) {
            Some(result) => {
                send_info(&result, report);
                result
            }
            None => found,
        }
    }

    /// Prepares the tables of a search. If it is stopped before the transposition table is
    /// written, returns a small one to use instead.
    fn prepare_for(&mut self, limits: &Limits, stopper: &Stopper) -> Option<TranspositionTable> {
        // Weaker levels should misjudge endgames, too, so they get no endgame tables.
        if self.settings.strength().is_full() {
            self.resources.prepare_in_background(limits);
        }
        match self.resources.hash.prepare(&stopper.stop, processors()) {
            Ok(()) => None,
            // A stop must not wait until gigabytes are written (12 GB took 11 s): the one
            // iteration that is still owed needs little memory.
            Err(Stopped) => Some(TranspositionTable::new(1).expect("a MiB of memory")),
        }
    }

    /// The engine's own search, with `spare` in place of its transposition table if given.
    fn search_with(
        &self,
        spare: Option<&TranspositionTable>,
        limits: Limits,
        overhead: Duration,
        stopper: &Stopper,
        report: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> SearchResult {
        let skill = self.settings.strength();
        let prover = self.prover(&limits);
        let job = SearchJob {
            position: &self.position,
            limits,
            table: spare.unwrap_or(&self.resources.hash),
            threads: self.settings.threads.min(processors()),
            stack: self.stack,
            multipv: self.settings.multipv.max(1),
            overhead,
            skill,
            evaluation: self.evaluation(),
            tables: self.resources.tables(&limits).filter(|_| skill.is_full()).map(Arc::as_ref),
            options: SearchOptions::ALL,
            parameters: self.settings.parameters,
            seed: self.seed,
            proof: prover.as_ref().map(|prover| &*prover.proof),
        };
        search::search(&job, stopper, report)
    }

    /// Refuses searches that would fail halfway because of a limit (`ulimit -v`).
    ///
    /// # Errors
    /// If the limit leaves too little address space for a search and the endgame tables that are
    /// still to be built.
    pub fn require_address_space(&self) -> Result<(), MemoryError> {
        let tables: u64 = self.resources.missing_tables().map(|(_, bytes)| bytes).sum();
        require_address_space(self.search_bytes() + tables)
    }

    /// Bytes of address space that a search reserves for its threads and for a solver
    /// alongside it.
    pub fn search_bytes(&self) -> u64 {
        let threads = self.settings.threads.min(processors()) as u64;
        threads * (search::STACK_BYTES as u64 + THREAD_BYTES) + self.solver_bytes()
    }

    fn solver_bytes(&self) -> u64 {
        match self.settings.solver_threads.min(processors()) as u64 {
            0 => 0,
            threads => {
                let table = (self.resources.hash() as u64) << 20;
                threads * (solve::STACK_BYTES as u64 + THREAD_BYTES) + table
            }
        }
    }

    /// Frees the endgame tables if a limit would otherwise leave too little address space for a
    /// search: a search without them is better than none.
    ///
    /// # Errors
    /// If that does not suffice.
    fn make_room(&mut self) -> io::Result<()> {
        if address_space_left().is_none() {
            return Ok(());
        }
        search::has_room().or_else(|error| {
            log::warn!("searching without endgame tables: {error}");
            self.resources.free_tables();
            search::has_room()
        })
    }

    /// Starts a solver alongside the search, if one is wanted and its proof could end the
    /// search.
    fn prover(&self, limits: &Limits) -> Option<Prover> {
        let threads = self.settings.solver_threads;
        let is_limited = limits.are_reproducible() || limits.moves.is_some();
        let tables = self.resources.tables(limits);
        // Where the endgame tables hold the exact margin, a solver has nothing to add.
        let is_in_tables = match tables {
            Some(tables) => self.position.in_play() <= tables.seeds(),
            None => false,
        };
        let is_known = self.position.is_over() || is_in_tables;
        if threads == 0 || is_limited || !self.settings.wants_best_move() || is_known {
            return None;
        }
        if let Err(error) = require_address_space(self.solver_bytes() + MIN_SEARCH_BYTES) {
            log::info!("no solver alongside the search: {error}");
            return None;
        }
        Prover::start(self.position, self.prover_settings(tables), &self.last_prover)
    }

    fn prover_settings(&self, tables: Option<&Arc<Tables>>) -> SolverSettings {
        SolverSettings {
            threads: self.settings.solver_threads.min(processors()),
            hash: Some(self.resources.hash() << 20),
            tables: match tables {
                Some(tables) => TableChoice::Given(Arc::clone(tables)),
                None => TableChoice::Seeds(0),
            },
            ..SolverSettings::default()
        }
    }

    /// Searches in a background thread, which calls `report` with every event,
    /// [`SearchEvent::Finished`] last.
    ///
    /// Position and settings are captured: changing them later does not affect the
    /// running search.
    ///
    /// # Errors
    /// If the system cannot start a thread, or if there is no memory for one.
    pub fn go(
        &mut self,
        limits: Limits,
        mut report: impl FnMut(SearchEvent) + Send + 'static,
    ) -> io::Result<RunningSearch> {
        self.make_room()?;
        let search = self.pending(limits);
        let stopper = search.stopper.clone();
        let thread = search::deep_stack()
            .spawn(move || search.run(&mut report))
            .map_err(ThreadError::from_start)?;
        Ok(RunningSearch { stopper, thread })
    }

    /// The search that [`Engine::go`] would start, for a caller without threads.
    pub fn pending(&mut self, limits: Limits) -> PendingSearch {
        // Done here as well as in the clone, or this engine would keep the changed tables.
        self.resources.drop_changed_tables();
        // The search advances only the seed of the clone.
        self.seed = self.seed.wrapping_add(1);
        PendingSearch {
            called: Instant::now(),
            engine: Self { stack: Stack::Deep, ..self.clone() },
            limits,
            stopper: Stopper::new(),
        }
    }
}

/// Reports the pv of a result that no search has reported.
fn send_info(result: &SearchResult, report: &mut (dyn FnMut(SearchEvent) + Send)) {
    result.info.iter().for_each(|info| report(SearchEvent::Info(info.clone())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    #[test]
    fn a_solver_alongside_has_as_much_hash_as_the_search_and_at_most_a_thread_per_processor() {
        let mut engine = Engine::without_tables(3).unwrap();
        for (wanted, threads) in [(1, 1), (10_000, processors())] {
            engine.settings.solver_threads = wanted;
            let settings = engine.prover_settings(None);
            assert_eq!((settings.threads, settings.hash), (threads, Some(3 << 20)));
        }
    }

    #[test]
    fn only_a_clock_that_runs_from_the_start_of_a_search_shows_delays() {
        let clock = |seconds| Clock {
            remaining: Duration::from_secs(seconds),
            increment: Duration::ZERO,
            moves_to_go: None,
        };
        let stopper = Stopper::new();
        stopper.stop();
        let ponder = Limits { ponder: true, ..Limits::default() };
        let infinite = Limits { infinite: true, ..Limits::default() };
        for (limits, reserved) in [(Limits::default(), 10), (ponder, 0), (infinite, 0)] {
            let mut engine = Engine::without_tables(1).unwrap();
            // Each clock has lost more than 20 seconds that the search before it did not use.
            for seconds in [100, 50, 20] {
                let limits = Limits { clock: Some(clock(seconds)), ..limits };
                engine.search(limits, &stopper, &mut |_| ());
            }
            let side = engine.position.side();
            let found = engine.delays().begin(side, clock(20), Duration::ZERO);
            assert_eq!(found, Duration::from_secs(reserved), "{limits:?}");
        }
    }
}
