//! The ledger of a long proof: its contents, the lines that it refuses, and a solver that
//! resumes from it.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use kalah_engine::solve::ledger::{Ledger, LedgerEntry, ProofGoal};
use kalah_engine::solve::{SolveError, Solver, SolverSettings};
use kalah_game::{Capture, Gain, Interval, Position, Rules};
use kalah_sys::journal::with_checksum;
use serde_json::json;
use tempfile::TempDir;

fn start(pits: u32, seeds: u32) -> Position {
    Position::start(Rules::new(pits, seeds, Capture::Standard).unwrap())
}

fn solver(ledger: &Ledger, start: &Position) -> Solver {
    let mut solver = Solver::new(start, SolverSettings::default()).unwrap();
    ledger.bounds().for_each(|(bare, gain)| solver.import_bounds(bare, gain));
    solver
}

fn bounds(position: &str, lower: i32, upper: i32) -> String {
    format!(r#"{{"position":"{position}","capture":"standard","lower":{lower},"upper":{upper}}}"#)
}

/// A ledger with these lines, whose checksums match.
fn planted(lines: &[String]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proofs");
    drop(Ledger::open(&path).unwrap());
    let header = fs::read_to_string(&path).unwrap();
    let lines: String = lines.iter().map(|line| with_checksum(line) + "\n").collect();
    fs::write(&path, header + &lines).unwrap();
    (folder, path)
}

fn error(lines: &[String]) -> String {
    let (_folder, path) = planted(lines);
    let error = Ledger::open(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    error.to_string()
}

#[test]
fn a_stopped_solve_continues_from_its_bounds() {
    let (_folder, path) = planted(&[]);
    let start = start(4, 5);
    let mut ledger = Ledger::open(&path).unwrap();
    let mut first = Solver::new(&start, SolverSettings::default()).unwrap();
    let stopped = first.margin(&start, None, &mut |progress| {
        ledger.add(&progress.bare, progress.gain).unwrap();
        progress.gain == Interval { lower: Gain(-40), upper: Gain(40) }
    });
    assert!(stopped.is_err());
    drop(ledger);

    let resumed = Ledger::open(&path).unwrap();
    let (_, kept) = resumed.bounds().next().expect("a proved bound");
    assert!(kept.lower > Gain(-40) || kept.upper < Gain(40), "{kept:?}");
    let mut first = None;
    let margin = solver(&resumed, &start).margin(&start, None, &mut |progress| {
        first.get_or_insert(progress.gain);
        true
    });
    assert_eq!(margin.unwrap(), Gain(4));
    let first = first.expect("a bound left to prove");
    assert!(first.lower >= kept.lower && first.upper <= kept.upper);
}

#[test]
fn impossible_bounds_are_refused_with_their_line() {
    let bare = "<1,0,0,1,1> S";
    for (lower, upper) in [(0, 4), (-4, 2), (1, 1), (2, 0), (-2, 1)] {
        let error = error(&[bounds(bare, lower, upper)]);
        let expected = "line 2: expected bounds from -2 to 2 with the parity of 2";
        assert!(error.starts_with(expected), "{error}");
    }
    for position in ["<1,1,0,1,1> S", "<1,0,0,1,1> N"] {
        let error = error(&[bounds(position, 0, 0)]);
        assert!(error.starts_with("line 2: expected a position with empty stores"), "{error}");
    }
    let contradiction = "line 3: contradicts an earlier bound";
    assert_eq!(error(&[bounds(bare, 0, 0), bounds(bare, 2, 2)]), contradiction);
    // The bounds of a split position follow from those of its moves.
    let split = r#"{"position":"<2,0,0,2,2,2,2> S","capture":"standard","estimates":[0,0],"nodes":1,"seconds":0.1}"#;
    let best = bounds("<2,0,0,0,3,2,2> S", 5, 7);
    let lines = [bounds("<2,0,0,2,2,2,2> S", -8, 4), split.to_owned(), best];
    assert_eq!(error(&lines), "line 4: contradicts an earlier bound");
    let end = split.replace("2,2,2,2", "0,0,3,3").replace("[0,0]", "[]");
    assert_eq!(error(&[end]), "line 2: expected a position with moves");
    let twice = [split.to_owned(), split.replace("0.1", "0.2")];
    assert_eq!(error(&twice), "line 3: expected a position that is not split yet");
}

#[test]
fn redundant_entries_are_not_added() {
    let bare = "<2,0,0,2,2,2,2> S";
    let (_folder, path) = planted(&[bounds(bare, -2, 4)]);
    let mut ledger = Ledger::open(&path).unwrap();
    let position = Position::parse(bare, Capture::Standard).unwrap();
    for (lower, upper, entries) in [(-2, 4, 1), (-4, 8, 1), (-4, 2, 2), (0, 4, 3), (0, 2, 3)] {
        let gain = Interval { lower: Gain(lower), upper: Gain(upper) };
        ledger.add(&position, gain).unwrap();
        assert_eq!(ledger.entries().len(), entries, "{gain}");
        assert_eq!(Ledger::read(&path).unwrap().entries().len(), entries, "{gain}");
    }
    let line = format!(
        r#"{{"position":"{bare}","capture":"standard","estimates":[0,0],"nodes":1,"seconds":0.1}}"#
    );
    let split = LedgerEntry::parse(&line).unwrap();
    assert!(ledger.is_new(&split));
    ledger.append(vec![split.clone()]).unwrap();
    assert!(!ledger.is_new(&split));
    assert!(ledger.is_new(&LedgerEntry::Goal(goal(bare, Capture::Standard))));
}

#[test]
fn wrong_bounds_end_a_solve_with_an_error() {
    let start = start(3, 3);
    // The gain is 2 (tests/data/solved.tsv).
    for (lower, upper) in [(8, 8), (8, 18), (-18, 0), (0, 0), (-2, -2)] {
        let (_folder, path) = planted(&[bounds("<3,0,0,3,3,3,3,3,3> S", lower, upper)]);
        let ledger = Ledger::open(&path).unwrap();
        let solved = solver(&ledger, &start).solve(&start, &mut |_| true);
        let contradicts = matches!(solved, Err(SolveError::Contradiction { .. }));
        assert!(contradicts, "{lower} to {upper}: {solved:?}");
    }
}

fn goal(root: &str, capture: Capture) -> ProofGoal {
    ProofGoal {
        root: serde_json::from_value(json!({ "root": root, "capture": capture })).unwrap(),
        at_least: None,
        estimate: 0,
        piece_seconds: 1.0,
        piece_nodes: None,
        fresh: false,
        lease_seconds: 1.0,
    }
}

#[test]
fn the_goal_of_a_ledger_is_the_last_one() {
    let (_folder, path) = planted(&[bounds("<1,0,0,1,1> S", 0, 0)]);
    let mut ledger = Ledger::open(&path).unwrap();
    assert_eq!(ledger.goal(), None);
    for root in ["<2,0,0,1,2,3,4> S", "<2,5,0,0,2,0,4> N"] {
        let goal = goal(root, Capture::Standard);
        ledger.append(vec![LedgerEntry::Goal(goal.clone())]).unwrap();
        for ledger in [&ledger, &Ledger::read(&path).unwrap()] {
            assert_eq!(ledger.goal(), Some(&goal));
            assert!(
                ledger
                    .tree()
                    .bounds()
                    .any(|(bare, _)| { *bare == goal.position().unwrap().without_stores() })
            );
        }
    }
    assert_eq!(ledger.entries().len(), 3);
    let root = goal("<2,5,0,0,2,0,4> N", Capture::EmptyCapture).root;
    assert_eq!(root.to_string(), "<2,5,0,0,2,0,4> N empty-capture");
}

#[test]
fn others_can_append_to_a_shared_ledger_while_it_is_paused() {
    let (_folder, path) = planted(&[]);
    let mut shared = Ledger::open_shared(&path).unwrap();
    Ledger::open(&path).expect_err("it is locked");
    for entries in 1..3 {
        shared.pause();
        let mut other = Ledger::open(&path).unwrap();
        let goal = goal("<2,0,0,1,2,3,4> S", Capture::Standard);
        other.append(vec![LedgerEntry::Goal(goal)]).unwrap();
        drop(other);
        assert_eq!(shared.entries().len(), entries - 1);
        shared.resume().unwrap();
        assert_eq!(shared.entries().len(), entries);
        Ledger::open(&path).expect_err("it is locked again");
    }
}

#[test]
fn a_goal_shares_the_board_of_another_whatever_its_seeds_and_never_that_of_no_position() {
    let own = goal("<2,0,0,1,2,3,4> S", Capture::Standard);
    for (root, capture, expected) in [
        ("<2,5,0,0,2,0,4> N", Capture::Standard, true),
        ("<2,0,0,1,2,3,4> S", Capture::EmptyCapture, false),
        ("<3,0,0,1,2,3,4,5,6> S", Capture::Standard, false),
        ("<2,0,0,1,2,3> S", Capture::Standard, false),
    ] {
        let other = goal(root, capture);
        assert_eq!([own.shares_board(&other), other.shares_board(&own)], [expected; 2], "{root}");
    }
    let broken = goal("", Capture::Standard);
    assert!(!broken.shares_board(&broken));
}
