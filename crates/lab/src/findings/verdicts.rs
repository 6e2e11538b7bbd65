//! The claims of the literature with their cases, judged together and written for people
//! and programs.
//!
//! The claims are data, in `claims.tsv`, in the words of their sources. This project's own
//! questions are claimed nowhere; they are judged because their answers explain something.
//! `doc/compare.md` has the verdicts.

use once_cell::sync::Lazy;

use crate::experiment::claim::{Case, ClaimedRange, Unit, Verdict, judge};
use kalah_tables::statistics::Estimate;
use kalah_tables::{Cell, Section, Table};
use kalah_text::format::{fixed, signed};
use kalah_text::named_enum;

named_enum! {
    /// Whether a claim is about all trees, most of them, or the existence of one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Scope: "scope" {
        Every = "every",
        Most = "most",
        Some = "some",
    }
}

/// A statement of the literature, and how it is tested.
#[derive(Debug)]
struct Claim {
    /// Its name in files for programs.
    id: &'static str,
    /// A few words for a terminal.
    short: &'static str,
    /// The words of the source.
    words: &'static str,
    edition: &'static str,
    /// Number and title of the slide, or the part of an article; may be empty.
    slide: &'static str,
    /// The quantity that the figure of a case counts.
    measured: &'static str,
    unit: Unit,
    /// The figures for which it is true, and the words of the file for them.
    range: ClaimedRange,
    rule: &'static str,
    scope: Scope,
}

/// Every claim, in the order of the file.
static CLAIMS: Lazy<Vec<Claim>> = Lazy::new(|| {
    let lines = include_str!("claims.tsv").lines().skip(1);
    lines
        .map(|line| parsed(line).unwrap_or_else(|| panic!("a claim in nine columns: {line}")))
        .collect()
});

fn parsed(line: &'static str) -> Option<Claim> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, short, words, edition, slide, measured, unit, rule, scope] = fields[..] else {
        return None;
    };
    let unit = if unit == "%" { Unit::Percent } else { Unit::Number(unit.parse().ok()?) };
    let (range, scope) = (rule.parse().ok()?, scope.parse().ok()?);
    Some(Claim { id, short, words, edition, slide, measured, unit, range, rule, scope })
}

impl Claim {
    /// Its words, in quotation marks if they are a source's.
    fn quotation(&self) -> String {
        if self.slide.is_empty() { self.words.to_owned() } else { format!("“{}”", self.words) }
    }

    fn source(&self) -> String {
        match self.slide {
            "" => self.edition.to_owned(),
            slide => format!("{}, {slide}", self.edition),
        }
    }

    /// The range of the figures for which it is true, and for which share of the cases.
    fn rule_in_words(&self) -> String {
        format!("{}{}, {}", self.rule, sign(self.unit), self.scope)
    }
}

/// The id of a claim and its measured cases.
pub(super) type Tested = (&'static str, Vec<Case>);

/// The claims of one run that have cases, each case with its verdict.
pub(super) struct Verdicts(Vec<JudgedClaim>);

struct JudgedClaim {
    claim: &'static Claim,
    cases: Vec<(Case, Verdict)>,
}

impl Verdicts {
    /// Judges all cases of a run together. The cases of one claim may be given in several parts.
    ///
    /// # Panics
    /// If an id is unknown.
    pub(super) fn from_cases(tested: Vec<Tested>) -> Self {
        let mut by_claim: Vec<Vec<Case>> = vec![Vec::new(); CLAIMS.len()];
        for (id, cases) in tested {
            by_claim[CLAIMS.iter().position(|claim| claim.id == id).expect(id)].extend(cases);
        }
        let tested = CLAIMS.iter().zip(by_claim).filter(|(_, cases)| !cases.is_empty());
        let tested: Vec<(&Claim, Vec<Case>)> = tested.collect();
        let figures: Vec<_> = tested
            .iter()
            .flat_map(|(claim, cases)| cases.iter().map(|case| (claim.range, case.figure)))
            .collect();
        // All claims together, because Holm's limits depend on the number of figures in the run.
        let mut verdicts = judge(&figures).into_iter();
        let judged = tested.into_iter().map(|(claim, cases)| JudgedClaim {
            claim,
            cases: cases.into_iter().zip(&mut verdicts).collect(),
        });
        Self(judged.collect())
    }

    /// The number of claims that were tested.
    pub(super) fn claims(&self) -> usize {
        self.0.len()
    }

    /// The first claims in short, a line each.
    pub(super) fn in_short(&self, claims: usize) -> Table {
        Table::from_items(
            "",
            self.0.iter().take(claims),
            &[
                ("Claim", &|judged| judged.claim.short.into()),
                ("Verdict", &|judged| judged.together().into()),
                ("Measured", &|judged| judged.spread().into()),
            ],
        )
    }

    /// Every claim in the words of its source, and every case with its verdict.
    pub(super) fn sections(&self) -> [Section; 2] {
        [
            Section::with_table("Claims", self.in_full()),
            Section::with_table("Verdicts", self.by_case()),
        ]
    }

    fn in_full(&self) -> Table {
        Table::from_items(
            "Words in quotation marks are the source's own. A claim about every case holds if it \
             holds in all; one about most cases, if it does in more than half; one that something \
             exists, if it does in one.",
            &self.0,
            &[
                ("Name", &|judged| judged.claim.id.into()),
                ("Claim", &|judged| judged.claim.quotation().into()),
                ("Source", &|judged| judged.claim.source().into()),
                ("Figure", &|judged| judged.claim.measured.into()),
                ("Rule", &|judged| judged.claim.rule_in_words().into()),
                ("Cases", &|judged| judged.cases.len().into()),
                ("Verdict", &|judged| judged.with_undecided().into()),
                ("Measured", &|judged| judged.spread().into()),
            ],
        )
        .grouped(4)
    }

    /// Each case with its claim.
    fn cases(&self) -> impl Iterator<Item = (&'static Claim, &Case, Verdict)> {
        self.0.iter().flat_map(|JudgedClaim { claim, cases }| {
            cases.iter().map(|(case, verdict)| (*claim, case, *verdict))
        })
    }

    fn by_case(&self) -> Table {
        Table::from_items(
            "All cases are judged together by Holm's procedure: the probability that any verdict \
             is due to chance alone is at most 5 %. On Kalah, d is the depth, and a turn is one \
             move unless the condition names another treatment.",
            self.cases(),
            &[
                ("Claim", &|(claim, ..)| format!("{} [{}]", claim.short, claim.source()).into()),
                ("Condition", &|(_, case, _)| case.condition.as_str().into()),
                ("Measured", &|(claim, case, _)| {
                    (figure(claim.unit, case.figure) + sign(claim.unit)).into()
                }),
                ("Verdict", &|(.., verdict)| verdict.to_string().into()),
            ],
        )
        .grouped(1)
    }

    /// Every case with its verdict, for programs.
    pub(super) fn rows(&self) -> Table {
        // Columns and not records, because ranges may be infinite.
        Table::from_items(
            "",
            self.cases(),
            &[
                ("Id", &|(claim, ..)| claim.id.into()),
                ("Claim", &|(claim, ..)| claim.words.into()),
                ("Source", &|(claim, ..)| claim.source().into()),
                ("Measured", &|(claim, ..)| claim.measured.into()),
                ("Condition", &|(_, case, _)| case.condition.as_str().into()),
                ("Unit", &|(claim, ..)| sign(claim.unit).trim().into()),
                ("Claimed from", &|(claim, ..)| Cell::Number(claim.range.low, 3)),
                ("Claimed to", &|(claim, ..)| Cell::Number(claim.range.high, 3)),
                ("Figure", &|(_, case, _)| Cell::Number(case.figure.value, 3)),
                ("Standard error", &|(_, case, _)| Cell::Number(case.figure.error, 3)),
                ("Verdict", &|(.., verdict)| verdict.to_string().into()),
            ],
        )
    }
}

impl JudgedClaim {
    fn count(&self, wanted: Verdict) -> usize {
        self.cases.iter().filter(|(_, verdict)| *verdict == wanted).count()
    }

    /// The verdict if it is the same in all cases or enough of them, otherwise the number of cases
    /// in which the claim holds. A case that is not decided supports neither verdict.
    fn together(&self) -> String {
        let (all, holds) = (self.cases.len(), self.count(Verdict::Holds));
        let fails = self.count(Verdict::Fails);
        let (is_shown, is_refuted) = match self.claim.scope {
            Scope::Every => (holds == all, fails > 0),
            Scope::Most => (2 * holds > all, 2 * fails >= all),
            Scope::Some => (holds > 0, fails == all),
        };
        match holds {
            0 if is_refuted => Verdict::Fails.to_string(),
            0 => Verdict::Undecided.to_string(),
            _ if holds == all => Verdict::Holds.to_string(),
            _ if is_shown => format!("holds (in {holds} of {all})"),
            _ => format!("holds in {holds} of {all}"),
        }
    }

    /// The same, with the number of cases that are not decided if others are.
    fn with_undecided(&self) -> String {
        match self.count(Verdict::Undecided) {
            0 => self.together(),
            open if open == self.cases.len() => self.together(),
            open => format!("{}, {open} not decided", self.together()),
        }
    }

    /// The smallest and the largest figure, or the only one.
    fn spread(&self) -> String {
        let unit = self.claim.unit;
        let values = self.cases.iter().map(|(case, _)| case.figure.value);
        let values = values.filter(|value| !value.is_nan());
        if values.clone().next().is_none() {
            return "not measured".to_owned();
        }
        let low = figure(unit, Estimate::exact(values.clone().fold(f64::INFINITY, f64::min)));
        let high = figure(unit, Estimate::exact(values.fold(f64::NEG_INFINITY, f64::max)));
        let shown = match self.cases.as_slice() {
            [(case, _)] => figure(unit, case.figure),
            _ if low == high => low,
            _ => format!("{low} to {high}"),
        };
        shown + sign(unit)
    }
}

fn sign(unit: Unit) -> &'static str {
    if unit == Unit::Percent { " %" } else { "" }
}

/// A figure with its error, without its unit.
fn figure(unit: Unit, Estimate { value, error }: Estimate) -> String {
    let decimals = match unit {
        Unit::Number(decimals) => decimals,
        // A small error gets enough decimals not to be shown as 0.
        Unit::Percent if error > 0.0 && error < 0.05 => 2,
        Unit::Percent if error > 0.0 && error < 0.5 => 1,
        Unit::Percent => 0,
    };
    let shown = if unit == Unit::Percent { signed } else { fixed };
    let number = shown(value, decimals);
    if error == 0.0 { number } else { format!("{number} ± {error:.decimals$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn together(id: &'static str, values: &[f64]) -> String {
        let case = |&value: &f64| Case { condition: String::new(), figure: Estimate::exact(value) };
        Verdicts::from_cases(vec![(id, values.iter().map(case).collect())]).0[0].together()
    }

    #[test]
    fn claims_about_all_trees_count_cases_and_claims_of_existence_need_one() {
        assert_eq!(together("brute-force", &[60.0, 70.0]), "holds");
        assert_eq!(together("brute-force", &[60.0, 40.0]), "holds in 1 of 2");
        assert_eq!(together("brute-force", &[f64::NAN, 40.0]), "does not hold");
        assert_eq!(together("many-visits", &[0.0, 3.0]), "holds (in 1 of 2)");
        assert_eq!(together("many-visits", &[0.0, 0.0]), "does not hold");
        assert_eq!(together("random-leaves", &[-1.0, -2.0, 3.0]), "holds (in 2 of 3)");
        assert_eq!(together("random-leaves", &[-1.0, 3.0]), "holds in 1 of 2");
        assert_eq!(together("random-leaves", &[f64::NAN, -3.0]), "holds in 1 of 2");
        assert_eq!(together("brute-force", &[f64::NAN, 60.0]), "holds in 1 of 2");
        assert_eq!(together("many-visits", &[f64::NAN, 0.0]), "not decided");
    }
}
