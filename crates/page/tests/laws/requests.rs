//! Requests that are answered, and requests that are refused.

use std::collections::BTreeSet;

use kalah_page::RequestMethod::{Get, Other, Post};
use kalah_page::{Answer, REQUESTS, RequestMethod};
use serde_json::json;

use crate::small_host::SmallHost;

#[test]
fn requests_that_are_not_in_the_table_are_refused() {
    let mut host = SmallHost::new();
    for (method, path, body, status) in [
        (Get, "/", "", 404),
        (Get, "/api", "", 404),
        (Get, "/api/", "", 404),
        (Get, "/api/nothing", "", 404),
        (Get, "/api/lessons/1/2", "", 404),
        (Get, "/api/boards/", "", 404),
        (Other, "/api/lessons/x", "", 405),
        (Get, "/api/lessons/x", "", 400),
        (Get, "/api/lessons/%31", "", 400),
        (Get, "/api/lessons/0", "", 404),
        (Post, "/api/read", "{", 400),
        (Post, "/api/read", "{\"text\":\"C\"} x", 400),
        (Post, "/api/read", "{\"words\":\"C\"}", 422),
        (Post, "/api/hint", "", 400),
        (Post, "/api/settings", "[]", 422),
        (Get, "/api/openings", "", 400),
        (Get, "/api/openings?position=%3C6", "", 422),
        (Get, "/api/solve?position=%3C1,1,1,0,0%3E%20S", "", 422),
    ] {
        let refused = host.ask(method, path, body).expect_err(path);
        assert_eq!(refused.status(), status, "{method:?} {path} {body}: {refused}");
    }
    assert!(host.events.is_empty());
}

#[test]
fn errors_and_answers_are_one_line_without_control_characters() {
    let mut host = SmallHost::new();
    let hidden = ['\u{1b}', '\u{202e}', '\u{2028}', '\u{2029}'];
    let text: String = hidden.iter().collect();
    let body = serde_json::json!({ "text": format!("[Event \"a{text}b\"]\n1. C *") }).to_string();
    let Ok(Answer::Json(answer)) = host.ask(Post, "/api/read", &body) else { panic!("an answer") };
    let error = host.ask(Get, &format!("/api/a{text}b"), "").unwrap_err().to_json();
    for text in [answer, error] {
        assert!(!text.contains(hidden), "{text}");
        assert!(text.contains("u2028"), "{text}");
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}

#[test]
fn openings_count_the_games_that_the_host_knows() {
    let path = "/api/openings?position=%3C6,0,0,4,4,4,4,4,4,4,4,4,4,4,4%3E+S&capture=standard";
    let Ok(Answer::Json(answer)) = SmallHost::new().ask(Get, path, "") else { panic!("an answer") };
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&answer["margin"], &answer["games"]), (&8.into(), &2.into()));
    assert_eq!(answer["moves"][2]["points"], 1.5);
}

const SPECIFICATION: &str = include_str!("../../../../protocol.md");
/// Examples that are too long for it.
const FURTHER: &str = include_str!("../../../../tests/data/requests.md");

/// The start of each part of `text` after `mark`, up to `end`.
fn parts<'a>(text: &'a str, mark: &str, end: char) -> Vec<&'a str> {
    text.split(mark).skip(1).map(|part| part.split(end).next().unwrap()).collect()
}

#[test]
fn the_specification_lists_every_request_of_the_page() {
    let mut specified = Vec::new();
    for row in SPECIFICATION.lines().filter(|line| line.contains(" /api/")) {
        let Some(first) = row.strip_prefix("- ").and_then(|row| row.split("`: ").next()) else {
            continue;
        };
        specified.extend(
            first.split("`, `").map(|request| request.trim_matches('`').split('?').next().unwrap()),
        );
    }
    // What only a server has, such as files, is not in the table of the page.
    specified.retain(|request| {
        !["/api/saved", "/api/matches", "/api/files"].iter().any(|path| request.contains(path))
    });
    let listed: Vec<String> =
        REQUESTS.iter().map(|kind| format!("{} {}", kind.method.name(), kind.path)).collect();
    assert_eq!(listed, specified);
}

#[test]
fn other_methods_of_a_path_are_refused() {
    let mut host = SmallHost::new();
    for kind in &REQUESTS {
        let path = kind.path.replace('N', "1");
        let at_path: Vec<RequestMethod> = REQUESTS
            .iter()
            .filter(|other| other.path == kind.path)
            .map(|other| other.method)
            .collect();
        for method in [Get, Post, Other] {
            if !at_path.contains(&method) {
                let refused = host.ask(method, &path, "").expect_err(&path);
                assert_eq!(refused.status(), 405, "{method:?} {path}: {refused}");
                let allowed: Vec<&str> = at_path.iter().map(|method| method.name()).collect();
                assert_eq!(refused.allowed(), Some(&*allowed.join(", ")), "{path}");
                assert!(refused.to_string().ends_with(&allowed.join(" or ")), "{path}: {refused}");
            }
        }
    }
    assert_eq!(host.lent, []);
}

/// The examples are answered with nothing but what the table names.
#[test]
fn a_request_uses_only_what_the_table_names() {
    let mut asked = BTreeSet::new();
    for example in parts(&format!("{SPECIFICATION}{FURTHER}"), "\n> ", '\n') {
        let Some((method, rest)) = example.split_once(" /api/") else { continue };
        let (path, body) = rest.split_once(' ').unwrap_or((rest, ""));
        let method = if method == "GET" { Get } else { Post };
        let mut host = SmallHost::new();
        let _ = host.ask(method, &format!("/api/{path}"), body);
        let without_query = path.split('?').next().unwrap();
        let row = REQUESTS.iter().find(|kind| {
            let folder = kind.path.strip_suffix('N').unwrap_or(kind.path);
            let given = format!("/api/{without_query}");
            let end = given.strip_prefix(folder);
            kind.method == method
                && end.is_some_and(|end| end.is_empty() || end.parse::<u32>().is_ok())
        });
        // Requests that only a server answers are not in the table.
        let Some(row) = row else { continue };
        let named: Vec<_> = row.exclusive.into_iter().collect();
        assert!(host.lent.iter().all(|lent| named.contains(lent)), "{example}: {:?}", host.lent);
        asked.insert((row.method.name(), row.path));
    }
    assert!(asked.len() > 10, "{asked:?}");
}

fn ask(host: &mut SmallHost, path: &str, body: &serde_json::Value) -> serde_json::Value {
    match host.ask(Post, path, &body.to_string()) {
        Ok(Answer::Json(text)) => serde_json::from_str(&text).unwrap(),
        other => panic!("{path} {body}: {other:?}"),
    }
}

/// Sends intents one after another, each with the record of the previous answer.
fn play(record: serde_json::Value, intents: &[&str]) -> serde_json::Value {
    let mut host = SmallHost::new();
    let mut answer = json!({ "saved": record });
    for intent in intents {
        let intent: serde_json::Value = serde_json::from_str(intent).unwrap();
        let body = json!({ "record": answer["saved"], "intent": intent, "us": 2000 });
        answer = ask(&mut host, "/api/play", &body);
    }
    answer
}

fn letters(steps: &serde_json::Value) -> String {
    steps.as_array().unwrap().iter().map(|step| step["pit"].as_str().unwrap()).collect()
}

#[test]
fn a_game_is_played_by_intents_alone() {
    let wanted = json!({ "north": "depth=3", "pie_rule": true, "clock": "1+0", "coach": true });
    let new = ask(&mut SmallHost::new(), "/api/new", &wanted);
    let record = &new["saved"];
    // A passes the turn. The engine expects to win, so it does not swap sides.
    let sown = play(record.clone(), &[r#"{"sow":"A"}"#]);
    assert_eq!((&sown["judgement"]["pit"], &sown["person"]), (&"A".into(), &"S".into()));
    let game = play(sown["saved"].clone(), &[r#""reply""#]);
    let played = letters(&game["steps"]);
    assert!(played.len() == 2 && played.starts_with('A'), "{played}");
    // The clocks begin with the first move, and the search takes time of its own.
    assert_eq!(game["saved"]["moves"][0]["us"], 0);
    assert!(game["saved"]["moves"][1]["us"].as_u64() >= Some(2000), "{game}");
    assert_eq!(game["saved"]["tags"]["Coach"], "yes");
    assert_eq!(game["may_take_back"], true);
    let back = play(game["saved"].clone(), &[r#""take_back""#]);
    assert_eq!((letters(&back["steps"]), &back["undone"]), (String::new(), &2.into()));
    assert_eq!(
        (letters(&back["saved"]["moves"]), &back["may_take_back"]),
        (played.clone(), &false.into())
    );
    let again = play(back["saved"].clone(), &[r#""redo""#]);
    assert_eq!(again["saved"], game["saved"]);
    // A different move keeps the old line.
    let other = play(back["saved"].clone(), &[r#"{"sow":"B"}"#]);
    assert_eq!(letters(&other["variations"][0]["steps"]), played);
    let resigned = play(other["saved"].clone(), &[r#""resign""#]);
    assert_eq!(resigned["record"]["result"], "0-1");
    let open = play(resigned["saved"].clone(), &[r#""take_back""#]);
    assert_eq!(open["over"], false);
}

#[test]
fn an_engine_that_expects_to_lose_swaps_sides() {
    let wanted = json!({ "position": "<2,9,0,1,1,1,1> S", "north": "depth=3", "pie_rule": true });
    let new = ask(&mut SmallHost::new(), "/api/new", &wanted);
    let swapped = play(new["saved"].clone(), &[r#"{"sow":"A"}"#, r#""reply""#]);
    assert_eq!((&swapped["swapped_after"], letters(&swapped["steps"])), (&1.into(), "A".into()));
    assert_eq!(
        (&swapped["seats"]["S"]["name"], &swapped["person"]),
        (&"depth=3".into(), &"N".into())
    );
}

#[test]
fn a_game_in_a_file_is_played_by_its_name_and_version() {
    let mut host = SmallHost::new();
    let record = ask(&mut host, "/api/new", &json!({ "north": "depth=1" }))["saved"].clone();
    let sow = |pit: &str| json!({ "sow": pit });
    let first = json!({ "name": "1.kgn", "record": record, "intent": sow("C") });
    let shown = ask(&mut host, "/api/play", &first);
    assert_eq!((&shown["name"], &shown["version"]), (&"1.kgn".into(), &"1".into()));
    let second = json!({ "name": "1.kgn", "seen": "1", "intent": sow("A") });
    assert_eq!(ask(&mut host, "/api/play", &second)["version"], "2");
    let reply = json!({ "name": "1.kgn", "seen": "2", "intent": "reply" });
    assert_eq!(ask(&mut host, "/api/play", &reply)["version"], "3");
    // The repetition of a request whose answer was lost changes nothing.
    assert_eq!(ask(&mut host, "/api/play", &reply)["version"], "3");
    // Nor does a request that only shows the game.
    let shown = ask(&mut host, "/api/play", &json!({ "name": "1.kgn" }));
    assert_eq!((letters(&shown["steps"]).len(), &shown["version"]), (3, &"3".into()));
    for (body, status) in [
        (second, 409),
        (json!({ "name": "1.kgn", "intent": "take_back" }), 409),
        (json!({ "name": "2.kgn" }), 404),
        (json!({ "intent": "take_back" }), 422),
        (json!({ "name": "1.kgn", "seen": "3", "intent": "swap" }), 422),
    ] {
        let refused = host.ask(Post, "/api/play", &body.to_string()).expect_err("a refusal");
        assert_eq!(refused.status(), status, "{body}");
    }
    assert_eq!(host.saved["1.kgn"].len(), 3);
}

#[test]
fn what_the_game_does_not_allow_is_refused_with_a_sentence() {
    let mut host = SmallHost::new();
    let record = json!({
        "south": { "name": "a" }, "north": { "name": "b" }, "position": "<2,0,0,1,1,1,1> S",
        "capture": "standard", "moves": [],
    });
    for (intent, status) in [
        (r#""redo""#, 422),
        (r#""take_back""#, 422),
        (r#""swap""#, 422),
        (r#""continue""#, 422),
        (r#"{"sow":"a"}"#, 200),
        (r#"{"sow":"c"}"#, 422),
        (r#""reply""#, 422),
        (r#""jump""#, 422),
        (r#""flag""#, 200),
    ] {
        let body = format!(r#"{{"record":{record},"intent":{intent}}}"#);
        let answer = host.ask(Post, "/api/play", &body);
        let got = answer.map_or_else(|error| error.status(), |_| 200);
        assert_eq!(got, status, "{intent}");
    }
}

#[test]
fn a_rule_that_contradicts_the_text_of_its_position_is_refused() {
    let mut host = SmallHost::new();
    let text = "<2,0,0,1,1,1,1> S empty-capture";
    let people = r#""south":{"name":"a"},"north":{"name":"b"},"moves":[]"#;
    let mut ask = |capture: &str| {
        let query = format!("/api/openings?position=<2,0,0,1,1,1,1>+S+empty-capture{capture}");
        let stated = match capture.split_once('=') {
            Some((_, rule)) => format!(r#","capture":"{rule}""#),
            None => String::new(),
        };
        let position = format!(r#""position":"{text}"{stated}"#);
        [
            host.ask(Get, &query, ""),
            host.ask(Post, "/api/hint", &format!("{{{position}}}")),
            host.ask(Post, "/api/new", &format!("{{{position}}}")),
            host.ask(Post, "/api/game", &format!("{{{people},{position}}}")),
        ]
    };
    for answer in ask("&capture=standard") {
        let error = answer.unwrap_err().to_json();
        assert!(error.contains("expected the rule standard, got empty-capture"), "{error}");
    }
    for answer in ["", "&capture=empty-capture"].into_iter().flat_map(ask) {
        assert!(answer.is_ok(), "{answer:?}");
    }
}
