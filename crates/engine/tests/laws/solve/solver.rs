//! The solver finds known values.

use std::ops::RangeInclusive;
use std::time::Duration;

use kalah_engine::Tables;
use kalah_engine::book::known;
use kalah_engine::solve::{
    GainQuestion, Order, Solution, SolveError, SolveProgress, Solver, SolverSettings, TableChoice,
};
use kalah_game::{Capture, Gain, Interval, Pit, Position, Rules};

use crate::built;

const VALUES: &str = include_str!("../../../../../tests/data/values.tsv");
const VALUES_OTHER_BOARDS: &str = include_str!("../../../../../tests/data/values_other_boards.tsv");
const SOLVED: &str = include_str!("../../../../../tests/data/solved.tsv");
const OPENING_MOVES: &str = include_str!("../../../../../tests/data/opening_moves.tsv");

/// How a value is found.
#[derive(Clone, Copy, Debug)]
enum Way {
    Tables(u32),
    SearchAlone,
    TwoThreadsAndTinyTable,
}

impl Way {
    const ALL: [Way; 3] = [Way::Tables(12), Way::SearchAlone, Way::TwoThreadsAndTinyTable];

    fn settings(self, position: &Position) -> SolverSettings {
        // Writing the memory of a large table takes longer than most short proofs.
        let hash = if position.in_play() > 24 { 64 << 20 } else { 4 << 20 };
        let tables = |seeds| TableChoice::Given(built(position.variant(), seeds));
        let (threads, hash, tables) = match self {
            Way::Tables(seeds) => (1, hash, tables(seeds)),
            Way::SearchAlone => (1, hash, TableChoice::Seeds(0)),
            Way::TwoThreadsAndTinyTable => (2, 1 << 12, TableChoice::Seeds(6)),
        };
        SolverSettings::default().threads(threads).hash(hash).tables(tables)
    }
}

fn solver(position: &Position, way: Way) -> Solver {
    Solver::new(position, way.settings(position)).expect("a solver")
}

/// The margin at the end of a pv, from the first mover's point of view.
fn margin_of_pv(position: &Position, pv: &[Pit]) -> Gain {
    let mover = position.side();
    let mut position = *position;
    for &pit in pv {
        position.play(pit).expect("a legal pv");
    }
    assert!(position.is_over(), "the pv ends before the game: {position}");
    position.margin(mover)
}

/// Plain minimax on unpacked positions.
fn minimax(position: &Position) -> Gain {
    if position.is_over() {
        return position.margin(position.side());
    }
    let margins =
        position.children().map(|(played, after)| played.turn.from_child(minimax(&after)));
    margins.max().expect("a move")
}

#[test]
fn small_games_have_the_values_of_plain_minimax_in_every_way() {
    for capture in Capture::ALL {
        for (pits, seeds) in [(1, 1), (1, 5), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)] {
            let start = Position::start(Rules::new(pits, seeds, capture).unwrap());
            let expected = minimax(&start);
            for way in Way::ALL {
                let solution = solver(&start, way).solve(&start, &mut |_| true).unwrap();
                assert_eq!(solution.margin, expected, "{start} {capture} {way:?}");
                assert_eq!(margin_of_pv(&start, &solution.pv), expected, "{start} {way:?}");
            }
        }
    }
}

/// Solves the reference positions with `in_play` seeds and each of their moves. Returns the number
/// of positions.
fn check_reference_values(in_play: RangeInclusive<u32>, ways: &[Way]) -> usize {
    let mut positions = 0;
    for table in [VALUES, VALUES_OTHER_BOARDS] {
        for line in kalah_testing::rows(table) {
            let [board, capture, seeds, best, gains] = &line[..] else { panic!("{line:?}") };
            if !in_play.contains(&seeds.parse().unwrap()) {
                continue;
            }
            let position = Position::parse(board, capture.parse().unwrap()).unwrap();
            positions += 1;
            let lead = position.lead(position.side());
            for &way in ways {
                let mut solver = solver(&position, way);
                let margin = solver.margin(&position, None, &mut |_| true).unwrap();
                assert_eq!((margin - lead).0.to_string(), *best, "{board} {way:?}");
                let moves = solver.moves(&position, &mut |_| true).unwrap();
                for (index, gain) in gains.split(',').enumerate() {
                    let found = moves.iter().find(|(pit, _)| *pit == Pit::new(index));
                    let found = found.map_or("-".to_owned(), |(_, m)| (*m - lead).0.to_string());
                    assert_eq!(found, gain, "{board} pit {index} {way:?}");
                }
            }
        }
    }
    positions
}

#[test]
fn the_solver_finds_the_reference_values_of_all_moves() {
    let positions = check_reference_values(0..=24, &Way::ALL);
    assert!(positions > 150, "{positions}");
}

#[test]
#[ignore = "long: .ci/long"]
fn the_solver_finds_reference_values_with_many_seeds() {
    let positions = check_reference_values(25..=60, &[Way::Tables(18), Way::SearchAlone]);
    assert!(positions > 100, "{positions}");
}

#[test]
fn published_starts_have_their_margins() {
    for line in kalah_testing::rows(SOLVED) {
        let [pits, seeds, capture, margin, _] = &line[..] else { panic!("{line:?}") };
        let rules =
            Rules::new(pits.parse().unwrap(), seeds.parse().unwrap(), capture.parse().unwrap());
        let start = Position::start(rules.unwrap());
        if start.in_play() > 36 {
            continue;
        }
        let mut solver = solver(&start, Way::Tables(12));
        let solution = solver.solve(&start, &mut |_| true).unwrap();
        assert_eq!(solution.margin.0.to_string(), *margin, "{line:?}");
        assert_eq!(margin_of_pv(&start, &solution.pv), solution.margin);
    }
}

/// Compares the margins of the first moves of all starts whose proof visited `positions` positions
/// with those in `data/opening_moves.tsv`. Returns the number of starts.
fn first_moves_have_their_margins(
    positions: RangeInclusive<u64>,
    settings: impl Fn(&Position) -> SolverSettings,
) -> usize {
    let mut starts = 0;
    for row in kalah_testing::rows(OPENING_MOVES) {
        let [pits, seeds, capture, margins, visited, _] = &row[..] else { panic!("{row:?}") };
        if !positions.contains(&visited.parse().unwrap()) {
            continue;
        }
        let (pits, seeds) = (pits.parse().unwrap(), seeds.parse().unwrap());
        starts += 1;
        let start = Position::start(Rules::new(pits, seeds, capture.parse().unwrap()).unwrap());
        let mut solver = Solver::new(&start, settings(&start)).expect("a solver");
        let mut moves = solver.moves(&start, &mut |_| true).unwrap();
        moves.sort();
        let found: Vec<String> = moves.iter().map(|(_, margin)| margin.0.to_string()).collect();
        assert_eq!(found.join(","), *margins, "{row:?}");
    }
    starts
}

#[test]
fn the_best_first_move_of_a_start_has_the_margin_of_the_start() {
    let mut starts = 0;
    for solved in kalah_testing::rows(SOLVED) {
        for moves in kalah_testing::rows(OPENING_MOVES).filter(|row| row[..3] == solved[..3]) {
            let best = moves[3].split(',').map(|margin| margin.parse::<i32>().unwrap()).max();
            assert_eq!(best, solved[3].parse().ok(), "{moves:?}");
            starts += 1;
        }
    }
    assert_eq!(starts, 50);
}

#[test]
#[ignore = "slow: .ci/run"]
fn first_moves_of_small_starts_have_their_margins() {
    let starts =
        first_moves_have_their_margins(0..=1_500_000, |start| Way::Tables(12).settings(start));
    assert_eq!(starts, 71);
}

#[test]
#[ignore = "long: .ci/long"]
fn first_moves_of_large_starts_have_their_margins() {
    let starts = first_moves_have_their_margins(1_500_001..=u64::MAX, |_| {
        SolverSettings::default().threads(2)
    });
    assert_eq!(starts, 16);
}

#[test]
#[ignore = "long: .ci/long"]
fn all_starts_have_their_margins() {
    for line in kalah_testing::rows(SOLVED) {
        let [pits, seeds, capture, margin, _] = &line[..] else { panic!("{line:?}") };
        let (pits, seeds) = (pits.parse().unwrap(), seeds.parse().unwrap());
        let start = Position::start(Rules::new(pits, seeds, capture.parse().unwrap()).unwrap());
        let settings = SolverSettings::default().threads(2);
        let mut solver = Solver::new(&start, settings).expect("a solver");
        let found = solver.margin(&start, None, &mut |_| true).unwrap();
        assert_eq!(found.0.to_string(), *margin, "{line:?}");
    }
}

#[test]
fn an_independent_order_confirms_a_margin_and_no_other() {
    let start = Position::start(Rules::new(5, 3, Capture::EmptyCapture).unwrap());
    let settings = Way::Tables(10).settings(&start).order(Order::Independent);
    let mut solver = Solver::new(&start, settings).expect("a solver");
    for (margin, right) in [(6, false), (8, true), (10, false)] {
        let confirmed = solver.confirm(&start, Gain(margin), &mut |_| true).unwrap();
        assert_eq!(confirmed, right, "{margin}");
    }
}

#[test]
fn known_margins_of_small_starts_are_proved_again() {
    let small =
        known::starts().filter(|known| known.rules.pits() * known.rules.seeds() as usize <= 12);
    let mut proved = 0;
    for known in small {
        let start = Position::start(known.rules);
        let margin = solver(&start, Way::Tables(10)).margin(&start, None, &mut |_| true).unwrap();
        assert_eq!(margin, known.margin, "{}, {}", known.rules, known.source);
        proved += 1;
    }
    assert!(proved > 0);
}

#[test]
fn only_correct_solutions_are_confirmed() {
    let start = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let mut first = solver(&start, Way::Tables(6));
    let solution = first.solve(&start, &mut |_| true).unwrap();
    let moves = first.moves(&start, &mut |_| true).unwrap();
    let settings = Way::SearchAlone.settings(&start).order(Order::Independent);
    let mut second = Solver::new(&start, settings).unwrap();
    let mut confirms = |solution: &Solution, moves: &[(Pit, Gain)]| {
        second.confirm_solution(&start, solution, moves, &mut |_| true).unwrap()
    };
    assert!(confirms(&solution, &moves) && confirms(&solution, &[]));
    let wrong = Solution { margin: solution.margin + Gain(2), ..solution.clone() };
    assert!(!confirms(&wrong, &moves));
    let unfinished = Solution { pv: solution.pv[..1].to_vec(), ..solution.clone() };
    assert!(!confirms(&unfinished, &moves));
    let mut other = moves.clone();
    other[0].1 = other[0].1 - Gain(2);
    assert!(!confirms(&solution, &other));
}

#[test]
fn the_bounds_shown_of_a_position_and_of_its_moves_contain_their_margins() {
    let start = Position::start(Rules::new(4, 3, Capture::Standard).unwrap());
    let way = Way::Tables(6);
    let mut margins = solver(&start, way).moves(&start, &mut |_| true).unwrap();
    let best = margins.iter().map(|&(_, margin)| margin).max().unwrap();
    let mut searched = Vec::new();
    let moves = solver(&start, way).moves(&start, &mut |progress| {
        let of_move = margins.iter().find(|&&(pit, _)| Some(pit) == progress.pit);
        let margin = of_move.map_or(best, |&(_, margin)| margin);
        assert!(progress.margin.lower <= margin && margin <= progress.margin.upper);
        if searched.last() != Some(&progress.pit) {
            searched.push(progress.pit);
        }
        true
    });
    // First the position itself, then its moves, the one nearest the store first.
    margins.insert(0, (Pit::new(0), best));
    assert_eq!(moves.unwrap(), margins[1..]);
    assert_eq!(searched[0], None);
    let pits: Vec<_> = margins[1..].iter().map(|&(pit, _)| Some(pit)).collect();
    assert_eq!(searched[1..], pits);
}

#[test]
fn the_decided_part_of_a_question_grows_from_0_to_1_while_the_table_fills() {
    let start = Position::start(Rules::new(5, 4, Capture::Standard).unwrap());
    let settings = SolverSettings::default().hash(1 << 20).tables(TableChoice::Seeds(0));
    let mut solver = Solver::new(&start, settings).unwrap();
    let mut questions = vec![Vec::new()];
    let mut hashfull = Vec::new();
    let mut nodes = Vec::new();
    solver
        .margin(&start, None, &mut |progress| {
            questions.last_mut().unwrap().push(progress.decided);
            hashfull.push(progress.hashfull);
            nodes.push(progress.nodes);
            // What is left is in proportion to what took that long, if that is long enough.
            for (asked, decided, left) in [
                (10, 0.25, Some(30)),
                (5, 0.1, Some(45)),
                (8, 1.0, Some(0)),
                (4, 0.5, None),
                (60, 0.09, None),
            ] {
                let asked = Duration::from_secs(asked);
                let remaining = SolveProgress { asked, decided, ..progress }.remaining();
                assert_eq!(remaining.map(|time| time.as_secs_f64().round() as u64), left);
            }
            if progress.decided == 1.0 {
                questions.push(Vec::new());
            }
            true
        })
        .unwrap();
    assert_eq!(questions.pop(), Some(Vec::new()), "the last question is answered");
    assert!(questions.len() >= 2, "no margin is exact after one question");
    for decided in questions {
        assert!(decided.is_sorted() && decided[0] >= 0.0, "{decided:?}");
    }
    assert!(nodes.is_sorted() && nodes.last() == Some(&solver.nodes()), "{nodes:?}");
    // The table only fills, up to 1,000 ‰.
    assert!(hashfull.is_sorted() && hashfull[0] < 500, "{hashfull:?}");
    assert!((500..=1000).contains(hashfull.last().unwrap()), "{hashfull:?}");
}

#[test]
fn imported_bounds_of_all_moves_leave_nothing_to_search() {
    let start = Position::start(Rules::new(4, 4, Capture::Standard).unwrap());
    let settings = || SolverSettings::default().tables(TableChoice::Seeds(0));
    let mut first = Solver::new(&start, settings()).unwrap();
    let margin = first.margin(&start, None, &mut |_| true).unwrap();
    let mut second = Solver::new(&start, settings()).unwrap();
    for (_, after) in start.children() {
        let margin = first.margin(&after, None, &mut |_| true).unwrap();
        let gain = margin - after.lead(after.side());
        second.import_bounds(&after, Interval::exactly(gain));
    }
    assert_eq!(second.margin(&start, None, &mut |_| true).unwrap(), margin);
    let moves = start.moves().len() as u64;
    assert!(second.nodes() <= 4 * moves, "{} nodes", second.nodes());
    // What a solver has proved needs no search either, until it is forgotten.
    let mut nodes = || {
        let before = first.nodes();
        assert_eq!(first.margin(&start, None, &mut |_| true).unwrap(), margin);
        first.nodes() - before
    };
    assert_eq!(nodes(), 0);
    first.forget();
    assert!(first.nodes() > 1000, "{} nodes", first.nodes());
    let forgotten = first.nodes();
    assert_eq!(first.margin(&start, None, &mut |_| true).unwrap(), margin);
    assert!(first.nodes() > forgotten + 1000, "{} nodes", first.nodes());
}

#[test]
fn a_kept_table_spares_the_next_solver_the_search() {
    let start = Position::start(Rules::new(4, 4, Capture::Standard).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let nodes = || {
        let settings = SolverSettings::default().hash(1 << 20).tables(TableChoice::Seeds(6));
        let kept = folder.path().join("table");
        let mut solver = Solver::new(&start, settings.kept_table(kept)).unwrap();
        let provenance = solver.provenance();
        assert_eq!((provenance.kept_table, provenance.table_seeds), (true, 6));
        assert_eq!(solver.tables().map(Tables::seeds), Some(6));
        solver.margin(&start, None, &mut |_| true).unwrap();
        solver.nodes()
    };
    let first = nodes();
    let second = nodes();
    assert!(second < first / 100, "{first} nodes, then {second}");
}

#[test]
fn other_boards_and_more_seeds_are_refused() {
    let start = |pits, seeds, capture| Position::start(Rules::new(pits, seeds, capture).unwrap());
    let own = start(4, 3, Capture::Standard);
    let mut solver = Solver::new(&own, SolverSettings::default()).unwrap();
    for (position, is_accepted) in [
        (start(4, 2, Capture::Standard), true),
        (start(4, 4, Capture::Standard), false),
        (start(3, 3, Capture::Standard), false),
        (start(4, 3, Capture::EmptyCapture), false),
    ] {
        let question = GainQuestion::new(Gain::ZERO, true);
        let refusals = [
            solver.margin(&position, None, &mut |_| true).err(),
            solver.solve(&position, &mut |_| true).err(),
            solver.moves(&position, &mut |_| true).err(),
            solver.confirm(&position, Gain::ZERO, &mut |_| true).err(),
            solver.prove_at_least(&position, question, &mut |_| true).err(),
        ];
        let is_refused =
            |error: &Option<SolveError>| matches!(error, Some(SolveError::Board { .. }));
        assert_eq!(solver.accepts(&position), is_accepted, "{position}");
        assert!(refusals.iter().all(|error| is_refused(error) != is_accepted), "{refusals:?}");
    }
}

#[test]
fn a_question_is_answered_by_bounds_unless_it_takes_more_nodes_than_its_limit() {
    let start = Position::start(Rules::new(4, 4, Capture::Standard).unwrap());
    let solver = || solver(&start, Way::Tables(6));
    let margin = solver().margin(&start, None, &mut |_| true).unwrap();
    for (at_least, is_reached) in [(margin, true), (margin + Gain(2), false)] {
        let ask = |limit| {
            let question = GainQuestion { limit, ..GainQuestion::new(at_least, true) };
            solver().prove_at_least(&start, question, &mut |_| true).unwrap()
        };
        let answer = ask(u64::MAX).unwrap();
        assert!(answer.lower <= margin && margin <= answer.upper, "{answer}");
        let decided = if is_reached { answer.lower >= at_least } else { answer.upper < at_least };
        assert!(decided, "{answer}");
        assert_eq!(ask(10), None);
    }
}
