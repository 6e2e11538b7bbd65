//! The ranges that claims of the literature give, the figures measured for them, and the
//! one rule that judges them all.

use std::str::FromStr;

use thiserror::Error;

use kalah_tables::statistics::Estimate;
use kalah_text::named_enum;

/// The maximum probability that any verdict of one run is due to chance alone.
const SIGNIFICANCE: f64 = 0.05;

named_enum! {
    /// Whether a measurement supports a claim.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict: "verdict" {
        /// The figure lies in the claimed range, by more than its error explains.
        Holds = "holds",
        /// The figure lies outside the claimed range, by more than its error explains.
        Fails = "does not hold",
        /// The error is too large to decide.
        Undecided = "not decided",
    }
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A difference in percent.
    Percent,
    /// A pure number, shown with this many decimals.
    Number(usize),
}

/// The figures for which a claim is true, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClaimedRange {
    /// The smallest figure.
    pub low: f64,
    /// The largest figure.
    pub high: f64,
}

impl ClaimedRange {
    fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The verdict on a figure that is significantly different from both ends.
    fn side(self, value: f64) -> Verdict {
        if self.contains(value) { Verdict::Holds } else { Verdict::Fails }
    }

    /// The probability of a figure at least this far from the nearer end of the range if the
    /// true value were that end; 0 for an exact figure, and 1 for one that was not measured.
    fn chance(self, Estimate { value, error }: Estimate) -> f64 {
        if value.is_nan() {
            return 1.0;
        }
        if error == 0.0 {
            return 0.0;
        }
        // Two-sided, because a figure may miss an end of the range in either direction.
        let distance = (value - self.low).abs().min((value - self.high).abs());
        libm::erfc(distance / error / std::f64::consts::SQRT_2)
    }
}

/// Error for text that is not a range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a range such as 'at most 1.275', got '{0}'")]
pub struct InvalidRange(String);

/// From text such as `above 40`, `at most 1.275`, `10 to 20` or `exactly 0`. If a source
/// prints a rounded number, the range is that of the numbers that round to it.
impl FromStr for ClaimedRange {
    type Err = InvalidRange;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).ok_or_else(|| InvalidRange(text.to_owned()))
    }
}

impl ClaimedRange {
    fn parse(text: &str) -> Option<Self> {
        if let Some((low, high)) = text.split_once(" to ") {
            return Some(Self { low: low.parse().ok()?, high: high.parse().ok()? });
        }
        let (words, bound) = text.rsplit_once(' ').unwrap_or(("exactly", text));
        let bound: f64 = bound.parse().ok()?;
        let (low, high) = match words {
            // Both ends belong to a range, so `above 40` begins at the next number after 40.
            "above" => (bound.next_up(), f64::INFINITY),
            "below" => (f64::NEG_INFINITY, bound.next_down()),
            "at least" => (bound, f64::INFINITY),
            "at most" => (f64::NEG_INFINITY, bound),
            "exactly" => (bound, bound),
            _ => return None,
        };
        Some(Self { low, high })
    }
}

/// A figure measured under one condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// All conditions that were held fixed.
    pub condition: String,
    /// The figure that the claim is about.
    pub figure: Estimate,
}

/// The verdicts on figures that are claimed to lie in ranges.
///
/// One run judges hundreds of figures. At the usual two standard errors, up to one in
/// twenty would be decided wrongly. Holm's procedure ("A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of
/// Statistics 6, 1979) bounds the probability of even one wrong verdict by
/// 5 %: the clearest of m figures has to be significant at 5 % / m,
/// the next at 5 % / (m - 1), and so on until one is not. Exact figures are
/// always decided and do not count towards m.
pub fn judge(figures: &[(ClaimedRange, Estimate)]) -> Vec<Verdict> {
    let chances: Vec<f64> = figures.iter().map(|(range, figure)| range.chance(*figure)).collect();
    let (exact, mut uncertain): (Vec<usize>, Vec<usize>) =
        (0..figures.len()).partition(|&nth| chances[nth] == 0.0);
    uncertain.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    // Exact figures cannot be wrong by chance, so they do not make the limits stricter.
    let tests = uncertain.len();
    let significant = uncertain
        .into_iter()
        .enumerate()
        // The first figure that is not significant ends the procedure, even if a later one would
        // pass its own, more generous limit.
        .take_while(|&(rank, nth)| chances[nth] <= SIGNIFICANCE / (tests - rank) as f64)
        .map(|(_, nth)| nth);
    let mut verdicts = vec![Verdict::Undecided; figures.len()];
    for nth in exact.into_iter().chain(significant) {
        verdicts[nth] = figures[nth].0.side(figures[nth].1.value);
    }
    verdicts
}
