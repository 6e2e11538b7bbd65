//! What claims measure: the figures, by the names that claims use.

use std::str::FromStr;

use super::bandits::Curve;
use super::judge::{Case, Figure, Unit};
use super::measured::{
    Measured, children, difference, is_narrower, is_shallower, leaves, nodes, trends,
};
use super::{probe, visits};
use crate::algorithms::Method;
use kalah_tables::statistics::Estimate;

/// A figure, which claims refer to by its name.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    pub(super) measured_by: MeasuredBy,
}

type OfOne = fn(&Measured<'_>) -> Option<Figure>;
type OfAll = fn(&[Measured<'_>]) -> Vec<Case>;
/// The cases of an experiment with this seed.
pub(super) type Experiment = fn(u64) -> Vec<Case>;

/// What a figure is measured from.
#[derive(Clone, Copy, Debug)]
pub(super) enum MeasuredBy {
    /// A search of an algorithm; `None` if something that the figure needs was not measured.
    Search(OfOne),
    /// The same, compared with a baseline.
    Pair(OfOne),
    /// The searches of an algorithm under several conditions, compared with those of a baseline.
    Pairs(OfAll),
    /// Searches that are followed node by node.
    Visits,
    /// An experiment of its own, which depends on a seed alone.
    Experiment(Experiment),
    /// Matches against a baseline.
    Points,
    /// Bandits that an algorithm plays.
    Regret(fn(&Curve) -> Estimate),
}

const PERCENT: Unit = Unit::Percent;
const WHOLE: Unit = Unit::Number(0);
const CENTS: Unit = Unit::Number(2);
const FINE: Unit = Unit::Number(3);

const fn search(name: &'static str, unit: Unit, figure: OfOne) -> Measure {
    Measure { name, unit, measured_by: MeasuredBy::Search(figure) }
}

const fn pair(name: &'static str, unit: Unit, figure: OfOne) -> Measure {
    Measure { name, unit, measured_by: MeasuredBy::Pair(figure) }
}

const fn pairs(name: &'static str, cases: OfAll) -> Measure {
    Measure { name, unit: PERCENT, measured_by: MeasuredBy::Pairs(cases) }
}

const fn experiment(name: &'static str, unit: Unit, cases: Experiment) -> Measure {
    Measure { name, unit, measured_by: MeasuredBy::Experiment(cases) }
}

const fn regret(name: &'static str, figure: fn(&Curve) -> Estimate) -> Measure {
    Measure { name, unit: CENTS, measured_by: MeasuredBy::Regret(figure) }
}

/// Every figure but those of visits.
static FIGURES: [Measure; 48] = [
    pair("leaves saved", PERCENT, |case| case.saved(leaves)),
    pair("nodes saved", PERCENT, |case| case.saved(nodes)),
    pair("re-searches saved", PERCENT, |case| case.saved(|counts| counts.researches)),
    pair("evaluations saved", PERCENT, |case| case.saved(|counts| counts.leaves + counts.ordering)),
    pair("time saved", PERCENT, |case| case.time_saved()),
    pair("leaves saved, change over two moves", PERCENT, |case| case.saving_with_depth()),
    pair("leaves saved, change from another order", PERCENT, |case| case.saving_with_order()),
    pair("leaves saved, change by a table", PERCENT, |case| {
        case.saving_by(|method| Method { table: true, ..method })
    }),
    // Both with a table, so that only the order of the moves differs.
    pair("leaves saved, change by deepening", PERCENT, |case| {
        case.saving_by(|method| Method { deepening: true, ..method })
    }),
    pairs("leaves saved, trend with width", trends),
    pair("leaves, ratio", CENTS, |case| case.ratio(leaves, |ratio| ratio)),
    pair("nodes, ratio", FINE, |case| case.ratio(nodes, |ratio| ratio)),
    pair("nodes, ratio to twice", FINE, |case| case.ratio(nodes, |ratio| ratio / 2.0)),
    pair("nodes, d-th root of ratio", FINE, |case| {
        let depth = f64::from(case.own.depth);
        case.ratio(nodes, |ratio| ratio.powf(1.0 / depth))
    }),
    // The change from the next smaller depth or width that was measured.
    pair("nodes, ratio, change with depth", FINE, |case| {
        case.ratio_step(is_shallower, |ratio| ratio)
    }),
    pair("nodes, ratio, change with width", FINE, |case| {
        case.ratio_step(is_narrower, |ratio| ratio)
    }),
    pair("nodes, ratio, distance from 1, change with depth", FINE, |case| {
        case.ratio_step(is_shallower, distance_from_1)
    }),
    pair("nodes, ratio, distance from 1, change with width", FINE, |case| {
        case.ratio_step(is_narrower, distance_from_1)
    }),
    // Over the leaves of minimax at half the depth; on uniform trees, over b^(d/2).
    search("leaves, ratio to half the depth", CENTS, |case| case.half_depth()),
    search("growth, exponent", FINE, |case| case.exponent()),
    // The exponent on uniform trees, minus the baseline's.
    pair("growth, exponent above", FINE, |case| {
        let others = case.growth_exponent(case.baseline()?)?;
        Some(difference(&case.growth_exponent(case.own)?, &others))
    }),
    pair("children visited, difference", CENTS, |case| {
        Some(difference(&children(case.own), &children(case.baseline()?)))
    }),
    search("wrong values", PERCENT, |case| {
        let total = case.own.total();
        Some(Figure::share(total.wrong, total.trees))
    }),
    // That such trees exist is certain once one is found.
    pair("trees with fewer leaves", PERCENT, |case| {
        let others = &case.baseline()?.groups;
        let pairs = case.own.groups.iter().zip(others);
        let hits = pairs.filter(|(own, other)| own.counts.leaves < other.counts.leaves).count();
        Some(Figure::share(hits as u64, others.len() as u64))
    }),
    // Trees on which other leaves are visited, or in another order.
    pair("trees with other leaves", PERCENT, |case| {
        let others = &case.baseline()?.groups;
        let pairs = case.own.groups.iter().zip(others);
        let hits = pairs.filter(|(own, other)| own.path != other.path).count();
        Some(Figure::share(hits as u64, others.len() as u64))
    }),
    // The error of the baseline, against a search four moves deeper, that is saved.
    pair("error saved", PERCENT, |case| case.error_saved()),
    search("leaves beyond the minimal tree", WHOLE, |case| case.beyond(leaves, |tree| tree.leaves)),
    search("leaves beyond b^d", WHOLE, |case| {
        let all = f64::from(case.own.condition.width()).powi(case.own.depth.into());
        case.minus(leaves, all)
    }),
    search("nodes beyond all", WHOLE, |case| {
        let width = f64::from(case.own.condition.width());
        let all = (width.powi(i32::from(case.own.depth) + 1) - 1.0) / (width - 1.0);
        case.minus(nodes, all)
    }),
    search("nodes beyond H1", WHOLE, |case| case.beyond(nodes, |tree| tree.test_nodes)),
    search("nodes beyond H2", WHOLE, |case| case.beyond(nodes, |tree| tree.nodes)),
    search("nodes beyond the older H2", WHOLE, |case| case.beyond(nodes, |tree| tree.old_nodes)),
    experiment("error saved by depth at the start", PERCENT, probe::errors_at_start),
    experiment("wrong values towards the end", PERCENT, probe::wrong_at_end),
    experiment("points by looking up the end", PERCENT, probe::lookup_points),
    experiment("misjudged by an error of 2", PERCENT, |seed| probe::trials(2.0, seed)),
    experiment("misjudged by an error of 5", PERCENT, |seed| probe::trials(5.0, seed)),
    experiment("collisions, ratio to shorter keys", Unit::Number(4), probe::shorter_keys),
    experiment("collisions of 64 bits", WHOLE, probe::longest_keys),
    experiment("time saved by keys of 32 bits", PERCENT, probe::time_saved),
    experiment("expected ratio of nodes at depth 1", FINE, probe::ratios_one_high),
    // The points of an algorithm against its baseline, in percent.
    Measure { name: "points", unit: PERCENT, measured_by: MeasuredBy::Points },
    regret("regret over cost of exploration", Curve::share_of_exploration),
    regret("regret per pull, change", Curve::fall),
    regret("regret, growth", Curve::growth),
    regret("pulls of other arms, growth", Curve::growth_of_others),
    regret("pulls of the rarest arm, growth", Curve::growth_of_rarest),
    regret("regret over the bound", Curve::share_of_bound),
];

impl Measure {
    /// Whether it compares the total effort of searches; other measures follow single nodes, or
    /// are of matches and experiments.
    pub fn is_of_searches(&self) -> bool {
        matches!(
            self.measured_by,
            MeasuredBy::Search(_) | MeasuredBy::Pair(_) | MeasuredBy::Pairs(_)
        )
    }

    /// Whether it compares an algorithm with a baseline.
    pub(super) fn needs_baseline(&self) -> bool {
        matches!(self.measured_by, MeasuredBy::Pair(_) | MeasuredBy::Pairs(_) | MeasuredBy::Points)
    }

    /// Whether the claim must name algorithms.
    pub(super) fn needs_algorithm(&self) -> bool {
        !matches!(self.measured_by, MeasuredBy::Visits | MeasuredBy::Experiment(_))
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(named) = FIGURES.iter().find(|figure| figure.name == text) {
            return Ok(*named);
        }
        match visits::unit(text) {
            Some((name, unit)) => Ok(Measure { name, unit, measured_by: MeasuredBy::Visits }),
            None => Err(format!("unknown measure '{text}'")),
        }
    }
}

fn distance_from_1(ratio: f64) -> f64 {
    (ratio - 1.0).abs()
}
