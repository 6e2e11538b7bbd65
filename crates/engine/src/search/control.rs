//! The state shared by all threads of a search: its limits, its time, and the stop flag.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::job::SearchJob;
use super::limits::Limits;
use super::parameters::Parameters;
use super::time::{Budget, TimeFactor};
use kalah_sys::clock::Instant;
use kalah_sys::stop::Flag;

/// Ends a search from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper {
    pub(crate) stop: Flag,
    ponderhit: Flag,
}

impl Stopper {
    /// A stopper for a search to be started.
    pub fn new() -> Self {
        Self::default()
    }

    /// A stopper that is also stopped by raising `stop`: for a search that is part of other work.
    pub fn with_flag(stop: Flag) -> Self {
        Self { stop, ..Self::default() }
    }

    /// Ends the search within 10 ms.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Starts the clock: the opponent has played the expected move.
    pub fn ponderhit(&self) {
        self.ponderhit.raise();
    }

    /// Whether [`stop`](Self::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }

    /// See [`Flag::poll`].
    pub fn poll(&self) -> bool {
        self.stop.poll()
    }
}

/// Nodes that a thread visits between two checks of the limits, which takes under a
/// millisecond: reading the clock at each node would cost more than the node itself.
const CHECK_INTERVAL: u64 = 1024;

/// The shared state of one search.
#[derive(Debug)]
pub struct Control {
    stopper: Stopper,
    /// Raised when a limit is reached, the first thread is done or a proof arrives: the
    /// search ends, though its answer may have to wait for the stopper.
    pub(super) ended: Flag,
    /// The limits of the search, as tightened by the skill.
    pub(super) limits: Limits,
    started: Instant,
    /// When a ponderhit was first seen: the mover's clock runs from here.
    hit: OnceLock<Instant>,
    /// None if time does not end the search.
    budget: Option<Budget>,
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

impl Control {
    /// Starts timing a search with `in_play` seeds in the pits.
    pub fn new(limits: Limits, in_play: u32, overhead: Duration, stopper: Stopper) -> Self {
        let budget = Budget::for_limits(&limits, in_play, overhead, Parameters::IN_USE);
        Self::within(limits, budget, stopper)
    }

    /// Starts timing the search of `job`.
    pub(super) fn for_job(job: &SearchJob<'_>, stopper: Stopper) -> Self {
        let limits = job.skill.limit(job.limits);
        let in_play = job.position.in_play();
        let budget = Budget::for_limits(&limits, in_play, job.overhead, job.parameters);
        let mut control = Self::within(limits, budget, stopper);
        if let Some(proof) = job.proof {
            control.ended = proof.ended.clone();
        }
        control
    }

    fn within(limits: Limits, budget: Option<Budget>, stopper: Stopper) -> Self {
        Self {
            stopper,
            ended: Flag::default(),
            limits,
            started: Instant::now(),
            hit: OnceLock::new(),
            budget,
            nodes: AtomicU64::new(0),
            tbhits: AtomicU64::new(0),
        }
    }

    /// Time since the search started, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time charged to the mover's clock: since the start, or since the ponderhit.
    fn charged(&self) -> Duration {
        if !self.limits.ponder {
            self.elapsed()
        } else if self.stopper.ponderhit.is_raised() {
            self.hit.get_or_init(Instant::now).elapsed()
        } else {
            Duration::ZERO
        }
    }

    /// Whether the answer must wait: for a stop, or for the opponent's move.
    fn must_wait(&self) -> bool {
        self.limits.infinite || self.waits_for_ponderhit()
    }

    fn waits_for_ponderhit(&self) -> bool {
        self.limits.ponder && !self.stopper.ponderhit.is_raised()
    }

    /// Boards visited, as reported by the threads so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Boards found in the endgame tables, as reported by the threads so far.
    pub(super) fn tbhits(&self) -> u64 {
        self.tbhits.load(Relaxed)
    }

    /// Ends the search on all its threads.
    pub fn stop(&self) {
        self.ended.raise();
    }

    /// Whether the search has ended, for whatever reason.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.ended.is_raised() || self.stopper.is_stopped()
    }

    /// The number of nodes that a thread visits before it reports them: 1 under a tight
    /// node limit, so that a single thread observes the limit exactly.
    pub fn check_interval(&self) -> u64 {
        match self.limits.nodes {
            Some(nodes) if nodes < 64 * CHECK_INTERVAL => 1,
            _ => CHECK_INTERVAL,
        }
    }

    /// Adds what a thread has counted since its last report, and ends the search
    /// if a limit is reached.
    pub fn count(&self, nodes: u64, tbhits: u64) {
        // Relaxed: nothing else is ordered by the counters, and no count is lost.
        let nodes = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        self.tbhits.fetch_add(tbhits, Relaxed);
        self.stopper.poll();
        if let Some(budget) = self.budget
            && self.charged() >= budget.hard
        {
            self.stop();
        }
        if let Some(limit) = self.limits.nodes
            && nodes >= limit
        {
            self.stop();
        }
    }

    /// Whether another iteration is worth starting.
    pub fn has_time(&self, time_factor: TimeFactor) -> bool {
        match self.budget {
            Some(budget) if !self.waits_for_ponderhit() => {
                self.charged() < time_factor.limit(budget)
            }
            _ => true,
        }
    }

    /// Whether the search is limited by time, in which case a forced move should be played
    /// immediately.
    pub(super) fn is_timed(&self) -> bool {
        self.budget.is_some() && !self.must_wait()
    }

    /// Waits until the answer may be given: that of an infinite search when it is stopped,
    /// that of a pondering one when the opponent has moved.
    pub fn hold_bestmove(&self) {
        // Without threads, nothing could end the wait; the host holds the answer instead.
        if cfg!(target_family = "wasm") {
            return;
        }
        // Polling is accurate enough: the answer is due within 10 ms of a stop.
        while !self.stopper.is_stopped() && self.must_wait() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn control(limits: Limits) -> (Control, Stopper) {
        let stopper = Stopper::new();
        (Control::new(limits, 48, Duration::ZERO, stopper.clone()), stopper)
    }

    #[test]
    fn counts_of_threads_add_up_and_the_limit_itself_ends_the_search() {
        let (control, _) = control(Limits::nodes(10));
        control.count(6, 1);
        control.count(3, 2);
        assert_eq!((control.nodes(), control.tbhits(), control.is_stopped()), (9, 3, false));
        control.count(1, 0);
        assert!(control.is_stopped());
    }

    #[test]
    fn only_small_limits_are_checked_at_every_node() {
        let interval = |limits| control(limits).0.check_interval();
        assert_eq!([65_535, 65_536].map(|nodes| interval(Limits::nodes(nodes))), [1, 1024]);
        assert_eq!(interval(Limits::default()), 1024);
    }

    #[test]
    fn time_ends_a_search_but_not_before_the_ponderhit() {
        for ponder in [false, true] {
            let (control, stopper) = control(Limits { ponder, ..Limits::time(MS * 200) });
            std::thread::sleep(MS * 250);
            assert_eq!(control.has_time(TimeFactor::default()), ponder);
            assert_eq!(control.is_timed(), !ponder);
            control.count(1, 0);
            assert_eq!(control.is_stopped(), !ponder);
            if ponder {
                stopper.ponderhit();
                control.count(1, 0);
                assert!(!control.is_stopped(), "the clock has just been started");
                assert!(control.is_timed());
                std::thread::sleep(MS * 250);
                assert!(!control.has_time(TimeFactor::default()));
                control.count(1, 0);
                assert!(control.is_stopped());
            }
        }
        let (control, _) = control(Limits::nodes(10));
        assert!(!control.is_timed() && control.has_time(TimeFactor::default()));
    }

    #[test]
    fn an_answer_waits_for_the_stop_or_the_ponderhit_it_depends_on() {
        let infinite = Limits { infinite: true, ..Limits::default() };
        let ponder = Limits { ponder: true, ..Limits::default() };
        for (limits, end) in [
            (infinite, Stopper::stop as fn(&Stopper)),
            (ponder, Stopper::stop),
            (ponder, Stopper::ponderhit),
        ] {
            let (control, stopper) = control(limits);
            control.stop();
            let waited = std::thread::scope(|scope| {
                let answer = scope.spawn(|| {
                    control.hold_bestmove();
                    control.elapsed()
                });
                std::thread::sleep(MS * 20);
                end(&stopper);
                answer.join().unwrap()
            });
            assert!(waited >= MS * 20, "{waited:?}");
        }
        control(Limits::default()).0.hold_bestmove();
        let flag = Flag::default();
        flag.raise();
        assert!(Stopper::with_flag(flag).is_stopped());
    }
}
