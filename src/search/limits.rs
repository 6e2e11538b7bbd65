//! What a search is asked to do, and how much of a clock it may use.

use std::time::Duration;

use crate::depth::Depth;
use crate::game::PitSet;

/// The mover's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added for each sowing.
    pub increment: Duration,
    /// Sowings until more time is added; none: for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. It ends at the first limit reached; without any, when
/// it is stopped, has proved its result or has reached [`Depth::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The last depth to finish.
    pub depth: Option<Depth>,
    /// Boards to visit, all threads together.
    pub nodes: Option<u64>,
    /// Time to use.
    pub movetime: Option<Duration>,
    /// A clock to manage.
    pub clock: Option<Clock>,
    /// Search on until stopped, even when the result is proved.
    pub infinite: bool,
    /// The clock starts at [`Stopper::ponderhit`](super::Stopper::ponderhit).
    pub ponder: bool,
    /// The moves to choose from; none: all.
    pub moves: Option<PitSet>,
}

/// How long a search may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No further iteration starts after this.
    pub soft: Duration,
    /// The search stops at this.
    pub hard: Duration,
}

impl Limits {
    /// Limits of time alone.
    pub fn time(movetime: Duration) -> Self {
        Self { movetime: Some(movetime), ..Self::default() }
    }

    /// Limits of depth alone.
    pub fn depth(depth: Depth) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Limits of nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The time to use with `in_play` seeds in the pits, `overhead` being lost
    /// between the engine and the clock; none if time is not limited.
    pub fn budget(&self, in_play: u32, overhead: Duration) -> Option<Budget> {
        let fixed = self.movetime.map(|time| {
            let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
            Budget { soft: time, hard: time }
        });
        let managed = self.clock.map(|clock| clock.budget(in_play, overhead));
        match (fixed, managed) {
            (Some(fixed), Some(managed)) => Some(Budget {
                soft: fixed.soft.min(managed.soft),
                hard: fixed.hard.min(managed.hard),
            }),
            (fixed, managed) => fixed.or(managed),
        }
    }
}

impl Clock {
    /// Every sowing is charged, so what is left is shared among all that are
    /// likely still to come: about one for each three seeds in play.
    fn budget(self, in_play: u32, overhead: Duration) -> Budget {
        let to_come = (in_play / 3).clamp(4, 30);
        let sowings = self.moves_to_go.unwrap_or(to_come).clamp(1, to_come);
        let usable = self.remaining.saturating_sub(overhead);
        let share = usable / sowings + self.increment.saturating_sub(overhead) * 3 / 4;
        // The last sowing before more time may use nearly all of it; any
        // other leaves most of it to those that follow.
        let most = if sowings == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
        Budget { soft: (share / 2).min(most), hard: (share * 3).min(most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(remaining: u32, increment: u32, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock { remaining: MS * remaining, increment: MS * increment, moves_to_go };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    #[test]
    fn the_hard_limit_leaves_the_overhead_on_the_clock() {
        for remaining in [0, 1, 5, 20, 100, 1000, 60_000] {
            for increment in [0, 10, 1000] {
                for moves_to_go in [None, Some(1), Some(40), Some(0)] {
                    for in_play in [0, 1, 10, 48, 2000] {
                        let limits = clock(remaining, increment, moves_to_go);
                        let budget = limits.budget(in_play, MS * 5).unwrap();
                        assert!(budget.hard <= (MS * remaining).saturating_sub(MS * 5));
                        assert!(budget.soft <= budget.hard);
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_played_at_the_hard_limit_keeps_time_on_the_clock() {
        let mut remaining = MS * 100;
        for sowing in 0..60 {
            let clock = Clock { remaining, increment: MS * 10, moves_to_go: None };
            let budget = clock.budget(48 - 48 * sowing / 60, MS * 5);
            remaining =
                remaining.checked_sub(budget.hard + MS * 4).expect("no time loss") + MS * 10;
        }
    }

    #[test]
    fn a_fixed_time_and_a_clock_give_the_shorter_of_both() {
        let both = Limits { movetime: Some(MS * 20), ..clock(60_000, 0, None) };
        assert_eq!(both.budget(48, MS * 5).unwrap().hard, MS * 15);
        assert_eq!(Limits::default().budget(48, MS), None);
    }
}
