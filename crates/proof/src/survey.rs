//! Surveys of openings: all positions a few sowings from a start, and the margin of each, which
//! `kalah openings make` writes as an [`OpeningList`](kalah_engine::book::OpeningList).
//!
//! A margin is proved by a solver ([`SolvedMargins`]) or, where that would take too long,
//! estimated by a search ([`searched_margin`]).

use std::collections::HashSet;

use kalah_engine::book::{EXACT, known};
use kalah_engine::solve::{OnProgress, SolveError, Solver};
use kalah_engine::{Engine, Limits, Stopper};
use kalah_game::{Depth, Gain, Interval, Pit, Position, Score, Turn, Value};
use kalah_sys::machine::MemoryError;

/// A position and the moves that reach it.
#[derive(Clone, Debug)]
pub struct SurveyedPosition {
    /// The position, whose game is not over.
    pub position: Position,
    /// The position before the last of the moves.
    pub before: Position,
    /// The moves from the start, at least one.
    pub moves: Vec<Pit>,
}

/// All distinct unfinished positions 1 to `plies` sowings from `start`, each with the first
/// moves found that lead to it: shorter sequences come first, then pit by pit.
pub fn positions(start: &Position, plies: u8) -> Vec<SurveyedPosition> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut frontier =
        vec![SurveyedPosition { position: *start, before: *start, moves: Vec::new() }];
    for _ in 0..plies {
        let mut next = Vec::new();
        for SurveyedPosition { position: before, moves, .. } in &frontier {
            for (played, position) in before.children() {
                if !position.is_over() && seen.insert(position) {
                    let moves = [&moves[..], &[played.pit]].concat();
                    next.push(SurveyedPosition { position, before: *before, moves });
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
    /// The last column of its line in a list; begins with `EXACT` if the margin is proved.
    pub proof: String,
}

impl SurveyedMargin {
    fn proved_before(margin: Gain) -> Self {
        Self { margin, proof: format!("{EXACT}, proved before") }
    }
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
        Ok(match self.solver.nodes() - nodes {
            0 => SurveyedMargin::proved_before(margin),
            nodes => SurveyedMargin { margin, proof: format!("{EXACT}, {nodes} positions") },
        })
    }
}

/// The margin of a position by a search to `depth`, within the bounds of its gain and of its
/// predecessor's that `proved` and the known proofs give.
///
/// # Errors
/// If there is no memory for the transposition table.
pub fn searched_margin(
    SurveyedPosition { position, before, .. }: &SurveyedPosition,
    depth: Depth,
    proved: impl Fn(&Position) -> Interval<Gain>,
) -> Result<SurveyedMargin, MemoryError> {
    const MEBIBYTES: usize = 64;
    let known_margin = |position: &Position| {
        let gain = proved(position).and(known::gain(position));
        gain.from_child(position.lead(position.side()), Turn::Keeps)
    };
    // No move is worth more than the position in which it is played, so an upper bound of that
    // position is also one of this position.
    let at_most = Interval { lower: Gain::MIN, ..known_margin(before) };
    let turn = if before.side() == position.side() { Turn::Keeps } else { Turn::Passes };
    let Interval { lower, upper } =
        known_margin(position).and(at_most.from_child(Gain::ZERO, turn));
    if lower == upper {
        return Ok(SurveyedMargin::proved_before(lower));
    }
    let mut engine = Engine::with_hash(MEBIBYTES)?;
    engine.set_position(*position);
    let result = engine.search(Limits::depth(depth), &Stopper::new(), &mut |_| ());
    let found = result.info.expect("a search of an unfinished position");
    let mut proof = format!("depth {depth}, {} positions", found.nodes);
    // Bounds beyond half the seeds in play exclude almost nothing.
    for (words, bound) in [("at least", lower), ("at most", upper)] {
        if bound.0.unsigned_abs() <= position.in_play() / 2 {
            proof += &format!(", {words} {bound} proved");
        }
    }
    // A start has an even number of seeds, so every margin is even.
    let margin = Gain(2 * Value(found.margin.0 / 2).rounded().0);
    Ok(SurveyedMargin { margin: margin.clamp(lower, upper), proof })
}
