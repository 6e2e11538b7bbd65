//! The loop around a session: the rate of its answers, and how many commands it reads ahead.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use kalah_engine::Engine;
use kalah_protocol::host::{Host, run};
use kalah_protocol::session::Session;

/// The answers to commands, one batch each.
fn batches(gap: Option<Duration>, commands: &'static [&str]) -> Vec<Vec<String>> {
    let host = Host::new(Session::new(Engine::without_tables(1).expect("memory")));
    let host = match gap {
        Some(gap) => host.with_gap(gap),
        None => host,
    };
    let (done, ended) = mpsc::channel::<()>();
    // The input ends after the answer, because its end would stop the search.
    let commands = commands.iter().map(|&line| Ok(line.to_owned()));
    let end = std::iter::from_fn(move || ended.recv().ok().map(|()| Ok("quit".to_owned())));
    let mut batches = Vec::new();
    let answer = &mut |lines: Vec<String>| {
        if lines.iter().any(|line| line.starts_with("bestmove ")) {
            let _ = done.send(());
        }
        batches.push(lines);
        Ok(())
    };
    host.run(commands.chain(end), answer).expect("no error");
    batches
}

#[test]
fn a_gap_leaves_the_newest_infos_before_the_best_move() {
    let commands = &["setoption name MultiPV value 2", "go depth 6"];
    let infos = |batches: Vec<Vec<String>>| -> Vec<String> {
        let mut lines = batches.concat();
        let last = lines.pop().expect("an answer");
        assert!(last.starts_with("bestmove "), "{last}");
        lines.retain(|line| line.starts_with("info depth "));
        let last = lines.last().expect("an info");
        assert!(last.starts_with("info depth 6 "), "{last}");
        lines
    };
    // Each depth has two principal variations.
    assert!(infos(batches(None, commands)).len() >= 12);
    // The gap is far longer than the search: after the first events, at most one of each rank is
    // held, and comes with the result.
    let paced = infos(batches(Some(Duration::from_secs(3600)), commands));
    assert!(paced.len() <= 4, "{paced:?}");
}

/// The last report of a search, if it has ended before these commands are followed by `quit`.
fn report_behind(go: &'static str, commands: Vec<String>, patience: Duration) -> Option<String> {
    let host = Host::new(Session::new(Engine::without_tables(1).expect("memory")));
    let (done, ended) = mpsc::channel();
    let report = Arc::new(Mutex::new(None));
    let seen = report.clone();
    let quit = std::iter::once_with(move || {
        *seen.lock().unwrap() = ended.recv_timeout(patience).ok();
        "quit".to_owned()
    });
    // The book knows the start.
    let first = ["setoption name OwnBook value false", go].map(str::to_owned);
    let lines = first.into_iter().chain(commands).chain(quit).map(Ok);
    let mut last = String::new();
    let answer = &mut |lines: Vec<String>| {
        for line in lines {
            if line.starts_with("bestmove ") {
                let _ = done.send(std::mem::take(&mut last));
            } else if line.starts_with("info depth ") {
                last = line;
            }
        }
        Ok(())
    };
    host.run(lines, answer).expect("no error");
    report.lock().unwrap().take()
}

/// This many commands of a MiB.
fn long(count: usize) -> Vec<String> {
    vec![format!("position startpos moves {}", "A".repeat(1 << 20)); count]
}

/// How long a search may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// The `stop` of an endless search would never be read behind more commands than are read ahead.
#[test]
fn an_endless_search_is_stopped_by_more_waiting_commands_than_are_kept_and_by_no_fewer() {
    assert_eq!(report_behind("go infinite", long(7), Duration::from_millis(300)), None);
    for go in ["go infinite", "go ponder depth 1", "go"] {
        assert!(report_behind(go, long(9), PATIENCE).is_some(), "{go}");
    }
}

#[test]
fn a_search_with_a_limit_reaches_it_whatever_waits() {
    // The last report is that of the last whole iteration.
    for (go, number, reached) in [
        ("go nodes 200000", " nodes ", 100_000..=200_000),
        ("go depth 16", " depth ", 16..=16),
        ("go movetime 600", " time ", 50..=60_000),
        ("go wtime 2000 movestogo 1", " time ", 50..=60_000),
    ] {
        let report = report_behind(go, long(9), PATIENCE).expect("an end");
        let rest = report.split_once(number).expect("a number").1;
        let found: u64 = rest.split(' ').next().unwrap().parse().unwrap();
        assert!(reached.contains(&found), "{go}: {report}");
    }
}

#[test]
fn a_command_that_is_longer_than_all_that_are_kept_is_read() {
    let longest = vec![long(9).join(" ")];
    assert!(report_behind("go depth 1", longest, PATIENCE).is_some());
}

/// An output whose reader never reads from it.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_manager_is_served_until_it_quits_or_reads_no_more() {
    let engine = || Engine::without_tables(1).expect("memory");
    for input in ["query p1turn\nquit\nquery p1turn\n", "query p1turn"] {
        let mut output = Vec::new();
        run(input.as_bytes(), &mut output, engine()).expect("no error");
        assert_eq!(output, b"response true\n", "{input}");
    }
    let refused = run("query p1turn\n".as_bytes(), &mut Closed, engine()).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::BrokenPipe);
}
