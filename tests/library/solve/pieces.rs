//! Workers of a proof in pieces, in one process: who answers which question.

use std::fs;
use std::path::Path;

use kalah::game::{Capture, Position, Rules};
use kalah::solve::ledger::Goal;
use kalah::solve::pieces::{Event, Outcome, Pieces};
use kalah::solve::{Question, Settings, Solver, TableChoice};

/// A proof of (6,4), whose first search takes long enough to be watched.
fn plan(folder: &Path, piece_seconds: f64, lease_seconds: f64) {
    let root = Position::start(Rules::default());
    let (root, capture) = (root.to_string(), Capture::Standard);
    let (at_least, piece_nodes) = (None, None);
    let goal =
        Goal { root, capture, at_least, estimate: 8, piece_seconds, piece_nodes, lease_seconds };
    Pieces::plan(folder, goal).unwrap();
}

/// A worker that works until `watch` returns `false`.
fn work(folder: &Path, watch: &mut dyn FnMut(Event<'_>) -> bool) {
    let mut pieces = Pieces::open(folder).unwrap();
    let (hash, tables) = (Some(1 << 20), TableChoice::Seeds(0));
    let settings = Settings { hash, tables, ..Settings::default() };
    let mut solver = Solver::new(pieces.root(), settings).unwrap();
    let mut estimate = |position: &Position| position.lead(position.side());
    pieces.work(&mut solver, &mut estimate, watch).unwrap_err();
}

/// The question that a worker gets first; none if it has to wait.
fn first_question(folder: &Path) -> Option<Question> {
    let mut first = None;
    work(folder, &mut |event| {
        if let Event::Searching(question, _) = event {
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
            let Event::Searching(question, _) = event else { panic!("{event:?}") };
            asked = Some(question.clone());
            assert_eq!(first_question(folder.path()).is_some(), is_shared);
            false
        });
        assert_eq!(first_question(folder.path()), asked, "given back");
    }
}

#[test]
fn an_answer_to_what_others_have_answered_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 0.3, 60.0);
    let mut outcomes = Vec::new();
    let mut other = None;
    work(folder.path(), &mut |event| match event {
        Event::Finished(_, outcome, _) => {
            outcomes.push(outcome);
            false
        }
        _ if other.is_none() => {
            // Without the leases, another worker answers the same question.
            fs::remove_file(folder.path().join("leases.json")).unwrap();
            work(folder.path(), &mut |event| match event {
                Event::Finished(_, outcome, _) => {
                    other = Some(outcome);
                    false
                }
                _ => true,
            });
            true
        }
        _ => true,
    });
    assert_eq!((other, outcomes), (Some(Outcome::Split), vec![Outcome::Split]));
    let ledger = fs::read_to_string(folder.path().join("ledger.jsonl")).unwrap();
    assert_eq!(ledger.matches("\"estimates\"").count(), 1, "{ledger}");
    let mut lines: Vec<&str> = ledger.lines().collect();
    let all = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), all, "{ledger}");
}
