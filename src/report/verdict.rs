//! Claims, and whether they hold.

use super::table::Table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Holds,
    InPart,
    Fails,
    Open,
}

impl Verdict {
    /// `Holds` if all of `tests` do, `Fails` if none, `Open` if there are none.
    fn of(tests: impl IntoIterator<Item = bool>) -> Self {
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
    claim: String,
    verdict: Verdict,
    evidence: String,
}

impl Judged {
    /// The claim as it was published or is cited; whether it held each time that
    /// it was tested; and what was measured.
    pub fn new(
        claim: impl Into<String>,
        tests: impl IntoIterator<Item = bool>,
        evidence: impl Into<String>,
    ) -> Self {
        Self { claim: claim.into(), verdict: Verdict::of(tests), evidence: evidence.into() }
    }
}

/// A row for each claim.
pub fn verdicts(caption: &str, judged: &[Judged]) -> Table {
    Table::of(
        caption,
        judged,
        &[
            ("Claim", &|judged| judged.claim.as_str().into()),
            ("Verdict", &|judged| judged.verdict.words().into()),
            ("Measured", &|judged| judged.evidence.as_str().into()),
        ],
    )
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
