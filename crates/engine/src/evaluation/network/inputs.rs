//! The inputs of a network: properties that a board has or lacks.

use std::ops::{Deref, Range};

use kalah_game::{Board, Pit, PitSet, Row};

/// Sets of output weights.
pub const BUCKETS: usize = 10;
/// The most pits per row that a network takes: it has inputs for every set of pits.
pub const MAX_PITS: usize = 8;
/// The most inputs that are on: one for each pit, and three more for each row.
const MAX_ON: usize = 2 * (MAX_PITS + 3);
/// Seed counts of a pit that have an input each; larger counts share the last one.
const COUNTS: usize = 20;
/// Seed counts with entries of their own in [`ENDS`]; larger ones share the last, which is empty.
/// Captures need at most 17 seeds.
const LAPS: usize = 32;

/// The end of a sowing, by the pits per row, its pit and its seeds: a bit in one of four sets, or
/// none. The bit is that of the pit where it ends or, if it ends in the store, where it began.
///
/// ```text
/// 31           24 23           16 15            8 7             0
/// | its own pit  | a pit behind | the store    | a pit ahead  |
/// ```
///
/// A sowing that goes round the board captures in the pit where it began, which it has emptied,
/// or in a pit behind it that was empty.
static ENDS: [[[u32; LAPS]; MAX_PITS]; MAX_PITS + 1] = ends();

const fn ends() -> [[[u32; LAPS]; MAX_PITS]; MAX_PITS + 1] {
    let mut ends = [[[0; LAPS]; MAX_PITS]; MAX_PITS + 1];
    let mut pits = 1;
    while pits <= MAX_PITS {
        let mut index = 0;
        while index < pits {
            let mut seeds = 1;
            while seeds < LAPS {
                let last = index + seeds;
                let lap = 2 * pits + 1;
                ends[pits][index][seeds] = if last < pits {
                    1 << last
                } else if last == pits {
                    1 << 8 << index
                } else if lap <= last && last < lap + index {
                    1 << 16 << (last - lap)
                } else if last == lap + index {
                    1 << 24 << index
                } else {
                    0
                };
                seeds += 1;
            }
            index += 1;
        }
        pits += 1;
    }
    ends
}

/// The inputs for boards of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    pits: usize,
}

impl Inputs {
    /// The inputs for boards with `pits` pits per row.
    pub fn new(pits: usize) -> Self {
        Self { pits }
    }

    /// Pits per row of the boards.
    pub(super) fn pits(self) -> usize {
        self.pits
    }

    /// The number of inputs.
    #[expect(clippy::len_without_is_empty, reason = "there are always some")]
    #[inline]
    pub fn len(self) -> usize {
        2 * (self.pits * COUNTS + (2 << self.pits) + COUNTS)
    }

    /// The number of the set of output weights for a board with `in_play` seeds: the seeds in play
    /// per pit of one row, at most [`BUCKETS`] - 1.
    #[inline]
    pub fn bucket(self, in_play: u32) -> usize {
        (in_play / self.pits as u32).min(BUCKETS as u32 - 1) as usize
    }

    /// The numbers of the inputs that exclude one another: one range for each pit, for the extra
    /// turns, the captures and the best capture of each side. The first number of each stands for an
    /// empty pit, an empty set or no capture, and is never on.
    pub fn groups(self) -> impl Iterator<Item = Range<usize>> {
        let of_row =
            std::iter::repeat_n(COUNTS, self.pits).chain([1 << self.pits; 2]).chain([COUNTS]);
        of_row.clone().chain(of_row).scan(0, |start, length| {
            let group = *start..*start + length;
            *start = group.end;
            Some(group)
        })
    }

    /// The inputs that are on.
    #[inline]
    pub fn of<R: Row>(self, board: Board<R>) -> InputList {
        // The loops for the most common width are unrolled.
        match self.pits {
            6 => Self::for_pits(6, board),
            pits => Self::for_pits(pits, board),
        }
    }

    /// [`Inputs::of`], with loops that are unrolled if `pits` is a constant.
    #[inline(always)]
    fn for_pits<R: Row>(pits: usize, board: Board<R>) -> InputList {
        let mut on = InputList::default();
        Self::add_row(board.own, board.opponent, pits, 0, &mut on);
        Self::add_row(board.opponent, board.own, pits, Self::new(pits).len() / 2, &mut on);
        on
    }

    /// Adds the inputs of a row; they are numbered from `first`.
    #[inline(always)]
    fn add_row<R: Row>(own: R, across: R, pits: usize, first: usize, on: &mut InputList) {
        let mut ends = 0;
        for (index, of_pit) in ENDS[pits].iter().enumerate().take(pits) {
            let seeds = own.count(Pit::new(index)) as usize;
            on.push_unless_first(first + index * COUNTS, seeds.min(COUNTS - 1));
            ends |= of_pit[seeds.min(LAPS - 1)];
        }
        let [in_row, extra_turns, behind, lapped] = ends.to_le_bytes().map(u16::from);
        let empty = !own.occupied().0;
        let filled = across.occupied().0.reverse_bits() >> (16 - pits);
        let round = behind & empty | lapped;
        let captures = PitSet(in_row & empty & filled | round);
        // A sowing round the board has also put a seed into the opposite pit.
        let seeds = captures.iter().map(|pit| {
            across.count(pit.opposite(pits)) as usize + usize::from(round >> pit.index() & 1)
        });
        let most = seeds.max().unwrap_or(0);
        let sets = first + pits * COUNTS;
        on.push_unless_first(sets, usize::from(extra_turns));
        on.push_unless_first(sets + (1 << pits), usize::from(captures.0));
        on.push_unless_first(sets + (2 << pits), most.min(COUNTS - 1));
    }
}

/// The numbers of the inputs that are on.
#[derive(Clone, Copy, Debug, Default)]
pub struct InputList {
    numbers: [u16; MAX_ON],
    length: usize,
}

impl InputList {
    /// Adds the input at `place` in the group that begins with the number `group`, unless it is the
    /// first. It is written in either case, because a branch would often be mispredicted.
    #[inline(always)]
    fn push_unless_first(&mut self, group: usize, place: usize) {
        self.numbers[self.length] = (group + place) as u16;
        self.length += usize::from(place > 0);
    }
}

impl Deref for InputList {
    type Target = [u16];

    #[inline]
    fn deref(&self) -> &[u16] {
        &self.numbers[..self.length]
    }
}
