//! The judgement of moves by the seeds that they lost: marks, and the moment that decided
//! a game.
//!
//! The margins come from elsewhere: a search of every position, or the expectations that
//! the players recorded ([`judgements`]).

use std::fmt;

use super::{Ending, Game, Outcome, Step, Variation};
use crate::game::Side;
use crate::game::score::Value;

/// The mark of a move that lost seeds, as in chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// `?!`: half a seed or more.
    Inaccuracy,
    /// `?`: two seeds or more.
    Mistake,
    /// `??`: five seeds or more.
    Blunder,
}

impl Mark {
    /// Every mark, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The mark of a move after which the mover's margin is worse by `lost`.
    pub fn of(lost: Value) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| lost >= mark.threshold())
    }

    /// The smallest loss that has this mark. Less than half a seed may be an error of the
    /// search.
    pub fn threshold(self) -> Value {
        match self {
            Self::Inaccuracy => Value(Value::SEED / 2),
            Self::Mistake => Value(2 * Value::SEED),
            Self::Blunder => Value(5 * Value::SEED),
        }
    }

    /// The noun, in the singular.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// A count of them: `1 inaccuracy`, `2 inaccuracies`.
    pub fn counted(self, count: usize) -> String {
        match (self, count) {
            (_, 1) => format!("1 {}", self.name()),
            (Self::Inaccuracy, _) => format!("{count} inaccuracies"),
            _ => format!("{count} {}s", self.name()),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        })
    }
}

/// A move with the margins expected before and after it, from the mover's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Who moved.
    pub side: Side,
    /// The margin expected before the move, with best play.
    pub before: Value,
    /// The margin expected after it.
    pub after: Value,
}

impl Judgement {
    /// What the move lost; negative if the mover had expected less.
    pub fn lost(self) -> Value {
        self.before - self.after
    }

    /// The mark of the move.
    pub fn mark(self) -> Option<Mark> {
        Mark::of(self.lost())
    }
}

/// The index of the move that decided a game: the last one with a mark that cost its mover
/// a draw or a win, if the game was lost, or a win, if it was drawn. A margin of less than
/// half a seed is a draw. Moves without a judgement are skipped.
pub fn decisive(moves: &[Option<Judgement>], outcome: Outcome) -> Option<usize> {
    moves.iter().rposition(|judged| {
        judged.filter(|judged| judged.mark().is_some()).is_some_and(|judged| {
            let end = outcome.half_points(judged.side);
            half_points(judged.before) > end && half_points(judged.after) <= end
        })
    })
}

/// The mover's half points in a game that ends with a margin.
fn half_points(margin: Value) -> u32 {
    Outcome::of_margin(margin.rounded()).half_points(Side::South)
}

/// Who expected the margins in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Each player, at its own moves.
    Players,
    /// One judge, at the moves of both: the record has the tag `Annotator`.
    Annotator,
}

impl Source {
    /// The source of a game's margins.
    pub fn of(game: &Game) -> Self {
        if game.tags.contains_key("Annotator") { Self::Annotator } else { Self::Players }
    }
}

/// The moves of a line, judged by recorded expectations. An annotator's expectations are
/// compared from each move to the next, regardless of the mover. Otherwise a move is judged by
/// the expectations of the mover, at the move and at its next one, or by those of the opponent,
/// before and after the mover's turn, where the mover recorded none. The known margin of a
/// finished game counts as an expectation after its last move. Moves of the opening, moves
/// before a swap of sides and moves without two expectations are not judged.
pub fn judgements(
    line: &Variation,
    ending: Option<&Ending>,
    source: Source,
) -> Vec<Option<Judgement>> {
    let steps = line.steps();
    let ending = ending.and_then(|ending| ending.margin).map(Value::from);
    let first = line.swapped_after().unwrap_or(0);
    (0..steps.len())
        .map(|index| {
            let Step { r#move, played, .. } = &steps[index];
            let side = played.side;
            let (before, judge) = match r#move.evaluation {
                _ if r#move.book || index < first => return None,
                Some(own) => (own.margin, side),
                None if source == Source::Annotator => return None,
                None => {
                    // The opponent judges whole turns: the last move of one stands for it.
                    let has_extra_turn =
                        steps.get(index + 1).is_some_and(|next| next.played.side == side);
                    let judged = steps[first..index].iter().rfind(|step| step.played.side != side);
                    let margin = judged.filter(|_| !has_extra_turn)?.r#move.evaluation?.margin;
                    (-margin, side.other())
                }
            };
            let next = steps[index + 1..]
                .iter()
                .find(|step| source == Source::Annotator || step.played.side == judge);
            let after = match next {
                Some(step) => {
                    let value = step.r#move.evaluation?.margin;
                    Value(side.view_of(step.played.side.view_of(value.0)))
                }
                None => Value(side.view_of(ending?.0)),
            };
            Some(Judgement { side, before, after })
        })
        .collect()
}
