//! Sessions with restricted managers.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use kalah_engine::endgame::{Encoding, Extent, Tables, file_name};
use kalah_engine::search::SearchResult;
use kalah_engine::{Engine, OptionKind, SearchEvent, TablePath};
use kalah_game::Rules;
use kalah_lab::LabSearcher;
use kalah_protocol::Restrictions;
use kalah_protocol::host::Host;
use kalah_protocol::session::{Input, Session, SessionAction};

fn restrictions(time: Duration) -> Restrictions {
    Restrictions { hash: 100, threads: 3, table_seeds: 18, time }
}

fn session(time: Duration) -> Session {
    Session::restricted(engine(), restrictions(time))
}

/// An engine with all of the program's options.
fn engine() -> Engine {
    Engine::without_tables(1).unwrap().with_searcher(LabSearcher::default())
}

fn line(line: &str) -> Input {
    Input::from_line(Ok(line.to_owned())).unwrap()
}

#[test]
fn ranges_narrow_around_their_defaults_and_files_are_withheld() {
    let restrictions = restrictions(Duration::MAX);
    // Less than the defaults.
    let small = Restrictions { hash: 16, threads: 1, table_seeds: 10, time: Duration::MAX };
    let mut withheld = Vec::new();
    for option in engine().options() {
        let Some(narrowed) = restrictions.apply(option) else {
            withheld.push(option.name);
            continue;
        };
        assert!(!matches!(narrowed.kind, OptionKind::File { .. }), "{}", option.name);
        let (OptionKind::Spin { range, .. }, OptionKind::Spin { range: narrow, default, .. }) =
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
        let OptionKind::Spin { range, default, .. } = small.apply(option).unwrap().kind else {
            continue;
        };
        assert!(range.contains(&default), "{}", option.name);
    }
    let lab = ["Algorithm", "Algorithm Suffixes", "Move Order", "Extra Turns"];
    let expected = [&["EvalFile", "BookFile", "TablePath"][..], &lab].concat();
    assert_eq!(withheld, expected);
}

#[test]
fn unused_tables_are_reported_once_and_only_to_a_manager_on_this_machine() {
    let folder = kalah_testing::folder();
    let extent = Extent::new(Rules::default().variant(), 4).unwrap();
    Tables::build_in(folder.path(), extent, Encoding::Plain, 1, &|_| ()).unwrap();
    std::fs::remove_file(folder.path().join(file_name(extent.variant(), 2))).unwrap();
    let path = TablePath::Folder(folder.path().to_owned());
    for (is_local, expected) in [(true, 1), (false, 0)] {
        let mut engine = engine();
        engine.resources_mut().set_table_path(path.clone()).unwrap();
        let mut session = if is_local {
            Session::new(engine)
        } else {
            Session::restricted(engine, restrictions(Duration::from_secs(600)))
        };
        let mut said = session.take(line("uci"));
        said.extend(session.take(line("isready")));
        let names_layer = |action: &SessionAction| matches!(action, SessionAction::Say(line) if line.contains("layer 2 is missing"));
        assert_eq!(said.iter().filter(|action| names_layer(action)).count(), expected, "{said:?}");
        assert_eq!(names_layer(&said[0]), is_local, "it comes first: {said:?}");
    }
}

#[test]
fn withheld_options_are_neither_declared_nor_set() {
    let mut session = session(Duration::from_secs(600));
    let introduction = session.take(line("uci"));
    let says = |text: &str| introduction.contains(&SessionAction::Say(text.to_owned()));
    assert!(says("option name Hash type spin default 64 min 1 max 100"));
    assert!(says("info string searches, counts and benchmarks end after 600 s"));
    let names_file = |action: &SessionAction| matches!(action, SessionAction::Say(line) if line.contains("File"));
    assert!(!introduction.iter().any(names_file));
    for dialect in ["uci", "ugi"] {
        session.take(line(dialect));
        for name in ["EvalFile", "bookfile", "TABLEPATH", "Algorithm"] {
            let answer = session.take(line(&format!("setoption name {name} value x")));
            let [SessionAction::Say(error)] = &answer[..] else { panic!("{answer:?}") };
            assert!(error.ends_with(": cannot be set in this session"), "{error}");
        }
        let answer = session.take(line("setoption name Hash value 101"));
        let expected = "info string error: Hash: expected 1 to 100, got '101'";
        assert_eq!(answer, [SessionAction::Say(expected.to_owned())]);
    }
}

#[test]
fn overtime_stops_everything_but_preparations() {
    let note =
        SessionAction::Say("info string stopped after 5 s, the limit of this session".to_owned());
    for command in ["go infinite", "go ponder wtime 1", "go perft 30", "bench"] {
        let mut session = session(Duration::from_secs(5));
        assert_eq!(session.take(Input::Overtime), [], "nothing is running");
        session.take(line(command));
        assert_eq!(session.take(Input::Overtime), [note.clone(), SessionAction::Stop], "{command}");
        assert_eq!(session.take(Input::Overtime), [], "it has been stopped already");
    }
    let mut session = session(Duration::from_secs(5));
    assert_eq!(session.take(line("isready")), [SessionAction::Prepare]);
    assert_eq!(session.take(line("go infinite")), []);
    assert_eq!(session.take(Input::Overtime), []);
    session.take(Input::Done);
    assert_eq!(session.take(Input::Overtime), [note, SessionAction::Stop]);
    let answer = session.take(Input::Search(SearchEvent::Finished(SearchResult::default())));
    assert!(
        matches!(answer.last(), Some(SessionAction::Say(line)) if line.starts_with("bestmove "))
    );
}

#[test]
fn an_endless_search_ends_in_time() {
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
fn what_a_gap_held_is_sent_at_its_end_while_the_search_goes_on() {
    let (sender, lines) = channel();
    sender.send(Ok("go infinite".to_owned())).unwrap();
    let mut answers: Vec<String> = Vec::new();
    let mut is_stopped = false;
    let host = Host::new(session(Duration::from_secs(1_000_000)));
    let served = host.with_gap(Duration::from_millis(1)).run(lines.into_iter(), &mut |lines| {
        answers.extend(lines);
        if answers.last().is_some_and(|line| line.starts_with("bestmove ")) {
            sender.send(Ok("quit".to_owned())).unwrap();
        } else if answers.len() >= 3 && !is_stopped {
            is_stopped = true;
            sender.send(Ok("stop".to_owned())).unwrap();
        }
        Ok(())
    });
    served.unwrap();
    let is_info = |line: &String| line.starts_with("info depth ");
    assert!(answers.len() > 3 && answers[..answers.len() - 1].iter().all(is_info), "{answers:?}");
}

#[test]
fn a_hangup_ends_a_session_and_drops_its_waiting_commands() {
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
