//! The findings of the comparisons: tables, charts, verdicts.
//!
//! What was measured comes from [`experiment`](super::experiment); how it is drawn
//! is [`report`](crate::report)'s business. Here are the words and the selection.

mod games;
mod noe;
mod noe_claims;
mod noe_pictures;
mod synthetic;

pub(crate) use games::games;
pub(crate) use noe::noe;
pub(crate) use synthetic::{minimal, pearl, reinefeld};

use crate::lab::experiment::claim::{Case, Claim, Unit, Verdict};
use crate::report::format::{fixed, signed};
use crate::report::{Cell, Chart, Marks, Picture, Table};
use crate::sys::statistics::Estimate;

/// A difference with its error; nothing if it was not measured.
fn estimate(estimate: Estimate, decimals: usize) -> Cell {
    match estimate {
        Estimate { value, .. } if value.is_nan() => Cell::Empty,
        Estimate { value, error } => Cell::Estimate(value, error, decimals),
    }
}

/// A saving in whole percent, without an error if it has none.
fn percent(saving: Estimate) -> Cell {
    if saving.error == 0.0 && saving.value.is_finite() {
        Cell::Signed(saving.value, 0)
    } else {
        estimate(saving, 0)
    }
}

/// Claims that have cases.
fn tested(mut claims: Vec<Claim>) -> Vec<Claim> {
    claims.retain(|claim| !claim.cases.is_empty());
    claims
}

/// The claims in short, a line each: all cases together.
fn in_short(claims: &[Claim]) -> Table {
    Table::of(
        "",
        claims,
        &[
            ("Claim", &|claim| claim.statement.into()),
            ("Verdict", &|claim| together(claim).into()),
            ("Measured", &|claim| spread(claim).into()),
        ],
    )
}

/// The verdict if all cases agree, otherwise how many hold.
fn together(claim: &Claim) -> String {
    match (claim.unanimous(), claim.count(Verdict::Holds)) {
        (Some(verdict), _) => verdict.to_string(),
        (None, 0) => format!("holds in none of {}", claim.cases.len()),
        (None, holds) => format!("holds in {holds} of {}", claim.cases.len()),
    }
}

/// The least and the greatest figure, or the only one.
fn spread(claim: &Claim) -> String {
    let values = claim.cases.iter().map(|case| case.figure.value);
    let [least, most] =
        [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)]
            .map(|value| figure(claim.unit, Estimate::exact(value)));
    let sign = unit(claim.unit);
    match claim.cases.as_slice() {
        [case] => figure(claim.unit, case.figure) + sign,
        _ if least == most => least + sign,
        _ => format!("{least} to {most}{sign}"),
    }
}

fn unit(unit: Unit) -> &'static str {
    if unit == Unit::Percent { " %" } else { "" }
}

/// A figure with its error, without its unit.
fn figure(unit: Unit, Estimate { value, error }: Estimate) -> String {
    let number = |value| match unit {
        Unit::Percent => signed(value, 0),
        Unit::Number(decimals) => fixed(value, decimals),
    };
    match (unit, error) {
        (_, 0.0) => number(value),
        // An error is never shown as none.
        (Unit::Percent, _) if error < 0.5 => format!("{} ± {error:.1}", signed(value, 1)),
        (Unit::Percent, _) => format!("{} ± {error:.0}", number(value)),
        (Unit::Number(decimals), _) => format!("{} ± {error:.decimals$}", number(value)),
    }
}

/// Every case of every claim.
fn cases(claims: &[Claim]) -> impl Iterator<Item = (&Claim, &Case)> {
    claims.iter().flat_map(|claim| claim.cases.iter().map(move |case| (claim, case)))
}

/// Every case with its verdict, for people.
fn verdicts(claims: &[Claim]) -> Table {
    Table::of(
        "A figure decides a claim if it lies two standard errors inside or outside of what is \
         claimed. On Kalah d is the depth, a turn is one move and leaves are counted where \
         nothing else is said.",
        cases(claims),
        &[
            ("Claim", &|(claim, _)| format!("{} [{}]", claim.statement, claim.source).into()),
            ("Condition", &|(_, case)| case.condition.as_str().into()),
            ("Measured", &|(claim, case)| {
                (figure(claim.unit, case.figure) + unit(claim.unit)).into()
            }),
            ("Verdict", &|(claim, case)| claim.verdict(case).to_string().into()),
        ],
    )
    .grouped(1)
}

/// Every case with its verdict, for programs.
fn verdict_rows(claims: &[Claim]) -> Table {
    Table::of(
        "",
        cases(claims),
        &[
            ("Claim", &|(claim, _)| claim.statement.into()),
            ("Source", &|(claim, _)| claim.source.into()),
            ("Condition", &|(_, case)| case.condition.as_str().into()),
            ("Unit", &|(claim, _)| unit(claim.unit).trim().into()),
            ("Claimed from", &|(claim, _)| Cell::Number(claim.range.low, 3)),
            ("Claimed to", &|(claim, _)| Cell::Number(claim.range.high, 3)),
            ("Figure", &|(_, case)| Cell::Number(case.figure.value, 3)),
            ("Standard error", &|(_, case)| Cell::Number(case.figure.error, 3)),
            ("Verdict", &|(claim, case)| claim.verdict(case).to_string().into()),
        ],
    )
}

/// Lines that can be told apart in one chart.
const LINES: usize = 7;

/// A picture for every seven lines of `picture`, so that none is left out.
fn split(picture: Picture) -> Vec<Picture> {
    let Marks::Lines(series) = &picture.chart.marks else { return vec![picture] };
    if series.len() <= LINES {
        return vec![picture];
    }
    let parts = series.len().div_ceil(LINES);
    let part = |(nth, series): (usize, &[_])| Picture {
        name: format!("{}-{}", picture.name, nth + 1),
        chart: Chart {
            title: format!("{} ({} of {parts})", picture.chart.title, nth + 1),
            marks: Marks::Lines(series.to_vec()),
            ..picture.chart.clone()
        },
        caption: picture.caption.clone(),
    };
    series.chunks(LINES).enumerate().map(part).collect()
}
