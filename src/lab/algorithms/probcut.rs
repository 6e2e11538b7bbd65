//! ProbCut: cut where a shallow search makes a deep one very unlikely to matter.
//!
//! Buro, "ProbCut: an effective selective extension of the alpha-beta
//! algorithm", ICCA Journal 18(2), 1995. The value of a deep search is taken for
//! a linear function of the value of a shallow one plus an error with a normal
//! distribution; both are fitted to searched positions. Its values can be
//! wrong: it is a rival for whole games, not a member of the exact family.

use std::ops::RangeInclusive;

use crate::score::{Score, Window};
use crate::sys::random::SplitMix64;

use super::alpha_beta::f3;
use super::search::{Run, Search};
use super::tree::{Measure, Tree};

/// deep ≈ slope · shallow + offset, with a standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// The height of nodes that are checked.
    pub height: u16,
    /// The height of the search that checks them.
    pub shallow: u16,
    /// Seeds of the deep value for a seed of the shallow one.
    pub slope: f64,
    /// Seeds of the deep value where the shallow one is 0.
    pub offset: f64,
    /// Standard deviation of the error, in seeds.
    pub deviation: f64,
}

impl Check {
    /// The line of least squares through pairs of values (shallow, deep).
    /// `None` if there are fewer than three pairs, if the shallow values are all
    /// the same, or if they say nothing about the deep ones.
    pub fn fitted<V: Measure>(height: u16, shallow: u16, pairs: &[(V, V)]) -> Option<Self> {
        let count = pairs.len() as f64;
        let pairs = pairs.iter().map(|(x, y)| (x.number(), y.number()));
        let (sum_x, sum_y) = pairs.clone().fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
        let (mean_x, mean_y) = (sum_x / count, sum_y / count);
        let spread: f64 = pairs.clone().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let common: f64 = pairs.clone().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let slope = common / spread;
        if count < 3.0 || slope.is_nan() || slope <= 0.0 {
            return None;
        }
        let offset = mean_y - slope * mean_x;
        let errors: f64 = pairs.map(|(x, y)| (y - slope * x - offset).powi(2)).sum();
        let deviation = (errors / (count - 2.0)).sqrt();
        Some(Self { height, shallow, slope, offset, deviation })
    }

    /// The shallow value for which the expected deep value is `deep`.
    fn shallow_for(&self, deep: f64) -> f64 {
        (deep - self.offset) / self.slope
    }
}

/// The checks of a search, and how sure they must be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// At most one for a height.
    pub checks: Vec<Check>,
    /// Standard deviations that make an error unlikely enough to cut; Buro's
    /// Othello program used 1.5.
    pub sureness: f64,
}

impl Model {
    /// Checks for nodes of `heights`, each by a search two moves less deep, fitted
    /// on so many nodes that random moves from the root of `tree` lead to. The
    /// tree must be higher than the highest check.
    pub fn fitted<T: Tree>(
        tree: &T,
        heights: RangeInclusive<u16>,
        samples: usize,
        random: &mut SplitMix64,
    ) -> Self {
        let (least, most) = (*heights.start(), *heights.end());
        let moves = tree.height(tree.root()) - most;
        let nodes: Vec<T::Node> =
            (0..samples).map(|_| reached(tree, random.below(moves.into()), random)).collect();
        let value = |node: &T::Node, height| {
            f3(&mut Run::new(tree), tree.truncated(*node, height), Window::full())
        };
        let values = |height| nodes.iter().map(|node| value(node, height)).collect();
        let by_height: Vec<Vec<T::Value>> = (least - 2..=most).map(values).collect();
        let fitted = by_height.windows(3).zip(heights).filter_map(|(values, height)| {
            let pairs = values[0].iter().copied().zip(values[2].iter().copied());
            Check::fitted(height, height - 2, &pairs.collect::<Vec<_>>())
        });
        Self { checks: fitted.collect(), sureness: 1.5 }
    }
}

/// The node that at most so many random moves lead to, not a leaf unless the root
/// is one.
fn reached<T: Tree>(tree: &T, moves: usize, random: &mut SplitMix64) -> T::Node {
    let mut node = tree.root();
    for _ in 0..moves {
        if tree.is_leaf(node) {
            break;
        }
        let children: Vec<_> = tree.children(node, &mut ()).collect();
        let next = children[random.below(children.len())].node;
        if tree.is_leaf(next) {
            break;
        }
        node = next;
    }
    node
}

/// What [`f3`] would say of `node`, if the checks of the tree's model don't err.
pub fn probcut<S: Search>(search: &mut S, node: S::Node, window: Window<S::Value>) -> S::Value {
    let height = search.tree().height(node);
    let check = search.tree().model().and_then(|model| {
        let check = model.checks.iter().find(|check| check.height == height)?;
        Some((*check, model.sureness * check.deviation))
    });
    if let Some((check, doubt)) = check {
        let shallow = search.tree().truncated(node, check.shallow);
        if window.beta < S::Value::MAX {
            let high = check.shallow_for(window.beta.number() + doubt).ceil();
            let high = Window::null_under(S::Value::at_most(high));
            if high.fails_high(search.visit(probcut, shallow, high)) {
                return window.beta;
            }
        }
        if window.alpha > S::Value::MIN {
            let low =
                Window::null(S::Value::at_most(check.shallow_for(window.alpha.number() - doubt)));
            if low.fails_low(search.visit(probcut, shallow, low)) {
                return window.alpha;
            }
        }
    }
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = S::Value::MIN;
    for child in children {
        best = best.max(search.below(probcut, child, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}
