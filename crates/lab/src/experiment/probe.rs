//! Experiments of their own: comparisons with solved positions, errors of an evaluation, and
//! collisions of keys.

use kalah_engine::solve::{Solver, SolverSettings, TableChoice};
use kalah_game::{Board, Capture, Position, Row, Rules, Window, with_row};
use kalah_sys::clock::processor_time;
use kalah_sys::random::{SplitMix64, mix_nth};
use kalah_tables::statistics::{Statistic, median, normal};

use super::ensemble::{Ensemble, best_turn};
use super::judge::{Case, Evidence, Figure};
use super::matches::played_twice;
use crate::algorithms::{
    Algorithm, ChildOrder, ExtraTurns, KalahTree, Method, SearchRun, Tree, f3,
};

fn case(condition: String, figure: Figure) -> Case {
    Case { condition, figure, sampled: None }
}

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

/// The error against the exact value that a deep search saves against a shallow one at the
/// beginning of games on small boards.
pub(super) fn errors_at_start(seed: u64) -> Vec<Case> {
    on_boards(&SMALL_BOARDS, |rules| {
        let errors = errors(rules, seed, |left, all| left + MAX_BANKED >= all)?;
        let shallow = Statistic::mean(errors.iter().map(|[shallow, _]| *shallow));
        let deep = Statistic::mean(errors.iter().map(|[_, deep]| *deep));
        Some(case(format!("{rules}, beginning"), Figure::from(&deep.saved(&shallow))))
    })
}

/// Percent of positions towards the end whose value a deep search gets wrong.
pub(super) fn wrong_at_end(seed: u64) -> Vec<Case> {
    on_boards(&[SMALL_BOARDS, STANDARD_BOARDS].concat(), |rules| {
        let errors = errors(rules, seed, |left, _| left <= MAX_LEFT)?;
        let wrong = errors.iter().filter(|[_, deep]| *deep > 0.0).count();
        let share = Figure::share(wrong as u64, errors.len() as u64);
        Some(case(format!("{rules}, end"), share))
    })
}

/// A case for each board, given as (pits, seeds).
fn on_boards(sizes: &[(u32, u32)], case: impl Fn(Rules) -> Option<Case>) -> Vec<Case> {
    let rules = sizes.iter().map(|&(pits, seeds)| Rules::new(pits, seeds, Capture::Standard));
    rules.filter_map(|rules| case(rules.ok()?)).collect()
}

/// The differences from the exact value at both depths, position by position.
fn errors(rules: Rules, seed: u64, wanted: fn(u32, u32) -> bool) -> Option<Vec<[f64; 2]>> {
    let mut solver = solver(rules)?;
    let mut errors = Vec::new();
    for position in positions(rules, seed, wanted) {
        let margin = solver.margin(&position, None, &mut |_| true).ok()?;
        errors.push(DEPTHS.map(|depth| f64::from((value(&position, depth) - margin.0).abs())));
    }
    Some(errors)
}

/// A solver that looks up positions with at most [`MAX_LEFT`] seeds in play.
fn solver(rules: Rules) -> Option<Solver> {
    let settings = SolverSettings::default().hash(16 << 20).tables(TableChoice::Seeds(MAX_LEFT));
    Solver::new(&Position::start(rules), settings).ok()
}

/// Openings of the games by which looking up is judged, each played twice with sides swapped.
const PAIRS: u64 = 60;
/// The depth of the searches of those games.
const GAME_DEPTH: u16 = 3;

/// The points of a player who searches, but looks up positions with at most [`MAX_LEFT`] seeds in
/// play, against one who only searches; in percent.
pub(super) fn lookup_points(seed: u64) -> Vec<Case> {
    on_boards(&STANDARD_BOARDS, |rules| {
        let mut solver = solver(rules)?;
        let mut points = Vec::new();
        for nth in 0..PAIRS {
            let opening = Ensemble::opening(rules, mix_nth(seed, nth));
            points.push(played_twice(opening, |position, informed| {
                if position.side() != informed || position.in_play() > MAX_LEFT {
                    return Some(best_turn(position, GAME_DEPTH));
                }
                let moves = solver.moves(position, &mut |_| true).ok()?;
                let (pit, _) = moves.into_iter().max_by_key(|(_, margin)| *margin)?;
                Some(vec![pit])
            })?);
        }
        Some(case(rules.to_string(), Figure::from(&Statistic::mean(points.into_iter()))))
    })
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

/// The estimates of the leaves below two moves, after Russell and Norvig, "Artificial Intelligence:
/// A Modern Approach", in the section on the limits of alpha-beta, which Yu's slides repeat. Min
/// replies, so that minimax rejects the first move, which looks like 99, for the second, which
/// looks like 100.
const REJECTED: [f64; 4] = [99.0, 1000.0, 1000.0, 1000.0];
const CHOSEN: [f64; 4] = [100.0, 101.0, 102.0, 100.0];

const TRIALS: u32 = 2_000_000;

/// Percent of trials in which the rejected move is the better one, if the true value of each leaf
/// is its estimate plus an independent normal error with this standard deviation. The chosen move
/// has four leaves near its value, and one of them is likely to be bad.
pub(super) fn trials(deviation: f64, seed: u64) -> Vec<Case> {
    let mut random = SplitMix64::new(seed);
    let mut true_value = |estimates: [f64; 4]| {
        let values = estimates.map(|estimate| {
            // `unit` may return 0 but not 1, so the logarithm is finite.
            estimate + deviation * normal(1.0 - random.unit(), random.unit())
        });
        values.into_iter().fold(f64::INFINITY, f64::min)
    };
    let wrong = (0..TRIALS).filter(|_| true_value(REJECTED) > true_value(CHOSEN)).count();
    vec![case(format!("{TRIALS} trials"), Figure::share(wrong as u64, TRIALS.into()))]
}

/// The lengths of keys in bits; each but the first is compared with the one before.
const LENGTHS: [u32; 5] = [16, 20, 24, 28, 32];
/// The depth of the search whose boards have the keys.
const DEPTH: u16 = 8;

/// The keys of the boards of one search.
///
/// Zobrist, "A new hashing method with application for game playing", University of Wisconsin,
/// 1970: the key of a board is the exclusive or of a random number for each pit and its seeds.
fn keys(seed: u64) -> Vec<u64> {
    let start = Position::start(Rules::default());
    let tree = KalahTree::<u64>::new(&start, DEPTH, ExtraTurns::Compound, ChildOrder::Static);
    let mut run = SearchRun::watched(&tree, Vec::new());
    let _ = f3(&mut run, tree.root(), Window::full());
    let mut boards: Vec<Board<u64>> = run.observer.into_iter().map(|leaf| leaf.board).collect();
    boards.sort_unstable();
    boards.dedup();
    boards.iter().map(|board| key(board, seed)).collect()
}

/// A case for keys of `bits` bits.
fn of_keys(keys: &[u64], bits: u32, figure: f64) -> Case {
    case(format!("{bits} bits, {} boards", keys.len()), Figure::exact(figure))
}

/// Colliding pairs of keys over those of keys that are 4 bits shorter.
pub(super) fn shorter_keys(seed: u64) -> Vec<Case> {
    let keys = keys(seed);
    let mut cases = Vec::new();
    for step in LENGTHS.windows(2) {
        let pairs = colliding(&keys, step[0]);
        if pairs > 0 {
            let ratio = colliding(&keys, step[1]) as f64 / pairs as f64;
            cases.push(of_keys(&keys, step[1], ratio));
        }
    }
    cases
}

/// Colliding pairs of keys of 64 bits.
pub(super) fn longest_keys(seed: u64) -> Vec<Case> {
    let keys = keys(seed);
    vec![of_keys(&keys, 64, colliding(&keys, 64) as f64)]
}

/// Processor time that keys of 32 bits save against keys of 64 bits.
pub(super) fn time_saved(seed: u64) -> Vec<Case> {
    let keys = keys(seed);
    let short: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
    let mut saved = Vec::new();
    for _ in 0..ROUNDS {
        saved.push(100.0 * (1.0 - look_up(&short) / look_up(&keys)));
    }
    let value = median(&mut saved);
    let evidence = Evidence::Times { low: saved[0], high: saved[ROUNDS - 1] };
    let figure = Figure { value, error: 0.0, evidence, median: None };
    vec![case(format!("{} boards", keys.len()), figure)]
}

const ROUNDS: usize = 5;
/// Places of the table in which keys are looked up.
const PLACES: usize = 1 << 20;

/// Processor seconds to look up each key several times in a table, and to store it.
fn look_up<K: Copy + PartialEq + Into<u64>>(keys: &[K]) -> f64 {
    let mut table: Vec<Option<K>> = vec![None; PLACES];
    let mut found = 0u64;
    let before = processor_time();
    for _ in 0..20 {
        for &key in keys {
            let place = &mut table[key.into() as usize % PLACES];
            found += u64::from(*place == Some(key));
            *place = Some(key);
        }
    }
    std::hint::black_box(found);
    (processor_time() - before).as_secs_f64()
}

fn key<R: Row>(board: &Board<R>, seed: u64) -> u64 {
    let mut key = 0;
    for (side, row) in [board.own, board.opponent].into_iter().enumerate() {
        row.for_each_byte(|place, count| {
            let index = ((side as u64) << 32) | ((place as u64) << 8) | u64::from(count);
            key ^= mix_nth(seed, index);
        });
    }
    key
}

/// Pairs of keys whose last `bits` bits are equal.
fn colliding(keys: &[u64], bits: u32) -> u64 {
    // The shift drops all other bits, so that colliding keys become equal.
    let mut keys: Vec<u64> = keys.iter().map(|key| key << (64 - bits)).collect();
    keys.sort_unstable();
    let equal = keys.chunk_by(|a, b| a == b).map(|equal| equal.len() as u64);
    equal.map(|count| count * (count - 1) / 2).sum()
}

/// The expected number of SCOUT's leaves divided by that of alpha-beta's on trees that are
/// one move high. SCOUT visits each leaf once, and a second time if it is the best so far and
/// not the first; the n-th leaf is the best so far with a probability of 1/n.
pub fn ratio_one_high(width: u16) -> f64 {
    let again: f64 = (2..=width).map(|nth| 1.0 / f64::from(nth)).sum();
    1.0 + again / f64::from(width)
}

/// The expected ratio of nodes of SCOUT and F3 on trees that are one move high.
pub(super) fn ratios_one_high(_: u64) -> Vec<Case> {
    let ratio = |width| Figure::exact(node_ratio_one_high(width));
    [2, 3, 5, 10, 20].map(|width| case(format!("b = {width}, d 1"), ratio(width))).into()
}

/// Pearl's ratio on the same trees. It counts nodes, and so the root as well.
fn node_ratio_one_high(width: u16) -> f64 {
    let leaves = f64::from(width);
    (1.0 + leaves * ratio_one_high(width)) / (1.0 + leaves)
}
