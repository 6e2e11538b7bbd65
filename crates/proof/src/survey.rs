//! Surveys of openings: all positions a few sowings from a start, and the margin of each, which
//! `kalah openings make` writes as an [`OpeningList`].
//!
//! A solver proves the margins ([`SurveyLists`]).

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

/// A list whose lines have been replayed, and some of whose margins have been proved again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifiedList {
    /// The name of its file.
    pub file: String,
    /// Lines, all of which were replayed.
    pub lines: usize,
    /// Lines whose margin is said to be proved.
    pub proved: usize,
    /// Those of them that were proved again.
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

impl VerifiedList {
    /// Calls `confirm` for up to `sample` of the lines whose margin is said to be proved.
    ///
    /// # Errors
    /// The first error of `confirm`.
    pub fn verify<E>(
        file: &str,
        lines: &[ListedOpening],
        sample: usize,
        seed: u64,
        confirm: impl FnMut(&ListedOpening) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut proved: Vec<_> = lines.iter().filter(|line| line.is_exact).collect();
        SplitMix64::new(seed).shuffle(&mut proved);
        let verified = sample.min(proved.len());
        proved[..verified].iter().copied().try_for_each(confirm)?;
        let file = file.to_owned();
        Ok(Self { file, lines: lines.len(), proved: proved.len(), verified })
    }
}
