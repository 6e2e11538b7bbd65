//! Methods side by side on positions of Kalah.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use crate::game::{Capture, Row, Rules, with_row};
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
    /// What the ensemble follows from.
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
    /// Timed runs of each method on each position, interleaved; the median
    /// counts. With 0 no time is taken.
    pub timed_runs: usize,
}

/// What a method did on a group of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Sums over the positions.
    pub counts: Counts,
    /// Different positions among the leaves, each position's search for itself.
    pub distinct: u64,
    /// Processor time, not part of what is the same on every machine.
    pub time: Duration,
    /// Positions that were searched.
    pub positions: u64,
    /// Positions on which the value was not that of the plan's first method.
    pub wrong: u64,
}

impl Effort {
    fn add(&mut self, other: &Self) {
        self.counts += other.counts;
        self.distinct += other.distinct;
        self.time += other.time;
        self.positions += other.positions;
        self.wrong += other.wrong;
    }
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
}

impl Outcome {
    /// The effort on the whole ensemble.
    pub fn total(&self) -> Effort {
        let mut total = Effort::default();
        self.groups.iter().for_each(|effort| total.add(effort));
        total
    }

    /// The mean of `cost` over the groups of the ensemble.
    pub(crate) fn mean(&self, cost: Cost) -> Statistic {
        Statistic::mean(self.groups.iter().map(|effort| match cost {
            Cost::Leaves => effort.counts.leaves as f64,
            Cost::Time => effort.time.as_secs_f64(),
        }))
    }

    /// Percent of leaves that are saved against `baseline`, which was measured
    /// on the same ensemble.
    pub fn leaves_saved(&self, baseline: &Outcome) -> Estimate {
        self.saved(baseline, Cost::Leaves)
    }

    /// Percent of `cost` that is saved against `baseline`.
    pub(crate) fn saved(&self, baseline: &Outcome, cost: Cost) -> Estimate {
        self.mean(cost).saved(&baseline.mean(cost)).estimate()
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.groups.iter().any(|effort| !effort.time.is_zero())
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
        self.conditions.iter().map(|condition| condition.ensemble.groups()).sum()
    }

    /// Runs everything. All but the times is the same for every number of
    /// threads. `done` is called once for each of [`Plan::pieces`].
    pub fn run(&self, threads: usize, done: &(dyn Fn() + Sync)) -> Outcomes {
        let models: Vec<Option<Arc<Model>>> =
            self.conditions.iter().map(|c| self.model(c)).collect();
        let pieces: Vec<(&Condition, Option<&Arc<Model>>, usize)> = self
            .conditions
            .iter()
            .zip(&models)
            .flat_map(|(condition, model)| {
                let groups = 0..condition.ensemble.groups();
                groups.map(move |nth| (condition, model.as_ref(), nth))
            })
            .collect();
        // For each piece, depth by depth, the effort of each method.
        let efforts: Vec<Vec<Vec<Effort>>> =
            map(&pieces, threads, done, |&(condition, model, nth)| {
                let group = |&depth: &u16| self.group(condition, model, nth, depth);
                self.depths.iter().map(group).collect()
            });
        let mut outcomes = Vec::new();
        let mut rest = &efforts[..];
        for condition in &self.conditions {
            let (own, others) = rest.split_at(condition.ensemble.groups());
            rest = others;
            for (at, &depth) in self.depths.iter().enumerate() {
                for (nth, &method) in self.methods.iter().enumerate() {
                    let groups = own.iter().map(|depths| depths[at][nth]).collect();
                    let condition = condition.clone();
                    outcomes.push(Outcome { condition, depth, method, groups });
                }
            }
        }
        Outcomes(outcomes)
    }

    /// A model of the board, if a method is ProbCut.
    fn model(&self, condition: &Condition) -> Option<Arc<Model>> {
        let is_probcut = |method: &Method| method.algorithm == Algorithm::ProbCut;
        let fitted = || Arc::new(Model::of_kalah(condition.rules, 7, 100, condition.seed));
        self.methods.iter().any(is_probcut).then(fitted)
    }

    /// Each method's effort on a group of the ensemble.
    fn group(
        &self,
        condition: &Condition,
        model: Option<&Arc<Model>>,
        nth: usize,
        depth: u16,
    ) -> Vec<Effort> {
        let Condition { rules, ref ensemble, seed, .. } = *condition;
        let mut efforts = vec![Effort::default(); self.methods.len()];
        for position in ensemble.group(rules, seed, nth, depth) {
            with_row!(position, R => {
                let Condition { extra_turns, order, .. } = *condition;
                let tree = KalahTree::<R>::new(&position, depth, extra_turns, order);
                self.search(&tree.with_model(model.cloned()), &mut efforts);
            });
        }
        efforts
    }

    fn search<R: Row>(&self, tree: &KalahTree<R>, efforts: &mut [Effort]) {
        let mut truth = None;
        for (method, effort) in self.methods.iter().zip(&mut *efforts) {
            let mut census = Census::default();
            let value = method.value(tree, &mut census).expect("counters stop no search");
            let wrong = truth.is_some_and(|truth| !method.is_right(value, truth));
            truth.get_or_insert(value);
            effort.add(&Effort {
                counts: census.counts,
                distinct: census.distinct(),
                time: Duration::ZERO,
                positions: 1,
                wrong: wrong.into(),
            });
        }
        let mut times = vec![Vec::new(); self.methods.len()];
        for _ in 0..self.timed_runs {
            for (method, times) in self.methods.iter().zip(&mut times) {
                let before = processor_time();
                std::hint::black_box(method.value(tree, &mut ()));
                times.push((processor_time() - before).as_secs_f64());
            }
        }
        if self.timed_runs > 0 {
            for (effort, times) in efforts.iter_mut().zip(&mut times) {
                effort.time += Duration::from_secs_f64(median(times));
            }
        }
    }
}

/// Counts, and the hash of each leaf.
#[derive(Debug, Default)]
struct Census {
    counts: Counts,
    leaves: Vec<u64>,
}

impl Census {
    fn distinct(mut self) -> u64 {
        self.leaves.sort_unstable();
        self.leaves.dedup();
        self.leaves.len() as u64
    }
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
