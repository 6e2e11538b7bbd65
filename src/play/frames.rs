//! A sowing in slow motion: the board after each seed.

use crate::game::{Pit, Played, Position, Side};

/// Where a seed can fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A pit of a side.
    Pit(Side, Pit),
    /// The mover's store.
    Store(Side),
}

/// The board at one moment of a sowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What is on the board; seeds in the hand are missing.
    pub board: Position,
    /// Seeds in the hand.
    pub hand: u32,
    /// Where the hand is.
    pub at: Place,
}

/// The moments of a sowing: the pit lifted, each seed dropped, then, if there
/// is more to it, the capture; what is swept at the end is not among them.
pub fn of_sowing(before: &Position, played: &Played) -> Vec<Frame> {
    let mut board = Loose::of(before);
    let (side, pits) = (played.side, before.pits());
    let from = played.pit.index();
    board.rows[side.index()][from] = 0;
    let mut frames = vec![board.frame(played.sown, Place::Pit(side, played.pit))];
    let mut at = Place::Pit(side, played.pit);
    for seed in 1..=played.sown {
        let place = (from + seed as usize) % (2 * pits + 1);
        at = if place < pits {
            board.rows[side.index()][place] += 1;
            Place::Pit(side, Pit::new(place))
        } else if place == pits {
            board.stores[side.index()] += 1;
            Place::Store(side)
        } else {
            board.rows[side.other().index()][place - pits - 1] += 1;
            Place::Pit(side.other(), Pit::new(place - pits - 1))
        };
        frames.push(board.frame(played.sown - seed, at));
    }
    if let (true, Place::Pit(_, last)) = (played.captured > 0, at) {
        board.rows[side.index()][last.index()] = 0;
        board.rows[side.other().index()][last.opposite(pits).index()] = 0;
        board.stores[side.index()] += played.captured;
        frames.push(board.frame(0, Place::Store(side)));
    }
    frames
}

/// A board whose seeds may be in a hand.
struct Loose<'a> {
    of: &'a Position,
    rows: [Vec<u32>; 2],
    stores: [u32; 2],
}

impl<'a> Loose<'a> {
    fn of(position: &'a Position) -> Self {
        let row = |side| position.row(side).iter().map(|&seeds| u32::from(seeds)).collect();
        Self {
            of: position,
            rows: Side::BOTH.map(row),
            stores: Side::BOTH.map(|side| position.store(side)),
        }
    }

    fn frame(&self, hand: u32, at: Place) -> Frame {
        let [south, north] = &self.rows;
        let board = Position::new([south, north], self.stores, self.of.side(), self.of.capture());
        // No more seeds than before: it can be set up again.
        Frame { board: board.unwrap_or(*self.of), hand, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Capture, Rules};

    #[test]
    fn no_seed_is_lost_and_the_last_frame_is_the_position_after() {
        for capture in Capture::ALL {
            let mut position = Position::start(Rules::new(4, 7, capture).unwrap());
            let total = position.total();
            for turn in 0.. {
                let Some(pit) = { position.moves() }.nth(turn % position.moves().len().max(1))
                else {
                    break;
                };
                let before = position;
                let played = position.play(pit).unwrap();
                let frames = of_sowing(&before, &played);
                for frame in &frames {
                    assert_eq!(frame.board.total() + frame.hand, total);
                }
                let last = &frames[frames.len() - 1].board;
                for side in Side::BOTH {
                    let swept = played.swept[side.index()];
                    assert_eq!(last.store(side) + swept, position.store(side));
                    assert!(swept > 0 || last.row(side) == position.row(side));
                }
            }
        }
    }

    #[test]
    fn a_capture_has_a_frame_of_its_own() {
        let before = Position::parse("<3,0,0,1,0,2,3,4,2> S", Capture::Standard).unwrap();
        let mut after = before;
        let played = after.play(Pit::new(0)).unwrap();
        let frames = of_sowing(&before, &played);
        let hands: Vec<u32> = frames.iter().map(|frame| frame.hand).collect();
        assert_eq!(hands, [1, 0, 0]);
        assert_eq!(frames[2].at, Place::Store(Side::South));
    }
}
