//! Searches by an algorithm of the lab, under the limits of any other search.
//!
//! The algorithm searches the lab's tree, whose leaves are valued by the difference of
//! the stores. If depth is its only limit, it visits exactly the leaves that a comparison
//! counts; otherwise it deepens until it is stopped or has searched the whole tree.
//! It uses neither the engine's transposition table nor its threads, skill or endgame
//! tables.

use std::sync::Arc;
use std::time::Duration;

use crate::game::depth::Depth;
use crate::game::score::{Gain, Value};
use crate::game::{PitSet, Position, Row, Rules, with_row};
use crate::lab::{
    Counts, Event as Step, ExtraTurns, Found, KalahTree, Method, Model, Observer, Order,
};
use crate::search::{Control, Event, Info, Limits, Patience, SearchResult, Stopper};

/// The position, the algorithm and the limits of a search.
pub(super) struct Job<'a> {
    pub position: &'a Position,
    pub limits: Limits,
    pub overhead: Duration,
    pub method: Method,
    pub order: Order,
    pub extra_turns: ExtraTurns,
    /// The fitted errors of shallow searches, on which ProbCut bases its cuts.
    pub model: Option<Arc<Model>>,
    /// Seed of random orders and random games.
    pub seed: u64,
}

/// Nodes after which a method that stores them ends its search, so that they take less
/// than a GiB.
const MAX_STORED: u64 = 8_000_000;

/// Searches in the calling thread; `report` receives each finished iteration.
pub(super) fn search(
    job: Job<'_>,
    stopper: &Stopper,
    report: &mut dyn FnMut(Event),
) -> SearchResult {
    let control = Control::new(job.limits, job.position.in_play(), job.overhead, stopper.clone());
    let moves = job.limits.allowed(job.position.moves());
    let info = (!moves.is_empty())
        .then(|| with_row!(job.position, R => run::<R>(job, moves, &control, report)));
    control.hold_bestmove();
    SearchResult { best: info.as_ref().map(|info| info.pv[0]), ponder: None, info }
}

fn run<R: Row>(
    job: Job<'_>,
    moves: PitSet,
    control: &Control,
    report: &mut dyn FnMut(Event),
) -> Info {
    let Job { position, limits, method, order, extra_turns, .. } = job;
    let samples = method.algorithm.samples();
    // Random games need a tree without a frontier: they end by themselves.
    let deepest = if samples { u16::MAX } else { Depth::MAX.0 };
    let depth = limits.depth.map_or(deepest, |Depth(depth)| depth);
    let tree = KalahTree::<R>::new(position, depth, extra_turns, order);
    let tree = tree.with_seed(job.seed).starting_with(moves).with_model(job.model);
    let by_depth = Limits { moves: limits.moves, depth: limits.depth, ..Limits::default() };
    let only_depth = limits.depth.is_some() && limits == by_depth;
    let method = if only_depth { method } else { method.until_stopped() };
    let max_nodes = if method.stores_nodes() { MAX_STORED } else { u64::MAX };
    let interval = control.report_interval();
    let mut meter = Meter { control, counts: Counts::default(), pending: 0, interval, max_nodes };
    let found = method.play(&tree, &mut meter, job.seed, |found, meter| {
        report(Event::Info(meter.info(&tree, found, samples)));
        if !control.has_time(Patience::default()) {
            control.stop();
        }
    });
    meter.info(&tree, &found, samples)
}

/// Counts for the report, and for the limits.
struct Meter<'c> {
    control: &'c Control,
    counts: Counts,
    /// Nodes that are not yet reported to the control.
    pending: u64,
    /// Nodes from one report to the next.
    interval: u64,
    max_nodes: u64,
}

impl Meter<'_> {
    fn info<R: Row>(&self, tree: &KalahTree<R>, found: &Found<Gain>, samples: bool) -> Info {
        let depth = if samples { 1 } else { found.height };
        Info {
            depth: Depth(depth),
            seldepth: depth,
            time: self.control.elapsed(),
            nodes: self.counts.nodes(),
            leaves: Some(self.counts.leaves),
            multipv: 1,
            margin: Value::from(found.value),
            pv: tree.sowings(found.best.unwrap_or(0)),
            ..Info::default()
        }
    }
}

impl<N> Observer<N> for Meter<'_> {
    #[inline]
    fn observe(&mut self, event: Step<N>) {
        let is_node = matches!(event, Step::Leaf(_) | Step::Interior(_));
        self.counts.observe(event);
        self.pending += u64::from(is_node);
        if self.pending >= self.interval {
            self.control.count(self.pending, 0);
            self.pending = 0;
            if self.counts.nodes() >= self.max_nodes {
                self.control.stop();
            }
        }
    }

    #[inline]
    fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }
}

/// ProbCut's model for the board of `position`, fitted to positions that are reached from
/// the start by random turns. Fitting takes a few hundredths of a second.
pub(super) fn fitted(position: &Position) -> Model {
    let seeds = position.total() / (2 * position.pits() as u32);
    let variant = position.variant();
    let Ok(rules) = Rules::new(variant.pits() as u32, seeds.max(1), variant.capture()) else {
        return Model::default();
    };
    Model::of_kalah(rules, 6, 100, 1)
}
