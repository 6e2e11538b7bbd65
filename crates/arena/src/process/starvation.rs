//! Measures how long other processes keep a program from running, and extends its deadlines by
//! that time.

use std::time::{Duration, Instant};

use kalah_sys::machine::ProcessorUse;

/// The maximum number of extensions of the deadlines of a request: a program that gets no processor
/// at all must not keep the match from ending.
const MAX_EXTENSIONS: u32 = 20;

/// How long a program has had to wait for a processor during a request.
#[derive(Debug, Default)]
pub(super) struct Starvation {
    /// When the program was first polled without an answer, and its use of the processors then;
    /// `None` if it answers before that.
    first_poll: Option<(Instant, ProcessorUse)>,
    /// Zero unless it has had to wait most of the time.
    total: Duration,
    extensions: u32,
}

impl Starvation {
    pub(super) fn total(&self) -> Duration {
        self.total
    }

    /// The program has not answered yet. `used` is called the first time only.
    pub(super) fn poll(&mut self, now: Instant, used: impl FnOnce() -> Option<ProcessorUse>) {
        if self.first_poll.is_none() {
            self.first_poll = used().map(|used| (now, used));
        }
    }

    /// Measures the time up to `now`, when the program has used `used`.
    pub(super) fn measure(&mut self, now: Instant, used: Option<ProcessorUse>) {
        if let (Some((since, before)), Some(used)) = (self.first_poll, used) {
            self.total = used.starved_since(before, now.saturating_duration_since(since));
        }
    }

    /// The time left at `now` until a deadline.
    pub(super) fn left(&self, now: Instant, deadline: Instant) -> Duration {
        (deadline + self.total).saturating_duration_since(now)
    }

    /// Whether a line that arrived at this time is late. The deadline is extended first, if needed
    /// and possible; `used` is called only then.
    pub(super) fn is_late(
        &mut self,
        arrived: Instant,
        deadline: Instant,
        used: impl FnOnce() -> Option<ProcessorUse>,
    ) -> bool {
        if arrived <= deadline + self.total {
            return false;
        }
        self.measure(Instant::now(), used());
        self.extensions += 1;
        arrived > deadline + self.total || self.extensions > MAX_EXTENSIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// A program that has waited for a processor for `waited` seconds, and has run for `ran`.
    fn used(waited: u32, ran: u32) -> ProcessorUse {
        ProcessorUse { waited: waited * SECOND, ran: ran * SECOND }
    }

    /// A program that was polled `seconds` ago for the first time, when it had waited and run for
    /// five seconds.
    fn polled(seconds: u32) -> (Starvation, Instant) {
        let start = Instant::now() - seconds * SECOND;
        let mut starvation = Starvation::default();
        starvation.poll(start, || Some(used(5, 5)));
        (starvation, start)
    }

    #[test]
    fn a_deadline_is_extended_by_the_time_starved() {
        let (mut starvation, start) = polled(10);
        let deadline = start + 4 * SECOND;
        for (arrived, is_late) in [(12, true), (11, false), (10, false), (12, true)] {
            let late = starvation.is_late(start + arrived * SECOND, deadline, || Some(used(12, 5)));
            assert_eq!(late, is_late, "{arrived}");
            assert_eq!(starvation.total(), 7 * SECOND);
            assert_eq!(starvation.left(start, deadline), 11 * SECOND);
        }
    }

    #[test]
    fn a_program_that_runs_or_sleeps_gets_no_extension() {
        for now in [Some(used(5, 5)), Some(used(5, 15)), Some(used(9, 11)), None] {
            let (mut starvation, start) = polled(10);
            let deadline = start + 4 * SECOND;
            assert!(!starvation.is_late(deadline, deadline, || panic!("in time")));
            assert!(starvation.is_late(deadline + SECOND, deadline, || now));
            assert_eq!(starvation.total(), Duration::ZERO);
        }
    }

    #[test]
    fn only_the_first_poll_counts_and_none_is_needed() {
        let (mut starvation, start) = polled(10);
        starvation.poll(start + 9 * SECOND, || panic!("a second measurement"));
        starvation.measure(start + 10 * SECOND, Some(used(13, 5)));
        assert_eq!(starvation.total(), 8 * SECOND);
        let mut unpolled = Starvation::default();
        assert!(unpolled.is_late(start + SECOND, start, || Some(used(13, 5))));
        unpolled.measure(start + SECOND, Some(used(13, 5)));
        assert_eq!(unpolled.total(), Duration::ZERO);
    }

    #[test]
    fn the_deadlines_of_a_request_are_extended_at_most_twenty_times() {
        let (mut starvation, start) = polled(150);
        let lateness = (101..=121).map(|seconds| {
            let arrived = start + seconds * SECOND;
            starvation.is_late(arrived, start, || Some(used(5 + seconds, 5)))
        });
        let late: Vec<bool> = lateness.collect();
        assert_eq!(late, [vec![false; 20], vec![true]].concat());
    }
}
