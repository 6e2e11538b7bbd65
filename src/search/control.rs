//! The state shared by all threads of a search: its limits, its time, and the stop flag.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::limits::Limits;
use super::time::{Patience, Timer};
use crate::sys::stop::Flag;

/// Ends a search from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper {
    stop: Flag,
    ponderhit: Flag,
}

impl Stopper {
    /// A stopper for a search to be started.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the search within 10 ms.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Starts the clock: the opponent has played the expected move.
    pub fn ponderhit(&self) {
        self.ponderhit.raise();
    }

    pub(crate) fn flag(&self) -> &Flag {
        &self.stop
    }

    /// Whether [`stop`](Self::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }
}

/// Nodes that a thread visits between two checks of the limits, which takes under a
/// millisecond: reading the clock at each node would cost more than the node itself.
const REPORT_INTERVAL: u64 = 1024;

/// The shared state of one search.
#[derive(Debug)]
pub(crate) struct Control {
    stopper: Stopper,
    /// Raised when a limit is reached, the first thread is done or a proof arrives: the
    /// search ends, though its answer may have to wait for the stopper.
    ended: Flag,
    limits: Limits,
    timer: Timer,
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

impl Control {
    /// Starts timing a search with `in_play` seeds in the pits.
    pub(crate) fn new(limits: Limits, in_play: u32, overhead: Duration, stopper: Stopper) -> Self {
        let timer = Timer::start(&limits, in_play, overhead, stopper.ponderhit.clone());
        Self {
            stopper,
            ended: Flag::default(),
            limits,
            timer,
            nodes: AtomicU64::new(0),
            tbhits: AtomicU64::new(0),
        }
    }

    pub(super) fn ending_with(self, ended: Flag) -> Self {
        Self { ended, ..self }
    }

    /// The limits of the search, as tightened by the skill.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Time since the search started, pondering included.
    pub(crate) fn elapsed(&self) -> Duration {
        self.timer.elapsed()
    }

    /// Boards visited, as far as the threads have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Boards found in the endgame tables, as far as the threads have reported.
    pub(super) fn tbhits(&self) -> u64 {
        self.tbhits.load(Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.ended.raise();
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.ended.is_raised() || self.stopper.is_stopped()
    }

    /// The number of nodes that a thread visits before it reports them: 1 under a tight
    /// limit of nodes, so that a single thread observes the limit exactly.
    pub(crate) fn report_interval(&self) -> u64 {
        match self.limits.nodes {
            Some(nodes) if nodes < 64 * REPORT_INTERVAL => 1,
            _ => REPORT_INTERVAL,
        }
    }

    /// Adds what a thread has counted since its last report, and ends the search
    /// if a limit is reached.
    pub(crate) fn count(&self, nodes: u64, tbhits: u64) {
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        self.tbhits.fetch_add(tbhits, Relaxed);
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            self.stop();
        }
        if self.timer.is_up() {
            self.stop();
        }
    }

    pub(crate) fn has_time(&self, patience: Patience) -> bool {
        self.timer.has_time(patience)
    }

    /// Whether time is what limits the search, so that a forced move should be
    /// played at once.
    pub(super) fn is_timed(&self) -> bool {
        self.timer.is_limit()
    }

    /// Waits until the search may end: an infinite search when it is stopped, a pondering
    /// one when the opponent has moved.
    pub(crate) fn hold_bestmove(&self) {
        while !self.stopper.is_stopped() && self.timer.must_wait() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
