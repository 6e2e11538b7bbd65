//! The full engine's judgement of moves.

use std::time::Duration;

use crate::explain::{JudgedMove, Judgement};
use kalah_engine::Engine;
use kalah_engine::search::{Info, Limits, SearchResult, Stopper};
use kalah_game::score::Value;
use kalah_game::{MAX_PITS, Pit, PitSet, Position};
use kalah_record::Game;

/// The time for the search for the best move.
const HINT_TIME: Duration = Duration::from_millis(700);
/// The time for each of the two searches that judge the last move.
pub const LOSS_TIME: Duration = Duration::from_millis(300);

/// The time for the search that values every pit of a game in play.
pub const VALUES_TIME: Duration = Duration::from_millis(900);
/// The total time for all moves of a game, which get equal shares.
const LOSSES_TIME: Duration = Duration::from_secs(8);

/// An engine, and the stopper for its searches.
#[derive(Debug)]
pub struct Judge {
    /// Its settings hold for all searches of this judge.
    pub engine: Engine,
    /// Stops the running search from another thread; later searches end at once.
    pub stopper: Stopper,
}

impl Judge {
    /// Searches a position within `limits`.
    pub fn search(&mut self, position: Position, limits: Limits) -> SearchResult {
        self.engine.set_position(position);
        self.engine.search(limits, &self.stopper, &mut |_| ())
    }

    /// The proved margin of a move in the opening book, from the mover's point of view.
    pub(crate) fn known(&self, position: Position, pit: Pit) -> Option<Value> {
        let (played, after) = position.children().find(|(played, _)| played.pit == pit)?;
        let margin = Value::from(self.engine.resources().book_margin(&after)?);
        Some(played.turn.from_child(margin))
    }

    /// Compares a move with the best one.
    pub fn judgement(&mut self, position: Position, pit: Pit, time: Duration) -> Judgement {
        let best = self.best_of(position, position.moves(), time);
        if best.pit() == pit {
            return Judgement { played: best.clone(), best };
        }
        let played = self.best_of(position, PitSet::default().with(pit), time);
        Judgement::new(played, best)
    }

    /// The best move and, as the move played, the best of the others. Without others, both are
    /// the best move.
    pub fn hint(&mut self, position: Position) -> Judgement {
        let best = self.best_of(position, position.moves(), HINT_TIME);
        let others: PitSet = position.moves().iter().filter(|&pit| pit != best.pit()).collect();
        if others.is_empty() {
            return Judgement { played: best.clone(), best };
        }
        let next = self.best_of(position, others, LOSS_TIME);
        Judgement::new(self.exact_if_known(position, next), best)
    }

    /// The best of some moves in a position that is not over.
    fn best_of(&mut self, position: Position, moves: PitSet, time: Duration) -> JudgedMove {
        let mut pits = moves.iter();
        if let (Some(pit), None) = (pits.next(), pits.next()) {
            return self.after(position, pit, time);
        }
        // A search that is restricted to some moves may not use the book, so no restriction is
        // passed if all moves are allowed.
        let moves = Some(moves).filter(|&moves| moves != position.moves());
        let result = self.search(position, Limits { moves, ..Limits::time(time) });
        match result.info {
            Some(Info { pv, margin, proved, .. }) => JudgedMove { pv, margin, proved },
            // The search ended without any result: fall back to the first move and the lead.
            None => JudgedMove {
                pv: moves.unwrap_or(position.moves()).iter().take(1).collect(),
                margin: position.lead(position.side()).into(),
                proved: false,
            },
        }
    }

    /// Judges a single move by searching the position after it: a search that has no choice
    /// ends immediately.
    fn after(&mut self, position: Position, pit: Pit, time: Duration) -> JudgedMove {
        let mut after = position;
        let turn = after.play(pit).expect("a legal move").turn;
        if after.is_over() {
            let margin = after.margin(position.side()).into();
            return JudgedMove { pv: vec![pit], margin, proved: true };
        }
        let JudgedMove { pv, margin, proved } = self.best_of(after, after.moves(), time);
        let margin = turn.from_child(margin);
        let pv = [vec![pit], pv].concat();
        self.exact_if_known(position, JudgedMove { pv, margin, proved })
    }

    /// The last value of each pit, best first.
    pub fn values(&mut self, position: Position, limits: Limits) -> Vec<Info> {
        self.engine.settings_mut().multipv = MAX_PITS;
        self.engine.set_position(position);
        let mut values: Vec<Info> = Vec::new();
        self.engine.search(limits, &self.stopper, &mut |info| {
            values.retain(|known| known.pv.first() != info.pv.first());
            values.push(info.clone());
        });
        for info in &mut values {
            if let Some(margin) = info.pv.first().and_then(|&pit| self.known(position, pit)) {
                (info.margin, info.proved) = (margin, true);
            }
        }
        // The last iteration may not have reached every pit, so the order of reports is
        // not that of the margins.
        values.sort_by_key(|info| -info.margin);
        values
    }

    /// Analyses the game backwards, so that the transposition table already covers what follows
    /// a position; `report` receives the number of moves judged so far, and the total.
    pub fn losses(&mut self, game: &Game, report: &dyn Fn(usize, usize)) -> Vec<Judgement> {
        let count = game.steps().len();
        let time = losses_share(count);
        let mut losses = Vec::with_capacity(count);
        for index in (0..count).rev() {
            report(losses.len(), count);
            let pit = game.steps()[index].played.pit;
            losses.push(self.judgement(*game.position_after(index), pit, time));
        }
        losses.reverse();
        losses
    }

    fn exact_if_known(&self, position: Position, judged: JudgedMove) -> JudgedMove {
        match self.known(position, judged.pit()) {
            Some(margin) => JudgedMove { margin, proved: true, ..judged },
            None => judged,
        }
    }
}

/// The time for each of `count` moves of a game.
fn losses_share(count: usize) -> Duration {
    // Without these bounds, a move of a short game would take seconds, and one of a long game
    // would hardly be searched.
    (LOSSES_TIME / count.max(1) as u32).clamp(Duration::from_millis(30), Duration::from_millis(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_of_most_games_share_the_whole_time_for_their_losses() {
        for count in 20..=266 {
            let total = losses_share(count) * count as u32;
            let rounding = Duration::from_millis(1);
            assert!(total <= LOSSES_TIME && total + rounding > LOSSES_TIME, "{count}: {total:?}");
        }
        for (count, millis) in [(0, 400), (1, 400), (267, 30), (10_000, 30)] {
            assert_eq!(losses_share(count), Duration::from_millis(millis));
        }
    }
}
