//! A proof in pieces gives the same margin as the solver in one run, whatever happens to its
//! workers.

mod independent;

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kalah_engine::solve::{Solver, SolverSettings, TableChoice};
use kalah_game::score::{Gain, Interval};
use kalah_game::{Capture, Position, Rules};
use kalah_proof::{Pieces, ProofStatus};
use kalah_sys::random::SplitMix64;

use crate::folder::Folder;
use crate::wait_for;
use kalah_testing::folder;

const SOLVED: &str = include_str!("../../data/solved.tsv");

fn settings(table_seeds: u32) -> SolverSettings {
    let tables = TableChoice::Seeds(table_seeds);
    SolverSettings::default().hash(1 << 20).tables(tables)
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
        if start.in_play() > most {
            return None;
        }
        Some((start, Gain(margin.parse().unwrap())))
    })
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
fn a_fault_in_a_ledger_is_reported() {
    let folder = Folder::in_memory();
    folder.shown("proof plan . --pits 3 --seeds 3 --piece-nodes 40");
    folder.shown(&WORK.replace(" p ", " . "));
    // That a wrong answer with a matching checksum is found is a law of `kalah-proof`.
    let ledger = folder.read("ledger.jsonl");
    let answer = ledger.lines().rfind(|line| line.contains("at_least")).expect("an answer");
    folder.write("ledger.jsonl", format!("{ledger}{answer}\n"));
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
        let settings = settings(0).hash(1 << 22).kept_table(file.clone());
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
        let settings = settings(0).kept_table(file.clone());
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
fn a_ledger_proves_one_goal_after_another() {
    let folder = Folder::in_memory();
    let start = Position::start(Rules::new(3, 3, Capture::Standard).unwrap());
    let openings: Vec<Position> = start.children().map(|(_, after)| after).collect();
    folder.shown("proof plan p --pits 3 --seeds 3");
    folder.shown(WORK);
    for opening in &openings {
        let planned = folder.run_words(&["proof", "plan", "p", "--position", &opening.to_string()]);
        assert_eq!(planned.code, Some(0), "{planned:?}");
        folder.shown(WORK);
    }
    for position in openings.iter().chain([&start]) {
        let alone =
            Solver::new(position, settings(0)).unwrap().margin(position, None, &mut |_| true);
        let margin = Pieces::read(&folder.path("p")).unwrap().margin_of(position);
        assert_eq!(margin, Interval::exactly(alone.unwrap()));
    }
    folder.shown("proof check p --sample 1");
    let ledger = folder.path("p/ledger.jsonl");
    let (verdict, code) = independent::check(&ledger);
    let roots = verdict.lines().filter(|line| line.starts_with("margin at least ")).count();
    assert_eq!((roots, code), (4, 0), "three moves and the start: {verdict}");
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
