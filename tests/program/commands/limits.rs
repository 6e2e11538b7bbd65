//! What the commands do when they are interrupted, and when memory or threads are scarce.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::folder::{Folder, Ran};
#[cfg(unix)]
use crate::play::pty::Session;
use crate::wait_for;

/// Whether a process has handlers for both signals that ask it to end.
#[cfg(target_os = "linux")]
fn catches_signals(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
    [2, 15].iter().all(|signal| caught >> (signal - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn every_long_command_ends_with_130_on_either_signal() {
    let folder = Folder::new();
    folder.shown("proof plan six-six --seeds 6");
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite_34_46.tsv");
    for line in [
        "",
        "perft 40",
        "solve --seeds 6 --threads 1 --hash 16 --table-seeds 8",
        "openings make --seeds 6 --threads 1 --hash 16 --table-seeds 8",
        "proof work six-six --threads 1 --hash 16 --table-seeds 8",
        "tables build --seeds 22 --threads 1 --tables tables",
        "match -o x.jsonl -e kalah -e greedy",
        "compare noe --full --threads 1",
        &format!("bench --suite {suite} --movetime 100000"),
        &format!("kgp --host 127.0.0.1 --port {}", silent.local_addr().unwrap().port()),
    ] {
        for signal in ["-INT", "-TERM"] {
            let mut command = folder.command();
            command.args(line.split_whitespace());
            let [input, out, errors] = [Stdio::piped(), Stdio::null(), Stdio::null()];
            let mut child = command.stdin(input).stdout(out).stderr(errors).spawn().unwrap();
            wait_for("handler of signals", || {
                if catches_signals(child.id()) { Some(()) } else { None }
            });
            let id = child.id().to_string();
            // `wait` closes the input, and an engine whose input ends exits with 0.
            let input = child.stdin.take();
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130), "kalah {line}, {signal}");
            drop(input);
            let _ = fs::remove_file(folder.path("x.jsonl"));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_solve_that_cannot_start_a_thread_reports_it() {
    let folder = Folder::new();
    let solve = |kibibytes: u32| {
        let line = "solve --pits 3 --seeds 3 --threads 1";
        let script = format!("ulimit -v {kibibytes}; exec \"$0\" {line}");
        Ran::from(folder.shell(&script).output().unwrap())
    };
    let Ran { code, errors, .. } = solve(450_000);
    assert_eq!(code, Some(1));
    assert!(errors.contains("cannot start a thread with a stack of 512 MiB: "), "{errors}");
    // Each question is solved on a new thread with this stack, one after the other.
    let output = solve(1_000_000);
    assert_eq!(output.code, Some(0), "{}", output.errors);
}

#[cfg(target_os = "linux")]
#[test]
fn a_lack_of_open_files_is_reported_at_the_start() {
    let folder = Folder::new();
    for (limit, line) in [
        (12, "serve --port 0"),
        (5, "play --plain"),
        (5, "match -q -e greedy -e random --pairs 1 -o x.jsonl"),
        (5, "kgp --host localhost --retries 0"),
    ] {
        let script = format!("ulimit -n {limit}; exec \"$0\" {line}");
        let Ran { code, errors, .. } = folder.shell(&script).output().unwrap().into();
        assert_eq!(code, Some(1), "{line}: {errors}");
        assert!(errors.starts_with("error: too few open files: "), "{line}: {errors}");
        assert!(errors.contains("'ulimit -n'"), "{line}: {errors}");
    }
    // The protocol needs no file.
    let script = "ulimit -n 5; echo 'go depth 1' | \"$0\"";
    let Ran { code, shown, .. } = folder.shell(script).output().unwrap().into();
    assert_eq!(code, Some(0));
    assert!(shown.contains("bestmove"), "{shown}");
}

#[cfg(unix)]
#[test]
fn every_command_shows_a_percentage_which_ctrl_c_clears() {
    let folder = Folder::new();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite_34_46.tsv");
    for line in [
        "solve --moves --threads 1 --table-seeds 22 --hash 16",
        "tables build --seeds 22 --threads 1 --tables tables",
        "match -o x.jsonl -e kalah -e greedy",
        "compare noe --full --threads 1",
        &format!("bench --suite {suite}"),
    ] {
        let mut command = folder.command();
        command.args(line.split(' ')).env("TERM", "xterm");
        let mut session = Session::start(command, 24, 100);
        session.wait_for(" % [");
        session.send("\u{3}");
        assert_eq!(session.wait().code(), Some(130), "{line}");
        let screen = session.screen();
        let shown = screen.contents();
        assert!(!shown.contains(" % [") && shown.contains("error: interrupted"), "{line}: {shown}");
        assert_eq!(screen.cursor_position().1, 0, "{line}: the prompt begins a line");
    }
}

/// Tested with stacks that are too large, which fail just as too low a limit on processes does.
#[cfg(unix)]
#[test]
fn a_command_that_cannot_start_a_thread_suggests_a_remedy() {
    let folder = Folder::new();
    for line in ["", "play --plain --no-save", "kgp --host localhost"] {
        let mut command = folder.command();
        command.args(line.split_whitespace()).env("XDG_STATE_HOME", "/dev/null");
        command.stdin(Stdio::null()).env("RUST_MIN_STACK", (1_u64 << 60).to_string());
        let Ran { code, errors, .. } = command.output().unwrap().into();
        assert_eq!(code, Some(1), "{line}: {errors}");
        assert!(errors.contains("\nerror: cannot start a thread ("), "{line}: {errors}");
        assert!(errors.contains("'ulimit -u'"), "{line}: {errors}");
    }
}

/// A stack of this many bytes exceeds every address space, so no thread can be started.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_process_that_cannot_start_a_thread() {
    use std::os::unix::process::ExitStatusExt;

    const SIGTERM: i32 = 15;
    let mut command = crate::kalah();
    command.args(["perft", "40"]).env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("kalah starts");
    // Its signal handling is set up before it prints its first line.
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    // Not SIGINT, which background jobs of a shell and their children ignore.
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let ended = wait_for("end of the program", || child.try_wait().unwrap());
    assert_eq!(ended.signal(), Some(SIGTERM));
}

/// Limits from too little for the program to start to more than enough.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: .ci/run"]
fn no_command_aborts_for_lack_of_address_space_without_reporting_it() {
    let folder = Folder::new();
    let suite = include_str!("../../data/suite_34_46.tsv");
    let positions: Vec<&str> = suite.lines().take(10).collect();
    folder.write("suite.tsv", positions.join("\n"));
    let bench_suite = format!("bench --suite {} --nodes 1", folder.path("suite.tsv").display());
    let protocol = "isready\nposition startpos\ngo depth 4\n\
        position fen <4,0,0,1,2,3,4,1,2,3,4> S\ngo depth 4\n";
    for kibibytes in (60_000..=420_000).step_by(90_000) {
        for (line, input) in [
            ("", protocol),
            (bench_suite.as_str(), ""),
            ("play --plain --depth 3", "CF\neval\nquit\n"),
            ("solve --pits 3 --seeds 2", ""),
            ("match -o x.jsonl -e kalah -e random --each nodes=9 --pairs 1", ""),
        ] {
            let mut command = folder.shell(&format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\""));
            command.args(line.split_whitespace()).env("XDG_CACHE_HOME", "/dev/null");
            command.env("XDG_STATE_HOME", folder.root()).env_remove("MALLOC_ARENA_MAX");
            let ran = Ran::with_input(command, input);
            assert!(ran.code.is_some_and(|code| code < 100), "{kibibytes} {line}: {ran:?}");
            assert!(!ran.shown.contains("the search failed"), "{kibibytes} {line}: {ran:?}");
            let is_reported = ran.code == Some(0) || ran.errors.contains("'ulimit -v'");
            assert!(is_reported, "{kibibytes} {line}: {ran:?}");
            let _ = fs::remove_file(folder.path("x.jsonl"));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_bench_refuses_to_start_with_too_little_address_space() {
    let folder = Folder::new();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite_34_46.tsv");
    for line in ["bench", &format!("bench --suite {suite} --nodes 1")] {
        let mut command = folder.shell("ulimit -v 130000; exec \"$0\" \"$@\"");
        command.args(line.split(' ')).env("XDG_CACHE_HOME", "/dev/null");
        let Ran { code, errors, .. } = command.output().unwrap().into();
        assert_eq!(code, Some(1), "{line}: {errors}");
        assert!(errors.contains(" MiB of memory are needed, but "), "{errors}");
        assert!(errors.ends_with("MiB: raise 'ulimit -v'\n"), "{errors}");
    }
}

/// A file that is longer than any that is read, without taking its space.
#[cfg(unix)]
#[test]
fn a_device_or_a_huge_file_is_refused_by_every_reader_and_a_pipe_is_read() {
    const REFUSAL: &str = "file too large (limit ";
    let folder = Folder::new();
    fs::File::create(folder.path("huge")).unwrap().set_len(10 << 30).unwrap();
    for line in [
        "replay huge",
        "convert huge",
        "match -e random -e greedy -o m.jsonl --openings huge",
        "solve --file huge",
        "openings verify huge",
        "play --opening huge",
        "play --load huge",
        "puzzles --make huge",
        "bench --suite huge --nodes 1",
        "solve --file - < /dev/zero",
        "replay - < /dev/zero",
        "convert /dev/zero",
    ] {
        let ran = Ran::from(folder.shell(&format!("\"$0\" {line}")).output().unwrap());
        assert!(matches!(ran.code, Some(1 | 2)), "{line}: {ran:?}");
        assert!(ran.errors.contains(REFUSAL), "{line}: {ran:?}");
    }
    let piped = folder.shell("echo '1. C F a *' | \"$0\" convert --to kgn /dev/stdin").output();
    assert!(Ran::from(piped.unwrap()).shown.ends_with("1. CF 2. a *\n\n"));
}
