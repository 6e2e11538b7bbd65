//! A proof in pieces has the margin that the solver finds in one run, and its ledger proves it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use kalah_engine::solve::{Solver, SolverSettings, TableChoice};
use kalah_game::{Capture, Gain, Interval, Position, Rules, Side};
use kalah_proof::{Pieces, ProofGoal, ProofStatus, Question, Review, RootText, WorkEvent};
use kalah_sys::journal::with_checksum;
use kalah_testing::folder;

const SOLVED: &str = include_str!("../../../../tests/data/solved.tsv");

fn goal(root: &Position, at_least: Option<i32>, piece_nodes: u64) -> ProofGoal {
    ProofGoal {
        root: RootText::new(root),
        at_least,
        estimate: 0,
        piece_seconds: 600.0,
        piece_nodes: Some(piece_nodes),
        fresh: false,
        lease_seconds: 60.0,
    }
}

fn settings(table_seeds: u32) -> SolverSettings {
    let tables = TableChoice::Seeds(table_seeds);
    SolverSettings::default().hash(1 << 20).tables(tables)
}

fn work(pieces: &mut Pieces, table_seeds: u32) -> Interval<Gain> {
    let mut solver = Solver::new(pieces.root(), settings(table_seeds)).unwrap();
    // A poor estimate.
    let mut estimate = |position: &Position| position.lead(position.side());
    let mut finished = HashSet::new();
    let watch = &mut |event: WorkEvent<'_>| {
        if let WorkEvent::Finished(question, ..) = event {
            assert_leads_to(question);
            let is_new = finished.insert((question.position, question.at_least));
            assert!(is_new, "asked twice: {question:?}");
        }
        true
    };
    pieces.work(&mut solver, &mut estimate, watch).unwrap()
}

fn assert_leads_to(question: &Question) {
    let mut end = question.root;
    for &pit in &question.line {
        end.play(pit).unwrap();
    }
    let rows = [end.row(end.side()), end.row(end.side().other())];
    assert_eq!(rows, [Side::South, Side::North].map(|side| question.position.row(side)));
}

/// Replays the ledger and re-proves every line.
fn faults(folder: &Path, root: &Position) -> Vec<String> {
    let (mut review, claims) = Review::replay(folder).unwrap();
    let mut solver = Solver::new(root, settings(8)).unwrap();
    for claim in &claims {
        review.reprove(claim, &mut solver, &mut |_| true).unwrap();
    }
    review.faults
}

/// The solved starts with at most 20 seeds in play, and their margins.
fn solved() -> impl Iterator<Item = (Position, Gain)> {
    kalah_testing::rows(SOLVED).filter_map(|line| {
        let [pits, seeds, capture, margin, _] = &line[..] else { panic!("{line:?}") };
        let capture = capture.parse().unwrap();
        let rules = Rules::new(pits.parse().unwrap(), seeds.parse().unwrap(), capture).unwrap();
        let start = Position::start(rules);
        if start.in_play() > 20 {
            return None;
        }
        Some((start, Gain(margin.parse().unwrap())))
    })
}

#[test]
fn small_boards_in_pieces_have_the_known_margins_and_every_line_is_re_proved() {
    let mut split = 0;
    for (start, margin) in solved() {
        let folder = folder();
        let mut pieces = Pieces::plan(folder.path(), goal(&start, None, 40)).unwrap();
        assert_eq!(work(&mut pieces, 4), Interval::exactly(margin), "{start}");
        assert_eq!(faults(folder.path(), &start), [""; 0], "{start}");
        split += ProofStatus::read(folder.path()).unwrap().split;
    }
    assert!(split > 100, "{split}");
}

#[test]
fn a_torn_ledger_is_continued_from_its_last_complete_line() {
    let start = Position::start(Rules::new(3, 3, Capture::EmptyCapture).unwrap());
    let whole = folder();
    let expected = work(&mut Pieces::plan(whole.path(), goal(&start, None, 60)).unwrap(), 0);
    let bytes = fs::read(whole.path().join("ledger.jsonl")).unwrap();
    let begun = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0;
    for cut in (begun + 1..bytes.len()).step_by(97) {
        let torn = folder();
        fs::write(torn.path().join("ledger.jsonl"), &bytes[..cut]).unwrap();
        // What a kill or a full disk may leave behind.
        fs::write(torn.path().join("leases.json"), "[{\"posi").unwrap();
        ProofStatus::read(torn.path()).unwrap();
        assert_eq!(work(&mut Pieces::open(torn.path()).unwrap(), 0), expected, "{cut}");
        assert_eq!(faults(torn.path(), &start), [""; 0], "{cut}");
    }
}

#[test]
fn the_ledgers_of_six_six_are_complete_and_prove_the_margins_of_its_first_moves() {
    // doc/kalah66.md
    for (capture, margins) in
        [(Capture::Standard, [4, 2, 0, 0, 0, -2]), (Capture::EmptyCapture, [2, 2, 0, 0, 0, -2])]
    {
        let folder = format!("../../openings/6x6-{capture}-proof");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let (review, claims) = Review::replay(&folder).unwrap();
        assert_eq!(review.faults, [""; 0]);
        assert!(!claims.is_empty());
        let status = ProofStatus::read(&folder).unwrap();
        assert_eq!(status.root, Position::start(Rules::new(6, 6, capture).unwrap()));
        assert_eq!(status.margin, Interval::exactly(Gain(margins[0])));
        let moves: Vec<_> = status.moves.iter().map(|bounds| bounds.margin).collect();
        assert_eq!(moves, margins.map(|margin| Interval::exactly(Gain(margin))));
    }
}

#[test]
fn answers_that_do_not_fit_their_questions_are_faults() {
    let start = Position::start(Rules::new(3, 2, Capture::Standard).unwrap());
    let folder = folder();
    let made = |lines: &[&str]| -> Vec<String> {
        let _ = fs::remove_file(folder.path().join("ledger.jsonl"));
        drop(Pieces::plan(folder.path(), goal(&start, None, 50)).unwrap());
        let path = folder.path().join("ledger.jsonl");
        let begun = fs::read_to_string(&path).unwrap();
        let lines: String = lines.iter().map(|line| with_checksum(line) + "\n").collect();
        fs::write(&path, begun + &lines).unwrap();
        Review::replay(folder.path()).unwrap().0.faults
    };
    let root = r#""position":"<3,0,0,2,2,2,2,2,2> S","capture":"standard""#;
    let cost = r#""nodes":1,"seconds":0.1"#;
    let answer = |lower, upper, asked| {
        format!("{{{root},\"lower\":{lower},\"upper\":{upper},\"at_least\":{asked},{cost}}}")
    };
    assert_eq!(made(&[&answer(-12, 0, 2)]), [""; 0]);
    assert_eq!(made(&[&answer(-12, 0, 2), &answer(-12, -2, 2)]), [""; 0], "it proves more");
    let foreign =
        format!("{{{root},\"lower\":-12,\"upper\":0}}").replace("standard", "empty-capture");
    let elsewhere = answer(-12, 0, 2).replace("2,2,2,2,2,2>", "3,1,2,2,2,2>");
    let split = format!("{{{root},\"estimates\":[0,0],{cost}}}");
    let goal = r#"{"root":"<3,0,0,1,3,2,2,2,2> S","capture":"standard","at_least":null,"estimate":0,
                   "piece_seconds":1.0,"lease_seconds":1.0}"#;
    let goal = goal.lines().map(str::trim).collect::<String>();
    assert_eq!(made(&[&goal]), [""; 0], "a different position of the same board");
    let other_board = goal.replace("<3,0,0,1,3,2,2,2,2>", "<4,0,0,3,3,3,3,3,3,3,3>");
    for (lines, fault) in [
        (vec![answer(-12, 2, 2)], "line 3: expected an answer to 'at least +2'"),
        (vec![answer(-12, 1, 2)], "line 3: expected bounds from -12 to 12 with the parity of 12"),
        (vec![elsewhere], "line 3: expected a position in the tree"),
        (vec![answer(-12, 0, 2), answer(-12, 0, 2)], "line 4: expected an open question"),
        (vec![answer(-12, 0, 2), answer(2, 12, 4)], "line 4: expected an answer to"),
        (vec![foreign], "line 3: expected a position of"),
        (vec![split], "line 3: expected 3 estimates"),
        (vec![other_board], "line 3: expected a goal on the second line, and no goal for a"),
    ] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let faults = made(&lines);
        assert!(faults.len() == 1 && faults[0].starts_with(fault), "{fault}: {faults:?}");
    }
}

#[test]
fn a_worker_whose_goal_changes_names_the_moves_from_the_new_root() {
    let folder = folder();
    let start = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let (_, north) = start.children().find(|(_, after)| after.side() == Side::North).unwrap();
    let mut pieces = Pieces::plan(folder.path(), goal(&start, None, 5)).unwrap();
    let mut solver = Solver::new(&start, settings(4)).unwrap();
    let mut finished = Vec::new();
    let watch = &mut |event: WorkEvent<'_>| {
        if let WorkEvent::Finished(question, ..) = event {
            if finished.is_empty() {
                drop(Pieces::plan(folder.path(), goal(&north, None, 5)).unwrap());
            }
            assert_leads_to(question);
            finished.push((question.root, question.letters()));
        }
        true
    };
    pieces.work(&mut solver, &mut |position| position.lead(position.side()), watch).unwrap();
    let (before, after) = finished.split_first().unwrap();
    assert_eq!(*before, (start, String::new()));
    assert!(after.iter().all(|(root, _)| *root == north), "{after:?}");
    // Small letters are North's moves.
    let mut moves = after.iter().filter_map(|(_, moves)| moves.chars().next()).peekable();
    assert!(moves.peek().is_some() && moves.all(char::is_lowercase), "{after:?}");
}

#[test]
fn every_planted_wrong_answer_is_found() {
    let start = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let folder = folder();
    let at = folder.path();
    let ledger = at.join("ledger.jsonl");
    work(&mut Pieces::plan(at, goal(&start, None, 40)).unwrap(), 0);
    let lines: Vec<String> =
        fs::read_to_string(&ledger).unwrap().lines().map(str::to_owned).collect();
    let answers: Vec<usize> =
        (0..lines.len()).filter(|&line| lines[line].contains("at_least")).collect();
    assert!(answers.len() > 10, "{}", answers.len());
    for &planted in &answers {
        let mut lines = lines.clone();
        let text = lines[planted].rsplit_once(",\"check\"").unwrap().0.to_owned() + "}";
        let mut entry: serde_json::Value = serde_json::from_str(&text).unwrap();
        let seeds = Position::parse(entry["position"].as_str().unwrap(), Capture::Standard);
        let seeds = i64::from(seeds.unwrap().in_play());
        let at_least = entry["at_least"].as_i64().unwrap();
        // The opposite of the answer, with bounds that fit the question.
        let was_reached = entry["lower"].as_i64().unwrap() >= at_least;
        let bounds = if was_reached { (-seeds, at_least - 2) } else { (at_least, seeds) };
        (entry["lower"], entry["upper"]) = (bounds.0.into(), bounds.1.into());
        lines[planted] = with_checksum(&entry.to_string());
        fs::write(&ledger, lines.join("\n") + "\n").unwrap();
        let faults = faults(at, &start);
        let line = format!("line {}: claims ", planted + 1);
        assert!(faults.iter().any(|fault| fault.starts_with(&line)), "{planted}: {faults:?}");
    }
}
