//! Methods side by side on positions of Kalah.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use derive_more::Add;

use crate::game::{Capture, Position, Row, Rules, with_row};
use crate::lab::algorithms::{
    Algorithm, Counts, Event, ExtraTurns, KalahNode, KalahTree, Method, MixHasher, Model, Observer,
    Order,
};
use crate::sys::clock::processor_time;
use crate::sys::parallel::map;

use super::ensemble::Ensemble;
use crate::sys::statistics::{Estimate, Statistic, median};

/// What one comparison holds fixed, but for the depth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// Pits, seeds, capture rule; of given positions the seeds mean nothing.
    pub rules: Rules,
    /// What an extra turn costs.
    pub extra_turns: ExtraTurns,
    /// Which child comes first.
    pub order: Order,
    /// Which positions are searched.
    pub ensemble: Ensemble,
    /// What the ensemble and a random order follow from.
    pub seed: u64,
}

impl Condition {
    /// Seeds a pit at the start, if the positions come from there.
    pub fn seeds(&self) -> Option<u32> {
        (!matches!(self.ensemble, Ensemble::Given(_))).then(|| self.rules.seeds())
    }

    /// The board as `(6,4)`, or by its pits alone.
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

/// Conditions, each with each depth and each method.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is held fixed.
    pub conditions: Vec<Condition>,
    /// How many moves deep; ascending, without 0.
    pub depths: Vec<u16>,
    /// The first one's values are what the others are checked against.
    pub methods: Vec<Method>,
    /// Timed rounds. Each runs all methods on all positions, interleaved. With 0 no
    /// time is taken.
    pub timed_runs: usize,
}

/// What a method did on a group of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Add)]
pub struct Effort {
    /// Sums over the positions.
    pub counts: Counts,
    /// Different positions among the leaves, each position's search for itself.
    pub distinct: u64,
    /// Positions that were searched.
    pub positions: u64,
    /// Positions on which the value was not that of the plan's first method.
    pub wrong: u64,
}

/// A method at a depth under a condition.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was held fixed.
    pub condition: Condition,
    /// Moves from the root to the frontier.
    pub depth: u16,
    /// The algorithm with its table, deepening and aspiration.
    pub method: Method,
    /// Its effort on each group of the ensemble, in order.
    pub groups: Vec<Effort>,
    /// Processor seconds of each timed round, group by group. Unlike the counts they
    /// differ from run to run.
    pub rounds: Vec<Vec<f64>>,
}

/// What processor times of the same code differ by from one run of the program to the
/// next, in percent, however often each run repeats them: the memory layout changes, and
/// the caches are shared with other programs.
const MACHINE: f64 = 2.0;
/// The fewest rounds that show how much times vary.
const MIN_ROUNDS: usize = 3;

impl Outcome {
    /// The effort on the whole ensemble.
    pub fn total(&self) -> Effort {
        self.groups.iter().fold(Effort::default(), |sum, &effort| sum + effort)
    }

    /// The mean of `cost` over the groups of the ensemble; of times the median of the
    /// rounds.
    pub(crate) fn mean(&self, cost: Cost) -> Statistic {
        match cost {
            Cost::Leaves => {
                Statistic::mean(self.groups.iter().map(|effort| effort.counts.leaves as f64))
            }
            Cost::Time => Statistic::mean((0..self.groups.len()).map(|nth| self.time(nth))),
        }
    }

    /// Processor seconds of a group: the median of the rounds, NaN without any.
    fn time(&self, nth: usize) -> f64 {
        let mut times: Vec<f64> = self.rounds.iter().map(|round| round[nth]).collect();
        median(&mut times)
    }

    /// Processor seconds of the whole ensemble, if time was taken.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.is_timed().then(|| (0..self.groups.len()).map(|nth| self.time(nth)).sum())
    }

    /// Percent of leaves that are saved against `baseline`, which was measured
    /// on the same ensemble.
    pub fn leaves_saved(&self, baseline: &Outcome) -> Estimate {
        self.saved(baseline, Cost::Leaves)
    }

    /// Percent of `cost` that is saved against `baseline`. The error of a time holds
    /// the noise of the machine: half the range of the rounds, and [`MACHINE`].
    pub(crate) fn saved(&self, baseline: &Outcome, cost: Cost) -> Estimate {
        let Estimate { value, error } = self.mean(cost).saved(&baseline.mean(cost)).estimate();
        if cost == Cost::Leaves {
            return Estimate { value, error };
        }
        let rounds = self.rounds.iter().zip(&baseline.rounds);
        let saved = rounds.map(|(own, others)| {
            100.0 * (1.0 - own.iter().sum::<f64>() / others.iter().sum::<f64>())
        });
        let (low, high) = saved.fold((value, value), |(low, high), saved| {
            (f64::min(low, saved), f64::max(high, saved))
        });
        Estimate { value, error: error.hypot((high - low) / 2.0).hypot(MACHINE) }
    }

    pub(crate) fn is_timed(&self) -> bool {
        !self.rounds.is_empty()
    }

    /// Whether times have an error that is known: there are several positions, and
    /// rounds enough.
    pub(crate) fn times_can_decide(&self) -> bool {
        self.groups.len() > 1 && self.rounds.len() >= MIN_ROUNDS
    }
}

/// What a search costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    Leaves,
    /// Processor time of the search.
    Time,
}

/// All outcomes of a plan, in the order condition, depth, method.
#[derive(Clone, Debug, Default)]
pub struct Outcomes(pub Vec<Outcome>);

impl Outcomes {
    /// The outcome for a condition, depth and method.
    pub fn find(&self, condition: &Condition, depth: u16, method: Method) -> Option<&Outcome> {
        self.0.iter().find(|outcome| {
            outcome.condition == *condition && outcome.depth == depth && outcome.method == method
        })
    }

    /// Percent of a baseline's leaves that SCOUT saves, where both were measured.
    pub(crate) fn scout_saves(
        &self,
        condition: &Condition,
        depth: u16,
        baseline: Algorithm,
    ) -> Option<Estimate> {
        let [scout, baseline] = [Algorithm::Scout, baseline]
            .map(|algorithm| self.find(condition, depth, algorithm.into()));
        Some(scout?.leaves_saved(baseline?))
    }

    /// The different conditions, in the order of the plan.
    pub fn conditions(&self) -> Vec<Condition> {
        distinct(self.0.iter().map(|outcome| outcome.condition.clone()))
    }

    /// The different depths, ascending.
    pub fn depths(&self) -> Vec<u16> {
        let mut depths: Vec<u16> = self.0.iter().map(|outcome| outcome.depth).collect();
        depths.sort_unstable();
        depths.dedup();
        depths
    }

    /// The different methods, in the order of the plan.
    pub fn methods(&self) -> Vec<Method> {
        distinct(self.0.iter().map(|outcome| outcome.method))
    }
}

/// Each item where it first occurs.
pub(crate) fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

impl Plan {
    /// Pieces of work, for a progress bar.
    pub fn pieces(&self) -> usize {
        let groups: usize = self.conditions.iter().map(|c| c.ensemble.groups()).sum();
        groups * self.depths.len() * (1 + self.timed_runs)
    }

    /// Runs everything. All but the times is the same for every number of
    /// threads. `done` is called once for each of [`Plan::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Outcomes {
        let mut pieces = Vec::new();
        for condition in &self.conditions {
            let model = self.model(condition);
            for &depth in &self.depths {
                let groups = 0..condition.ensemble.groups();
                let model = &model;
                pieces.extend(groups.map(|nth| {
                    let model = model.clone();
                    Piece { methods: &self.methods, condition, model, depth, nth }
                }));
            }
        }
        let counted = map(&pieces, threads, done, Piece::count);
        // Rounds are far apart, so that they differ as runs of the program do.
        let to_time: Vec<_> = pieces.iter().zip(&counted).collect();
        let rounds: Vec<Vec<Vec<f64>>> = (0..self.timed_runs)
            .map(|round| {
                map(&to_time, threads, done, |(piece, (group, _))| piece.time(group, round))
            })
            .collect();
        let mut outcomes = Vec::new();
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
                    outcomes.push(Outcome {
                        condition: condition.clone(),
                        depth,
                        method,
                        groups: groups.collect(),
                        rounds: rounds.collect(),
                    });
                }
            }
        }
        Outcomes(outcomes)
    }

    /// A model of the board, if a method is ProbCut.
    fn model(&self, condition: &Condition) -> Option<Arc<Model>> {
        let is_wanted = self.methods.iter().any(|m| m.algorithm == Algorithm::ProbCut);
        is_wanted.then(|| Arc::new(Model::of_kalah(condition.rules, 7, 100, condition.seed)))
    }
}

/// All methods on a group of positions at a depth.
struct Piece<'a> {
    methods: &'a [Method],
    condition: &'a Condition,
    model: Option<Arc<Model>>,
    depth: u16,
    nth: usize,
}

impl Piece<'_> {
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

    /// Each method's processor seconds on the positions. In each round another method
    /// comes first, because the first one finds the caches cold.
    fn time(&self, group: &[Position], round: usize) -> Vec<f64> {
        let mut seconds = vec![0.0; self.methods.len()];
        for position in group {
            with_row!(position, R => {
                let tree = self.tree::<R>(position);
                for turn in 0..self.methods.len() {
                    let nth = (turn + round) % self.methods.len();
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
        let mut census = Census::default();
        let observer: &mut dyn Observer<_> = &mut census;
        let value = method.value(tree, observer).expect("counters stop no search");
        let wrong = truth.is_some_and(|truth| !method.is_right(value, truth));
        truth.get_or_insert(value);
        census.leaves.sort_unstable();
        census.leaves.dedup();
        let distinct = census.leaves.len() as u64;
        let own = Effort { counts: census.counts, distinct, positions: 1, wrong: wrong.into() };
        *effort = *effort + own;
    }
}

/// Counts, and the hash of each leaf.
#[derive(Debug, Default)]
struct Census {
    counts: Counts,
    leaves: Vec<u64>,
}

impl<R: Row> Observer<KalahNode<R>> for Census {
    #[inline]
    fn observe(&mut self, event: Event<KalahNode<R>>) {
        self.counts.observe(event);
        if let Event::Leaf(node) = event {
            let mut hasher = MixHasher::default();
            (node.board, node.lead.0).hash(&mut hasher);
            self.leaves.push(hasher.finish());
        }
    }
}
