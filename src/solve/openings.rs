//! Start positions after a few sowings, each with its exact margin.
//!
//! Nothing here reads files or solves: what is collected is solved by a
//! [`Solver`](super::Solver), and written by the front end.

use std::collections::HashSet;

use crate::game::{Pit, Position};

/// A position that play from a start can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The position, stores included.
    pub position: Position,
    /// The first line of sowings found that leads to it.
    pub moves: Vec<Pit>,
}

/// All distinct unfinished positions 1 to `plies` sowings from `start`, in the
/// order of their lines: shorter ones first, then pit by pit.
pub fn reached(start: &Position, plies: usize) -> Vec<Reached> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut frontier = vec![Reached { position: *start, moves: Vec::new() }];
    for _ in 0..plies {
        let mut next = Vec::new();
        for Reached { position, moves } in &frontier {
            for pit in position.moves() {
                let mut after = *position;
                let played = after.play(pit);
                if played.is_ok() && !after.is_over() && seen.insert(after) {
                    let moves = moves.iter().copied().chain([pit]).collect();
                    next.push(Reached { position: after, moves });
                }
            }
        }
        found.extend(next.iter().cloned());
        frontier = next;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn positions_are_distinct_and_their_moves_lead_to_them() {
        let start = Position::start(Rules::default());
        let found = reached(&start, 3);
        assert_eq!(found.iter().filter(|one| one.moves.len() == 1).count(), 6);
        assert_eq!(found.iter().filter(|one| one.moves.len() == 2).count(), 35);
        let distinct: HashSet<_> = found.iter().map(|one| one.position).collect();
        assert_eq!(distinct.len(), found.len());
        for Reached { position, moves } in &found {
            let mut replayed = start;
            for &pit in moves {
                replayed.play(pit).unwrap();
            }
            assert_eq!(replayed, *position);
        }
    }
}
