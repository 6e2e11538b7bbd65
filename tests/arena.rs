//! Matches end as they should whatever the engines do, and lose nothing.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use kalah::arena::ledger;
use kalah::arena::schedule::Schedule;
use kalah::arena::standing::{Brief, Standing};
use kalah::record::{Game, Outcome, Reason, json};

const KALAH: &str = env!("CARGO_BIN_EXE_kalah");

/// The engine of `examples/scripted_engine.rs`, which `cargo test` builds.
fn scripted() -> PathBuf {
    let mut path = std::env::current_exe().expect("the test's own path");
    path.pop();
    path.pop();
    let path = path.join("examples").join("scripted_engine");
    assert!(path.exists(), "{} is missing: cargo build --examples", path.display());
    path
}

fn scripted_words(behaviour: &str) -> String {
    format!("cmd={} name=bad arg={behaviour}", scripted().display())
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(KALAH);
    command.current_dir(directory).args(arguments).stdin(Stdio::null());
    command
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments).output().expect("kalah starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The games of a file of results.
fn games(path: &Path) -> Vec<Game> {
    let text = fs::read_to_string(path).expect("a file of games");
    let lines = text.lines().enumerate().skip(1);
    lines.map(|(index, line)| json::from_line(line, index + 1).expect("a game")).collect()
}

/// Plays pairs of games of the scripted engine against a random player.
fn play_against_random(words: &str, more: &[&str]) -> (Vec<Game>, Output) {
    let directory = tempfile::tempdir().expect("a directory");
    let mut arguments = vec!["match", "-o", "x.jsonl", "-e", words, "-e", "random"];
    arguments.extend(more);
    if !more.contains(&"--pairs") {
        arguments.extend(["--pairs", "1"]);
    }
    let output = run(directory.path(), &arguments);
    (games(&directory.path().join("x.jsonl")), output)
}

/// The bad engine loses every game for `reason`, and the match goes on.
fn assert_loses(behaviour: &str, words: &str, reason: Reason) {
    let words = format!("{} {words}", scripted_words(behaviour));
    let (games, output) = play_against_random(&words, &["--start-timeout", "1"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(games.len(), 2, "{behaviour}");
    for game in &games {
        let ending = game.ending().expect("an ending");
        assert_eq!(ending.reason, reason, "{behaviour}: {:?}", ending.detail);
        let Outcome::Won(winner) = ending.outcome else { panic!("a winner") };
        assert_eq!(game.players[winner.index()].name, "random");
        assert!(ending.detail.as_ref().is_some_and(|detail| !detail.is_empty()));
    }
    let summary = text(&output.stdout);
    assert!(summary.contains(&format!("bad lost games by: 2 {reason}")), "{summary}");
}

#[test]
fn an_engine_that_crashes_at_the_start_loses() {
    assert_loses("crash-at-start", "", Reason::NoStart);
}

#[test]
fn an_engine_that_crashes_in_a_game_loses() {
    assert_loses("crash", "", Reason::Crash);
}

#[test]
fn an_engine_that_hangs_at_isready_loses() {
    assert_loses("hang-at-isready", "", Reason::NoStart);
}

#[test]
fn an_engine_that_hangs_loses_when_its_clock_the_margin_and_a_second_are_over() {
    let started = Instant::now();
    assert_loses("hang", "tc=0.2+0.01", Reason::Hang);
    // Two games of less than half a second of thinking each; a loaded machine
    // gets time to spare, a match that waits for more than it says does not.
    assert!(started.elapsed() >= Duration::from_secs(2));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_engine_that_plays_an_illegal_move_loses() {
    assert_loses("illegal", "", Reason::IllegalMove);
}

#[test]
fn an_engine_that_answers_garbage_loses() {
    assert_loses("garbage", "", Reason::Garbage);
    assert_loses("babble", "movetime=50", Reason::Garbage);
}

#[test]
fn an_engine_that_is_slow_loses_on_time() {
    assert_loses("slow", "movetime=100", Reason::Time);
    assert_loses("slow", "tc=0.2", Reason::Time);
}

#[test]
fn an_engine_that_closes_stdout_loses() {
    assert_loses("close", "", Reason::Disconnect);
}

#[test]
fn an_engine_that_floods_stdout_loses() {
    assert_loses("flood", "nodes=1", Reason::Garbage);
    assert_loses("endless-line", "nodes=1", Reason::Garbage);
}

#[test]
fn a_good_program_plays_all_games_in_both_dialects() {
    for protocol in ["uci", "ugi"] {
        let words = format!("{} proto={protocol}", scripted_words("good"));
        let (games, output) = play_against_random(&words, &["--pairs", "5", "-c", "2"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(games.len(), 10);
        for game in games {
            assert_eq!(game.ending().unwrap().reason, Reason::Normal);
            assert!(game.warnings.is_empty(), "{:?}", game.warnings);
            let good = game.players.iter().find(|player| player.name == "bad").unwrap();
            assert_eq!(good.version.as_deref(), Some("Scripted 1.0"));
        }
    }
}

/// Warnings of two games against a random player; none is lost by failing.
fn warnings(behaviour: &str, words: &str) -> Vec<String> {
    let words = format!("{} {words}", scripted_words(behaviour));
    let (games, output) = play_against_random(&words, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(games.iter().all(|game| game.ending().unwrap().reason == Reason::Normal));
    games.into_iter().flat_map(|game| game.warnings).collect()
}

#[test]
fn late_answers_are_drained_and_not_taken_for_the_next() {
    let warnings = warnings("late", "");
    assert_eq!(warnings.len(), 2);
    assert!(warnings.iter().all(|w| w.ends_with("late bestmove drained")), "{warnings:?}");
}

#[test]
fn variations_that_cannot_be_played_are_warned_of() {
    let warnings = warnings("illegal-pv", "");
    assert_eq!(warnings.len(), 2);
    assert!(warnings.iter().all(|w| w.contains("illegal variation, the first: move")));
}

#[test]
fn an_engine_that_takes_the_result_for_another_is_warned_of() {
    let warnings = warnings("liar", "proto=ugi");
    assert!(!warnings.is_empty());
    assert!(warnings.iter().all(|w| w.contains("takes the result for")), "{warnings:?}");
}

#[test]
fn stderr_of_programs_goes_to_a_file_each() {
    let directory = tempfile::tempdir().unwrap();
    let words = scripted_words("crash-at-start");
    let output = run(
        directory.path(),
        &["match", "-o", "x.jsonl", "-e", &words, "-e", "random", "--pairs", "1"],
    );
    assert!(output.status.success());
    let log = fs::read_to_string(directory.path().join("x.jsonl.logs/bad-0.log")).unwrap();
    assert!(log.contains("no good will come of this"));
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_before_the_first_game() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(
        directory.path(),
        &["match", "-o", "x.jsonl", "-e", "cmd=./nothing-here", "-e", "random"],
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot start ./nothing-here"));
    assert!(!directory.path().join("x.jsonl").exists(), "nothing stands in the way of a retry");
}

/// A match of this engine with itself that is the same every time.
const DETERMINISTIC: [&str; 9] = [
    "match",
    "-e",
    "kalah name=a nodes=300 option.Hash=1",
    "-e",
    "kalah name=b nodes=150 option.Hash=1",
    "--pairs",
    "12",
    "--seed",
    "5",
];

fn deterministic(directory: &Path, more: &[&str]) -> Output {
    run(directory, &[&DETERMINISTIC, more].concat())
}

#[test]
fn node_limited_games_are_the_same_every_time_and_at_any_concurrency() {
    let directory = tempfile::tempdir().unwrap();
    let courses = |file: &str, concurrency: &str| {
        let output = deterministic(directory.path(), &["-o", file, "-c", concurrency]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let mut games = games(&directory.path().join(file));
        games.sort_by_key(|game| game.round);
        let pits = |game: &Game| game.moves().iter().map(|m| m.pit).collect::<Vec<_>>();
        (games.iter().map(pits).collect::<Vec<_>>(), text(&output.stdout))
    };
    assert_eq!(courses("one.jsonl", "1"), courses("three.jsonl", "3"));
}

#[test]
fn four_shards_merge_to_the_single_run() {
    let directory = tempfile::tempdir().unwrap();
    let single = deterministic(directory.path(), &["-o", "single.jsonl", "-c", "2"]);
    let mut files = Vec::new();
    for part in 1..=4 {
        let (file, shard) = (format!("part-{part}.jsonl"), format!("{part}/4"));
        let output = deterministic(directory.path(), &["-o", &file, "--shard", &shard]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        files.push(file);
    }
    let merge = |files: &[String]| {
        let mut arguments = vec!["match", "merge"];
        arguments.extend(files.iter().map(String::as_str));
        run(directory.path(), &arguments)
    };
    assert_eq!(text(&merge(&files).stdout), text(&single.stdout));

    // The same part twice counts once; a part that is missing is named.
    let twice = [&files[..], &files[..1]].concat();
    assert_eq!(text(&merge(&twice).stdout), text(&single.stdout));
    let partial = text(&merge(&files[1..]).stdout);
    assert!(partial.contains("Missing: 6 games, numbers 1-2, 9-10, 17-18."), "{partial}");

    // A game that was changed by hand is found out.
    let text_of_part = fs::read_to_string(directory.path().join(&files[0])).unwrap();
    let changed = text_of_part.replacen("\"reason\":\"normal\"", "\"reason\":\"majority\"", 1);
    fs::write(directory.path().join("changed.jsonl"), changed).unwrap();
    let conflict = merge(&[files[0].clone(), "changed.jsonl".to_owned()]);
    assert_eq!(conflict.status.code(), Some(1));
    assert!(text(&conflict.stderr).contains("is there twice and differs"));
}

#[test]
fn four_shards_under_gnu_parallel_merge_to_the_single_run() {
    let installed = Command::new("parallel").arg("--version").output();
    if !installed.is_ok_and(|output| text(&output.stdout).contains("GNU parallel")) {
        eprintln!("skipped: GNU parallel is not installed");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let single = deterministic(directory.path(), &["-o", "single.jsonl"]);
    let quoted: Vec<_> = DETERMINISTIC.iter().map(|word| format!("'{word}'")).collect();
    let job = format!("{KALAH} {} -o part-{{}}.jsonl --shard {{}}/4", quoted.join(" "));
    let output = Command::new("parallel")
        .current_dir(&directory)
        .env("HOME", directory.path())
        .args(["--will-cite", "-j", "2", &job, ":::", "1", "2", "3", "4"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let merged = run(
        directory.path(),
        &["match", "merge", "part-1.jsonl", "part-2.jsonl", "part-3.jsonl", "part-4.jsonl"],
    );
    assert_eq!(text(&merged.stdout), text(&single.stdout));
}

#[test]
fn a_match_killed_a_hundred_times_loses_and_doubles_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.jsonl");
    let arguments = [
        "match",
        "-o",
        "x.jsonl",
        "--resume",
        "-e",
        "kalah name=a nodes=1000 option.Hash=1",
        "-e",
        "kalah name=b nodes=500 option.Hash=1",
        "--pairs",
        "400",
        "-c",
        "2",
        "--quiet",
    ];
    let mut known: Vec<String> = Vec::new();
    let mut rounds_with_games = 0;
    for kill in 0..100u64 {
        let mut child = command(directory.path(), &arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // At different moments: while it starts, reads, plays and writes.
        let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
        while kill % 2 == 1 && lines() <= known.len() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros((kill * 7919) % 20_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = fs::read_to_string(&file).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines: Vec<_> = whole.lines().map(str::to_owned).collect();
        assert!(lines.starts_with(&known), "a finished game was lost or changed by kill {kill}");
        rounds_with_games += u32::from(lines.len() > known.len());
        known = lines;
    }
    assert!(rounds_with_games >= 40, "the kills must fall into play, not only into the start");
    let finished = known.len() - 1;
    let output = run(directory.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = games(&file);
    let ids: HashSet<_> = games.iter().map(|game| game.id.clone()).collect();
    assert_eq!((games.len(), ids.len()), (800, 800), "after {finished} before the last run");
}

#[test]
fn a_part_of_a_line_is_cut_off_and_its_game_played_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.jsonl");
    let whole = deterministic(directory.path(), &["-o", "x.jsonl"]);
    let text_of_file = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text_of_file[..text_of_file.len() - 30]).unwrap();
    let resumed = run(directory.path(), &["match", "-o", "x.jsonl", "--resume"]);
    assert_eq!(text(&resumed.stdout), text(&whole.stdout));
    assert_eq!(games(&file).len(), 24);
}

#[test]
fn a_resumed_match_can_be_longer_but_not_another() {
    let directory = tempfile::tempdir().unwrap();
    deterministic(directory.path(), &["-o", "x.jsonl"]);
    let longer = [&DETERMINISTIC[..5], &["--pairs", "14", "--seed", "5", "-o", "x.jsonl"]].concat();
    let refused = run(directory.path(), &longer);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("go on with --resume"));

    let resumed = run(directory.path(), &[&longer[..], &["--resume"]].concat());
    assert!(text(&resumed.stdout).starts_with("Games: 28 of 28 finished"));
    let merged = run(directory.path(), &["match", "merge", "x.jsonl"]);
    assert_eq!(text(&merged.stdout), text(&resumed.stdout));

    let other = deterministic(directory.path(), &["-o", "x.jsonl", "--resume", "--margin", "3"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("the arguments differ"));
}

#[test]
fn files_that_cannot_be_written_are_errors_before_the_first_game() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("there.jsonl"), "").unwrap();
    for file in ["no-such-directory/x.jsonl", "there.jsonl", "/dev/full", "/dev/null", "."] {
        for more in [&[][..], &["--resume"]] {
            let output = deterministic(directory.path(), &[&["-o", file], more].concat());
            assert_eq!(output.status.code(), Some(1), "{file} {}", text(&output.stdout));
            assert!(text(&output.stdout).is_empty());
            assert!(!output.stderr.is_empty());
        }
    }
}

#[test]
fn a_file_in_use_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let slow = ["match", "-o", "x.jsonl", "-e", "kalah", "-e", "random"];
    let mut first = command(directory.path(), &slow).stderr(Stdio::null()).spawn().unwrap();
    let file = directory.path().join("x.jsonl");
    while fs::metadata(&file).map_or(0, |metadata| metadata.len()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = run(directory.path(), &[&slow[..], &["--resume"]].concat());
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(text(&second.stderr).contains("in use by another match"), "{}", text(&second.stderr));
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_in_the_middle_stops_the_match_and_keeps_what_was_finished() {
    let directory = tempfile::tempdir().unwrap();
    // The shell limits the size of files; without its signal, writing fails as
    // on a full disk.
    let quoted: Vec<_> = DETERMINISTIC.iter().map(|word| format!("'{word}'")).collect();
    let script =
        format!("trap '' XFSZ; ulimit -f 32; exec {KALAH} {} -o x.jsonl", quoted.join(" "));
    let limited = Command::new("sh")
        .current_dir(&directory)
        .args(["-c", &script])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(1), "{}", text(&limited.stdout));
    assert!(text(&limited.stderr).contains("cannot write x.jsonl"), "{}", text(&limited.stderr));
    let kept = games(&directory.path().join("x.jsonl")).len();
    assert!((1..24).contains(&kept), "{kept} games");

    let resumed = deterministic(directory.path(), &["-o", "x.jsonl", "--resume"]);
    assert!(resumed.status.success());
    assert_eq!(games(&directory.path().join("x.jsonl")).len(), 24);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_with_what_is_known_so_far() {
    let directory = tempfile::tempdir().unwrap();
    let words = scripted_words("good");
    let arguments = [
        "match",
        "-o",
        "x.jsonl",
        "-e",
        &words,
        "-e",
        "kalah nodes=300",
        "--pairs",
        "100000",
        "--random-plies",
        "2",
    ];
    let child = command(directory.path(), &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let file = directory.path().join("x.jsonl");
    while fs::read_to_string(&file).map_or(0, |text| text.lines().count()) < 4 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let finished = games(&file).len();
    let summary = text(&output.stdout);
    assert!(summary.starts_with(&format!("Games: {finished} of 200000 finished")), "{summary}");
    assert!(text(&output.stderr).contains("--resume goes on"));
}

#[test]
fn games_that_repeat_themselves_count_once() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("one.txt"), "CFd\n").unwrap();
    let output = deterministic(directory.path(), &["-o", "x.jsonl", "--openings", "one.txt"]);
    let summary = text(&output.stdout);
    assert!(summary.starts_with("Games: 24 of 24 finished, 2 counted."), "{summary}");
    assert!(summary.contains("22 games repeat earlier ones"), "{summary}");
    assert!(text(&output.stderr).contains("12 pairs from 1 openings"), "{}", text(&output.stderr));
}

#[test]
fn certain_results_end_games_early_and_do_not_change_who_wins() {
    let directory = tempfile::tempdir().unwrap();
    let results = |file: &str, more: &[&str]| {
        let output = deterministic(directory.path(), &[&["-o", file], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let games = games(&directory.path().join(file));
        let ending = |game: &Game| {
            let ending = game.ending().unwrap();
            (ending.outcome, ending.reason, game.moves().len())
        };
        games.iter().map(ending).collect::<Vec<_>>()
    };
    let whole = results("whole.jsonl", &[]);
    let majority = results("majority.jsonl", &["--adjudicate-majority"]);
    assert!(majority.iter().any(|&(_, reason, _)| reason == Reason::Majority));
    for (whole, early) in whole.iter().zip(&majority) {
        assert_eq!(whole.0, early.0);
        assert!(early.2 <= whole.2);
    }
    let table = results("table.jsonl", &["--adjudicate-table", "8"]);
    assert!(table.iter().any(|&(_, reason, _)| reason == Reason::Table));
    let limit = results("limit.jsonl", &["--move-limit", "20"]);
    assert!(limit.iter().all(|&(outcome, reason, moves)| {
        reason != Reason::MoveLimit || (outcome, moves) == (Outcome::Draw, 20)
    }));
    assert!(limit.iter().any(|&(_, reason, _)| reason == Reason::MoveLimit));
}

#[test]
fn a_test_stops_the_match_and_its_file_tells_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = |file| {
        [
            "match",
            "-o",
            file,
            "-e",
            "kalah name=new nodes=3000 option.Hash=1",
            "-e",
            "greedy",
            "--pairs",
            "5000",
            "-c",
            "2",
            "--sprt",
            "elo0=0 elo1=100",
        ]
    };
    let output = run(directory.path(), &arguments("x.jsonl"));
    let summary = text(&output.stdout);
    assert!(output.status.success() && summary.contains("accepts H1"), "{summary}");
    assert!(games(&directory.path().join("x.jsonl")).len() < 1000);
    let merged = run(directory.path(), &["match", "merge", "x.jsonl"]);
    assert_eq!(text(&merged.stdout), summary);
    let resumed = run(directory.path(), &["match", "-o", "x.jsonl", "--resume"]);
    assert_eq!(text(&resumed.stdout), summary, "a decided match plays no more");
}

#[test]
fn a_test_accepts_a_better_setting_and_rejects_an_equal_one() {
    let directory = tempfile::tempdir().unwrap();
    let verdict = |file: &str, nodes: &str| {
        let words = format!("kalah name=new nodes={nodes} option.Hash=1");
        let arguments = [
            "match",
            "-o",
            file,
            "-e",
            &words,
            "-e",
            "kalah name=old nodes=100 option.Hash=1",
            "--pairs",
            "3000",
            "-c",
            "2",
            "--sprt",
            "elo0=0 elo1=20",
        ];
        text(&run(directory.path(), &arguments).stdout)
    };
    let better = verdict("better.jsonl", "200");
    assert!(better.contains("accepts H1, a difference of 20 normalised Elo"), "{better}");
    let equal = verdict("equal.jsonl", "100");
    assert!(equal.contains("accepts H0, a difference of 0 normalised Elo"), "{equal}");
}

#[test]
fn two_seeds_agree_within_their_error_bars_on_what_twice_the_nodes_are_worth() {
    let directory = tempfile::tempdir().unwrap();
    let estimate = |seed: &str| {
        let file = format!("seed-{seed}.jsonl");
        let arguments = [
            "match",
            "-o",
            &file,
            "-e",
            "kalah name=new nodes=400 option.Hash=1",
            "-e",
            "kalah name=old nodes=200 option.Hash=1",
            "--pairs",
            "300",
            "-c",
            "2",
            "--seed",
            seed,
        ];
        assert!(run(directory.path(), &arguments).status.success());
        let contents = ledger::read(&directory.path().join(&file)).unwrap();
        let schedule = Schedule::new(contents.config).unwrap();
        let mut results = ledger::Results::new();
        ledger::place(contents.games, &schedule, Path::new(&file), &mut results).unwrap();
        let briefs = results.iter().map(|(&i, game)| (i, Brief::of(game).unwrap())).collect();
        Standing::of(&schedule, &briefs).scores[&(0, 1)].estimate().unwrap()
    };
    let [one, two] = ["1", "2"].map(estimate);
    let apart = (one.elo - two.elo).abs();
    assert!(apart < one.elo_error().hypot(two.elo_error()), "{one:?} {two:?}");
    assert!(one.elo_interval[0] > 0.0 && two.elo_interval[0] > 0.0, "{one:?} {two:?}");
}

#[test]
fn a_report_holds_the_tables_and_the_pictures() {
    let directory = tempfile::tempdir().unwrap();
    deterministic(directory.path(), &["-o", "x.jsonl", "--report", "pages", "--event", "a < b"]);
    let page = fs::read_to_string(directory.path().join("pages/index.html")).unwrap();
    assert!(page.contains("a &lt; b") && page.contains("Crosstable"));
    assert_eq!(page.matches("<svg").count(), 3, "score, margins and time");
    let merged = run(directory.path(), &["match", "merge", "x.jsonl", "--report", "again"]);
    assert!(merged.status.success());
    assert_eq!(fs::read_to_string(directory.path().join("again/index.html")).unwrap(), page);
}
