//! Analysis by the server: hints, judged moves, openings and proofs.

use std::io::{BufRead, BufReader};

use kalah_game::{Capture, Position};
use serde_json::{Value, json};

use super::Server;
use crate::wait_for;

const ENDING: &str = "<4,5,5,2,0,1,1,1,0,2,1> S";

#[test]
fn moves_are_judged_and_hints_have_reasons() {
    let server = Server::in_new_folder();
    let hint = server.post("/api/hint", &json!({ "position": ENDING }));
    assert_eq!((&hint["pit"], &hint["margin"]), (&"D".into(), &2.0.into()), "{hint}");
    assert_eq!((&hint["proved"], &hint["pv"][0]), (&true.into(), &"D".into()));
    let sentence = "Hint: D (1 seed), an extra turn, with which you win by 2, proved.";
    assert!(hint["sentence"].as_str().unwrap().starts_with(sentence), "{hint}");
    let judged = server.post("/api/judge", &json!({ "position": ENDING, "pit": "a" }));
    let sentence = "A lets North capture 2 from C; D keeps the turn, and C captures 1 from a: \
                    South wins by 2 instead of losing by 4.";
    let expected = json!({
        "pit": "A", "margin": -4.0, "best": "D", "best_margin": 2.0, "lost": 6.0, "mark": "??",
        "proved": true, "sentence": sentence,
        "encouragement": "There is more in this position. A different pit would gain about 6 seeds more.",
        "turning_point": "A let North capture 2 from C. With D, South would have won by 2.",
    });
    assert_eq!(judged, expected);
    let asked = json!({ "position": ENDING, "pit": "A", "reader": "N", "time": 100 });
    let sentence = "A let you capture 2 from C. With D, South would have won by 2.";
    assert_eq!(server.post("/api/judge", &asked)["turning_point"], sentence);
    let best = server.post("/api/judge", &json!({ "position": ENDING, "pit": "D" }));
    assert_eq!((&best["lost"], &best["mark"]), (&0.0.into(), &Value::Null));
    assert_eq!(best["sentence"], Value::Null);

    let over = "<1,1,1,0,0> S";
    for (path, body, error) in [
        ("hint", json!({ "position": over }), "expected a position with a legal move"),
        ("judge", json!({ "position": over, "pit": "A" }), "expected a position with a legal move"),
        ("judge", json!({ "position": ENDING, "pit": "B" }), "pit B is empty"),
        ("judge", json!({ "position": ENDING, "pit": "G" }), "expected a pit's letter, A to D"),
        ("hint", json!({ "position": "<6" }), "position: expected"),
        ("hint", json!({ "position": ENDING, "capture": "none" }), "cannot read the JSON body"),
    ] {
        let got = server.refused("POST", &format!("/api/{path}"), &body.to_string(), 422);
        assert!(got.starts_with(error), "{got}");
    }
}

#[test]
fn hints_for_which_there_is_no_engine_wait_for_one() {
    let server = Server::in_new_folder();
    let body = json!({ "position": "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S" }).to_string();
    let asked: Vec<_> = (0..12).map(|_| server.send("POST", "/api/hint", &body)).collect();
    for stream in asked {
        let line = BufReader::new(stream).lines().next().unwrap().unwrap();
        assert!(line.contains(" 200 "), "{line}");
    }
}

/// A query with a position.
fn query(path: &str, position: &str) -> String {
    let position = position.replace('<', "%3C").replace('>', "%3E").replace(' ', "%20");
    format!("/api/{path}?position={position}")
}

#[test]
fn openings_have_their_proved_margins() {
    let server = Server::in_new_folder();
    let margins = |position: &str| {
        let found = server.get(&query("openings", position));
        let moves = found["moves"].as_array().unwrap();
        let moves: Vec<_> = moves.iter().map(|found| found["margin"].as_i64()).collect();
        (found["margin"].as_i64(), moves)
    };
    let (margin, moves) = margins("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
    assert_eq!(margin, Some(8));
    assert_eq!(moves, [-14, -10, 8, -2, -8, 4].map(Some));
    // C keeps the turn; F passes it to North, from whose point of view the margins then are.
    let (margin, moves) = margins("<6,1,0,4,4,4,4,4,0,5,5,5,4,4,4> N");
    assert_eq!((margin, moves.iter().max().unwrap()), (Some(-4), &Some(-4)));
    let (margin, moves) = margins("<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S");
    assert_eq!((margin, &*moves), (Some(4), &[4, 2, 0, 0, 0, -2].map(Some)[..]));
    // After A with empty captures, only B is proved; no other move can be worth more than A itself.
    let after = query("openings", "<6,1,0,0,7,7,7,7,7,6,6,6,6,6,6> S") + "&capture=empty-capture";
    let after = server.get(&after);
    let moves = &after["moves"];
    assert_eq!((&after["margin"], &moves[0]["margin"]), (&2.into(), &2.into()));
    assert_eq!((&moves[0]["best"], &moves[1]["margin"]), (&true.into(), &Value::Null));
    assert_eq!((&moves[1]["upper"], &moves[1]["lower"]), (&2.into(), &Value::Null), "{after}");
    let (margin, moves) = margins("<7,0,0,7,7,7,7,7,7,7,7,7,7,7,7,7,7> S");
    assert_eq!((margin, moves), (None, vec![None; 7]));
    assert_eq!(margins("<1,3,1,0,0> S"), (Some(2), vec![]));
    server.refused("GET", "/api/openings?position=%3C6", "", 422);
    server.refused("GET", "/api/openings", "", 400);

    let boards = server.get("/api/boards")["boards"].clone();
    let boards = boards.as_array().unwrap();
    let four = boards.iter().find(|board| {
        [&board["pits"], &board["seeds"], &board["capture"]]
            == [&json!(6), &json!(4), &json!("standard")]
    });
    assert_eq!((&four.unwrap()["positions"], &four.unwrap()["margin"]), (&226.into(), &8.into()));
    for board in boards {
        let position = board["position"].as_str().unwrap();
        let capture = board["capture"].as_str().unwrap();
        let found = server.get(&format!("{}&capture={capture}", query("openings", position)));
        assert_eq!(found["margin"], board["margin"], "{board}");
    }
}

/// The events of a stream with their data, until `enough`.
fn events(lines: impl BufRead, enough: impl Fn(&str, &Value) -> bool) -> Vec<(String, Value)> {
    let mut events = Vec::new();
    let mut name = String::new();
    for line in lines.lines().map(Result::unwrap) {
        if let Some(event) = line.strip_prefix("event: ") {
            name = event.to_owned();
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data = serde_json::from_str(data).unwrap();
            let is_last = enough(&name, &data);
            events.push((name.clone(), data));
            if is_last {
                return events;
            }
        }
    }
    panic!("the stream ended: {events:?}");
}

#[test]
fn exact_margins_are_sent_as_they_are_proved() {
    let server = Server::in_new_folder();
    for (text, capture) in [
        ("<6,1,0,2,4,0,3,1,5,0,4,2,0,4,4> N", Capture::Standard),
        ("<4,0,0,3,3,3,3,3,3,3,3> S", Capture::EmptyCapture),
        ("<1,0,0,1,1> S", Capture::Standard),
    ] {
        let position = Position::parse(text, capture).unwrap();
        let path = format!("{}&capture={capture}", query("solve", text));
        let stream = server.send("GET", &path, "");
        let events = events(BufReader::new(stream), |name, _| name == "done");
        let mut solver = kalah_engine::solve::Solver::new(&position, Default::default()).unwrap();
        let solved = solver.moves(&position, &mut |_| true).unwrap();
        for &(pit, margin) in &solved {
            let letter = pit.letter(position.side()).to_string();
            let last = events.iter().rfind(|(_, data)| data["pit"] == letter.as_str());
            let (_, last) = last.unwrap();
            assert_eq!((&last["margin"], &last["proved"]), (&margin.0.into(), &true.into()));
        }
        let best = solved.iter().map(|(_, margin)| margin.0).max().unwrap();
        let (_, done) = events.last().unwrap();
        assert_eq!((&done["margin"], &done["proved"]), (&best.into(), &true.into()));
    }
    server.refused("GET", &query("solve", "<1,1,1,0,0> S"), "", 422);
    server.refused("GET", &query("solve", "<6"), "", 422);
}

#[test]
fn one_proof_runs_at_a_time_and_ends_when_its_client_leaves() {
    let server = Server::in_new_folder();
    let long = query("solve", "<6,0,0,9,9,9,9,9,9,9,9,9,9,9,9> S");
    let first = server.send("GET", &long, "");
    let mut lines = BufReader::new(first);
    let begun = events(&mut lines, |_, data| data["nodes"].as_u64() > Some(0));
    assert!(begun.iter().all(|(name, data)| name == "move" && data["proved"] == false));
    server.refused("GET", &long, "", 503);
    drop(lines);
    let short = query("solve", ENDING);
    wait_for("proof by the free solver", || {
        let mut lines = BufReader::new(server.send("GET", &short, ""));
        let mut head = String::new();
        lines.read_line(&mut head).unwrap();
        if head.contains(" 200 ") { Some(events(lines, |name, _| name == "done")) } else { None }
    });
}
