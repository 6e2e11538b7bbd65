//! Workers of a proof in pieces, in one process: which worker answers which question, and how an
//! answer can be reproduced.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use kalah_engine::endgame::verify::Minimax;
use kalah_engine::endgame::{Encoding, Extent, Tables};
use kalah_engine::solve::{GainQuestion, Question, Solver, SolverSettings, TableChoice};
use kalah_game::{Capture, Gain, Interval, Position, Rules};
use kalah_proof::{
    BoundsRecorder, ClaimedBounds, PieceOutcome, Pieces, ProofGoal, ProofStatus, Review, RootText,
    TablesUsed, WorkEvent, sample,
};
use serde::Deserialize;

/// The exact margin of a start, in pieces of ten minutes.
fn goal(rules: Rules) -> ProofGoal {
    ProofGoal {
        root: RootText::new(&Position::start(rules)),
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
    for (lease_seconds, is_shared) in [(60.0, false), (0.02, true)] {
        let folder = tempfile::tempdir().unwrap();
        plan(folder.path(), 600.0, lease_seconds);
        let mut asked = None;
        work(folder.path(), &mut |event| {
            let WorkEvent::Searching(question, _) = event else { panic!("{event:?}") };
            asked = Some(question.clone());
            thread::sleep(Duration::from_millis(40));
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

#[test]
fn a_goal_about_a_position_with_a_lead_is_about_its_margin() {
    let root = Position::parse("<3,1,4,2,1,2,1,2,2> N", Capture::Standard).unwrap();
    let exact = root.lead(root.side()) + Minimax::default().gain(&root);
    for at_least in [None, Some(exact - Gain(2)), Some(exact), Some(exact + Gain(2))] {
        let folder = tempfile::tempdir().unwrap();
        let goal = ProofGoal {
            root: RootText::new(&root),
            at_least: at_least.map(|bound| bound.0),
            piece_nodes: Some(50_000),
            ..goal(Rules::default())
        };
        let mut pieces = Pieces::plan(folder.path(), goal).unwrap();
        assert_eq!(pieces.estimate_nodes(), 500, "a hundredth of a piece");
        let mut worker = solver(&root, 0);
        let mut estimate = |position: &Position| position.lead(position.side());
        let margin = pieces.work(&mut worker, &mut estimate, &mut |_| true).unwrap();
        match at_least {
            None => assert_eq!(margin, Interval::exactly(exact)),
            Some(bound) => assert_eq!(pieces.reached(), Some(exact >= bound), "{bound}"),
        }
    }
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

#[test]
fn the_status_of_a_finished_proof_adds_up_and_a_review_finds_only_wrong_claims() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::new(4, 4, Capture::Standard).unwrap();
    let goal = ProofGoal { piece_nodes: Some(3000), ..goal(rules) };
    let mut pieces = Pieces::plan(folder.path(), goal).unwrap();
    let root = *pieces.root();
    let mut estimate = |position: &Position| position.lead(position.side());
    let mut costs = Vec::new();
    let mut watch = |event: WorkEvent<'_>| {
        if let WorkEvent::Finished(_, outcome, cost) = event {
            costs.push((outcome == PieceOutcome::Split, cost));
        }
        true
    };
    pieces.work(&mut solver(&root, 5), &mut estimate, &mut watch).unwrap();

    let status = ProofStatus::read(folder.path()).unwrap();
    assert_eq!((status.margin, status.asked), (Interval::exactly(Gain(2)), None));
    assert_eq!((status.open.len(), status.at_work, status.median_nodes), (0, 0, 0.0));
    let split = costs.iter().filter(|(is_split, _)| *is_split).count();
    assert_eq!([status.split, status.answered], [split, costs.len() - split].map(|n| n as u64));
    assert_eq!(status.spent.nodes, costs.iter().map(|(_, cost)| cost.nodes).sum::<u64>());
    let seconds: f64 = costs.iter().map(|(_, cost)| cost.seconds).sum();
    assert!((status.spent.seconds - seconds).abs() < 0.01 * seconds, "{seconds}");
    let moves = solver(&root, 5).moves(&root, &mut |_| true).unwrap();
    assert_eq!(status.moves.len(), moves.len());
    for (pit, margin) in moves {
        let (_, found) = status.moves.iter().find(|(other, _)| *other == pit).unwrap();
        assert!((found.lower..=found.upper).contains(&margin), "{pit}: {found}, not {margin}");
    }

    let (mut review, claims) = Review::replay(folder.path()).unwrap();
    assert_eq!((review.proved, review.split), (claims.len(), split));
    assert!(sample(&claims, 0.0, 1).is_empty());
    let half = sample(&claims, 0.5, 1).len();
    assert!(half > claims.len() / 4 && half < 3 * claims.len() / 4, "{half}");
    let all = sample(&claims, 1.0, 1);
    assert_eq!(all.len(), claims.len());
    assert!(all.is_sorted_by_key(|claim| (claim.bare.in_play(), Reverse(claim.line))));
    let mut second = solver(&root, 5);
    for claim in &all {
        review.reprove(claim, &mut second, &mut |_| true).unwrap();
    }
    assert_eq!(review.faults, [""; 0]);
    let mut wrong = 0;
    for claim in all {
        let exact = second.margin(&claim.bare, None, &mut |_| true).unwrap();
        for gain in [exact - Gain(2), exact + Gain(2)] {
            let ClaimedBounds { line, bare, .. } = *claim;
            if gain.0.unsigned_abs() > bare.in_play() {
                continue;
            }
            let claim = ClaimedBounds { line, bare, gain: Interval::exactly(gain) };
            review.reprove(&claim, &mut second, &mut |_| true).unwrap();
            wrong += 1;
            assert_eq!(review.faults.len(), wrong, "{bare}: {gain}, not {exact}");
            assert!(review.faults[wrong - 1].starts_with(&format!("line {line}: ")));
        }
    }
    assert!(wrong > 10, "{wrong}");
}

#[test]
fn a_finished_proof_continues_with_the_first_root_that_is_not_proved() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::new(3, 2, Capture::Standard).unwrap();
    let mut pieces = Pieces::plan(folder.path(), goal(rules)).unwrap();
    let root = *pieces.root();
    let others = root.children().map(|(_, after)| after);
    let roots: Vec<Position> = [root].into_iter().chain(others).collect();
    let mut estimate = |position: &Position| position.lead(position.side());
    for (done, expected) in roots.iter().enumerate() {
        assert_eq!(pieces.root(), expected);
        let margin = pieces.work(&mut solver(expected, 0), &mut estimate, &mut |_| true).unwrap();
        let exact = expected.lead(expected.side()) + Minimax::default().gain(expected);
        assert_eq!(margin, Interval::exactly(exact), "{expected}");
        let continues = pieces.continue_with(&roots, &mut estimate, &mut |_| true).unwrap();
        assert_eq!(continues, done + 1 < roots.len());
    }
}

#[test]
fn recorded_bounds_are_those_of_the_ledger_and_answer_for_a_new_solver() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    let root = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let unknown = Interval::within(Gain(root.in_play() as i32));
    assert_eq!(BoundsRecorder::default().known(&root), unknown);
    let mut recorder = BoundsRecorder::open(&path).unwrap();
    assert_eq!(recorder.known(&root), unknown);
    let margin = solver(&root, 0).margin(&root, None, &mut |progress| {
        recorder.record(&progress).unwrap();
        true
    });
    let margin = Interval::exactly(margin.unwrap());
    assert_eq!(recorder.proved().get(&None), Some(&margin));
    assert_eq!(recorder.known(&root), margin);
    drop(recorder);
    let mut recorder = BoundsRecorder::open(&path).unwrap();
    assert!(recorder.proved().is_empty() && recorder.known(&root) == margin);
    let mut second = solver(&root, 0);
    recorder.restore(&mut second);
    assert_eq!(Interval::exactly(second.margin(&root, None, &mut |_| true).unwrap()), margin);
    assert_eq!(second.nodes(), 0);
    recorder.begin();
    assert!(recorder.proved().is_empty());
}

#[test]
fn the_status_of_an_unfinished_proof_lists_its_open_questions() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::new(4, 4, Capture::Standard).unwrap();
    let goal = ProofGoal { piece_nodes: Some(3000), ..goal(rules) };
    drop(Pieces::plan(folder.path(), goal).unwrap());
    let mut finished = 0;
    work(folder.path(), &mut |event| match event {
        WorkEvent::Searching(question, _) => {
            let status = ProofStatus::read(folder.path()).unwrap();
            assert_eq!(status.at_work, 1);
            assert_eq!(status.open[0].question.key(), question.key());
            assert!(status.open[0].worker.is_some() && status.asked.is_some());
            true
        }
        WorkEvent::Finished(..) => {
            finished += 1;
            finished < 5
        }
        _ => true,
    });
    let status = ProofStatus::read(folder.path()).unwrap();
    assert_eq!((status.answered + status.split, status.at_work), (5, 0));
    let mut expected: Vec<f64> = status.open.iter().map(|open| open.expected).collect();
    expected.sort_by(f64::total_cmp);
    assert!(expected.len() > 2 && expected[0] > 0.0, "{expected:?}");
    assert_eq!(status.median_nodes, expected[expected.len() / 2]);
}

#[test]
fn the_tables_of_a_solver_are_named_by_their_origin() {
    let folder = tempfile::tempdir().unwrap();
    let variant = Rules::new(2, 2, Capture::Standard).unwrap().variant();
    let extent = |seeds| Extent::new(variant, seeds).unwrap();
    let used = |tables: Tables| TablesUsed::new(&tables).to_string();
    assert!(used(Tables::build(variant, 4, 1).unwrap()).starts_with("4 seeds, built in "));
    Tables::build_in(folder.path(), extent(4), Encoding::Plain, 1, &|_| ()).unwrap();
    let read = used(Tables::open(folder.path(), variant).unwrap());
    let from = format!("read from {}", folder.path().display());
    assert!(read.starts_with(&format!("4 seeds, {from} in ")), "{read}");
    let more = used(Tables::read_or_build(Some(folder.path()), extent(6), 1, &|_| ()).unwrap());
    assert!(more.starts_with(&format!("6 seeds, up to 4 {from}, others built in ")), "{more}");
}
