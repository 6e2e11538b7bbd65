//! What the engine takes margins for: a first guess for proofs that take long,
//! or all there is of positions that cannot be proved.

use std::sync::mpsc;

use crate::depth::Depth;
use crate::engine::{Engine, Event};
use crate::game::Position;
use crate::score::Gain;
use crate::search::Limits;

/// Positions with fewer seeds in play are proved before a guess pays.
const WORTH_GUESSING: u32 = 50;
/// A tenth of a second's search, or less.
const DEPTH: Depth = Depth(12);
/// MiB of memory for it.
const HASH: usize = 16;

/// A guess for the proof of `position`, as its mover sees it. It is never
/// believed.
pub(super) fn margin(position: &Position) -> Option<Gain> {
    let worth = position.in_play() >= WORTH_GUESSING;
    worth.then(|| searched(position, DEPTH, HASH)).flatten().map(|(margin, _)| margin)
}

/// The margin of `position` by a search to `depth` with `hash` MiB of memory,
/// to the nearest seed as its mover sees it, and the positions visited; none if
/// there is no memory or the game is over.
pub(super) fn searched(position: &Position, depth: Depth, hash: usize) -> Option<(Gain, u64)> {
    let mut engine = Engine::with_hash(hash).ok()?;
    engine.set_position(*position);
    let (tell, told) = mpsc::channel();
    let running = engine.go(Limits::depth(depth), move |event| {
        // The other end waits until the search is over.
        let _ = tell.send(event);
    });
    running.ok()?.wait();
    let report = told.into_iter().find_map(|event| match event {
        Event::Finished(report) => Some(report),
        Event::Info(_) | Event::RootMove(_) => None,
    });
    let info = report?.info?;
    Some((info.margin.rounded(), info.nodes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    #[test]
    fn large_starts_are_guessed_within_a_few_seeds() {
        let guess =
            |seeds| margin(&Position::start(Rules::new(6, seeds, Default::default()).unwrap()));
        assert_eq!(guess(4), None);
        let guess = guess(5).unwrap();
        assert!((6..=14).contains(&guess.0), "{guess} for a margin of 10");
    }
}
