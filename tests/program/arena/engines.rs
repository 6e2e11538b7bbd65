//! Engines that crash, hang, cheat or flood their output lose; sound ones continue playing.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use kalah_record::Reason;

use super::{Running, assert_loses, games, play_against_random, scripted_words};
use crate::folder::{Folder, Ran};
use crate::wait_for;

/// Each kind of failure is a law of `kalah-arena`, which starts shell scripts; here, on every system,
/// one program of each kind plays a whole match.
#[test]
#[ignore = "slow: .ci/run"]
fn a_program_that_fails_loses_every_game_for_its_reason() {
    for (behaviour, words, reason) in [
        ("crash-at-start", "", Reason::NoStart),
        ("hang-at-isready", "", Reason::NoStart),
        ("flood-at-start", "", Reason::NoStart),
        ("blank-lines-at-start", "", Reason::NoStart),
        ("crash", "", Reason::Crash),
        ("hang", "tc=1+0.01", Reason::Hang),
        ("illegal", "", Reason::IllegalMove),
        ("garbage", "", Reason::Garbage),
        ("slow", "movetime=100", Reason::Time),
        ("slow", "tc=0.2", Reason::Time),
        ("close", "", Reason::Disconnect),
        ("flood", "nodes=1", Reason::Garbage),
        ("endless-line", "nodes=1", Reason::Garbage),
    ] {
        assert_loses(behaviour, words, reason);
    }
}

/// Plays a match of two players with a time limit, and stops and continues it with `stop`.
/// Checks that no game is lost and one is replayed.
#[cfg(unix)]
fn assert_survives(players: [&str; 2], stop: impl FnOnce(&mut Running, &Path)) {
    let folder = Folder::new();
    let [one, other] = players;
    // A busy machine must not cause a loss on time.
    let play = format!("match -o x.jsonl -p 3 --margin 1s -e '{one}' -e '{other}'");
    let mut command = folder.command_line(&play);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::new(&mut command);
    stop(&mut running, &folder.path("x.jsonl"));
    let ran = running.finish();
    assert_eq!(ran.code, Some(0), "{}", ran.errors);
    let games = games(&folder, "x.jsonl");
    assert_eq!(games.len(), 6);
    let endings: Vec<_> = games.iter().filter_map(|game| game.ending()).collect();
    assert!(endings.iter().all(|ending| !ending.reason.is_failure()), "{endings:?}");
    let warnings: Vec<_> = games.iter().flat_map(|game| &game.warnings).collect();
    let replayed = warnings.iter().any(|text| text.starts_with("the machine was suspended"));
    assert!(replayed, "{warnings:?}");
}

#[cfg(unix)]
#[test]
fn a_suspended_match_loses_no_game() {
    use rustix::process::{Pid, Signal, kill_process};
    let players = ["a", "b"].map(|name| format!("kalah name={name} movetime=30"));
    assert_survives(players.each_ref().map(String::as_str), |running, file| {
        running.wait_for_lines(file, 2);
        let id = Pid::from_child(running.child());
        kill_process(id, Signal::STOP).unwrap();
        // Longer than the time of a move, its margin, and the second after which it counts as
        // hung.
        std::thread::sleep(Duration::from_secs(4));
        kill_process(id, Signal::CONT).unwrap();
    });
}

/// Address space for a few games at a time, in KiB.
#[cfg(unix)]
const LITTLE: u32 = 3_000_000;

/// Runs a match with this many KiB of address space.
#[cfg(unix)]
fn run_in(kibibytes: u32, folder: &Folder, line: &str) -> Ran {
    let script = format!("ulimit -v {kibibytes}; exec \"$0\" match -o x.jsonl {line}");
    folder.shell(&script).output().unwrap().into()
}

#[cfg(unix)]
#[test]
fn a_flood_before_the_first_game_takes_little_memory() {
    let words = scripted_words("flood-at-start");
    let ran = run_in(LITTLE, &Folder::new(), &format!("-e '{words}' -e random --pairs 2"));
    let errors = ran.errors;
    assert!(errors.contains("bad was never ready: garbage: output flood: "), "{errors}");
    assert!(ran.shown.contains("bad lost games by failure: 4 no-start"));
}

#[cfg(unix)]
#[test]
fn more_games_at_a_time_than_fit_in_memory_are_refused_before_the_first() {
    let folder = Folder::new();
    let ran = run_in(LITTLE, &folder, "-e 'kalah nodes=9' -e random -c 1000 --pairs 1000");
    assert_eq!(ran.code, Some(2));
    assert!(ran.errors.contains("memory"), "{}", ran.errors);
    assert!(!folder.path("x.jsonl").exists());
}

/// Whether there is a process with this number, and it is more than an entry in the table.
fn is_running(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

/// Waits until the child of a scripted engine has ended: its lock on the file `alive` is free.
fn wait_for_end_of_child(folder: &Folder) {
    let file = fs::File::open(folder.path("alive")).expect("it has been started");
    wait_for("end of the child", || file.try_lock().ok());
}

#[test]
fn no_child_of_a_program_outlives_its_match() {
    for behaviour in ["parent", "parent-crash"] {
        let folder = Folder::new();
        let words = scripted_words(behaviour);
        folder.run(&format!("match -o x.jsonl -p 1 -e '{words}' -e random"));
        wait_for_end_of_child(&folder);
    }
}

/// Starts a long match of a scripted engine against a random player.
fn started_match(folder: &Folder, behaviour: &str) -> Running {
    let words = scripted_words(behaviour);
    let play = format!("match -o x.jsonl -e '{words}' -e random --pairs 10000");
    let mut command = folder.command_line(&play);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Running::new(&mut command)
}

#[test]
fn no_child_of_a_program_outlives_a_match_that_is_killed() {
    let folder = Folder::new();
    let mut runner = started_match(&folder, "parent");
    runner.wait_for_lines(&folder.path("x.jsonl"), 3);
    runner.kill();
    wait_for_end_of_child(&folder);
}

/// Without open files, neither player is at fault: the match ends, and can be continued.
#[cfg(target_os = "linux")]
#[test]
fn a_lack_of_open_files_ends_the_match_and_loses_no_game() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let folder = Folder::new();
    let words = scripted_words("good");
    let play = format!("match -o x.jsonl -e '{words}' -e 'random' --pairs 4 -c 4");
    let refused = Ran::from(
        folder.shell(&format!("ulimit -n 20; exec \"$0\" {play}")).output().expect("sh starts"),
    );
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.errors.contains("open files") && refused.errors.contains("'ulimit -n'"));
    assert!(!folder.path("x.jsonl").exists());

    // Crashes in each game, so that it has to be started for the next one.
    let mut running = started_match(&folder, "crash");
    let file = folder.path("x.jsonl");
    running.wait_for_lines(&file, 3);
    let id = Some(Pid::from_child(running.child()));
    prlimit(id, Resource::Nofile, Rlimit { current: Some(0), maximum: Some(4096) }).unwrap();
    assert_eq!(running.child().wait().unwrap().code(), Some(1));
    for game in games(&folder, "x.jsonl") {
        assert_eq!(game.ending().map(|ending| ending.reason), Some(Reason::Crash));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_does_not_outlive_a_match_that_is_killed() {
    let folder = Folder::new();
    let mut runner = started_match(&folder, "deaf");
    let log = folder.path("x.jsonl.logs/bad-0.log");
    // The program writes its number with a line end.
    let id = || fs::read_to_string(&log).ok().filter(|log| log.ends_with('\n'));
    let id = wait_for("number of the program in its log", id);
    let id = id.trim();
    assert!(is_running(id));
    runner.kill();
    wait_for("end of the program", || if is_running(id) { None } else { Some(()) });
}

/// Its input and output are logged on request.
#[test]
fn a_program_prepares_for_the_start_of_a_game_before_its_clock_runs() {
    let folder = Folder::new();
    let words = scripted_words("good");
    let play = format!("match -o x.jsonl -e '{words}' -e random --pits 3 --seeds 2 --pairs 1");
    let output = folder.command_line(&play).env("RUST_LOG", "debug").output().unwrap();
    let log = Ran::from(output).errors;
    assert!(log.contains("bad-0.log < readyok"), "{log}");
    let sent = log.lines().filter_map(|line| line.split_once("bad-0.log > "));
    let sent: Vec<&str> = sent.map(|(_, command)| command).collect();
    let new_game = sent.iter().position(|command| *command == "ucinewgame").unwrap();
    let start = "position fen <3,0,0,2,2,2,2,2,2> S";
    assert_eq!(sent[new_game + 1..new_game + 3], [start, "isready"], "{log}");
}

#[test]
fn a_good_program_plays_all_games_in_both_dialects() {
    for protocol in ["uci", "ugi"] {
        let words = format!("{} proto={protocol}", scripted_words("good"));
        let (games, ran) = play_against_random(&words, "--pairs 5 -c 2");
        assert_eq!(ran.code, Some(0), "{}", ran.errors);
        assert_eq!(games.len(), 10);
        for game in games {
            assert_eq!(game.ending().unwrap().reason, Reason::Normal);
            assert!(game.warnings.is_empty(), "{:?}", game.warnings);
            let good = game.players.iter().find(|player| player.name == "bad").unwrap();
            assert_eq!(good.version.as_deref(), Some("Scripted 1.0"));
        }
    }
}

/// A surplus answer after `readyok` could be taken for the next one, so once a program has
/// answered late, the runner listens to it for a while before each `go`. This one aborts otherwise.
#[test]
fn late_answers_are_waited_for() {
    // Each `go` waits until the program is quiet, so a small board keeps their number low.
    let words = scripted_words("late-and-hurried");
    let (games, ran) = play_against_random(&words, "--pits 3 --seeds 3");
    assert_eq!(ran.code, Some(0), "{}", ran.errors);
    for game in games {
        assert_eq!(game.ending().unwrap().reason, Reason::Normal);
        assert!(game.warnings[0].contains(" late bestmove"), "{:?}", game.warnings);
    }
}

#[test]
fn a_program_that_is_never_ready_ends_the_match_with_the_detail_and_the_log() {
    let folder = Folder::new();
    let words = scripted_words("crash-at-start");
    let play = format!("match -o x.jsonl -e '{words}' -e random --pairs 10");
    let Ran { code, shown, errors } = folder.run(&play).with_unix_paths();
    assert_eq!(code, Some(1));
    let first = "bad lost game 1 by no-start: crash: ";
    let last = "error: bad was not ready for 5 games in a row: crash: ";
    for begin in [first, last] {
        let line = errors.lines().find(|line| line.starts_with(begin));
        let line = line.unwrap_or_else(|| panic!("{begin}: {errors}"));
        assert!(line.ends_with("; its stderr is in x.jsonl.logs/bad-0.log"), "{line}");
    }
    assert!(shown.contains("bad lost games by failure: 5 no-start (crash: "), "{shown}");
    assert_eq!(games(&folder, "x.jsonl").len(), 5);
    assert!(folder.read("x.jsonl.logs/bad-0.log").contains("no good will come of this"));
}

#[test]
fn a_command_that_contains_arguments_is_refused_with_their_proper_place() {
    let words = format!("cmd='{} hang'", super::scripted().display());
    let play = ["match", "-o", "x.jsonl", "-e", &words, "-e", "random"];
    let errors = Folder::new().run_words(&play).errors;
    let file = format!("scripted_engine{} arg=…\n", std::env::consts::EXE_SUFFIX);
    assert!(errors.ends_with(&file), "{errors}");
}

#[test]
fn a_program_may_be_in_a_folder_with_spaces_in_its_name() {
    let folder = Folder::new();
    fs::create_dir(folder.path("a folder")).unwrap();
    let program = folder.path("a folder").join(super::scripted().file_name().unwrap());
    fs::copy(super::scripted(), &program).unwrap();
    for quote in ['\'', '"'] {
        let words = format!("cmd={quote}{}{quote} name=a", program.display());
        let (games, ran) = play_against_random(&words, "");
        assert_eq!(ran.code, Some(0), "{}", ran.errors);
        assert_eq!(games.len(), 2);
    }
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_before_the_first_game() {
    let folder = Folder::new();
    let ran = folder.run("match -o x.jsonl -e cmd=./nothing-here -e random").with_unix_paths();
    assert_eq!(ran.code, Some(1));
    assert!(ran.errors.contains("cannot start ./nothing-here"));
    assert!(!folder.path("x.jsonl").exists(), "no file is in the way of a retry");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_log_is_refused() {
    let folder = Folder::new();
    let logs = folder.path("x.jsonl.logs");
    fs::create_dir(&logs).unwrap();
    let pipe = logs.join("bad-0.log");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let words = scripted_words("good");
    let Ran { code, errors, .. } = folder.run(&format!("match -o x.jsonl -e '{words}' -e random"));
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("expected a regular file"), "{errors}");
}
