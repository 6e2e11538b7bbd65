//! From one question to a proved bound, on all threads.
//!
//! Every thread searches the same root with the same null window. The threads share the
//! transposition table and defer positions that another one is searching (ABDADA); the
//! first answer stops the others. [`Solver`](super::Solver) chooses the questions.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use super::bounds::Bounds;
use super::order::{MoveOrder, Order};
use super::search::{Shared, Worker};
use super::table::{Entry, ProofTable};
use crate::endgame::Tables;
use crate::game::score::{Gain, Interval, Window};
use crate::game::{Position, Row, Sowing};
use crate::sys::searching::CurrentlySearching;
use crate::sys::stop::Stopped;

/// The interval at which the caller is polled for a stop.
const TICK: Duration = Duration::from_millis(100);

/// Room for more than a hundred thousand plies. The search recurses once per ply, and games
/// on large boards are long; only the pages that are used take memory.
pub(crate) const STACK_BYTES: usize = 512 << 20;

/// Cells for the positions that threads are searching.
const SEARCHING_CELLS: usize = 1 << 10;

/// Positions with fewer seeds above the tables are not shared between threads: their
/// search takes less time than the sharing.
const WORTH_DIVIDING: u32 = 6;

/// Why a question was left without an answer.
#[derive(Debug)]
pub(super) enum Unanswered {
    /// `watch` returned `false`.
    Stopped,
    /// The limit of nodes was reached.
    Limit,
    /// No thread could be started.
    NoThread(io::Error),
}

/// Proves bounds for positions of one variant, with either width of the packed board.
pub(super) trait Prove: Send + Sync {
    /// A bound of the gain of `position` outside `window`, a null window; stopped after
    /// `limit` nodes. `watch` is called every [`TICK`] with the nodes visited so far;
    /// `false` stops the proof.
    fn bound(
        &self,
        position: &Position,
        window: Window<Gain>,
        limit: u64,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Gain, Unanswered>;

    /// The bounds that the endgame tables or the transposition table hold for the gain of
    /// an unfinished position.
    fn proved(&self, position: &Position) -> Option<Interval<Gain>>;

    /// Stores bounds of the gain of a position that were proved before.
    fn import(&self, position: &Position, gain: Interval<Gain>);

    /// Forgets all of them.
    fn forget(&self);

    /// Positions visited so far.
    fn nodes(&self) -> u64;

    /// The part of the transposition table in use, in permille.
    fn hashfull(&self) -> u32;
}

/// Proofs on packed boards of rows of type `R`.
pub(super) struct Proof<R> {
    shared: Shared<R>,
    threads: usize,
    nodes: AtomicU64,
}

impl<R: Row> Proof<R> {
    /// For positions of the variant of `position` with no more seeds in play.
    pub(super) fn new(
        position: &Position,
        table: ProofTable,
        tables: Option<Arc<Tables>>,
        order: Order,
        threads: usize,
    ) -> Self {
        let variant = position.variant();
        let tabled = tables.as_ref().map_or(0, |tables| tables.seeds());
        let shared = Shared {
            sowing: Sowing::new(variant),
            bounds: Bounds::new(variant),
            table,
            searching: (threads > 1).then(|| CurrentlySearching::new(SEARCHING_CELLS)),
            least_shared: tabled + WORTH_DIVIDING,
            halt: AtomicBool::new(false),
            tables,
            order: MoveOrder::new(order, variant, tabled),
        };
        Self { shared, threads: threads.max(1), nodes: AtomicU64::new(0) }
    }
}

impl<R: Row> Prove for Proof<R> {
    fn bound(
        &self,
        position: &Position,
        window: Window<Gain>,
        limit: u64,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Gain, Unanswered> {
        let board = position.board::<R>();
        if board.is_over() {
            return Ok(board.final_gain());
        }
        if let Some(gain) = self.proved(position).and_then(|proved| proved.answer(window)) {
            return Ok(gain);
        }
        self.shared.halt.store(false, Relaxed);
        // Threads that were stopped have left their keys behind.
        self.shared.searching.iter().for_each(CurrentlySearching::clear);
        let counts: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        let before = self.nodes();
        // All threads search the same root, so the limit is shared among them.
        let limit = limit.div_ceil(self.threads as u64);
        let (answers, answered) = mpsc::channel();
        let gain = thread::scope(|scope| {
            let mut threads = Vec::new();
            for count in &counts {
                let answers = answers.clone();
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                threads.push(thread.spawn_scoped(scope, move || {
                    let mut worker = Worker::new(&self.shared, limit, count);
                    let answer = worker.search(worker.root(board), window);
                    worker.report();
                    // Only the first answer has a receiver.
                    let _ = answers.send(answer);
                }));
            }
            // Otherwise the receiver would not notice the end of the last thread.
            drop(answers);
            let answer = loop {
                match answered.recv_timeout(TICK) {
                    Ok(Ok(gain)) => break Ok(gain),
                    Ok(Err(Stopped)) => break Err(Unanswered::Limit),
                    Err(RecvTimeoutError::Timeout) if watch(before + sum(&counts)) => {}
                    Err(_) => break Err(Unanswered::Stopped),
                }
            };
            self.shared.halt.store(true, Relaxed);
            end(threads).and(answer)
        });
        self.nodes.store(before + sum(&counts), Relaxed);
        gain
    }

    fn proved(&self, position: &Position) -> Option<Interval<Gain>> {
        let (shared, board) = (&self.shared, position.board::<R>());
        if let Some(gain) = shared.tables.as_ref().and_then(|tables| tables.gain(board)) {
            return Some(Interval::exactly(gain));
        }
        let in_play = board.in_play();
        let key = shared.key(board, in_play, shared.tabled())?;
        Some(shared.table.probe(key, in_play)?.proved)
    }

    fn import(&self, position: &Position, gain: Interval<Gain>) {
        let (shared, board) = (&self.shared, position.board::<R>());
        let in_play = board.in_play();
        if let Some(key) = shared.key(board, in_play, shared.tabled()) {
            let entry = Entry { proved: gain, best_move: None };
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

/// Waits until the system has freed the stacks of `threads`, which the end of their scope
/// would not: under a limit of memory, those of the next question might not fit beside them.
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
        Some(error) if started == 0 => Err(Unanswered::NoThread(error)),
        _ => Ok(()),
    }
}

fn sum(counts: &[AtomicU64]) -> u64 {
    counts.iter().map(|count| count.load(Relaxed)).sum()
}
