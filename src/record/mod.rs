//! The record of a game: who played, from where, every move, how it ended.
//!
//! A [`Game`] is legal by construction: moves enter it through [`Game::play`]
//! and an ending through [`Game::finish`]. It is written as one line of JSON
//! (module [`json`], for programs; nothing is lost) and as `.kgn` text (module
//! [`kgn`], for people). Both are described in `doc/records.md`.
//!
//! No files are opened here, and nothing is known of matches or their
//! statistics.

mod error;
pub mod json;
pub mod kgn;
mod reason;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::depth::Depth;

use crate::game::{IllegalMove, Pit, Played, Position, Side};
use crate::score::{Gain, Value};

pub use error::{EndingError, Problem, RecordError};
pub use reason::{Outcome, Reason};

/// One game, finished or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// What the game is known by in its match: a hash, the same on every machine.
    pub id: Option<String>,
    /// The match or occasion.
    pub event: Option<String>,
    /// When it began, as ISO 8601 has it: `2026-11-20` or `2026-11-20T11:05:00Z`.
    pub date: Option<String>,
    /// Its number in the match, from 1.
    pub round: Option<u32>,
    /// The opening's name.
    pub opening: Option<String>,
    /// South and North.
    pub players: [Player; 2],
    /// What went wrong without ending the game: illegal variations and the like.
    pub warnings: Vec<String>,
    /// Anything else worth keeping, by name. `.kgn` writes these as tags.
    pub tags: BTreeMap<String, String>,
    start: Position,
    position: Position,
    moves: Vec<Move>,
    ending: Option<Ending>,
}

/// Who played one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The name in tables.
    pub name: String,
    /// What the program calls itself, with its version.
    pub version: Option<String>,
    /// The time, nodes or depth it was given, as in `0.1s+0.01s` or `1000 nodes`.
    pub limit: Option<String>,
    /// Options that were set, by name.
    pub options: BTreeMap<String, String>,
}

impl Player {
    /// A player of whom only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// One sowing and what its player thought of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The pit that was sown.
    pub pit: Pit,
    /// Whether it was played for the player, as part of the opening.
    pub book: bool,
    /// What the mover expected.
    pub evaluation: Option<Evaluation>,
    /// How deep the mover looked, in sowings.
    pub depth: Option<Depth>,
    /// How many positions the mover looked at.
    pub nodes: Option<u64>,
    /// How long it took, in whole microseconds.
    pub time: Option<Duration>,
    /// A remark.
    pub comment: Option<String>,
}

impl Move {
    /// A move of which nothing else is known.
    pub fn new(pit: Pit) -> Self {
        Self {
            pit,
            book: false,
            evaluation: None,
            depth: None,
            nodes: None,
            time: None,
            comment: None,
        }
    }

    /// A move of the opening.
    pub fn book(pit: Pit) -> Self {
        Self { book: true, ..Self::new(pit) }
    }
}

/// The margin that the mover expected at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The mover's final store minus the opponent's.
    pub margin: Value,
    /// Whether the mover claimed to have proved it.
    pub proved: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: Reason,
    /// South's final store minus North's, where it is known: it is not if the
    /// game was broken off.
    pub margin: Option<Gain>,
    /// More about the reason, for people.
    pub detail: Option<String>,
}

impl Ending {
    /// The ending of a game that was played to its end.
    ///
    /// Returns `None` if `position` is not over.
    pub fn of(position: &Position) -> Option<Self> {
        position.is_over().then(|| Self::by_margin(position.margin(Side::South), Reason::Normal))
    }

    /// The ending of a game that is known to end with `margin` for South.
    pub fn by_margin(margin: Gain, reason: Reason) -> Self {
        Self { outcome: Outcome::of_margin(margin), reason, margin: Some(margin), detail: None }
    }

    /// A game that `loser` lost before it was played out.
    pub fn lost_by(loser: Side, reason: Reason, detail: Option<String>) -> Self {
        Self { outcome: Outcome::Won(loser.other()), reason, margin: None, detail }
    }
}

impl Game {
    /// A game that is about to begin.
    pub fn new(start: Position, players: [Player; 2]) -> Self {
        Self {
            id: None,
            event: None,
            date: None,
            round: None,
            opening: None,
            players,
            warnings: Vec::new(),
            tags: BTreeMap::new(),
            start,
            position: start,
            moves: Vec::new(),
            ending: None,
        }
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Plays and records a move of the side to move.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game is then as it was.
    pub fn play(&mut self, r#move: Move) -> Result<Played, IllegalMove> {
        let played = self.position.play(r#move.pit)?;
        self.moves.push(r#move);
        Ok(played)
    }

    /// Takes back all moves but the first `count`, and the ending.
    pub fn truncate(&mut self, count: usize) {
        if count < self.moves.len() {
            self.moves.truncate(count);
            self.position = self.steps().last().map_or(self.start, |step| step.after);
        }
        self.ending = None;
    }

    /// Records how the game ended. A normal ending without a margin gets it.
    ///
    /// # Errors
    /// [`EndingError`] if `ending` contradicts the position or itself.
    pub fn finish(&mut self, mut ending: Ending) -> Result<(), EndingError> {
        if ending.reason == Reason::Normal {
            let expected = Ending::of(&self.position).ok_or(EndingError::NotOver)?.margin;
            let (expected, got) = (expected.unwrap_or_default(), ending.margin);
            if let Some(got) = got.filter(|&got| got != expected) {
                return Err(EndingError::Margin { expected, got });
            }
            ending.margin = Some(expected);
        }
        if let (Some(margin), true) = (ending.margin, ending.reason.is_decided_by_seeds()) {
            let expected = Outcome::of_margin(margin);
            if expected != ending.outcome {
                return Err(EndingError::Outcome { expected, margin, got: ending.outcome });
            }
        }
        self.ending = Some(ending);
        Ok(())
    }

    /// Goes through the game move by move.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let mut position = self.start;
        self.moves.iter().map_while(move |r#move| {
            let before = position;
            let played = position.play(r#move.pit).ok()?;
            Some(Step { r#move, before, played, after: position })
        })
    }
}

/// One move of a game that is being gone through.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The recorded move.
    pub r#move: &'a Move,
    /// The position it was played in.
    pub before: Position,
    /// What it did.
    pub played: Played,
    /// The position it led to.
    pub after: Position,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn game() -> Game {
        Game::new(Position::start(Rules::default()), ["a", "b"].map(Player::named))
    }

    #[test]
    fn moves_taken_back_leave_the_position_before_them() {
        let mut game = game();
        for pit in [2, 5, 0] {
            game.play(Move::new(Pit::new(pit))).unwrap();
        }
        game.truncate(1);
        assert_eq!(game.position().to_string(), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S");
        game.truncate(0);
        assert_eq!(game.position(), game.start());
    }

    #[test]
    fn an_ending_must_fit_the_seeds() {
        let mut game = game();
        let normal =
            |outcome| Ending { outcome, reason: Reason::Normal, margin: None, detail: None };
        assert_eq!(game.finish(normal(Outcome::Draw)), Err(EndingError::NotOver));

        let start = Position::parse("<2,5,2,0,1,1,1> S", Default::default()).unwrap();
        game = Game::new(start, Default::default());
        game.play(Move::new(Pit::new(1))).unwrap();
        let error = game.finish(normal(Outcome::Draw)).unwrap_err().to_string();
        assert_eq!(error, "expected result 1-0 of a game that South ends with +2, got 1/2-1/2");
        game.finish(normal(Outcome::Won(Side::South))).unwrap();
        assert_eq!(game.ending().unwrap().margin, Some(Gain(2)));
    }

    #[test]
    fn a_side_can_lose_on_time_whatever_the_seeds_say() {
        let mut game = game();
        game.finish(Ending::lost_by(Side::South, Reason::Time, None)).unwrap();
        assert_eq!(game.ending().unwrap().outcome, Outcome::Won(Side::North));
    }
}
