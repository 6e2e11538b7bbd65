//! How long an experiment will take, estimated before it starts.
//!
//! Trees are measured by random descents: Knuth, "Estimating the efficiency of
//! backtrack programs", Mathematics of Computation 29, 1975.

use std::time::Duration;

use crate::game::{Position, Row, with_row};
use crate::lab::algorithms::{Algorithm, KalahTree, Method, Order, Tree};
use crate::sys::random::SplitMix64;

use super::ensemble::Ensemble;
use super::kalah::{Condition, Plan};

/// The most leaves of one search.
const MAX_LEAVES: f64 = 3e9;
/// The most children of a node that are counted.
const MAX_CHILDREN: usize = 200_000;
const DESCENTS: usize = 48;
/// Leaves a second of one thread, counting and timing included.
const LEAVES_PER_SECOND: f64 = 1.2e7;
/// Alpha-beta visits about this power of the leaves of minimax.
const PRUNED: f64 = 0.75;
/// Turns of a game.
const GAME: f64 = 35.0;

/// Roughly how long `plan` will take on `threads` threads.
///
/// # Errors
/// A message if a single search would take several minutes or more.
pub(crate) fn duration(plan: &Plan, threads: usize) -> Result<Duration, String> {
    let mut leaves = 0.0;
    for condition in &plan.conditions {
        let positions = match condition.ensemble {
            Ensemble::Games(games) => games as f64 * GAME,
            ref other => other.groups() as f64,
        };
        for &depth in &plan.depths {
            let all = minimax_leaves(condition, depth);
            for &method in &plan.methods {
                let visited = visited(method, all);
                if visited > MAX_LEAVES {
                    return Err(format!(
                        "expected searches of at most {MAX_LEAVES:.0e} leaves, got about \
                         {visited:.0e} for {method} at depth {depth} on {}",
                        condition.rules
                    ));
                }
                leaves += visited * positions * (1 + plan.timed_runs) as f64;
            }
        }
    }
    Ok(Duration::from_secs_f64(leaves / LEAVES_PER_SECOND / threads.max(1) as f64))
}

fn visited(method: Method, all: f64) -> f64 {
    match method.algorithm {
        Algorithm::Minimax | Algorithm::Negamax => all,
        // Ten thousand random games cost as much as this.
        Algorithm::Uct(_) => 1e6,
        // Queues and hash tables cost several times a leaf.
        Algorithm::Sss | Algorithm::ProofNumber => 8.0 * all.powf(PRUNED),
        _ if method.table => 3.0 * all.powf(PRUNED),
        Algorithm::F1 => all.powf(PRUNED + 0.08),
        _ => all.powf(PRUNED),
    }
}

/// About how many leaves minimax visits on a position of the ensemble.
fn minimax_leaves(condition: &Condition, depth: u16) -> f64 {
    let mut random = SplitMix64::new(condition.seed);
    let start = [Position::start(condition.rules)];
    let positions: Vec<Position> = match &condition.ensemble {
        Ensemble::Start => start.to_vec(),
        Ensemble::Given(positions) => positions.to_vec(),
        _ => (0..DESCENTS / 4)
            .flat_map(|nth| {
                Ensemble::Positions(DESCENTS).group(condition.rules, condition.seed, nth, 1)
            })
            .chain(start)
            .collect(),
    };
    let descents = (0..DESCENTS).map(|nth| {
        let position = &positions[nth % positions.len()];
        with_row!(position, R => descent::<R>(condition, position, depth, &mut random))
    });
    descents.sum::<f64>() / DESCENTS as f64
}

/// The product of the widths on a random way down: its mean over many ways is
/// the number of leaves.
fn descent<R: Row>(
    condition: &Condition,
    position: &Position,
    depth: u16,
    random: &mut SplitMix64,
) -> f64 {
    let tree = KalahTree::<R>::new(position, depth, condition.extra_turns, Order::Far);
    let (mut node, mut leaves) = (tree.root(), 1.0);
    while !tree.is_leaf(node) && leaves < 1e30 {
        let children: Vec<_> = tree.children(node).take(MAX_CHILDREN).collect();
        leaves *= children.len() as f64;
        node = children[random.below(children.len())].node;
    }
    leaves
}
