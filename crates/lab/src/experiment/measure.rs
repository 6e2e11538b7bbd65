//! Algorithms side by side on the same trees: counts, and times of interleaved rounds.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use derive_more::Add;

use crate::algorithms::{
    Algorithm, KalahNode, Measure, Method, MixHasher, Observer, ProbCutModel, SearchCounts, Tree,
    TreeEvent,
};
use kalah_game::{Position, Row, with_row};
use kalah_sys::clock::processor_time;
use kalah_sys::parallel::map;
use kalah_tables::statistics::{Statistic, median};

use super::condition::{Condition, KalahTrees, Trees};
use crate::uniform::UniformNode;

/// A comparison: every method at every depth under every condition.
#[derive(Clone, Debug)]
pub struct ComparisonPlan {
    /// The fixed conditions.
    pub conditions: Vec<Condition>,
    /// Depths in moves; ascending, without 0.
    pub depths: Vec<u16>,
    /// The first is the reference for the values of the others.
    pub methods: Vec<Method>,
    /// Number of timed rounds, each of which runs all methods on all positions,
    /// interleaved. With 0, nothing is timed.
    pub timed_runs: usize,
}

/// The effort of a method on a group of trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Add)]
pub struct Effort {
    /// Sums over the trees.
    pub counts: SearchCounts,
    /// Trees that were searched.
    pub trees: u64,
    /// Trees on which the value differed from that of the plan's first method.
    pub wrong: u64,
    /// The sum of the values; for a single tree, its value.
    pub value: i64,
    /// A hash of the leaves in the order of their visits.
    pub path: u64,
}

/// A method at a depth under a condition.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The fixed conditions.
    pub condition: Condition,
    /// Moves from the root to the frontier.
    pub depth: u16,
    /// The algorithm with its table, deepening and aspiration.
    pub method: Method,
    /// Its effort on each group of the ensemble, in order.
    pub groups: Vec<Effort>,
    /// Processor seconds of each timed round, group by group. Unlike the counts, they differ from
    /// run to run, and groups that were added to a sample later have none.
    pub rounds: Vec<Vec<f64>>,
}

impl Measurement {
    /// The effort on the whole ensemble.
    pub fn total(&self) -> Effort {
        self.groups.iter().fold(Effort { path: 0, ..Effort::default() }, |sum, effort| {
            sum + Effort { path: 0, ..*effort }
        })
    }

    /// The mean of a count over the groups of the ensemble.
    pub(crate) fn mean(&self, count: fn(&SearchCounts) -> u64) -> Statistic {
        Statistic::mean(self.groups.iter().map(|effort| count(&effort.counts) as f64))
    }

    /// The mean processor time of a group: the median of the rounds.
    pub(crate) fn mean_time(&self) -> Statistic {
        Statistic::mean(self.times().into_iter())
    }

    /// Processor seconds of each group that was timed: the median of the rounds.
    fn times(&self) -> Vec<f64> {
        let timed = self.rounds.first().map(Vec::len).unwrap_or_default();
        let rounds = |nth: usize| self.rounds.iter().map(move |round| round[nth]);
        (0..timed).map(|nth| median(&mut rounds(nth).collect::<Vec<f64>>())).collect()
    }

    /// Processor seconds of the groups that were timed, if any were.
    pub(crate) fn seconds(&self) -> Option<f64> {
        if self.rounds.is_empty() { None } else { Some(self.times().iter().sum()) }
    }

    /// Nanoseconds per visited node, if times were measured.
    pub(crate) fn cost_per_visit(&self) -> Option<f64> {
        let timed = self.groups.iter().take(self.times().len());
        let nodes: u64 = timed.map(|effort| effort.counts.nodes()).sum();
        Some(self.seconds()? * 1e9 / nodes.max(1) as f64)
    }
}

/// All measurements of a plan, in the order condition, depth, method.
#[derive(Clone, Debug, Default)]
pub struct Measurements(pub Vec<Measurement>);

impl Measurements {
    /// The measurement for a condition, depth and method.
    pub fn find(&self, condition: &Condition, depth: u16, method: Method) -> Option<&Measurement> {
        self.0.iter().find(|measurement| {
            measurement.depth == depth
                && measurement.method == method
                && measurement.condition == *condition
        })
    }

    /// The different conditions, in the order of the plan.
    pub fn conditions(&self) -> Vec<Condition> {
        distinct(self.0.iter().map(|measurement| measurement.condition.clone()))
    }

    /// The different depths, ascending.
    pub fn depths(&self) -> Vec<u16> {
        let mut depths = distinct(self.0.iter().map(|measurement| measurement.depth));
        depths.sort_unstable();
        depths
    }

    /// The different methods, in the order of the plan.
    pub fn methods(&self) -> Vec<Method> {
        distinct(self.0.iter().map(|measurement| measurement.method))
    }
}

/// The distinct items, in the order in which they first occur.
pub(crate) fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

impl ComparisonPlan {
    /// Checks that every method finds the value that the first one does.
    ///
    /// # Errors
    /// A message if the first method does not find the minimax value, or if another would find wrong
    /// ones under a condition.
    pub fn check(&self) -> Result<(), String> {
        if let Some(first) = self.methods.first().filter(|first| !first.finds_value()) {
            let expected = "a first algorithm that finds the minimax value, to check the others";
            return Err(format!("expected {expected}, got {first}"));
        }
        for kalah in self.conditions.iter().filter_map(Condition::kalah) {
            for method in &self.methods {
                method.require_alternation(kalah.extra_turns)?;
            }
        }
        Ok(())
    }

    /// The number of pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let places = self.conditions.iter().flat_map(|condition| {
            self.depths.iter().map(|&depth| condition.groups(depth) * (1 + self.timed_runs))
        });
        places.sum()
    }

    /// Runs everything. All results but the times are the same with any number of
    /// threads. `done` is called once for each of [`ComparisonPlan::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Measurements {
        let mut measurements = Vec::new();
        for condition in &self.conditions {
            for &depth in self.depths.iter().filter(|depth| condition.groups(**depth) > 0) {
                measurements.extend(self.methods.iter().map(|&method| Measurement {
                    condition: condition.clone(),
                    depth,
                    method,
                    groups: Vec::new(),
                    rounds: vec![Vec::new(); self.timed_runs],
                }));
            }
        }
        let size = |own: &Measurement| own.condition.groups(own.depth);
        grow(&mut measurements, size, self.timed_runs, threads, done);
        Measurements(measurements)
    }
}

/// Searches more groups until each sample has `size` groups, and times the new ones in `rounds`
/// rounds. Measurements under the same condition and at the same depth must be adjacent.
pub(crate) fn grow(
    measurements: &mut [Measurement],
    size: impl Fn(&Measurement) -> usize,
    rounds: usize,
    threads: usize,
    done: &(dyn Fn() + Sync),
) {
    let is_same = |one: &Measurement, other: &Measurement| {
        one.depth == other.depth && one.condition == other.condition
    };
    let mut samples: Vec<&mut [Measurement]> = measurements.chunk_by_mut(is_same).collect();
    samples.retain(|own| own[0].groups.len() < size(&own[0]));
    let mut searches: Vec<Searches> = Vec::new();
    for own in &samples {
        let last = searches.last().filter(|last| last.condition == own[0].condition);
        searches.push(Searches::of(own, last));
    }
    let mut groups = Vec::new();
    for (sample, own) in samples.iter().enumerate() {
        groups.extend((own[0].groups.len()..size(&own[0])).map(|nth| (sample, nth)));
    }
    let counted = map(&groups, threads, done, |&(sample, nth)| searches[sample].count(nth));
    // A round goes through all groups, so that the times of one search lie far apart and
    // vary as they would between runs of the program.
    let to_time: Vec<_> = groups.iter().zip(&counted).collect();
    for round in 0..rounds {
        let timed = map(&to_time, threads, done, |((sample, _), counted)| {
            searches[*sample].time(&counted.positions, round)
        });
        for ((sample, _), times) in groups.iter().zip(timed) {
            for (own, seconds) in samples[*sample].iter_mut().zip(times) {
                own.rounds[round].push(seconds);
            }
        }
    }
    for ((sample, _), group) in groups.iter().zip(&counted) {
        for (own, effort) in samples[*sample].iter_mut().zip(&group.efforts) {
            own.groups.push(*effort);
        }
    }
}

/// All methods under one condition and at one depth. A group of trees is one position, one game or
/// one uniform tree.
struct Searches {
    methods: Vec<Method>,
    condition: Condition,
    depth: u16,
    /// ProbCut's model of the board, if one of the methods needs it.
    model: Option<Arc<ProbCutModel>>,
}

/// The effort of each method on a group, and its positions.
struct CountedGroup {
    positions: Vec<Position>,
    efforts: Vec<Effort>,
}

impl Searches {
    /// ProbCut's model is taken from `last`, searches under the same condition, if it has one.
    fn of(measurements: &[Measurement], last: Option<&Self>) -> Self {
        let Measurement { condition, depth, .. } = &measurements[0];
        let methods: Vec<Method> = measurements.iter().map(|own| own.method).collect();
        let mut model = last.and_then(|last| last.model.clone());
        let has_probcut = methods.iter().any(|method| method.algorithm == Algorithm::ProbCut);
        if has_probcut && model.is_none() {
            model = condition
                .kalah()
                .map(|kalah| Arc::new(ProbCutModel::for_kalah(kalah.rules, condition.seed)));
        }
        Self { methods, condition: condition.clone(), depth: *depth, model }
    }

    fn count(&self, nth: usize) -> CountedGroup {
        let mut efforts = vec![Effort::default(); self.methods.len()];
        if let Some(tree) = self.condition.uniform(self.depth, nth) {
            count_on(&tree, &self.methods, &mut efforts);
            return CountedGroup { positions: Vec::new(), efforts };
        }
        let mut positions = Vec::new();
        if let Trees::Kalah(kalah) = &self.condition.trees {
            let seed = self.condition.seed;
            positions = kalah.ensemble.group(kalah.rules, seed, nth, self.depth);
            for position in &positions {
                with_row!(position, R => {
                    let tree = kalah.tree::<R>(position, self.depth, seed);
                    count_on(&tree.with_model(self.model.clone()), &self.methods, &mut efforts);
                });
            }
        }
        CountedGroup { positions, efforts }
    }

    /// Each method's processor seconds.
    fn time(&self, positions: &[Position], round: usize) -> Vec<f64> {
        let mut seconds = vec![0.0; self.methods.len()];
        // No claim is about times on uniform trees.
        if let Trees::Kalah(kalah) = &self.condition.trees {
            for position in positions {
                self.time_position(kalah, position, round, &mut seconds);
            }
        }
        seconds
    }

    /// In each round a different method comes first, because the first one finds the caches cold.
    fn time_position(
        &self,
        kalah: &KalahTrees,
        position: &Position,
        round: usize,
        seconds: &mut [f64],
    ) {
        with_row!(position, R => {
            let tree = kalah
                .tree::<R>(position, self.depth, self.condition.seed)
                .with_model(self.model.clone());
            for turn in 0..self.methods.len() {
                let nth = (turn + round) % self.methods.len();
                // Without an observer, so that only the search itself is timed.
                let before = processor_time();
                std::hint::black_box(self.methods[nth].value(&tree, &mut ()));
                seconds[nth] += (processor_time() - before).as_secs_f64();
            }
        });
    }
}

fn count_on<T: Tree<Node: LeafHash>>(tree: &T, methods: &[Method], efforts: &mut [Effort]) {
    let mut truth = None;
    for (method, effort) in methods.iter().zip(efforts) {
        // A dynamic observer, because nothing is timed here: each algorithm is compiled less often.
        let mut log = LeafLog::default();
        let observer: &mut dyn Observer<_> = &mut log;
        let Some(value) = method.value(tree, observer) else { continue };
        let first = *truth.get_or_insert(value);
        let is_wrong = !method.is_right(value, first);
        let own = Effort {
            counts: log.counts,
            trees: 1,
            wrong: is_wrong.into(),
            value: value.number() as i64,
            path: log.path,
        };
        // Only single trees have a path, so those of a game need not be combined.
        *effort = Effort { path: 0, ..*effort } + own;
    }
}

/// A node as a number that distinguishes it from others.
trait LeafHash: Copy {
    fn leaf_hash(self) -> u64;
}

impl<R: Row> LeafHash for KalahNode<R> {
    fn leaf_hash(self) -> u64 {
        let mut hasher = MixHasher::default();
        (self.board, self.lead.0).hash(&mut hasher);
        hasher.finish()
    }
}

impl LeafHash for UniformNode {
    fn leaf_hash(self) -> u64 {
        self.hash
    }
}

/// Counts, and a hash of the leaves in their order.
#[derive(Debug, Default)]
struct LeafLog {
    counts: SearchCounts,
    path: u64,
}

impl<N: LeafHash> Observer<N> for LeafLog {
    fn observe(&mut self, event: TreeEvent<N>) {
        self.counts.observe(event);
        if let TreeEvent::Leaf(node) = event {
            let mixed = (self.path ^ node.leaf_hash()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.path = mixed.rotate_left(17);
        }
    }
}
