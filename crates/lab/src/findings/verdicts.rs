//! The claims with their cases and verdicts, written for people and programs.

use crate::experiment::claim::{Claim, Scope};
use crate::experiment::judge::{Case, Evidence, Figure, Unit, Verdict};
use kalah_tables::{Cell, Section, Table};
use kalah_text::format::{fixed, signed};

/// The claims of one run that have cases, each case with its verdict.
pub(super) struct Verdicts(Vec<JudgedClaim>);

/// A claim with its cases.
pub(super) struct JudgedClaim {
    pub(super) claim: &'static Claim,
    cases: Vec<(Case, Verdict)>,
}

impl Verdicts {
    /// The claims of a run that have been judged together.
    pub(super) fn new(judged: Vec<(&'static Claim, Vec<(Case, Verdict)>)>) -> Self {
        let judged = judged.into_iter().map(|(claim, cases)| JudgedClaim { claim, cases });
        Self(judged.collect())
    }

    /// The number of claims that were tested.
    pub(super) fn claims(&self) -> usize {
        self.0.len()
    }

    /// The claim with this identifier, if it was tested.
    pub(super) fn find(&self, id: &str) -> Option<&JudgedClaim> {
        self.0.iter().find(|judged| judged.claim.id == id)
    }

    /// The claims that answer the main question.
    pub(super) fn headline(&self) -> impl Iterator<Item = &JudgedClaim> + Clone {
        self.0.iter().filter(|judged| !judged.claim.headline.is_empty())
    }

    /// The first claims in short, a line each, without those of the headline.
    pub(super) fn in_short(&self, claims: usize) -> Table {
        Table::from_items(
            "",
            self.0.iter().filter(|judged| judged.claim.headline.is_empty()).take(claims),
            &[
                ("Claim", &|judged| judged.claim.short.into()),
                ("Conditions", &|judged| judged.counts().into()),
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
            "Words in quotation marks are the source's own. Each claim is tested under several \
             conditions: in how many it holds, no counterexample was found, it fails, or is open. Only a claim about most cases, or \
             about the existence of one, has an answer of its own.",
            &self.0,
            &[
                ("Name", &|judged| judged.claim.id.into()),
                ("Claim", &|judged| judged.claim.quotation().into()),
                ("Source", &|judged| judged.claim.origin().into()),
                ("Figure", &|judged| judged.claim.figure.into()),
                ("Rule", &|judged| judged.rule().into()),
                ("Holds", &|judged| judged.count(Verdict::Holds).into()),
                ("None found", &|judged| judged.count(Verdict::NoneFound).into()),
                ("Fails", &|judged| judged.count(Verdict::Fails).into()),
                ("Open", &|judged| judged.count(Verdict::Open).into()),
                ("Answer", &|judged| judged.answer().into()),
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
            "Counts are judged together by Holm's procedure: the probability that any of their \
             verdicts is due to chance alone is at most 5 %. A time decides if all rounds, widened \
             by what another run may differ, agree. Each figure has its standard error; a time has \
             the smallest and the largest round, and a share Wilson's bounds. The median is that of \
             single positions.",
            self.cases(),
            &[
                ("Claim", &|(claim, ..)| format!("{} [{}]", claim.short, claim.origin()).into()),
                ("Condition", &|(_, case, _)| case.condition.as_str().into()),
                ("Measured", &|(claim, case, _)| with_error(claim.measure.unit, case.figure).into()),
                ("Median", &|(claim, case, _)| {
                    case.figure.median.map(|median| shown(claim.measure.unit, median, 0.0)).into()
                }),
                ("Sample", &|(_, case, _)| case.figure.members().into()),
                ("Verdict", &|(_, case, verdict)| {
                    let by = if is_time(case.figure) { ", by time" } else { "" };
                    format!("{verdict}{by}").into()
                }),
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
                ("Source", &|(claim, ..)| claim.origin().into()),
                ("Measured", &|(claim, ..)| claim.figure.into()),
                ("Condition", &|(_, case, _)| case.condition.as_str().into()),
                ("Unit", &|(claim, ..)| sign(claim.measure.unit).trim().into()),
                ("Rule", &|(claim, ..)| claim.rule.to_string().into()),
                ("Figure", &|(_, case, _)| Cell::Number(case.figure.value, 3)),
                ("Standard error", &|(_, case, _)| Cell::Number(case.figure.error, 3)),
                ("Low", &|(_, case, _)| Cell::Number(case.figure.bounds().0, 3)),
                ("High", &|(_, case, _)| Cell::Number(case.figure.bounds().1, 3)),
                ("Median", &|(_, case, _)| {
                    case.figure.median.map(|median| Cell::Number(median, 3)).into()
                }),
                ("Sample", &|(_, case, _)| case.figure.members().into()),
                ("Timed", &|(_, case, _)| is_time(case.figure).to_string().into()),
                ("Verdict", &|(.., verdict)| verdict.to_string().into()),
            ],
        )
    }
}

fn is_time(figure: Figure) -> bool {
    matches!(figure.evidence, Evidence::Times { .. })
}

impl JudgedClaim {
    /// The number of its cases.
    pub(super) fn conditions(&self) -> usize {
        self.cases.len()
    }

    /// The number of cases with this verdict.
    pub(super) fn count(&self, wanted: Verdict) -> usize {
        self.cases.iter().filter(|(_, verdict)| *verdict == wanted).count()
    }

    /// The number of cases in which it holds, which includes those without a counterexample.
    pub(super) fn holds(&self) -> usize {
        self.count(Verdict::Holds) + self.count(Verdict::NoneFound)
    }

    /// In how many cases it holds, fails and is open; a single case has its verdict.
    fn counts(&self) -> String {
        if let [(_, verdict)] = self.cases.as_slice() {
            return verdict.to_string();
        }
        let mut words = Vec::new();
        for verdict in Verdict::ALL {
            match self.count(verdict) {
                0 => {}
                count => words.push(format!("{count} {verdict}")),
            }
        }
        words.join(", ")
    }

    /// Whether its figures are times.
    pub(super) fn is_time(&self) -> bool {
        self.cases.iter().any(|(case, _)| is_time(case.figure))
    }

    /// The figures that were measured.
    fn values(&self) -> Vec<f64> {
        let values = self.cases.iter().map(|(case, _)| case.figure.value);
        values.filter(|value| !value.is_nan()).collect()
    }

    /// The median figure of its cases.
    pub(super) fn median(&self) -> f64 {
        kalah_tables::statistics::median(&mut self.values())
    }

    /// The range of the figures for which it is true, and its scope.
    fn rule(&self) -> String {
        let Claim { rule, scope, .. } = self.claim;
        let unit = sign(self.claim.measure.unit);
        match scope {
            Scope::Count => format!("{rule}{unit}"),
            Scope::Most | Scope::Some => format!("{rule}{unit}, {scope}"),
        }
    }

    /// The answer to a claim about most cases or the existence of one; for others, whether a
    /// counterexample was found.
    fn answer(&self) -> &'static str {
        let all = self.conditions();
        let holds = self.holds();
        let fails = self.count(Verdict::Fails);
        match self.claim.scope {
            Scope::Most if 2 * holds > all => "holds",
            Scope::Most if 2 * fails >= all => "fails",
            Scope::Some if holds > 0 => "holds",
            Scope::Some if fails == all => "fails",
            Scope::Most | Scope::Some => "open",
            Scope::Count => "",
        }
    }

    /// The smallest and the largest figure, or the only one.
    pub(super) fn spread(&self) -> String {
        let unit = self.claim.measure.unit;
        if let [(case, _)] = self.cases.as_slice() {
            return with_error(unit, case.figure);
        }
        let values = self.values();
        let low = shown(unit, values.iter().copied().fold(f64::INFINITY, f64::min), 0.0);
        let high = shown(unit, values.iter().copied().fold(f64::NEG_INFINITY, f64::max), 0.0);
        let range = if low == high { low } else { format!("{low} to {high}") };
        range + sign(unit)
    }
}

fn sign(unit: Unit) -> &'static str {
    if unit == Unit::Percent { " %" } else { "" }
}

/// A figure without its error and its unit, with the decimals that its error needs.
fn shown(unit: Unit, value: f64, error: f64) -> String {
    match unit {
        Unit::Number(decimals) => fixed(value, decimals),
        Unit::Percent => signed(value, decimals(error)),
    }
}

/// Decimals for a percentage: a small error gets enough not to be shown as 0.
fn decimals(error: f64) -> usize {
    match error {
        error if error > 0.0 && error < 0.05 => 2,
        error if error > 0.0 && error < 0.5 => 1,
        _ => 0,
    }
}

/// A figure with its error, its bounds, or the range of its rounds.
fn with_error(unit: Unit, figure: Figure) -> String {
    let number = shown(unit, figure.value, figure.error);
    let sign = sign(unit);
    match figure.evidence {
        _ if figure.value.is_nan() => "not measured".to_owned(),
        Evidence::Exact | Evidence::Max(_) => number + sign,
        Evidence::Sample(_) => {
            let decimals = match unit {
                Unit::Number(decimals) => decimals,
                Unit::Percent => decimals(figure.error),
            };
            format!("{number} ± {:.decimals$}{sign}", figure.error)
        }
        Evidence::Share { .. } => {
            let (low, high) = figure.bounds();
            format!("{}{sign} ({low:.1} to {high:.1})", fixed(figure.value, 1))
        }
        Evidence::Times { low, high } => {
            format!("{number}{sign} ({} to {})", signed(low, 0), signed(high, 0))
        }
    }
}
