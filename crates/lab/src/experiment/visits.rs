//! The visits of alpha-beta, TEST, SCOUT and NegaScout, node by node: null windows on the way,
//! nodes visited repeatedly, leaves that one algorithm visits and another prunes.

use std::collections::HashSet;

use crate::algorithms::{
    F1Form, MinimaxSide, Observer, Research, SearchCounts, SearchRun, TestQuestion, Tree,
    TreeEvent, TreeSearch, Unfolded, UnfoldedNode, f1, f2, f3, negascout, pvs, scout, test,
};
use kalah_game::{Score, Window, with_row};
use kalah_sys::parallel::map;
use kalah_tables::statistics::Statistic;

use super::condition::Condition;
use super::judge::{Evidence, Figure, Unit};
use crate::ListTree;

/// What was counted on one tree, and how the counts of several trees are combined.
#[derive(Clone, Copy, Debug)]
enum Observed {
    /// A part, as a share of the whole.
    Part(usize, usize),
    /// A cost, as a saving against another one.
    Saved(u64, u64),
    /// The maximum.
    Max(i64),
    /// The mean.
    Mean(f64),
}

/// What was counted for the figure with this name.
type Observation = (&'static str, Observed);

/// The unit of the figure with this name; `None` if there is none.
pub(super) fn unit(name: &str) -> Option<(&'static str, Unit)> {
    // Every tree has every figure, so any tree knows their names.
    let tree: ListTree = "[[1,2],[3,4]]".parse().ok()?;
    let (figure, found) = follow(&Unfolded(tree)).into_iter().find(|(own, _)| *own == name)?;
    let unit = if matches!(found, Observed::Max(_)) { Unit::Number(0) } else { Unit::Percent };
    Some((figure, unit))
}

/// The visits on an ensemble.
#[derive(Clone, Debug)]
pub(crate) struct VisitCensus {
    pub(crate) condition: Condition,
    pub(crate) depth: u16,
    pub(crate) figures: Vec<(&'static str, Figure)>,
}

/// The figures of several trees, each observed in the same way.
fn figures(trees: &[Vec<Observation>]) -> Vec<(&'static str, Figure)> {
    let Some(first) = trees.first() else { return Vec::new() };
    let figures = first.iter().enumerate().map(|(nth, (name, _))| {
        let observed: Vec<Observed> = trees.iter().map(|tree| tree[nth].1).collect();
        (*name, figure(&observed))
    });
    figures.collect()
}

/// The figure of what was counted on several trees.
fn figure(trees: &[Observed]) -> Figure {
    let counts = trees.iter().map(|observed| match *observed {
        Observed::Part(part, whole) => [part as f64, whole as f64],
        Observed::Saved(own, other) => [own as f64, other as f64],
        Observed::Max(count) => [count as f64, 1.0],
        Observed::Mean(count) => [count, 1.0],
    });
    let mean = Statistic::mean(counts.clone().map(|[count, _]| count));
    let whole = Statistic::mean(counts.clone().map(|[_, whole]| whole));
    match trees[0] {
        Observed::Max(_) => {
            let max = counts.map(|[count, _]| count).fold(f64::MIN, f64::max);
            Figure { evidence: Evidence::Max(trees.len()), ..Figure::exact(max) }
        }
        Observed::Saved(..) => Figure::from(&mean.saved(&whole)),
        Observed::Mean(_) => Figure::from(&mean),
        // That a sample has none does not prove that there are none.
        Observed::Part(..) if counts.clone().all(|[count, _]| count == 0.0) => {
            Figure::share(0, trees.len() as u64)
        }
        Observed::Part(..) => Figure::from(&mean.with(&whole, |part, whole| 100.0 * part / whole)),
    }
}

/// The trees that slides draw, and the figures that they illustrate.
pub(crate) fn examples() -> Vec<(&'static str, &'static str, Figure)> {
    let mut shown = Vec::new();
    for (name, what) in
        [("hsu-less", "nodes saved by tests of branches"), ("hsu-more", "visits to a pruned leaf")]
    {
        let tree: ListTree = name.parse().expect("a named tree");
        let own = figures(&[follow(&Unfolded(tree))]).into_iter().filter(|(own, _)| *own == what);
        shown.extend(own.map(|(_, figure)| (what, name, Figure::exact(figure.value))));
    }
    shown
}

/// Follows the searches on the ensemble of `condition`; nothing on uniform trees.
pub(crate) fn census(
    condition: &Condition,
    depth: u16,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> VisitCensus {
    let groups: Vec<usize> = (0..condition.groups(depth)).collect();
    let visited = map(&groups, threads, done, |&nth| {
        let mut visits = Vec::new();
        if let Some(kalah) = condition.kalah() {
            for position in kalah.ensemble.group(kalah.rules, condition.seed, nth, depth) {
                visits.push(with_row!(&position, R => {
                    follow(&Unfolded(kalah.tree::<R>(&position, depth, condition.seed)))
                }));
            }
        }
        visits
    });
    VisitCensus { condition: condition.clone(), depth, figures: figures(&visited.concat()) }
}

/// A visit to a node. Nodes are distinguished by the moves that lead to them, so that a
/// transposition is not a second visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Visit {
    line: u64,
    /// Its number among all visits of the search.
    nth: usize,
    /// The bits of the bound of a null window: bounds are only compared for equality.
    null_window: Option<u64>,
    is_leaf: bool,
}

/// The visits of a search, by node and then in their order.
#[derive(Default)]
struct VisitLog {
    visits: Vec<Visit>,
    null_window: Option<u64>,
}

impl<N> Observer<UnfoldedNode<N>> for VisitLog {
    fn observe(&mut self, event: TreeEvent<UnfoldedNode<N>>) {
        let (node, is_leaf) = match event {
            // The visit of a node is reported just before the node itself.
            TreeEvent::Visit { null_window } => {
                self.null_window = null_window.map(f64::to_bits);
                return;
            }
            TreeEvent::Leaf(node) => (node, true),
            TreeEvent::Interior(node) => (node, false),
            _ => return,
        };
        let nth = self.visits.len();
        let null_window = self.null_window;
        self.visits.push(Visit { line: node.line, nth, null_window, is_leaf });
    }
}

/// With a dynamic observer, so that each algorithm is compiled once for each tree.
type Searched<'t, 'o, T> =
    SearchRun<'t, Unfolded<T>, &'o mut dyn Observer<UnfoldedNode<<T as Tree>::Node>>>;

/// The value and the visits of a search of the root.
fn logged<T: Tree>(
    tree: &Unfolded<T>,
    window: Window<T::Value>,
    search: impl Fn(&mut Searched<'_, '_, T>, UnfoldedNode<T::Node>, Window<T::Value>) -> T::Value,
) -> (T::Value, VisitLog) {
    let mut log = VisitLog::default();
    let mut run: Searched<'_, '_, T> = SearchRun::watched(tree, &mut log);
    let value = run.visit(search, tree.root(), window);
    // All figures count visits per node. Visits sort by node first and then by `nth`, so each
    // node's visits stay in order.
    log.visits.sort_unstable();
    (value, log)
}

impl VisitLog {
    /// The visits of each node.
    fn nodes(&self) -> impl Iterator<Item = &[Visit]> {
        self.visits.chunk_by(|a, b| a.line == b.line)
    }

    fn leaves(&self) -> impl Iterator<Item = &[Visit]> {
        self.nodes().filter(|visits| visits[0].is_leaf)
    }

    fn visits_node(&self, line: u64) -> bool {
        self.visits.binary_search_by_key(&line, |visit| visit.line).is_ok()
    }

    /// The leaves that another search does not visit, among all.
    fn beyond(&self, other: &Self, figure: &'static str) -> Observation {
        let beyond = self.leaves().filter(|visits| !other.visits_node(visits[0].line));
        (figure, Observed::Part(beyond.count(), self.leaves().count()))
    }

    /// The nodes with a certain history, among all.
    fn share(&self, figure: &'static str, wanted: impl Fn(&[Visit]) -> bool) -> Observation {
        let part = self.nodes().filter(|visits| wanted(visits)).count();
        (figure, Observed::Part(part, self.nodes().count()))
    }

    /// The leaves in the order of the search, as their lines.
    fn sequence(&self) -> Vec<u64> {
        let mut leaves: Vec<&Visit> = self.visits.iter().filter(|visit| visit.is_leaf).collect();
        leaves.sort_unstable_by_key(|visit| visit.nth);
        leaves.iter().map(|visit| visit.line).collect()
    }
}

fn follow<T: Tree>(tree: &Unfolded<T>) -> Vec<Observation> {
    let full = Window::full();
    let (value, deep) = logged(tree, full, |s, n, w| f3(s, n, w));
    let (_, scouted) = logged(tree, full, |s, n, _| scout(s, n, MinimaxSide::Max));
    let (_, f4) = logged(tree, full, |s, n, w| negascout(s, n, w, Research::FromValue));
    let (_, yu) = logged(tree, full, |s, n, w| negascout(s, n, w, Research::WholeWindow));
    let (_, article) = logged(tree, full, |s, n, w| pvs(s, n, w));
    let null = deep.visits.iter().filter(|visit| visit.null_window.is_some()).count();
    let visits = article.visits.len();
    let depth = i64::from(tree.depth(tree.root()));
    let mut found = on_scout(&scouted, &deep, depth);
    found.extend([
        // Percent of F3's nodes that are searched in a null window.
        ("null windows", Observed::Part(null, deep.visits.len())),
        // Percent of the leaves of F4 (corrected) that F3 prunes.
        f4.beyond(&deep, "leaves of f4 that f3 prunes"),
        // Percent of the leaves of PVS that F3 prunes.
        article.beyond(&deep, "leaves of pvs that f3 prunes"),
        // Percent of the leaves of F3 that Yu's NEGASCOUT prunes.
        deep.beyond(&yu, "leaves of f3 that negascout prunes"),
        // Percent of the visits of PVS to nodes that it has visited before.
        ("repeated visits", Observed::Part(visits - article.nodes().count(), visits)),
    ]);
    found.extend(questions(tree, value, deep.sequence().len()));
    found.extend(branches(tree));
    found
}

/// How many visits to a node were in a null window, as TEST's are.
fn tests(visits: &[Visit]) -> usize {
    visits.iter().filter(|visit| visit.null_window.is_some()).count()
}

/// Whether TEST compares the value of a node with more than one bound.
fn has_two_bounds(visits: &[Visit]) -> bool {
    let mut bounds = visits.iter().filter_map(|visit| visit.null_window);
    let Some(first) = bounds.next() else { return false };
    bounds.any(|bound| bound != first)
}

/// The nodes of SCOUT, compared with those of F3 on a tree of this depth.
fn on_scout(scouted: &VisitLog, deep: &VisitLog, depth: i64) -> Vec<Observation> {
    let tested: Vec<_> = scouted.nodes().filter(|visits| tests(visits) > 0).collect();
    let revisited = tested.iter().filter(|visits| tests(visits) < visits.len()).count();
    let pruned = scouted.leaves().filter(|visits| !deep.visits_node(visits[0].line));
    let most_tests = scouted.leaves().map(tests).max().unwrap_or(0) as i64;
    let many = pruned.map(<[_]>::len).max().unwrap_or(0) as i64;
    vec![
        // The maximum number of visits of TEST to one leaf, minus the depth.
        ("tests of a leaf beyond its depth", Observed::Max(most_tests - depth)),
        // Percent of SCOUT's nodes that are visited again after EVAL.
        scouted.share("visited after eval", |visits| {
            visits.windows(2).any(|pair| pair[0].null_window.is_none())
        }),
        // Percent of SCOUT's nodes that TEST compares with more than one value.
        scouted.share("tested with several values", has_two_bounds),
        // Percent of SCOUT's nodes that only TEST visits.
        scouted.share("only tested", |visits| tests(visits) == visits.len()),
        // Percent of the nodes visited by TEST that EVAL visits later.
        ("evaluated after a test", Observed::Part(revisited, tested.len())),
        // The maximum number of visits of SCOUT to a leaf that F3 prunes.
        ("visits to a pruned leaf", Observed::Max(many)),
    ]
}

/// TEST about bounds near the `value` of the tree, against alpha-beta in the same null windows,
/// and in the full window, where it visits `all` leaves.
fn questions<T: Tree>(tree: &Unfolded<T>, value: T::Value, all: usize) -> Vec<Observation> {
    let mut asked = 0;
    let mut wrong = 0;
    let mut unlike = [0; 3];
    // Just below, at and just above the value, so that both answers occur.
    let bounds = [Window::null_under(value).alpha, value, value.successor()];
    for bound in bounds {
        let question = TestQuestion::above(bound);
        let null = Window::null(bound);
        let (answer, tested) =
            logged(tree, null, |s, n, _| question.proved(test(s, n, MinimaxSide::Max, question)));
        let searches = [
            logged(tree, null, |s, n, w| f1(s, n, w, F1Form::default())),
            logged(tree, null, |s, n, w| f2(s, n, w)),
            logged(tree, null, |s, n, w| f3(s, n, w)),
        ];
        for (unlike, (value, log)) in unlike.iter_mut().zip(&searches) {
            *unlike += usize::from(log.sequence() != tested.sequence());
            wrong += usize::from(question.holds(*value) != question.holds(answer));
        }
        asked += tested.sequence().len();
    }
    let cases = bounds.len();
    vec![
        // Percent of leaves that TEST saves against F3, for bounds near the value.
        ("leaves saved by a question", Observed::Saved(asked as u64, (cases * all) as u64)),
        // Percent of verdicts of F1, F2 and F3 in a null window that differ from TEST's.
        ("wrong answers of null windows", Observed::Part(wrong, 3 * cases)),
        // Percent of F2's searches in a null window that visit other leaves than TEST.
        ("null windows of f2 unlike test", Observed::Part(unlike[1], cases)),
        // Percent of F3's searches in a null window that visit other leaves than TEST.
        ("null windows of f3 unlike test", Observed::Part(unlike[2], cases)),
    ]
}

/// TEST of each branch of the root after the first, as SCOUT calls it, against alpha-beta within
/// its own bounds there.
fn branches<T: Tree>(tree: &Unfolded<T>) -> [Observation; 3] {
    let mut tested = Watched::default();
    let mut searched = Watched::default();
    let mut children = tree.children(tree.root());
    let first = children.next().expect("the root is not a leaf");
    // Not counted, because both searches evaluate the first branch in the full window.
    let mut uncounted = ();
    let mut run: Searched<'_, '_, T> = SearchRun::watched(tree, &mut uncounted);
    let mut best = run.below(f3, first, Window::full());
    for child in children {
        let side = MinimaxSide::Max.after(child.turn);
        let question = TestQuestion::above(best);
        let mut run: Searched<'_, '_, T> = SearchRun::watched(tree, &mut tested);
        let _ = test(&mut run, child.node, side, question);
        let mut run: Searched<'_, '_, T> = SearchRun::watched(tree, &mut searched);
        best = best.max(run.below(f3, child, Window::new(best, T::Value::MAX)));
    }
    let more = tested.share_of_cutoffs(tree) - searched.share_of_cutoffs(tree);
    [
        // Percent of nodes that TEST saves in the branches of the root after the first.
        (
            "nodes saved by tests of branches",
            Observed::Saved(tested.counts.nodes(), searched.counts.nodes()),
        ),
        // Percent of leaves that a null window saves there.
        (
            "leaves saved by null windows",
            Observed::Saved(tested.counts.leaves, searched.counts.leaves),
        ),
        // Percent of interior nodes at which children are cut off there in a null window, minus
        // those in alpha-beta's window.
        ("cutoffs in null windows, difference", Observed::Mean(more)),
    ]
}

/// The counts of searches that visit no node twice, and their nodes.
struct Watched<N> {
    counts: SearchCounts,
    nodes: Vec<UnfoldedNode<N>>,
}

impl<N> Default for Watched<N> {
    fn default() -> Self {
        Self { counts: SearchCounts::default(), nodes: Vec::new() }
    }
}

impl<N: Copy> Observer<UnfoldedNode<N>> for Watched<N> {
    fn observe(&mut self, event: TreeEvent<UnfoldedNode<N>>) {
        self.counts.observe(event);
        if let TreeEvent::Leaf(node) | TreeEvent::Interior(node) = event {
            self.nodes.push(node);
        }
    }
}

impl<N: Copy> Watched<N> {
    /// Percent of the interior nodes whose last child was cut off.
    fn share_of_cutoffs<T: Tree<Node = N>>(&self, tree: &Unfolded<T>) -> f64 {
        let lines: HashSet<u64> = self.nodes.iter().map(|node| node.line).collect();
        let mut cut = 0;
        for &node in self.nodes.iter().filter(|&&node| !tree.is_leaf(node)) {
            let last = tree.children(node).last();
            cut += usize::from(last.is_some_and(|child| !lines.contains(&child.node.line)));
        }
        100.0 * cut as f64 / self.counts.interior.max(1) as f64
    }
}
