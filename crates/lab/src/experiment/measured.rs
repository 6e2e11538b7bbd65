//! The figures of claims that compare the effort of searches.

use crate::algorithms::{Algorithm, Method, SearchCounts};
use kalah_tables::statistics::{Statistic, median};

use super::condition::{Condition, MinimalTree};
use super::judge::{Case, Evidence, Figure, MIN_ROUNDS};
use super::measure::{Measurement, Measurements, distinct};
use super::pair::Pair;

/// The additional depth, in moves, of the searches by which the values of shallow ones are judged.
const BEYOND: u16 = 4;

/// A measurement of the first algorithm of a pair, among all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured<'a> {
    pub(super) own: &'a Measurement,
    pub(super) pair: &'a Pair,
    pub(super) all: &'a Measurements,
}

type Count = fn(&SearchCounts) -> u64;

fn plain(method: Method) -> Method {
    method
}

pub(super) fn leaves(counts: &SearchCounts) -> u64 {
    counts.leaves
}

pub(super) fn nodes(counts: &SearchCounts) -> u64 {
    counts.nodes()
}

/// The slope of the saving of leaves by the width, in points for each pit or child: a case for the
/// conditions that differ in nothing else.
pub(super) fn trends(own: &[Measured<'_>]) -> Vec<Case> {
    let place = |case: &Measured<'_>| (case.own.condition.order(), case.own.depth);
    let mut cases = Vec::new();
    for (order, depth) in distinct(own.iter().map(place)) {
        let mut points = Vec::new();
        for case in own.iter().filter(|case| place(case) == (order, depth)) {
            if let Some(saved) = case.saved(leaves) {
                points.push((f64::from(case.own.condition.width()), saved));
            }
        }
        if points.len() > 1 {
            let words = format!("{order}, d {depth}, {}", own[0].pair.words());
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

/// The children visited at an interior node.
pub(super) fn children(own: &Measurement) -> Statistic {
    // Each node but the root is a child that was visited.
    own.mean(nodes)
        .with(&own.mean(|counts| counts.interior), |nodes, interior| (nodes - 1.0) / interior)
}

/// Whether `other` is a shallower search under the same condition.
pub(super) fn is_shallower(own: &Measurement, other: &Measurement) -> bool {
    own.condition == other.condition && other.depth < own.depth
}

/// Whether `other` is a search of narrower trees of the same kind and depth.
pub(super) fn is_narrower(own: &Measurement, other: &Measurement) -> bool {
    own.depth == other.depth
        && own.condition.order() == other.condition.order()
        && other.condition.width() < own.condition.width()
}

impl<'a> Measured<'a> {
    /// The baseline at the same depth, in its order.
    pub(super) fn baseline(&self) -> Option<&'a Measurement> {
        let baseline = self.pair.baseline?;
        let condition = match baseline.order {
            Some(order) => self.own.condition.in_order(order),
            None => self.own.condition.clone(),
        };
        self.all.find(&condition, self.own.depth, baseline.method)
    }

    pub(super) fn saved(&self, count: Count) -> Option<Figure> {
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

    pub(super) fn time_saved(&self) -> Option<Figure> {
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

    /// The saving of leaves under a condition and at a depth, by both algorithms with an addition.
    fn saving_at(
        &self,
        condition: &Condition,
        depth: u16,
        with: fn(Method) -> Method,
    ) -> Option<Statistic> {
        let own = self.all.find(condition, depth, with(self.own.method))?;
        let baseline = self.all.find(condition, depth, with(self.pair.baseline?.method))?;
        Some(own.mean(leaves).saved(&baseline.mean(leaves)))
    }

    /// A single move would compare an odd depth with an even one, which differ.
    pub(super) fn saving_with_depth(&self) -> Option<Figure> {
        let Measurement { condition, depth, .. } = self.own;
        let before = self.saving_at(condition, depth.checked_sub(2)?, plain)?;
        let after = self.saving_at(condition, *depth, plain)?;
        Some(difference(&after, &before))
    }

    /// The saving of leaves with an addition to both algorithms, minus that without.
    pub(super) fn saving_by(&self, with: fn(Method) -> Method) -> Option<Figure> {
        let Measurement { condition, depth, .. } = self.own;
        let changed = self.saving_at(condition, *depth, with)?;
        let plain = self.saving_at(condition, *depth, plain)?;
        Some(difference(&changed, &plain))
    }

    pub(super) fn saving_with_order(&self) -> Option<Figure> {
        let Measurement { condition, depth, .. } = self.own;
        let other = condition.in_order(self.pair.baseline?.order?);
        let own = self.saving_at(condition, *depth, plain)?;
        let others = self.saving_at(&other, *depth, plain)?;
        Some(difference(&own, &others))
    }

    /// A function of the ratio of a count to that of the baseline.
    pub(super) fn ratio(&self, count: Count, figure: impl Fn(f64) -> f64) -> Option<Figure> {
        let baseline = self.baseline()?.mean(count);
        Some(combined(&self.own.mean(count), &baseline, |own, other| figure(own / other)))
    }

    /// The change of a function of the ratio of nodes from the next smaller depth or width that was
    /// measured.
    pub(super) fn ratio_step(
        &self,
        is_before: fn(&Measurement, &Measurement) -> bool,
        of: fn(f64) -> f64,
    ) -> Option<Figure> {
        let others = self.all.0.iter().filter(|other| other.method == self.own.method);
        let own = others
            .filter(|other| is_before(self.own, other))
            .max_by_key(|other| (other.depth, other.condition.width()))?;
        let before = Measured { own, ..*self }.ratio(nodes, of)?;
        Some(self.ratio(nodes, of)?.with(before, |after, before| after - before))
    }

    pub(super) fn half_depth(&self) -> Option<Figure> {
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
    pub(super) fn growth_exponent(&self, deep: &Measurement) -> Option<Statistic> {
        if self.all.find(&deep.condition, deep.depth + 1, deep.method).is_some() {
            return None;
        }
        let two = 2.0 * f64::from(deep.condition.width()).ln();
        let growth = self.growth(deep)?;
        Some(growth.with(&growth, |growth, _| growth / two))
    }

    /// The exponent that turns the growth of the baseline over two moves, or that of all leaves of
    /// a uniform tree, into that of the algorithm.
    pub(super) fn exponent(&self) -> Option<Figure> {
        if self.own.condition.kalah().is_none() {
            return self.growth_exponent(self.own).map(|exponent| Figure::from(&exponent));
        }
        let all = self.growth(self.baseline()?)?;
        let own = self.growth(self.own)?;
        Some(Figure::from(&own.with(&all, |pruned, all| pruned / all)))
    }

    pub(super) fn error_saved(&self) -> Option<Figure> {
        let baseline = self.baseline()?;
        let Measurement { condition, depth, .. } = self.own;
        let truth = self.all.find(condition, depth + BEYOND, baseline.method)?;
        let error = |measurement: &Measurement| {
            let pairs = measurement.groups.iter().zip(&truth.groups);
            Statistic::mean(pairs.map(|(own, truth)| own.value.abs_diff(truth.value) as f64))
        };
        Some(combined(&error(self.own), &error(baseline), saving))
    }

    pub(super) fn beyond(&self, count: Count, formula: fn(&MinimalTree) -> u64) -> Option<Figure> {
        let tree = MinimalTree::new(self.own.condition.width(), self.own.depth);
        self.minus(count, formula(&tree) as f64)
    }

    pub(super) fn minus(&self, count: Count, wanted: f64) -> Option<Figure> {
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

/// `own` minus `other`, paired if both are of the same sample.
pub(super) fn difference(own: &Statistic, other: &Statistic) -> Figure {
    combined(own, other, |own, other| own - other)
}
