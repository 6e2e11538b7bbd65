//! Methods side by side on positions of Kalah.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use derive_more::Add;

use crate::algorithms::{
    Algorithm, ChildOrder, ExtraTurns, KalahNode, KalahTree, Method, MixHasher, Observer,
    ProbCutModel, SearchCounts, TreeEvent,
};
use kalah_game::{Capture, Position, Row, Rules, with_row};
use kalah_sys::clock::processor_time;
use kalah_sys::parallel::map;

use super::ensemble::Ensemble;
use kalah_tables::statistics::{Estimate, Statistic, median};

/// The conditions of a comparison, apart from the depth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// Pits, seeds, capture rule; the seeds have no meaning for given positions.
    pub rules: Rules,
    /// The depth that an extra turn costs.
    pub extra_turns: ExtraTurns,
    /// The order of the children.
    pub order: ChildOrder,
    /// Which positions are searched.
    pub ensemble: Ensemble,
    /// The seed of the ensemble and of a random order.
    pub seed: u64,
}

impl Condition {
    /// Seeds per pit at the start; `None` for given positions.
    pub fn seeds(&self) -> Option<u32> {
        (!matches!(self.ensemble, Ensemble::Given(_))).then(|| self.rules.seeds())
    }

    /// The board as `(6,4)` or, for given positions, by its pits alone.
    pub fn board(&self) -> String {
        let capture = match self.rules.capture() {
            Capture::Standard => "",
            Capture::EmptyCapture => " empty-capture",
        };
        match self.seeds() {
            Some(seeds) => format!("({},{seeds}){capture}", self.rules.pits()),
            None => format!("{} pits{capture}", self.rules.pits()),
        }
    }

    /// The tree of `depth` moves below a position.
    pub(super) fn tree<R: Row>(&self, position: &Position, depth: u16) -> KalahTree<R> {
        KalahTree::new(position, depth, self.extra_turns, self.order).with_seed(self.seed)
    }
}

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

/// The effort of a method on a group of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Add)]
pub struct Effort {
    /// Sums over the positions.
    pub counts: SearchCounts,
    /// Distinct positions among the leaves of each search, added up.
    pub distinct: u64,
    /// Positions that were searched.
    pub positions: u64,
    /// Positions on which the value differed from that of the plan's first method.
    pub wrong: u64,
    /// The sum of the values; for a single position, its value.
    pub value: i64,
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
    /// run to run.
    pub rounds: Vec<Vec<f64>>,
}

/// The difference between processor times of the same code in two runs of the program, in
/// percent. No number of repetitions within a run removes it, because the memory layout
/// changes from run to run, and other programs share the caches.
const MACHINE: f64 = 2.0;
/// The minimum number of rounds needed to show how much times vary.
const MIN_ROUNDS: usize = 3;

impl Measurement {
    /// The effort on the whole ensemble.
    pub fn total(&self) -> Effort {
        self.groups.iter().fold(Effort::default(), |sum, &effort| sum + effort)
    }

    /// The mean of `cost` over the groups of the ensemble; for times, of the median
    /// of the rounds.
    pub(crate) fn mean(&self, cost: SearchCost) -> Statistic {
        match cost {
            SearchCost::Leaves => self.mean_count(|counts| counts.leaves),
            SearchCost::Researches => self.mean_count(|counts| counts.researches),
            SearchCost::Time => Statistic::mean((0..self.groups.len()).map(|nth| self.time(nth))),
        }
    }

    /// The mean of a count over the groups of the ensemble.
    pub(crate) fn mean_count(&self, count: fn(&SearchCounts) -> u64) -> Statistic {
        Statistic::mean(self.groups.iter().map(|effort| count(&effort.counts) as f64))
    }

    /// Processor seconds of a group: the median of the rounds, NaN without any.
    fn time(&self, nth: usize) -> f64 {
        let mut times: Vec<f64> = self.rounds.iter().map(|round| round[nth]).collect();
        median(&mut times)
    }

    /// Processor seconds of the whole ensemble, if times were measured.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.is_timed().then(|| (0..self.groups.len()).map(|nth| self.time(nth)).sum())
    }

    /// Percent of leaves that are saved against `baseline`, which was measured
    /// on the same ensemble.
    pub fn leaves_saved(&self, baseline: &Measurement) -> Estimate {
        self.saved(baseline, SearchCost::Leaves)
    }

    /// Percent of `cost` that is saved against `baseline`. The error of a time includes
    /// the noise of the machine: half the range of the rounds, and [`MACHINE`].
    pub(crate) fn saved(&self, baseline: &Measurement, cost: SearchCost) -> Estimate {
        let Estimate { value, error } = self.mean(cost).saved(&baseline.mean(cost)).estimate();
        if cost != SearchCost::Time {
            return Estimate { value, error };
        }
        let rounds = self.rounds.iter().zip(&baseline.rounds);
        let saved = rounds.map(|(own, others)| {
            100.0 * (1.0 - own.iter().sum::<f64>() / others.iter().sum::<f64>())
        });
        // Half the range rather than a standard deviation, which a few rounds cannot estimate.
        let (low, high) = saved.fold((value, value), |(low, high), saved| {
            (f64::min(low, saved), f64::max(high, saved))
        });
        Estimate { value, error: error.hypot((high - low) / 2.0).hypot(MACHINE) }
    }

    pub(crate) fn is_timed(&self) -> bool {
        !self.rounds.is_empty()
    }

    /// Whether the error of times is known, which takes several positions and enough
    /// rounds.
    pub(crate) fn times_can_decide(&self) -> bool {
        self.groups.len() > 1 && self.rounds.len() >= MIN_ROUNDS
    }
}

/// A cost of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchCost {
    Leaves,
    /// Second searches of a node.
    Researches,
    /// Processor time of the search.
    Time,
}

/// All measurements of a plan, in the order condition, depth, method.
#[derive(Clone, Debug, Default)]
pub struct Measurements(pub Vec<Measurement>);

impl Measurements {
    /// The measurement for a condition, depth and method.
    pub fn find(&self, condition: &Condition, depth: u16, method: Method) -> Option<&Measurement> {
        self.0.iter().find(|measurement| {
            measurement.condition == *condition
                && measurement.depth == depth
                && measurement.method == method
        })
    }

    /// All measurements under a condition.
    pub(crate) fn under(
        &self,
        condition: &Condition,
    ) -> impl Iterator<Item = &Measurement> + Clone {
        self.0.iter().filter(move |measurement| measurement.condition == *condition)
    }

    /// Percent of a baseline's cost that SCOUT saves, if that was measured.
    pub(crate) fn scout_saves(
        &self,
        condition: &Condition,
        depth: u16,
        baseline: Algorithm,
        cost: SearchCost,
    ) -> Option<Estimate> {
        let [scout, baseline] = [Algorithm::Scout, baseline]
            .map(|algorithm| self.find(condition, depth, algorithm.into()));
        Some(scout?.saved(baseline?, cost)).filter(|saved| !saved.value.is_nan())
    }

    /// The different conditions, in the order of the plan.
    pub fn conditions(&self) -> Vec<Condition> {
        distinct(self.0.iter().map(|measurement| measurement.condition.clone()))
    }

    /// The different depths, ascending.
    pub fn depths(&self) -> Vec<u16> {
        let mut depths: Vec<u16> = self.0.iter().map(|measurement| measurement.depth).collect();
        depths.sort_unstable();
        depths.dedup();
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
    /// The number of pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let groups: usize = self.conditions.iter().map(|c| c.ensemble.groups()).sum();
        groups * self.depths.len() * (1 + self.timed_runs)
    }

    /// Runs everything. All results but the times are the same with any number of
    /// threads. `done` is called once for each of [`ComparisonPlan::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Measurements {
        let mut pieces = Vec::new();
        for condition in &self.conditions {
            let model = self.model(condition);
            for &depth in &self.depths {
                let groups = 0..condition.ensemble.groups();
                let model = &model;
                pieces.extend(groups.map(|nth| {
                    let model = model.clone();
                    GroupTask { methods: &self.methods, condition, model, depth, nth }
                }));
            }
        }
        let counted = map(&pieces, threads, done, GroupTask::count);
        // A round goes through all pieces, so that the times of one search lie far apart and
        // vary as they would between runs of the program.
        let to_time: Vec<_> = pieces.iter().zip(&counted).collect();
        let rounds: Vec<Vec<Vec<f64>>> = (0..self.timed_runs)
            .map(|round| {
                map(&to_time, threads, done, |(piece, (group, _))| piece.time(group, round))
            })
            .collect();
        let mut measurements = Vec::new();
        let mut first = 0;
        for condition in &self.conditions {
            for &depth in &self.depths {
                let own = first..first + condition.ensemble.groups();
                first = own.end;
                for (nth, &method) in self.methods.iter().enumerate() {
                    let groups = counted[own.clone()].iter().map(|(_, efforts)| efforts[nth]);
                    let rounds = rounds
                        .iter()
                        .map(|groups| groups[own.clone()].iter().map(|times| times[nth]).collect());
                    measurements.push(Measurement {
                        condition: condition.clone(),
                        depth,
                        method,
                        groups: groups.collect(),
                        rounds: rounds.collect(),
                    });
                }
            }
        }
        Measurements(measurements)
    }

    /// ProbCut's model of the board, if one of the methods needs it.
    fn model(&self, condition: &Condition) -> Option<Arc<ProbCutModel>> {
        let is_wanted = self.methods.iter().any(|m| m.algorithm == Algorithm::ProbCut);
        is_wanted.then(|| Arc::new(ProbCutModel::for_kalah(condition.rules, condition.seed)))
    }
}

/// All methods on a group of positions at a depth.
struct GroupTask<'a> {
    methods: &'a [Method],
    condition: &'a Condition,
    model: Option<Arc<ProbCutModel>>,
    depth: u16,
    nth: usize,
}

impl GroupTask<'_> {
    fn tree<R: Row>(&self, position: &Position) -> KalahTree<R> {
        self.condition.tree(position, self.depth).with_model(self.model.clone())
    }

    /// The positions, and each method's effort on them.
    fn count(&self) -> (Vec<Position>, Vec<Effort>) {
        let Condition { rules, ref ensemble, seed, .. } = *self.condition;
        let group = ensemble.group(rules, seed, self.nth, self.depth);
        let mut efforts = vec![Effort::default(); self.methods.len()];
        for position in &group {
            with_row!(position, R => count_on(&self.tree::<R>(position), self.methods, &mut efforts));
        }
        (group, efforts)
    }

    /// Each method's processor seconds on the positions. In each round a different method
    /// comes first, because the first one finds the caches cold.
    fn time(&self, group: &[Position], round: usize) -> Vec<f64> {
        let mut seconds = vec![0.0; self.methods.len()];
        for position in group {
            with_row!(position, R => {
                let tree = self.tree::<R>(position);
                for turn in 0..self.methods.len() {
                    let nth = (turn + round) % self.methods.len();
                    // Without an observer, so that only the search itself is timed.
                    let before = processor_time();
                    std::hint::black_box(self.methods[nth].value(&tree, &mut ()));
                    seconds[nth] += (processor_time() - before).as_secs_f64();
                }
            });
        }
        seconds
    }
}

fn count_on<R: Row>(tree: &KalahTree<R>, methods: &[Method], efforts: &mut [Effort]) {
    let mut truth = None;
    for (method, effort) in methods.iter().zip(efforts) {
        // A dynamic observer, because nothing is timed here: each algorithm is compiled less often.
        let mut census = LeafLog::default();
        let observer: &mut dyn Observer<_> = &mut census;
        let value = method.value(tree, observer).expect("a counter never stops a search");
        let wrong = truth.is_some_and(|truth| !method.is_right(value, truth));
        truth.get_or_insert(value);
        census.leaves.sort_unstable();
        census.leaves.dedup();
        let distinct = census.leaves.len() as u64;
        let (counts, wrong) = (census.counts, wrong.into());
        let own = Effort { counts, distinct, positions: 1, wrong, value: value.0.into() };
        *effort = *effort + own;
    }
}

/// Counts, and the hash of each leaf.
#[derive(Debug, Default)]
struct LeafLog {
    counts: SearchCounts,
    leaves: Vec<u64>,
}

impl<R: Row> Observer<KalahNode<R>> for LeafLog {
    fn observe(&mut self, event: TreeEvent<KalahNode<R>>) {
        self.counts.observe(event);
        if let TreeEvent::Leaf(node) = event {
            let mut hasher = MixHasher::default();
            // Hashes take less memory than nodes, and a search may have billions of leaves.
            (node.board, node.lead.0).hash(&mut hasher);
            self.leaves.push(hasher.finish());
        }
    }
}
