//! Puzzles: positions with exactly one best move, proved by the solver.
//!
//! A puzzle is a line of `puzzles.tsv`: the board, the capture rule, the motif, the depth
//! from which the engine finds the best move, and the best play and the exact margin of each
//! move. `kalah puzzles --make` writes that file.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::exercise::{Exercise, ExerciseGoal};
use crate::explain::{self, JudgedMove, Judgement};
use kalah_game::depth::Depth;
use kalah_game::score::{Gain, Turn, Value};
use kalah_game::{Pit, Position};
use kalah_text::named_enum;
use kalah_text::names::shortened;

named_enum! {
    /// The idea behind the solution of a puzzle.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Motif: "a motif:" {
        /// The best move captures.
        Capture = "capture",
        /// The best move keeps the turn.
        ExtraTurns = "extra-turns",
        /// The best move prevents a capture.
        Defence = "defence",
        /// At most 16 seeds are in play.
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

    /// The motif of a position with these moves, best first; none if the best move fits no
    /// motif.
    fn from_moves(position: &Position, moves: &[JudgedMove]) -> Option<Self> {
        const MAX_ENDGAME_SEEDS: u32 = 16;
        let [best, next, ..] = moves else { return None };
        let played = position.replay(&best.pv).next()?;
        let lost = explain::captured_by_reply(position, &best.pv);
        let lost_by_next = explain::captured_by_reply(position, &next.pv);
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
        /// Three to five sowings.
        Medium = "medium",
        /// Six sowings or more.
        Hard = "hard",
    }
}

impl From<Depth> for Difficulty {
    fn from(depth: Depth) -> Self {
        match depth.0 {
            ..=2 => Self::Easy,
            3..=5 => Self::Medium,
            _ => Self::Hard,
        }
    }
}

/// A position with exactly one best move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    position: Position,
    /// The idea behind the best move.
    pub motif: Motif,
    /// The depth, in sowings, from which the engine finds the best move and keeps it.
    depth: Depth,
    /// All moves, best first, with the first turns of best play.
    moves: Vec<JudgedMove>,
}

/// The built-in puzzles, by their rank.
pub fn embedded() -> Vec<Puzzle> {
    let lines = include_str!("puzzles.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut puzzles: Vec<Puzzle> =
        lines.map(|line| line.parse().expect("the puzzles are valid")).collect();
    // A stable sort: puzzles of equal rank keep the order of the file, and with it their numbers.
    puzzles.sort_by_key(Puzzle::rank);
    puzzles
}

impl Puzzle {
    /// Makes a puzzle from a position if exactly one move is best and there is a choice. `moves`
    /// are all of its moves with exact margins, best first; `depth_to_find` gives the depth from
    /// which the engine prefers the best one.
    pub(crate) fn new(
        position: Position,
        moves: Vec<JudgedMove>,
        depth_to_find: impl FnOnce(Pit) -> Depth,
    ) -> Option<Self> {
        // With only two moves, half of all guesses would be right.
        const MIN_MOVES: usize = 3;
        if moves.len() < MIN_MOVES || moves[0].margin == moves[1].margin {
            return None;
        }
        let motif = Motif::from_moves(&position, &moves)?;
        let depth = depth_to_find(moves[0].pit());
        let shown = moves
            .into_iter()
            .map(|judged| JudgedMove { pv: shown_part(&position, &judged.pv), ..judged });
        Some(Self { position, motif, depth, moves: shown.collect() })
    }

    fn from_columns<'a>(mut columns: impl Iterator<Item = &'a str>) -> Option<Self> {
        let board = columns.next()?;
        let position = Position::parse(board, columns.next()?.parse().ok()?).ok()?;
        let motif = columns.next()?.parse().ok()?;
        let depth = Depth(columns.next()?.parse().ok()?);
        let moves = columns.next()?.split(',').map(|text| judged(&position, text));
        let moves: Vec<JudgedMove> = moves.collect::<Option<_>>()?;
        if moves.len() < 2 || columns.next().is_some() {
            return None;
        }
        Some(Self { position, motif, depth, moves })
    }

    /// How far one must look ahead, from the depth at which the engine finds the solution.
    pub fn difficulty(&self) -> Difficulty {
        Difficulty::from(self.depth)
    }

    /// The order in which puzzles are set: easy ones first and, among equals, those whose second
    /// best move changes who wins. A best move that only wins by more seeds is less instructive.
    pub fn rank(&self) -> (Difficulty, bool) {
        let best = self.moves[0].margin.0.signum();
        let next = self.moves[1].margin.0.signum();
        (self.difficulty(), best == next)
    }

    /// The name by which the history identifies the puzzle.
    pub(crate) fn key(&self) -> String {
        format!("{} {}", self.position.without_rule(), self.position.capture())
    }

    /// The puzzle as an exercise, which asks for the best move and explains it.
    pub fn exercise(&self) -> Exercise {
        let side = self.position.side();
        let [best, next, ..] = &self.moves[..] else { unreachable!("a puzzle has moves") };
        let judgement = Judgement { played: next.clone(), best: best.clone() };
        let why = explain::comparison(&self.position, &judgement, Some(side));
        let text = format!("Exactly one move is best for {side}. Find it.");
        Exercise {
            title: self.difficulty().name().to_owned(),
            text: vec![text],
            position: self.position,
            goal: ExerciseGoal::Best(self.moves.clone()),
            hint: self.motif.hint().to_owned(),
            solution: best.pit().letter(side).to_string(),
            lesson: format!("{why}."),
            reasons: Default::default(),
        }
    }
}

/// The first three turns of a principal variation; explanations need no more.
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
        let capture = position.capture();
        write!(f, "{}\t{capture}\t{}\t{depth}", position.without_rule(), motif.name())?;
        for (index, judged) in moves.iter().enumerate() {
            let separator = if index == 0 { '\t' } else { ',' };
            let letters: String = position.letters(&judged.pv).collect();
            write!(f, "{separator}{letters}={}", judged.margin.rounded().0)?;
        }
        Ok(())
    }
}

/// Error for a text that is not the line of a puzzle.
#[derive(Debug, Error)]
#[error("expected a line of puzzles.tsv, got '{}'", shortened(.0))]
pub struct PuzzleError(String);

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(line: &str) -> Result<Self, PuzzleError> {
        Self::from_columns(line.split('\t')).ok_or_else(|| PuzzleError(line.to_owned()))
    }
}

/// A move as `CAb=8`.
fn judged(position: &Position, text: &str) -> Option<JudgedMove> {
    let (letters, margin) = text.split_once('=')?;
    let pits = letters.chars().map(|letter| position.parse_pit(&letter.to_string()));
    let pv = pits.collect::<Option<Vec<Pit>>>()?;
    // `replay` ends before the first illegal move.
    if pv.is_empty() || position.replay(&pv).count() != pv.len() {
        return None;
    }
    Some(JudgedMove { pv, margin: Value::from(Gain(margin.parse().ok()?)), proved: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exercise;
    use crate::find::PuzzleFinder;
    use kalah_engine::solve::SolveError;
    use kalah_record::suite::Problem;
    use std::collections::{BTreeMap, BTreeSet};

    /// The margin of each move.
    fn margins(puzzle: &Puzzle) -> BTreeMap<Pit, Value> {
        puzzle.moves.iter().map(|judged| (judged.pit(), judged.margin)).collect()
    }

    fn judged(position: &Position, moves: &[(&str, i32)]) -> Vec<JudgedMove> {
        let moves = moves.iter().map(|(letters, margin)| format!("{letters}={margin}"));
        moves.map(|text| super::judged(position, &text).unwrap()).collect()
    }

    #[test]
    fn the_motif_is_what_the_best_move_does() {
        for (position, capture, moves, motif) in [
            // At most 16 seeds are an endgame, whatever the best move does.
            ("<3,0,0,1,0,1,1,3,10> S", "standard", [("A", 3), ("CA", 1)], Some(Motif::Endgame)),
            ("<3,0,0,1,0,1,1,3,11> S", "standard", [("A", 3), ("CA", 1)], Some(Motif::Capture)),
            ("<3,0,0,1,0,1,1,3,11> S", "standard", [("CA", 3), ("A", 1)], Some(Motif::ExtraTurns)),
            // The capturing seed alone is no capture.
            ("<3,0,0,1,0,9,9,0,9> S", "empty-capture", [("A", 3), ("C", 1)], None),
            // North's a captures the nine seeds of B unless B is sown.
            ("<3,0,0,1,8,0,1,0,9> S", "standard", [("B", 3), ("Aa", 1)], Some(Motif::Defence)),
            ("<3,0,0,1,8,0,1,0,9> S", "standard", [("Aa", 3), ("B", 1)], None),
            // A reply that captures the same, here nothing, after both is no reason.
            ("<3,0,0,1,8,0,1,0,9> S", "standard", [("B", 3), ("A", 1)], None),
        ] {
            let position = Position::parse(position, capture.parse().unwrap()).unwrap();
            let found = Motif::from_moves(&position, &judged(&position, &moves));
            assert_eq!(found, motif, "{position}: {moves:?}");
        }
    }

    #[test]
    fn a_puzzle_has_three_moves_of_which_one_is_best() {
        let position = "<3,0,0,2,3,1,3,3,11> S";
        let position = Position::parse(position, Default::default()).unwrap();
        let made = |moves: &[(&str, i32)]| {
            Puzzle::new(position, judged(&position, moves), |best| {
                assert_eq!(best, position.parse_pit("C").unwrap());
                Depth(3)
            })
        };
        assert_eq!(made(&[("C", 2), ("A", 1)]), None);
        assert_eq!(made(&[("C", 2), ("A", 2), ("B", 1)]), None);
        let puzzle = made(&[("CAbAc", 2), ("A", -1), ("B", -1)]).unwrap();
        // Of the best play, the first three turns are shown.
        assert!(puzzle.to_string().ends_with("\textra-turns\t3\tCAbA=2,A=-1,B=-1"), "{puzzle}");
        let line = puzzle.to_string();
        assert!(line.parse::<Puzzle>().is_ok());
        // With a single move, nothing is left to compare it with.
        assert!(line.split_once(',').unwrap().0.parse::<Puzzle>().is_err());
        for wrong in [",=-1", ",CC=-1", ",A=", ",A", ",G=1"] {
            let wrong = line.replace(",A=-1", wrong);
            assert!(wrong.parse::<Puzzle>().is_err(), "{wrong}");
        }
        assert_eq!(puzzle.rank(), (Difficulty::Medium, false));
        assert!(made(&[("C", 2), ("A", 1), ("B", 1)]).unwrap().rank().1);
        assert!(!made(&[("C", 2), ("A", 0), ("B", 1)]).unwrap().rank().1);
        let exercise = puzzle.exercise();
        assert_eq!((&*exercise.title, &*exercise.solution), ("medium", "C"));
        assert!(exercise.lesson.starts_with("C keeps the turn"), "{}", exercise.lesson);
    }

    #[test]
    fn a_difficulty_is_a_range_of_depths() {
        let difficulties = (1..=7).map(|depth| Difficulty::from(Depth(depth)));
        let [easy, medium, hard] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];
        let wanted = [easy, easy, medium, medium, medium, hard, hard];
        assert!(difficulties.eq(wanted));
    }

    /// The depth and the play after moves that are not best depend on the search.
    #[test]
    fn the_recipe_finds_the_built_in_puzzles_with_their_motifs_and_margins() {
        for puzzle in embedded().iter().filter(|puzzle| puzzle.position.in_play() <= 24).step_by(9)
        {
            let position = puzzle.position;
            let lead = position.lead(position.side());
            let margins_of = margins(puzzle);
            let gains = (0..position.pits()).map(|index| {
                margins_of.get(&Pit::new(index)).map(|margin| margin.rounded() - lead)
            });
            let problem = Problem { position, gains: gains.collect() };
            let mut found = Vec::new();
            let mut finder = PuzzleFinder::new().unwrap();
            let searched = finder.search_suite(&[problem], |puzzle| {
                found.push(puzzle);
                Ok::<(), SolveError>(())
            });
            searched.unwrap();
            let [found] = &found[..] else { panic!("{puzzle}: {found:?}") };
            assert_eq!(found.motif, puzzle.motif, "{puzzle}");
            assert_eq!(margins(found), margins_of, "{puzzle}");
        }
    }

    #[test]
    fn the_built_in_puzzles_have_one_best_move_and_are_written_as_read() {
        let lines = include_str!("puzzles.tsv").lines().filter(|line| !line.starts_with('#'));
        let puzzles: BTreeMap<_, _> =
            embedded().into_iter().map(|puzzle| (puzzle.to_string(), puzzle)).collect();
        for line in lines {
            let puzzle = &puzzles[line];
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
        assert!(embedded().is_sorted_by_key(Puzzle::rank));
        assert_eq!(embedded()[0].rank(), (Difficulty::Easy, false));
        let mut hints = BTreeSet::new();
        for motif in Motif::ALL {
            let puzzles = embedded().into_iter().filter(|puzzle| puzzle.motif == motif);
            let puzzles: Vec<Puzzle> = puzzles.collect();
            assert!(puzzles.len() >= 10);
            let words = puzzles[0].exercise().hint;
            assert!(words.ends_with('.') && hints.insert(words), "each motif has its own hint");
        }
    }
}
