//! Claims, and whether they hold.

use super::table::{Cell, Table};

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Wherever it was put to the test.
    Holds,
    /// Under some conditions, which are named.
    InPart,
    /// Nowhere.
    Fails,
    /// It was not put to the test.
    Open,
}

impl Verdict {
    /// `Holds` if all of `tests` do, `Fails` if none, `Open` if there are none.
    pub fn of(tests: impl IntoIterator<Item = bool>) -> Self {
        let (mut yes, mut no) = (0, 0);
        tests.into_iter().for_each(|test| if test { yes += 1 } else { no += 1 });
        match (yes, no) {
            (0, 0) => Verdict::Open,
            (_, 0) => Verdict::Holds,
            (0, _) => Verdict::Fails,
            _ => Verdict::InPart,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::InPart => "in part",
            Verdict::Fails => "does not hold",
            Verdict::Open => "not measured",
        }
    }
}

/// A claim, the verdict on it, and what was measured under which conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// As it was published or is cited.
    pub claim: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What was measured, and where.
    pub evidence: String,
}

/// A line for each claim.
pub fn verdicts(caption: &str, judged: &[Judged]) -> Table {
    let mut table = Table::new(caption, &["Claim", "Verdict", "Measured"]);
    for Judged { claim, verdict, evidence } in judged {
        table.push(vec![
            Cell::from(claim.as_str()),
            Cell::from(verdict.words()),
            Cell::from(evidence.as_str()),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_follows_from_all_tests() {
        assert_eq!(Verdict::of([]), Verdict::Open);
        assert_eq!(Verdict::of([true, true]), Verdict::Holds);
        assert_eq!(Verdict::of([true, false]), Verdict::InPart);
        assert_eq!(Verdict::of([false]), Verdict::Fails);
    }
}
