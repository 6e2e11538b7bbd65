//! Workers of a proof in pieces, in one process: which worker answers which question, and how an
//! answer can be reproduced.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use kalah_engine::endgame::verify::Minimax;
use kalah_engine::endgame::{Encoding, Extent, Tables};
use kalah_engine::solve::{GainQuestion, Solver, SolverSettings, TableChoice};
use kalah_game::{Capture, Gain, Interval, Pit, Position, Rules};
use kalah_proof::{
    BoundsRecorder, ClaimedBounds, MarginBounds, OpenQuestion, PieceCost, PieceOutcome, Pieces,
    PiecesError, ProofGoal, ProofStatus, Question, Review, RootText, TablesUsed, WorkEvent,
    estimator, largest_alike, sample,
};
use kalah_sys::journal::with_checksum;
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
    let tables = TableChoice::Seeds(table_seeds);
    Solver::new(root, SolverSettings::default().hash(1 << 20).tables(tables)).unwrap()
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
fn a_worker_is_named_in_its_lease_which_is_renewed_while_it_searches() {
    let folder = tempfile::tempdir().unwrap();
    let begun = UNIX_EPOCH.elapsed().unwrap().as_micros();
    // The first search of (6,6) takes minutes on any machine.
    let rules = Rules::new(6, 6, Capture::Standard).unwrap();
    let goal = ProofGoal { lease_seconds: 3.0, ..goal(rules) };
    Pieces::plan(folder.path(), goal).unwrap();
    let mut longer = 0;
    work(folder.path(), &mut |event| {
        let WorkEvent::Searching(question, _) = event else { panic!("{event:?}") };
        let status = ProofStatus::read(folder.path()).unwrap();
        assert_eq!((status.at_work, status.open[0].question.key()), (1, question.key()));
        // Two workers of one process differ in the microsecond in which they began.
        let worker = status.open[0].worker.as_ref().unwrap();
        let named = u128::from_str_radix(worker.rsplit(':').next().unwrap(), 16).unwrap();
        let now = UNIX_EPOCH.elapsed().unwrap().as_micros();
        assert!((begun..=now).contains(&named), "{worker}");
        assert_eq!(first_question(folder.path()), None);
        longer += u32::from(now > begun + 3_500_000);
        longer < 2
    });
    assert_eq!(longer, 2);
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
        let asked = ProofStatus::read(folder.path()).unwrap().asked.unwrap();
        assert!(at_least.is_none_or(|bound| bound == asked), "{at_least:?}: {asked}");
        assert!((asked - exact).0 % 2 == 0, "a margin that is possible: {asked}");
        let mut worker = solver(&root, 0);
        let mut estimate = |position: &Position| position.lead(position.side());
        let margin = pieces.work(&mut worker, &mut estimate, &mut |_| true).unwrap();
        match at_least {
            None => assert_eq!(margin, Interval::exactly(exact)),
            Some(bound) => {
                assert_eq!(pieces.reached(), Some(exact >= bound), "{bound}");
                assert!((margin.lower..=margin.upper).contains(&exact), "{margin}");
            }
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
fn a_new_goal_has_pieces_like_those_of_the_known_one() {
    let start = Position::start(Rules::new(2, 2, Capture::Standard).unwrap());
    let goal = kalah_proof::goal(&start, None).unwrap();
    assert_eq!(goal.position(), Ok(start));
    let margin = Minimax::default().gain(&start);
    assert_eq!((goal.at_least, Gain(goal.estimate)), (None, margin));
    assert_eq!((goal.piece_seconds, goal.lease_seconds), (600.0, 120.0));
    assert_eq!((goal.piece_nodes, goal.fresh), (None, false));
    let known = ProofGoal { at_least: Some(2), piece_nodes: Some(9), fresh: true, ..goal };
    let (_, after) = start.children().next().unwrap();
    let next = kalah_proof::goal(&after, Some(&known)).unwrap();
    let root = RootText::new(&after);
    let estimate = Minimax::default().gain(&after) + after.lead(after.side());
    assert_eq!(next, ProofGoal { root, at_least: None, estimate: estimate.0, ..known });
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
    assert!((status.spent.seconds - seconds).abs() < 1e-6 * seconds, "{seconds}");
    let moves = solver(&root, 5).moves(&root, &mut |_| true).unwrap();
    assert_eq!(status.moves.len(), moves.len());
    for (pit, margin) in moves {
        let letter = pit.letter(root.side());
        let bounds = status.moves.iter().find(|bounds| bounds.r#move == Some(letter)).unwrap();
        let found = bounds.margin;
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
        assert!(review.reprove(claim, &mut second, &mut |_| true).unwrap());
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
            assert!(!review.reprove(&claim, &mut second, &mut |_| true).unwrap());
            wrong += 1;
            assert_eq!(review.faults.len(), wrong, "{bare}: {gain}, not {exact}");
            assert!(review.faults[wrong - 1].starts_with(&format!("line {line}: ")));
        }
    }
    assert!(wrong > 10, "{wrong}");
}

#[test]
fn recorded_bounds_are_those_of_the_ledger_and_answer_for_a_new_solver() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.jsonl");
    let root = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let mut recorder = BoundsRecorder::open(&path).unwrap();
    let margin = solver(&root, 0).margin(&root, None, &mut |progress| {
        recorder.record(&progress).unwrap();
        true
    });
    let margin = Interval::exactly(margin.unwrap());
    assert_eq!(recorder.proved().get(&None), Some(&margin));
    recorder.begin();
    assert!(recorder.proved().is_empty());
    drop(recorder);
    let recorder = BoundsRecorder::open(&path).unwrap();
    assert!(recorder.proved().is_empty());
    let mut second = solver(&root, 0);
    recorder.restore(&mut second);
    assert_eq!(Interval::exactly(second.margin(&root, None, &mut |_| true).unwrap()), margin);
    assert_eq!(second.nodes(), 0);
}

#[test]
#[cfg(unix)]
fn bounds_that_cannot_be_recorded_are_reported_once_and_end_no_proof() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lost.jsonl");
    let root = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let mut recorder = BoundsRecorder::open(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let mut reports = 0;
    let mut errors = Vec::new();
    let solved = solver(&root, 0).margin(&root, None, &mut |progress| {
        reports += 1;
        errors.extend(recorder.record(&progress).err());
        true
    });
    assert!(solved.is_ok() && reports > 1, "{reports}");
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(error.contains("lost.jsonl: "), "{error}");
}

#[test]
fn the_status_of_an_unfinished_proof_lists_its_open_questions() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::new(4, 4, Capture::Standard).unwrap();
    let goal = ProofGoal { piece_nodes: Some(3000), ..goal(rules) };
    drop(Pieces::plan(folder.path(), goal).unwrap());
    let mut finished = 0;
    work(folder.path(), &mut |event| {
        finished += u32::from(matches!(event, WorkEvent::Finished(..)));
        finished < 5
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

#[test]
fn a_question_that_is_too_large_is_split_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let goal = ProofGoal { piece_nodes: Some(1), ..goal(Rules::default()) };
    drop(Pieces::plan(folder.path(), goal).unwrap());
    let mut costs = Vec::new();
    work(folder.path(), &mut |event| {
        if let WorkEvent::Finished(_, outcome, cost) = event {
            assert_eq!(outcome, PieceOutcome::Split);
            costs.push(cost.nodes);
        }
        costs.len() < 12
    });
    assert_eq!(costs, [0; 12]);
    let status = ProofStatus::read(folder.path()).unwrap();
    let mut expected: Vec<f64> = status.open.iter().map(|open| open.expected).collect();
    expected.sort_by(f64::total_cmp);
    assert!(expected[0] > 0.0 && expected[0] < status.median_nodes, "{expected:?}");
    assert_eq!(status.median_nodes, expected[expected.len() / 2]);
}

#[test]
fn an_estimate_takes_a_hundredth_of_a_piece_at_the_rate_of_finished_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::new(3, 2, Capture::Standard).unwrap();
    let planned = |piece_nodes| {
        let goal = ProofGoal { piece_seconds: 2.0, piece_nodes, ..goal(rules) };
        Pieces::plan(folder.path(), goal).unwrap()
    };
    assert_eq!(planned(None).estimate_nodes(), 80_000, "four million nodes per second");
    assert_eq!(planned(Some(50_000)).estimate_nodes(), 500);
    assert_eq!(planned(Some(50)).estimate_nodes(), 200, "at least");
    drop(planned(None));
    let path = folder.path().join("ledger.jsonl");
    let mut ledger = fs::read_to_string(&path).unwrap();
    for (upper, nodes, seconds) in [(0, 3_000_000, 6.5), (-2, 1_000_000, 1.5)] {
        let position = r#""position":"<3,0,0,2,2,2,2,2,2> S","capture":"standard""#;
        let cost = format!("\"nodes\":{nodes},\"seconds\":{seconds}");
        let line = format!("{{{position},\"lower\":-12,\"upper\":{upper},\"at_least\":2,{cost}}}");
        ledger += &(with_checksum(&line) + "\n");
    }
    fs::write(&path, ledger).unwrap();
    let mut pieces = Pieces::open(folder.path()).unwrap();
    let mut estimate = |position: &Position| position.lead(position.side());
    pieces
        .work(&mut solver(&Position::start(rules), 0), &mut estimate, &mut |_| false)
        .unwrap_err();
    assert_eq!(pieces.estimate_nodes(), 10_000, "half a million nodes per second");
}

#[test]
fn a_folder_that_holds_no_proof_of_this_board_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Pieces::open(folder.path()).unwrap_err().to_string();
    let ledger = folder.path().join("ledger.jsonl");
    let hint = "expected a folder created by 'kalah proof plan'";
    assert!(open().starts_with(&format!("{}: {hint}: ", ledger.display())), "{}", open());
    drop(BoundsRecorder::open(&ledger).unwrap());
    let no_goal = "expected a goal on the second line, got none";
    assert_eq!(open(), format!("{}: {no_goal}", ledger.display()));
    drop(Pieces::plan(folder.path(), goal(Rules::default())).unwrap());
    assert_eq!(*Pieces::open(folder.path()).unwrap().root(), Position::start(Rules::default()));
    let other = goal(Rules::new(5, 4, Capture::Standard).unwrap());
    let refused = Pieces::plan(folder.path(), other).unwrap_err().to_string();
    assert!(refused.contains(": expected a ledger for the board of <5,"), "{refused}");
}

#[test]
fn the_status_is_shown_as_text_and_as_json() {
    let root = Position::start(Rules::new(3, 2, Capture::EmptyCapture).unwrap());
    let between = |lower, upper| Interval { lower: Gain(lower), upper: Gain(upper) };
    let of_move = |letter, margin| MarginBounds { r#move: Some(letter), margin };
    let open = (0..11).map(|nth| OpenQuestion {
        question: Question {
            position: root,
            at_least: Gain(2 - nth),
            root,
            line: vec![Pit::new(2), Pit::new(0)],
        },
        worker: if nth < 1 { Some("here:7:1".to_owned()) } else { None },
        expected: 1000.0 * f64::from(nth + 1),
    });
    let mut status = ProofStatus {
        root,
        margin: between(-2, 4),
        asked: Some(Gain(2)),
        moves: vec![of_move('A', between(-4, 4)), of_move('C', between(-2, 0))],
        answered: 12,
        split: 3,
        spent: PieceCost { nodes: 4_500_000, seconds: 3.0 },
        open: open.collect(),
        at_work: 1,
        median_nodes: 9000.0,
        reached: None,
        at_least: Some(2),
    };
    let head = "position  <3,0,0,2,2,2,2,2,2> S empty-capture\n\
                margin    -2 to +4\n\
                move A    -4 to +4\n\
                move C    -2 to +0\n\
                pieces    12 answered, 3 split, 11 open\n\
                done      4.5\u{202f}M nodes in 3.0 s of work, 1.5\u{202f}M/s\n";
    let next = "next      9\u{202f}k nodes for the median open question, 1 worker at work\n\n\
                Open questions, for a margin of at least +2\n";
    let shown = status.to_string();
    let table = shown.strip_prefix(&format!("{head}{next}")).unwrap_or_else(|| panic!("{shown}"));
    let rows: Vec<Vec<&str>> =
        table.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 9, "those at work and eight others: {table}");
    assert_eq!(rows[0], ["12", "+2", "1", "k", "Ca", "here:7:1"]);
    assert_eq!(rows[8], ["12", "-6", "9", "k", "Ca"]);
    let row = serde_json::to_value(&status).unwrap();
    let expected = serde_json::json!({
        "root": "<3,0,0,2,2,2,2,2,2> S", "capture": "empty-capture",
        "lower": -2, "upper": 4, "at_least": 2, "reached": null, "asked": 2,
        "moves": [
            {"move": "A", "lower": -4, "upper": 4}, {"move": "C", "lower": -2, "upper": 0},
        ],
        "answered": 12, "split": 3, "open": 11, "at_work": 1,
        "nodes": 4_500_000, "seconds": 3.0, "median_nodes": 9000.0,
    });
    assert_eq!(row, expected);
    status.asked = None;
    for (reached, answer) in [(true, "yes"), (false, "no")] {
        status.reached = Some(reached);
        let decided = format!("margin    -2 to +4\nat least  +2: {answer}\n");
        assert_eq!(status.to_string(), head.replace("margin    -2 to +4\n", &decided));
    }
}

#[test]
fn a_worker_waits_for_a_ledger_that_it_cannot_write_and_ends_at_a_damaged_one() {
    // A short lease has to be renewed, which needs the ledger, too.
    let cases = [(false, 60.0), (true, 60.0), (false, 0.04), (true, 0.04)];
    for (is_damaged, lease_seconds) in cases {
        let folder = tempfile::tempdir().unwrap();
        plan(folder.path(), 0.3, lease_seconds);
        let ledger = folder.path().join("ledger.jsonl");
        let aside = folder.path().join("aside");
        let mut pieces = Pieces::open(folder.path()).unwrap();
        let mut solver = solver(pieces.root(), 0);
        let mut estimate = |position: &Position| position.lead(position.side());
        let mut searches = 0;
        let mut waits = 0;
        let ended = pieces.work(&mut solver, &mut estimate, &mut |event| match event {
            WorkEvent::Searching(..) => {
                searches += 1;
                if searches == 1 && is_damaged {
                    let text = fs::read_to_string(&ledger).unwrap();
                    fs::write(&ledger, text + "{\"position\":\"\"}\n").unwrap();
                } else if searches == 1 {
                    fs::rename(&ledger, &aside).unwrap();
                }
                true
            }
            WorkEvent::Unsaved => {
                waits += 1;
                if waits == 2 {
                    fs::rename(&aside, &ledger).unwrap();
                }
                true
            }
            _ => false,
        });
        let error = ended.unwrap_err();
        assert_eq!(matches!(error, PiecesError::File(_)), is_damaged, "{error}");
        assert_eq!(waits, if is_damaged { 0 } else { 2 });
        let text = fs::read_to_string(&ledger).unwrap();
        assert_eq!(text.matches("\"estimates\"").count(), usize::from(!is_damaged), "{text}");
    }
}

#[test]
fn the_estimate_of_a_position_with_few_seeds_is_its_margin() {
    let mut estimate = estimator(10_000).unwrap();
    let texts =
        ["<4,20,20,1,0,0,2,1,0,1,2> S", "<4,20,20,1,0,0,2,1,0,1,2> N", "<3,40,0,1,2,1,1,1,0> S"];
    for text in texts {
        let position = Position::parse(text, Capture::Standard).unwrap();
        let gain = Minimax::default().gain(&position);
        assert_eq!(estimate(&position), position.lead(position.side()) + gain, "{text}");
    }
}

#[test]
fn one_solver_accepts_all_positions_of_a_variant() {
    let start = |pits, seeds, capture| Position::start(Rules::new(pits, seeds, capture).unwrap());
    let [small, large] = [2, 4].map(|seeds| start(3, seeds, Capture::Standard));
    let all = [small, start(4, 4, Capture::Standard), large, start(3, 5, Capture::EmptyCapture)];
    for (position, largest) in [(&small, large), (&large, large), (&all[1], all[1])] {
        assert_eq!(largest_alike(position, &all), largest, "{position}");
        assert!(solver(&largest, 0).accepts(position), "{position}");
    }
    assert_eq!(largest_alike(&small, &[]), small);
}
