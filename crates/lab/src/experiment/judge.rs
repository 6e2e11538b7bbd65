//! The rule that judges all figures: the range that a claim gives, the evidence, and the verdict.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use kalah_tables::statistics::{Estimate, Statistic, normal_cdf, student_beyond, wilson};
use kalah_text::named_enum;

use super::condition::Condition;

/// The maximum probability that any verdict of one run on counts is due to chance alone.
const SIGNIFICANCE: f64 = 0.05;
/// The difference between processor times of the same code in two runs of the program, in
/// percent. No number of repetitions within a run removes it, because the memory layout
/// changes from run to run, and other programs share the caches.
const BETWEEN_RUNS: f64 = 2.0;
/// The minimum number of rounds needed to show how much times vary.
pub(crate) const MIN_ROUNDS: usize = 3;

named_enum! {
    /// Whether a measurement supports a claim.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict: "verdict" {
        /// The figure lies in the claimed range, by more than its error explains.
        Holds = "holds",
        /// The figure lies outside the claimed range, by more than its error explains.
        Fails = "fails",
        /// The error is too large to decide, or another run could decide otherwise.
        Open = "open",
        /// The claim excludes something, and the sample has no instance of it.
        NoneFound = "none found",
    }
}

/// The figures for which a claim is true, both ends included, and the words for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The smallest figure.
    pub low: f64,
    /// The largest figure.
    pub high: f64,
    words: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.words)
    }
}

/// Error for text that is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a range such as 'at most 1.275', got '{0}'")]
pub struct InvalidRule(String);

/// From text such as `above 40`, `at most 1.275`, `10 to 20` or `exactly 0`. If a source
/// prints a rounded number, the range is that of the numbers that round to it.
impl FromStr for Rule {
    type Err = InvalidRule;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match ends(text) {
            Some((low, high)) => Ok(Self { low, high, words: text.to_owned() }),
            None => Err(InvalidRule(text.to_owned())),
        }
    }
}

fn ends(text: &str) -> Option<(f64, f64)> {
    if let Some((low, high)) = text.split_once(" to ") {
        return Some((low.parse().ok()?, high.parse().ok()?));
    }
    let (words, bound) = text.rsplit_once(' ')?;
    let bound: f64 = bound.parse().ok()?;
    match words {
        // Both ends belong to a range, so `above 40` begins at the next number after 40.
        "above" => Some((bound.next_up(), f64::INFINITY)),
        "below" => Some((f64::NEG_INFINITY, bound.next_down())),
        "at least" => Some((bound, f64::INFINITY)),
        "at most" => Some((f64::NEG_INFINITY, bound)),
        "exactly" => Some((bound, bound)),
        _ => None,
    }
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Percent, or a difference in percentage points.
    Percent,
    /// A pure number, shown with this many decimals.
    Number(usize),
}

/// A figure measured under one condition.
#[derive(Clone, Debug)]
pub struct Case {
    /// All conditions that were held fixed, in words.
    pub condition: String,
    /// The figure that the claim is about.
    pub figure: Figure,
    /// The condition whose sample decides, if it was sampled.
    pub sampled: Option<Condition>,
}

/// What a figure is based on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evidence {
    /// It was computed, or holds for a whole population.
    Exact,
    /// The mean of a sample with this many members, or a figure of several such means.
    Sample(usize),
    /// The maximum of a sample with this many members: others may exceed it.
    Max(usize),
    /// A share of a sample.
    Share {
        /// The members that count.
        hits: u64,
        /// All members.
        of: u64,
    },
    /// The median of several timed rounds, with the smallest and the largest.
    Times {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
}

/// A measured number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// In the unit of what was measured.
    pub value: f64,
    /// The standard error over positions, games or trees; 0 if there is none.
    pub error: f64,
    /// What it is based on.
    pub evidence: Evidence,
    /// The median of the same figure of each position alone, which large positions do not
    /// dominate.
    pub median: Option<f64>,
}

impl Figure {
    /// A number that was computed, not sampled.
    pub fn exact(value: f64) -> Self {
        Self { value, error: 0.0, evidence: Evidence::Exact, median: None }
    }

    /// A number with a standard error over a sample.
    pub fn sample(value: f64, error: f64, members: usize) -> Self {
        Self { value, error, evidence: Evidence::Sample(members), median: None }
    }

    /// The percentage of members that count.
    pub fn share(hits: u64, of: u64) -> Self {
        let share = hits as f64 / of as f64;
        let error = 100.0 * (share * (1.0 - share) / of as f64).sqrt();
        Self { value: 100.0 * share, error, evidence: Evidence::Share { hits, of }, median: None }
    }

    /// This figure and one of an independent sample, combined.
    pub(crate) fn with(self, other: Self, figure: impl Fn(f64, f64) -> f64) -> Self {
        let own = Estimate { value: self.value, error: self.error };
        let others = Estimate { value: other.value, error: other.error };
        let both = own.with(others, figure);
        match (self.evidence, other.evidence) {
            (Evidence::Exact, Evidence::Exact) => Self::exact(both.value),
            (Evidence::Exact, _) => Self::sample(both.value, both.error, other.members()),
            (_, Evidence::Exact) => Self::sample(both.value, both.error, self.members()),
            // The smaller sample limits how well the error is known.
            _ => Self::sample(both.value, both.error, self.members().min(other.members())),
        }
    }

    /// The size of the sample; 1 if there is none.
    pub fn members(self) -> usize {
        match self.evidence {
            Evidence::Sample(members) | Evidence::Max(members) => members,
            Evidence::Share { of, .. } => of as usize,
            Evidence::Exact | Evidence::Times { .. } => 1,
        }
    }

    /// The bounds between which the true value lies with a probability of about 95 %; for times,
    /// those between which another run is expected.
    pub fn bounds(self) -> (f64, f64) {
        match self.evidence {
            Evidence::Exact => (self.value, self.value),
            Evidence::Max(_) => (self.value, f64::INFINITY),
            Evidence::Sample(_) => (self.value - 2.0 * self.error, self.value + 2.0 * self.error),
            Evidence::Share { hits, of } => {
                let (low, high) = wilson(hits, of);
                (100.0 * low, 100.0 * high)
            }
            Evidence::Times { low, high } => {
                let noise = BETWEEN_RUNS.hypot(2.0 * self.error);
                (low - noise, high + noise)
            }
        }
    }
}

impl From<&Statistic> for Figure {
    fn from(statistic: &Statistic) -> Self {
        let estimate = statistic.estimate();
        if statistic.members() < 2 {
            return Self::exact(estimate.value);
        }
        Self::sample(estimate.value, estimate.error, statistic.members())
    }
}

impl Rule {
    fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The verdict on a figure that is significantly different from both ends.
    fn side(&self, figure: Figure) -> Verdict {
        let excludes = self.low == 0.0 && self.high == 0.0;
        match (self.contains(figure.value), figure.evidence) {
            (true, Evidence::Share { .. } | Evidence::Sample(_)) if excludes => Verdict::NoneFound,
            (true, Evidence::Max(_)) if self.high.is_finite() => Verdict::NoneFound,
            (true, _) => Verdict::Holds,
            (false, _) => Verdict::Fails,
        }
    }

    /// The probability of a figure at least this far from the nearer end of the range if the true
    /// value were that end; 0 for certain figures, and 1 for one that was not measured.
    fn chance(&self, figure: Figure) -> f64 {
        if figure.value.is_nan() {
            return 1.0;
        }
        let to_low = (figure.value - self.low).abs();
        let to_high = (figure.value - self.high).abs();
        let distance = to_low.min(to_high);
        let end = if to_low < to_high { self.low } else { self.high };
        match figure.evidence {
            // A greater one may still exist.
            Evidence::Max(_) if figure.value < self.low => 1.0,
            Evidence::Exact | Evidence::Max(_) | Evidence::Times { .. } => 0.0,
            // One that was found is certain, and one that was not found may still exist.
            Evidence::Share { hits, .. } if !(0.01..=99.99).contains(&end) => {
                let none = hits == 0 && self.high > 0.0;
                if none { 1.0 } else { 0.0 }
            }
            Evidence::Share { of, .. } => {
                // The test that Wilson's interval inverts: the error is that of the claimed share.
                let share = end / 100.0;
                let error = 100.0 * (share * (1.0 - share) / of as f64).sqrt();
                2.0 * normal_cdf(-distance / error)
            }
            // A sample without any variation.
            Evidence::Sample(_) if figure.error == 0.0 => 0.0,
            Evidence::Sample(members) => student_beyond(distance / figure.error, members - 1),
        }
    }
}

/// The verdicts on figures that are claimed to lie in ranges, the sample of which has been looked
/// at `looks` times at most.
///
/// One run judges hundreds of figures. At the usual two standard errors, up to one in
/// twenty would be decided wrongly. Holm's procedure ("A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of
/// Statistics 6, 1979) bounds the probability of even one wrong verdict by
/// 5 %: the clearest of m figures has to be significant at 5 % / m,
/// the next at 5 % / (m - 1), and so on until one is not. Figures without chance are always
/// decided and do not count towards m. A sample that grows until it decides has several chances to
/// err, which share the 5 %.
///
/// Times are judged separately, because the distribution of their disturbances is unknown: a time
/// decides if all rounds agree by a margin wider than the difference between two runs.
pub fn judge(figures: &[(&Rule, Figure)], looks: usize) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::Open; figures.len()];
    let mut uncertain = Vec::new();
    for (nth, (rule, figure)) in figures.iter().enumerate() {
        if matches!(figure.evidence, Evidence::Times { .. }) {
            let (low, high) = figure.bounds();
            let both_sides =
                rule.contains(low) != rule.contains(high) || (low < rule.low && high > rule.high);
            if !both_sides && !figure.value.is_nan() {
                verdicts[nth] = rule.side(*figure);
            }
            continue;
        }
        let chance = rule.chance(*figure);
        if chance == 0.0 {
            verdicts[nth] = rule.side(*figure);
        } else {
            uncertain.push((chance, nth));
        }
    }
    uncertain.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tests = uncertain.len();
    for (rank, (chance, nth)) in uncertain.into_iter().enumerate() {
        // The first figure that is not significant ends the procedure, even if a later one would
        // pass its own, more generous limit.
        if chance > SIGNIFICANCE / looks as f64 / (tests - rank) as f64 {
            break;
        }
        let (rule, figure) = figures[nth];
        verdicts[nth] = rule.side(figure);
    }
    verdicts
}
