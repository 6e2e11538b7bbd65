//! Methods side by side on synthetic trees.

use crate::lab::algorithms::uniform::{Leaves, UniformTree};
use crate::lab::algorithms::{Counts, Method, Observer, Player, Question, Run, Tree as _, test};
use crate::sys::parallel::map;
use crate::sys::random::mix_nth;

use crate::sys::statistics::{Estimate, Statistic};

/// Trees of one shape, each searched by all methods.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Children of a node.
    pub width: u16,
    /// Moves from the root to the leaves.
    pub height: u16,
    /// Trees of this shape, each with a different seed.
    pub trees: usize,
}

/// What the methods did on trees of one shape.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The shape of the trees.
    pub shape: Shape,
    /// Tree by tree, method by method.
    pub counts: Vec<Vec<Counts>>,
}

impl Outcome {
    /// The leaves that a method visits on a tree, by its number.
    pub fn leaves(&self, method: usize) -> Estimate {
        self.mean(method, |counts| counts.leaves).estimate()
    }

    /// The leaves, or the nodes, of one method over those of another.
    pub fn ratio(&self, method: usize, baseline: usize, cost: fn(&Counts) -> u64) -> Estimate {
        let [cost, baseline] = [method, baseline].map(|method| self.mean(method, cost));
        cost.with(&baseline, |cost, baseline| cost / baseline).estimate()
    }

    /// Percent of leaves that a method saves against another.
    pub fn saved(&self, method: usize, baseline: usize) -> Estimate {
        let [cost, baseline] =
            [method, baseline].map(|method| self.mean(method, |counts| counts.leaves));
        cost.saved(&baseline).estimate()
    }

    fn mean(&self, method: usize, cost: fn(&Counts) -> u64) -> Statistic {
        Statistic::mean(self.counts.iter().map(|tree| cost(&tree[method]) as f64))
    }
}

/// About how many leaves alpha-beta visits on a tree with random leaves.
///
/// Pearl, "The solution for the branching factor of the alpha-beta pruning
/// algorithm and its optimality", CACM 25, 1982: the factor is x / (1 - x),
/// where x^width + x = 1.
pub fn expected_leaves(width: u16, height: u16) -> f64 {
    let (mut low, mut high) = (0.0f64, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if middle.powi(width.into()) + middle > 1.0 { high = middle } else { low = middle }
    }
    (low / (1.0 - low)).max(1.0).powi(height.into()) * 2.0
}

/// Enough trees of each shape that about `leaves` leaves are visited for it:
/// small trees vary more and are cheap.
pub fn shapes(widths: &[u16], heights: &[u16], leaves: f64, most: usize) -> Vec<Shape> {
    let sizes = widths.iter().flat_map(|&width| heights.iter().map(move |&height| (width, height)));
    let shapes = sizes.map(|(width, height)| {
        let trees = (leaves / expected_leaves(width, height)) as usize;
        Shape { width, height, trees: trees.clamp(10, most) }
    });
    shapes.collect()
}

/// Trees that make one piece of work.
const BATCH: usize = 64;

/// Pieces of work for [`run`].
pub fn pieces(shapes: &[Shape]) -> usize {
    shapes.iter().map(|shape| shape.trees.div_ceil(BATCH)).sum()
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
) -> Vec<Outcome> {
    let mut batches = Vec::new();
    for shape in shapes {
        batches.extend((0..shape.trees).step_by(BATCH).map(|first| (shape, first)));
    }
    let counts = map(&batches, threads, done, |&(&Shape { width, height, trees }, first)| {
        let searched = (first..trees.min(first + BATCH)).map(|tree| {
            let seed =
                mix_nth(seed, (u64::from(width) << 48) ^ (u64::from(height) << 32) ^ tree as u64);
            let tree = UniformTree { width, height, leaves, seed };
            methods.iter().map(|method| count(&tree, *method)).collect()
        });
        searched.collect::<Vec<Vec<Counts>>>()
    });
    let mut counts = counts.into_iter().flatten();
    let outcomes = shapes.iter().map(|shape| Outcome {
        shape: shape.clone(),
        counts: counts.by_ref().take(shape.trees).collect(),
    });
    outcomes.collect()
}

fn count(tree: &UniformTree, method: Method) -> Counts {
    let mut counts = Counts::default();
    let observer: &mut dyn Observer<_> = &mut counts;
    let value = method.value(tree, observer);
    debug_assert!(value.is_some(), "counters end no search");
    counts
}

/// SCOUT's leaves over alpha-beta's on trees of one move, where the expectation can be
/// computed: SCOUT visits each of the leaves, and again each one that is the best so
/// far, but for the first; the n-th is with a chance of 1/n.
pub fn ratio_one_high(width: u16) -> f64 {
    let again: f64 = (2..=width).map(|nth| 1.0 / f64::from(nth)).sum();
    1.0 + again / f64::from(width)
}

/// Pearl's ratio on the same trees: the root is a node, too.
pub fn node_ratio_one_high(width: u16) -> f64 {
    let leaves = f64::from(width);
    (1.0 + leaves * ratio_one_high(width)) / (1.0 + leaves)
}

/// What a minimal tree of even height costs, by formula: see Knuth and Moore
/// 1975 for the leaves, Hsu's slides for the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimal {
    /// Leaves of alpha-beta: b^ceil(l/2) + b^floor(l/2) - 1.
    pub leaves: u64,
    /// H1, nodes of TEST with a true verdict: 2 (b^(l/2+1) - 1)/(b - 1) - b^(l/2).
    pub test_nodes: u64,
    /// H2, nodes of alpha-beta: 2 H1 + b^(l/2) - (l + 2).
    pub nodes: u64,
    /// The older H2, which has - b^(l/2-1) besides, and is wrong.
    pub old_nodes: u64,
}

impl Minimal {
    /// The formulas for trees with a width of at least 2 and an even height of at
    /// least 2.
    pub fn of(shape: &Shape) -> Self {
        let (width, height) = (u64::from(shape.width), u32::from(shape.height));
        let half = width.pow(height / 2);
        let leaves = width.pow(height.div_ceil(2)) + half - 1;
        let test_nodes = 2 * (half * width - 1) / (width - 1) - half;
        let nodes = 2 * test_nodes + half - u64::from(height + 2);
        Self { leaves, test_nodes, nodes, old_nodes: nodes - width.pow(height / 2 - 1) }
    }

    /// The nodes that TEST visits of such a tree to prove that its value is
    /// above something.
    pub fn tested(shape: &Shape) -> u64 {
        let Shape { width, height, .. } = *shape;
        let tree = UniformTree { width, height, leaves: Leaves::BestFirst(100), seed: 1 };
        let mut counts = Counts::default();
        let mut run = Run::watched(&tree, &mut counts);
        // The value of such a tree is 0.
        let above = test(&mut run, tree.root(), Player::Max, Question::above(-1));
        debug_assert!(above, "a value of 0 is above -1");
        counts.nodes()
    }
}
