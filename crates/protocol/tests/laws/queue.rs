//! The queue: commands that arrive while something runs in the background, and those that are
//! meant for work that has not begun yet.

use kalah_engine::search::SearchResult;
use kalah_engine::{Engine, SearchEvent};
use kalah_protocol::command::COMMANDS;
use kalah_protocol::session::{Input, Session, SessionAction};

fn session() -> Session {
    Session::new(Engine::without_tables(1).expect("a MiB"))
}

fn line(line: &str) -> Input {
    Input::from_line(Ok(line.to_owned())).expect("a command")
}

fn said(line: &str) -> SessionAction {
    SessionAction::Say(line.to_owned())
}

fn finished() -> Input {
    Input::Search(SearchEvent::Finished(SearchResult::default()))
}

/// What follows the `bestmove` that ends the running search: a word for each action.
fn after_best_move(session: &mut Session) -> Vec<String> {
    let actions = session.take(finished());
    let words: Vec<String> = actions.iter().map(word).collect();
    let best = words.iter().position(|word| word.starts_with("bestmove "));
    words[best.unwrap_or_else(|| panic!("no best move: {words:?}")) + 1..].to_vec()
}

fn word(action: &SessionAction) -> String {
    match action {
        SessionAction::Say(line) => line.clone(),
        SessionAction::Search(limits) => format!("search {limits}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn commands_wait_for_a_search_in_order_and_stops_and_ponderhits_reach_their_own_search() {
    for (waiting, after) in [
        // A second stop and every ponderhit behind a waiting command are for a later search.
        (&["go depth 2", "ponderhit"][..], &["search depth=2", "PonderHit"][..]),
        (&["go depth 2", "stop"], &["search depth=2", "Stop"]),
        (&["go depth 2", "ponderhit", "stop"], &["search depth=2", "PonderHit", "Stop"]),
        (&["go depth 2", "stop", "stop"], &["search depth=2", "Stop"]),
        // Behind a command that starts nothing, they have no effect.
        (&["query p1turn", "ponderhit"], &["response true"]),
        (&["query p1turn", "stop", "query gameover"], &["response true", "response false"]),
        // The second of two waiting searches waits for the first.
        (&["go depth 2", "ponderhit", "go depth 3", "stop"], &["search depth=2", "PonderHit"]),
    ] {
        let mut session = session();
        assert!(matches!(session.take(line("go ponder"))[..], [SessionAction::Search(_)]));
        assert_eq!(session.take(line("ponderhit")), [SessionAction::PonderHit]);
        assert_eq!(session.take(line("stop")), [SessionAction::Stop]);
        assert_eq!(session.take(line("stop")), [], "it has been stopped already");
        for command in waiting {
            assert_eq!(session.take(line(command)), [], "{command} of {waiting:?}");
        }
        assert_eq!(session.take(line("isready")), [said("readyok")], "it does not wait");
        assert!(session.waiting_size() > 0);
        assert_eq!(after_best_move(&mut session), after, "{waiting:?}");
        if waiting.len() == 4 {
            assert_eq!(after_best_move(&mut session), ["search depth=3", "Stop"]);
        }
        assert_eq!(session.waiting_size(), 0, "{waiting:?}");
    }
}

#[test]
fn a_waiting_position_is_that_of_the_next_search_alone() {
    let mut session = session();
    session.take(line("go infinite"));
    session.take(line("position startpos moves A"));
    session.take(line("go depth 1"));
    let before = session.engine_mut().position().to_string();
    assert!(before.ends_with(" S"), "{before}");
    assert_eq!(after_best_move(&mut session), ["search depth=1"]);
    let position = session.engine_mut().position();
    assert!(position.to_string().ends_with(" N"), "{position}");
}

#[test]
fn quit_drops_the_waiting_commands_and_waits_for_the_search_alone() {
    let mut session = session();
    session.take(line("go infinite"));
    session.take(line("go infinite"));
    assert_eq!(session.take(line("quit")), [SessionAction::Stop]);
    assert_eq!(session.waiting_size(), 0);
    assert_eq!(after_best_move(&mut session), ["Quit"]);
}

#[test]
fn the_end_of_the_input_stops_searches_that_would_need_a_stop() {
    let stopped = "info string the input has ended; the search is stopped";
    for limits in ["infinite", "", "wtime 60000", "ponder depth 3", "infinite movetime 1"] {
        let mut session = session();
        let go = format!("go {limits}");
        assert!(matches!(session.take(line(&go))[..], [SessionAction::Search(_)]), "{limits}");
        session.take(line(&go));
        assert_eq!(session.take(Input::End), [said(stopped), SessionAction::Stop], "{limits}");
        // So is one that waits in the queue.
        let [_, report, stop] = &after_best_move(&mut session)[..] else { panic!("{limits}") };
        assert_eq!((report.as_str(), stop.as_str()), (stopped, "Stop"), "{limits}");
        assert_eq!(after_best_move(&mut session), ["Quit"]);
    }
    for limits in ["depth 3", "nodes 9", "movetime 1"] {
        let mut session = session();
        session.take(line(&format!("go {limits}")));
        session.take(line("go depth 1"));
        assert_eq!(session.take(Input::End), [], "{limits}");
        assert_eq!(after_best_move(&mut session), ["search depth=1"]);
        assert_eq!(after_best_move(&mut session), ["Quit"]);
    }
    assert_eq!(session().take(Input::End), [SessionAction::Quit]);
}

#[test]
fn the_size_of_a_waiting_command_includes_its_answer() {
    for name in COMMANDS.iter().map(|command| command.name) {
        let mut session = session();
        for text in ["setoption name Pits value 16", "ugi", name] {
            let input = line(text);
            let counted = match &input {
                Input::Command(command, _) => command.size(),
                _ => continue,
            };
            let of_action = |action: &SessionAction| match action {
                SessionAction::Say(line) => size_of::<SessionAction>() + line.capacity(),
                _ => size_of::<SessionAction>(),
            };
            let answered: usize = session.take(input).iter().map(of_action).sum();
            assert!(answered <= counted, "{text}: {counted} bytes counted, {answered} answered");
        }
    }
}

#[test]
fn the_size_of_a_waiting_command_includes_its_text() {
    let long = "A ".repeat(10_000);
    for (text, least) in [
        (format!("go searchmoves {long}"), 10_000),
        (format!("position startpos moves {long}"), 10_000),
        (format!("setoption name Hash value {long}"), 10_000),
        (format!("setoption name {long}"), 10_000),
        // Each error is a text of its own.
        ("go depth x nodes y wtime z movetime u".to_owned(), 4 * size_of::<String>() + 80),
    ] {
        let Input::Command(command, _) = line(&text) else { panic!("{text:.60}") };
        assert!(command.size() > least, "{text:.60}: {}", command.size());
    }
}

#[test]
fn a_stop_during_a_preparation_is_meant_for_the_waiting_go() {
    let mut session = session();
    assert_eq!(session.take(line("isready")), [SessionAction::Prepare]);
    assert_eq!(session.take(line("go infinite")), []);
    assert_eq!(session.take(line("stop")), [], "a preparation cannot be stopped");
    let actions = session.take(Input::Done);
    let [ready, SessionAction::Search(_), SessionAction::Stop] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert_eq!(*ready, said("readyok"));
}

#[test]
fn answers_that_wait_for_a_preparation_are_counted_until_it_ends() {
    let mut session = session();
    assert_eq!(session.take(line("isready")), [SessionAction::Prepare]);
    for _ in 0..1000 {
        assert_eq!(session.take(line("isready")), []);
    }
    assert!(session.waiting_size() >= 1000 * size_of::<SessionAction>());
    assert_eq!(session.take(Input::Done), vec![said("readyok"); 1001]);
    assert_eq!(session.waiting_size(), 0);
}

#[test]
fn the_engine_is_prepared_in_the_background_and_quit_does_not_wait_for_it() {
    let mut session = session();
    assert_eq!(session.take(line("isready")), [SessionAction::Prepare]);
    assert_eq!(session.take(line("position startpos moves C")), [], "waits");
    assert_eq!(session.take(line("isready")), [], "it is not ready yet");
    assert_eq!(session.take(Input::Done), [said("readyok"), said("readyok")]);
    assert!(session.engine_mut().position().to_string().ends_with(" S"));
    assert_eq!(session.take(line("isready")), [said("readyok")], "nothing is left to prepare");

    for change in ["ucinewgame", "setoption name Hash value 2", "setoption name Clear Hash"] {
        assert_eq!(session.take(line(change)), []);
        assert_eq!(session.take(line("isready")), [SessionAction::Prepare], "{change}");
        session.engine_mut().prepare();
        assert_eq!(session.take(Input::Done), [said("readyok")]);
    }
    session.take(line("ucinewgame"));
    assert_eq!(session.take(line("isready")), [SessionAction::Prepare]);
    assert_eq!(session.take(line("quit")), [SessionAction::Quit]);
}
