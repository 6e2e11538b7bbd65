//! Claims of the literature, what was measured of them, and the one rule that
//! judges them all.

use std::num::ParseFloatError;
use std::str::FromStr;

use crate::sys::names::named_enum;
use crate::sys::statistics::Estimate;

/// The chance that any verdict of one run is due to chance alone.
pub const SIGNIFICANCE: f64 = 0.05;

named_enum! {
    /// Whether what was measured bears a claim out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict: "verdict" {
        /// The figure lies in the claimed range, by more than its error explains.
        Holds = "holds",
        /// The figure lies outside the claimed range, by more than its error explains.
        Fails = "does not hold",
        /// The error is too large for either.
        Undecided = "not decided",
    }
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A difference in percent.
    Percent,
    /// A pure number, shown with this many decimals.
    Number(usize),
}

/// The figures for which a claim is true, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest figure.
    pub low: f64,
    /// The largest figure.
    pub high: f64,
}

impl Range {
    fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The verdict on a figure that is significantly different from both ends.
    fn side(self, value: f64) -> Verdict {
        if self.contains(value) { Verdict::Holds } else { Verdict::Fails }
    }

    /// The chance of a figure at least this far from the nearer end of the range if
    /// the truth lay on that end; 0 for an exact figure, and 1 for one that was not measured.
    fn chance(self, Estimate { value, error }: Estimate) -> f64 {
        if value.is_nan() {
            return 1.0;
        }
        if error == 0.0 {
            return 0.0;
        }
        let distance = (value - self.low).abs().min((value - self.high).abs());
        libm::erfc(distance / error / std::f64::consts::SQRT_2)
    }
}

/// From text as `above 40`, `at most 1.275`, `10 to 20` or `exactly 0`. The range of a
/// printed number is what rounds to it.
impl FromStr for Range {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((low, high)) = text.split_once(" to ") {
            return Ok(Self { low: low.parse()?, high: high.parse()? });
        }
        let (words, bound) = text.rsplit_once(' ').unwrap_or(("exactly", text));
        let bound: f64 = bound.parse()?;
        let (low, high) = match words {
            "above" => (bound.next_up(), f64::INFINITY),
            "below" => (f64::NEG_INFINITY, bound.next_down()),
            "at least" => (bound, f64::INFINITY),
            "at most" => (f64::NEG_INFINITY, bound),
            _ => (bound, bound),
        };
        Ok(Self { low, high })
    }
}

/// A figure measured under one condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// All that was held fixed.
    pub condition: String,
    /// What the claim is about.
    pub figure: Estimate,
}

/// The verdicts on figures that are claimed to lie in ranges.
///
/// One run judges hundreds of figures, of which one in twenty would be decided
/// wrongly at the usual two standard errors. Holm's procedure ("A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of
/// Statistics 6, 1979) bounds the chance of even one wrong verdict by
/// [`SIGNIFICANCE`]: the clearest of m figures has to be significant at 5 % / m,
/// the next at 5 % / (m - 1), and so on until one is not. Exact figures are
/// decided by themselves and are not counted.
pub fn judge(figures: &[(Range, Estimate)]) -> Vec<Verdict> {
    let chances: Vec<f64> = figures.iter().map(|(range, figure)| range.chance(*figure)).collect();
    let (exact, mut uncertain): (Vec<usize>, Vec<usize>) =
        (0..figures.len()).partition(|&nth| chances[nth] == 0.0);
    uncertain.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let tests = uncertain.len();
    let significant = uncertain
        .into_iter()
        .enumerate()
        .take_while(|&(rank, nth)| chances[nth] <= SIGNIFICANCE / (tests - rank) as f64)
        .map(|(_, nth)| nth);
    let mut verdicts = vec![Verdict::Undecided; figures.len()];
    for nth in exact.into_iter().chain(significant) {
        verdicts[nth] = figures[nth].0.side(figures[nth].1.value);
    }
    verdicts
}
