//! The visits of alpha-beta, TEST, SCOUT and NegaScout, node by node: null windows on the way,
//! nodes visited repeatedly, leaves that one algorithm visits and another prunes.

use crate::algorithms::{
    F1Form, MinimaxSide, Observer, Research, SearchCounts, SearchRun, TestQuestion, Tree, TreeEvent,
    TreeSearch, Unfolded, UnfoldedNode, f1, f2, f3, negascout, pvs, scout, test,
};
use kalah_game::{Score, Window, with_row};
use kalah_sys::parallel::map;

use super::kalah::Condition;
use kalah_tables::statistics::{Estimate, Statistic};

/// A count on one tree.
#[derive(Clone, Copy, Debug)]
enum Counted {
    /// A part, as a share of the whole.
    Part(u64, u64),
    /// A cost, as a saving against another one.
    Saved(u64, u64),
    /// A number whose maximum over the trees counts.
    Max(i64),
}

/// The id of a claim, what distinguishes its cases, and what was counted for it.
type Observation = (&'static str, &'static str, Counted);

/// The id of a claim, what distinguishes its cases, and its figure; shares are in percent.
pub(crate) type VisitFigure = (&'static str, &'static str, Estimate);

/// The visits on an ensemble.
#[derive(Clone, Debug)]
pub(crate) struct VisitCensus {
    pub(crate) condition: Condition,
    pub(crate) depth: u16,
    pub(crate) figures: Vec<VisitFigure>,
}

/// The figures of several trees, each observed in the same way.
fn figures(trees: &[Vec<Observation>]) -> Vec<VisitFigure> {
    let figures = trees[0].iter().enumerate().map(|(nth, &(id, what, counted))| {
        let own = trees.iter().map(|tree| tree[nth].2);
        let [part, whole] = [Counted::part, Counted::whole].map(|of| own.clone().map(of));
        let figure = match counted {
            Counted::Max(_) => Estimate::exact(part.fold(f64::MIN, f64::max)),
            Counted::Saved(..) => Statistic::mean(part).saved(&Statistic::mean(whole)).estimate(),
            Counted::Part(..) => Statistic::mean(part)
                .with(&Statistic::mean(whole), |part, whole| 100.0 * part / whole)
                .estimate(),
        };
        (id, what, figure)
    });
    figures.collect()
}

/// The figures of a single tree.
pub(crate) fn on_tree<T: Tree>(tree: T) -> Vec<VisitFigure> {
    figures(&[follow(&Unfolded(tree))])
}

impl Counted {
    fn part(self) -> f64 {
        match self {
            Counted::Part(part, _) | Counted::Saved(part, _) => part as f64,
            Counted::Max(number) => number as f64,
        }
    }

    fn whole(self) -> f64 {
        match self {
            Counted::Part(_, whole) | Counted::Saved(_, whole) => whole as f64,
            Counted::Max(_) => 1.0,
        }
    }
}

/// Follows the searches on the ensemble of `condition`.
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
    VisitCensus { condition: condition.clone(), depth, figures: figures(&visited.concat()) }
}

/// A visit to a node. Nodes are distinguished by the moves that lead to them, so that a
/// transposition is not a second visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Visit {
    line: u64,
    /// Its number among all visits of the search.
    nth: usize,
    in_null_window: bool,
    is_leaf: bool,
}

/// The visits of a search, by node and then in their order.
#[derive(Default)]
struct VisitLog {
    visits: Vec<Visit>,
    in_null_window: bool,
}

impl<N> Observer<UnfoldedNode<N>> for VisitLog {
    fn observe(&mut self, event: TreeEvent<UnfoldedNode<N>>) {
        let (node, is_leaf) = match event {
            // The visit of a node is reported just before the node itself.
            TreeEvent::Visit { null_window } => {
                self.in_null_window = null_window;
                return;
            }
            TreeEvent::Leaf(node) => (node, true),
            TreeEvent::Interior(node) => (node, false),
            _ => return,
        };
        let (nth, in_null_window) = (self.visits.len(), self.in_null_window);
        self.visits.push(Visit { line: node.line, nth, in_null_window, is_leaf });
    }
}

type Searched<'t, T> = SearchRun<'t, Unfolded<T>, VisitLog>;

/// The value and the visits of a search of the root.
fn logged<T: Tree>(
    tree: &Unfolded<T>,
    window: Window<T::Value>,
    search: impl Fn(&mut Searched<'_, T>, UnfoldedNode<T::Node>, Window<T::Value>) -> T::Value,
) -> (T::Value, VisitLog) {
    let mut run = SearchRun::watched(tree, VisitLog::default());
    let value = run.visit(search, tree.root(), window);
    // All figures count visits per node. Visits sort by node first and then by `nth`, so each
    // node's visits stay in order.
    run.observer.visits.sort_unstable();
    (value, run.observer)
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
    fn beyond(&self, other: &Self) -> Counted {
        let beyond = self.leaves().filter(|visits| !other.visits_node(visits[0].line));
        Counted::Part(beyond.count() as u64, self.leaves().count() as u64)
    }

    /// The nodes with a certain history, among all.
    fn share(&self, wanted: impl Fn(&[Visit]) -> bool) -> Counted {
        let part = self.nodes().filter(|visits| wanted(visits)).count();
        Counted::Part(part as u64, self.nodes().count() as u64)
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
    let null = deep.visits.iter().filter(|visit| visit.in_null_window).count() as u64;
    let (distinct, visits) = (article.nodes().count() as u64, article.visits.len() as u64);
    let height = i64::from(tree.height(tree.root()));
    let mut found = on_scout(&scouted, &deep, height).to_vec();
    found.extend([
        ("null-windows", "", Counted::Part(null, deep.visits.len() as u64)),
        ("negascout-within", "F4", f4.beyond(&deep)),
        ("negascout-within", "PVS", article.beyond(&deep)),
        ("negascout-prunes", "", deep.beyond(&yu)),
        ("research-many", "", Counted::Part(visits - distinct, visits)),
    ]);
    found.extend(questions(tree, value, deep.sequence().len() as u64));
    found.extend(branches(tree));
    found
}

/// How many visits to a node were in a null window, as TEST's are.
fn tests(visits: &[Visit]) -> usize {
    visits.iter().filter(|visit| visit.in_null_window).count()
}

/// The nodes of SCOUT, compared with those of F3 on a tree of this height.
fn on_scout(scouted: &VisitLog, deep: &VisitLog, height: i64) -> [Observation; 5] {
    let tested: Vec<_> = scouted.nodes().filter(|visits| tests(visits) > 0).collect();
    let revisited = tested.iter().filter(|visits| tests(visits) < visits.len());
    let pruned = scouted.leaves().filter(|visits| !deep.visits_node(visits[0].line));
    let most_tests = scouted.leaves().map(tests).max().unwrap_or(0) as i64;
    let after_eval = scouted.share(|visits| visits.windows(2).any(|pair| !pair[0].in_null_window));
    let only_tested = scouted.share(|visits| tests(visits) == visits.len());
    let revisited = Counted::Part(revisited.count() as u64, tested.len() as u64);
    let many = pruned.map(<[_]>::len).max().unwrap_or(0) as i64;
    [
        ("visited-by-test", "", Counted::Max(most_tests - height)),
        ("visited-by-eval", "", after_eval),
        ("mostly-tested", "", only_tested),
        ("few-revisited", "", revisited),
        ("many-visits", "", Counted::Max(many)),
    ]
}

/// TEST about bounds near the `value` of the tree, against alpha-beta in the same null windows,
/// and in the full window, where it visits `all` leaves.
fn questions<T: Tree>(tree: &Unfolded<T>, value: T::Value, all: u64) -> Vec<Observation> {
    let (mut asked, mut wrong, mut unlike) = (0, 0, [0; 3]);
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
            *unlike += u64::from(log.sequence() != tested.sequence());
            wrong += u64::from(question.holds(*value) != question.holds(answer));
        }
        asked += tested.sequence().len() as u64;
    }
    let cases = bounds.len() as u64;
    vec![
        ("test-faster", "", Counted::Saved(asked, cases * all)),
        ("null-is-test", "", Counted::Part(wrong, 3 * cases)),
        ("null-or-and", "F2", Counted::Part(unlike[1], cases)),
        ("null-or-and", "F3", Counted::Part(unlike[2], cases)),
        ("null-or-and-2021", "", Counted::Part(unlike[0], cases)),
    ]
}

/// TEST of each branch of the root after the first, as SCOUT calls it, against alpha-beta within
/// its own bounds there.
fn branches<T: Tree>(tree: &Unfolded<T>) -> [Observation; 2] {
    let [mut tested, mut searched] = [SearchCounts::default(); 2];
    let mut children = tree.children(tree.root());
    let first = children.next().expect("the root is not a leaf");
    // Not counted, because both searches evaluate the first branch in the full window.
    let mut best = SearchRun::new(tree).below(f3, first, Window::full());
    for child in children {
        let (side, question) = (MinimaxSide::Max.after(child.turn), TestQuestion::above(best));
        let _ = test(&mut SearchRun::watched(tree, &mut tested), child.node, side, question);
        let mut run = SearchRun::watched(tree, &mut searched);
        best = best.max(run.below(f3, child, Window::new(best, T::Value::MAX)));
    }
    [
        ("test-cheaper", "", Counted::Saved(tested.nodes(), searched.nodes())),
        ("null-cheaper", "", Counted::Saved(tested.leaves, searched.leaves)),
    ]
}
