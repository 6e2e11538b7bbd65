//! What the replay on Kalah says of each claim, case by case.

use super::verdicts::{Tested, Verdicts};
use crate::lab::experiment::claim::Case;
use crate::lab::experiment::kalah::{Condition, Cost, Outcome, Outcomes};
use crate::lab::experiment::noe::{DEPTH, Experiment, Results};
use crate::lab::experiment::visits::{Census, Share};
use crate::lab::{ExtraTurns, Method, Order};
use crate::sys::statistics::{Estimate, Statistic};

/// The verdict on every claim that `results` say something about.
pub(super) fn verdicts(results: &Results) -> Verdicts {
    Verdicts::of([on_noe(results), on_relatives(results), on_visits(results)].concat())
}

/// What is cited from Noe, and what else is said of SCOUT.
fn on_noe(results: &Results) -> Vec<Tested> {
    let comparison = results.of(Experiment::Comparison);
    let brute_force = results.of(Experiment::BruteForce);
    let scout = |baseline, cost| savings(comparison, ("scout", baseline), cost, at_its_depth);
    vec![
        ("noe-time-f1", scout("f1", Cost::Time)),
        ("noe-time-f3", scout("f3", Cost::Time)),
        ("noe-leaves-f1", scout("f1", Cost::Leaves)),
        ("noe-leaves-f3", scout("f3", Cost::Leaves)),
        (
            "brute-force",
            savings(brute_force, ("scout", "minimax"), Cost::Leaves, |found| found.depth > 3),
        ),
        ("characteristics", scout("f3", Cost::Leaves)),
        ("skinny-depth", deeper(comparison)),
        ("skinny-width", narrower(results.of(Experiment::Widths))),
        ("order", beside_far(comparison, |sorted, far| Some(sorted.leaves_saved(far)))),
        (
            "order-and-scout",
            beside_far(comparison, |sorted, far| {
                let [sorted, far] =
                    [scout_saves(comparison, sorted)?, scout_saves(comparison, far)?];
                Some(sorted.with(&far, |sorted, far| sorted - far).estimate())
            }),
        ),
        ("average-growth", exponents(brute_force, |order| order == Order::Random)),
        ("simple-order", exponents(brute_force, |order| order == Order::Static)),
    ]
}

/// What is said of NegaScout, MTD(f), SSS* and beam search.
fn on_relatives(results: &Results) -> Vec<Tested> {
    const NEGASCOUT: &str = "negascout+tt+id";
    const MTD: &str = "mtd-f+id";
    const SSS: &str = "mt-sss";
    let [comparison, table, texts] =
        [Experiment::Comparison, Experiment::Table, Experiment::Texts].map(|of| results.of(of));
    let negascout =
        |cost, wanted: fn(&Outcome) -> bool| savings(comparison, ("negascout", "f3"), cost, wanted);
    let cheaper = |pair, cost| savings(table, pair, cost, |_| true);
    let printed = |pair| savings(texts, pair, Cost::Leaves, |_| true);
    let orders = [(NEGASCOUT, MTD), (MTD, NEGASCOUT), (NEGASCOUT, SSS), (SSS, NEGASCOUT)];
    vec![
        ("random-time", negascout(Cost::Time, in_random_order)),
        ("random-leaves", negascout(Cost::Leaves, in_random_order)),
        ("good-order", negascout(Cost::Leaves, in_static_order)),
        ("much-better", cheaper((NEGASCOUT, "negascout"), Cost::Leaves)),
        ("mtd-time", cheaper((MTD, NEGASCOUT), Cost::Time)),
        ("mtd-leaves", cheaper((MTD, NEGASCOUT), Cost::Leaves)),
        ("beside-sss", [NEGASCOUT, MTD].map(|other| cheaper((other, SSS), Cost::Leaves)).concat()),
        ("neither-dominates", orders.map(|pair| wins(table, pair)).concat()),
        ("restart", printed(("negascout", "negascout-wide"))),
        (
            "as-printed",
            [printed(("negascout-literal", "negascout")), printed(("f4'-literal", "f4'"))].concat(),
        ),
        ("depth-rule", wrong(results, "negascout-depth3")),
        ("beam-errs", wrong(results, "beam")),
    ]
}

/// What is said of visits to nodes, leaf by leaf.
fn on_visits(results: &Results) -> Vec<Tested> {
    let visits = &results.visits;
    vec![
        followed(visits, "visited-by-test", |census| {
            Estimate::exact(census.most(true) as f64 - f64::from(census.depth))
        }),
        followed(visits, "visited-by-eval", |census| Estimate::exact(census.most(false) as f64)),
        followed(visits, "mostly-tested", |census| census.share(Share::ScoutTests)),
        followed(visits, "beyond-alpha-beta", |census| census.share(Share::ScoutBeyondF3)),
        followed(visits, "null-windows", |census| census.share(Share::F3NullWindows)),
        followed(visits, "negascout-within", |census| census.share(Share::NegascoutBeyondF3)),
        followed(visits, "negascout-prunes", |census| census.share(Share::F3BeyondNegascout)),
    ]
}

fn followed(visits: &[Census], id: &'static str, figure: fn(&Census) -> Estimate) -> Tested {
    (id, visits.iter().map(|c| case(&c.condition, c.depth, "", figure(c))).collect())
}

/// Whether an outcome is of the depth of Noe's claim.
fn at_its_depth(outcome: &Outcome) -> bool {
    outcome.depth == DEPTH
}

fn in_random_order(outcome: &Outcome) -> bool {
    outcome.condition.order == Order::Random && at_its_depth(outcome)
}

fn in_static_order(outcome: &Outcome) -> bool {
    outcome.condition.order == Order::Static && at_its_depth(outcome)
}

/// A case; a turn is one move unless it says otherwise.
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

fn of<'a>(outcomes: &'a Outcomes, method: &str) -> impl Iterator<Item = &'a Outcome> {
    let method: Method = method.parse().expect("the name of a method");
    outcomes.0.iter().filter(move |outcome| outcome.method == method)
}

/// Another method under the condition and at the depth of `outcome`.
fn beside<'a>(outcomes: &'a Outcomes, outcome: &Outcome, method: &str) -> Option<&'a Outcome> {
    of(outcomes, method)
        .find(|other| other.condition == outcome.condition && other.depth == outcome.depth)
}

/// What a method saves of `cost` against another, a case for each wanted outcome for
/// which both were measured.
fn savings(
    outcomes: &Outcomes,
    (method, baseline): (&str, &str),
    cost: Cost,
    wanted: fn(&Outcome) -> bool,
) -> Vec<Case> {
    // The claims about SCOUT and F4 say against what; the others compare several.
    let name = if matches!(method, "scout" | "negascout") { "" } else { method };
    let saved = of(outcomes, method).filter(|found| wanted(found)).filter_map(|found| {
        let baseline = beside(outcomes, found, baseline)?;
        let decides = cost == Cost::Leaves || found.times_can_decide();
        let saved = decides.then(|| found.saved(baseline, cost))?;
        Some(case(&found.condition, found.depth, name, saved))
    });
    saved.collect()
}

/// On how many positions, in percent, a method visits fewer leaves than another. That
/// such positions exist is certain once one is found.
fn wins(outcomes: &Outcomes, (method, other): (&str, &str)) -> Vec<Case> {
    let shares = of(outcomes, method).filter_map(|found| {
        let against = beside(outcomes, found, other)?;
        let pairs = found.groups.iter().zip(&against.groups);
        let fewer = pairs.filter(|(own, others)| own.counts.leaves < others.counts.leaves);
        let share = 100.0 * fewer.count() as f64 / found.groups.len() as f64;
        let what = format!("{method} before {other}");
        Some(case(&found.condition, found.depth, &what, Estimate::exact(share)))
    });
    shares.collect()
}

/// SCOUT's saving of leaves, as a statistic of the members of the ensemble.
fn scout_saves(outcomes: &Outcomes, baseline: &Outcome) -> Option<Statistic> {
    let scout = beside(outcomes, baseline, "scout")?;
    Some(scout.mean(Cost::Leaves).saved(&baseline.mean(Cost::Leaves)))
}

/// How much more SCOUT saves at a depth than two moves before: odd and even
/// depths differ.
fn deeper(outcomes: &Outcomes) -> Vec<Case> {
    let deep = of(outcomes, "f3").chain(of(outcomes, "f1")).filter(|found| found.depth >= DEPTH);
    let grown = deep.filter_map(|deep| {
        let shallow = outcomes.find(&deep.condition, deep.depth - 2, deep.method)?;
        let [after, before] = [scout_saves(outcomes, deep)?, scout_saves(outcomes, shallow)?];
        let growth = after.with(&before, |after, before| after - before).estimate();
        Some(case(&deep.condition, deep.depth, &deep.method.to_string(), growth))
    });
    grown.collect()
}

/// How much more SCOUT saves on a board than on the next wider one.
fn narrower(outcomes: &Outcomes) -> Vec<Case> {
    let boards: Vec<&Outcome> = of(outcomes, "f3").filter(|found| at_its_depth(found)).collect();
    let steps = boards.windows(2).filter_map(|pair| {
        let [narrow, wide] = [scout_saves(outcomes, pair[0])?, scout_saves(outcomes, pair[1])?];
        let gain = narrow.estimate().with(wide.estimate(), |narrow, wide| narrow - wide);
        let [narrow, wide] = [0, 1].map(|nth| pair[nth].condition.rules.pits());
        Some(case(&pair[0].condition, DEPTH, &format!("{narrow} against {wide} pits"), gain))
    });
    steps.collect()
}

/// A figure of alpha-beta in static order beside the farthest pit first, for each
/// condition that was measured in both.
fn beside_far(
    outcomes: &Outcomes,
    figure: impl Fn(&Outcome, &Outcome) -> Option<Estimate>,
) -> Vec<Case> {
    let sorted = of(outcomes, "f3").filter(|found| in_static_order(found));
    let figures = sorted.filter_map(|sorted| {
        let far = Condition { order: Order::Far, ..sorted.condition.clone() };
        let far = outcomes.find(&far, sorted.depth, sorted.method)?;
        Some(case(&sorted.condition, DEPTH, "", figure(sorted, far)?))
    });
    figures.collect()
}

/// To which power of minimax's leaves those of alpha-beta grow in two moves.
fn exponents(outcomes: &Outcomes, order: fn(Order) -> bool) -> Vec<Case> {
    let deep =
        of(outcomes, "f3").filter(|found| order(found.condition.order) && found.depth >= DEPTH);
    let exponents = deep.filter_map(|deep| {
        let all = growth(outcomes, beside(outcomes, deep, "minimax")?)?;
        let exponent = growth(outcomes, deep)?.with(&all, |pruned, all| pruned / all);
        Some(case(&deep.condition, deep.depth, "", exponent.estimate()))
    });
    exponents.collect()
}

/// The logarithm of the factor by which leaves grow over the last two moves.
fn growth(outcomes: &Outcomes, deep: &Outcome) -> Option<Statistic> {
    let shallow = outcomes.find(&deep.condition, deep.depth - 2, deep.method)?;
    let [deep, shallow] = [deep, shallow].map(|outcome| outcome.mean(Cost::Leaves));
    Some(deep.with(&shallow, |deep, shallow| (deep / shallow).ln()))
}

/// Percent of positions on which a method returns a wrong value.
fn wrong(results: &Results, method: &str) -> Vec<Case> {
    let shares = of(results.of(Experiment::Errors), method).map(|outcome| {
        let wrong = outcome.groups.iter().map(|group| 100.0 * group.wrong as f64);
        case(&outcome.condition, outcome.depth, "", Statistic::mean(wrong).estimate())
    });
    shares.collect()
}
