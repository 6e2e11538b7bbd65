//! Puzzles: positions with exactly one best move, proved by the solver.
//!
//! A puzzle is a line of `puzzles.tsv`: the board, the capture rule, the motif, the depth
//! from which the engine finds the best move, and of each move its best play and its exact
//! margin. `kalah puzzles --make` writes that file.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::exercise::{self, Exercise, Goal};
use super::explain::{self, Judged, Judgement};
use super::judge::Judge;
use super::saved;
use crate::engine::Engine;
use crate::game::depth::Depth;
use crate::game::score::{Gain, Turn, Value};
use crate::game::{Pit, Position};
use crate::record::Game;
use crate::record::mark::Mark;
use crate::search::table::Bound;
use crate::search::{Limits, Stopper};
use crate::sys::names::{UnknownName, named_enum, shortened};

named_enum! {
    /// What the solution of a puzzle is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Motif: "a motif:" {
        /// The best move captures.
        Capture = "capture",
        /// The best move keeps the turn.
        ExtraTurns = "extra-turns",
        /// The best move prevents a capture.
        Defence = "defence",
        /// Few seeds are left.
        Endgame = "endgame",
    }
}

impl Motif {
    fn hint(self) -> &'static str {
        match self {
            Self::Capture => "There is something to capture.",
            Self::ExtraTurns => "Look for extra turns, and for what follows them.",
            Self::Defence => "Look at what your opponent threatens to capture.",
            Self::Endgame => "Count the seeds that each side keeps when a row runs empty.",
        }
    }

    /// The motif of a position whose moves these are, best first; none if its best move
    /// has none of these ideas.
    fn of(position: &Position, moves: &[Judged]) -> Option<Self> {
        const MAX_ENDGAME_SEEDS: u32 = 16;
        let [best, next, ..] = moves else { return None };
        let played = position.replay(&best.pv).next()?;
        let [lost, lost_by_next] =
            [best, next].map(|judged| explain::captured_by_reply(position, &judged.pv));
        Some(match played.turn {
            _ if position.in_play() <= MAX_ENDGAME_SEEDS => Self::Endgame,
            Turn::Keeps => Self::ExtraTurns,
            Turn::Passes if played.captured > 1 => Self::Capture,
            Turn::Passes if lost_by_next > lost => Self::Defence,
            Turn::Passes => return None,
        })
    }
}

named_enum! {
    /// How far one must look ahead to find the solution.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Difficulty: "a difficulty:" {
        /// At most two sowings.
        Easy = "easy",
        /// Up to five.
        Medium = "medium",
        /// More.
        Hard = "hard",
    }
}

impl Difficulty {
    fn of(depth: Depth) -> Self {
        match depth.0 {
            ..=2 => Self::Easy,
            3..=5 => Self::Medium,
            _ => Self::Hard,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Puzzle {
    position: Position,
    pub(crate) motif: Motif,
    /// Sowings that the engine must look ahead to find the best move and keep it.
    depth: Depth,
    /// All moves, best first, with the first turns of best play.
    moves: Vec<Judged>,
}

/// The puzzles of the program.
pub(crate) fn embedded() -> Vec<Puzzle> {
    let lines = include_str!("puzzles.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.parse().expect("the puzzles are valid")).collect()
}

impl Puzzle {
    /// The position as a puzzle, if exactly one of its `moves` is best and there is a choice:
    /// `moves` are all of them with exact margins, best first.
    pub(crate) fn new(position: Position, moves: Vec<Judged>, engine: &mut Engine) -> Option<Self> {
        const MIN_MOVES: usize = 3;
        if moves.len() < MIN_MOVES || moves[0].margin == moves[1].margin {
            return None;
        }
        let motif = Motif::of(&position, &moves)?;
        let depth = depth_to_find(&position, moves[0].pit(), engine);
        let moves = moves.into_iter();
        let moves = moves.map(|judged| Judged { pv: shown_part(&position, &judged.pv), ..judged });
        Some(Self { position, motif, depth, moves: moves.collect() })
    }

    pub(crate) fn difficulty(&self) -> Difficulty {
        Difficulty::of(self.depth)
    }

    /// The name under which the history keeps it.
    pub(crate) fn key(&self) -> String {
        format!("{} {}", self.position, self.position.capture())
    }

    pub(crate) fn exercise(&self) -> Exercise {
        let side = self.position.side();
        let [best, next, ..] = &self.moves[..] else { unreachable!("a puzzle has moves") };
        let judgement = Judgement { played: next.clone(), best: best.clone() };
        let why = explain::comparison(&self.position, &judgement);
        let text = format!("Exactly one move is best for {side}. Find it.");
        Exercise {
            title: self.difficulty().name().to_owned(),
            text: vec![text],
            position: self.position,
            goal: Goal::Best(self.moves.clone()),
            hint: self.motif.hint().to_owned(),
            solution: best.pit().letter(side).to_string(),
            lesson: format!("{why}."),
            reasons: Default::default(),
        }
    }
}

/// The depth from which on the engine prefers `best`, without tables, which would see the
/// end of the game at once.
fn depth_to_find(position: &Position, best: Pit, engine: &mut Engine) -> Depth {
    const MAX_DEPTH: Depth = Depth(12);
    let mut last_wrong = 0;
    engine.new_game();
    engine.set_position(*position);
    engine.search(Limits::depth(MAX_DEPTH), &Stopper::new(), &mut |info| {
        if info.bound == Bound::Exact && info.pv.first() != Some(&best) {
            last_wrong = info.depth.0;
        }
    });
    Depth(last_wrong + 1)
}

/// The first three turns of a principal variation: the explanations need no more.
fn shown_part(position: &Position, pv: &[Pit]) -> Vec<Pit> {
    let mut passes = 0;
    let turns = position.replay(pv).take_while(|played| {
        let is_shown = passes < 3;
        passes += usize::from(played.turn == Turn::Passes);
        is_shown
    });
    turns.map(|played| played.pit).collect()
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, motif, depth, moves } = self;
        let moves = moves.iter().map(|judged| {
            let letters: String = position.letters(&judged.pv).collect();
            format!("{letters}={}", judged.margin.rounded().0)
        });
        let moves = moves.collect::<Vec<_>>().join(",");
        let (capture, motif) = (position.capture(), motif.name());
        write!(f, "{position}\t{capture}\t{motif}\t{depth}\t{moves}")
    }
}

impl FromStr for Puzzle {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[board, capture, motif, depth, moves] = columns.as_slice() else {
            return Err(format!("expected five columns, got '{}'", shortened(line)));
        };
        let capture = capture.parse().map_err(|_| format!("unknown capture rule '{capture}'"))?;
        let position = Position::parse(board, capture).map_err(|error| error.to_string())?;
        let motif = motif.parse().map_err(|error: UnknownName| error.to_string())?;
        let depth = depth.parse().map_err(|_| format!("expected a depth, got '{depth}'"))?;
        let moves: Option<Vec<Judged>> =
            moves.split(',').map(|text| judged(&position, text)).collect();
        let moves = moves.filter(|moves| moves.len() > 1);
        let moves = moves.ok_or_else(|| format!("expected moves and margins, got '{line}'"))?;
        Ok(Self { position, motif, depth: Depth(depth), moves })
    }
}

/// A move as `CAb=8`.
fn judged(position: &Position, text: &str) -> Option<Judged> {
    let (letters, margin) = text.split_once('=')?;
    let pv: Option<Vec<Pit>> =
        letters.chars().map(|letter| position.parse_pit(&letter.to_string())).collect();
    let pv = pv.filter(|pv| !pv.is_empty() && position.replay(pv).count() == pv.len())?;
    Some(Judged { pv, margin: Value::from(Gain(margin.parse().ok()?)), proved: true })
}

/// The puzzles in a saved game: positions in which a person lost two seeds or more. `judge`
/// finds them, and the solver proves those that it can within a few seconds each.
pub(crate) fn of_game(record: &Game, judge: &mut Judge, finder: &mut Engine) -> Vec<Puzzle> {
    const JUDGING_TIME: Duration = Duration::from_millis(40);
    const SOLVING_TIME: Duration = Duration::from_secs(5);
    let Some(seats) = saved::seats_of(record) else { return Vec::new() };
    let mut puzzles = Vec::new();
    for (index, step) in record.steps().iter().enumerate() {
        let (position, pit) = (*record.position_after(index), step.played.pit);
        // The seats are those after a swap of sides.
        let swaps_later = record.swapped_after().is_some_and(|moves| index < moves);
        let side = if swaps_later { position.side().other() } else { position.side() };
        if !seats[side.index()].is_person() {
            continue;
        }
        let loss = judge.judgement(position, pit, JUDGING_TIME).loss();
        if Mark::of(loss) < Some(Mark::Mistake) {
            continue;
        }
        let started = Instant::now();
        let moves = exercise::solver(&position).and_then(|mut solver| {
            exercise::solved(&mut solver, &position, &mut |_| started.elapsed() < SOLVING_TIME)
        });
        let moves = moves.ok().filter(|moves| moves[0].pit() != pit);
        puzzles.extend(moves.and_then(|moves| Puzzle::new(position, moves, finder)));
    }
    puzzles
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_puzzles_of_the_program_have_one_best_move_and_are_written_as_read() {
        let lines = include_str!("puzzles.tsv").lines().filter(|line| !line.starts_with('#'));
        for (puzzle, line) in embedded().iter().zip(lines) {
            assert_eq!(puzzle.to_string(), line);
            assert_eq!(puzzle.moves.len(), puzzle.position.moves().len(), "{line}");
            let next = puzzle.moves[1..].iter().map(|judged| judged.margin).max();
            assert!(Some(puzzle.moves[0].margin) > next, "{line}");
            if puzzle.motif == Motif::Endgame {
                let mut solver = exercise::solver(&puzzle.position).unwrap();
                let moves = exercise::solved(&mut solver, &puzzle.position, &mut |_| true).unwrap();
                let margins = [&moves, &puzzle.moves].map(|moves| {
                    let margins = moves.iter().map(|judged| (judged.pit(), judged.margin));
                    margins.collect::<BTreeMap<_, _>>()
                });
                assert_eq!(margins[0], margins[1], "{line}");
            }
        }
        for motif in Motif::ALL {
            assert!(embedded().iter().filter(|puzzle| puzzle.motif == motif).count() >= 10);
        }
    }
}
