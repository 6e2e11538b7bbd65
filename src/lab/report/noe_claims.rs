//! The claims that the replay on Kalah puts to the test.
//!
//! Noe's own report has not been found; what is claimed of it is what Hsu's
//! slides "Scout and NegaScout" cite. Earlier figures of this project are no
//! claims: tests compare with them.

use super::tested;
use crate::lab::experiment::claim::{Case, Claim, Range, Unit};
use crate::lab::experiment::kalah::{Condition, Cost, Outcome, Outcomes};
use crate::lab::experiment::noe::{DEPTH, Experiment, Results};
use crate::lab::experiment::visits::Census;
use crate::lab::{ExtraTurns, Method, Order};
use crate::sys::statistics::{Estimate, Statistic};

const NOE: &str = "Noe 1980, cited by Hsu";
const HSU: &str = "Hsu's slides";
const PEARL: &str = "Pearl 1980";
const PLAAT: &str = "Plaat et al. 1996";
const REINEFELD: &str = "Reinefeld 1983, cited by Hsu";
/// The saving of Noe's claim, in percent.
const CLAIMED: f64 = 40.0;

/// Every claim that `results` say something to.
pub(super) fn claims(results: &Results) -> Vec<Claim> {
    tested([cited_from_noe(results), of_relatives(results), of_texts(results)].concat())
}

fn percent(statement: &'static str, source: &'static str, range: Range, cases: Vec<Case>) -> Claim {
    Claim::new(Unit::Percent, statement, source, range, cases)
}

fn cited_from_noe(results: &Results) -> Vec<Claim> {
    let outcomes = results.of(Experiment::Comparison);
    let at_five =
        |baseline| savings(outcomes, ("scout", baseline), &BOTH, |_, depth| depth == DEPTH);
    let brute = results.of(Experiment::BruteForce);
    let brute = savings(brute, ("scout", "minimax"), &[Cost::Leaves], |_, depth| depth >= 3);
    let (forty, gain) = (Range::above(CLAIMED), Range::above(0.0));
    let widths = results.of(Experiment::Widths);
    vec![
        percent("SCOUT saves over 40 % at d 5 against F2/F3", NOE, forty, at_five("f3")),
        percent("SCOUT saves over 40 % at d 5 against F1", NOE, forty, at_five("f1")),
        percent("SCOUT beats brute force from depth 3 on", HSU, gain, brute),
        percent("Skinny trees: two moves more help SCOUT", NOE, gain, deeper(outcomes)),
        percent("Skinny trees: a pit less helps SCOUT", NOE, gain, narrower(widths)),
        percent("Order matters: static saves leaves (F3)", NOE, gain, order(outcomes)),
        percent("SCOUT cuts more in good order (static)", HSU, gain, order_and_scout(outcomes)),
    ]
}

fn of_relatives(results: &Results) -> Vec<Claim> {
    let (comparison, table) = (results.of(Experiment::Comparison), results.of(Experiment::Table));
    let random = |condition: &Condition, depth| {
        matches!(condition.order, Order::Random(_)) && depth == DEPTH
    };
    let worse = savings(comparison, ("negascout", "f3"), &BOTH, random);
    let cheaper = |method, baseline| savings(table, (method, baseline), &BOTH, |_, _| true);
    let negascout = "negascout+tt+id";
    let sss = [cheaper("mtd-f+id", "mt-sss"), cheaper(negascout, "mt-sss")].concat();
    let gain = Range::above(0.0);
    vec![
        percent("NegaScout is worse than F3 in random order", HSU, Range::below(0.0), worse),
        percent("MTD(f) beats NegaScout", PLAAT, gain, cheaper("mtd-f+id", negascout)),
        percent("MTD(f) and NegaScout beat MT-SSS*", PLAAT, gain, sss),
    ]
}

fn of_texts(results: &Results) -> Vec<Claim> {
    let followed = |figure: fn(&Census) -> Estimate| -> Vec<Case> {
        let case = |census: &Census| case(&census.condition, census.depth, "", figure(census));
        results.visits.iter().map(case).collect()
    };
    let texts = results.of(Experiment::Texts);
    let printed = |pair| savings(texts, pair, &[Cost::Leaves], |_, _| true);
    let forms = [printed(("f4'-literal", "f3")), printed(("negascout-literal", "negascout"))];
    let (none, some) = (Range::between(0.0, 0.0), Range::above(0.0));
    let wrong = wrong(results.of(Experiment::DepthRule));
    vec![
        Claim::new(
            Unit::Number(0),
            "SCOUT visits a leaf twice at most",
            HSU,
            Range::at_most(2.0),
            followed(Census::most_visits),
        ),
        percent(
            "SCOUT visits leaves that F3 prunes",
            PEARL,
            some,
            followed(Census::beyond_alpha_beta),
        ),
        Claim::new(
            Unit::Number(3),
            "F3 takes b^(3d/4) leaves in random order",
            HSU,
            Range::at_most(0.75),
            exponents(results.of(Experiment::BruteForce)),
        ),
        percent("F3 meets no null window", HSU, none, followed(Census::null_windows)),
        percent("NegaScout as printed wastes no leaf", HSU, Range::at_least(0.0), forms.concat()),
        percent("The depth < 3 rule errs nowhere", REINEFELD, none, wrong),
    ]
}

const BOTH: [Cost; 2] = [Cost::Leaves, Cost::Time];

/// A case; a turn is one move and leaves are counted unless it says otherwise.
fn case(condition: &Condition, depth: u16, what: &str, figure: Estimate) -> Case {
    let Condition { extra_turns, order, ensemble, .. } = condition;
    let mut words = condition.board();
    if *extra_turns != ExtraTurns::Compound {
        words += &format!(" {extra_turns}");
    }
    words += &format!(" {order}, {ensemble}, d {depth}");
    if !what.is_empty() {
        words += &format!(", {what}");
    }
    Case { condition: words, figure }
}

/// What a method saves against another, a case for each wanted condition and
/// depth in which both were measured, and for each cost.
fn savings(
    outcomes: &Outcomes,
    (method, baseline): (&str, &str),
    costs: &[Cost],
    wanted: impl Fn(&Condition, u16) -> bool,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for &cost in costs {
        for found in of(outcomes, method).filter(|found| wanted(&found.condition, found.depth)) {
            let Some(baseline) = beside(outcomes, found, baseline) else { continue };
            // Claims of one algorithm don't repeat its name.
            let name = method.split('+').next().filter(|name| *name != "scout");
            let mut what = Vec::from_iter(name);
            what.extend((cost == Cost::Time).then_some("time"));
            // The time of a single position has no error that is known.
            let timed = found.groups.len() > 1 && found.is_timed() && baseline.is_timed();
            if cost == Cost::Leaves || timed {
                let saved = found.saved(baseline, cost);
                cases.push(case(&found.condition, found.depth, &what.join(", "), saved));
            }
        }
    }
    cases
}

/// The outcomes of a method.
fn of<'a>(outcomes: &'a Outcomes, method: &str) -> impl Iterator<Item = &'a Outcome> {
    let method: Method = method.parse().expect("the name of a method");
    outcomes.0.iter().filter(move |outcome| outcome.method == method)
}

/// Another method under the condition and at the depth of `outcome`.
fn beside<'a>(outcomes: &'a Outcomes, outcome: &Outcome, method: &str) -> Option<&'a Outcome> {
    of(outcomes, method)
        .find(|other| other.condition == outcome.condition && other.depth == outcome.depth)
}

/// SCOUT's saving of leaves, as a statistic of the members of the ensemble.
fn scout_saves(outcomes: &Outcomes, baseline: &Outcome) -> Option<Statistic> {
    let scout = beside(outcomes, baseline, "scout")?;
    Some(scout.mean(Cost::Leaves).saved(&baseline.mean(Cost::Leaves)))
}

/// How much more SCOUT saves at a depth than two moves before: odd and even
/// depths differ.
fn deeper(outcomes: &Outcomes) -> Vec<Case> {
    let grown = |deep: &Outcome, name: &str| {
        let mut same = outcomes.0.iter().filter(|other| other.condition == deep.condition);
        let shallow =
            same.find(|other| other.method == deep.method && other.depth + 2 == deep.depth)?;
        let [after, before] = [scout_saves(outcomes, deep)?, scout_saves(outcomes, shallow)?];
        let growth = after.with(&before, |after, before| after - before).estimate();
        Some(case(&deep.condition, deep.depth, name, growth))
    };
    ["f3", "f1"]
        .into_iter()
        .flat_map(|baseline| {
            let deep = of(outcomes, baseline).filter(|found| found.depth >= DEPTH);
            deep.filter_map(move |found| grown(found, baseline))
        })
        .collect()
}

/// How much more SCOUT saves on a board than on the next wider one.
fn narrower(outcomes: &Outcomes) -> Vec<Case> {
    let boards: Vec<&Outcome> = of(outcomes, "f3").filter(|found| found.depth == DEPTH).collect();
    let steps = boards.windows(2).filter_map(|pair| {
        let [narrow, wide] = [scout_saves(outcomes, pair[0])?, scout_saves(outcomes, pair[1])?];
        let gain = narrow.estimate().with(wide.estimate(), |narrow, wide| narrow - wide);
        let pits = |found: &Outcome| found.condition.rules.pits();
        let what = format!("{} against {} pits", pits(pair[0]), pits(pair[1]));
        Some(case(&pair[0].condition, DEPTH, &what, gain))
    });
    steps.collect()
}

/// The same condition in another order.
fn reordered<'a>(outcomes: &'a Outcomes, outcome: &Outcome, order: Order) -> Option<&'a Outcome> {
    let condition = Condition { order, ..outcome.condition.clone() };
    outcomes.find(&condition, outcome.depth, outcome.method)
}

/// The outcomes of alpha-beta in static order at [`DEPTH`], where it is measured.
fn in_static_order(outcomes: &Outcomes) -> impl Iterator<Item = &Outcome> {
    of(outcomes, "f3")
        .filter(|found| found.condition.order == Order::Static && found.depth == DEPTH)
}

/// What the static order saves of alpha-beta's leaves against the farthest pit
/// first.
fn order(outcomes: &Outcomes) -> Vec<Case> {
    let saved = |sorted: &Outcome| {
        let far = reordered(outcomes, sorted, Order::Far)?;
        Some(case(&sorted.condition, DEPTH, "", sorted.leaves_saved(far)))
    };
    in_static_order(outcomes).filter_map(saved).collect()
}

/// How much more SCOUT saves in static order than with the farthest pit first.
fn order_and_scout(outcomes: &Outcomes) -> Vec<Case> {
    let more = |sorted: &Outcome| {
        let far = reordered(outcomes, sorted, Order::Far)?;
        let [sorted_saves, far_saves] =
            [scout_saves(outcomes, sorted)?, scout_saves(outcomes, far)?];
        let more = sorted_saves.with(&far_saves, |sorted, far| sorted - far).estimate();
        Some(case(&sorted.condition, DEPTH, "", more))
    };
    in_static_order(outcomes).filter_map(more).collect()
}

/// To which power of minimax's leaves those of alpha-beta grow in two moves.
fn exponents(outcomes: &Outcomes) -> Vec<Case> {
    let grown = |deep: &Outcome| {
        let growth = |method: &str| {
            let deep = beside(outcomes, deep, method)?;
            let shallow = outcomes.find(&deep.condition, deep.depth - 2, deep.method)?;
            let [deep, shallow] = [deep, shallow].map(|outcome| outcome.mean(Cost::Leaves));
            Some(deep.with(&shallow, |deep, shallow| (deep / shallow).ln()))
        };
        let exponent = growth("f3")?.with(&growth("minimax")?, |pruned, all| pruned / all);
        Some(case(&deep.condition, deep.depth, "", exponent.estimate()))
    };
    let random = of(outcomes, "f3")
        .filter(|found| matches!(found.condition.order, Order::Random(_)) && found.depth >= DEPTH);
    random.filter_map(grown).collect()
}

/// Percent of positions on which the "depth < 3" rule gives a wrong value.
fn wrong(outcomes: &Outcomes) -> Vec<Case> {
    let ruled = outcomes.0.iter().filter(|found| found.method.algorithm.needs_alternation());
    let share = |outcome: &Outcome| {
        let wrong = outcome.groups.iter().map(|group| 100.0 * group.wrong as f64);
        let wrong = Statistic::mean(wrong).estimate();
        case(&outcome.condition, outcome.depth, "", wrong)
    };
    ruled.map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::lab::experiment::ensemble::Ensemble;
    use crate::lab::experiment::kalah::Plan;
    use crate::lab::experiment::noe::{conditions, methods};

    fn conditions_of(ensemble: Ensemble) -> Vec<String> {
        let compound = [ExtraTurns::Compound];
        let rules = [Rules::default()];
        let plan = Plan {
            conditions: conditions(&rules, &compound, &[Order::Far], &ensemble, 1),
            depths: vec![DEPTH],
            methods: methods(&["f3", "scout"]),
            timed_runs: 1,
        };
        let claims = claims(&Results::comparison(plan.run(1, &|| ())));
        let cases = claims.into_iter().flat_map(|claim| claim.cases);
        cases.map(|case| case.condition).collect()
    }

    #[test]
    fn the_time_of_a_single_position_decides_nothing() {
        let positions = ["(6,4) far, 2 positions, d 5", "(6,4) far, 2 positions, d 5, time"];
        assert_eq!(conditions_of(Ensemble::Positions(2)), positions);
        assert_eq!(conditions_of(Ensemble::Start), ["(6,4) far, start position, d 5"]);
    }
}
