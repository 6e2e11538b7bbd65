//! What a search misses that a table of solved positions knows, at the beginning and toward the
//! end of games on boards that can be solved.

use kalah_engine::solve::{Solver, SolverSettings, TableChoice};
use kalah_game::{Capture, Position, Rules, with_row};
use kalah_report::statistics::{Estimate, Statistic};

use super::ensemble::Ensemble;
use crate::algorithms::{Algorithm, ChildOrder, ExtraTurns, KalahTree, Method};

/// Boards whose every position is solved within milliseconds.
const BOARDS: [(u32, u32); 2] = [(4, 3), (5, 3)];
/// Positions on each board and in each stage.
const POSITIONS: usize = 60;
/// At the beginning, at most this many seeds are in the stores.
const MAX_BANKED: u32 = 3;
/// Toward the end, at most this many seeds are in play.
const MAX_LEFT: u32 = 10;
/// The depths of a shallow and of a deep search.
pub(crate) const DEPTHS: [u16; 2] = [2, 6];

/// The errors of searches on one board.
#[derive(Clone, Debug)]
pub(crate) struct LookupErrors {
    pub(crate) rules: Rules,
    /// The error that the deep search saves against the shallow one at the beginning, in percent.
    pub(crate) saved_at_start: Estimate,
    /// Positions toward the end at which the deep search errs, in percent.
    pub(crate) wrong_at_end: Estimate,
}

/// The errors on each board that can be solved with the memory there is.
pub(crate) fn errors(seed: u64) -> Vec<LookupErrors> {
    BOARDS.into_iter().filter_map(|(pits, seeds)| on_board(pits, seeds, seed)).collect()
}

fn on_board(pits: u32, seeds: u32, seed: u64) -> Option<LookupErrors> {
    let rules = Rules::new(pits, seeds, Capture::Standard).ok()?;
    let settings = SolverSettings {
        hash: Some(16 << 20),
        tables: TableChoice::Seeds(8),
        ..Default::default()
    };
    let mut solver = Solver::new(&Position::start(rules), settings).ok()?;
    let [start, end] = [
        positions(rules, seed, |left, all| left + MAX_BANKED >= all),
        positions(rules, seed, |left, _| left <= MAX_LEFT),
    ];
    let mut errors = Vec::new();
    for position in start.iter().chain(&end) {
        let margin = solver.margin(position, None, &mut |_| true).ok()?;
        errors.push(DEPTHS.map(|depth| f64::from((value(position, depth) - margin.0).abs())));
    }
    let (start, end) = errors.split_at(start.len());
    let [shallow, deep] = [0, 1].map(|nth| Statistic::mean(start.iter().map(|own| own[nth])));
    let wrong = end.iter().map(|own| if own[1] > 0.0 { 100.0 } else { 0.0 });
    Some(LookupErrors {
        rules,
        saved_at_start: deep.saved(&shallow).estimate(),
        wrong_at_end: Statistic::mean(wrong).estimate(),
    })
}

/// Positions with a wanted number of seeds in play, out of all.
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
