//! Collisions of Zobrist keys of different lengths, among the boards of one search.
//!
//! Zobrist, "A new hashing method with application for game playing", University of Wisconsin,
//! 1970: the key of a board is the exclusive or of a random number for each pit and its seeds.

use crate::algorithms::{ChildOrder, ExtraTurns, KalahTree, SearchRun, Tree, f3};
use kalah_game::{Board, Position, Row, Rules, Window};
use kalah_sys::random::mix_nth;

/// The lengths of keys in bits; each but the first is compared with the one before.
pub(crate) const LENGTHS: [u32; 6] = [16, 20, 24, 28, 32, 64];

/// The depth of the search.
const DEPTH: u16 = 8;

/// The number of different boards of one search, and for each of [`LENGTHS`] the number of pairs
/// whose keys of that length are equal.
pub(crate) fn collisions(seed: u64) -> (usize, [u64; LENGTHS.len()]) {
    let start = Position::start(Rules::default());
    let tree = KalahTree::<u64>::new(&start, DEPTH, ExtraTurns::Compound, ChildOrder::Static);
    let mut run = SearchRun::watched(&tree, Vec::new());
    let _ = f3(&mut run, tree.root(), Window::full());
    let mut boards: Vec<Board<u64>> = run.observer.into_iter().map(|leaf| leaf.board).collect();
    boards.sort_unstable();
    boards.dedup();
    let keys: Vec<u64> = boards.iter().map(|board| key(board, seed)).collect();
    (boards.len(), LENGTHS.map(|bits| colliding(&keys, bits)))
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
