//! What alpha-beta and SCOUT visit, leaf by leaf: null windows on the way,
//! leaves visited again, leaves that the other one prunes.

use crate::game::score::Window;
use crate::game::{Position, Row, with_row};
use crate::lab::algorithms::{
    Event, KalahTree, Observer, Player, Run, Search, Tree, Unfolded, f3, scout,
};
use crate::sys::parallel::map;

use super::kalah::Condition;
use crate::sys::statistics::{Estimate, Statistic};

/// What was visited on one position. Leaves are told apart by the moves that lead
/// to them, so that a transposition is no second visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Visits {
    /// Nodes of F3, leaves included.
    nodes: u64,
    /// Those of them where no score lay strictly inside the window.
    null: u64,
    /// Different leaves of SCOUT.
    leaves: u64,
    /// Those of them that F3 prunes.
    beyond: u64,
    /// The most visits of SCOUT to one leaf.
    most: u64,
}

/// What was visited on each position of an ensemble.
#[derive(Clone, Debug)]
pub(crate) struct Census {
    pub(crate) condition: Condition,
    pub(crate) depth: u16,
    positions: Vec<Visits>,
}

impl Census {
    /// Percent of F3's nodes with a null window.
    pub(crate) fn null_windows(&self) -> Estimate {
        self.share(|visits| visits.null, |visits| visits.nodes)
    }

    /// Percent of SCOUT's leaves that F3 prunes.
    pub(crate) fn beyond_alpha_beta(&self) -> Estimate {
        self.share(|visits| visits.beyond, |visits| visits.leaves)
    }

    /// The most visits of SCOUT to one leaf.
    pub(crate) fn most_visits(&self) -> Estimate {
        let most = self.positions.iter().map(|visits| visits.most).max();
        Estimate::exact(most.unwrap_or(0) as f64)
    }

    fn share(&self, part: fn(&Visits) -> u64, whole: fn(&Visits) -> u64) -> Estimate {
        let mean = |count: fn(&Visits) -> u64| {
            Statistic::mean(self.positions.iter().map(|visits| count(visits) as f64))
        };
        mean(part).with(&mean(whole), |part, whole| 100.0 * part / whole).estimate()
    }
}

/// Follows F3 and SCOUT on the ensemble of `condition`.
pub(crate) fn census(
    condition: &Condition,
    depth: u16,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Census {
    let groups: Vec<usize> = (0..condition.ensemble.groups()).collect();
    let visited = map(&groups, threads, done, |&nth| {
        let group = condition.ensemble.group(condition.rules, condition.seed, nth, depth);
        let follow =
            |position: Position| with_row!(position, R => follow::<R>(condition, &position, depth));
        group.into_iter().map(follow).collect::<Vec<_>>()
    });
    Census { condition: condition.clone(), depth, positions: visited.concat() }
}

/// Counts windows and keeps the leaves.
struct Follower<N> {
    visits: Visits,
    leaves: Vec<N>,
}

impl<N> Observer<N> for Follower<N> {
    fn observe(&mut self, event: Event<N>) {
        match event {
            Event::Visit { null_window } => {
                self.visits.nodes += 1;
                self.visits.null += u64::from(null_window);
            }
            Event::Leaf(leaf) => self.leaves.push(leaf),
            _ => {}
        }
    }
}

fn follow<R: Row>(condition: &Condition, position: &Position, depth: u16) -> Visits {
    let Condition { extra_turns, order, .. } = *condition;
    let tree = Unfolded(KalahTree::<R>::new(position, depth, extra_turns, order));
    let lines = |leaves: Vec<_>| {
        let mut lines: Vec<u64> = leaves.into_iter().map(|leaf| tree.key(leaf)).collect();
        lines.sort_unstable();
        lines
    };
    let follower = Follower { visits: Visits::default(), leaves: Vec::new() };
    let mut run = Run::watched(&tree, follower);
    let _ = run.visit(f3, tree.root(), Window::full());
    let Follower { mut visits, leaves } = run.observer;
    let alpha_beta = lines(leaves);

    let mut run = Run::watched(&tree, Vec::new());
    let _ = scout(&mut run, tree.root(), Player::Max);
    for visited in lines(run.observer).chunk_by(|a, b| a == b) {
        visits.leaves += 1;
        visits.most = visits.most.max(visited.len() as u64);
        visits.beyond += u64::from(alpha_beta.binary_search(&visited[0]).is_err());
    }
    visits
}
