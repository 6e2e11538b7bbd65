//! Statistics of samples with their standard errors.
//!
//! The error of a figure computed from means follows from the members of the sample by
//! the delta method (linearisation), which keeps the correlation of two statistics of the
//! same members.

use std::f64::consts::{PI, SQRT_2};

use serde::Serialize;

/// 95 % of a normal distribution lie within this many standard deviations of the mean.
pub const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

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

/// Wilson's bounds of a share of which `hits` in `of` were observed, 95 %: "Probable inference,
/// the law of succession, and statistical inference", Journal of the American Statistical
/// Association 22, 1927.
pub fn wilson(hits: u64, of: u64) -> (f64, f64) {
    let of = of as f64;
    let share = hits as f64 / of;
    let middle = share + DEVIATIONS_95 * DEVIATIONS_95 / (2.0 * of);
    let half = DEVIATIONS_95
        * (share * (1.0 - share) / of + DEVIATIONS_95 * DEVIATIONS_95 / (4.0 * of * of)).sqrt();
    let scale = 1.0 + DEVIATIONS_95 * DEVIATIONS_95 / of;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// The distribution function of the standard normal distribution.
pub fn normal_cdf(deviations: f64) -> f64 {
    libm::erfc(-deviations / SQRT_2) / 2.0
}

/// The probability that Student's t with this many degrees of freedom is farther from 0 than `t`.
pub fn student_beyond(t: f64, freedom: usize) -> f64 {
    let freedom = freedom as f64;
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The regularised incomplete beta function, by its continued fraction: Abramowitz and Stegun,
/// "Handbook of Mathematical Functions", 26.5.8.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    // The fraction converges fast only on this side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    if x <= 0.0 {
        return 0.0;
    }
    let beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = (a * x.ln() + b * (1.0 - x).ln() - beta).exp() / a;
    let mut fraction = 1.0;
    // From the inside out, so that no step divides by a number near 0.
    for nth in (1..200).rev() {
        let m = f64::from(nth / 2);
        let numerator = if nth % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        fraction = 1.0 + numerator / fraction;
    }
    front / fraction
}

/// A sample of the standard normal distribution from two independent uniform numbers, by Box and
/// Muller's method; the first is above 0.
pub fn normal(radius: f64, angle: f64) -> f64 {
    (-2.0 * radius.ln()).sqrt() * (2.0 * PI * angle).cos()
}
