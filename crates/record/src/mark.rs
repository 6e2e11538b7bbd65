//! The judgement of moves by the seeds that they lost: their marks, and the move that decided
//! a game.
//!
//! The margins come from elsewhere: a search of every position, or the expectations that
//! the players recorded ([`margin_changes`]).

use std::{collections::BTreeMap, fmt};

use serde::Serialize;

use super::{Ending, Game, Outcome, Step, Variation};
use kalah_game::{Side, Value};
use kalah_text::format::counted;

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
    /// All marks, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The mark of a move after which the mover's margin is worse by `lost`.
    pub fn for_loss(lost: Value) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| lost >= mark.threshold())
    }

    /// The smallest loss that has this mark. A loss of less than half a seed has none, because
    /// it may be an error of the search.
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
pub struct MarginChange {
    /// Who moved.
    pub side: Side,
    /// The margin expected before the move, with best play.
    pub before: Value,
    /// The margin expected after it.
    pub after: Value,
}

impl MarginChange {
    /// The seeds that the move lost; negative if the expectation rose.
    pub fn lost(self) -> Value {
        self.before - self.after
    }

    /// The mark of the move.
    pub fn mark(self) -> Option<Mark> {
        Mark::for_loss(self.lost())
    }

    /// Whether the move is marked and gave away a better result than `end`, in half points of its
    /// mover. A margin of less than half a seed counts as a draw.
    pub fn gave_away(self, end: u32) -> bool {
        self.mark().is_some() && half_points(self.before) > end && half_points(self.after) <= end
    }
}

/// The index of the move that decided a game: the last marked move that gave away a better result
/// than its mover finally got (a draw or a win in a game that was lost, or a win in a game that was
/// drawn). Moves without a judgement are skipped.
pub fn decisive(moves: &[Option<MarginChange>], outcome: Outcome) -> Option<usize> {
    // From the end: a result that was given away earlier was won back before this move.
    moves.iter().rposition(|judged| {
        judged.is_some_and(|judged| judged.gave_away(outcome.half_points(judged.side)))
    })
}

/// The mover's half points in a game that ends with this margin for the mover.
fn half_points(margin: Value) -> u32 {
    Outcome::from_margin(margin.rounded()).half_points(Side::South)
}

/// The moves of a line of a game, judged by recorded expectations: those of each player at its own
/// moves or, if the record has the tag `Annotator`, those of one judge. The judge's expectations are
/// compared from each move to the next, regardless of the mover. Otherwise a move is judged by
/// the mover's expectations at this move and at the mover's next one. If the mover recorded none,
/// it is judged by the opponent's expectations before and after the mover's turn. The known
/// margin of a finished game counts as an expectation after its last move. Moves of the opening,
/// moves before a swap of sides and moves without two expectations are not judged.
//
// Two players' expectations are never compared with each other, because only those of one judge
// are consistent.
pub fn margin_changes(
    game: &Game,
    line: &Variation,
    ending: Option<&Ending>,
) -> Vec<Option<MarginChange>> {
    let has_annotator = game.tags.contains_key("Annotator");
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
                None if has_annotator => return None,
                None => {
                    // The opponent judges whole turns: the last move of a turn stands for it.
                    if let Some(next) = steps.get(index + 1)
                        && next.played.side == side
                    {
                        return None;
                    }
                    let judged = steps[first..index].iter().rfind(|step| step.played.side != side);
                    (-judged?.r#move.evaluation?.margin, side.other())
                }
            };
            let next =
                steps[index + 1..].iter().find(|step| has_annotator || step.played.side == judge);
            let after = match next {
                Some(step) => {
                    let value = step.r#move.evaluation?.margin;
                    Value(side.view_of(step.played.side.view_of(value.0)))
                }
                None => Value(side.view_of(ending?.0)),
            };
            Some(MarginChange { side, before, after })
        })
        .collect()
}

/// The judgement of a line of moves in numbers and words, for viewers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedLine {
    /// The marks and the losses in hundredths of a seed, by the number of the move, from 1.
    pub marks: BTreeMap<usize, (String, i32)>,
    /// The marks of South's and North's moves in words.
    pub counts: [String; 2],
    /// The number of the move that decided the game, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisive: Option<usize>,
}

impl JudgedLine {
    /// Judges a line of `game`; only the ending of the main line counts. None if no move can
    /// be judged.
    pub fn new(game: &Game, line: &Variation, is_main: bool) -> Option<Self> {
        let ending = game.ending().filter(|_| is_main);
        let moves = margin_changes(game, line, ending);
        if moves.iter().all(Option::is_none) {
            return None;
        }
        let marked = (1..).zip(&moves).filter_map(|(number, judged)| {
            let judged = (*judged)?;
            Some((number, (judged.mark()?.to_string(), judged.lost().0)))
        });
        let counts = Side::BOTH.map(|side| marks_in_words(&moves, side));
        let decisive = ending.and_then(|ending| decisive(&moves, ending.outcome));
        Some(Self { marks: marked.collect(), counts, decisive: decisive.map(|index| index + 1) })
    }
}

/// The marks of one side in words: `1 blunder, 2 mistakes in 17 judged moves`.
fn marks_in_words(moves: &[Option<MarginChange>], side: Side) -> String {
    let ours = moves.iter().flatten().filter(|judged| judged.side == side);
    let marks: Vec<Mark> = ours.clone().filter_map(|judged| judged.mark()).collect();
    let mut words = Vec::new();
    for mark in Mark::ALL {
        let count = marks.iter().filter(|&&other| other == mark).count();
        if count > 0 {
            words.push(mark.counted(count));
        }
    }
    if words.is_empty() {
        words.push("no marks".to_owned());
    }
    format!("{} in {}", words.join(", "), counted(ours.count() as u64, "judged move"))
}
