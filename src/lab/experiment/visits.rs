//! What alpha-beta, SCOUT and NegaScout visit, leaf by leaf: null windows on the
//! way, leaves visited again, leaves that one visits and another prunes.

use crate::game::score::Window;
use crate::game::{Position, Row, with_row};
use crate::lab::algorithms::{
    Event, KalahTree, Observer, Options, Player, Run, Search, Tree, Unfolded, f3, negascout, scout,
};
use crate::sys::parallel::map;

use super::kalah::Condition;
use crate::sys::statistics::{Estimate, Statistic};

/// What was visited on one position. Leaves are told apart by the moves that lead
/// to them, so that a transposition is not a second visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visits {
    /// Nodes of F3, leaves included, and those of them with a null window.
    pub f3_nodes: u64,
    pub f3_null: u64,
    /// Nodes of SCOUT, leaves included, and those of them that TEST visits.
    pub scout_nodes: u64,
    pub scout_tests: u64,
    /// Different leaves of each algorithm.
    pub f3_leaves: u64,
    pub scout_leaves: u64,
    pub negascout_leaves: u64,
    /// Leaves of SCOUT and of NegaScout that F3 prunes.
    pub scout_beyond: u64,
    pub negascout_beyond: u64,
    /// Leaves of F3 that NegaScout prunes.
    pub negascout_prunes: u64,
    /// The most visits of TEST, and of EVAL, to one leaf.
    pub by_test: u64,
    pub by_eval: u64,
}

/// What was visited on each position of an ensemble.
#[derive(Clone, Debug)]
pub(crate) struct Census {
    pub(crate) condition: Condition,
    pub(crate) depth: u16,
    positions: Vec<Visits>,
}

impl Census {
    /// How many of `whole` are `part`, in percent.
    pub(crate) fn share(
        &self,
        part: impl Fn(&Visits) -> u64,
        whole: impl Fn(&Visits) -> u64,
    ) -> Estimate {
        let part = Statistic::mean(self.positions.iter().map(|visits| part(visits) as f64));
        let whole = Statistic::mean(self.positions.iter().map(|visits| whole(visits) as f64));
        part.with(&whole, |part, whole| 100.0 * part / whole).estimate()
    }

    /// The largest count of any position.
    pub(crate) fn most(&self, count: impl Fn(&Visits) -> u64) -> u64 {
        self.positions.iter().map(count).max().unwrap_or_default()
    }
}

/// Follows F3, SCOUT and NegaScout on the ensemble of `condition`.
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

/// Counts windows and keeps the leaves, each with whether its window was null.
struct Follower<N> {
    nodes: u64,
    null: u64,
    in_null_window: bool,
    leaves: Vec<(N, bool)>,
}

impl<N> Default for Follower<N> {
    fn default() -> Self {
        Self { nodes: 0, null: 0, in_null_window: false, leaves: Vec::new() }
    }
}

impl<N> Observer<N> for Follower<N> {
    fn observe(&mut self, event: Event<N>) {
        match event {
            Event::Visit { null_window } => {
                self.nodes += 1;
                self.null += u64::from(null_window);
                self.in_null_window = null_window;
            }
            // The visit of a leaf is reported just before the leaf itself.
            Event::Leaf(leaf) => self.leaves.push((leaf, self.in_null_window)),
            _ => {}
        }
    }
}

/// The leaves by the lines that lead to them, ascending, repeats included.
fn lines<T: Tree<Key = u64>>(tree: &T, leaves: Vec<(T::Node, bool)>) -> Vec<(u64, bool)> {
    let mut lines: Vec<_> = leaves.into_iter().map(|(leaf, null)| (tree.key(leaf), null)).collect();
    lines.sort_unstable();
    lines
}

/// The different ones among `lines`, and how many of them are not among `others`.
fn beyond(lines: &[(u64, bool)], others: &[(u64, bool)]) -> (u64, u64) {
    let (mut leaves, mut beyond) = (0, 0);
    for visits in lines.chunk_by(|a, b| a.0 == b.0) {
        let among = others.binary_search_by_key(&visits[0].0, |other| other.0).is_ok();
        leaves += 1;
        beyond += u64::from(!among);
    }
    (leaves, beyond)
}

fn follow<R: Row>(condition: &Condition, position: &Position, depth: u16) -> Visits {
    let Condition { extra_turns, order, .. } = *condition;
    let tree = Unfolded(KalahTree::<R>::new(position, depth, extra_turns, order));
    let root = tree.root();

    let mut run = Run::watched(&tree, Follower::default());
    let _ = run.visit(f3, root, Window::full());
    let Follower { nodes: f3_nodes, null: f3_null, leaves, .. } = run.observer;
    let alpha_beta = lines(&tree, leaves);

    let mut run = Run::watched(&tree, Follower::default());
    let _ = run.visit(
        |search: &mut _, node, window| negascout(search, node, window, Options::CORRECTED),
        root,
        Window::full(),
    );
    let narrow = lines(&tree, run.observer.leaves);

    let mut run = Run::watched(&tree, Follower::default());
    let _ = scout(&mut run, root, Player::Max);
    let Follower { nodes: scout_nodes, null: scout_tests, leaves, .. } = run.observer;
    let scouted = lines(&tree, leaves);
    let (mut by_test, mut by_eval) = (0, 0);
    for visits in scouted.chunk_by(|a, b| a.0 == b.0) {
        let tests = visits.iter().filter(|(_, null)| *null).count();
        by_test = by_test.max(tests as u64);
        by_eval = by_eval.max((visits.len() - tests) as u64);
    }

    let (f3_leaves, negascout_prunes) = beyond(&alpha_beta, &narrow);
    let (negascout_leaves, negascout_beyond) = beyond(&narrow, &alpha_beta);
    let (scout_leaves, scout_beyond) = beyond(&scouted, &alpha_beta);
    Visits {
        f3_nodes,
        f3_null,
        scout_nodes,
        scout_tests,
        f3_leaves,
        scout_leaves,
        negascout_leaves,
        scout_beyond,
        negascout_beyond,
        negascout_prunes,
        by_test,
        by_eval,
    }
}
