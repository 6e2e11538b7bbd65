//! Verify mode: the board after a move.
//!
//! The published server numbers the pits from 0 and reads the flag as a word; its
//! specification numbers them from 1 and has an integer. The client begins with the
//! former and switches when it turns out to be wrong.

use crate::game::score::Turn;
use crate::game::{Capture, Pit, Position, Side};

/// How a server writes problems and reads solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Dialect {
    /// Pits from 0, `true` and `false`.
    #[default]
    Server,
    /// Pits from 1, `1` and `0`.
    Specification,
}

impl Dialect {
    fn other(self) -> Self {
        match self {
            Self::Server => Self::Specification,
            Self::Specification => Self::Server,
        }
    }

    /// The index of South's pit with this number, if it can be sown.
    fn pit(self, position: &Position, number: usize) -> Option<usize> {
        let index = match self {
            Self::Server => number,
            Self::Specification => number.checked_sub(1)?,
        };
        (*position.row(Side::South).get(index)? > 0).then_some(index)
    }
}

/// The solver of a server's problems.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Verifier {
    dialect: Dialect,
    /// Number of the first solution in this dialect: the server's replies to earlier
    /// ones concern the other dialect.
    first: Option<u64>,
    /// Whether the server has confirmed a solution in this dialect.
    is_confirmed: bool,
    /// Solutions that the server has confirmed and refused.
    pub(super) accepted: u64,
    pub(super) refused: u64,
}

impl Verifier {
    /// A solution was sent under this number.
    pub(super) fn sent(&mut self, id: u64) {
        self.first.get_or_insert(id);
    }

    /// The server has confirmed the solution of this number.
    pub(super) fn accept(&mut self, id: u64) {
        self.accepted = self.accepted.saturating_add(1);
        self.is_confirmed |= self.is_current(id);
    }

    /// The server has refused the solution of this number.
    pub(super) fn refuse(&mut self, id: u64) {
        self.refused = self.refused.saturating_add(1);
        if self.is_current(id) && !self.is_confirmed {
            self.switch();
        }
    }

    fn is_current(&self, id: u64) -> bool {
        self.first.is_some_and(|first| id >= first)
    }

    fn switch(&mut self) {
        self.dialect = self.dialect.other();
        self.first = None;
    }

    /// The `solution` of a `problem`.
    ///
    /// # Errors
    /// A message for the server about what is wrong with the problem.
    pub(super) fn solve(&mut self, problem: &str) -> Result<String, String> {
        let (board, number) =
            problem.rsplit_once(char::is_whitespace).ok_or("expected a board and a pit")?;
        let position =
            Position::parse(board, Capture::Standard).map_err(|error| error.to_string())?;
        if position.side() == Side::North {
            return Err("expected South to move".to_owned());
        }
        let number: usize = number.parse().map_err(|_| "expected the number of a pit")?;
        let is_impossible = Dialect::Server.pit(&position, number).is_none()
            && Dialect::Specification.pit(&position, number).is_some();
        if self.dialect == Dialect::Server && is_impossible && !self.is_confirmed {
            self.switch();
        }
        let pit = self.dialect.pit(&position, number).ok_or_else(|| {
            format!("expected one of {} pits with seeds, got {number}", position.pits())
        })?;
        let (after, is_extra_turn) = sown(position, Pit::new(pit));
        let text = after.to_string();
        let board = text.strip_suffix(" S").or_else(|| text.strip_suffix(" N")).unwrap_or(&text);
        Ok(match self.dialect {
            Dialect::Server => format!("solution {board} {is_extra_turn}"),
            Dialect::Specification => format!("solution {board} {}", u8::from(is_extra_turn)),
        })
    }
}

/// The position after South has sown `pit`, and whether the last seed fell into the
/// store. As on the server, the board is swept when a row is empty, and also when a
/// store holds more than half of all seeds.
fn sown(mut position: Position, pit: Pit) -> (Position, bool) {
    let played = position.sow(pit);
    if has_majority(&position) {
        position.sweep();
    }
    (position, played.turn == Turn::Keeps)
}

/// Whether a store holds more than half of all seeds, which ends a game on the
/// server. Half of an odd number is rounded down, as the server does.
pub(super) fn has_majority(position: &Position) -> bool {
    let half = position.total() / 2;
    Side::BOTH.iter().any(|&side| position.store(side) > half)
}
