//! Statistics of samples with their standard errors.
//!
//! The error of a figure computed from means follows from the members of the sample by
//! the delta method (linearisation), which keeps the correlation of two statistics of the
//! same members.

use serde::Serialize;

/// A number and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// In the unit of what was measured.
    pub value: f64,
    /// The standard error; 0 if the value is exact or the sample has one member.
    #[serde(rename = "standard_error")]
    pub error: f64,
}

impl Estimate {
    /// A number that was computed, not measured.
    pub fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    /// `figure` of this estimate and another one, which come from independent samples.
    pub fn with(self, other: Self, figure: impl Fn(f64, f64) -> f64) -> Self {
        let [by_self, by_other] = slopes(self.value, other.value, &figure);
        let error = (by_self * self.error).hypot(by_other * other.error);
        Self { value: figure(self.value, other.value), error }
    }
}

/// A figure of a sample, and the influence of each member on it.
#[derive(Clone, Debug)]
pub struct Statistic {
    value: f64,
    influences: Vec<f64>,
}

impl Statistic {
    /// The mean of a sample.
    pub fn mean(sample: impl Iterator<Item = f64>) -> Self {
        let mut influences: Vec<f64> = sample.collect();
        let value = influences.iter().sum::<f64>() / influences.len() as f64;
        influences.iter_mut().for_each(|member| *member -= value);
        Self { value, influences }
    }

    /// The size of the sample.
    pub fn members(&self) -> usize {
        self.influences.len()
    }

    /// `figure` of this statistic and another one of the same sample.
    pub fn with(&self, other: &Self, figure: impl Fn(f64, f64) -> f64) -> Self {
        assert_eq!(self.influences.len(), other.influences.len(), "expected one sample");
        let [by_self, by_other] = slopes(self.value, other.value, &figure);
        let pairs = self.influences.iter().zip(&other.influences);
        let influences = pairs.map(|(own, other)| by_self * own + by_other * other).collect();
        Self { value: figure(self.value, other.value), influences }
    }

    /// The percentage by which it is below `baseline`.
    pub fn saved(&self, baseline: &Self) -> Self {
        self.with(baseline, |cost, baseline| 100.0 * (1.0 - cost / baseline))
    }

    /// Its value and standard error.
    pub fn estimate(&self) -> Estimate {
        let count = self.influences.len() as f64;
        let squares: f64 = self.influences.iter().map(|moved| moved * moved).sum();
        // The sample variance has count - 1 degrees of freedom; dividing it by count gives that of
        // the mean.
        let error = if count < 2.0 { 0.0 } else { (squares / (count - 1.0) / count).sqrt() };
        Estimate { value: self.value, error }
    }
}

/// The mean of a sample and its standard error.
pub fn mean(sample: &[f64]) -> Estimate {
    Statistic::mean(sample.iter().copied()).estimate()
}

/// The partial derivatives of `figure`, by central differences.
fn slopes(x: f64, y: f64, figure: &impl Fn(f64, f64) -> f64) -> [f64; 2] {
    // A step near the cube root of the precision of a number balances rounding, which
    // grows as the step shrinks, against the curvature that the difference ignores.
    let step = |at: f64| 1e-6 * at.abs().max(1e-9);
    let dx = step(x);
    let dy = step(y);
    [
        (figure(x + dx, y) - figure(x - dx, y)) / (2.0 * dx),
        (figure(x, y + dy) - figure(x, y - dy)) / (2.0 * dy),
    ]
}

/// The median of a sample: the lower of the middle two if the count is even; NaN if the sample is
/// empty.
pub fn median(sample: &mut [f64]) -> f64 {
    sample.sort_by(f64::total_cmp);
    sample.get(sample.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}
