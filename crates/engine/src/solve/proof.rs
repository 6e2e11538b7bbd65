//! Answers one question by a proved bound, on all threads.
//!
//! Every thread searches the same root with the same null window. The threads share the
//! transposition table and defer positions that another thread is searching (ABDADA); the
//! first answer stops the others. [`Solver`](super::Solver) chooses the questions.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use super::bounds::RuleBounds;
use super::order::{MoveOrder, Order};
use super::proof_table::{ProofEntry, ProofTable};
use super::search::{GainQuestion, ProofContext, ProofStatus, ProofWorker, WorkerReport};
use crate::{abdada::AbdadaTable, endgame::Tables};
use kalah_game::{Board, Gain, Interval, Position, Row, Sowing};
use kalah_sys::clock::Instant;
use kalah_sys::machine::thread_error;
use kalah_sys::stop::Stopped;

/// The interval at which the caller is polled for a stop, which must take effect within 100 ms.
const TICK: Duration = Duration::from_millis(if cfg!(target_family = "wasm") { 50 } else { 100 });

/// Room for more than a hundred thousand plies. The search recurses once per ply, and games
/// on large boards are long; only the pages that are used take memory.
pub(crate) const STACK_BYTES: usize = 512 << 20;

/// Cells for the positions that threads are searching.
const SEARCHING_CELLS: usize = 1 << 10;

/// Positions with fewer seeds above the tables are not shared between threads: searching them takes
/// less time than sharing them. Limits of 1, 4, 8 and 12 seeds were no faster.
const WORTH_DIVIDING: u32 = 6;

/// Why a question was left without an answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// `watch` returned `false`.
    Stopped,
    /// The node limit was reached.
    Limit,
    /// No thread could be started.
    NoThread(io::Error),
}

/// Proves bounds for positions of one variant, with either width of the packed board.
pub(super) trait AnyProof: Send + Sync {
    /// Proves a bound of the gain of `position` that answers the question. `watch` is called every
    /// [`TICK`]; `false` stops the proof.
    fn bound(
        &self,
        position: &Position,
        question: GainQuestion,
        watch: &mut dyn FnMut(ProofStatus) -> bool,
    ) -> Result<Gain, Unanswered>;

    /// The bounds that the endgame tables or the transposition table hold for the gain of
    /// an unfinished position.
    fn proved(&self, position: &Position) -> Option<Interval<Gain>>;

    /// Stores bounds of the gain of a position that were proved before.
    fn import(&self, position: &Position, gain: Interval<Gain>);

    /// Empties the transposition table.
    fn forget(&self);

    /// Nodes visited so far.
    fn nodes(&self) -> u64;

    /// The fraction of the transposition table in use, in permille.
    fn hashfull(&self) -> u32;
}

/// Proofs on packed boards with rows of type `R`.
pub(super) struct Proof<R> {
    shared: ProofContext<R>,
    threads: usize,
    nodes: AtomicU64,
}

impl<R: Row> Proof<R> {
    /// For positions of the same variant as `position`, with at most as many seeds in play.
    pub(super) fn new(
        position: &Position,
        table: ProofTable,
        tables: Option<Arc<Tables>>,
        order: Order,
        threads: usize,
    ) -> Self {
        let variant = position.variant();
        let tabled = match &tables {
            Some(tables) => tables.seeds(),
            None => 0,
        };
        let searching = if threads > 1 { Some(AbdadaTable::new(SEARCHING_CELLS)) } else { None };
        let shared = ProofContext {
            sowing: Sowing::new(variant),
            bounds: RuleBounds::new(variant),
            table,
            searching,
            min_shared: tabled + WORTH_DIVIDING,
            halt: AtomicBool::new(false),
            tables,
            order: MoveOrder::new(order, variant, tabled),
        };
        Self { shared, threads: threads.max(1), nodes: AtomicU64::new(0) }
    }
}

impl<R: Row> Proof<R> {
    /// Searches on a thread for each of `reports`.
    fn search_in_threads(
        &self,
        board: Board<R>,
        question: &GainQuestion,
        reports: &[WorkerReport],
        watch: &mut dyn FnMut(ProofStatus) -> bool,
    ) -> Result<Gain, Unanswered> {
        let (answers, answered) = mpsc::channel();
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for report in reports {
                let answers = answers.clone();
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                threads.push(thread.spawn_scoped(scope, move || {
                    let worker = ProofWorker::new(&self.shared, question, report);
                    let answer = worker.answer(board, question);
                    // Only the first answer is received; later ones may find no receiver.
                    let _ = answers.send(answer);
                }));
            }
            // While this sender exists, the receiver cannot notice that no thread is left.
            drop(answers);
            let answer = loop {
                match answered.recv_timeout(TICK) {
                    Ok(Ok(gain)) => break Ok(gain),
                    Ok(Err(Stopped)) => break Err(Unanswered::Limit),
                    Err(RecvTimeoutError::Timeout) if watch(ProofStatus::from_reports(reports)) => {
                    }
                    // Stopped by `watch`, or no thread was started, which `end` reports.
                    Err(_) => break Err(Unanswered::Stopped),
                }
            };
            // The answer is known or no longer needed: the other threads need not finish.
            self.shared.halt.store(true, Relaxed);
            end(threads).and(answer)
        })
    }

    /// Searches on the caller's thread and stack, where the system has no threads. The search
    /// itself then calls `watch`.
    fn search_here(
        &self,
        board: Board<R>,
        question: &GainQuestion,
        reports: &[WorkerReport],
        watch: &mut dyn FnMut(ProofStatus) -> bool,
    ) -> Result<Gain, Unanswered> {
        let mut called = Instant::now();
        let mut poll = || {
            if called.elapsed() >= TICK {
                called = Instant::now();
                if !watch(ProofStatus::from_reports(reports)) {
                    self.shared.halt.store(true, Relaxed);
                }
            }
        };
        let worker = ProofWorker::new(&self.shared, question, &reports[0]).polling(&mut poll);
        let answer = worker.answer(board, question);
        let is_halted = self.shared.halt.load(Relaxed);
        answer.map_err(|Stopped| if is_halted { Unanswered::Stopped } else { Unanswered::Limit })
    }
}

impl<R: Row> AnyProof for Proof<R> {
    fn bound(
        &self,
        position: &Position,
        question: GainQuestion,
        watch: &mut dyn FnMut(ProofStatus) -> bool,
    ) -> Result<Gain, Unanswered> {
        let board = position.board::<R>();
        let variant = position.variant();
        if board.is_over(variant) {
            return Ok(board.final_gain(variant));
        }
        if let Some(gain) =
            self.proved(position).and_then(|proved| proved.answer(question.window(variant)))
        {
            return Ok(gain);
        }
        self.shared.halt.store(false, Relaxed);
        // Threads that were stopped have left their keys behind.
        self.shared.searching.iter().for_each(AbdadaTable::clear);
        let mut reports = Vec::new();
        reports.resize_with(self.threads, WorkerReport::default);
        let before = self.nodes();
        // All threads search the same root, so each gets its share of the limit.
        let limit = question.limit.div_ceil(self.threads as u64);
        let question = GainQuestion { limit, ..question };
        let mut watch =
            |status: ProofStatus| watch(ProofStatus { nodes: before + status.nodes, ..status });
        let gain = if cfg!(target_family = "wasm") {
            self.search_here(board, &question, &reports, &mut watch)
        } else {
            self.search_in_threads(board, &question, &reports, &mut watch)
        };
        self.nodes.store(before + ProofStatus::from_reports(&reports).nodes, Relaxed);
        gain
    }

    fn proved(&self, position: &Position) -> Option<Interval<Gain>> {
        let shared = &self.shared;
        let board = position.board::<R>();
        if let Some(gain) = shared.tables.as_ref().and_then(|tables| tables.gain(board)) {
            return Some(Interval::exactly(gain));
        }
        let in_play = board.in_play();
        let key = shared.key(board, in_play, shared.tabled())?;
        Some(shared.table.probe(key, in_play)?.proved)
    }

    fn import(&self, position: &Position, gain: Interval<Gain>) {
        let shared = &self.shared;
        let board = position.board::<R>();
        let in_play = board.in_play();
        if let Some(key) = shared.key(board, in_play, shared.tabled()) {
            let entry = ProofEntry { proved: gain, best_move: None };
            // Recorded with the maximum work, so that other entries are replaced first.
            shared.table.store(key, in_play, entry, u64::MAX);
        }
    }

    fn forget(&self) {
        self.shared.table.clear();
    }

    fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    fn hashfull(&self) -> u32 {
        self.shared.table.hashfull()
    }
}

/// Joins `threads`, so that the system has freed their stacks. The end of the scope does not wait
/// for that, and under a memory limit the stacks of the next question might not fit alongside them.
///
/// # Errors
/// [`Unanswered::NoThread`] if none was started.
fn end(threads: Vec<io::Result<ScopedJoinHandle<'_, ()>>>) -> Result<(), Unanswered> {
    let mut refused = None;
    let mut started = 0;
    for thread in threads {
        match thread {
            Ok(thread) => {
                started += 1;
                thread.join().unwrap_or_else(|fault| resume_unwind(fault));
            }
            Err(error) => refused = Some(error),
        }
    }
    match refused {
        Some(error) if started == 0 => Err(Unanswered::NoThread(thread_error(error, STACK_BYTES))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_needs_one_of_its_threads() {
        std::thread::scope(|scope| {
            let refused = || Err(io::Error::from(io::ErrorKind::OutOfMemory));
            let started = || std::thread::Builder::new().spawn_scoped(scope, || ());
            assert!(matches!(end(vec![refused(), refused()]), Err(Unanswered::NoThread(_))));
            assert!(end(vec![refused(), started()]).is_ok());
            assert!(end(vec![started(), refused()]).is_ok());
        });
    }
}
