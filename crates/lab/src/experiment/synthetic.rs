//! Methods side by side on synthetic trees.

use std::time::Duration;

use thiserror::Error;

use crate::algorithms::uniform::{Leaves, UniformTree};
use crate::algorithms::{Method, Observer, SearchCounts};
use kalah_sys::parallel::map;
use kalah_sys::random::mix_nth;

use super::{estimate, noe::methods};
use kalah_tables::statistics::{Estimate, Statistic};

/// Trees of one shape, each searched by all methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Children of a node.
    pub width: u16,
    /// Moves from the root to the leaves.
    pub height: u16,
    /// Trees of this shape, each with a different seed.
    pub trees: usize,
}

/// The counts of the methods on trees of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeCounts {
    /// The shape of the trees.
    pub shape: Shape,
    /// Tree by tree, method by method.
    pub counts: Vec<Vec<SearchCounts>>,
}

impl ShapeCounts {
    /// The mean number of leaves that the method with this index visits on a tree.
    pub fn leaves(&self, method: usize) -> Estimate {
        self.mean(method, |counts| counts.leaves).estimate()
    }

    /// The leaves, or the nodes, of one method divided by those of another.
    pub fn ratio(
        &self,
        method: usize,
        baseline: usize,
        cost: fn(&SearchCounts) -> u64,
    ) -> Estimate {
        let [cost, baseline] = [method, baseline].map(|method| self.mean(method, cost));
        cost.with(&baseline, |cost, baseline| cost / baseline).estimate()
    }

    /// Percent of leaves that a method saves against another.
    pub fn saved(&self, method: usize, baseline: usize) -> Estimate {
        let [cost, baseline] =
            [method, baseline].map(|method| self.mean(method, |counts| counts.leaves));
        cost.saved(&baseline).estimate()
    }

    /// Percent of a method's cost that is saved here, compared with other trees of the shape.
    pub(crate) fn saved_against(
        &self,
        other: &Self,
        method: usize,
        cost: fn(&SearchCounts) -> u64,
    ) -> Estimate {
        let [own, other] = [self, other].map(|trees| trees.mean(method, cost).estimate());
        // Different trees: the errors are independent, and no pair of members corresponds.
        own.with(other, |own, other| 100.0 * (1.0 - own / other))
    }

    fn mean(&self, method: usize, cost: fn(&SearchCounts) -> u64) -> Statistic {
        Statistic::mean(self.counts.iter().map(|tree| cost(&tree[method]) as f64))
    }
}

/// The approximate number of leaves that alpha-beta visits on a tree with random leaves.
///
/// Pearl, "The solution for the branching factor of the alpha-beta pruning
/// algorithm and its optimality", CACM 25, 1982: the factor is x / (1 - x),
/// where x^width + x = 1.
pub fn expected_leaves(width: u16, height: u16) -> f64 {
    // The left side of the equation rises with x, so bisection finds the root; 60 halvings exhaust
    // the precision of a number.
    let (mut low, mut high) = (0.0f64, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if middle.powi(width.into()) + middle > 1.0 { high = middle } else { low = middle }
    }
    (low / (1.0 - low)).max(1.0).powi(height.into()) * 2.0
}

/// For each shape, 10 to `max_trees` trees: ideally enough for alpha-beta to visit about
/// `leaves` leaves in total, because small trees vary more and are cheap.
pub fn shapes(widths: &[u16], heights: &[u16], leaves: f64, max_trees: usize) -> Vec<Shape> {
    let sizes = widths.iter().flat_map(|&width| heights.iter().map(move |&height| (width, height)));
    let shapes = sizes.map(|(width, height)| {
        let trees = (leaves / expected_leaves(width, height)) as usize;
        Shape { width, height, trees: trees.clamp(10, max_trees) }
    });
    shapes.collect()
}

/// The largest expected number of leaves of one tree.
const MAX_LEAVES: f64 = 3e9;
/// Nodes per second per thread, to estimate the time.
const NODES_PER_SECOND: f64 = 1e7;
/// Number of trees in one piece of work.
const BATCH: usize = 64;

/// The number of pieces of work of [`run`].
pub fn pieces(shapes: &[Shape]) -> usize {
    shapes.iter().map(|shape| shape.trees.div_ceil(BATCH)).sum()
}

/// Error for trees on which a search would take several minutes or more.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "expected at most {MAX_LEAVES:.0e} leaves per tree, got about {leaves:.0e} for width {} and \
     depth {}",
    shape.width,
    shape.height
)]
pub struct TreeTooLarge {
    /// The number of leaves to expect.
    leaves: f64,
    shape: Shape,
}

/// Roughly how long [`run`] will take.
pub fn duration(
    shapes: &[Shape],
    leaves: Leaves,
    methods: &[Method],
    threads: usize,
) -> Result<Duration, TreeTooLarge> {
    let mut all = 0.0;
    for shape in shapes {
        let &Shape { width, height, trees } = shape;
        let leaves = match leaves {
            Leaves::BestFirst(_) => 2.0 * f64::from(width).powf(f64::from(height) / 2.0),
            _ => expected_leaves(width, height),
        };
        if leaves > MAX_LEAVES {
            return Err(TreeTooLarge { leaves, shape: shape.clone() });
        }
        all += leaves * trees as f64 * methods.len() as f64;
    }
    Ok(estimate::seconds(all / NODES_PER_SECOND / threads as f64))
}

/// Searches every tree of every shape with every method. `done` is called once
/// for each of [`pieces`].
pub fn run(
    shapes: &[Shape],
    leaves: Leaves,
    methods: &[Method],
    seed: u64,
    threads: usize,
    done: &(dyn Fn() + Sync),
) -> Vec<ShapeCounts> {
    let mut batches = Vec::new();
    for shape in shapes {
        batches.extend((0..shape.trees).step_by(BATCH).map(|first| (shape, first)));
    }
    let counts = map(&batches, threads, done, |&(&Shape { width, height, trees }, first)| {
        let searched = (first..trees.min(first + BATCH)).map(|tree| {
            // By shape and number, so that a tree is the same whichever other shapes are searched.
            let seed =
                mix_nth(seed, (u64::from(width) << 48) ^ (u64::from(height) << 32) ^ tree as u64);
            let tree = UniformTree { width, height, leaves, seed };
            methods.iter().map(|method| count(&tree, *method)).collect()
        });
        searched.collect::<Vec<Vec<SearchCounts>>>()
    });
    let mut counts = counts.into_iter().flatten();
    let results = shapes.iter().map(|shape| ShapeCounts {
        shape: shape.clone(),
        counts: counts.by_ref().take(shape.trees).collect(),
    });
    results.collect()
}

fn count(tree: &UniformTree, method: Method) -> SearchCounts {
    let mut counts = SearchCounts::default();
    let observer: &mut dyn Observer<_> = &mut counts;
    let value = method.value(tree, observer);
    debug_assert!(value.is_some(), "a counter never stops a search");
    counts
}

/// The expected number of SCOUT's leaves divided by that of alpha-beta's on trees that are
/// one move high. SCOUT visits each leaf once, and a second time if it is the best so far and
/// not the first; the n-th leaf is the best so far with a probability of 1/n.
pub fn ratio_one_high(width: u16) -> f64 {
    let again: f64 = (2..=width).map(|nth| 1.0 / f64::from(nth)).sum();
    1.0 + again / f64::from(width)
}

/// Pearl's ratio on the same trees. It counts nodes, and so the root as well.
pub(crate) fn node_ratio_one_high(width: u16) -> f64 {
    let leaves = f64::from(width);
    (1.0 + leaves * ratio_one_high(width)) / (1.0 + leaves)
}

/// The cost of a minimal tree of even height by published formulas: Knuth and Moore
/// 1975 for the leaves, Hsu's slides for the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimalTree {
    /// Leaves of alpha-beta: b^ceil(l/2) + b^floor(l/2) - 1.
    pub leaves: u64,
    /// H1, nodes of TEST with a true verdict: 2 (b^(l/2+1) - 1)/(b - 1) - b^(l/2).
    pub test_nodes: u64,
    /// H2, nodes of alpha-beta: 2 H1 + b^(l/2) - (l + 2).
    pub nodes: u64,
    /// The older H2, which also subtracts b^(l/2-1), and is wrong.
    pub old_nodes: u64,
}

impl MinimalTree {
    /// The formulas for trees with a width of at least 2 and an even height of at
    /// least 2.
    pub fn new(shape: &Shape) -> Self {
        let (width, height) = (u64::from(shape.width), u32::from(shape.height));
        let half = width.pow(height / 2);
        let leaves = width.pow(height.div_ceil(2)) + half - 1;
        let test_nodes = 2 * (half * width - 1) / (width - 1) - half;
        let nodes = 2 * test_nodes + half - u64::from(height + 2);
        Self { leaves, test_nodes, nodes, old_nodes: nodes - width.pow(height / 2 - 1) }
    }
}

/// The searches that the claims on minimal trees compare, shape by shape.
pub struct OrderedTrees {
    /// The best child first: F3, SCOUT, NegaScout, PVS, and TEST with a true and a false verdict.
    pub best_first: Vec<ShapeCounts>,
    /// The best child anywhere, the same methods.
    pub unordered: Vec<ShapeCounts>,
    /// The worst child first: F3.
    pub worst_first: Vec<ShapeCounts>,
    /// Random leaves, and the same with each value replaced by its cube: F3, SCOUT, NegaScout.
    pub cubed: [Vec<ShapeCounts>; 2],
}

impl OrderedTrees {
    /// The methods on minimal trees. The value of such a tree is 0, so that TEST answers yes, then
    /// no.
    pub const METHODS: &str = "f3,scout,negascout,pvs,test:-1,test:0";
    /// The number of them that find the value.
    pub const VALUED: usize = 4;
    /// Number of trees of each shape with the best child anywhere.
    const TREES: usize = 40;
    /// Maximum number of leaves of a tree with the worst child first.
    const MAX_WORST: f64 = 3e5;

    /// The approximate number of pieces of work in [`OrderedTrees::run`].
    pub fn pieces(shapes: &[Shape]) -> usize {
        5 * pieces(shapes)
    }

    /// Several trees of each shape, on which the best child may be anywhere.
    fn several(shapes: &[Shape]) -> Vec<Shape> {
        shapes.iter().map(|shape| Shape { trees: Self::TREES, ..shape.clone() }).collect()
    }

    /// Roughly how long [`OrderedTrees::run`] will take.
    pub fn duration(shapes: &[Shape], threads: usize) -> Result<Duration, TreeTooLarge> {
        let all = methods(Self::METHODS);
        // Trees with the best child anywhere take about as long as those with random leaves.
        let unordered = duration(&Self::several(shapes), Leaves::Continuous, &all, threads)?;
        Ok(unordered + duration(shapes, Leaves::BestFirst(100), &all, threads)?)
    }

    /// Searches trees of these widths and heights.
    pub fn run(shapes: &[Shape], seed: u64, threads: usize, done: &(dyn Fn() + Sync)) -> Self {
        let several = Self::several(shapes);
        let small: Vec<Shape> = shapes
            .iter()
            .filter(|shape| f64::from(shape.width).powi(shape.height.into()) <= Self::MAX_WORST)
            .cloned()
            .collect();
        let all = methods(Self::METHODS);
        let run = |shapes: &[Shape], leaves, methods: &[Method]| {
            run(shapes, leaves, methods, seed, threads, done)
        };
        let valued = &all[..3];
        Self {
            best_first: run(shapes, Leaves::BestFirst(100), &all),
            unordered: run(&several, Leaves::BestFirst(0), &all),
            worst_first: run(&small, Leaves::WorstFirst, &all[..1]),
            cubed: [Leaves::Few(101), Leaves::Cubes(101)].map(|leaves| run(&small, leaves, valued)),
        }
    }
}
