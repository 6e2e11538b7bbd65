//! Puzzles that are found are puzzles, and none is found twice.

use kalah_coach::find::PuzzleFinder;
use kalah_coach::puzzle::{Difficulty, Puzzle};
use kalah_engine::Engine;
use kalah_engine::search::{Limits, Stopper};
use kalah_engine::solve::SolveError;
use kalah_game::{Capture, Pit, Position, Rules};
use kalah_record::suite::Problem;
use kalah_record::{Game, Move};
use kalah_sys::random::SplitMix64;

use super::{judge, random_ending, solved};

/// The problem of a position: the gain of each pit is its margin without the lead.
fn problem(position: Position) -> Problem {
    let lead = position.lead(position.side());
    let moves = solved(&position);
    let gains = (0..position.pits()).map(|index| {
        let found = moves.iter().find(|(pit, _)| *pit == Pit::new(index));
        found.map(|(_, margin)| margin.rounded() - lead)
    });
    Problem { position, gains: gains.collect() }
}

fn found(problems: &[Problem]) -> Vec<Puzzle> {
    let mut puzzles = Vec::new();
    let mut finder = PuzzleFinder::new().unwrap();
    let searched = finder.search_suite(problems, |puzzle| {
        puzzles.push(puzzle);
        Ok::<(), SolveError>(())
    });
    searched.unwrap();
    puzzles
}

/// Positions of (6,2) from random games with every one of their moves solved.
fn problems(capture: Capture) -> Vec<Problem> {
    let mut random = SplitMix64::new(67);
    let rules = Rules::new(6, 2, capture).unwrap();
    (0..60).map(|_| problem(random_ending(rules, 12, &mut random))).collect()
}

#[test]
fn positions_with_one_best_move_of_three_are_puzzles_up_to_eight_of_a_kind() {
    let problems = problems(Capture::Standard);
    let puzzles = found(&problems);
    let is_puzzle = |problem: &&Problem| {
        let best = Some(problem.best());
        let gains = &problem.gains;
        gains.iter().flatten().count() >= 3
            && gains.iter().filter(|&&gain| gain == best).count() == 1
    };
    let wanted = problems.iter().filter(is_puzzle).count();
    let of_kind =
        |difficulty| puzzles.iter().filter(|puzzle| puzzle.difficulty() == difficulty).count();
    // All are endgames, so that a kind is a difficulty.
    let counts = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard].map(of_kind);
    assert!(counts.iter().all(|&count| count <= 8) && counts.contains(&8), "{counts:?}");
    assert!(puzzles.len() < wanted && puzzles.len() >= 8, "{counts:?} of {wanted}");
    // Puzzles are about the standard rule alone.
    assert!(found(&self::problems(Capture::EmptyCapture)).is_empty());
}

#[test]
fn the_depth_of_a_puzzle_is_the_first_at_which_the_engine_keeps_the_best_move() {
    let mut depths = Vec::new();
    for puzzle in found(&problems(Capture::Standard)) {
        let line = puzzle.to_string();
        let columns: Vec<&str> = line.split('\t').collect();
        let depth: u8 = columns[3].parse().unwrap();
        let position = Position::parse(columns[0], Capture::Standard).unwrap();
        let best = position.parse_pit(&columns[4][..1]).unwrap();
        let preferred = |depth: u8| {
            let mut engine = Engine::without_tables(16).unwrap();
            engine.set_position(position);
            let limits = Limits::depth(kalah_game::depth::Depth(depth.into()));
            engine.search(limits, &Stopper::new(), &mut |_| ()).best
        };
        assert_eq!(preferred(depth), Some(best), "{line}");
        if depth > 1 {
            assert_ne!(preferred(depth - 1), Some(best), "{line}");
        }
        depths.push(depth);
    }
    assert!(depths.iter().any(|&depth| depth > 1), "{depths:?}");
}

/// South's A loses six seeds; D is the only best move.
const ENDING: &str = "<4,5,5,2,0,1,1,1,0,2,1> S";

#[test]
fn only_the_mistakes_of_people_become_puzzles() {
    let position = Position::parse(ENDING, Capture::Standard).unwrap();
    let search = |people: [bool; 2], letter: &str, swaps: bool| {
        let mut game = Game::new(position, Default::default());
        game.pie_rule = swaps;
        game.play(Move::new(position.parse_pit(letter).unwrap())).unwrap();
        assert_eq!(game.swap(), swaps);
        PuzzleFinder::new().unwrap().search_game(&game, people, &mut judge())
    };
    let puzzles = search([true, false], "A", false);
    assert_eq!(puzzles.len(), 1);
    assert!(puzzles[0].to_string().starts_with(ENDING));
    // A move of the engine, and the best move of a person.
    assert!(search([false, true], "A", false).is_empty());
    assert!(search([true, false], "D", false).is_empty());
    // The person who moved first is North after a swap.
    assert_eq!(search([false, true], "A", true).len(), 1);
    assert!(search([true, false], "A", true).is_empty());
    // The first move after a swap is one of the side that makes it: B leads to the same ending for
    // North, whose a loses six seeds.
    let before = Position::parse("<4,5,5,1,1,1,1,2,0,1,1> S", Capture::Standard).unwrap();
    let mut game = Game::new(before, Default::default());
    game.pie_rule = true;
    game.play(Move::new(Pit::new(1))).unwrap();
    assert!(game.swap());
    assert_eq!(*game.position(), position.mirrored());
    game.play(Move::new(Pit::new(0))).unwrap();
    let ending = position.mirrored().to_string();
    for (people, is_found) in [([false, true], true), ([true, false], false)] {
        let puzzles = PuzzleFinder::new().unwrap().search_game(&game, people, &mut judge());
        let found = puzzles.iter().any(|puzzle| puzzle.to_string().starts_with(&ending));
        assert_eq!(found, is_found, "{people:?}");
    }
}
