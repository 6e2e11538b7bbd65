//! The figures of claims about the effort of searches, case by case.

use crate::algorithms::{Algorithm, Method, SearchCounts};
use kalah_tables::statistics::{Statistic, median};

use super::condition::{Condition, MinimalTree};
use super::judge::{Case, Evidence, Figure, MIN_ROUNDS, Unit};
use super::measure::{Measurement, Measurements, distinct};
use super::pair::Pair;

/// The additional depth, in moves, of the searches by which the values of shallow ones are judged.
const BEYOND: u16 = 4;

/// A figure of an algorithm and its baseline, which claims refer to by its name.
#[derive(Debug)]
pub struct SearchFigure {
    /// Its name.
    pub name: &'static str,
    /// The unit of the figure.
    pub unit: Unit,
    kind: FigureKind,
}

type OfOne = fn(&Measured<'_>) -> Option<Figure>;
type OfAll = fn(&[&Measurement], &Pair, &Measurements) -> Vec<Case>;

#[derive(Debug)]
enum FigureKind {
    /// A figure under one condition and at one depth; `None` if something that it needs was not
    /// measured.
    OfOne(OfOne),
    /// The cases of several conditions together.
    OfAll(OfAll),
}

const fn of_one(name: &'static str, unit: Unit, figure: OfOne) -> SearchFigure {
    SearchFigure { name, unit, kind: FigureKind::OfOne(figure) }
}

const fn of_all(name: &'static str, unit: Unit, cases: OfAll) -> SearchFigure {
    SearchFigure { name, unit, kind: FigureKind::OfAll(cases) }
}

const PERCENT: Unit = Unit::Percent;
const WHOLE: Unit = Unit::Number(0);
const CENTS: Unit = Unit::Number(2);
const FINE: Unit = Unit::Number(3);

/// The figures of claims about the effort of searches.
static FIGURES: [SearchFigure; 32] = [
    of_one("leaves saved", PERCENT, |case| case.saved(leaves)),
    of_one("nodes saved", PERCENT, |case| case.saved(nodes)),
    of_one("re-searches saved", PERCENT, |case| case.saved(|counts| counts.researches)),
    of_one("evaluations saved", PERCENT, |case| {
        case.saved(|counts| counts.leaves + counts.ordering)
    }),
    of_one("time saved", PERCENT, |case| case.time_saved()),
    of_one("leaves saved, change over two moves", PERCENT, |case| case.saving_with_depth()),
    of_one("leaves saved, change from another order", PERCENT, |case| case.saving_with_order()),
    of_one("leaves saved, change by a table", PERCENT, |case| {
        case.saving_by(|method| Method { table: true, ..method })
    }),
    of_one("leaves saved, change by deepening", PERCENT, |case| {
        case.saving_by(|method| Method { table: true, deepening: true, ..method })
    }),
    of_all("leaves saved, trend with width", PERCENT, trends),
    of_one("leaves, ratio", CENTS, |case| case.ratio(leaves, |ratio| ratio)),
    of_one("nodes, ratio", FINE, |case| case.ratio(nodes, |ratio| ratio)),
    of_one("nodes, ratio to twice", FINE, |case| case.ratio(nodes, |ratio| ratio / 2.0)),
    of_one("nodes, d-th root of ratio", FINE, |case| {
        let depth = f64::from(case.own.depth);
        case.ratio(nodes, |ratio| ratio.powf(1.0 / depth))
    }),
    // The change from the next smaller depth or width that was measured.
    of_one("nodes, ratio, change with depth", FINE, |case| {
        case.ratio_step(before_in_depth, |ratio| ratio)
    }),
    of_one("nodes, ratio, change with width", FINE, |case| {
        case.ratio_step(before_in_width, |ratio| ratio)
    }),
    of_one("nodes, ratio, distance from 1, change with depth", FINE, |case| {
        case.ratio_step(before_in_depth, distance_from_1)
    }),
    of_one("nodes, ratio, distance from 1, change with width", FINE, |case| {
        case.ratio_step(before_in_width, distance_from_1)
    }),
    // Over the leaves of minimax at half the depth; on uniform trees, over b^(d/2).
    of_one("leaves, ratio to half the depth", CENTS, |case| case.half_depth()),
    of_one("growth, exponent", FINE, |case| case.exponent()),
    // The exponent on uniform trees, minus the baseline's.
    of_one("growth, exponent above", FINE, |case| {
        let own = case.growth_exponent(case.own)?;
        let others = case.growth_exponent(case.baseline()?)?;
        Some(Figure::from(&own.with(&others, |own, other| own - other)))
    }),
    of_one("children visited, difference", CENTS, |case| {
        let others = children(case.baseline()?);
        Some(combined(&children(case.own), &others, |own, other| own - other))
    }),
    of_one("wrong values", PERCENT, |case| {
        let total = case.own.total();
        Some(Figure::share(total.wrong, total.trees))
    }),
    // Under all conditions together.
    of_all("trees with fewer leaves", PERCENT, |own, pair, all| {
        fewer(own, pair, all).into_iter().collect()
    }),
    // Trees on which other leaves are visited, or in another order.
    of_one("trees with other leaves", PERCENT, |case| {
        let others = &case.baseline()?.groups;
        let pairs = case.own.groups.iter().zip(others);
        let hits = pairs.filter(|(own, other)| own.path != other.path).count();
        Some(Figure::share(hits as u64, others.len() as u64))
    }),
    // The error of the baseline, against a search four moves deeper, that is saved.
    of_one("error saved", PERCENT, |case| case.error_saved()),
    of_one("leaves beyond the minimal tree", WHOLE, |case| case.beyond(leaves, |tree| tree.leaves)),
    of_one("leaves beyond b^d", WHOLE, |case| {
        let all = f64::from(case.own.condition.width()).powi(case.own.depth.into());
        case.difference(leaves, all)
    }),
    of_one("nodes beyond all", WHOLE, |case| {
        let width = f64::from(case.own.condition.width());
        let all = (width.powi(i32::from(case.own.depth) + 1) - 1.0) / (width - 1.0);
        case.difference(nodes, all)
    }),
    of_one("nodes beyond H1", WHOLE, |case| case.beyond(nodes, |tree| tree.test_nodes)),
    of_one("nodes beyond H2", WHOLE, |case| case.beyond(nodes, |tree| tree.nodes)),
    of_one("nodes beyond the older H2", WHOLE, |case| case.beyond(nodes, |tree| tree.old_nodes)),
];

impl SearchFigure {
    /// The figure with this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        FIGURES.iter().find(|figure| figure.name == name)
    }

    /// The cases of `pair` among the searches `own` by its first algorithm; `case` describes one.
    pub(super) fn cases(
        &self,
        own: Vec<&Measurement>,
        pair: &Pair,
        all: &Measurements,
        case: impl Fn(&Measurement, Figure) -> Case,
    ) -> Vec<Case> {
        let figure = match self.kind {
            FigureKind::OfAll(cases_of) => return cases_of(&own, pair, all),
            FigureKind::OfOne(figure) => figure,
        };
        let mut cases = Vec::new();
        for own in own {
            let order = pair.own.order.unwrap_or(own.condition.order());
            if order == own.condition.order()
                && let Some(measured) = figure(&Measured { own, pair, all })
            {
                cases.push(case(own, measured));
            }
        }
        cases
    }
}

/// The slope of the saving of leaves by the width, in points for each pit or child: a case for the
/// conditions that differ in nothing else.
fn trends(own: &[&Measurement], pair: &Pair, all: &Measurements) -> Vec<Case> {
    let places = own.iter().map(|own| (own.condition.order(), own.depth));
    let mut cases = Vec::new();
    for (order, depth) in distinct(places) {
        let own = own.iter().filter(|own| (own.condition.order(), own.depth) == (order, depth));
        let mut points = Vec::new();
        for own in own {
            if let Some(saved) = (Measured { own, pair, all }).saved(leaves) {
                points.push((f64::from(own.condition.width()), saved));
            }
        }
        if points.len() > 1 {
            let words = format!("{order}, d {depth}, {}", pair.words());
            cases.push(Case { condition: words, figure: slope(&points), sampled: None });
        }
    }
    cases
}

/// The line through points that are weighted by their errors: its slope.
fn slope(points: &[(f64, Figure)]) -> Figure {
    let weight = |figure: &Figure| figure.error.max(1e-3).powi(-2);
    let all: f64 = points.iter().map(|(_, figure)| weight(figure)).sum();
    let middle = points.iter().map(|(x, figure)| weight(figure) * x).sum::<f64>() / all;
    let spread: f64 = points.iter().map(|(x, figure)| weight(figure) * (x - middle).powi(2)).sum();
    let rise: f64 =
        points.iter().map(|(x, figure)| weight(figure) * (x - middle) * figure.value).sum();
    let members = points.iter().map(|(_, figure)| figure.members()).min().unwrap_or(1);
    Figure::sample(rise / spread, spread.sqrt().recip(), members)
}

/// The percentage of trees on which one algorithm visits fewer leaves than another: one case for
/// all conditions. That such trees exist is certain once one is found.
fn fewer(own: &[&Measurement], pair: &Pair, all: &Measurements) -> Option<Case> {
    let other = pair.baseline?.method;
    let mut hits = 0;
    let mut trees = 0;
    for own in own {
        let other = all.find(&own.condition, own.depth, other)?;
        let pairs = own.groups.iter().zip(&other.groups);
        hits += pairs.filter(|(own, other)| own.counts.leaves < other.counts.leaves).count();
        trees += own.groups.len();
    }
    if trees == 0 {
        return None;
    }
    let figure = Figure::share(hits as u64, trees as u64);
    let condition = format!("{} ahead of {other}", pair.own.method);
    Some(Case { condition, figure, sampled: None })
}

/// A measurement of the first algorithm of a pair, among all.
struct Measured<'a> {
    own: &'a Measurement,
    pair: &'a Pair,
    all: &'a Measurements,
}

fn leaves(counts: &SearchCounts) -> u64 {
    counts.leaves
}

fn nodes(counts: &SearchCounts) -> u64 {
    counts.nodes()
}

/// The depth of `other` if it is a shallower search under the same condition.
fn before_in_depth(own: &Measurement, other: &Measurement) -> Option<u16> {
    let is_before = own.condition == other.condition && other.depth < own.depth;
    if is_before { Some(other.depth) } else { None }
}

/// The width of `other` if it is a search of narrower trees of the same kind and depth.
fn before_in_width(own: &Measurement, other: &Measurement) -> Option<u16> {
    let is_before = own.depth == other.depth
        && own.condition.order() == other.condition.order()
        && other.condition.width() < own.condition.width();
    if is_before { Some(other.condition.width()) } else { None }
}

fn distance_from_1(ratio: f64) -> f64 {
    (ratio - 1.0).abs()
}

/// The children visited at an interior node.
fn children(own: &Measurement) -> Statistic {
    // Each node but the root is a child that was visited.
    own.mean(nodes)
        .with(&own.mean(|counts| counts.interior), |nodes, interior| (nodes - 1.0) / interior)
}

impl Measured<'_> {
    /// The baseline at the same depth, in its order.
    fn baseline(&self) -> Option<&Measurement> {
        let baseline = self.pair.baseline?;
        let condition = match baseline.order {
            Some(order) => self.own.condition.in_order(order),
            None => self.own.condition.clone(),
        };
        self.all.find(&condition, self.own.depth, baseline.method)
    }

    fn saved(&self, count: fn(&SearchCounts) -> u64) -> Option<Figure> {
        let baseline = self.baseline()?;
        let own = self.own.mean(count);
        let mut figure = combined(&own, &baseline.mean(count), saving);
        // Only the same trees can be compared one by one.
        if baseline.condition.kalah().is_some() || baseline.condition == self.own.condition {
            let mut savings = Vec::new();
            for (own, other) in self.own.groups.iter().zip(&baseline.groups) {
                savings.push(saving(count(&own.counts) as f64, count(&other.counts) as f64));
            }
            savings.retain(|saved| saved.is_finite());
            figure.median = Some(median(&mut savings));
        }
        Some(figure).filter(|figure| !figure.value.is_nan())
    }

    fn time_saved(&self) -> Option<Figure> {
        let baseline = self.baseline()?;
        let enough = self.own.rounds.len() >= MIN_ROUNDS && self.own.groups.len() > 1;
        if !enough || baseline.rounds.len() != self.own.rounds.len() {
            return None;
        }
        let mut saved = Vec::new();
        for (own, others) in self.own.rounds.iter().zip(&baseline.rounds) {
            saved.push(saving(own.iter().sum(), others.iter().sum()));
        }
        let value = median(&mut saved);
        let low = saved.first().copied()?;
        let high = saved.last().copied()?;
        let sampled = self.own.mean_time().saved(&baseline.mean_time()).estimate();
        let evidence = Evidence::Times { low, high };
        Some(Figure { value, error: sampled.error, evidence, median: None })
    }

    /// The saving of leaves against the baseline under a condition and at a depth.
    fn saving_at(&self, condition: &Condition, depth: u16) -> Option<Statistic> {
        let own = self.all.find(condition, depth, self.own.method)?;
        let baseline = self.all.find(condition, depth, self.pair.baseline?.method)?;
        Some(own.mean(leaves).saved(&baseline.mean(leaves)))
    }

    /// A single move would compare an odd depth with an even one, which differ.
    fn saving_with_depth(&self) -> Option<Figure> {
        let condition = &self.own.condition;
        let before = self.saving_at(condition, self.own.depth.checked_sub(2)?)?;
        let after = self.saving_at(condition, self.own.depth)?;
        Some(combined(&after, &before, |after, before| after - before))
    }

    /// The saving of leaves with an addition to both algorithms, minus that without.
    fn saving_by(&self, with: impl Fn(Method) -> Method) -> Option<Figure> {
        let Measurement { condition, depth, method, .. } = self.own;
        let baseline = self.pair.baseline?.method;
        let own = self.all.find(condition, *depth, with(*method))?.mean(leaves);
        let other = self.all.find(condition, *depth, with(baseline))?.mean(leaves);
        let plain = self.saving_at(condition, *depth)?;
        Some(combined(&own.saved(&other), &plain, |with, without| with - without))
    }

    fn saving_with_order(&self) -> Option<Figure> {
        let other = self.own.condition.in_order(self.pair.baseline?.order?);
        let own = self.saving_at(&self.own.condition, self.own.depth)?;
        let others = self.saving_at(&other, self.own.depth)?;
        Some(combined(&own, &others, |own, other| own - other))
    }

    fn ratio(
        &self,
        count: fn(&SearchCounts) -> u64,
        figure: impl Fn(f64) -> f64,
    ) -> Option<Figure> {
        let baseline = self.baseline()?.mean(count);
        Some(combined(&self.own.mean(count), &baseline, |own, other| figure(own / other)))
    }

    /// The change of a function of the ratio of nodes from the measurement for which `place` is the
    /// greatest.
    fn ratio_step(
        &self,
        place: fn(&Measurement, &Measurement) -> Option<u16>,
        of: fn(f64) -> f64,
    ) -> Option<Figure> {
        let others = self.all.0.iter().filter(|other| other.method == self.own.method);
        let before = others.filter_map(|other| Some((place(self.own, other)?, other)));
        let (_, before) = before.max_by_key(|(place, _)| *place)?;
        let before = Measured { own: before, ..*self }.ratio(nodes, of)?;
        Some(self.ratio(nodes, of)?.with(before, |after, before| after - before))
    }

    fn half_depth(&self) -> Option<Figure> {
        let own = self.own.mean(leaves);
        let Measurement { condition, depth, .. } = self.own;
        if condition.kalah().is_none() {
            let root = f64::from(condition.width()).powf(f64::from(*depth) / 2.0);
            return Some(combined(&own, &own, |leaves, _| leaves / root));
        }
        if !depth.is_multiple_of(2) {
            return None;
        }
        let shallow = self.all.find(condition, depth / 2, Algorithm::Minimax.into())?;
        Some(combined(&own, &shallow.mean(leaves), |own, other| own / other))
    }

    /// The logarithm of the factor by which leaves grow over the last two moves.
    fn growth(&self, deep: &Measurement) -> Option<Statistic> {
        let before = self.all.find(&deep.condition, deep.depth.checked_sub(2)?, deep.method)?;
        let shallow_leaves = before.mean(leaves);
        let deep_leaves = deep.mean(leaves);
        if shallow_leaves.members() != deep_leaves.members() {
            return None;
        }
        Some(deep_leaves.with(&shallow_leaves, |deep, shallow| (deep / shallow).ln()))
    }

    /// The exponent of b in the growth on uniform trees, at the greatest depth that was measured.
    fn growth_exponent(&self, deep: &Measurement) -> Option<Statistic> {
        if self.all.find(&deep.condition, deep.depth + 1, deep.method).is_some() {
            return None;
        }
        let two = 2.0 * f64::from(deep.condition.width()).ln();
        let growth = self.growth(deep)?;
        Some(growth.with(&growth, |growth, _| growth / two))
    }

    /// The exponent that turns the growth of the baseline over two moves, or that of all leaves of
    /// a uniform tree, into that of the algorithm.
    fn exponent(&self) -> Option<Figure> {
        if self.own.condition.kalah().is_none() {
            return self.growth_exponent(self.own).map(|exponent| Figure::from(&exponent));
        }
        let all = self.growth(self.baseline()?)?;
        let own = self.growth(self.own)?;
        Some(Figure::from(&own.with(&all, |pruned, all| pruned / all)))
    }

    fn error_saved(&self) -> Option<Figure> {
        let baseline = self.baseline()?;
        let Measurement { condition, depth, .. } = self.own;
        let truth = self.all.find(condition, depth + BEYOND, baseline.method)?;
        let error = |measurement: &Measurement| {
            let pairs = measurement.groups.iter().zip(&truth.groups);
            Statistic::mean(pairs.map(|(own, truth)| own.value.abs_diff(truth.value) as f64))
        };
        Some(combined(&error(self.own), &error(baseline), saving))
    }

    fn beyond(
        &self,
        count: fn(&SearchCounts) -> u64,
        formula: fn(&MinimalTree) -> u64,
    ) -> Option<Figure> {
        let tree = MinimalTree::new(self.own.condition.width(), self.own.depth);
        self.difference(count, formula(&tree) as f64)
    }

    fn difference(&self, count: fn(&SearchCounts) -> u64, wanted: f64) -> Option<Figure> {
        let counted = self.own.groups.first()?;
        Some(Figure::exact(count(&counted.counts) as f64 - wanted))
    }
}

fn saving(own: f64, baseline: f64) -> f64 {
    100.0 * (1.0 - own / baseline)
}

/// A figure of two statistics, of the same sample or of independent ones.
fn combined(own: &Statistic, other: &Statistic, figure: impl Fn(f64, f64) -> f64) -> Figure {
    if own.members() == other.members() {
        return Figure::from(&own.with(other, figure));
    }
    Figure::from(own).with(Figure::from(other), figure)
}
