//! How games end: results and reasons, with their names in records.

use std::fmt;

use thiserror::Error;

use kalah_game::{Gain, Outcome, Position, Side};
use kalah_text::format::counted;
use kalah_text::named_enum;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won, or a draw.
    pub outcome: Outcome,
    /// Why the game ended.
    pub reason: Reason,
    /// South's final store minus North's; none unless the game was played out or an endgame
    /// table holds its margin.
    pub margin: Option<Gain>,
    /// Details of the reason, for people.
    pub detail: Option<String>,
}

impl fmt::Display for Ending {
    /// `1-0, by 12 seeds`, with the reason if it is not the normal one: `0-1 (time)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.outcome)?;
        if let Some(margin) = self.margin.filter(|&margin| margin != Gain::ZERO) {
            write!(f, ", by {}", counted(margin.0.unsigned_abs().into(), "seed"))?;
        }
        match self.reason {
            Reason::Normal => Ok(()),
            reason => write!(f, " ({reason})"),
        }
    }
}

/// Error of an ending that contradicts the seeds of its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct EndingError(String);

impl Ending {
    /// The ending of a game that was played to its end.
    ///
    /// Returns `None` if `position` is not over.
    pub fn played_out(position: &Position) -> Option<Self> {
        if !position.is_over() {
            return None;
        }
        Some(Self::by_margin(position.margin(Side::South), Reason::Normal))
    }

    /// The ending of a game that is known to end with `margin` for South.
    pub fn by_margin(margin: Gain, reason: Reason) -> Self {
        Self { outcome: Outcome::from_margin(margin), reason, margin: Some(margin), detail: None }
    }

    /// The ending of a game that `loser` lost before it was played out.
    pub fn lost_by(loser: Side, reason: Reason, detail: Option<String>) -> Self {
        Self { outcome: Outcome::Won(loser.other()), reason, margin: None, detail }
    }

    /// The side that lost by a technical failure.
    pub fn failed(&self) -> Option<Side> {
        match self.outcome {
            Outcome::Won(winner) if self.reason.is_failure() => Some(winner.other()),
            _ => None,
        }
    }

    /// Checks the ending against the last position; a normal one gets its margin.
    pub(super) fn checked(mut self, position: &Position) -> Result<Self, EndingError> {
        if self.reason == Reason::Normal {
            let Some(Self { margin: Some(expected), .. }) = Self::played_out(position) else {
                return Err(EndingError(
                    "expected a finished game for the reason 'normal', got one with seeds in \
                     both rows"
                        .to_owned(),
                ));
            };
            if let Some(got) = self.margin.filter(|&got| got != expected) {
                let message = format!("expected margin {expected} for South, got {got}");
                return Err(EndingError(message));
            }
            // Records may omit the margin of a normal ending, which follows from the position.
            self.margin = Some(expected);
        }
        // For other reasons, such as time, the result does not depend on the seeds.
        match self.margin.filter(|_| self.reason.is_decided_by_seeds()) {
            Some(margin) if Outcome::from_margin(margin) != self.outcome => {
                Err(EndingError(format!(
                    "expected result {} for South's margin {margin}, got {}",
                    Outcome::from_margin(margin),
                    self.outcome
                )))
            }
            _ => Ok(self),
        }
    }
}

named_enum! {
    /// Why a game ended.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Reason: "reason" {
        /// Played to the end.
        Normal = "normal",
        /// Adjudicated: a store holds more than half of all seeds.
        Majority = "majority",
        /// Adjudicated: an endgame table gives the result.
        Table = "table",
        /// Adjudicated: by the values of both players' last moves, the game is lost or drawn.
        Score = "score",
        /// Adjudicated as a draw: the match's move limit was reached.
        MoveLimit = "move-limit",
        /// The loser resigned.
        Resignation = "resignation",
        /// The loser exceeded its time.
        Time = "time",
        /// The loser did not answer at all.
        Hang = "hang",
        /// The loser's process ended.
        Crash = "crash",
        /// The loser closed its output.
        Disconnect = "disconnect",
        /// The loser played a move that the rules forbid.
        IllegalMove = "illegal-move",
        /// The loser's answer was not a move, or its output was too long.
        Garbage = "garbage",
        /// The loser could not be started, or did not become ready.
        NoStart = "no-start",
    }
}

impl Reason {
    /// Whether the final margin decided who won.
    pub fn is_decided_by_seeds(self) -> bool {
        matches!(self, Reason::Normal | Reason::Table)
    }

    /// Whether a player failed technically, in which case the result does not reflect its play.
    pub fn is_failure(self) -> bool {
        use Reason::*;
        matches!(self, Time | Hang | Crash | Disconnect | IllegalMove | Garbage | NoStart)
    }
}
