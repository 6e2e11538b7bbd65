//! Surveys of openings: all positions a few sowings from a start, and the margin of each, which
//! `kalah openings make` writes as an [`OpeningList`].
//!
//! A solver proves the margins ([`SurveyLists`]); a [`VerifiedList`] counts those that another one has
//! proved again.

use std::collections::HashSet;
use std::fmt;

use kalah_engine::book::{EXACT, ListedOpening, OpeningList};
use kalah_engine::solve::{OnProgress, SolveError, Solver};
use kalah_game::{Gain, Pit, Position};
use kalah_sys::random::SplitMix64;
use kalah_text::format::counted;
use serde::Serialize;

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

/// The lines of the lists of a survey, whose margins are proved one after the other.
pub struct SurveyLists {
    start: Position,
    solver: Solver,
    /// South's margin of the previous position.
    last: Gain,
    /// A line for each position.
    pub all: Vec<String>,
    /// The lines of positions whose margin is 0.
    pub fair: Vec<String>,
}

impl SurveyLists {
    /// Proves margins with `solver`, which must accept the start of the survey.
    pub fn new(start: Position, solver: Solver) -> Self {
        Self { start, solver, last: Gain::ZERO, all: Vec::new(), fair: Vec::new() }
    }

    /// Adds a position with its exact margin.
    ///
    /// # Errors
    /// If the solver is for different boards, or `watch` has returned `false`.
    pub fn add(
        &mut self,
        surveyed: &SurveyedPosition,
        watch: &mut OnProgress<'_>,
    ) -> Result<(), SolveError> {
        let SurveyedPosition { position, moves } = surveyed;
        let side = position.side();
        let before = self.solver.nodes();
        // Positions come in the order of their moves. The previous one is usually a sibling, and
        // its margin is similar.
        let margin = self.solver.margin(position, Some(side.view_of(self.last)), watch)?;
        self.last = side.view_of(margin);
        let proof = match self.solver.nodes() - before {
            0 => format!("{EXACT}, proved before"),
            nodes => format!("{EXACT}, {nodes} positions"),
        };
        let moves = String::from_iter(self.start.letters(moves));
        let line = OpeningList::line(position, &moves, margin, &proof);
        if margin == Gain::ZERO {
            self.fair.push(line.clone());
        }
        self.all.push(line);
        Ok(())
    }
}

/// The result of checking a list: every line was replayed, and a sample of its margins proved again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifiedList {
    /// The name of its file.
    pub file: String,
    /// Lines, all of which were replayed.
    pub lines: usize,
    /// Lines with a margin that is said to be proved.
    pub proved: usize,
    /// Margins that were proved again.
    pub verified: usize,
}

impl fmt::Display for VerifiedList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, verified, .. } = self;
        let lines = counted(self.lines as u64, "line");
        let margins = counted(self.proved as u64, "proved margin");
        write!(f, "{file}: {lines} replayed, {verified} of {margins} verified, no errors found")
    }
}

/// Up to `count` of the lines whose margin is said to be proved, chosen at random by `seed`.
pub fn sample_proved<'a>(
    lines: &'a [ListedOpening<'a>],
    count: usize,
    seed: u64,
) -> Vec<&'a ListedOpening<'a>> {
    let mut proved: Vec<_> = lines.iter().filter(|line| line.is_exact).collect();
    SplitMix64::new(seed).shuffle(&mut proved);
    proved.truncate(count);
    proved
}
