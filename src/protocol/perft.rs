//! `go perft`: a count that can be stopped. Counting itself is
//! [`kalah::perft`](crate::game::perft).

use crate::depth::Depth;
use crate::game::Position;
use crate::game::perft::{Counting, perft};
use crate::search::Stopper;

/// The longest sequences that are counted without looking at the stopper: a
/// few milliseconds' worth.
const UNSTOPPED: Depth = Depth(6);

/// Tells the leaves below each move, then all of them; less if stopped.
pub fn count(position: &Position, depth: Depth, stopper: &Stopper, tell: &mut dyn FnMut(String)) {
    let mut total = u64::from(depth == Depth::ZERO || position.is_over());
    if total == 0 {
        for pit in position.moves() {
            let mut after = *position;
            let played = after.play(pit).is_ok();
            let Some(leaves) = leaves(&after, depth.reduced(1), stopper).filter(|_| played) else {
                return tell("info string perft stopped".to_owned());
            };
            tell(format!("{}: {leaves}", pit.letter(position.side())));
            total = total.saturating_add(leaves);
        }
    }
    tell(format!("leaves: {total}"));
}

/// The leaves; none if stopped.
fn leaves(position: &Position, depth: Depth, stopper: &Stopper) -> Option<u64> {
    if stopper.is_stopped() {
        return None;
    }
    if depth <= UNSTOPPED || position.is_over() {
        return Some(perft(position, depth, Counting::Bulk));
    }
    position.moves().try_fold(0u64, |sum, pit| {
        let mut after = *position;
        after.play(pit).ok()?;
        Some(sum.saturating_add(leaves(&after, depth.reduced(1), stopper)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn told(position: &Position, depth: Depth, stopper: &Stopper) -> Vec<String> {
        let mut lines = Vec::new();
        count(position, depth, stopper, &mut |line| lines.push(line));
        lines
    }

    #[test]
    fn the_parts_and_the_whole_are_those_of_perft() {
        let start = Position::start(Rules::default());
        for depth in [0, 1, 4, 8] {
            let lines = told(&start, Depth(depth), &Stopper::new());
            let whole = perft(&start, Depth(depth), Counting::EachMove);
            assert_eq!(lines.last(), Some(&format!("leaves: {whole}")));
            assert_eq!(lines.len(), if depth == 0 { 1 } else { 7 });
        }
    }

    #[test]
    fn a_count_that_is_stopped_says_so() {
        let stopper = Stopper::new();
        stopper.stop();
        let lines = told(&Position::start(Rules::default()), Depth(500), &stopper);
        assert_eq!(lines, ["info string perft stopped"]);
    }
}
