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
pub(crate) const LOSS_TIME: Duration = Duration::from_millis(300);

/// An engine and what stops it.
#[derive(Debug)]
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
    pub(crate) fn judgement(&mut self, position: Position, pit: Pit, time: Duration) -> Judgement {
        let best = self.best_of(position, position.moves(), time);
        if best.pit() == pit {
            return Judgement { played: best.clone(), best };
        }
        let played = self.best_of(position, PitSet::default().with(pit), time);
        Judgement::new(played, best)
    }

    /// The best move, and the best of the others in the place of the move played; the same
    /// twice if there are no others.
    pub(crate) fn hint(&mut self, position: Position) -> Judgement {
        let best = self.best_of(position, position.moves(), HINT_TIME);
        let others: PitSet = position.moves().filter(|&pit| pit != best.pit()).collect();
        if others.is_empty() {
            return Judgement { played: best.clone(), best };
        }
        let next = self.best_of(position, others, LOSS_TIME);
        Judgement::new(self.exact_if_known(position, next), best)
    }

    /// The best of some moves of a position that is not over.
    fn best_of(&mut self, position: Position, moves: PitSet, time: Duration) -> Judged {
        let mut pits = moves;
        if let (Some(pit), None) = (pits.next(), pits.next()) {
            return self.after(position, pit, time);
        }
        let moves = Some(moves).filter(|&moves| moves != position.moves());
        let result = self.search(position, Limits { moves, ..Limits::time(time) });
        match result.info {
            Some(Info { pv, margin, proved, .. }) => Judged { pv, margin, proved },
            // The search was too short: the first move, and the lead as it is.
            None => Judged {
                pv: moves.unwrap_or(position.moves()).take(1).collect(),
                margin: position.lead(position.side()).into(),
                proved: false,
            },
        }
    }

    /// The only move of a set. What follows it is searched, because a search ends at once
    /// where there is no choice.
    fn after(&mut self, position: Position, pit: Pit, time: Duration) -> Judged {
        let mut after = position;
        after.sow(pit);
        let side = position.side();
        if after.is_over() {
            return Judged { pv: vec![pit], margin: after.margin(side).into(), proved: true };
        }
        let Judged { pv, margin, proved } = self.best_of(after, after.moves(), time);
        let margin = if after.side() == side { margin } else { -margin };
        let pv = [vec![pit], pv].concat();
        self.exact_if_known(position, Judged { pv, margin, proved })
    }

    fn exact_if_known(&self, position: Position, judged: Judged) -> Judged {
        match self.known(position, judged.pit()) {
            Some(margin) => Judged { margin, proved: true, ..judged },
            None => judged,
        }
    }
}
