//! Verify mode: the board after a move.
//!
//! The published server numbers pits from 0 and expects the flag for an extra turn as a
//! word; its specification numbers them from 1 and expects an integer. The client starts
//! with the dialect of the server and switches if that turns out to be wrong.

use kalah_game::{Capture, Pit, Position, Side, score::Turn};

/// How a server writes problems and reads solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ProblemDialect {
    /// Pits are numbered from 0; the flag is `true` or `false`.
    #[default]
    Server,
    /// Pits are numbered from 1; the flag is `1` or `0`.
    Specification,
}

impl ProblemDialect {
    fn other(self) -> Self {
        match self {
            Self::Server => Self::Specification,
            Self::Specification => Self::Server,
        }
    }

    /// The index of South's pit with this number, if it has seeds.
    fn pit(self, position: &Position, number: usize) -> Option<usize> {
        let index = match self {
            Self::Server => number,
            Self::Specification => number.checked_sub(1)?,
        };
        (*position.row(Side::South).get(index)? > 0).then_some(index)
    }
}

/// Solves problems from a server.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Verifier {
    dialect: ProblemDialect,
    /// Number of the first solution in this dialect. Replies to earlier solutions concern the
    /// other dialect.
    first: Option<u64>,
    /// Whether the server has confirmed a solution in this dialect.
    is_confirmed: bool,
    /// Number of solutions that the server has confirmed, and refused.
    pub(super) accepted: u64,
    pub(super) refused: u64,
}

impl Verifier {
    /// A solution was sent under this number.
    pub(super) fn sent(&mut self, id: u64) {
        self.first.get_or_insert(id);
    }

    /// The server has confirmed the solution with this number.
    pub(super) fn accept(&mut self, id: u64) {
        self.accepted = self.accepted.saturating_add(1);
        self.is_confirmed |= self.is_current(id);
    }

    /// The server has refused the solution with this number.
    pub(super) fn refuse(&mut self, id: u64) {
        self.refused = self.refused.saturating_add(1);
        // Once a solution has been confirmed, the dialect is certain.
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
    /// A message for the server that describes what is wrong with the problem.
    pub(super) fn solve(&mut self, problem: &str) -> Result<String, String> {
        let (board, number) =
            problem.rsplit_once(char::is_whitespace).ok_or("expected a board and a pit")?;
        let position =
            Position::parse(board, Capture::Standard).map_err(|error| error.to_string())?;
        if position.side() == Side::North {
            return Err("expected South to move".to_owned());
        }
        let number: usize = number.parse().map_err(|_| "expected a pit number")?;
        // A pit that cannot be sown in the server's numbering settles the dialect.
        let is_impossible = ProblemDialect::Server.pit(&position, number).is_none()
            && ProblemDialect::Specification.pit(&position, number).is_some();
        if self.dialect == ProblemDialect::Server && is_impossible && !self.is_confirmed {
            self.switch();
        }
        let pit = self.dialect.pit(&position, number).ok_or_else(|| {
            format!("expected a non-empty pit among {} pits, got {number}", position.pits())
        })?;
        let (after, is_extra_turn) = sown(position, Pit::new(pit));
        let text = after.to_string();
        let board = text.strip_suffix(" S").or_else(|| text.strip_suffix(" N")).unwrap_or(&text);
        Ok(match self.dialect {
            ProblemDialect::Server => format!("solution {board} {is_extra_turn}"),
            ProblemDialect::Specification => {
                format!("solution {board} {}", u8::from(is_extra_turn))
            }
        })
    }
}

/// The position after South has sown `pit`, and whether the last seed fell into the store.
/// The remaining seeds are swept when a row is empty and, as on the server, also when a
/// store holds more than half of all seeds.
fn sown(mut position: Position, pit: Pit) -> (Position, bool) {
    let played = position.sow(pit);
    if has_majority(&position) {
        position.sweep();
    }
    (position, played.turn == Turn::Keeps)
}

/// Whether a store holds more than half of all seeds, which ends a game on the server. Half
/// of an odd number is rounded down, as on the server.
pub(super) fn has_majority(position: &Position) -> bool {
    let half = position.total() / 2;
    Side::BOTH.iter().any(|&side| position.store(side) > half)
}
