//! Requests that are answered, and requests that are refused.

use std::collections::BTreeSet;

use kalah_page::RequestMethod::{Get, Other, Post};
use kalah_page::{Answer, REQUESTS, RequestMethod};

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

/// Sends intents one after another, each with the record of the previous answer.
fn play(record: serde_json::Value, intents: &[&str]) -> serde_json::Value {
    let mut host = SmallHost::new();
    let mut answer = serde_json::json!({ "saved": record });
    for intent in intents {
        let intent: serde_json::Value = serde_json::from_str(intent).unwrap();
        let body = serde_json::json!({ "record": answer["saved"], "intent": intent, "us": 2000 });
        let Ok(Answer::Json(text)) = host.ask(Post, "/api/play", &body.to_string()) else {
            panic!("{intent}")
        };
        answer = serde_json::from_str(&text).unwrap();
    }
    answer
}

fn letters(steps: &serde_json::Value) -> String {
    steps.as_array().unwrap().iter().map(|step| step["pit"].as_str().unwrap()).collect()
}

#[test]
fn a_game_is_played_by_intents_alone() {
    let mut host = SmallHost::new();
    let body = r#"{"north":"starter","pie_rule":true,"clock":"1+0","coach":true}"#;
    let Ok(Answer::Json(new)) = host.ask(Post, "/api/new", body) else { panic!("a game") };
    let new: serde_json::Value = serde_json::from_str(&new).unwrap();
    let record = &new["record"];
    // A passes the turn, and North may swap; it expects to win, so it does not.
    let sown = [r#"{"sow":"A"}"#, r#"{"reply":{"pit":"b","value":40,"depth":3}}"#];
    let game = play(record.clone(), &sown);
    assert_eq!(letters(&game["steps"]), "Ab");
    assert_eq!(game["saved"]["moves"][1]["us"], 2000);
    assert_eq!(game["saved"]["tags"]["Coach"], "yes");
    assert_eq!(game["may_take_back"], true);
    let back = play(game["saved"].clone(), &[r#""take_back""#]);
    assert_eq!((letters(&back["steps"]), &back["undone"]), (String::new(), &2.into()));
    assert_eq!(
        (letters(&back["saved"]["moves"]), &back["may_take_back"]),
        ("Ab".into(), &false.into())
    );
    let again = play(back["saved"].clone(), &[r#""redo""#]);
    assert_eq!(again["saved"], game["saved"]);
    // A different move keeps the old line.
    let other = play(back["saved"].clone(), &[r#"{"sow":"B"}"#]);
    assert_eq!(letters(&other["variations"][0]["steps"]), "Ab");
    let resigned = play(other["saved"].clone(), &[r#""resign""#]);
    assert_eq!(resigned["record"]["result"], "0-1");
    let open = play(resigned["saved"].clone(), &[r#""take_back""#]);
    assert_eq!(open["over"], false);
    // An engine that expects to lose swaps sides instead.
    let swapped = play(record.clone(), &[r#"{"sow":"A"}"#, r#"{"reply":{"pit":"b","value":-40}}"#]);
    assert_eq!((&swapped["swapped_after"], letters(&swapped["steps"])), (&1.into(), "A".into()));
    assert_eq!(swapped["seats"]["S"]["name"], "starter");
}

#[test]
fn what_the_game_does_not_allow_is_refused_with_a_sentence() {
    let mut host = SmallHost::new();
    let record = serde_json::json!({
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
        (r#"{"reply":{"pit":"A"}}"#, 422),
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
