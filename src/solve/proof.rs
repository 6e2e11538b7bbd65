//! From questions to a value, on all threads.
//!
//! A question is a null window: is the gain at least so much? Each answer is a
//! proved bound, and the next question starts from it (MTD(f): Plaat, Schaeffer,
//! Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", Artificial
//! Intelligence 87, 1996), until both bounds meet. Nothing is assumed about the
//! value: a wrong first guess costs time and nothing else.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::bounds::Bounds;
use super::memory::Memory;
use super::search::{Order, Shared, Stopped, Worker, decided};
use crate::endgame::Tables;
use crate::game::{Board, Row, Sowing, Variant};
use crate::score::{Gain, Interval, Window};
use crate::sys::searching::CurrentlySearching;

/// How often a proof under way is looked at.
const TICK: Duration = Duration::from_millis(100);

/// Room for more than a hundred thousand plies; only what is used is taken.
const STACK_BYTES: usize = 512 << 20;

/// Cells for the positions that threads are searching.
const SEARCHING_CELLS: usize = 1 << 10;

/// Positions with fewer seeds above the tables than this are too quickly done
/// to be divided between threads.
const WORTH_DIVIDING: u32 = 6;

/// What a proof under way has come to, told to whoever watches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Status {
    /// What is proved of the gain asked about.
    pub proved: Interval<Gain>,
    /// Positions visited since the proof was set up.
    pub nodes: u64,
}

/// Called about ten times a second; `false` stops the proof.
pub(super) type Watch<'w> = dyn FnMut(Status) -> bool + 'w;

/// Everything that proofs on boards of one size share.
pub(super) struct Proof<R> {
    shared: Shared<R>,
    threads: usize,
    /// Positions visited for the questions before.
    nodes: AtomicU64,
}

impl<R: Row> Proof<R> {
    /// For positions of `variant` with at most `most` seeds in play.
    ///
    /// # Errors
    /// If there is no memory of `hash` bytes.
    pub fn new(
        variant: Variant,
        most: u32,
        hash: usize,
        threads: usize,
        tables: Option<Tables>,
        order: Order,
    ) -> Result<Self, TryReserveError> {
        let tabled = tables.as_ref().map_or(0, Tables::seeds);
        let shared = Shared {
            sowing: Sowing::new(variant),
            bounds: Bounds::new(variant),
            memory: Memory::new(variant.pits(), most, hash)?,
            searching: (threads > 1).then(|| CurrentlySearching::new(SEARCHING_CELLS)),
            least_shared: tabled + WORTH_DIVIDING,
            halt: AtomicBool::new(false),
            tables,
            order,
        };
        Ok(Self { shared, threads: threads.max(1), nodes: AtomicU64::new(0) })
    }

    /// The exact gain of `board`, of which `proved` is known.
    pub fn gain(
        &self,
        board: Board<R>,
        mut proved: Interval<Gain>,
        guess: Gain,
        watch: &mut Watch<'_>,
    ) -> Result<Gain, Stopped> {
        let mut guess = guess;
        while !proved.is_exact() {
            let beta = Gain(guess.0.clamp(proved.lower.0 + 2, proved.upper.0));
            let window = Window::new(Gain(beta.0 - 2), beta);
            let gain = self.ask(board, window, &mut |nodes| watch(Status { proved, nodes }))?;
            log::debug!(
                "at least {beta}? {gain}, {} positions, memory {} permille",
                self.nodes(),
                self.fill()
            );
            if window.fails_high(gain) {
                proved.lower = gain;
            } else {
                proved.upper = gain;
            }
            if !watch(Status { proved, nodes: self.nodes() }) {
                return Err(Stopped);
            }
            guess = gain;
        }
        Ok(proved.lower)
    }

    /// A bound of the gain of `board` that answers the question of `window`.
    pub fn ask(
        &self,
        board: Board<R>,
        window: Window<Gain>,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Gain, Stopped> {
        if board.is_over() {
            return Ok(board.final_gain());
        }
        if let Some(gain) = self.known(board, window) {
            return Ok(gain);
        }
        self.shared.halt.store(false, Relaxed);
        self.shared.searching.iter().for_each(CurrentlySearching::clear);
        let counts: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        let before = self.nodes();
        let visited = || before + counts.iter().map(|count| count.load(Relaxed)).sum::<u64>();
        let (answers, answered) = mpsc::channel();
        let gain = thread::scope(|scope| {
            let mut spawned = 0;
            for count in &counts {
                let answers = answers.clone();
                let work = move || {
                    let mut worker = Worker::new(&self.shared, count);
                    let answer = worker.search(worker.node(board), window);
                    worker.report();
                    // Nobody listens after the first answer.
                    let _ = answers.send(answer);
                };
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                spawned += u32::from(thread.spawn_scoped(scope, work).is_ok());
            }
            drop(answers);
            if spawned == 0 {
                log::error!("no thread could be started");
            }
            let answer = loop {
                match answered.recv_timeout(TICK) {
                    Ok(answer) => break answer,
                    Err(RecvTimeoutError::Timeout) if watch(visited()) => {}
                    Err(_) => break Err(Stopped),
                }
            };
            self.shared.halt.store(true, Relaxed);
            answer
        });
        self.nodes.store(visited(), Relaxed);
        gain
    }

    /// A bound of the gain of `board` that answers the question of `window`, if
    /// the tables or the memory have one. The board is not over.
    pub fn known(&self, board: Board<R>, window: Window<Gain>) -> Option<Gain> {
        let Shared { tables, memory, .. } = &self.shared;
        if let Some(gain) = tables.as_ref().and_then(|tables| tables.gain(board)) {
            return Some(gain);
        }
        let in_play = board.in_play();
        if in_play > memory.most_seeds() {
            return None;
        }
        decided(memory.probe(memory.place(board), in_play)?.proved, window)
    }

    /// Positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The part of the memory in use, in permille.
    pub fn fill(&self) -> u32 {
        self.shared.memory.fill()
    }
}
