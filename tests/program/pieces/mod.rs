//! A proof in pieces gives the same margin as the solver in one run, whatever happens to its
//! workers.

mod independent;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kalah_engine::solve::{Question, Solver, SolverSettings, TableChoice};
use kalah_game::score::{Gain, Interval};
use kalah_game::{Capture, Position, Rules, Side};
use kalah_proof::{Pieces, ProofGoal, ProofStatus, Review, WorkEvent};
use kalah_sys::journal::with_checksum;
use kalah_sys::random::SplitMix64;

use crate::folder::Folder;
use crate::wait_for;
use kalah_testing::folder;

const SOLVED: &str = include_str!("../../data/solved.tsv");

fn goal(root: &Position, at_least: Option<i32>, piece_nodes: u64) -> ProofGoal {
    ProofGoal {
        root: root.to_string(),
        capture: root.capture(),
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
    SolverSettings { threads: 1, hash: Some(1 << 20), tables, ..SolverSettings::default() }
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

const WORK: &str = "proof work p --threads 1 --hash 64 --table-seeds=12";

/// Starts a worker, whose output is kept until it ends.
fn spawn(folder: &Folder, line: &str) -> Child {
    let mut command = folder.command_line(line);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("kalah starts")
}

/// The solved starts with at most `most` seeds in play, and their margins.
fn solved(most: u32) -> impl Iterator<Item = (Position, Gain)> {
    kalah_testing::rows(SOLVED).filter_map(move |line| {
        let [pits, seeds, capture, margin, _] = &line[..] else { panic!("{line:?}") };
        let capture = capture.parse().unwrap();
        let rules = Rules::new(pits.parse().unwrap(), seeds.parse().unwrap(), capture).unwrap();
        let start = Position::start(rules);
        (start.in_play() <= most).then(|| (start, Gain(margin.parse().unwrap())))
    })
}

#[test]
fn small_boards_in_pieces_have_the_known_margins_and_every_line_is_re_proved() {
    let mut split = 0;
    for (start, margin) in solved(20) {
        let folder = folder();
        let mut pieces = Pieces::plan(folder.path(), goal(&start, None, 40)).unwrap();
        assert_eq!(work(&mut pieces, 4), Interval::exactly(margin), "{start}");
        assert_eq!(faults(folder.path(), &start), [""; 0], "{start}");
        split += ProofStatus::read(folder.path()).unwrap().split;
    }
    assert!(split > 100, "{split}");
}

#[test]
fn a_bound_is_proved_or_refuted_in_pieces() {
    // The margin is 6 (tests/data/solved.tsv).
    let start = Position::start(Rules::new(4, 3, Capture::Standard).unwrap());
    for (at_least, reached) in [(4, true), (5, true), (6, true), (7, false), (8, false)] {
        let folder = folder();
        let goal = goal(&start, Some(at_least), 200);
        let margin = work(&mut Pieces::plan(folder.path(), goal).unwrap(), 4);
        assert_eq!(margin.lower >= Gain(at_least), reached, "{at_least}: {margin:?}");
        assert!(margin.lower <= Gain(6) && margin.upper >= Gain(6), "{margin:?}");
        assert_eq!(margin.upper < Gain(at_least), !reached, "{at_least}: {margin:?}");
    }
}

#[test]
fn a_game_that_is_over_with_seeds_left_is_answered_and_not_split() {
    let folder = Folder::in_memory();
    let over = "<6,0,0,0,0,0,0,0,0,12,12,12,12,12,12> S";
    folder.shown(&format!("proof plan p --position '{over}' --piece 0.01"));
    let found = folder.shown(&format!("{WORK} --time 20"));
    assert!(found.ends_with("margin    -72\n"), "{found}");
}

#[test]
#[ignore = "long: .ci/long"]
fn all_boards_up_to_six_pits_and_four_seeds_in_pieces_have_the_known_margins() {
    for (start, margin) in
        solved(48).filter(|(start, _)| start.in_play() <= 8 * start.pits() as u32)
    {
        let folder = Folder::in_memory();
        let capture = start.capture();
        folder.shown(&format!("proof plan p --position '{start}' --capture {capture} --piece 1"));
        let mut workers: Vec<Child> = (0..4).map(|_| spawn(&folder, WORK)).collect();
        assert!(workers.iter_mut().all(|worker| worker.wait().unwrap().success()));
        let status = ProofStatus::read(&folder.path("p")).unwrap();
        assert_eq!(status.margin, Interval::exactly(margin), "{start} {capture}");
        eprintln!(
            "{start} {capture} {margin}: {} {} {:?}",
            status.answered, status.split, status.spent
        );
    }
}

/// Runs four workers until the proof is done, and kills a random one at random intervals, at most
/// `most` times. Returns the number of kills.
fn work_with_kills(folder: &Folder, most: usize, pause: u64, random: &mut SplitMix64) -> usize {
    let ledger = folder.path("p/ledger.jsonl");
    let mut workers: Vec<Child> = (0..4).map(|_| spawn(folder, WORK)).collect();
    let mut kills = 0;
    let mut before = Vec::new();
    loop {
        std::thread::sleep(Duration::from_millis(random.below(pause as usize) as u64));
        let victim = random.below(4);
        if let Some(status) = workers[victim].try_wait().unwrap() {
            assert!(status.success(), "{status}");
            break;
        }
        if kills < most {
            workers[victim].kill().unwrap();
            workers[victim].wait().unwrap();
            workers[victim] = spawn(folder, WORK);
            kills += 1;
        }
        // Whole lines are never changed or removed.
        let now = fs::read(&ledger).unwrap();
        assert!(now.starts_with(&before), "a line was lost");
        let whole = now.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        before = now[..whole].to_vec();
    }
    assert!(workers.iter_mut().all(|worker| worker.wait().unwrap().success()));
    kills
}

/// Plans the proof of a start, works on it with kills, and checks it. A machine that finishes
/// before `kills` workers have been killed starts over.
fn survives_kills(plan: &str, margin: i32, kills: usize, pause: u64) {
    let mut random = SplitMix64::new(18);
    let mut killed = 0;
    while killed < kills {
        let folder = Folder::in_memory();
        folder.shown(&format!("proof plan p --lease 2 {plan}"));
        killed += work_with_kills(&folder, kills - killed, pause, &mut random);
        let status = ProofStatus::read(&folder.path("p")).unwrap();
        assert_eq!(status.margin, Interval::exactly(Gain(margin)));
        // The check reports an answer that was recorded twice.
        folder.shown("proof check p --sample 0.1 --table-seeds 12");
        let entries = folder.read("p/ledger.jsonl");
        let lines: HashSet<&str> = entries.lines().collect();
        assert_eq!(lines.len(), entries.lines().count(), "a line is there twice");
        eprintln!("{killed} kills, {} lines", lines.len());
    }
}

#[test]
fn killed_workers_lose_and_duplicate_nothing() {
    survives_kills("--pits 5 --seeds 3 --piece-nodes 3000", 6, 5, 100);
}

#[test]
#[ignore = "long: .ci/long"]
fn workers_killed_two_hundred_times_lose_and_duplicate_nothing() {
    survives_kills("--pits 6 --seeds 4 --piece-nodes 30000", 8, 200, 1000);
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
fn every_planted_wrong_answer_is_found() {
    let start = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let folder = Folder::in_memory();
    let at = folder.root();
    work(&mut Pieces::plan(at, goal(&start, None, 40)).unwrap(), 0);
    let lines: Vec<String> = folder.read("ledger.jsonl").lines().map(str::to_owned).collect();
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
        folder.write("ledger.jsonl", lines.join("\n") + "\n");
        let faults = faults(at, &start);
        let line = format!("line {}: claims ", planted + 1);
        assert!(faults.iter().any(|fault| fault.starts_with(&line)), "{planted}: {faults:?}");
    }
    let found = folder.run("proof check . --sample 1 --table-seeds 6");
    assert_eq!(found.code, Some(1));
    assert!(found.shown.contains("fault     line "), "{}", found.shown);
    // Errors follow the results that they are about, even in one file.
    #[cfg(unix)]
    {
        let mut check = folder.shell("\"$0\" proof check . --sample 1 --table-seeds 6 2>&1");
        let shown = crate::folder::Ran::from(check.output().unwrap()).shown;
        let last = shown.lines().last().unwrap();
        assert!(last.starts_with("error: ") && last.ends_with(" in the ledger"), "{shown}");
    }
}

#[test]
fn the_ledgers_of_six_six_are_complete_and_prove_the_margins_of_its_first_moves() {
    // doc/kalah66.md
    for (capture, margins) in
        [(Capture::Standard, [4, 2, 0, 0, 0, -2]), (Capture::EmptyCapture, [2, 2, 0, 0, 0, -2])]
    {
        let folder = format!("openings/6x6-{capture}-proof");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let (review, claims) = Review::replay(&folder).unwrap();
        assert_eq!(review.faults, [""; 0]);
        assert!(!claims.is_empty());
        let status = ProofStatus::read(&folder).unwrap();
        assert_eq!(status.root, Position::start(Rules::new(6, 6, capture).unwrap()));
        assert_eq!(status.margin, Interval::exactly(Gain(margins[0])));
        let moves: Vec<_> = status.moves.iter().map(|(_, margin)| *margin).collect();
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
    for (lines, fault) in [
        (vec![answer(-12, 2, 2)], "line 3: expected an answer to 'at least +2'"),
        (vec![answer(-12, 1, 2)], "line 3: expected bounds from -12 to 12 with the parity of 12"),
        (vec![elsewhere], "line 3: expected a position in the tree"),
        (vec![answer(-12, 0, 2), answer(-12, 0, 2)], "line 4: expected an open question"),
        (vec![answer(-12, 0, 2), answer(2, 12, 4)], "line 4: expected an answer to"),
        (vec![foreign], "line 3: expected a position of"),
        (vec![split], "line 3: expected 3 estimates"),
    ] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let faults = made(&lines);
        assert!(faults.len() == 1 && faults[0].starts_with(fault), "{fault}: {faults:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_waits_for_room_on_a_full_disk_and_loses_nothing() {
    let folder = Folder::in_memory();
    folder.shown("proof plan p --pits 4 --seeds 3 --piece-nodes 2000");
    // Every write beyond the file's first block fails, as on a full disk.
    let mut command = folder.shell("trap '' XFSZ; ulimit -S -f 1; exec \"$0\" \"$@\"");
    let errors = fs::File::create(folder.path("errors")).unwrap();
    command.args(WORK.split(' ')).stdout(Stdio::null()).stderr(errors);
    let mut worker = command.spawn().unwrap();
    wait_for("complaint of the worker", || {
        assert!(worker.try_wait().unwrap().is_none(), "the worker has ended");
        if folder.read("errors").contains("not saved yet") { Some(()) } else { None }
    });
    assert!(ProofStatus::read(&folder.path("p")).unwrap().asked.is_some());
    let pid = worker.id().to_string();
    let more_room = Command::new("prlimit").args(["--fsize=unlimited", "--pid", &pid]).status();
    assert!(more_room.unwrap().success());
    assert!(worker.wait().unwrap().success());
    let status = ProofStatus::read(&folder.path("p")).unwrap();
    assert_eq!(status.margin, Interval::exactly(Gain(6)));
}

#[test]
fn a_kept_table_saves_repeated_search_and_a_damaged_one_changes_no_margin() {
    let start = Position::start(Rules::new(5, 3, Capture::Standard).unwrap());
    let folder = folder();
    let file: PathBuf = folder.path().join("table");
    let solve = || {
        let kept_table = Some(file.clone());
        let settings = SolverSettings { hash: Some(1 << 22), kept_table, ..settings(0) };
        let mut solver = Solver::new(&start, settings).unwrap();
        (solver.margin(&start, None, &mut |_| true).unwrap(), solver.nodes())
    };
    let (margin, nodes) = solve();
    assert_eq!((margin, solve()), (Gain(6), (Gain(6), 0)));
    let mut random = SplitMix64::new(5);
    let mut bytes = fs::read(&file).unwrap();
    for word in bytes[4096..].chunks_mut(8) {
        word[random.below(8)] ^= 1 << random.below(8);
    }
    fs::write(&file, &bytes).unwrap();
    let (margin, again) = solve();
    assert_eq!(margin, Gain(6));
    assert!(again > nodes / 2, "{again} of {nodes}: damaged entries were used");
    for named in ["kalah proofs", concat!("version\":\"", env!("CARGO_PKG_VERSION")), "standard"] {
        let mut other = bytes.clone();
        let header = String::from_utf8_lossy(&bytes[..200]);
        // Changes the last character of the name, which may be a digit.
        other[header.find(named).expect("in the header") + named.len() - 1] ^= 1;
        fs::write(&file, &other).unwrap();
        let settings = SolverSettings { kept_table: Some(file.clone()), ..settings(0) };
        let error = Solver::new(&start, settings).err().expect(named).to_string();
        let begin = format!("{}: expected a transposition table of ", file.display());
        assert!(error.starts_with(&begin) && error.contains(", got "), "{error}");
    }
}

#[test]
fn a_proof_from_empty_transposition_tables_keeps_none() {
    let folder = Folder::in_memory();
    folder.shown("proof plan p --pits 3 --seeds 3 --fresh");
    let refused = folder.run("proof work p --keep-table table");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.errors.contains("--keep-table: each question of this proof (--fresh)"),
        "{refused:?}"
    );
    assert!(!folder.path("table").exists());
    assert!(folder.shown(WORK).contains("margin    +2\n"));
}

#[test]
fn impossible_goals_and_options_of_other_commands_are_refused() {
    let folder = Folder::in_memory();
    for wrong in [
        "plan p --seeds 2 --at-least 25",
        "plan p --seeds 2 --at-least -25",
        "work p --seeds 2",
        "check p --sample 2",
    ] {
        assert_eq!(folder.run(&format!("proof {wrong}")).code, Some(2), "{wrong}");
    }
    assert!(!folder.path("p").exists());
    // The margin is 6 (tests/data/solved.tsv).
    for (at_least, answer) in [("5", "at least  +5: yes\n"), ("7", "at least  +7: no\n")] {
        folder.shown(&format!("proof plan p --pits 4 --seeds 3 --at-least {at_least}"));
        for line in [WORK, "proof status p"] {
            let found = folder.shown(line);
            assert!(found.contains(answer), "{line}: {found}");
        }
    }
}

#[test]
fn a_plan_reports_what_it_changes_and_answers_what_is_decided() {
    let folder = Folder::in_memory();
    let plan = "proof plan p --pits 3 --seeds 3";
    assert!(folder.shown(plan).starts_with("proof begun; now run"));
    assert!(folder.shown(plan).starts_with("goal changed; now run"));
    folder.shown("proof work p --threads 1");
    assert_eq!(
        folder.shown(&format!("{plan} --at-least 4")),
        "goal changed; the goal is already decided:\nmargin    +2\nat least  +4: no\n"
    );
}

#[test]
fn a_new_goal_keeps_the_options_that_are_not_given() {
    let folder = Folder::in_memory();
    let plan = "proof plan p --pits 3 --seeds 3";
    folder.shown(&format!("{plan} --piece 60 --piece-nodes 40 --lease 3s --fresh"));
    for (more, at_least, piece_seconds) in
        [(" --at-least 2", Some(2), 60.0), (" --piece 30", None, 30.0), ("", None, 30.0)]
    {
        folder.shown(&format!("{plan}{more}"));
        let pieces = Pieces::read(&folder.path("p")).unwrap();
        let goal = pieces.goal();
        assert_eq!((goal.at_least, goal.piece_seconds), (at_least, piece_seconds));
        assert_eq!((goal.piece_nodes, goal.lease_seconds, goal.fresh), (Some(40), 3.0, true));
    }
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs Python 3")]
fn a_worker_proves_the_openings_of_a_list_after_its_goal() {
    let folder = Folder::in_memory();
    let start = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let openings: Vec<Position> = start.children().map(|(_, after)| after).collect();
    let list: String = openings.iter().map(|opening| format!("{opening}\t# name\n")).collect();
    folder.write("list", list);
    folder.shown("proof plan p --pits 3 --seeds 3");
    let work = format!("{WORK} --openings list");
    let worked = folder.shown(&work);
    for position in openings.iter().chain([&start]) {
        let alone =
            Solver::new(position, settings(0)).unwrap().margin(position, None, &mut |_| true);
        let margin = Pieces::read(&folder.path("p")).unwrap().margin_of(position);
        assert_eq!(margin, Interval::exactly(alone.unwrap()), "{worked}");
    }
    let asked = |worked: &str| worked.matches("position  <3,").count();
    assert_eq!(asked(&worked), openings.len());
    assert_eq!(asked(&folder.shown(&work)), 0, "all are proved");
    folder.shown("proof check p --sample 1");
    for (wrong, complaint) in [
        ("<4,0,0,3,3,3,3,3,3,3,3> S", "line 1: expected a position with 3 pits per row, without"),
        ("A", "line 1: expected a position with 3 pits per row, without moves"),
        ("<3,0,0,0,0,0,3,3,3> S", "line 1: expected a position with moves left to play"),
    ] {
        folder.write("list", wrong);
        let refused = folder.run(&work);
        assert_eq!(refused.code, Some(2), "{wrong}: {refused:?}");
        assert!(refused.errors.contains(complaint), "{refused:?}");
    }
    let ledger = folder.path("p/ledger.jsonl");
    let (verdict, code) = independent::check(&ledger);
    let roots = verdict.lines().filter(|line| line.starts_with("margin at least ")).count();
    assert_eq!((roots, code), (4, 0), "three moves and the start: {verdict}");
}

#[test]
fn workers_with_one_list_share_its_openings_and_continue_with_their_kept_tables() {
    let folder = Folder::in_memory();
    // Each first move banks a seed, so the start needs a larger solver than its openings.
    let start = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let list: String = start.children().map(|(_, after)| format!("{after}\n")).collect();
    folder.write("list", list);
    folder.shown("proof plan p --pits 3 --seeds 3 --at-least 2 --piece-nodes 40");
    let work = |table| format!("{WORK} --openings list --keep-table {table}");
    let workers = ["t1", "t2"].map(|table| spawn(&folder, &work(table)));
    let done = workers.map(|worker| worker.wait_with_output().unwrap());
    assert!(done.iter().all(|worker| worker.status.success()), "{done:?}");
    let read = Pieces::read(&folder.path("p")).unwrap();
    assert!(start.children().all(|(_, after)| read.margin_of(&after).is_exact()), "{done:?}");
    // The table fits the goal that is left.
    folder.shown(&work("t1"));
    assert_eq!(faults(&folder.path("p"), &start), [""; 0]);
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
fn a_folder_without_the_expected_proof_is_named_with_what_was_expected() {
    let folder = Folder::in_memory();
    folder.shown("proof plan p --pits 2 --seeds 2");
    for (words, message) in [
        ("proof status q", "q/ledger.jsonl: expected a folder created by 'kalah proof plan'"),
        ("proof work q", "q/ledger.jsonl: expected a folder created by 'kalah proof plan'"),
        (
            "proof plan p --pits 2 --seeds 3 --capture empty-capture",
            "expected a ledger for the board of <2,0,0,3,3,3,3> S empty-capture, got one for <2,0,0,2,2,2,2> S",
        ),
    ] {
        let output = folder.run(words).with_unix_paths();
        assert_eq!(output.code, Some(1), "{words}");
        assert!(output.errors.contains(message), "{}", output.errors);
    }
}
