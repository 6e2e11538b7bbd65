//! Scores as numbers, and how the values of shallow searches are related to those
//! of deep ones: what [`probcut`](super::probcut()) asks of a tree.

use crate::game::score::{Gain, Score};

/// A score that can be compared with numbers: with a bound that a person asks
/// about, with a fitted line, with a mean.
pub trait Measure: Score {
    /// The score as a number.
    fn number(self) -> f64;
    /// The greatest score that is at most `number`.
    fn at_most(number: f64) -> Self;
}

impl Measure for Gain {
    fn number(self) -> f64 {
        self.0.into()
    }
    fn at_most(number: f64) -> Self {
        Gain(number.floor() as i32).clamp(Self::MIN, Self::MAX)
    }
}

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
    pub(super) fn shallow_for(&self, deep: f64) -> f64 {
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
