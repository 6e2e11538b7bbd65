//! `go perft` and `bench`, which can be stopped and whose answers are lines for people.
//! [`kalah_game::perft`] counts, and [`kalah_engine::bench`] measures.

use super::dialect;
use kalah_engine::search::Stopper;
use kalah_game::Position;
use kalah_game::depth::Depth;
use kalah_game::perft::{Counting, perft as leaves};

/// Sequences up to this length are counted without polling the stopper, which takes a few
/// milliseconds at most.
const MAX_UNPOLLED: Depth = Depth(6);

/// Reports the number of leaves below each move of `position` and then their sum, unless
/// stopped earlier.
pub fn perft(position: &Position, depth: Depth, stopper: &Stopper, report: &mut dyn FnMut(String)) {
    let mut total = u64::from(depth == Depth::ZERO || position.is_over());
    if total == 0 {
        for (played, after) in position.children() {
            let Some(leaves) = stoppable(&after, depth.reduced(1), stopper) else {
                return report(dialect::remark("perft stopped"));
            };
            report(format!("{}: {leaves}", played.letter()));
            total = total.saturating_add(leaves);
        }
    }
    report(format!("leaves: {total}"));
}

/// Reports the speed and the signature of the search, unless stopped earlier.
pub fn bench(stopper: &Stopper, report: &mut dyn FnMut(String)) {
    match kalah_engine::bench::measure(1, 0, stopper, |_, _| ()) {
        Ok(_) if stopper.is_stopped() => report(dialect::remark("bench stopped")),
        Ok(all) => {
            all.to_string().lines().for_each(|line| report(line.to_owned()));
            report(format!("signature {}", all.nodes));
        }
        Err(error) => report(dialect::error(error)),
    }
}

/// The number of leaves below `position`; `None` if stopped.
fn stoppable(position: &Position, depth: Depth, stopper: &Stopper) -> Option<u64> {
    if stopper.poll() {
        return None;
    }
    if depth <= MAX_UNPOLLED || position.is_over() {
        return Some(leaves(position, depth, Counting::Bulk));
    }
    position.children().try_fold(0u64, |sum, (_, after)| {
        Some(sum.saturating_add(stoppable(&after, depth.reduced(1), stopper)?))
    })
}
