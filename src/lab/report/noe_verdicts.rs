//! What the replay says to the claims cited from Noe and to the texts.

use super::told;
use crate::lab::experiment::ensemble::Ensemble;
use crate::lab::experiment::kalah::{Condition, Outcome, Outcomes};
use crate::lab::experiment::noe::{DEEP, Results, SHALLOW};
use crate::lab::experiment::statistics::Estimate;
use crate::lab::{Algorithm, ExtraTurns, Order};
use crate::report::{Judged, Verdict};

/// The depth of the claim.
const DEPTH: u16 = 5;
/// The saving of the claim, in percent.
const CLAIMED: f64 = 40.0;

/// The claims cited from Noe's report, with verdicts.
pub fn claims(results: &Results) -> Vec<Judged> {
    let outcomes = &results.comparison;
    let positions = |condition: &Condition| matches!(condition.ensemble, Ensemble::Positions(_));
    let games = |condition: &Condition| matches!(condition.ensemble, Ensemble::Games(_));
    let one_move = |condition: &Condition| condition.extra_turns == ExtraTurns::Compound;
    vec![
        forty(
            "At depth 5 SCOUT saves over 40 % (leaves, against alpha-beta with deep cutoffs F2/F3, \
             a turn as one move)",
            savings(outcomes, DEPTH, DEEP, |c| positions(c) && one_move(c)),
        ),
        forty(
            "The same against alpha-beta without deep cutoffs (F1)",
            savings(outcomes, DEPTH, SHALLOW, |c| positions(c) && one_move(c)),
        ),
        forty("The same in processor time, against F2/F3", time_savings(outcomes, DEPTH, DEEP)),
        forty("The same in processor time, against F1", time_savings(outcomes, DEPTH, SHALLOW)),
        forty("The same over whole games, against F2/F3", savings(outcomes, DEPTH, DEEP, games)),
        forty("The same over whole games, against F1", savings(outcomes, DEPTH, SHALLOW, games)),
        forty(
            "The same with each sowing as a ply, against F2/F3",
            savings(outcomes, DEPTH, DEEP, |c| positions(c) && c.extra_turns == ExtraTurns::Ply),
        ),
        forty(
            "The same with extra sowings free of depth, against F2/F3",
            savings(outcomes, DEPTH, DEEP, |c| positions(c) && c.extra_turns == ExtraTurns::Free),
        ),
        deep(outcomes),
        narrow(&results.widths),
        ordering(outcomes),
        ordering_takes_the_gain(outcomes),
    ]
}

type Savings = Vec<(Condition, Estimate)>;

/// What SCOUT saves at `depth` under the conditions that are `wanted`.
fn savings(
    outcomes: &Outcomes,
    depth: u16,
    baseline: Algorithm,
    wanted: impl Fn(&Condition) -> bool,
) -> Savings {
    let saved = |condition: Condition| {
        let scout = outcomes.find(&condition, depth, Algorithm::Scout.into())?;
        let baseline = outcomes.find(&condition, depth, baseline.into())?;
        Some((condition, scout.leaves_saved(baseline)))
    };
    outcomes.conditions().into_iter().filter(wanted).filter_map(saved).collect()
}

fn time_savings(outcomes: &Outcomes, depth: u16, baseline: Algorithm) -> Savings {
    let saved = |condition: Condition| {
        let scout = outcomes.find(&condition, depth, Algorithm::Scout.into())?;
        let baseline = outcomes.find(&condition, depth, baseline.into())?;
        let timed = !scout.total().time.is_zero();
        timed.then(|| (condition, scout.time_saved(baseline)))
    };
    outcomes.conditions().into_iter().filter_map(saved).collect()
}

fn forty(claim: &str, savings: Savings) -> Judged {
    let verdict = Verdict::of(savings.iter().map(|(_, saved)| saved.value > CLAIMED));
    Judged { claim: claim.to_owned(), verdict, evidence: range(&savings) }
}

/// The least and the greatest saving, with their conditions, and how many are
/// above the claim.
fn range(savings: &Savings) -> String {
    let by_value =
        |a: &&(Condition, Estimate), b: &&(Condition, Estimate)| a.1.value.total_cmp(&b.1.value);
    let (Some(least), Some(most)) =
        (savings.iter().min_by(by_value), savings.iter().max_by(by_value))
    else {
        return String::new();
    };
    if savings.len() == 1 {
        return format!("{} % ({})", told(most.1), short(&most.0));
    }
    let above = savings.iter().filter(|(_, saved)| saved.value > CLAIMED).count();
    format!(
        "{} % ({}) to {} % ({}); above 40 % in {above} of {} conditions",
        told(least.1),
        short(&least.0),
        told(most.1),
        short(&most.0),
        savings.len()
    )
}

fn short(condition: &Condition) -> String {
    let Condition { rules, order, extra_turns, .. } = condition;
    format!("({},{}) {extra_turns} {order}", rules.pits(), rules.seeds())
}

/// Depth helps: compared two moves apart, for odd and even depths differ.
fn deep(outcomes: &Outcomes) -> Judged {
    let claim = "SCOUT favours skinny trees: the deeper, the better (depth 5 beside depth 3, \
                 against F2/F3 and F1, a turn as one move)";
    let wanted = |condition: &Condition| condition.extra_turns == ExtraTurns::Compound;
    let mut tests = Vec::new();
    let mut words = Vec::new();
    for (baseline, name) in [(DEEP, "F2/F3"), (SHALLOW, "F1")] {
        let shallow = savings(outcomes, DEPTH - 2, baseline, wanted);
        let deep = savings(outcomes, DEPTH, baseline, wanted);
        let grew = shallow
            .iter()
            .filter_map(|(condition, before)| {
                let (_, after) = deep.iter().find(|(other, _)| other == condition)?;
                Some(after.value > before.value)
            })
            .collect::<Vec<bool>>();
        if !grew.is_empty() {
            let yes = grew.iter().filter(|&&grew| grew).count();
            words.push(format!("more at depth 5 in {yes} of {} conditions ({name})", grew.len()));
        }
        tests.extend(grew);
    }
    Judged { claim: claim.to_owned(), verdict: Verdict::of(tests), evidence: words.join("; ") }
}

/// Narrowness helps: the saving by pits a row.
fn narrow(outcomes: &Outcomes) -> Judged {
    let claim = "SCOUT favours skinny trees: the narrower, the better (boards of 3 to 7 pits, \
                 against F2/F3)";
    let savings = savings(outcomes, DEPTH, DEEP, |_| true);
    let told: Vec<String> = savings
        .iter()
        .map(|(condition, saved)| format!("{} pits {} %", condition.rules.pits(), told(*saved)))
        .collect();
    // From each board to the next wider one the saving should fall.
    let falls = savings.windows(2).map(|pair| pair[0].1.value > pair[1].1.value);
    Judged { claim: claim.to_owned(), verdict: Verdict::of(falls), evidence: told.join(", ") }
}

/// Alpha-beta's leaves in one order against another, as a saving.
fn by_order(
    outcomes: &Outcomes,
    condition: &Condition,
    depth: u16,
) -> Option<(Estimate, Condition)> {
    let sorted = Condition { order: Order::Static, ..*condition };
    let find = |condition: &Condition| outcomes.find(condition, depth, DEEP.into());
    let saved = find(&sorted)?.leaves_saved(find(condition)?);
    Some((saved, *condition))
}

fn ordering(outcomes: &Outcomes) -> Judged {
    let saved: Vec<(Estimate, Condition)> = outcomes
        .conditions()
        .iter()
        .filter(|condition| {
            condition.order == Order::Far && condition.extra_turns == ExtraTurns::Compound
        })
        .filter_map(|condition| by_order(outcomes, condition, DEPTH))
        .collect();
    let evidence: Vec<String> = saved
        .iter()
        .map(|(saved, condition)| {
            let (pits, seeds) = (condition.rules.pits(), condition.rules.seeds());
            format!("({pits},{seeds}) static saves {} % of F3's leaves against far", told(*saved))
        })
        .collect();
    Judged {
        claim: "Move ordering is very important (alpha-beta's leaves at depth 5)".to_owned(),
        verdict: Verdict::of(saved.iter().map(|(saved, _)| saved.value > 20.0)),
        evidence: evidence.join("; "),
    }
}

fn ordering_takes_the_gain(outcomes: &Outcomes) -> Judged {
    let compound = |condition: &Condition| {
        condition.extra_turns == ExtraTurns::Compound
            && !matches!(condition.ensemble, Ensemble::Games(_))
    };
    let savings = savings(outcomes, DEPTH, DEEP, compound);
    let of = |condition: &Condition, order: Order| {
        let wanted = Condition { order, ..*condition };
        savings.iter().find(|(condition, _)| *condition == wanted).map(|(_, saved)| *saved)
    };
    let mut tests = Vec::new();
    let mut words = Vec::new();
    for (condition, _) in savings.iter().filter(|(condition, _)| condition.order == Order::Static) {
        let plain: Vec<Estimate> = savings
            .iter()
            .filter(|(other, _)| other.rules == condition.rules && other.order != Order::Static)
            .map(|(_, saved)| *saved)
            .collect();
        let Some(sorted) = of(condition, Order::Static).filter(|_| !plain.is_empty()) else {
            continue;
        };
        let mean = plain.iter().map(|saved| saved.value).sum::<f64>() / plain.len() as f64;
        tests.push(sorted.value > mean);
        let (pits, seeds) = (condition.rules.pits(), condition.rules.seeds());
        words.push(format!(
            "({pits},{seeds}) static {} %, mean of the other orders {mean:+.0} %",
            told(sorted)
        ));
    }
    Judged {
        claim: "A good order helps SCOUT most (its saving against F2/F3 is greater with static \
                ordering)"
            .to_owned(),
        verdict: Verdict::of(tests),
        evidence: words.join("; "),
    }
}

/// What slides and papers say that was put to the test beside Noe's claims.
pub fn texts(results: &Results) -> Vec<Judged> {
    let mut judged = Vec::new();
    if let Some(windows) = results.windows {
        judged.push(Judged {
            claim: "A null window does not occur inside ordinary alpha-beta (Hsu's slides)"
                .to_owned(),
            verdict: Verdict::of([windows.null == 0]),
            evidence: format!(
                "{:.0} % of F3's nodes have one: (6,4) compound far, depth 5, difference of the \
                 stores in whole seeds",
                100.0 * windows.null as f64 / windows.nodes as f64
            ),
        });
    }
    let texts = &results.texts;
    let literal = [
        ("f4'-literal", "F4' and G4' as printed (test at m) visit no more leaves than alpha-beta"),
        ("negascout-literal", "F4 as printed (re-search at t > m) visits no more than F4 mended"),
    ];
    for (name, claim) in literal {
        let baseline = if name == "f4'-literal" { "f3" } else { "negascout" };
        let more = |condition: Condition| {
            let find = |name: &str| texts.find(&condition, DEPTH, name.parse().ok()?);
            let saved = find(name)?.leaves_saved(find(baseline)?);
            Some((condition, Estimate { value: -saved.value, ..saved }))
        };
        let more: Savings = texts.conditions().into_iter().filter_map(more).collect();
        let words: Vec<String> = more
            .iter()
            .map(|(condition, more)| format!("{} % leaves ({})", told(*more), short(condition)))
            .collect();
        if !more.is_empty() {
            judged.push(Judged {
                claim: claim.to_owned(),
                verdict: Verdict::of(more.iter().map(|(_, more)| more.value <= 0.0)),
                evidence: words.join(", "),
            });
        }
    }
    judged.extend(depth_rule(&results.depth_rule));
    judged
}

/// Whether NegaScout with the "depth < 3" rule finds the right values.
fn depth_rule(outcomes: &Outcomes) -> Vec<Judged> {
    let ruled: Vec<&Outcome> =
        outcomes.0.iter().filter(|outcome| outcome.method.algorithm.needs_alternation()).collect();
    ExtraTurns::ALL
        .into_iter()
        .filter_map(|extra_turns| {
            let ruled: Vec<_> = ruled
                .iter()
                .filter(|outcome| outcome.condition.extra_turns == extra_turns)
                .collect();
            let words: Vec<String> = ruled
                .iter()
                .map(|outcome| {
                    let total = outcome.total();
                    format!("depth {}: {} of {}", outcome.depth, total.wrong, total.positions)
                })
                .collect();
            let first = ruled.first()?;
            Some(Judged {
                claim: format!("The depth < 3 rule gives right values, extra turns: {extra_turns}"),
                verdict: Verdict::of(ruled.iter().map(|outcome| outcome.total().wrong == 0)),
                evidence: format!(
                    "wrong values at {} ({})",
                    words.join(", "),
                    short(&first.condition)
                ),
            })
        })
        .collect()
}
