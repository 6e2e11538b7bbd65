//! No game is lost or counted twice: shards, kills, full disks, resuming.

use std::collections::HashSet;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use kalah_record::Game;

use super::{DETERMINISTIC, KALAH, command, deterministic, games, run, scripted_words, text};

#[test]
fn node_limited_games_are_the_same_every_time_and_at_any_concurrency() {
    let directory = tempfile::tempdir().unwrap();
    let courses = |file: &str, concurrency: &str| {
        let output = deterministic(directory.path(), &["-o", file, "-c", concurrency]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let mut games = games(&directory.path().join(file));
        games.sort_by_key(|game| game.number);
        let pits = |game: &Game| game.moves().map(|m| m.pit).collect::<Vec<_>>();
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

    // A part given twice counts once; the games of a missing part are listed.
    let twice = [&files[..], &files[..1]].concat();
    assert_eq!(text(&merge(&twice).stdout), text(&single.stdout));
    let partial = text(&merge(&files[1..]).stdout);
    assert!(partial.contains("Missing: 6 games, numbers 1-2, 9-10, 17-18."), "{partial}");

    // A game that was edited by hand is detected.
    let text_of_part = fs::read_to_string(directory.path().join(&files[0])).unwrap();
    let changed = text_of_part.replacen("\"reason\":\"normal\"", "\"reason\":\"majority\"", 1);
    let conflict = |changed: &str| {
        fs::write(directory.path().join("changed.jsonl"), changed).unwrap();
        let conflict = merge(&[files[0].clone(), "changed.jsonl".to_owned()]);
        assert_eq!(conflict.status.code(), Some(1));
        text(&conflict.stderr)
    };
    assert!(conflict(&changed).contains("expected checksum"));
    let without = changed.lines().map(|line| match line.rsplit_once(",\"check\":") {
        Some((body, _)) => format!("{body}}}\n"),
        None => format!("{line}\n"),
    });
    assert!(conflict(&without.collect::<String>()).contains("occurs twice with different"));
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
fn a_match_killed_thirty_times_loses_and_duplicates_no_game() {
    const KILLS: u64 = 30;
    const GAMES: usize = 200;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.jsonl");
    let arguments = [
        "match",
        "-o",
        "x.jsonl",
        "--resume",
        "-e",
        "kalah name=a nodes=1000 option.Hash=1 option.TableSeeds=0",
        "-e",
        "kalah name=b nodes=500 option.Hash=1 option.TableSeeds=0",
        "--pairs",
        "100",
        "-c",
        "2",
        "--quiet",
    ];
    let mut known: Vec<String> = Vec::new();
    let mut rounds_with_games = 0;
    for kill in 0..KILLS {
        let mut child = command(directory.path(), &arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The kills hit different stages: starting, reading, playing and writing.
        let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
        while kill % 2 == 1 && lines() <= known.len() && child.try_wait().unwrap().is_none() {
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
    assert!(rounds_with_games >= 12, "the kills must hit games, not only the start");
    let finished = known.len() - 1;
    let output = run(directory.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = games(&file);
    let ids: HashSet<_> = games.iter().map(|game| game.id.clone()).collect();
    assert_eq!((games.len(), ids.len()), (GAMES, GAMES), "after {finished} before the last run");
}

#[test]
fn an_incomplete_line_is_cut_off_and_its_game_is_replayed() {
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
fn a_resumed_match_can_be_longer_but_not_different() {
    let directory = tempfile::tempdir().unwrap();
    deterministic(directory.path(), &["-o", "x.jsonl"]);
    let longer = [&DETERMINISTIC[..5], &["--pairs", "14", "--seed", "5", "-o", "x.jsonl"]].concat();
    let refused = run(directory.path(), &longer);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("continue it with --resume"));

    let resumed = run(directory.path(), &[&longer[..], &["--resume"]].concat());
    assert!(text(&resumed.stdout).starts_with("Games: 28 of 28 finished"));
    let merged = run(directory.path(), &["match", "merge", "x.jsonl"]);
    assert_eq!(text(&merged.stdout), text(&resumed.stdout));

    let other = deterministic(directory.path(), &["-o", "x.jsonl", "--resume", "--margin", "3"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("the arguments differ"));
}

#[test]
fn a_match_resumed_without_players_applies_each_option_or_refuses_it() {
    let directory = tempfile::tempdir().unwrap();
    let play = |more: &[&str]| run(directory.path(), &[&["match", "-o", "x.jsonl"], more].concat());
    let resume = |more: &[&str]| play(&[&["--resume"], more].concat());
    let players = ["-e", "random name=a", "-e", "random name=b", "-p"];
    assert_eq!(resume(&[]).status.code(), Some(2));
    assert!(play(&[&players[..], &["1"]].concat()).status.success());

    let longer = text(&resume(&["--pairs", "3"]).stdout);
    assert!(longer.starts_with("Games: 6 of 6 finished, 6 counted."), "{longer}");
    // The new pairs have the openings that they would have had in a match of this length from
    // the start.
    let same = resume(&[&players[..], &["3"]].concat());
    assert_eq!((text(&same.stdout), same.status.code()), (longer, Some(0)));
    let tested = text(&resume(&["--sprt", "elo0=0 elo1=5"]).stdout);
    assert!(tested.contains("SPRT of 0 against 5 normalised Elo is open"), "{tested}");
    // Players alone change neither the number of pairs nor the test.
    let before = fs::read(directory.path().join("x.jsonl")).unwrap();
    let again = resume(&players[..4]);
    assert_eq!((text(&again.stdout), again.status.code()), (tested, Some(0)));
    assert_eq!(fs::read(directory.path().join("x.jsonl")).unwrap(), before);

    for (option, message) in [
        (&["--pairs", "2"][..], "--pairs: x.jsonl has games from more than 2 pairs"),
        (&["--seed", "1"], "--seed: expected --engine as in the first run"),
        (&["--each", "nodes=9"], "--each: expected --engine as in the first run"),
        (&["--move-limit", "9"], "--move-limit: expected --engine as in the first run"),
        (&["--capture", "standard"], "--capture: expected --engine as in the first run"),
        (&["--openings", "x"], "--openings: expected --engine as in the first run"),
    ] {
        let output = resume(option);
        let error = text(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(message), "{error}");
    }

    // The file of openings may be missing when a match is resumed.
    fs::write(directory.path().join("list.txt"), "C\nD\nE\n").unwrap();
    let merged = run(directory.path(), &["match", "merge", "x.jsonl", "--out", "x.jsonl"]);
    let message = "error: --out: x.jsonl already exists: choose another file\n";
    assert_eq!(text(&merged.stderr), message);
    let arguments = ["match", "-o", "y.jsonl", "--openings", "list.txt"];
    let output = run(directory.path(), &[&arguments[..], &players, &["2"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = run(directory.path(), &["match", "-o", "y.jsonl", "--resume", "-p", "3"]);
    let error = text(&output.stderr);
    assert!(error.contains("y.jsonl holds only the openings of its 2 pairs"), "{error}");
}

#[test]
fn files_that_cannot_be_written_are_errors_before_the_first_game() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("there.jsonl"), "notes").unwrap();
    // Wine shows these devices to a Windows program as files, and the first one has no end.
    let devices = if cfg!(windows) { &[][..] } else { &["/dev/full", "/dev/null"] };
    for file in ["no-such-directory/x.jsonl", "there.jsonl", "."].iter().chain(devices) {
        for more in [&[][..], &["--resume"]] {
            let output = deterministic(directory.path(), &[&["-o", file], more].concat());
            assert_eq!(output.status.code(), Some(1), "{file} {}", text(&output.stdout));
            assert!(text(&output.stdout).is_empty());
            assert!(!output.stderr.is_empty());
        }
    }
    assert_eq!(fs::read_to_string(directory.path().join("there.jsonl")).unwrap(), "notes");
}

/// The number of games that a match rescues from a file that is damaged after ten lines.
fn rescued(pairs: &str, damage: fn(&Path)) -> usize {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["match", "-o", "x.jsonl", "-e", "random name=a", "-e", "random name=b"];
    let child = command(directory.path(), &[&arguments[..], &["--pairs", pairs]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let file = directory.path().join("x.jsonl");
    while fs::read_to_string(&file).map_or(0, |text| text.lines().count()) < 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    damage(&file);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("x.jsonl was removed, moved or changed"), "{error}");
    let (_, rescued) = error.trim_end().rsplit_once(" are in ").expect("a file is named");
    // The rescued file is a valid match file.
    fs::rename(directory.path().join(rescued), &file).unwrap();
    let merged = run(directory.path(), &["match", "merge", "x.jsonl"]);
    assert!(text(&merged.stdout).starts_with("Games: "), "{}", text(&merged.stderr));
    games(&file).len()
}

#[test]
fn games_of_a_removed_moved_or_changed_file_are_rescued() {
    // Windows does not allow an open file to be removed or moved.
    if cfg!(not(windows)) {
        assert!(rescued("3000", |file| fs::remove_file(file).unwrap()) >= 9);
        assert!(rescued("3000", |file| fs::rename(file, file.with_extension("y")).unwrap()) >= 9);
    }
    assert!(rescued("3000", |file| fs::write(file, "").unwrap()) >= 1);
    // The remaining lines are kept: here all but the last one.
    let shortened = rescued("3000", |file| {
        let file = fs::OpenOptions::new().write(true).open(file).unwrap();
        file.set_len(file.metadata().unwrap().len() - 9).unwrap();
    });
    assert!(shortened >= 9);
    // A changed byte is detected at the end of the match.
    let changed = rescued("300", |path| {
        let bytes = fs::read(path).unwrap();
        let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
        file.seek(SeekFrom::Start(bytes.len() as u64 - 9)).unwrap();
        file.write_all(&[bytes[bytes.len() - 9] ^ 1]).unwrap();
    });
    assert!((9..600).contains(&changed), "{changed}");
}

#[test]
fn files_without_checksums_are_read_and_resumed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.jsonl");
    let whole = deterministic(directory.path(), &["-o", "x.jsonl"]);
    let with = fs::read_to_string(&file).unwrap();
    let without: String = with
        .lines()
        .map(|line| line.rsplit_once(",\"check\":\"").unwrap().0.to_owned() + "}\n")
        .collect();
    let merge = || run(directory.path(), &["match", "merge", "x.jsonl"]);
    fs::write(&file, &without[..without.len() - 30]).unwrap();
    let resumed = run(directory.path(), &["match", "-o", "x.jsonl", "--resume"]);
    assert_eq!(text(&resumed.stdout), text(&whole.stdout));
    assert_eq!(text(&merge().stdout), text(&whole.stdout));
    fs::write(&file, with + without.lines().last().unwrap() + "\n").unwrap();
    let mixed = text(&merge().stderr);
    assert!(mixed.ends_with("expected a checksum at its end\n"), "{mixed}");
}

#[test]
fn a_match_file_without_a_complete_line_is_reused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.jsonl");
    let arguments = ["match", "-o", "x.jsonl", "-e", "random", "-e", "greedy", "-p", "1"];
    let play = |more: &[&str]| run(directory.path(), &[&arguments[..], more].concat());
    assert!(play(&[]).status.success());
    let whole = fs::read_to_string(&file).unwrap();
    let header = whole.lines().next().unwrap();
    let other = r#"{"match":{"players":[{"name":"of another match"#;
    for begun in ["", &header[..1], &header[..40], header, other] {
        for more in [&[][..], &["--resume"]] {
            fs::write(&file, begun).unwrap();
            assert!(play(more).status.success(), "{begun}");
            assert_eq!(games(&file).len(), 2, "{begun}");
        }
    }
}

#[test]
fn a_file_in_use_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let slow = ["match", "-o", "x.jsonl", "-e", "kalah option.TableSeeds=0", "-e", "random"];
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
fn a_disk_that_fills_up_stops_the_match_and_keeps_the_finished_games() {
    let directory = tempfile::tempdir().unwrap();
    // The shell limits the size of files. With its signal ignored, writing fails as on a full
    // disk.
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

#[test]
fn only_the_file_of_a_match_can_be_continued() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x.jsonl");
    for foreign in ["Mancala", "Mancala\n", "{\"game\":1}\n"] {
        for more in [&[][..], &["--resume"]] {
            fs::write(&file, foreign).unwrap();
            let output = deterministic(directory.path(), &[&["-o", "x.jsonl"], more].concat());
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{error}");
            assert!(!error.contains("--resume") && error.contains("x.jsonl"), "{error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), foreign);
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_with_the_results_so_far() {
    let directory = tempfile::tempdir().unwrap();
    let words = scripted_words("good");
    let arguments = [
        "match",
        "-o",
        "x.jsonl",
        "-e",
        &words,
        "-e",
        "kalah nodes=300 option.TableSeeds=0",
        "--pairs",
        "2000",
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
    assert!(summary.starts_with(&format!("Games: {finished} of 4000 finished")), "{summary}");
    assert!(text(&output.stderr).contains("--resume continues"));
}
