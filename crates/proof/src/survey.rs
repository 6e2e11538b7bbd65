//! Surveys of openings: all positions a few sowings from a start, and the margin of each, which
//! `kalah openings make` writes as an [`OpeningList`](kalah_engine::book::OpeningList).
//!
//! A solver proves the margins ([`SolvedMargins`]).

use std::collections::HashSet;

use kalah_engine::book::EXACT;
use kalah_engine::solve::{OnProgress, SolveError, Solver};
use kalah_game::{Gain, Pit, Position};

/// A position and the moves that reach it.
#[derive(Clone, Debug)]
pub struct SurveyedPosition {
    /// The position, whose game is not over.
    pub position: Position,
    /// The moves from the start, at least one.
    pub moves: Vec<Pit>,
}

/// All distinct unfinished positions 1 to `plies` sowings from `start`, each with the first
/// moves found that lead to it: shorter sequences come first, then pit by pit.
pub fn positions(start: &Position, plies: u8) -> Vec<SurveyedPosition> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut frontier = vec![SurveyedPosition { position: *start, moves: Vec::new() }];
    for _ in 0..plies {
        let mut next = Vec::new();
        for SurveyedPosition { position, moves } in &frontier {
            for (played, position) in position.children() {
                if !position.is_over() && seen.insert(position) {
                    let moves = [&moves[..], &[played.pit]].concat();
                    next.push(SurveyedPosition { position, moves });
                }
            }
        }
        found.extend(next.iter().cloned());
        frontier = next;
    }
    found
}

/// A margin, and how it was found.
#[derive(Clone, Debug)]
pub struct SurveyedMargin {
    /// From the mover's point of view.
    pub margin: Gain,
    /// The last column of its line in a list.
    pub proof: String,
}

/// Proves the margins of the positions of a survey, one after the other.
pub struct SolvedMargins {
    solver: Solver,
    /// South's margin of the previous position.
    last: Gain,
}

impl SolvedMargins {
    /// Proves margins with `solver`, which must accept the start of the survey.
    pub fn new(solver: Solver) -> Self {
        Self { solver, last: Gain::ZERO }
    }

    /// The exact margin of `position`.
    ///
    /// # Errors
    /// If the solver is for different boards, or `watch` has returned `false`.
    pub fn margin(
        &mut self,
        position: &Position,
        watch: &mut OnProgress<'_>,
    ) -> Result<SurveyedMargin, SolveError> {
        let side = position.side();
        let nodes = self.solver.nodes();
        // Positions come in the order of their moves. The previous one is usually a sibling, and
        // its margin is similar.
        let margin = self.solver.margin(position, Some(side.view_of(self.last)), watch)?;
        self.last = side.view_of(margin);
        let proof = match self.solver.nodes() - nodes {
            0 => format!("{EXACT}, proved before"),
            nodes => format!("{EXACT}, {nodes} positions"),
        };
        Ok(SurveyedMargin { margin, proof })
    }
}
