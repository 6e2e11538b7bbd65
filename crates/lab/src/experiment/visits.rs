//! What alpha-beta, SCOUT and NegaScout visit, leaf by leaf: null windows on the
//! way, leaves visited repeatedly, leaves that one visits and another prunes.

use crate::algorithms::{
    KalahTree, MinimaxSide, Observer, Options, SearchRun, Tree, TreeEvent, TreeSearch, Unfolded,
    UnfoldedNode, f3, negascout, scout,
};
use kalah_game::score::{Gain, Window};
use kalah_game::{Row, with_row};
use kalah_sys::parallel::map;

use super::kalah::Condition;
use kalah_report::statistics::{Estimate, Statistic};

/// A part of what an algorithm visits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Share {
    /// Nodes of SCOUT that TEST visits.
    ScoutTests,
    /// Leaves of SCOUT that F3 prunes.
    ScoutBeyondF3,
    F3NullWindows,
    /// Leaves of NegaScout that F3 prunes.
    NegascoutBeyondF3,
    /// Leaves of F3 that NegaScout prunes.
    F3BeyondNegascout,
}

/// What was visited on one position. Leaves are distinguished by the moves that lead
/// to them, so that a transposition is not a second visit.
#[derive(Clone, Copy, Debug)]
struct Visits {
    /// Part and whole of each [`Share`].
    shares: [(u64, u64); 5],
    /// The maximum number of visits of EVAL, and of TEST, to one leaf of SCOUT.
    most: [u64; 2],
}

/// What was visited on each position of an ensemble.
#[derive(Clone, Debug)]
pub(crate) struct VisitCensus {
    pub(crate) condition: Condition,
    pub(crate) depth: u16,
    positions: Vec<Visits>,
}

impl VisitCensus {
    /// The size of a part in percent of the whole.
    pub(crate) fn share(&self, share: Share) -> Estimate {
        let shares = self.positions.iter().map(|visits| visits.shares[share as usize]);
        let part = Statistic::mean(shares.clone().map(|(part, _)| part as f64));
        let whole = Statistic::mean(shares.map(|(_, whole)| whole as f64));
        part.with(&whole, |part, whole| 100.0 * part / whole).estimate()
    }

    /// The maximum number of visits of SCOUT to one leaf, by TEST or by EVAL.
    pub(crate) fn most(&self, by_test: bool) -> u64 {
        self.positions.iter().map(|visits| visits.most[usize::from(by_test)]).max().unwrap_or(0)
    }
}

/// Follows F3, SCOUT and NegaScout on the ensemble of `condition`.
pub(crate) fn census(
    condition: &Condition,
    depth: u16,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> VisitCensus {
    let groups: Vec<usize> = (0..condition.ensemble.groups()).collect();
    let visited = map(&groups, threads, done, |&nth| {
        let group = condition.ensemble.group(condition.rules, condition.seed, nth, depth);
        let visits = group.iter().map(|position| {
            with_row!(position, R => follow(&Unfolded(condition.tree::<R>(position, depth))))
        });
        visits.collect::<Vec<_>>()
    });
    VisitCensus { condition: condition.clone(), depth, positions: visited.concat() }
}

/// Counts nodes and null windows, and records the line that leads to each leaf and whether
/// the leaf's window was null.
#[derive(Default)]
struct VisitFollower {
    nodes: u64,
    null: u64,
    in_null_window: bool,
    leaves: Vec<(u64, bool)>,
}

impl<N> Observer<UnfoldedNode<N>> for VisitFollower {
    fn observe(&mut self, event: TreeEvent<UnfoldedNode<N>>) {
        match event {
            TreeEvent::Visit { null_window } => {
                self.nodes += 1;
                self.null += u64::from(null_window);
                self.in_null_window = null_window;
            }
            // The visit of a leaf is reported just before the leaf itself.
            TreeEvent::Leaf(leaf) => self.leaves.push((leaf.line, self.in_null_window)),
            _ => {}
        }
    }
}

impl VisitFollower {
    /// The visits of each leaf.
    fn by_leaf(&self) -> impl Iterator<Item = &[(u64, bool)]> {
        self.leaves.chunk_by(|a, b| a.0 == b.0)
    }

    /// How many leaves are not among those of another, and how many there are.
    fn beyond(&self, other: &Self) -> (u64, u64) {
        self.by_leaf().fold((0, 0), |(beyond, leaves), visits| {
            let found = other.leaves.binary_search_by_key(&visits[0].0, |leaf| leaf.0);
            (beyond + u64::from(found.is_err()), leaves + 1)
        })
    }
}

type Followed<'t, R> = SearchRun<'t, Unfolded<KalahTree<R>>, VisitFollower>;

/// A search with its leaves sorted by their lines.
fn followed<R: Row>(
    tree: &Unfolded<KalahTree<R>>,
    search: impl Fn(&mut Followed<'_, R>) -> Gain,
) -> VisitFollower {
    let mut run = SearchRun::watched(tree, VisitFollower::default());
    let _ = search(&mut run);
    run.observer.leaves.sort_unstable();
    run.observer
}

fn follow<R: Row>(tree: &Unfolded<KalahTree<R>>) -> Visits {
    let (root, full) = (tree.root(), Window::full());
    let deep = followed(tree, |run| run.visit(f3, root, full));
    let narrow = followed(tree, |run| {
        run.visit(
            |s: &mut _, node, window| negascout(s, node, window, Options::CORRECTED),
            root,
            full,
        )
    });
    let scouted = followed(tree, |run| scout(run, root, MinimaxSide::Max));
    let mut most = [0; 2];
    for visits in scouted.by_leaf() {
        for (by_test, most) in most.iter_mut().enumerate() {
            let own = visits.iter().filter(|(_, null)| usize::from(*null) == by_test);
            *most = u64::max(*most, own.count() as u64);
        }
    }
    // In the order of `Share`.
    let shares = [
        (scouted.null, scouted.nodes),
        scouted.beyond(&deep),
        (deep.null, deep.nodes),
        narrow.beyond(&deep),
        deep.beyond(&narrow),
    ];
    Visits { shares, most }
}
