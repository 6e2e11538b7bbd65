//! The protocol from the outside: the process, its streams and how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

/// A running `kalah`.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts it without endgame tables, which take seconds to build.
    fn start() -> Self {
        let mut child = crate::kalah()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut engine = Self { child, input, output };
        engine.send(b"setoption name TableSeeds value 0\n");
        engine
    }

    fn send(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "the process has ended");
        line.trim_end().to_owned()
    }

    /// Reads up to the first line that begins with `start`.
    fn wait_for(&mut self, start: &str) -> String {
        loop {
            let line = self.line();
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Reads up to `last`; returns the lines before it.
    fn lines_before(&mut self, last: &str) -> String {
        let lines = std::iter::from_fn(|| Some(self.line()).filter(|line| line != last));
        lines.map(|line| line + "\n").collect()
    }

    fn is_ready(&mut self) {
        self.send(b"isready\n");
        self.wait_for("readyok");
    }

    /// Closes the input and waits for exit code 0; returns the rest of stdout, and stderr.
    fn end(mut self) -> (String, String) {
        drop(self.input.take());
        let mut said = String::new();
        self.output.read_to_string(&mut said).unwrap();
        let mut logged = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut logged).unwrap();
        assert!(self.child.wait().unwrap().success());
        (said, logged)
    }
}

fn count(said: &str, start: &str) -> usize {
    said.lines().filter(|line| line.starts_with(start)).count()
}

#[test]
fn quit_or_the_end_of_the_input_in_a_search_ends_it_with_its_best_move() {
    for end in ["quit\n", ""] {
        let mut engine = Engine::start();
        engine.send(b"go infinite\n");
        engine.wait_for("info depth 1");
        engine.send(end.as_bytes());
        let (said, logged) = engine.end();
        assert_eq!((count(&said, "bestmove "), logged.as_str()), (1, ""));
    }
}

#[test]
fn at_the_end_of_the_input_counts_finish_and_waiting_commands_are_served() {
    let mut engine = Engine::start();
    engine.send(b"go perft 9\nquery gameover\ngo infinite\nisready");
    let (said, _) = engine.end();
    // The leaves of (6,4) at depth 9, as in tests/data/perft.tsv.
    assert!(said.contains("leaves: 2763490\n"), "{said}");
    assert!(said.contains("response false\n"), "{said}");
    assert_eq!(count(&said, "bestmove "), 1);
    assert_eq!(count(&said, "readyok"), 1);
}

#[test]
fn quit_ends_an_endless_count() {
    let mut engine = Engine::start();
    engine.send(b"go perft 100\nisready\nquit\n");
    let (said, _) = engine.end();
    assert_eq!(said, "readyok\ninfo string perft stopped\n");
}

#[test]
fn a_closed_stdout_ends_the_process_quietly() {
    let mut engine = Engine::start();
    engine.send(b"go infinite\n");
    engine.wait_for("info depth 1");
    let Engine { mut child, input, output } = engine;
    drop(output);
    // The next write fails, so the process notices this without any input.
    let mut logged = String::new();
    let mut input = input.unwrap();
    // The process may have ended already.
    let _ = input.write_all(b"isready\n");
    child.stderr.take().unwrap().read_to_string(&mut logged).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(logged, "");
}

#[test]
fn isready_is_answered_in_a_search_and_stop_ends_it_on_any_number_of_threads() {
    for threads in [1, 2, 16, 512] {
        let mut engine = Engine::start();
        let option = format!("setoption name Threads value {threads}\ngo infinite\n");
        engine.send(option.as_bytes());
        engine.wait_for("info depth 1");
        engine.is_ready();
        engine.send(b"stop\n");
        let best = engine.wait_for("bestmove ");
        engine.is_ready();
        let (said, logged) = engine.end();
        assert_eq!((said.as_str(), logged.as_str()), ("", ""), "{best}");
    }
}

#[test]
fn an_infinite_or_pondering_search_waits_even_if_another_limit_is_reached() {
    let decided = "position fen <6,20,20,0,0,0,0,1,1,0,0,0,0,1,0> S";
    let waiting = [
        ("go infinite nodes 100", "stop"),
        ("go infinite depth 2", "stop"),
        ("go infinite movetime 1", "stop"),
        ("go infinite", "stop"),
        ("go ponder depth 2", "ponderhit"),
        ("go ponder wtime 20 btime 20", "ponderhit"),
        ("go ponder nodes 100", "stop"),
    ];
    for skill in [10, 0] {
        let mut engine = Engine::start();
        engine.send(format!("setoption name Skill value {skill}\n{decided}\n").as_bytes());
        for (go, end) in waiting {
            engine.send(format!("{go}\n").as_bytes());
            // Long enough for a search that wrongly does not wait to give its answer.
            std::thread::sleep(Duration::from_millis(30));
            engine.send(b"isready\n");
            let early = engine.lines_before("readyok");
            assert_eq!(count(&early, "bestmove "), 0, "{go} at skill {skill}: {early}");
            engine.send(format!("{end}\n").as_bytes());
            engine.wait_for("bestmove ");
        }
        engine.end();
    }
}

#[test]
fn a_line_of_ten_megabytes_is_refused_and_the_next_one_is_served() {
    let mut engine = Engine::start();
    let mut line = b"position startpos moves".to_vec();
    while line.len() < 10_000_000 {
        line.extend(b" A");
    }
    line.push(b'\n');
    engine.send(&line);
    let error = "info string error: line too long (limit 1048576 bytes)";
    assert_eq!(engine.line(), error);
    engine.is_ready();
    engine.end();
}

#[test]
fn bytes_that_are_not_text_are_refused_and_the_next_line_is_served() {
    let mut engine = Engine::start();
    engine.send(b"position \xff\xfe startpos\n\0\0\0\n\x1b[2J\nuci\r\n\r\n\n");
    let error = "info string error: expected ";
    assert_eq!(engine.line(), format!("{error}UTF-8, got an invalid byte at position 10"));
    let help = "(help lists the commands)";
    assert_eq!(engine.line(), format!("{error}a command, got '\\u0000\\u0000\\u0000' {help}"));
    assert_eq!(engine.line(), format!("{error}a command, got '\\u001b[2J' {help}"));
    engine.wait_for("uciok");
    engine.is_ready();
    engine.end();
}

#[test]
fn a_manager_that_does_not_wait_gets_one_best_move_for_each_go() {
    let mut engine = Engine::start();
    for _ in 0..50 {
        // Each stop can only be meant for the search before it, because every search waits for
        // one.
        engine.send(b"position startpos\ngo infinite\nstop\nisready\n");
        engine.send(b"position startpos moves C\ngo infinite\nstop\n");
    }
    engine.send(b"go depth 1\n");
    for _ in 0..101 {
        engine.wait_for("bestmove ");
    }
    engine.is_ready();
    assert_eq!(engine.end().0, "");
}

/// Peak memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(engine: &Engine) -> u64 {
    let status = format!("/proc/{}/status", engine.child.id());
    let status = std::fs::read_to_string(status).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A `stop` behind a full backlog cannot be read, so the session itself must stop the search.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: .ci/run"]
fn a_flood_of_commands_slows_their_sender_and_takes_little_memory() {
    let mut engine = Engine::start();
    // Allocate the tables first: their memory should not count.
    engine.send(b"setoption name Hash value 1\n");
    engine.is_ready();
    engine.send(b"go infinite\n");
    engine.wait_for("info depth 1");
    let before = peak_memory(&engine);
    let mut line = b"position startpos moves".to_vec();
    line.extend(b" a".repeat(500_000));
    line.push(b'\n');
    for _ in 0..60 {
        engine.send(&line);
    }
    engine.send(b"isready\n");
    let said = engine.lines_before("readyok");
    assert_eq!(count(&said, "bestmove "), 1);
    assert_eq!(count(&said, "info string error: position: "), 60);
    let more = peak_memory(&engine) - before;
    assert!(more < 100 << 10, "{more} KiB more");
    engine.end();
}

#[test]
fn no_waiting_command_is_lost() {
    let mut engine = Engine::start();
    engine.send(b"go infinite\n");
    engine.send(&b"query p1turn\n".repeat(11_000));
    engine.send(b"stop\nisready\n");
    engine.wait_for("bestmove ");
    let mut answers = 0;
    while answers < 11_000 {
        answers += usize::from(engine.line() == "response true");
    }
    engine.end();
}

#[test]
fn both_sides_of_a_session_are_logged_in_debug_mode() {
    let mut child = crate::kalah()
        .env("RUST_LOG", "debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"query p1turn\n").unwrap();
    let logged = child.wait_with_output().unwrap().stderr;
    let logged = String::from_utf8_lossy(&logged);
    assert!(logged.contains("> query p1turn") && logged.contains("< response true"), "{logged}");
}

#[test]
fn a_bound_does_not_replace_a_line_with_one_move() {
    let mut engine = Engine::start();
    engine.send(b"position startpos moves F\ngo depth 16\n");
    // The search finishes although the input has ended.
    let (said, _) = engine.end();
    let is_bound = |line: &&str| line.contains(" lowerbound ") || line.contains(" upperbound ");
    let lengths: Vec<usize> = said
        .lines()
        .filter(is_bound)
        .map(|line| line.split(" pv ").nth(1).map_or(0, |pv| pv.split(' ').count()))
        .collect();
    assert!(!lengths.is_empty() && lengths.iter().all(|&length| length > 1), "{lengths:?}: {said}");
}
