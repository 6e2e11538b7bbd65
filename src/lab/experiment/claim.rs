//! Claims of the literature, what was measured of them, and the one rule that
//! judges them all.

use std::fmt;

use crate::sys::statistics::Estimate;

/// Standard errors that a figure must lie on one side to decide a claim.
pub const ERRORS: f64 = 2.0;

/// Whether what was measured bears a claim out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claimed range holds the figure with [`ERRORS`] on either side.
    Holds,
    /// The figure with [`ERRORS`] on either side lies outside the claimed range.
    Fails,
    /// The error is too large for either.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "does not hold",
            Verdict::Undecided => "not decided",
        })
    }
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A difference in percent.
    Percent,
    /// A pure number with so many decimals.
    Number(usize),
}

/// The figures for which a claim is true, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least figure.
    pub low: f64,
    /// The greatest figure.
    pub high: f64,
}

impl Range {
    /// More than `bound`.
    pub fn above(bound: f64) -> Self {
        Self { low: bound.next_up(), high: f64::INFINITY }
    }

    /// Less than `bound`.
    pub fn below(bound: f64) -> Self {
        Self { low: f64::NEG_INFINITY, high: bound.next_down() }
    }

    /// `bound` or more.
    pub fn at_least(bound: f64) -> Self {
        Self { low: bound, high: f64::INFINITY }
    }

    /// `bound` or less.
    pub fn at_most(bound: f64) -> Self {
        Self { low: f64::NEG_INFINITY, high: bound }
    }

    /// From `low` to `high`; a printed number is what rounds to it.
    pub fn between(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// The verdict on a figure that is claimed to lie in this range.
    pub fn judge(self, figure: Estimate) -> Verdict {
        let reach = ERRORS * figure.error;
        let (least, most) = (figure.value - reach, figure.value + reach);
        if least >= self.low && most <= self.high {
            Verdict::Holds
        } else if most < self.low || least > self.high {
            Verdict::Fails
        } else {
            Verdict::Undecided
        }
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

/// What a source says, and each case in which it was put to the test.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The claim in few words.
    pub statement: &'static str,
    /// The paper or the slides that make the claim.
    pub source: &'static str,
    /// The figures for which it is true.
    pub range: Range,
    /// What the figures count.
    pub unit: Unit,
    /// Every measurement of it.
    pub cases: Vec<Case>,
}

impl Claim {
    /// A claim of `source` about figures in `unit`, put to the test in `cases`.
    pub fn new(
        unit: Unit,
        statement: &'static str,
        source: &'static str,
        range: Range,
        cases: Vec<Case>,
    ) -> Self {
        Self { statement, source, range, unit, cases }
    }

    /// The verdict on one of its cases.
    pub fn verdict(&self, case: &Case) -> Verdict {
        self.range.judge(case.figure)
    }

    /// How many cases have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|case| self.verdict(case) == verdict).count()
    }

    /// The verdict of all cases if they agree.
    pub fn unanimous(&self) -> Option<Verdict> {
        let mut verdicts = self.cases.iter().map(|case| self.verdict(case));
        let first = verdicts.next()?;
        verdicts.all(|verdict| verdict == first).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(range: Range, value: f64, error: f64) -> Verdict {
        range.judge(Estimate { value, error })
    }

    #[test]
    fn a_figure_decides_only_beyond_two_standard_errors() {
        let forty = Range::above(40.0);
        assert_eq!(judged(forty, 46.0, 2.0), Verdict::Holds);
        assert_eq!(judged(forty, 41.0, 2.0), Verdict::Undecided);
        assert_eq!(judged(forty, 10.0, 3.0), Verdict::Fails);
        // From -8 ± 13 to +4 ± 7 is no growth that is sure.
        let [early, late] =
            [(-8.0, 13.0), (4.0, 7.0)].map(|(value, error)| Estimate { value, error });
        let growth = late.with(early, |late, early| late - early);
        assert_eq!(Range::above(0.0).judge(growth), Verdict::Undecided);
    }

    #[test]
    fn an_exact_figure_is_always_decided_and_ends_belong_to_a_range() {
        assert_eq!(judged(Range::above(40.0), 40.0, 0.0), Verdict::Fails);
        assert_eq!(judged(Range::at_least(40.0), 40.0, 0.0), Verdict::Holds);
        assert_eq!(judged(Range::below(1.0), 1.0, 0.0), Verdict::Fails);
        assert_eq!(judged(Range::at_most(1.275), 23.0 / 18.0, 0.0), Verdict::Fails);
        assert_eq!(judged(Range::between(0.0, 0.0), 0.0, 0.0), Verdict::Holds);
        assert_eq!(judged(Range::above(0.0), f64::NAN, 0.0), Verdict::Undecided);
    }
}
