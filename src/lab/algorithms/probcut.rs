//! ProbCut: cut where a shallow search makes a deep one very unlikely to matter.
//!
//! Buro, "ProbCut: an effective selective extension of the alpha-beta
//! algorithm", ICCA Journal 18(2), 1995. The value of a deep search is taken for
//! a linear function of the value of a shallow one plus an error with a normal
//! distribution; both are fitted to searched positions. Its values can be
//! wrong: it is a rival for whole games, not a member of the exact family.

use crate::score::{Gain, Score, Window};

use super::search::Search;
use super::tree::Tree;

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
    pub fn fitted(height: u16, shallow: u16, pairs: &[(Gain, Gain)]) -> Option<Self> {
        let count = pairs.len() as f64;
        let pairs = pairs.iter().map(|(x, y)| (f64::from(x.0), f64::from(y.0)));
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

/// What [`f3`](super::f3) would say of `node`, if the checks don't err.
pub fn probcut<S: Search<Value = Gain>>(
    search: &mut S,
    node: S::Node,
    window: Window<Gain>,
    model: &Model,
) -> Gain {
    let below = |search: &mut S, node, window| probcut(search, node, window, model);
    let height = search.tree().height(node);
    if let Some(check) = model.checks.iter().find(|check| check.height == height) {
        let doubt = model.sureness * check.deviation;
        let shallow = search.tree().truncated(node, check.shallow);
        if window.beta < Gain::MAX {
            let high = check.shallow_for(f64::from(window.beta.0) + doubt).ceil();
            let high = Window::null_under(Gain(high as i32));
            if high.fails_high(search.visit(below, shallow, high)) {
                return window.beta;
            }
        }
        if window.alpha > Gain::MIN {
            let low = check.shallow_for(f64::from(window.alpha.0) - doubt).floor();
            let low = Window::null(Gain(low as i32));
            if low.fails_low(search.visit(below, shallow, low)) {
                return window.alpha;
            }
        }
    }
    let Some(children) = search.children(node) else { return search.leaf(node) };
    let mut best = Gain::MIN;
    for child in children {
        best = best.max(search.below(below, child, window.raised(best)));
        if window.fails_high(best) {
            break;
        }
    }
    best
}
