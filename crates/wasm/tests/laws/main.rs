//! Laws of sessions and requests on the only thread of a worker. `tests/program` has those of the
//! page, in a browser.

use kalah_wasm::{PageReply, RequestHost, WorkerSession};

fn said(session: &mut WorkerSession, line: &str) -> Vec<String> {
    let mut said = Vec::new();
    session.line(line, &mut |line| said.push(line.to_owned()));
    said
}

/// The kinds of the replies to a request, and the last text.
fn replies(host: &mut RequestHost, request: &str) -> (Vec<String>, String) {
    let (mut kinds, mut last) = (Vec::new(), String::new());
    host.answer(request, &mut |reply| {
        let (kind, text) = match reply {
            PageReply::Answer(status, text) => (status.to_string(), text),
            PageReply::Event(name, json) => (name.to_owned(), json),
            PageReply::History(line) => ("history".to_owned(), line),
        };
        kinds.push(kind);
        text.clone_into(&mut last);
    });
    (kinds, last)
}

#[test]
fn work_is_done_when_its_line_has_been_served() {
    let mut session = WorkerSession::new().unwrap();
    for (line, last) in [
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("go nodes 1000", "bestmove"),
        ("go perft 1", "leaves: 6"),
        ("ucinewgame", ""),
    ] {
        let said = said(&mut session, line);
        let answer = said.last().map_or("", String::as_str);
        assert!(
            answer.starts_with(last) && answer.is_empty() == last.is_empty(),
            "{line}: {said:?}"
        );
    }
}

#[test]
fn sizes_that_a_browser_cannot_hold_are_refused() {
    let mut session = WorkerSession::new().unwrap();
    for line in ["setoption name Hash value 64", "setoption name TableSeeds value 18"] {
        let said = said(&mut session, line);
        assert!(said.concat().starts_with("info string error: "), "{line}: {said:?}");
    }
}

#[test]
fn answers_to_puzzles_are_handed_to_the_page_and_taken_from_it() {
    let mut host = RequestHost::with_history("");
    let request = "POST /api/puzzles/1\n{\"answer\": \"solution\"}";
    let mut line = String::new();
    host.answer(request, &mut |reply| {
        if let PageReply::History(text) = reply {
            text.clone_into(&mut line);
        }
    });
    let mut next = RequestHost::with_history(&line);
    let (kinds, text) = replies(&mut next, "GET /api/puzzles");
    assert_eq!(kinds, ["200"]);
    assert!(text.contains("0 of 1 puzzle at"), "{text}");
}

#[test]
fn a_proof_sends_events_before_it_ends() {
    let mut host = RequestHost::with_history("");
    let place = "position=%3C2,0,0,1,1,1,1%3E%20S&capture=standard";
    let (kinds, _) = replies(&mut host, &format!("GET /api/solve?{place}"));
    assert_eq!(kinds.last().unwrap(), "200");
    assert!(kinds.contains(&"move".to_owned()) && kinds.contains(&"done".to_owned()), "{kinds:?}");
    let (kinds, text) = replies(&mut host, "GET /api/nothing");
    assert_eq!((kinds.concat(), text.contains("error")), ("404".to_owned(), true));
}
