//! What the replay says to the claims cited from Noe and to published texts.

use super::percent;
use crate::lab::experiment::ensemble::Ensemble;
use crate::lab::experiment::kalah::{Condition, Outcome, Outcomes};
use crate::lab::experiment::noe::{DEEP, Experiment, Results, SHALLOW};
use crate::lab::{Algorithm, ExtraTurns, Order};
use crate::report::Judged;
use crate::sys::statistics::Estimate;

/// The depth of the claim.
const DEPTH: u16 = 5;
/// The saving of the claim, in percent.
const CLAIMED: f64 = 40.0;

type Measure = fn(&Outcome, &Outcome) -> Estimate;
type Savings = Vec<(Condition, Estimate)>;

fn of_positions(condition: &Condition, extra_turns: ExtraTurns) -> bool {
    matches!(condition.ensemble, Ensemble::Positions(_)) && condition.extra_turns == extra_turns
}

fn of_games(condition: &Condition) -> bool {
    matches!(condition.ensemble, Ensemble::Games(_))
}

/// The claims cited from Noe's report, with verdicts.
pub(super) fn claims(results: &Results) -> Vec<Judged> {
    let outcomes = results.of(Experiment::Comparison);
    let forty = |claim: &str, baseline, measure: Measure, wanted: fn(&Condition) -> bool| {
        let savings = savings(outcomes, DEPTH, baseline, measure, wanted);
        let tests = savings.iter().map(|(_, saved)| saved.value > CLAIMED);
        Judged::new(claim, tests, range(&savings))
    };
    let (leaves, time): (Measure, Measure) = (Outcome::leaves_saved, Outcome::time_saved);
    let compound = |condition: &_| of_positions(condition, ExtraTurns::Compound);
    vec![
        forty(
            "At depth 5 SCOUT saves over 40 % (leaves, against alpha-beta with deep cutoffs F2/F3, \
             a turn as one move)",
            DEEP,
            leaves,
            compound,
        ),
        forty("The same against alpha-beta without deep cutoffs (F1)", SHALLOW, leaves, compound),
        forty("The same in processor time, against F2/F3", DEEP, time, |_| true),
        forty("The same in processor time, against F1", SHALLOW, time, |_| true),
        forty("The same over whole games, against F2/F3", DEEP, leaves, of_games),
        forty("The same over whole games, against F1", SHALLOW, leaves, of_games),
        forty("The same with each sowing as a ply, against F2/F3", DEEP, leaves, |condition| {
            of_positions(condition, ExtraTurns::Ply)
        }),
        forty(
            "The same with extra sowings free of depth, against F2/F3",
            DEEP,
            leaves,
            |condition| of_positions(condition, ExtraTurns::Free),
        ),
        deep(outcomes),
        narrow(results.of(Experiment::Widths)),
        ordering(outcomes),
        ordering_takes_the_gain(outcomes),
    ]
}

/// What SCOUT saves at `depth` under the conditions that are `wanted`, where it
/// was measured.
fn savings(
    outcomes: &Outcomes,
    depth: u16,
    baseline: Algorithm,
    measure: Measure,
    wanted: impl Fn(&Condition) -> bool,
) -> Savings {
    let saved = |condition: Condition| {
        let scout = outcomes.find(&condition, depth, Algorithm::Scout.into())?;
        let baseline = outcomes.find(&condition, depth, baseline.into())?;
        let saved = measure(scout, baseline);
        (!saved.value.is_nan()).then_some((condition, saved))
    };
    outcomes.conditions().into_iter().filter(wanted).filter_map(saved).collect()
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
    let words = |(condition, saved): &(_, Estimate)| {
        format!("{} % ({})", percent(*saved).shown(), short(condition))
    };
    if savings.len() == 1 {
        return words(most);
    }
    let above = savings.iter().filter(|(_, saved)| saved.value > CLAIMED).count();
    format!(
        "{} to {}; above 40 % in {above} of {} conditions",
        words(least),
        words(most),
        savings.len()
    )
}

fn board(condition: &Condition) -> String {
    format!("({},{})", condition.rules.pits(), condition.rules.seeds())
}

fn short(condition: &Condition) -> String {
    let Condition { order, extra_turns, .. } = condition;
    format!("{} {extra_turns} {order}", board(condition))
}

/// Depth helps: compared two moves apart, for odd and even depths differ.
fn deep(outcomes: &Outcomes) -> Judged {
    let compound = |condition: &Condition| condition.extra_turns == ExtraTurns::Compound;
    let mut tests = Vec::new();
    let mut words = Vec::new();
    for (baseline, name) in [(DEEP, "F2/F3"), (SHALLOW, "F1")] {
        let at = |depth| savings(outcomes, depth, baseline, Outcome::leaves_saved, compound);
        let deep = at(DEPTH);
        let shallow = at(DEPTH - 2);
        let grew = shallow.iter().filter_map(|(condition, before)| {
            let (_, after) = deep.iter().find(|(other, _)| other == condition)?;
            Some(after.value > before.value)
        });
        let grew: Vec<bool> = grew.collect();
        if !grew.is_empty() {
            let yes = grew.iter().filter(|&&grew| grew).count();
            words.push(format!("more at depth 5 in {yes} of {} conditions ({name})", grew.len()));
        }
        tests.extend(grew);
    }
    Judged::new(
        "SCOUT favours skinny trees: the deeper, the better (depth 5 beside depth 3, against F2/F3 \
         and F1, a turn as one move)",
        tests,
        words.join("; "),
    )
}

/// Narrowness helps: the saving by pits a row.
fn narrow(outcomes: &Outcomes) -> Judged {
    let savings = savings(outcomes, DEPTH, DEEP, Outcome::leaves_saved, |_| true);
    let words = savings.iter().map(|(condition, saved)| {
        format!("{} pits {} %", condition.rules.pits(), percent(*saved).shown())
    });
    Judged::new(
        "SCOUT favours skinny trees: the narrower, the better (boards of 3 to 7 pits, against \
         F2/F3)",
        // From each board to the next wider one the saving should fall.
        savings.windows(2).map(|pair| pair[0].1.value > pair[1].1.value),
        words.collect::<Vec<_>>().join(", "),
    )
}

/// Static order against the farthest pit first, by alpha-beta's leaves.
fn ordering(outcomes: &Outcomes) -> Judged {
    let far = |condition: &Condition| {
        condition.order == Order::Far && condition.extra_turns == ExtraTurns::Compound
    };
    let saved = |condition: Condition| {
        let sorted = Condition { order: Order::Static, ..condition };
        let sorted = outcomes.find(&sorted, DEPTH, DEEP.into())?;
        let plain = outcomes.find(&condition, DEPTH, DEEP.into())?;
        Some((condition, sorted.leaves_saved(plain)))
    };
    let saved: Savings = outcomes.conditions().into_iter().filter(far).filter_map(saved).collect();
    let words = saved.iter().map(|(condition, saved)| {
        let saved = percent(*saved).shown();
        format!("{} static saves {saved} % of F3's leaves against far", board(condition))
    });
    Judged::new(
        "Move ordering is very important (alpha-beta's leaves at depth 5)",
        saved.iter().map(|(_, saved)| saved.value > 20.0),
        words.collect::<Vec<_>>().join("; "),
    )
}

/// SCOUT's saving in static order against the mean of the other orders.
fn ordering_takes_the_gain(outcomes: &Outcomes) -> Judged {
    let wanted = |condition: &Condition| {
        condition.extra_turns == ExtraTurns::Compound && !of_games(condition)
    };
    let savings = savings(outcomes, DEPTH, DEEP, Outcome::leaves_saved, wanted);
    let (sorted, plain): (Savings, Savings) =
        savings.into_iter().partition(|(condition, _)| condition.order == Order::Static);
    let mut tests = Vec::new();
    let mut words = Vec::new();
    for (condition, sorted) in sorted {
        let plain = plain.iter().filter(|(other, _)| other.rules == condition.rules);
        let plain: Vec<f64> = plain.map(|(_, saved)| saved.value).collect();
        if plain.is_empty() {
            continue;
        }
        let mean = plain.iter().sum::<f64>() / plain.len() as f64;
        tests.push(sorted.value > mean);
        words.push(format!(
            "{} static {} %, mean of the other orders {mean:+.0} %",
            board(&condition),
            percent(sorted).shown()
        ));
    }
    Judged::new(
        "A good order helps SCOUT most (its saving against F2/F3 is greater with static ordering)",
        tests,
        words.join("; "),
    )
}

/// What slides and papers say that was tested beside Noe's claims.
pub(super) fn texts(results: &Results) -> Vec<Judged> {
    let outcomes = results.of(Experiment::Texts);
    let mut judged = Vec::new();
    judged.extend(results.windows.map(|windows| {
        Judged::new(
            "A null window does not occur inside ordinary alpha-beta (Hsu's slides)",
            [windows.null == 0],
            format!(
                "{:.0} % of F3's nodes have one: (6,4) compound far, depth 5, difference of the \
                 stores in whole seeds",
                100.0 * windows.null as f64 / windows.nodes as f64
            ),
        )
    }));
    for (printed, baseline, claim) in [
        (
            "f4'-literal",
            "f3",
            "F4' and G4' as printed (test at m) visit no more leaves than alpha-beta",
        ),
        (
            "negascout-literal",
            "negascout",
            "F4 as printed (re-search at t > m) visits no more than F4 corrected",
        ),
    ] {
        let more = |condition: Condition| {
            let find = |name: &str| outcomes.find(&condition, DEPTH, name.parse().ok()?);
            let saved = find(printed)?.leaves_saved(find(baseline)?);
            Some((condition, Estimate { value: -saved.value, ..saved }))
        };
        let more: Savings = outcomes.conditions().into_iter().filter_map(more).collect();
        let words = more.iter().map(|(condition, more)| {
            format!("{} % leaves ({})", percent(*more).shown(), short(condition))
        });
        if !more.is_empty() {
            let words = words.collect::<Vec<_>>().join(", ");
            judged.push(Judged::new(claim, more.iter().map(|(_, more)| more.value <= 0.0), words));
        }
    }
    judged.extend(depth_rule(results.of(Experiment::DepthRule)));
    judged
}

/// Whether NegaScout with the "depth < 3" rule finds the right values.
fn depth_rule(outcomes: &Outcomes) -> Vec<Judged> {
    let judge = |extra_turns: ExtraTurns| {
        let ruled = outcomes.0.iter().filter(|outcome| {
            outcome.method.algorithm.needs_alternation()
                && outcome.condition.extra_turns == extra_turns
        });
        let first = ruled.clone().next()?;
        let words = ruled.clone().map(|outcome| {
            let total = outcome.total();
            format!("depth {}: {} of {}", outcome.depth, total.wrong, total.positions)
        });
        let words = words.collect::<Vec<_>>().join(", ");
        Some(Judged::new(
            format!("The depth < 3 rule gives right values, extra turns: {extra_turns}"),
            ruled.map(|outcome| outcome.total().wrong == 0),
            format!("wrong values at {words} ({})", short(&first.condition)),
        ))
    };
    ExtraTurns::ALL.into_iter().filter_map(judge).collect()
}
