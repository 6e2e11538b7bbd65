//! How long an experiment will take, estimated before it starts.
//!
//! The size of a tree is estimated by random descents: Knuth, "Estimating the efficiency of
//! backtrack programs", Mathematics of Computation 29, 1975.

use std::time::Duration;

use thiserror::Error;

use crate::algorithms::{Algorithm, ChildOrder, KalahTree, Method, Tree};
use kalah_game::{Position, Row, with_row};
use kalah_sys::random::SplitMix64;

use super::condition::{Condition, KalahTrees, expected_leaves};
use super::ensemble::Ensemble;
use super::measure::ComparisonPlan;
use crate::uniform::Leaves;

/// Maximum number of leaves of one search.
const MAX_LEAVES: f64 = 3e9;
/// Maximum number of children of a node that are generated.
const MAX_CHILDREN: usize = 200_000;
const DESCENTS: usize = 48;
/// Leaves per second per thread, counting and timing included.
const LEAVES_PER_SECOND: f64 = 1.2e7;
/// Alpha-beta visits about as many leaves as minimax does, raised to this power.
const PRUNED: f64 = 0.75;
/// Typical number of turns of a game.
const GAME: f64 = 35.0;

/// Error for a plan that has a search of several minutes or more.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "expected searches of at most {MAX_LEAVES:.0e} leaves, got about {leaves:.0e} for {method} \
     at depth {depth} on {board}"
)]
pub struct SearchTooLong {
    /// The number of leaves to expect.
    leaves: f64,
    method: Method,
    depth: u16,
    board: String,
}

/// Roughly how long `plan` will take on `threads` threads.
pub fn duration(plan: &ComparisonPlan, threads: usize) -> Result<Duration, SearchTooLong> {
    let mut all = 0.0;
    for condition in &plan.conditions {
        for &depth in &plan.depths {
            let trees = match condition.kalah().map(|kalah| &kalah.ensemble) {
                Some(Ensemble::Games(games)) => *games as f64 * GAME,
                _ => condition.groups(depth) as f64,
            };
            let by_minimax = minimax_leaves(condition, depth);
            for &method in &plan.methods {
                let leaves = match condition.kalah() {
                    Some(_) => visited(method, by_minimax),
                    None => on_uniform(condition, depth),
                };
                if leaves > MAX_LEAVES && trees > 0.0 {
                    let board = match condition.kalah() {
                        Some(kalah) => kalah.rules.to_string(),
                        None => format!("trees of width {}", condition.width()),
                    };
                    return Err(SearchTooLong { leaves, method, depth, board });
                }
                all += leaves * trees * (1 + plan.timed_runs) as f64;
            }
        }
    }
    Ok(seconds(all / LEAVES_PER_SECOND / threads.max(1) as f64))
}

fn on_uniform(condition: &Condition, depth: u16) -> f64 {
    match condition.uniform(depth, 0).map(|tree| tree.leaves) {
        Some(Leaves::BestFirst(100)) => {
            2.0 * f64::from(condition.width()).powf(f64::from(depth) / 2.0)
        }
        _ => expected_leaves(condition.width(), depth),
    }
}

/// A duration, at most about 30 million years, so that no estimate exceeds what a [`Duration`]
/// can hold.
pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.min(1e15))
}

fn visited(method: Method, all: f64) -> f64 {
    match method.algorithm {
        Algorithm::Minimax | Algorithm::Negamax => all,
        // Ten thousand random games cost about as much as this many leaves.
        Algorithm::Uct(_) | Algorithm::Bandit(_) => 1e6,
        // OPEN and the stored tree cost several times as much as the leaves.
        Algorithm::Sss | Algorithm::ProofNumber => 8.0 * all.powf(PRUNED),
        _ if method.table => 3.0 * all.powf(PRUNED),
        Algorithm::F1(_) => all.powf(PRUNED + 0.08),
        _ => all.powf(PRUNED),
    }
}

/// The approximate number of leaves that minimax visits on a position of the ensemble; 0 on
/// uniform trees.
fn minimax_leaves(condition: &Condition, depth: u16) -> f64 {
    let Some(kalah) = condition.kalah() else { return 0.0 };
    let mut random = SplitMix64::new(condition.seed);
    let groups = 0..kalah.ensemble.groups().min(DESCENTS / 4);
    let positions: Vec<Position> =
        groups.flat_map(|nth| kalah.ensemble.group(kalah.rules, condition.seed, nth, 1)).collect();
    let descents = (0..DESCENTS).map(|nth| {
        let position = &positions[nth % positions.len()];
        with_row!(position, R => descent::<R>(kalah, position, depth, &mut random))
    });
    descents.sum::<f64>() / DESCENTS as f64
}

/// The product of the numbers of children on a random descent. Its expectation is the
/// number of leaves.
fn descent<R: Row>(
    kalah: &KalahTrees,
    position: &Position,
    depth: u16,
    random: &mut SplitMix64,
) -> f64 {
    let tree = KalahTree::<R>::new(position, depth, kalah.extra_turns, ChildOrder::Far);
    let mut node = tree.root();
    let mut leaves = 1.0;
    // The bound ends descents in trees that are far too large anyway, before the product overflows.
    while !tree.is_leaf(node) && leaves < 1e30 {
        let children: Vec<_> = tree.children(node).take(MAX_CHILDREN).collect();
        leaves *= children.len() as f64;
        node = children[random.below(children.len())].node;
    }
    leaves
}
