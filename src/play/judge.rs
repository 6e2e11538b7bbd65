//! The full engine's judgement of moves.

use std::time::Duration;

use super::explain::{Judged, Judgement};
use crate::engine::Engine;
use crate::game::score::Value;
use crate::game::{Pit, PitSet, Position};
use crate::search::{Info, Limits, SearchResult, Stopper};

/// Of the search for the best move.
pub(super) const HINT_TIME: Duration = Duration::from_millis(700);
/// Of each of the two searches that judge the last move.
pub(super) const LOSS_TIME: Duration = Duration::from_millis(300);

/// An engine and what stops it.
pub(crate) struct Judge {
    pub(crate) engine: Engine,
    pub(crate) stopper: Stopper,
}

impl Judge {
    pub(super) fn search(&mut self, position: Position, limits: Limits) -> SearchResult {
        self.engine.set_position(position);
        self.engine.search(limits, &self.stopper, &mut |_| ())
    }

    /// The proved margin of a move in the opening book, from the mover's point of view.
    pub(super) fn known(&self, position: Position, pit: Pit) -> Option<Value> {
        let (_, after) = position.children().find(|(played, _)| played.pit == pit)?;
        let margin = Value::from(self.engine.resources().book_margin(&after)?);
        Some(if after.side() == position.side() { margin } else { -margin })
    }

    /// A move beside the best one.
    pub(super) fn judgement(&mut self, position: Position, pit: Pit, time: Duration) -> Judgement {
        let best = self.best_of(position, position.moves(), time);
        if best.pit() == pit {
            return Judgement { played: best.clone(), best };
        }
        self.compared(position, PitSet::default().with(pit), best, time)
    }

    /// The best move, and the best of the others in the place of the move played; the same
    /// twice if there are no others.
    pub(super) fn hint(&mut self, position: Position) -> Judgement {
        let best = self.best_of(position, position.moves(), HINT_TIME);
        let others: PitSet = position.moves().filter(|&pit| pit != best.pit()).collect();
        if others.is_empty() {
            return Judgement { played: best.clone(), best };
        }
        self.compared(position, others, best, LOSS_TIME)
    }

    fn compared(
        &mut self,
        position: Position,
        moves: PitSet,
        best: Judged,
        time: Duration,
    ) -> Judgement {
        let played = self.best_of(position, moves, time);
        // Two short searches may disagree about which move is better.
        let margin = played.margin.min(best.margin);
        Judgement { played: Judged { margin, ..played }, best }
    }

    /// The best of some moves of a position that is not over.
    fn best_of(&mut self, position: Position, moves: PitSet, time: Duration) -> Judged {
        let moves = (moves != position.moves()).then_some(moves);
        let is_restricted = moves.is_some();
        let result = self.search(position, Limits { moves, ..Limits::time(time) });
        let judged =
            result.info.map(|Info { pv, margin, proved, .. }| Judged { pv, margin, proved });
        let judged = judged.unwrap_or_else(|| Judged {
            // The search was too short: the first move, and the lead as it is.
            pv: moves.unwrap_or(position.moves()).take(1).collect(),
            margin: position.lead(position.side()).into(),
            proved: false,
        });
        match self.known(position, judged.pit()).filter(|_| is_restricted) {
            Some(margin) => Judged { margin, proved: true, ..judged },
            None => judged,
        }
    }
}
