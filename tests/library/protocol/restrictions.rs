//! Sessions with managers that may not ask for everything.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use kalah::engine::options::{Kind, OPTIONS};
use kalah::engine::restrictions::Restrictions;
use kalah::engine::{Engine, Event};
use kalah::protocol::host::Host;
use kalah::protocol::session::{Action, Input, Session};
use kalah::search::SearchResult;

fn restrictions(time: Duration) -> Restrictions {
    Restrictions { hash: 100, threads: 3, table_seeds: 18, time }
}

fn session(time: Duration) -> Session {
    Session::restricted(Engine::without_tables(1).unwrap(), restrictions(time))
}

fn line(line: &str) -> Input {
    Input::of_line(Ok(line.to_owned())).unwrap()
}

#[test]
fn ranges_narrow_around_their_defaults_and_files_are_withheld() {
    let restrictions = restrictions(Duration::MAX);
    let mut withheld = Vec::new();
    for option in &OPTIONS {
        let Some(narrowed) = restrictions.apply(option) else {
            withheld.push(option.name);
            continue;
        };
        assert!(!matches!(narrowed.kind, Kind::File { .. }), "{}", option.name);
        let (Kind::Spin { range, .. }, Kind::Spin { range: narrow, default, .. }) =
            (&option.kind, &narrowed.kind)
        else {
            continue;
        };
        assert!(narrow.contains(default), "{}", option.name);
        let max = match option.name {
            "Hash" => 100,
            "Threads" | "SolverThreads" => 3,
            "TableSeeds" => 18,
            _ => *range.end(),
        };
        assert_eq!((narrow.start(), *narrow.end()), (range.start(), max), "{}", option.name);
    }
    let lab = ["Algorithm", "Algorithm Suffixes", "Move Order", "Extra Turns"];
    let expected = [&["EvalFile"][..], &lab, &["BookFile", "TablePath"]].concat();
    assert_eq!(withheld, expected);
}

#[test]
fn what_is_withheld_is_neither_introduced_nor_set() {
    let mut session = session(Duration::from_secs(600));
    let introduction = session.take(line("uci"));
    let says = |text: &str| introduction.contains(&Action::Say(text.to_owned()));
    assert!(says("option name Hash type spin default 64 min 1 max 100"));
    assert!(says("info string searches, counts and benchmarks end after 600 s"));
    let names_file = |action: &Action| matches!(action, Action::Say(line) if line.contains("File"));
    assert!(!introduction.iter().any(names_file));
    for dialect in ["uci", "ugi"] {
        session.take(line(dialect));
        for name in ["EvalFile", "bookfile", "TABLEPATH", "Algorithm"] {
            let answer = session.take(line(&format!("setoption name {name} value x")));
            let [Action::Say(error)] = &answer[..] else { panic!("{answer:?}") };
            assert!(error.ends_with(": cannot be set in this session"), "{error}");
        }
        let answer = session.take(line("setoption name Hash value 101"));
        let expected = "info string error: Hash: expected 1 to 100, got '101'";
        assert_eq!(answer, [Action::Say(expected.to_owned())]);
    }
}

#[test]
fn overtime_stops_everything_but_preparations() {
    let note = Action::Say("info string stopped after 5 s, the maximum of this session".to_owned());
    for command in ["go infinite", "go ponder wtime 1", "go perft 30", "bench"] {
        let mut session = session(Duration::from_secs(5));
        assert_eq!(session.take(Input::Overtime), [], "nothing is running");
        session.take(line(command));
        assert_eq!(session.take(Input::Overtime), [note.clone(), Action::Stop], "{command}");
        assert_eq!(session.take(Input::Overtime), [], "it has been stopped already");
    }
    let mut session = session(Duration::from_secs(5));
    assert_eq!(session.take(line("isready")), [Action::Prepare]);
    assert_eq!(session.take(line("go infinite")), []);
    assert_eq!(session.take(Input::Overtime), []);
    session.take(Input::Done);
    assert_eq!(session.take(Input::Overtime), [note, Action::Stop]);
    let answer = session.take(Input::Search(Event::Finished(SearchResult::default())));
    assert!(matches!(answer.last(), Some(Action::Say(line)) if line.starts_with("bestmove ")));
}

#[test]
fn a_search_without_an_end_ends_in_time() {
    let (sender, lines) = channel();
    for line in ["go infinite", "go ponder", "go perft 30"] {
        sender.send(Ok(line.to_owned())).unwrap();
    }
    let mut answers = Vec::new();
    let host = Host::new(session(Duration::from_millis(20)));
    let served = host.run(lines.into_iter(), &mut |lines| {
        answers.extend(lines);
        if answers.last().is_some_and(|line| line == "info string perft stopped") {
            sender.send(Ok("quit".to_owned())).unwrap();
        }
        Ok(())
    });
    served.unwrap();
    let count = |start: &str| answers.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("bestmove "), 2);
    assert_eq!(count("info string stopped after 0 s"), 3);
}

#[test]
fn a_hangup_ends_a_session_and_what_waits_in_it() {
    let (sender, lines) = channel();
    for line in ["go infinite", "bench", "go infinite"] {
        sender.send(Ok(line.to_owned())).unwrap();
    }
    let host = Host::new(session(Duration::from_secs(1_000_000)));
    let hangup = host.hangup();
    let mut answers = Vec::new();
    let served = host.run(lines.into_iter(), &mut |lines| {
        answers.extend(lines);
        let hangup = hangup.clone();
        thread::spawn(move || hangup.hang_up());
        Ok(())
    });
    served.unwrap();
    drop(sender);
    assert!(!answers.iter().any(|line| line.starts_with("signature")), "{answers:?}");
}
