//! The cases of each claim in the replay on Kalah.

use super::verdicts::{Tested, Verdicts};
use crate::experiment::claim::Case;
use crate::experiment::ensemble::Ensemble;
use crate::experiment::kalah::{Condition, Measurement, Measurements, SearchCost};
use crate::experiment::noe::{DEPTH, Experiment, NoeResults};
use crate::experiment::visits::{self, VisitCensus};
use crate::{ChildOrder, ExtraTurns, ListTree, Method, SearchCounts};
use Experiment::{
    BruteForce, Comparison, Errors, Horizon, Narrow, Small, Table, Texts, Wide, Widths,
};
use SearchCost::{Leaves, Researches, Time};
use kalah_game::Rules;
use kalah_tables::statistics::{Estimate, Statistic};

/// A claim about what methods save: its id, the part that measures it, pairs of a method and its
/// baseline, the cost, and which measurements of the method count.
type SavingClaim = (&'static str, Experiment, &'static str, SearchCost, fn(&Measurement) -> bool);

const SAVINGS: [SavingClaim; 33] = [
    ("noe-time-f1", Comparison, "scout/f1", Time, at_its_depth),
    ("noe-time-f1-reset", Comparison, "scout/f1-reset", Time, at_its_depth),
    ("noe-time-f3", Comparison, "scout/f3", Time, at_its_depth),
    ("noe-leaves-f1", Comparison, "scout/f1", Leaves, at_its_depth),
    ("noe-leaves-f1-reset", Comparison, "scout/f1-reset", Leaves, at_its_depth),
    ("noe-leaves-f3", Comparison, "scout/f3", Leaves, at_its_depth),
    ("brute-force", BruteForce, "scout/minimax", Leaves, |found| found.depth > 3),
    ("brute-force", Narrow, "scout/minimax", Leaves, always),
    ("small-width", Narrow, "scout/f1,scout/f3", Leaves, always),
    ("small-width-time", Narrow, "scout/f1,scout/f3", Time, always),
    ("large-width", Wide, "scout/f1,scout/f3", Leaves, always),
    ("large-width-time", Wide, "scout/f1,scout/f3", Time, always),
    ("characteristics", Comparison, "scout/f1,scout/f3", Leaves, at_its_depth),
    ("deep-cutoff", Comparison, "f3/f1", Leaves, at_its_depth),
    ("window-leaves", Comparison, "negascout/scout,negascout-wide/scout", Leaves, at_its_depth),
    ("window-time", Comparison, "negascout/scout,negascout-wide/scout", Time, at_its_depth),
    ("fail-soft", Comparison, "negascout-wide/pvs", Leaves, at_its_depth),
    ("fail-soft", Table, "negascout-wide+tt/pvs+tt", Leaves, always),
    ("random-time", Comparison, "pvs/f3", Time, in_random_order),
    ("random-leaves", Comparison, "negascout-wide/f3", Leaves, in_random_order),
    ("good-order", Comparison, "negascout-wide/f3", Leaves, in_static_order),
    ("much-better", Table, "negascout+tt+id/negascout", Leaves, always),
    ("fewer-researches", Table, "negascout+tt+id/negascout", Researches, always),
    ("restart", Table, "negascout+tt/negascout", Leaves, always),
    ("stored-information", Table, "scout+tt/scout,negascout+tt/negascout", Leaves, always),
    ("aspiration-gains", Table, ASPIRATION, Leaves, always),
    ("aspiration-costs", Table, ASPIRATION, Leaves, always),
    ("mtd-time", Table, "mtd-f+id/negascout+tt+id", Time, always),
    ("mtd-leaves", Table, "mtd-f+id/negascout+tt+id", Leaves, always),
    ("sss-fewer", Table, "mt-sss/f3,mt-sss/negascout", Leaves, always),
    ("sss-leaves", Table, "mt-sss+id/negascout+tt+id", Leaves, always),
    ("sss-time", Table, "mt-sss+id/negascout+tt+id", Time, always),
    (
        "small-subtrees",
        Small,
        "f3/minimax,negascout/minimax,negascout-depth3/minimax",
        Time,
        always,
    ),
];

const ASPIRATION: &str = "f3+tt+id+asp/f3+tt+id,f3+tt+id+asp2/f3+tt+id,\
                          f3+tt+id+asp4/f3+tt+id,f3+tt+id+asp8/f3+tt+id";
const AS_PRINTED: &str = "negascout-literal/negascout,f4'-literal/f4'";
const PRINTED: &str = "negascout-printed/f3,negascout-literal-depth3/f3,\
                       f4'-printed/f3,f4'-literal-depth3/f3";

/// The verdict on every claim for which `results` have cases.
pub(super) fn verdicts(results: &NoeResults) -> Verdicts {
    let savings = SAVINGS.into_iter().map(|(id, part, pairs, cost, wanted)| {
        (id, savings(results.part(part), pairs, cost, wanted))
    });
    let tested = [savings.collect(), differences(results), others(results), on_visits(results)];
    Verdicts::from_cases(tested.concat())
}

/// The claims about how figures change with a condition.
fn differences(results: &NoeResults) -> Vec<Tested> {
    const FAR: ChildOrder = ChildOrder::Far;
    let comparison = results.part(Comparison);
    vec![
        ("skinny-depth", [deeper(comparison, "f1"), deeper(comparison, "f3")].concat()),
        ("skinny-width", narrower(results.part(Widths))),
        ("order", sorted(comparison, FAR, |sorted, far| saved("scout", Leaves, sorted, far))),
        (
            "search-order",
            sorted(comparison, FAR, |sorted, far| saved("negascout-wide", Leaves, sorted, far)),
        ),
        (
            "fewer-researches",
            sorted(comparison, FAR, |sorted, far| saved("negascout", Researches, sorted, far)),
        ),
        ("order-and-scout", sorted(comparison, FAR, |sorted, far| gain("scout", sorted, far))),
        (
            "best-when-ordered",
            sorted(comparison, ChildOrder::Random, |sorted, random| gain("pvs", sorted, random)),
        ),
    ]
}

/// The claims with figures of their own.
fn others(results: &NoeResults) -> Vec<Tested> {
    let [comparison, table, texts, brute_force, errors] =
        [Comparison, Table, Texts, BruteForce, Errors].map(|part| results.part(part));
    let [beam, probcut] = ["beam", "probcut"].map(|method| wrong(errors, method, always));
    vec![
        ("average-growth", exponents(brute_force, ChildOrder::Random)),
        ("simple-order", exponents(brute_force, ChildOrder::Static)),
        ("twice-as-deep", twice_as_deep(brute_force)),
        ("more-cutoffs", more_cutoffs(comparison)),
        ("mtd-harm", leaf_ratios(table, ("mtd-f", "f3+tt"))),
        ("neither-dominates", wins(table)),
        ("as-printed", savings(texts, AS_PRINTED, Leaves, always)),
        ("printed-f3", savings(texts, PRINTED, Leaves, always)),
        // The rule is correct only if the sides alternate, so there are two claims.
        ("depth-rule", wrong(errors, "negascout-depth3", alternates)),
        ("depth-rule-ply", wrong(errors, "negascout-depth3", |found| !alternates(found))),
        ("beam-errs", beam.clone()),
        ("forward-pruning", [beam, probcut].concat()),
        ("horizon", horizon(results.part(Horizon))),
        ("deep-start", looked_up(&results.lookup.saved_at_start, "beginning")),
        ("lookup-end", looked_up(&results.lookup.wrong_at_end, "end")),
    ]
}

/// The claims about visits to nodes, which are followed one by one on Kalah and on the trees
/// that slides show as examples.
fn on_visits(results: &NoeResults) -> Vec<Tested> {
    const EXAMPLES: [(&str, &str); 3] = [
        ("hsu-less", "test-cheaper"),
        ("hsu-more", "many-visits"),
        ("yu-null", "negascout-prunes"),
    ];
    let mut tested = Vec::new();
    for VisitCensus { condition, depth, figures } in &results.visits {
        // The article speaks of re-searches in random order.
        let in_scope = condition.order == ChildOrder::Random;
        let own = figures.iter().filter(|(id, ..)| in_scope || *id != "research-many");
        tested.extend(
            own.map(|&(id, what, figure)| (id, vec![case(condition, *depth, what, figure)])),
        );
    }
    for (name, shown) in EXAMPLES {
        let tree: ListTree = name.parse().expect("the name of a tree");
        let figures = visits::on_tree(tree).into_iter().filter(|(id, ..)| *id == shown);
        tested.extend(figures.map(|(id, _, figure)| {
            (id, vec![Case { condition: format!("the tree {name}"), figure }])
        }));
    }
    // Examples alone decide nothing about Kalah.
    if results.visits.is_empty() { Vec::new() } else { tested }
}

fn always(_: &Measurement) -> bool {
    true
}

/// Whether a measurement has the depth of Noe's claim.
fn at_its_depth(measurement: &Measurement) -> bool {
    measurement.depth == DEPTH
}

fn is_deep(measurement: &Measurement) -> bool {
    measurement.depth >= DEPTH
}

fn in_random_order(measurement: &Measurement) -> bool {
    measurement.condition.order == ChildOrder::Random && at_its_depth(measurement)
}

fn in_static_order(measurement: &Measurement) -> bool {
    measurement.condition.order == ChildOrder::Static && at_its_depth(measurement)
}

fn alternates(measurement: &Measurement) -> bool {
    measurement.condition.extra_turns.alternates()
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

/// A case for each wanted measurement of `method` that has a figure.
fn cases(
    measurements: &Measurements,
    method: &str,
    what: &str,
    wanted: impl Fn(&Measurement) -> bool,
    figure: impl Fn(&Measurement) -> Option<Estimate>,
) -> Vec<Case> {
    let found = by_method(measurements, method).filter(|found| wanted(found));
    found
        .filter_map(|found| Some(case(&found.condition, found.depth, what, figure(found)?)))
        .collect()
}

/// The measurement of `method` under the condition and at the depth of `measurement`.
fn counterpart<'a>(
    measurements: &'a Measurements,
    measurement: &Measurement,
    method: &str,
) -> Option<&'a Measurement> {
    let method = method.parse().expect("the name of a method");
    measurements.find(&measurement.condition, measurement.depth, method)
}

/// The savings of `cost` by methods against their baselines: a case for each wanted measurement of
/// the method for which both were measured. A text such as `scout/f1,scout/f3` names the pairs.
fn savings(
    measurements: &Measurements,
    pairs: &str,
    cost: SearchCost,
    wanted: fn(&Measurement) -> bool,
) -> Vec<Case> {
    let mut all = Vec::new();
    for pair in pairs.split(',') {
        let (method, baseline) = pair.split_once('/').expect("a method and its baseline");
        // A case names its methods only if the claim is about several.
        let words =
            if pairs == pair { String::new() } else { format!("{method} against {baseline}") };
        all.extend(cases(measurements, method, &words, wanted, |found| {
            let baseline = counterpart(measurements, found, baseline)?;
            // With too few rounds, the error of a time is unknown and must not decide anything.
            let decides = cost != SearchCost::Time || found.times_can_decide();
            decides.then(|| found.saved(baseline, cost))
        }));
    }
    all
}

/// The percentage of positions on which one of NegaScout, MTD(f) and MT-SSS* visits fewer leaves
/// than another: a case for each pair, over all conditions. That such positions exist is certain
/// once one is found.
fn wins(measurements: &Measurements) -> Vec<Case> {
    const NEGASCOUT: &str = "negascout+tt+id";
    let others = ["mtd-f+id", "mt-sss+id"];
    let pairs = others.into_iter().flat_map(|other| [(NEGASCOUT, other), (other, NEGASCOUT)]);
    let shares = pairs.filter_map(|(method, other)| {
        let [mut fewer, mut all] = [0; 2];
        for found in by_method(measurements, method) {
            let against = counterpart(measurements, found, other)?;
            let pairs = found.groups.iter().zip(&against.groups);
            fewer += pairs.filter(|(own, other)| own.counts.leaves < other.counts.leaves).count();
            all += found.groups.len();
        }
        let figure = Estimate::exact(100.0 * fewer as f64 / all as f64);
        (all > 0).then(|| Case { condition: format!("{method} ahead of {other}"), figure })
    });
    shares.collect()
}

/// The leaves that a method saves against a measured baseline, as a statistic of the members of
/// the ensemble.
fn leaves_saved(
    measurements: &Measurements,
    baseline: &Measurement,
    method: &str,
) -> Option<Statistic> {
    let method = counterpart(measurements, baseline, method)?;
    Some(method.mean(Leaves).saved(&baseline.mean(Leaves)))
}

/// How much more SCOUT saves at a depth than two moves before it. A single move would compare an
/// odd depth with an even one, which differ.
fn deeper(measurements: &Measurements, baseline: &str) -> Vec<Case> {
    cases(measurements, baseline, baseline, is_deep, |deep| {
        let shallow = measurements.find(&deep.condition, deep.depth - 2, deep.method)?;
        let [after, before] = [
            leaves_saved(measurements, deep, "scout")?,
            leaves_saved(measurements, shallow, "scout")?,
        ];
        // Games at different depths have different positions.
        Some(match deep.condition.ensemble {
            Ensemble::Games(_) => after.estimate().with(before.estimate(), |a, b| a - b),
            _ => after.with(&before, |after, before| after - before).estimate(),
        })
    })
}

/// How much more SCOUT saves on a board than on the next wider one.
fn narrower(measurements: &Measurements) -> Vec<Case> {
    let boards: Vec<&Measurement> =
        by_method(measurements, "f3").filter(|found| at_its_depth(found)).collect();
    let steps = boards.windows(2).filter_map(|pair| {
        let [narrow, wide] = [
            leaves_saved(measurements, pair[0], "scout")?,
            leaves_saved(measurements, pair[1], "scout")?,
        ];
        let gain = narrow.estimate().with(wide.estimate(), |narrow, wide| narrow - wide);
        let [narrow, wide] = [0, 1].map(|nth| pair[nth].condition.rules.pits());
        Some(case(&pair[0].condition, DEPTH, &format!("{narrow} against {wide} pits"), gain))
    });
    steps.collect()
}

/// The searches at the depth of Noe's claim in one order: all measurements, and the condition.
#[derive(Clone, Copy)]
struct InOrder<'a>(&'a Measurements, &'a Condition);

impl InOrder<'_> {
    fn find(&self, method: &str) -> Option<&Measurement> {
        self.0.find(self.1, DEPTH, method.parse().expect("the name of a method"))
    }
}

/// A figure of searches in static order compared with the same in another order, for each
/// condition that was measured in both.
fn sorted(
    measurements: &Measurements,
    order: ChildOrder,
    figure: impl Fn(InOrder<'_>, InOrder<'_>) -> Option<Estimate>,
) -> Vec<Case> {
    let sorted = measurements.conditions().into_iter().filter(|c| c.order == ChildOrder::Static);
    let figures = sorted.filter_map(|sorted| {
        let other = Condition { order, ..sorted.clone() };
        let figure = figure(InOrder(measurements, &sorted), InOrder(measurements, &other))?;
        Some(case(&sorted, DEPTH, "", figure))
    });
    figures.collect()
}

/// A method's saving of `cost` in one order against another.
fn saved(
    method: &str,
    cost: SearchCost,
    order: InOrder<'_>,
    other: InOrder<'_>,
) -> Option<Estimate> {
    Some(order.find(method)?.saved(other.find(method)?, cost))
}

/// The leaves that a method saves against F3 in one order, minus those in another.
fn gain(method: &str, order: InOrder<'_>, other: InOrder<'_>) -> Option<Estimate> {
    let [gain, before] =
        [order, other].map(|order| leaves_saved(order.0, order.find("f3")?, method));
    Some(gain?.with(&before?, |gain, before| gain - before).estimate())
}

/// The exponent that turns minimax's growth in leaves over two moves into alpha-beta's.
fn exponents(measurements: &Measurements, order: ChildOrder) -> Vec<Case> {
    let wanted = |found: &Measurement| found.condition.order == order && is_deep(found);
    cases(measurements, "f3", "", wanted, |deep| {
        let all = growth(measurements, counterpart(measurements, deep, "minimax")?)?;
        Some(growth(measurements, deep)?.with(&all, |pruned, all| pruned / all).estimate())
    })
}

/// The logarithm of the factor by which leaves grow over the last two moves.
fn growth(measurements: &Measurements, deep: &Measurement) -> Option<Statistic> {
    let shallow = measurements.find(&deep.condition, deep.depth - 2, deep.method)?;
    let [deep, shallow] = [deep, shallow].map(|measurement| measurement.mean(Leaves));
    Some(deep.with(&shallow, |deep, shallow| (deep / shallow).ln()))
}

/// Alpha-beta's leaves in static order over those of minimax at half the depth.
fn twice_as_deep(measurements: &Measurements) -> Vec<Case> {
    cases(measurements, "f3", "", is_even_in_static_order, |deep| {
        let minimax = "minimax".parse().expect("the name of a method");
        let shallow = measurements.find(&deep.condition, deep.depth / 2, minimax)?;
        Some(ratio(deep, shallow))
    })
}

fn is_even_in_static_order(found: &Measurement) -> bool {
    found.condition.order == ChildOrder::Static && found.depth.is_multiple_of(2)
}

/// The leaves of one measurement over those of another.
fn ratio(own: &Measurement, other: &Measurement) -> Estimate {
    own.mean(Leaves).with(&other.mean(Leaves), |own, other| own / other).estimate()
}

/// The children that the article's search visits at an interior node, minus those that F3 does:
/// the fewer, the more cutoffs.
fn more_cutoffs(measurements: &Measurements) -> Vec<Case> {
    cases(measurements, "pvs", "", at_its_depth, |found| {
        let f3 = counterpart(measurements, found, "f3")?;
        let [own, other] = [found, f3].map(|measurement| {
            let nodes = measurement.mean_count(SearchCounts::nodes);
            let interior = measurement.mean_count(|counts| counts.interior);
            // Each node but the root is a child that was visited.
            nodes.with(&interior, |nodes, interior| (nodes - 1.0) / interior)
        });
        Some(own.with(&other, |own, other| own - other).estimate())
    })
}

/// The leaves of a method over those of its baseline.
fn leaf_ratios(measurements: &Measurements, (method, baseline): (&str, &str)) -> Vec<Case> {
    cases(measurements, method, "", always, |found| {
        Some(ratio(found, counterpart(measurements, found, baseline)?))
    })
}

/// Percent of positions on which a method returns a wrong value.
fn wrong(measurements: &Measurements, method: &str, wanted: fn(&Measurement) -> bool) -> Vec<Case> {
    cases(measurements, method, method, wanted, |found| {
        let wrong = found.groups.iter().map(|group| 100.0 * group.wrong as f64);
        Some(Statistic::mean(wrong).estimate())
    })
}

/// A case for each board that was solved.
fn looked_up(found: &[(Rules, Estimate)], stage: &str) -> Vec<Case> {
    let cases = found
        .iter()
        .map(|&(rules, figure)| Case { condition: format!("{rules}, {stage}"), figure });
    cases.collect()
}

/// The additional depth, in moves, of the searches by which the values of shallow ones are judged.
const BEYOND: u16 = 4;

/// The error of F3 that quiescence search at the same depth saves, in percent.
fn horizon(measurements: &Measurements) -> Vec<Case> {
    cases(measurements, "quiescence", "", always, |quiet| {
        let f3 = counterpart(measurements, quiet, "f3")?;
        let truth = measurements.find(&quiet.condition, quiet.depth + BEYOND, f3.method)?;
        let [quiet_error, error] = [quiet, f3].map(|measurement| {
            let pairs = measurement.groups.iter().zip(&truth.groups);
            Statistic::mean(pairs.map(|(own, truth)| own.value.abs_diff(truth.value) as f64))
        });
        Some(quiet_error.saved(&error).estimate())
    })
}
