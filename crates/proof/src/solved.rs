//! Results of a solver as text and JSON: solutions, progress, and bounds proved before an interruption.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use serde::Serialize;

use crate::{MarginBounds, TablesUsed};
use kalah_engine::solve::{OnProgress, Solution, SolveError, SolveProgress, Solver};
use kalah_game::{Gain, Interval, Pit, Position, PositionText};
use kalah_text::format::signed;

/// A solved position.
#[derive(Serialize)]
pub struct Solved {
    #[serde(flatten)]
    position: PositionText,
    margin: i32,
    pv: Vec<char>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<TablesUsed>,
    /// Whether the margins were confirmed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    verified: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveMargin>,
    #[serde(skip)]
    found: Found,
}

#[derive(Serialize)]
struct MoveMargin {
    r#move: char,
    margin: i32,
}

/// What the solver has found.
struct Found {
    position: Position,
    solution: Solution,
    moves: Vec<(Pit, Gain)>,
}

/// The position whose solver solves `position` and every other of its variant in `all`, and can keep
/// its tables between them: the one with the most seeds in play.
pub fn largest_alike(position: &Position, all: &[Position]) -> Position {
    let alike = all.iter().filter(|other| other.variant() == position.variant());
    *alike.chain([position]).max_by_key(|position| position.in_play()).unwrap_or(position)
}

impl Solved {
    /// Solves `position` and, `with_moves`, each of its moves. The time counts from `started`.
    ///
    /// # Errors
    /// Those of [`Solver::solve`].
    pub fn new(
        solver: &mut Solver,
        position: &Position,
        with_moves: bool,
        started: Instant,
        watch: &mut OnProgress<'_>,
    ) -> Result<Self, SolveError> {
        // A solver may solve several positions and never resets its count.
        let nodes_before = solver.nodes();
        let solution = solver.solve(position, watch)?;
        let mut moves = if with_moves { solver.moves(position, watch)? } else { Vec::new() };
        // In the order of the board, not in the order of search.
        moves.sort_by_key(|(pit, _)| *pit);
        let side = position.side();
        let margins = moves
            .iter()
            .map(|&(pit, Gain(margin))| MoveMargin { r#move: pit.letter(side), margin });
        Ok(Self {
            position: PositionText::new(position),
            margin: solution.margin.0,
            pv: position.letters(&solution.pv).collect(),
            nodes: solver.nodes() - nodes_before,
            seconds: started.elapsed().as_secs_f64(),
            tables: solver.tables().map(TablesUsed::new),
            verified: false,
            moves: margins.collect(),
            found: Found { position: *position, solution, moves },
        })
    }

    /// The margin of the position, from its mover's point of view.
    pub fn margin(&self) -> Gain {
        self.found.solution.margin
    }

    /// Confirms every margin with a second `solver`; returns whether it agrees.
    ///
    /// # Errors
    /// Those of [`Solver::confirm_solution`].
    pub fn confirm(
        &mut self,
        solver: &mut Solver,
        watch: &mut OnProgress<'_>,
    ) -> Result<bool, SolveError> {
        let Found { position, solution, moves } = &self.found;
        self.verified = solver.confirm_solution(position, solution, moves, watch)?;
        Ok(self.verified)
    }

    /// `South wins by 8; best: C`: who wins, and the best moves if all were solved.
    fn in_words(&self) -> String {
        let south = self.found.position.side().view_of(self.margin);
        let mut words = match south {
            0 => "draw".to_owned(),
            1.. => format!("South wins by {south}"),
            _ => format!("North wins by {}", -south),
        };
        let best = self.moves.iter().filter(|solved| solved.margin == self.margin);
        let letters: Vec<String> = best.map(|solved| solved.r#move.to_string()).collect();
        if !letters.is_empty() {
            words += &format!("; best: {}", letters.join(", "));
        }
        words
    }
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, nodes, seconds, .. } = self;
        writeln!(f, "position  {position}")?;
        writeln!(f, "result    {}", self.in_words())?;
        writeln!(f, "margin    {}", signed(self.margin.into(), 0))?;
        for MoveMargin { r#move, margin } in &self.moves {
            writeln!(f, "move {move}    {}", signed((*margin).into(), 0))?;
        }
        writeln!(f, "pv        {}", String::from_iter(&self.pv))?;
        if self.verified {
            writeln!(f, "verified  independently")?;
        }
        if let Some(tables) = &self.tables {
            writeln!(f, "tables    {tables}")?;
        }
        let rate = *nodes as f64 / seconds.max(1e-9) / 1e6;
        writeln!(f, "nodes     {nodes} in {seconds:.3} s, {rate:.1} M/s")
    }
}

/// The bounds of a position that were proved before an interruption.
#[derive(Serialize)]
pub struct ProvedBounds {
    #[serde(flatten)]
    position: PositionText,
    proved: Vec<MarginBounds>,
}

impl ProvedBounds {
    /// The bounds of the moves of `position`, and those of the position itself under `None`.
    pub fn new(position: &Position, bounds: &BTreeMap<Option<Pit>, Interval<Gain>>) -> Self {
        let mut proved = Vec::new();
        for (pit, margin) in bounds {
            let letter = pit.map(|pit| pit.letter(position.side()));
            proved.push(MarginBounds { r#move: letter, margin: *margin });
        }
        Self { position: PositionText::new(position), proved }
    }
}

impl fmt::Display for ProvedBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "position  {}", self.position)?;
        self.proved.iter().try_for_each(|bounds| writeln!(f, "{bounds}"))
    }
}

/// The progress of a solver.
#[derive(Serialize)]
pub struct ProgressRow {
    #[serde(flatten)]
    position: PositionText,
    #[serde(flatten)]
    proved: MarginBounds,
    nodes: u64,
    seconds: f64,
    /// The estimated fraction of the current question that has been decided.
    percent: u32,
    /// The estimated time for the remainder.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<u64>,
}

impl ProgressRow {
    /// The progress of a solver for `position`.
    pub fn new(position: &Position, progress: &SolveProgress) -> Self {
        let letter = progress.pit.map(|pit| pit.letter(position.side()));
        Self {
            position: PositionText::new(position),
            proved: MarginBounds { r#move: letter, margin: progress.margin },
            nodes: progress.nodes,
            seconds: progress.elapsed.as_secs_f64(),
            percent: (100.0 * progress.decided) as u32,
            seconds_left: progress.remaining().map(|left| left.as_secs()),
        }
    }
}
