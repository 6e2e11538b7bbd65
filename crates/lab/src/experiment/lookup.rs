//! The errors of searches compared with solved positions, at the beginning and towards the end of
//! games on boards that can be solved.

use kalah_engine::solve::{Solver, SolverSettings, TableChoice};
use kalah_game::{Capture, Position, Rules, with_row};
use kalah_tables::statistics::{Estimate, Statistic};

use super::ensemble::Ensemble;
use crate::algorithms::{Algorithm, ChildOrder, ExtraTurns, KalahTree, Method};

/// Boards whose every position is solved within milliseconds.
const SMALL_BOARDS: [(u32, u32); 2] = [(4, 3), (5, 3)];
/// Boards on which tables cover the end of the game, but a search rarely reaches it.
const STANDARD_BOARDS: [(u32, u32); 2] = [(6, 4), (6, 6)];
/// Positions on each board and in each stage.
const POSITIONS: usize = 60;
/// At the beginning, at most this many seeds are in the stores.
const MAX_BANKED: u32 = 3;
/// Towards the end, at most this many seeds are in play. Tables of that size are built in seconds.
const MAX_LEFT: u32 = 16;
/// The depths of a shallow and of a deep search.
const DEPTHS: [u16; 2] = [2, 6];

/// The errors of searches, in percent, on each board that can be solved with the available memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct LookupErrors {
    /// The error that the deep search saves against the shallow one at the beginning.
    pub(crate) saved_at_start: Vec<(Rules, Estimate)>,
    /// Positions towards the end at which the deep search errs.
    pub(crate) wrong_at_end: Vec<(Rules, Estimate)>,
}

impl LookupErrors {
    pub(crate) fn measure(seed: u64) -> Self {
        let small = SMALL_BOARDS.into_iter();
        Self {
            saved_at_start: small.clone().filter_map(|size| saved_at_start(size, seed)).collect(),
            wrong_at_end: small
                .chain(STANDARD_BOARDS)
                .filter_map(|size| wrong_at_end(size, seed))
                .collect(),
        }
    }
}

fn saved_at_start(size: (u32, u32), seed: u64) -> Option<(Rules, Estimate)> {
    let (rules, errors) = errors(size, seed, |left, all| left + MAX_BANKED >= all)?;
    let [shallow, deep] = [0, 1].map(|nth| Statistic::mean(errors.iter().map(|own| own[nth])));
    Some((rules, deep.saved(&shallow).estimate()))
}

fn wrong_at_end(size: (u32, u32), seed: u64) -> Option<(Rules, Estimate)> {
    let (rules, errors) = errors(size, seed, |left, _| left <= MAX_LEFT)?;
    let wrong = errors.iter().map(|[_, deep]| if *deep > 0.0 { 100.0 } else { 0.0 });
    Some((rules, Statistic::mean(wrong).estimate()))
}

/// The differences from the exact value at both depths, position by position.
fn errors(
    (pits, seeds): (u32, u32),
    seed: u64,
    wanted: fn(u32, u32) -> bool,
) -> Option<(Rules, Vec<[f64; 2]>)> {
    let rules = Rules::new(pits, seeds, Capture::Standard).ok()?;
    let settings = SolverSettings {
        hash: Some(16 << 20),
        tables: TableChoice::Seeds(MAX_LEFT),
        ..Default::default()
    };
    let mut solver = Solver::new(&Position::start(rules), settings).ok()?;
    let mut errors = Vec::new();
    for position in positions(rules, seed, wanted) {
        let margin = solver.margin(&position, None, &mut |_| true).ok()?;
        errors.push(DEPTHS.map(|depth| f64::from((value(&position, depth) - margin.0).abs())));
    }
    Some((rules, errors))
}

/// Positions for which `wanted` holds, given the seeds in play and all seeds.
fn positions(rules: Rules, seed: u64, wanted: fn(u32, u32) -> bool) -> Vec<Position> {
    let all = Position::start(rules).in_play();
    let ensemble = Ensemble::Positions(POSITIONS);
    let reached = (0..).flat_map(|nth| ensemble.group(rules, seed, nth, 0));
    reached.filter(|position| wanted(position.in_play(), all)).take(POSITIONS).collect()
}

/// The value of F3 at a depth, in whole turns.
fn value(position: &Position, depth: u16) -> i32 {
    with_row!(position, R => {
        let tree =
            KalahTree::<R>::new(position, depth, ExtraTurns::Compound, ChildOrder::Static);
        Method::from(Algorithm::F3).value(&tree, &mut ()).expect("nothing stops the search").0
    })
}
