//! Workers of a proof in pieces, in one process: which worker answers which question, and how an
//! answer can be reproduced.

use std::fs;
use std::path::Path;

use kalah_engine::endgame::Tables;
use kalah_engine::solve::{GainQuestion, Question, Solver, SolverSettings, TableChoice};
use kalah_game::{Capture, Gain, Interval, Position, Rules};
use kalah_proof::{PieceOutcome, Pieces, ProofGoal, WorkEvent};
use serde::Deserialize;

/// The exact margin of a start, in pieces of ten minutes.
fn goal(rules: Rules) -> ProofGoal {
    ProofGoal {
        root: Position::start(rules).to_string(),
        capture: Capture::Standard,
        at_least: None,
        estimate: 8,
        piece_seconds: 600.0,
        piece_nodes: None,
        fresh: false,
        lease_seconds: 60.0,
    }
}

/// A proof of (6,4), whose first search takes long enough to be watched.
fn plan(folder: &Path, piece_seconds: f64, lease_seconds: f64) {
    let goal = ProofGoal { piece_seconds, lease_seconds, ..goal(Rules::default()) };
    Pieces::plan(folder, goal).unwrap();
}

fn solver(root: &Position, table_seeds: u32) -> Solver {
    let (hash, tables) = (Some(1 << 20), TableChoice::Seeds(table_seeds));
    Solver::new(root, SolverSettings { hash, tables, ..SolverSettings::default() }).unwrap()
}

/// A worker that works until `watch` returns `false`.
fn work(folder: &Path, watch: &mut dyn FnMut(WorkEvent<'_>) -> bool) {
    let mut pieces = Pieces::open(folder).unwrap();
    let mut solver = solver(pieces.root(), 0);
    let mut estimate = |position: &Position| position.lead(position.side());
    pieces.work(&mut solver, &mut estimate, watch).unwrap_err();
}

/// The first question that a new worker gets; none if it has to wait.
fn first_question(folder: &Path) -> Option<Question> {
    let mut first = None;
    work(folder, &mut |event| {
        if let WorkEvent::Searching(question, _) = event {
            first = Some(question.clone());
        }
        false
    });
    first
}

#[test]
fn a_question_has_one_worker_until_its_lease_expires_or_is_given_back() {
    for (lease_seconds, is_shared) in [(60.0, false), (0.0, true)] {
        let folder = tempfile::tempdir().unwrap();
        plan(folder.path(), 600.0, lease_seconds);
        let mut asked = None;
        work(folder.path(), &mut |event| {
            let WorkEvent::Searching(question, _) = event else { panic!("{event:?}") };
            asked = Some(question.clone());
            assert_eq!(first_question(folder.path()).is_some(), is_shared);
            false
        });
        assert_eq!(first_question(folder.path()), asked, "given back");
    }
}

#[test]
fn an_answer_to_an_answered_question_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 0.3, 60.0);
    let mut outcomes = Vec::new();
    let mut other = None;
    work(folder.path(), &mut |event| match event {
        WorkEvent::Finished(_, outcome, _) => {
            outcomes.push(outcome);
            false
        }
        _ if other.is_none() => {
            // Without the leases, another worker answers the same question.
            fs::remove_file(folder.path().join("leases.json")).unwrap();
            work(folder.path(), &mut |event| match event {
                WorkEvent::Finished(_, outcome, _) => {
                    other = Some(outcome);
                    false
                }
                _ => true,
            });
            true
        }
        _ => true,
    });
    assert_eq!((other, outcomes), (Some(PieceOutcome::Split), vec![PieceOutcome::Split]));
    let ledger = fs::read_to_string(folder.path().join("ledger.jsonl")).unwrap();
    assert_eq!(ledger.matches("\"estimates\"").count(), 1, "{ledger}");
    let mut lines: Vec<&str> = ledger.lines().collect();
    let all = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), all, "{ledger}");
}

/// A line of a ledger that proves bounds or splits a question.
#[derive(Deserialize)]
struct Line {
    position: String,
    lower: Option<i32>,
    upper: Option<i32>,
    at_least: Option<i32>,
    nodes: u64,
    threads: usize,
    table_seeds: u32,
    table_checksum: String,
    kept_table: bool,
}

#[test]
fn each_answer_of_a_fresh_proof_is_reproduced_to_the_node() {
    const TABLE_SEEDS: u32 = 5;
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::new(4, 4, Capture::Standard).unwrap();
    let goal = ProofGoal { fresh: true, piece_nodes: Some(3000), ..goal(rules) };
    let mut pieces = Pieces::plan(folder.path(), goal).unwrap();
    let mut worker = solver(pieces.root(), TABLE_SEEDS);
    let mut estimate = |position: &Position| position.lead(position.side());
    let margin = pieces.work(&mut worker, &mut estimate, &mut |_| true).unwrap();
    assert_eq!(margin, Interval::exactly(Gain(2)));

    let tables = Tables::build(rules.variant(), TABLE_SEEDS, 1).unwrap();
    let checksum = format!("{:016x}", tables.checksum());
    let ledger = fs::read_to_string(folder.path().join("ledger.jsonl")).unwrap();
    let mut counts = [0; 2];
    for text in ledger.lines().filter(|line| line.starts_with("{\"position\"")) {
        // Bounds that answer no question have no number of nodes, so reading them would fail.
        let line: Line = serde_json::from_str(text).unwrap();
        assert_eq!((line.threads, line.table_seeds, line.kept_table), (1, TABLE_SEEDS, false));
        assert_eq!(line.table_checksum, checksum);
        let position = Position::parse(&line.position, Capture::Standard).unwrap();
        let Some(at_least) = line.at_least else {
            counts[1] += 1;
            continue;
        };
        // The layout of its transposition table, and thus the entries that are replaced, depends on
        // the seeds of the root.
        let mut fresh = solver(pieces.root(), TABLE_SEEDS);
        let question = GainQuestion { at_least: Gain(at_least), expected: true, limit: u64::MAX };
        let gain = fresh.prove_at_least(&position, question, &mut |_| true);
        let gain = gain.unwrap().unwrap();
        assert_eq!([Some(gain.lower.0), Some(gain.upper.0)], [line.lower, line.upper], "{text}");
        assert_eq!(fresh.nodes(), line.nodes, "{text}");
        counts[0] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1), "{counts:?} answered and split");
}
