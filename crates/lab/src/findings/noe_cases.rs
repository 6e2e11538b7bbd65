//! The cases of each claim in the replay on Kalah.

use super::verdicts::{Tested, Verdicts};
use crate::experiment::claim::Case;
use crate::experiment::kalah::{Condition, Measurement, Measurements, SearchCost};
use crate::experiment::noe::{DEPTH, Experiment, NoeResults};
use crate::experiment::visits::{Share, VisitCensus};
use crate::{ChildOrder, ExtraTurns, Method};
use kalah_report::statistics::{Estimate, Statistic};

/// The verdict on every claim for which `results` have cases.
pub(super) fn verdicts(results: &NoeResults) -> Verdicts {
    Verdicts::from_cases([on_noe(results), on_relatives(results), on_visits(results)].concat())
}

/// The claims that are cited from Noe, and the others about SCOUT.
fn on_noe(results: &NoeResults) -> Vec<Tested> {
    let comparison = results.part(Experiment::Comparison);
    let brute_force = results.part(Experiment::BruteForce);
    vec![
        ("noe-time-f1", savings(comparison, ("scout", "f1"), SearchCost::Time, at_its_depth)),
        ("noe-time-f3", savings(comparison, ("scout", "f3"), SearchCost::Time, at_its_depth)),
        ("noe-leaves-f1", savings(comparison, ("scout", "f1"), SearchCost::Leaves, at_its_depth)),
        ("noe-leaves-f3", savings(comparison, ("scout", "f3"), SearchCost::Leaves, at_its_depth)),
        (
            "brute-force",
            savings(brute_force, ("scout", "minimax"), SearchCost::Leaves, |found| found.depth > 3),
        ),
        ("characteristics", savings(comparison, ("scout", "f3"), SearchCost::Leaves, at_its_depth)),
        ("skinny-depth", deeper(comparison)),
        ("skinny-width", narrower(results.part(Experiment::Widths))),
        ("order", against_far(comparison, |sorted, far| Some(sorted.leaves_saved(far)))),
        (
            "order-and-scout",
            against_far(comparison, |sorted, far| {
                let [sorted, far] =
                    [scout_saves(comparison, sorted)?, scout_saves(comparison, far)?];
                Some(sorted.with(&far, |sorted, far| sorted - far).estimate())
            }),
        ),
        ("average-growth", exponents(brute_force, |order| order == ChildOrder::Random)),
        ("simple-order", exponents(brute_force, |order| order == ChildOrder::Static)),
    ]
}

/// The claims about NegaScout, MTD(f), SSS* and beam search.
fn on_relatives(results: &NoeResults) -> Vec<Tested> {
    const NEGASCOUT: &str = "negascout+tt+id";
    const MTD: &str = "mtd-f+id";
    const SSS: &str = "mt-sss";
    const AS_PRINTED: [(&str, &str); 2] =
        [("negascout-literal", "negascout"), ("f4'-literal", "f4'")];
    let [comparison, table, texts] = [Experiment::Comparison, Experiment::Table, Experiment::Texts]
        .map(|part| results.part(part));
    let orders = [(NEGASCOUT, MTD), (MTD, NEGASCOUT), (NEGASCOUT, SSS), (SSS, NEGASCOUT)];
    vec![
        (
            "random-time",
            savings(comparison, ("negascout", "f3"), SearchCost::Time, in_random_order),
        ),
        (
            "random-leaves",
            savings(comparison, ("negascout", "f3"), SearchCost::Leaves, in_random_order),
        ),
        (
            "good-order",
            savings(comparison, ("negascout", "f3"), SearchCost::Leaves, in_static_order),
        ),
        ("much-better", all_savings(table, (NEGASCOUT, "negascout"), SearchCost::Leaves)),
        ("mtd-time", all_savings(table, (MTD, NEGASCOUT), SearchCost::Time)),
        ("mtd-leaves", all_savings(table, (MTD, NEGASCOUT), SearchCost::Leaves)),
        (
            "beside-sss",
            [NEGASCOUT, MTD]
                .map(|other| all_savings(table, (other, SSS), SearchCost::Leaves))
                .concat(),
        ),
        ("neither-dominates", orders.map(|pair| wins(table, pair)).concat()),
        ("restart", all_savings(texts, ("negascout", "negascout-wide"), SearchCost::Leaves)),
        (
            "as-printed",
            AS_PRINTED.map(|pair| all_savings(texts, pair, SearchCost::Leaves)).concat(),
        ),
        ("depth-rule", wrong(results, "negascout-depth3")),
        ("beam-errs", wrong(results, "beam")),
    ]
}

/// The claims about visits to nodes, which are followed leaf by leaf.
fn on_visits(results: &NoeResults) -> Vec<Tested> {
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

fn followed(
    visits: &[VisitCensus],
    id: &'static str,
    figure: fn(&VisitCensus) -> Estimate,
) -> Tested {
    (id, visits.iter().map(|c| case(&c.condition, c.depth, "", figure(c))).collect())
}

/// Whether a measurement has the depth of Noe's claim.
fn at_its_depth(measurement: &Measurement) -> bool {
    measurement.depth == DEPTH
}

fn in_random_order(measurement: &Measurement) -> bool {
    measurement.condition.order == ChildOrder::Random && at_its_depth(measurement)
}

fn in_static_order(measurement: &Measurement) -> bool {
    measurement.condition.order == ChildOrder::Static && at_its_depth(measurement)
}

/// A case, whose text names the treatment of extra turns unless a turn is one move.
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

fn by_method<'a>(
    measurements: &'a Measurements,
    method: &str,
) -> impl Iterator<Item = &'a Measurement> {
    let method: Method = method.parse().expect("the name of a method");
    measurements.0.iter().filter(move |measurement| measurement.method == method)
}

/// The measurement of `method` under the condition and at the depth of `measurement`.
fn counterpart<'a>(
    measurements: &'a Measurements,
    measurement: &Measurement,
    method: &str,
) -> Option<&'a Measurement> {
    by_method(measurements, method)
        .find(|other| other.condition == measurement.condition && other.depth == measurement.depth)
}

/// What a method saves of `cost` against another, a case for each wanted measurement for
/// which both were measured.
fn savings(
    measurements: &Measurements,
    (method, baseline): (&str, &str),
    cost: SearchCost,
    wanted: fn(&Measurement) -> bool,
) -> Vec<Case> {
    // Claims about SCOUT and F4 name the algorithm; the others compare several, so that a case
    // has to name its own.
    let name = if matches!(method, "scout" | "negascout") { "" } else { method };
    let saved = by_method(measurements, method).filter(|found| wanted(found)).filter_map(|found| {
        let baseline = counterpart(measurements, found, baseline)?;
        let decides = cost == SearchCost::Leaves || found.times_can_decide();
        let saved = decides.then(|| found.saved(baseline, cost))?;
        Some(case(&found.condition, found.depth, name, saved))
    });
    saved.collect()
}

/// What the first of two methods saves of `cost` against the other, wherever both were measured.
fn all_savings(measurements: &Measurements, pair: (&str, &str), cost: SearchCost) -> Vec<Case> {
    savings(measurements, pair, cost, |_| true)
}

/// On how many positions, in percent, a method visits fewer leaves than another. That
/// such positions exist is certain once one is found.
fn wins(measurements: &Measurements, (method, other): (&str, &str)) -> Vec<Case> {
    let shares = by_method(measurements, method).filter_map(|found| {
        let against = counterpart(measurements, found, other)?;
        let pairs = found.groups.iter().zip(&against.groups);
        let fewer = pairs.filter(|(own, others)| own.counts.leaves < others.counts.leaves);
        let share = 100.0 * fewer.count() as f64 / found.groups.len() as f64;
        let what = format!("{method} ahead of {other}");
        Some(case(&found.condition, found.depth, &what, Estimate::exact(share)))
    });
    shares.collect()
}

/// SCOUT's saving of leaves, as a statistic of the members of the ensemble.
fn scout_saves(measurements: &Measurements, baseline: &Measurement) -> Option<Statistic> {
    let scout = counterpart(measurements, baseline, "scout")?;
    Some(scout.mean(SearchCost::Leaves).saved(&baseline.mean(SearchCost::Leaves)))
}

/// How much more SCOUT saves at a depth than at two moves less. Not one, because odd and
/// even depths differ.
fn deeper(measurements: &Measurements) -> Vec<Case> {
    let deep = by_method(measurements, "f3")
        .chain(by_method(measurements, "f1"))
        .filter(|found| found.depth >= DEPTH);
    let grown = deep.filter_map(|deep| {
        let shallow = measurements.find(&deep.condition, deep.depth - 2, deep.method)?;
        let [after, before] =
            [scout_saves(measurements, deep)?, scout_saves(measurements, shallow)?];
        let growth = after.with(&before, |after, before| after - before).estimate();
        Some(case(&deep.condition, deep.depth, &deep.method.to_string(), growth))
    });
    grown.collect()
}

/// How much more SCOUT saves on a board than on the next wider one.
fn narrower(measurements: &Measurements) -> Vec<Case> {
    let boards: Vec<&Measurement> =
        by_method(measurements, "f3").filter(|found| at_its_depth(found)).collect();
    let steps = boards.windows(2).filter_map(|pair| {
        let [narrow, wide] =
            [scout_saves(measurements, pair[0])?, scout_saves(measurements, pair[1])?];
        let gain = narrow.estimate().with(wide.estimate(), |narrow, wide| narrow - wide);
        let [narrow, wide] = [0, 1].map(|nth| pair[nth].condition.rules.pits());
        Some(case(&pair[0].condition, DEPTH, &format!("{narrow} against {wide} pits"), gain))
    });
    steps.collect()
}

/// A figure of alpha-beta in static order compared with the farthest pit first, for each
/// condition that was measured in both.
fn against_far(
    measurements: &Measurements,
    figure: impl Fn(&Measurement, &Measurement) -> Option<Estimate>,
) -> Vec<Case> {
    let sorted = by_method(measurements, "f3").filter(|found| in_static_order(found));
    let figures = sorted.filter_map(|sorted| {
        let far = Condition { order: ChildOrder::Far, ..sorted.condition.clone() };
        let far = measurements.find(&far, sorted.depth, sorted.method)?;
        Some(case(&sorted.condition, DEPTH, "", figure(sorted, far)?))
    });
    figures.collect()
}

/// The power of minimax's growth in leaves over two moves that is alpha-beta's growth.
fn exponents(measurements: &Measurements, order: fn(ChildOrder) -> bool) -> Vec<Case> {
    let deep = by_method(measurements, "f3")
        .filter(|found| order(found.condition.order) && found.depth >= DEPTH);
    let exponents = deep.filter_map(|deep| {
        let all = growth(measurements, counterpart(measurements, deep, "minimax")?)?;
        let exponent = growth(measurements, deep)?.with(&all, |pruned, all| pruned / all);
        Some(case(&deep.condition, deep.depth, "", exponent.estimate()))
    });
    exponents.collect()
}

/// The logarithm of the factor by which leaves grow over the last two moves.
fn growth(measurements: &Measurements, deep: &Measurement) -> Option<Statistic> {
    let shallow = measurements.find(&deep.condition, deep.depth - 2, deep.method)?;
    let [deep, shallow] = [deep, shallow].map(|measurement| measurement.mean(SearchCost::Leaves));
    Some(deep.with(&shallow, |deep, shallow| (deep / shallow).ln()))
}

/// Percent of positions on which a method returns a wrong value.
fn wrong(results: &NoeResults, method: &str) -> Vec<Case> {
    let shares = by_method(results.part(Experiment::Errors), method).map(|measurement| {
        let wrong = measurement.groups.iter().map(|group| 100.0 * group.wrong as f64);
        case(&measurement.condition, measurement.depth, "", Statistic::mean(wrong).estimate())
    });
    shares.collect()
}
