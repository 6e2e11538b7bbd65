//! Counts of move sequences: the standard test of a move generator.
//!
//! A leaf is a sequence of exactly `depth` sowings, or a shorter one that ends
//! the game. Each sowing is a ply, extra turns included.

use alloc::vec::Vec;

use crate::depth::Depth;

use super::{board::Board, pit::Pit, position::Position, row::Row, sowing::Sowing};
use crate::with_row;

/// How the last ply is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Every move of the last ply is made.
    EachMove,
    /// The moves of the last ply are counted and not made.
    Bulk,
}

/// The leaves `depth` sowings below `position`.
pub fn perft(position: &Position, depth: Depth, counting: Counting) -> u64 {
    with_row!(position, R => {
        let board = position.board::<R>();
        let sowing = Sowing::new(position.variant());
        match counting {
            Counting::EachMove => count::<R, false>(board, &sowing, depth.0),
            Counting::Bulk => count::<R, true>(board, &sowing, depth.0),
        }
    })
}

/// The leaves below each move of `position`, in sowing order; none at depth 0
/// or if the game is over.
pub fn divide(position: &Position, depth: Depth, counting: Counting) -> Vec<(Pit, u64)> {
    if depth == Depth::ZERO {
        return Vec::new();
    }
    let children = position.children();
    children
        .map(|(played, after)| (played.pit, perft(&after, depth - Depth::ONE, counting)))
        .collect()
}

// `BULK` is a constant, so no node has to test how the last ply is counted.
fn count<R: Row, const BULK: bool>(board: Board<R>, sowing: &Sowing<R>, depth: u16) -> u64 {
    if depth == 0 || board.is_over(sowing.variant()) {
        return 1;
    }
    if BULK && depth == 1 {
        return board.moves(sowing.variant()).len() as u64;
    }
    board
        .moves(sowing.variant())
        .iter()
        .map(|pit| count::<R, BULK>(board.sow(sowing, pit).board, sowing, depth - 1))
        .sum()
}
