//! No game is lost or counted twice: shards, kills, full disks, resuming.

use std::collections::HashSet;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{DETERMINISTIC, Running, deterministic, games, scripted, scripted_words};
use crate::folder::{Folder, Ran};

#[test]
fn four_shards_merge_to_the_single_run() {
    let folder = Folder::new();
    let single = deterministic(&folder, "-o single.jsonl -c 2").shown;
    let shard = |part| {
        let ran = deterministic(&folder, &format!("-o {part}.jsonl --shard {part}/4"));
        assert_eq!(ran.code, Some(0), "{}", ran.errors);
    };
    // All at once, as GNU parallel and cluster schedulers run them.
    std::thread::scope(|scope| {
        for part in 1..=4 {
            scope.spawn(move || shard(part));
        }
    });
    let merge = |files: &str| folder.run(&format!("match merge {files}"));
    let all = "1.jsonl 2.jsonl 3.jsonl 4.jsonl";
    assert_eq!(merge(all).shown, single);

    // The games of a missing part are listed.
    let partial = merge("2.jsonl 3.jsonl 4.jsonl").shown;
    assert!(partial.contains("Missing: 6 games, numbers 1-2, 9-10, 17-18."), "{partial}");

    // A game that was edited by hand is detected.
    let changed =
        folder.read("1.jsonl").replacen("\"reason\":\"normal\"", "\"reason\":\"majority\"", 1);
    let without = changed.lines().map(|line| match line.rsplit_once(",\"check\":") {
        Some((body, _)) => format!("{body}}}\n"),
        None => format!("{line}\n"),
    });
    let without = without.collect::<String>();
    folder.write("changed.jsonl", &without);
    let conflict = merge("1.jsonl changed.jsonl");
    assert!(conflict.errors.contains("occurs twice with different"), "{}", conflict.errors);
    // Nor does a page show such a file as that of a sound match.
    let own = folder.read("1.jsonl").lines().nth(1).unwrap().to_owned();
    let (own, _) = own.rsplit_once(",\"check\":").unwrap();
    folder.write("both.jsonl", format!("{without}{own}}}\n"));
    let page = folder.run("replay both.jsonl --report page");
    assert_eq!(page.code, Some(1));
    assert!(page.errors.contains("occurs twice with different"), "{}", page.errors);
}

#[test]
#[ignore = "slow: .ci/run"]
fn a_match_killed_thirty_times_loses_and_duplicates_no_game() {
    const KILLS: u64 = 30;
    const GAMES: usize = 200;
    let folder = Folder::new();
    let file = folder.path("x.jsonl");
    let line = "match -o x.jsonl --resume --pairs 100 -c 2 --quiet \
        -e 'kalah name=a nodes=1000 option.Hash=1 option.TableSeeds=0' \
        -e 'kalah name=b nodes=500 option.Hash=1 option.TableSeeds=0'";
    let mut known: Vec<String> = Vec::new();
    let mut rounds_with_games = 0;
    for kill in 0..KILLS {
        let mut command = folder.command_line(line);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = Running::new(&mut command);
        // The kills hit different stages: starting, reading, playing and writing.
        let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
        let started = Instant::now();
        while kill % 2 == 1 && lines() <= known.len() {
            if running.child().try_wait().unwrap().is_some() {
                break;
            }
            assert!(started.elapsed() < crate::PATIENCE, "no new game");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros((kill * 7919) % 20_000));
        running.kill();
        let text = fs::read_to_string(&file).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines: Vec<_> = whole.lines().map(str::to_owned).collect();
        assert!(lines.starts_with(&known), "a finished game was lost or changed by kill {kill}");
        rounds_with_games += u32::from(lines.len() > known.len());
        known = lines;
    }
    assert!(rounds_with_games >= 12, "the kills must hit games, not only the start");
    let finished = known.len() - 1;
    folder.shown(line);
    let games = games(&folder, "x.jsonl");
    let ids: HashSet<_> = games.iter().map(|game| game.id.clone()).collect();
    assert_eq!((games.len(), ids.len()), (GAMES, GAMES), "after {finished} before the last run");
}

#[test]
fn a_resumed_match_can_be_longer_but_not_different() {
    let folder = Folder::new();
    deterministic(&folder, "-o x.jsonl");
    let longer = DETERMINISTIC.replace("--pairs 12", "--pairs 14") + " -o x.jsonl";
    let refused = folder.run(&longer);
    assert_eq!(refused.code, Some(1));
    assert!(refused.errors.contains("continue it with --resume"));

    let resumed = folder.run(&format!("{longer} --resume")).shown;
    assert!(resumed.starts_with("Games: 28 of 28 finished"));
    assert_eq!(folder.run("match merge x.jsonl").shown, resumed);

    let other = deterministic(&folder, "-o x.jsonl --resume --margin 3");
    assert_eq!(other.code, Some(2));
    assert!(other.errors.contains("the arguments differ"));
}

#[test]
fn a_resume_that_cannot_start_its_players_leaves_the_file_unchanged() {
    let folder = Folder::new();
    let engine = folder.path("engine");
    std::fs::copy(scripted(), &engine).unwrap();
    let player = "cmd=./engine name=a arg=play depth=1";
    folder.shown(&format!("match -o x.jsonl -e '{player}' -e random -p 1"));
    std::fs::remove_file(&engine).unwrap();
    let before = folder.read("x.jsonl");
    let longer = folder.run("match -o x.jsonl --resume -p 2");
    assert!(longer.code == Some(1) && longer.errors.contains("engine"), "{}", longer.errors);
    assert_eq!(folder.read("x.jsonl"), before);
    // All games of the match are finished, so no player is needed.
    let same = folder.shown("match -o x.jsonl --resume -p 1 -c 300");
    assert!(same.starts_with("Games: 2 of 2 finished"), "{same}");
    assert_eq!(folder.read("x.jsonl"), before);
}

#[test]
fn a_match_resumed_without_players_applies_each_option_or_refuses_it() {
    let folder = Folder::new();
    let resume = |more: &str| folder.run(&format!("match -o x.jsonl --resume {more}"));
    let players = "-e 'random name=a' -e 'random name=b'";
    assert_eq!(resume("").code, Some(2));
    folder.shown(&format!("match -o x.jsonl {players} -p 1"));

    let longer = resume("--pairs 3").shown;
    assert!(longer.starts_with("Games: 6 of 6 finished, 6 counted."), "{longer}");
    // The new pairs have the openings that they would have had in a match of this length from
    // the start.
    let same = resume(&format!("{players} -p 3"));
    assert_eq!((same.shown, same.code), (longer, Some(0)));
    let tested = resume("--sprt 'elo0=0 elo1=5'").shown;
    assert!(tested.contains("SPRT of 0 against 5 normalised Elo is open"), "{tested}");
    // Players alone change neither the number of pairs nor the test.
    let before = folder.read("x.jsonl");
    let again = resume(players);
    assert_eq!((again.shown, again.code), (tested, Some(0)));
    assert_eq!(folder.read("x.jsonl"), before);

    for (option, message) in [
        ("--pairs 2", "--pairs: x.jsonl has games from more than 2 pairs"),
        ("--seed 1", "--seed: expected --engine as in the first run"),
        ("--each nodes=9", "--each: expected --engine as in the first run"),
        ("--move-limit 9", "--move-limit: expected --engine as in the first run"),
        ("--capture standard", "--capture: expected --engine as in the first run"),
        ("--openings x", "--openings: expected --engine as in the first run"),
    ] {
        let Ran { code, errors, .. } = resume(option);
        assert!(code == Some(2) && errors.contains(message), "{errors}");
    }

    // The file of openings may be missing when a match is resumed.
    folder.write("list.txt", "C\nD\nE\n");
    let merged = folder.run("match merge x.jsonl --out x.jsonl");
    let message = "error: --out: x.jsonl already exists: choose another file\n";
    assert_eq!(merged.errors, message);
    folder.shown(&format!("match -o y.jsonl --openings list.txt {players} -p 2"));
    let error = folder.run("match -o y.jsonl --resume -p 3").errors;
    assert!(error.contains("--pairs: the file holds only the openings of its 2 pairs"), "{error}");
}

#[test]
fn files_that_cannot_be_written_are_errors_before_the_first_game() {
    let folder = Folder::new();
    folder.write("there.jsonl", "notes");
    // Wine shows these devices to a Windows program as files, and the first one has no end.
    let devices = if cfg!(windows) { &[][..] } else { &["/dev/full", "/dev/null"] };
    for file in ["no-such-directory/x.jsonl", "there.jsonl", "."].iter().chain(devices) {
        for more in ["", "--resume"] {
            let Ran { code, shown, errors } = deterministic(&folder, &format!("-o {file} {more}"));
            assert_eq!(code, Some(1), "{file} {shown}");
            assert!(shown.is_empty());
            assert!(!errors.is_empty());
        }
    }
    assert_eq!(folder.read("there.jsonl"), "notes");
}

/// The number of games that a match rescues from a file that is damaged after ten lines.
fn rescued(pairs: u32, damage: fn(&Path)) -> usize {
    let folder = Folder::new();
    let players = "-e 'random name=a' -e 'random name=b'";
    let mut command = folder.command_line(&format!("match -o x.jsonl {players} --pairs {pairs}"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut running = Running::new(&mut command);
    let file = folder.path("x.jsonl");
    running.wait_for_lines(&file, 10);
    damage(&file);
    let Ran { code, errors, .. } = running.finish();
    assert_eq!(code, Some(1));
    assert!(errors.contains("x.jsonl was removed, moved or changed"), "{errors}");
    let (_, rescued) = errors.trim_end().rsplit_once(" are in ").expect("a file is named");
    // The rescued file is a valid match file.
    fs::rename(folder.path(rescued), &file).unwrap();
    let merged = folder.run("match merge x.jsonl");
    assert!(merged.shown.starts_with("Games: "), "{}", merged.errors);
    games(&folder, "x.jsonl").len()
}

#[test]
fn games_of_a_removed_moved_or_changed_file_are_rescued() {
    // Windows does not allow an open file to be removed or moved.
    if cfg!(not(windows)) {
        assert!(rescued(3000, |file| fs::remove_file(file).unwrap()) >= 9);
        assert!(rescued(3000, |file| fs::rename(file, file.with_extension("y")).unwrap()) >= 9);
    }
    assert!(rescued(3000, |file| fs::write(file, "").unwrap()) >= 1);
    // The remaining lines are kept: here all but the last one.
    let shortened = rescued(3000, |file| {
        let file = fs::OpenOptions::new().write(true).open(file).unwrap();
        file.set_len(file.metadata().unwrap().len() - 9).unwrap();
    });
    assert!(shortened >= 9);
    // A changed byte is detected at the end of the match.
    let changed = rescued(300, |path| {
        let bytes = fs::read(path).unwrap();
        let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
        file.seek(SeekFrom::Start(bytes.len() as u64 - 9)).unwrap();
        file.write_all(&[bytes[bytes.len() - 9] ^ 1]).unwrap();
    });
    assert!((9..600).contains(&changed), "{changed}");
}

#[test]
fn files_without_checksums_are_read_and_resumed() {
    let folder = Folder::new();
    let whole = deterministic(&folder, "-o x.jsonl").shown;
    let with = folder.read("x.jsonl");
    let without: String = with
        .lines()
        .map(|line| line.rsplit_once(",\"check\":\"").unwrap().0.to_owned() + "}\n")
        .collect();
    folder.write("x.jsonl", &without[..without.len() - 30]);
    assert_eq!(folder.run("match -o x.jsonl --resume").shown, whole);
    assert_eq!(folder.run("match merge x.jsonl").shown, whole);
    folder.write("x.jsonl", with + without.lines().last().unwrap() + "\n");
    let mixed = folder.run("match merge x.jsonl").errors;
    assert!(mixed.ends_with("expected a checksum at its end\n"), "{mixed}");
}

#[test]
fn a_match_file_without_a_complete_line_is_reused() {
    let folder = Folder::new();
    let play = "match -o x.jsonl -e random -e greedy -p 1";
    folder.shown(play);
    let whole = folder.read("x.jsonl");
    let header = whole.lines().next().unwrap();
    let other = r#"{"match":{"players":[{"name":"of another match"#;
    for begun in ["", &header[..1], &header[..40], header, other] {
        for more in ["", "--resume"] {
            folder.write("x.jsonl", begun);
            assert_eq!(folder.run(&format!("{play} {more}")).code, Some(0), "{begun}");
            assert_eq!(games(&folder, "x.jsonl").len(), 2, "{begun}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_stops_the_match_and_keeps_the_finished_games() {
    let folder = Folder::new();
    // The shell limits the size of files. With its signal ignored, writing fails as on a full
    // disk.
    let script = format!("trap '' XFSZ; ulimit -f 32; exec \"$0\" {DETERMINISTIC} -o x.jsonl");
    let Ran { code, shown, errors } = folder.shell(&script).output().unwrap().into();
    assert_eq!(code, Some(1), "{shown}");
    assert!(errors.contains("cannot write x.jsonl"), "{errors}");
    let kept = games(&folder, "x.jsonl").len();
    assert!((1..24).contains(&kept), "{kept} games");

    assert_eq!(deterministic(&folder, "-o x.jsonl --resume").code, Some(0));
    assert_eq!(games(&folder, "x.jsonl").len(), 24);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_with_the_results_so_far() {
    let folder = Folder::new();
    let words = scripted_words("good");
    let players = format!("-e '{words}' -e 'kalah nodes=300 option.TableSeeds=0'");
    let play = format!("match -o x.jsonl {players} --pairs 2000 --random-plies 2");
    let mut command = folder.command_line(&play);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::new(&mut command);
    running.wait_for_lines(&folder.path("x.jsonl"), 4);
    let process = rustix::process::Pid::from_child(running.child());
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let Ran { code, shown, errors } = running.finish();
    assert_eq!(code, Some(130));
    let finished = games(&folder, "x.jsonl").len();
    assert!(shown.starts_with(&format!("Games: {finished} of 4000 finished")), "{shown}");
    assert!(errors.contains("--resume continues"));
}
