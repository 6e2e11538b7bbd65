//! Limits the rate of a search's events before they are written as lines. While the engine
//! searches, only the newest event of each kind is kept, and those kept are written together, at
//! most one per gap on average.

use std::time::{Duration, Instant};

use kalah_engine::SearchEvent;

/// The minimum time that an event waits. The events of one iteration follow each other closely,
/// and they must not be cut between its principal variations.
const SETTLING: Duration = Duration::from_millis(3);

/// The events that are waiting.
#[derive(Debug)]
pub(super) struct Pace {
    /// The pause after each event.
    gap: Duration,
    /// In the order in which their kinds first arrived.
    waiting: Vec<SearchEvent>,
    /// No event is due earlier: several at once are followed by as long a pause as if each had
    /// come alone.
    pause_end: Option<Instant>,
    /// When the waiting events are due.
    due: Option<Instant>,
}

impl Pace {
    /// At most one event per `gap`, on average.
    pub(super) fn new(gap: Duration) -> Self {
        Self { gap, waiting: Vec::new(), pause_end: None, due: None }
    }

    /// Keeps an event until it is due, instead of an older one of its kind.
    pub(super) fn hold(&mut self, event: SearchEvent, now: Instant) {
        match self.waiting.iter_mut().find(|other| is_of_same_kind(other, &event)) {
            Some(older) => *older = event,
            None => self.waiting.push(event),
        }
        let settled = now.checked_add(SETTLING).unwrap_or(now);
        // A later event must not delay those that are already waiting.
        self.due.get_or_insert(settled.max(self.pause_end.unwrap_or(settled)));
    }

    /// When the waiting events are due; none if there are none.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// The waiting events, which are written now.
    pub(super) fn release(&mut self, now: Instant) -> Vec<SearchEvent> {
        self.due = None;
        let events = std::mem::take(&mut self.waiting);
        let count = u32::try_from(events.len()).unwrap_or(u32::MAX);
        if count > 0 {
            self.pause_end = now.checked_add(self.gap.saturating_mul(count));
        }
        events
    }
}

/// Whether the newer of two events replaces the older one: principal variations of the same
/// rank, or moves at the root.
fn is_of_same_kind(one: &SearchEvent, other: &SearchEvent) -> bool {
    match (one, other) {
        (SearchEvent::Info(one), SearchEvent::Info(other)) => one.multipv == other.multipv,
        (SearchEvent::RootMove(_), SearchEvent::RootMove(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_engine::search::{Info, RootMove};
    use kalah_engine::{Depth, Pit};

    const GAP: Duration = Duration::from_millis(50);

    fn info(depth: u16, multipv: usize) -> SearchEvent {
        SearchEvent::Info(Info { depth: Depth(depth), multipv, ..Info::default() })
    }

    fn root_move(number: usize) -> SearchEvent {
        SearchEvent::RootMove(RootMove { depth: Depth(3), pit: Pit::new(0), number })
    }

    #[test]
    fn the_newest_event_of_each_kind_waits() {
        let (mut pace, now) = (Pace::new(GAP), Instant::now());
        assert_eq!((pace.due(), pace.release(now)), (None, Vec::new()));
        for event in [info(1, 1), info(1, 2), root_move(1), root_move(2), info(2, 2), info(2, 1)] {
            pace.hold(event, now);
            assert_eq!(pace.due(), Some(now + SETTLING));
        }
        assert_eq!(pace.release(now), [info(2, 1), info(2, 2), root_move(2)]);
        assert_eq!(pace.due(), None);
    }

    #[test]
    fn a_pause_follows_each_event() {
        let (mut pace, now) = (Pace::new(GAP), Instant::now());
        pace.hold(info(1, 1), now);
        pace.release(now);
        // Where nothing waits, nothing ends the pause.
        assert_eq!(pace.release(now), []);
        pace.hold(info(2, 1), now);
        assert_eq!(pace.due(), Some(now + GAP));
        pace.hold(info(3, 1), now + GAP);
        assert_eq!(pace.due(), Some(now + GAP));
        pace.hold(info(3, 2), now + GAP);
        pace.release(now + GAP);
        pace.hold(info(4, 1), now + GAP);
        assert_eq!(pace.due(), Some(now + 3 * GAP));
    }
}
