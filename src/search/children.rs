//! The moves of a node: settled at once, or put in order to be searched.
//!
//! Each move is made once. What the position after it says for certain (the
//! game is over, too few seeds are left to matter) is read before any
//! memory is touched; the lines of the others are fetched meanwhile.

use crate::game::{Board, MAX_PITS, Pit, Row, Sown};
use crate::score::{Gain, Turn, Value, Window};

/// What a search found: a value, and whether it is true to the end of the game.
///
/// The value is fail-soft: an upper bound if it fails low in the window that
/// was asked, a lower bound if it fails high. `proved` speaks of that bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub value: Value,
    pub proved: bool,
}

impl Found {
    #[inline]
    pub(super) fn proved(gain: Gain) -> Self {
        Self { value: gain.into(), proved: true }
    }

    /// What a search after a move found, as the mover sees it.
    #[inline]
    pub(super) fn from_child<R>(self, sown: &Sown<R>) -> Self {
        Self { value: Value::from(sown.gain()) + sown.turn.from_child(self.value), ..self }
    }
}

/// A move made, on its way to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<R> {
    pub pit: Pit,
    pub sown: Sown<R>,
    /// The key of the board after the move.
    pub key: u64,
    /// The higher the earlier.
    pub rank: i32,
    /// How many moves come before it in the order, set when it is taken out.
    pub place: usize,
}

impl<R: Row> Child<R> {
    /// Whether the move neither captures nor keeps the turn: it banks at most
    /// the one seed that passes the store on its way to the opponent's row.
    #[inline]
    pub(super) fn is_quiet(&self, before: Board<R>) -> bool {
        self.sown.turn == Turn::Passes
            && self.sown.banked <= u32::from(self.sown.board.own != before.opponent)
    }
}

/// What is certain of the move that led to `sown`: its exact value if the game
/// is over, or a bound, in `window`, from the seeds left in play.
#[inline]
pub(super) fn certain<R: Row>(sown: &Sown<R>, window: Window<Value>) -> Option<Found> {
    let board = sown.board;
    if board.is_over() {
        return Some(Found::proved(board.final_gain()).from_child(sown));
    }
    let in_play = Gain(board.in_play() as i32);
    let most = Found::proved(sown.gain() + in_play);
    let least = Found::proved(sown.gain() - in_play);
    if window.fails_low(most.value) {
        Some(most)
    } else if window.fails_high(least.value) {
        Some(least)
    } else {
        None
    }
}

/// The moves of a node that are to be searched, taken out best rank first.
#[derive(Debug)]
pub(super) struct Children<R> {
    list: [Option<Child<R>>; MAX_PITS],
    len: usize,
}

impl<R: Row> Children<R> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { list: [None; MAX_PITS], len: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, child: Child<R>) {
        // Sorted as it grows: the last is the best, and equals keep the order
        // in which they came.
        let mut place = self.len;
        while place > 0 && self.list[place - 1].is_some_and(|other| other.rank >= child.rank) {
            self.list[place] = self.list[place - 1];
            place -= 1;
        }
        self.list[place] = Some(child);
        self.len += 1;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All that are left, in no order that matters.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Child<R>> {
        self.list[..self.len].iter().flatten()
    }

    /// Takes out the best.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Child<R>> {
        self.len = self.len.checked_sub(1)?;
        self.list[self.len]
    }
}
