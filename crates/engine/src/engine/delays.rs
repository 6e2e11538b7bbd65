//! The time lost between the engine and the clock, as inferred from the clocks of a game.
//!
//! A manager's clock runs until it has received the answer; the engine measures only its own
//! part of that. The time that pipes, the scheduler and the manager took is missing from the
//! clock of the same side's next search. Only then does it become known, so it is reserved in
//! the searches after that.

use std::time::Duration;

use crate::search::Clock;
use kalah_game::Side;

/// The delays of one game.
#[derive(Debug, Default)]
pub(super) struct Delays {
    /// For each side, the clock of its next search if nothing is lost.
    expected: [Option<Duration>; 2],
    /// The two longest delays, longest first.
    longest: [Duration; 2],
}

impl Delays {
    /// Compares the clock of `side`, which is about to search, with the expected one. Returns
    /// the time to reserve: `overhead`, or more if more was lost at least twice. A single long
    /// delay may have been an accident.
    pub(super) fn begin(&mut self, side: Side, clock: Clock, overhead: Duration) -> Duration {
        if let Some(expected) = self.expected[side.index()].take() {
            let delay = expected.saturating_sub(clock.remaining);
            let [longest, second] = self.longest;
            self.longest = [longest.max(delay), second.max(longest.min(delay))];
        }
        // At most half of the clock: with even less left to search in, the game would surely
        // be lost on time.
        overhead.max(self.longest[1].min(clock.remaining / 2))
    }

    /// Forgets the expected clock of `side`, whose clock now runs in a search that is not measured,
    /// such as one that began as pondering.
    pub(super) fn forget(&mut self, side: Side) {
        self.expected[side.index()] = None;
    }

    /// Records that `side` has `used` some time of `clock`.
    pub(super) fn end(&mut self, side: Side, clock: Clock, used: Duration) {
        let left = clock.remaining.saturating_sub(used) + clock.increment;
        // It is unknown how much time is added after the last sowing of a period.
        self.expected[side.index()] = if clock.moves_to_go == Some(1) { None } else { Some(left) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(remaining: u64) -> Clock {
        Clock { remaining: ms(remaining), increment: ms(5), moves_to_go: None }
    }

    /// The reserves for a game: pairs of the clock and the time that the engine then used, in ms.
    fn reserves(game: &[(u64, u64)]) -> Vec<u64> {
        let mut delays = Delays::default();
        let reserve = |&(remaining, used): &(u64, u64)| {
            let reserve = delays.begin(Side::South, clock(remaining), ms(10));
            delays.end(Side::South, clock(remaining), ms(used));
            reserve.as_millis() as u64
        };
        game.iter().map(reserve).collect()
    }

    #[test]
    fn delays_below_the_overhead_change_nothing() {
        // Recorded on an idle machine: one millisecond is lost to rounding.
        let game = [(300, 21), (283, 20), (267, 19), (252, 18), (238, 17), (226, 16), (214, 0)];
        assert_eq!(reserves(&game), [10; 7]);
    }

    #[test]
    fn the_second_longest_delay_is_reserved() {
        // Recorded under a load of ten. The delays were 1, 11, 14, 14, 15 and 11 ms.
        let game = [(309, 59), (254, 36), (212, 14), (189, 18), (162, 28), (124, 22), (96, 1)];
        assert_eq!(reserves(&game), [10, 10, 10, 11, 14, 14, 14]);
        // A single delay of 150 ms.
        let game = [(300, 20), (135, 5), (134, 5), (133, 5)];
        assert_eq!(reserves(&game), [10; 4]);
    }

    #[test]
    fn time_used_after_a_ponderhit_is_not_a_delay() {
        let mut delays = Delays::default();
        for remaining in [1000, 900, 800, 700] {
            assert_eq!(delays.begin(Side::South, clock(remaining), ms(10)), ms(10));
            delays.end(Side::South, clock(remaining), ms(5));
            // The next search of this side ponders and then takes 100 ms.
            delays.forget(Side::South);
        }
    }

    #[test]
    fn at_most_half_of_the_clock_is_reserved() {
        let game = [(300, 0), (205, 0), (110, 0), (75, 0), (20, 0)];
        assert_eq!(reserves(&game), [10, 10, 55, 37, 10]);
    }

    #[test]
    fn a_clock_is_compared_only_with_that_of_the_same_side_and_period() {
        let mut delays = Delays::default();
        let last = Clock { moves_to_go: Some(1), ..clock(500) };
        for _ in 0..5 {
            for (side, clock) in [(Side::South, clock(1000)), (Side::North, last)] {
                assert_eq!(delays.begin(side, clock, ms(10)), ms(10));
                let used = if side == Side::South { ms(5) } else { ms(0) };
                delays.end(side, clock, used);
            }
            assert_eq!(delays.begin(Side::North, clock(100), ms(10)), ms(10));
        }
    }
}
