//! The requests of the page, as protocol.md specifies them: games and records.

use std::io::Read;

use kalah_game::{Capture, Pit, Position, Rules};
use kalah_record::{Game, Move, json};
use kalah_sys::random::SplitMix64;
use serde_json::{Value, json};

use super::Server;

/// The sides with their stores and first pits.
const SIDES: [(&str, &str, u8); 2] = [("S", "south", b'A'), ("N", "north", b'a')];

/// The seeds of a position as the page draws them, by their places.
fn seeds(position: &Value) -> Vec<(String, u64)> {
    let mut places = Vec::new();
    for (side, store, first) in SIDES {
        places.push((store.to_owned(), position["stores"][side].as_u64().unwrap()));
        for (index, seeds) in (0u8..).zip(position["rows"][side].as_array().unwrap()) {
            places.push((char::from(first + index).to_string(), seeds.as_u64().unwrap()));
        }
    }
    places
}

/// What the page animates: the seeds that a move sows, captures and sweeps.
fn animated(before: &Value, sowing: &Value) -> Vec<(String, u64)> {
    let mut places = seeds(before);
    let mut change = |place: &str, change: &dyn Fn(u64) -> u64| {
        let (_, seeds) = places.iter_mut().find(|(name, _)| name == place).unwrap();
        std::mem::replace(seeds, change(*seeds))
    };
    let lifted = change(sowing["pit"].as_str().unwrap(), &|_| 0);
    let sown = sowing["sown"].as_array().unwrap();
    assert_eq!(lifted, sown.len() as u64);
    for place in sown {
        change(place.as_str().unwrap(), &|seeds| seeds + 1);
    }
    let mover = SIDES.iter().find(|(side, ..)| sowing["side"] == *side).unwrap();
    if let Some(capture) = sowing["capture"].as_object() {
        let pits = capture["from"].as_array().unwrap();
        let captured: u64 = pits.iter().map(|pit| change(pit.as_str().unwrap(), &|_| 0)).sum();
        assert_eq!(captured, capture["seeds"]);
        change(mover.1, &|seeds| seeds + captured);
    }
    for (side, store, first) in SIDES {
        let pits = 0..before["pits"].as_u64().unwrap() as u8;
        if sowing["after"]["over"] == true {
            let left = pits.map(|index| change(&char::from(first + index).to_string(), &|_| 0));
            assert_eq!(left.sum::<u64>(), sowing["swept"][side]);
        }
        change(store, &|seeds| seeds + sowing["swept"][side].as_u64().unwrap());
    }
    places
}

/// A game of random moves, played to the end.
pub(super) fn random_game(rules: Rules, random: &mut SplitMix64) -> Game {
    let mut game = Game::new(Position::start(rules), Default::default());
    while game.ending().is_none() {
        let moves: Vec<Pit> = game.position().moves().iter().collect();
        if moves.is_empty() {
            break;
        }
        game.play(Move::new(moves[random.below(moves.len())])).unwrap();
    }
    game
}

pub(super) fn document(game: &Game) -> Value {
    serde_json::from_str(&json::to_line(game)).unwrap()
}

#[test]
fn sown_captured_and_swept_seeds_lead_to_the_position_after_each_move() {
    let server = Server::in_new_folder();
    let mut random = SplitMix64::new(30);
    let (mut captures, mut sweeps) = (0, 0);
    for (pits, capture) in (1..=16).flat_map(|pits| Capture::ALL.map(|rule| (pits, rule))) {
        for seeds_each in [1, 3, 9] {
            let rules = Rules::new(pits, seeds_each, capture).unwrap();
            let game = random_game(rules, &mut random);
            let shown = server.post("/api/game", &document(&game));
            let mut before = &shown["start"];
            for (step, sowing) in game.steps().iter().zip(shown["steps"].as_array().unwrap()) {
                assert_eq!(animated(before, sowing), seeds(&sowing["after"]), "{rules}: {sowing}");
                assert_eq!(sowing["after"]["text"], step.after.to_string());
                captures += usize::from(!sowing["capture"].is_null());
                before = &sowing["after"];
            }
            sweeps += usize::from(before["over"] == true);
            assert_eq!((&shown["position"], &shown["over"]), (before, &true.into()));
            assert!(shown["legal"].as_array().unwrap().is_empty(), "{rules}");
        }
    }
    assert!(captures > 100 && sweeps == 96, "{captures} captures, {sweeps} ends");
}

#[test]
fn a_game_has_its_legal_moves_its_names_and_its_clocks() {
    let server = Server::in_new_folder();
    let wanted = json!({
        "south": "casual", "north": "human", "pits": 4, "seeds": 3, "pie_rule": true,
        "clock": "5+3", "flag": true,
    });
    let mut game = server.post("/api/new", &wanted);
    let letters = |game: &Value| -> String {
        let legal = game["legal"].as_array().unwrap().iter();
        legal.map(|sowing| sowing["pit"].as_str().unwrap()).collect()
    };
    assert_eq!(letters(&game), "ABCD");
    for sowing in game["legal"].as_array().unwrap() {
        assert_eq!(animated(&game["position"], sowing), seeds(&sowing["after"]));
    }
    assert_eq!(game["names"], json!({ "S": "kalah, casual", "N": "you" }));
    assert_eq!(game["seats"]["S"]["elo"], 560);
    assert_eq!(game["clock"]["left"], json!({ "S": 300.0, "N": 300.0 }));
    assert_eq!(game["record"]["tags"]["Flag"], "yes");

    let mut record = game["record"].clone();
    record["moves"] = json!([{ "pit": "A", "us": 10_000_000 }]);
    game = server.post("/api/game", &record);
    assert!(game["may_swap"] == true && game["position"]["side"] == "N", "{game}");
    assert_eq!(game["clock"]["left"], json!({ "S": 293.0, "N": 300.0 }));
    assert_eq!(letters(&game), "abcd");
    let swapped = server.post("/api/play", &json!({ "record": record, "intent": "swap" }));
    assert_eq!(swapped["swapped_after"], 1);
    assert_eq!(swapped["names"], json!({ "S": "you", "N": "kalah, casual" }));
    assert_eq!(swapped["clock"]["left"], json!({ "S": 300.0, "N": 293.0 }));
    assert_eq!(swapped["seats"]["N"]["name"], "casual");

    let mut record = swapped["record"].clone();
    record["result"] = "0-1".into();
    record["reason"] = "resignation".into();
    let resigned = server.post("/api/game", &record);
    assert_eq!(resigned["result"], "South resigned; North wins.");
    let lost = json!({ "title": "You lose", "kind": "loss", "winner": "N" });
    assert_eq!(resigned["ending"], lost);
    assert!(resigned["over"] == true && resigned["legal"] == json!([]));
}

#[test]
fn values_of_a_record_become_marks_and_variations_keep_theirs() {
    let server = Server::in_new_folder();
    let text = "[Event \"e\u{202e}vil\"]\n1. C {+8} F {+8.5/9} a {=+3; a \u{7}bell} \
                (c {-1} 2. B {+1}) 2. A {+2.5} d {+6} *";
    let read = server.post("/api/read", &json!({ "text": text }));
    let game = &read["games"][0];
    let steps = game["steps"].as_array().unwrap();
    assert_eq!(steps[2]["comment"], "a \\u0007bell");
    // South expected 8.5 seeds, and 2.5 at its next move.
    assert_eq!((&steps[1]["mark"], &steps[1]["lost"]), (&"??".into(), &6.0.into()));
    assert_eq!(game["judged"]["counts"][0], "1 blunder in 2 judged moves");
    let variation = &game["variations"][0];
    assert_eq!((&variation["after"], &variation["steps"][0]["pit"]), (&2.into(), &"c".into()));
    assert_eq!(game["record"]["variations"][0]["moves"][1]["value"], 100);
    assert_eq!(game["record"]["event"], "e\u{202e}vil");
    assert!(game["kgn"].as_str().unwrap().contains("e\\u202evil"));
    assert_eq!(server.post("/api/game", &game["record"])["steps"], game["steps"]);
}

#[test]
fn positions_moves_and_files_of_games_are_read() {
    let server = Server::in_new_folder();
    let ends = |text: &str| -> Vec<String> {
        let pasted = json!({ "text": text, "capture": "empty-capture" });
        let read = server.post("/api/read", &pasted);
        let games = read["games"].as_array().unwrap().iter();
        games
            .map(|game| format!("{} {}", game["position"]["text"], game["position"]["capture"]))
            .collect()
    };
    let start = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
    let after = r#""<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S empty-capture" "empty-capture""#;
    for text in [" C\n", &format!("{start} c"), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>", "cc"] {
        if text == "cc" {
            server.refused("POST", "/api/read", &json!({ "text": text }).to_string(), 422);
        } else {
            assert_eq!(ends(text), [after], "{text}");
        }
    }
    assert_eq!(ends(&format!("{start} # a list\tof\n\n{start} C\n")).len(), 2);
    let standard = r#""<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S" "standard""#;
    let game = format!("[Position \"{start}\"]\n1. C *\n");
    assert_eq!(ends(&game.repeat(2)), [standard; 2]);
    let line = server.post("/api/read", &json!({ "text": game }))["games"][0]["record"].to_string();
    assert_eq!(ends(&format!("{{\"match\":{{}}}}\n{line}\n")), [standard]);
}

#[test]
fn texts_that_are_wrong_or_too_large_are_refused() {
    let server = Server::in_new_folder();
    let refused =
        |text: &str| server.refused("POST", "/api/read", &json!({ "text": text }).to_string(), 422);
    assert_eq!(refused(""), "line 1, column 1: expected a game, got none");
    assert_eq!(refused("<6,0>"), "line 1: expected 15 numbers for 6 pits per row, got 2");
    assert_eq!(refused("CCX"), "column 2: pit C is empty");
    assert!(refused("1. C ?").starts_with("line 1, column 6: expected"));
    assert!(refused("{\"south\":1}").starts_with("line 1, column 10: "));
    assert_eq!(refused(&"1. C * ".repeat(101)), "too many games (limit 100)");
    let whole = random_game(Rules::default(), &mut SplitMix64::new(5));
    assert!(whole.steps().len() > 20);
    let games = format!("{}\n", json::to_line(&whole));
    let pasted = json!({ "text": games.repeat(100) });
    assert_eq!(server.post("/api/read", &pasted)["games"].as_array().unwrap().len(), 100);
}

#[test]
fn records_that_are_wrong_or_too_long_are_refused() {
    let server = Server::in_new_folder();
    let refused = |record: &Value| server.refused("POST", "/api/game", &record.to_string(), 422);
    let game = Game::new(Position::start(Rules::default()), Default::default());
    let mut record = document(&game);
    record["moves"] = json!([{ "pit": "C" }, { "pit": "C" }]);
    assert!(refused(&record).ends_with("move 2: pit C is empty"));
    record["moves"] = json!([]);
    record["result"] = "1-0".into();
    assert!(refused(&record).contains("expected a finished game for the reason 'normal'"));
    record["result"] = Value::Null;
    record["secret"] = 1.into();
    assert!(refused(&record).contains("unknown field `secret`"));
    assert!(refused(&json!([])).starts_with("line 1, column"));

    // Lines of eight moves that differ in their first four.
    let mut lines = Vec::new();
    let mut random = SplitMix64::new(1);
    while lines.len() < 1900 {
        let played = random_game(Rules::default(), &mut random);
        let moves = document(&played)["moves"].as_array().unwrap()[..8].to_vec();
        lines.push(json!({ "after": 0, "moves": moves }));
    }
    let mut record = document(&game);
    record["variations"] = lines.into();
    assert_eq!(refused(&record), "too many moves (limit 10000)");
    // The text after such a game is not read.
    let pasted = json!({ "text": format!("{record}\n{{}}\n") }).to_string();
    let error = server.refused("POST", "/api/read", &pasted, 422);
    assert_eq!(error, "too many moves (limit 10000)");
    let rules = Rules::new(16, 1000, Capture::Standard).unwrap();
    let [mut rich, other] = [(); 2].map(|()| document(&random_game(rules, &mut random)));
    rich["variations"] = json!([{ "after": 0, "moves": other["moves"] }]);
    assert_eq!(refused(&rich), "too many seeds sown (limit 1000000)");
}

#[test]
fn players_boards_and_clocks_that_do_not_exist_are_refused() {
    let server = Server::in_new_folder();
    for (wanted, error) in [
        (json!({ "pits": 17 }), "expected 1 to 16 pits per row, got 17"),
        (json!({ "seeds": 0 }), "expected 1 to 2730 seeds per pit with 6 pits per row, got 0"),
        (json!({ "north": "godlike" }), "expected a person ('human'), a level, "),
        (
            json!({ "clock": "0+0" }),
            "clock: expected MINUTES[+SECONDS], as in 5+3 or 0.5, got '0+0'",
        ),
        (json!({ "position": "6" }), "expected '<' at column 1, got '6'"),
        (json!({ "colour": "S" }), "cannot read the JSON body"),
        (json!([]), "expected a JSON object, got '[]'"),
        (json!(null), "expected a JSON object, got 'null'"),
    ] {
        let got = server.refused("POST", "/api/new", &wanted.to_string(), 422);
        assert!(got.starts_with(error), "{got}");
        assert!(got.matches(", got ").count() <= 1, "{got}");
    }
}

#[test]
fn levels_are_those_of_the_terminal() {
    let server = Server::in_new_folder();
    let levels = server.get("/api/levels");
    assert_eq!((&levels["default"], &levels["elo"]), (&"starter".into(), &json!([0, 1450])));
    let levels = levels["levels"].as_array().unwrap();
    assert_eq!(levels.len(), kalah_play::seat::LEVELS.len());
    for (level, expected) in levels.iter().zip(kalah_play::seat::LEVELS) {
        assert_eq!(level["name"], expected.name);
        let skill = expected.skill();
        let elo = if skill.is_full() { Value::Null } else { skill.elo().into() };
        assert_eq!(level["elo"], elo, "{level}");
    }
}

/// Whether a text fits a pattern in which `…` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('…');
    let mut rest = parts.next().and_then(|start| text.strip_prefix(start));
    for part in parts {
        rest = rest.and_then(|rest| Some(&rest[rest.find(part)? + part.len()..]));
    }
    rest.is_some_and(|rest| rest.is_empty() || pattern.ends_with('…'))
}

#[test]
fn the_examples_of_the_specification_are_answered_as_written() {
    let examples = |document: &'static str| {
        document.split("```http\n").nth(1).unwrap().split("```").next().unwrap()
    };
    let specified = examples(include_str!("../../../../protocol.md"));
    let further = examples(include_str!("../../../../tests/data/requests.md"));
    let server = Server::in_new_folder();
    let mut count = 0;
    for example in format!("\n{specified}{further}").split("\n> ").skip(1) {
        let (request, expected) = example.split_once('\n').unwrap();
        let mut words = request.splitn(3, ' ');
        let [method, path] = [(); 2].map(|()| words.next().unwrap());
        let mut answer = String::new();
        let mut stream = server.send(method, path, words.next().unwrap_or_default());
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().to_owned();
        let answer = format!("{status} {}", answer.split_once("\r\n\r\n").unwrap().1);
        let expected: Vec<&str> =
            expected.lines().map(|line| line.strip_prefix("< ").unwrap()).collect();
        assert!(fits(&(expected.join("…") + "…"), &answer), "{request}\n{answer}");
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn every_path_refuses_methods_that_the_specification_does_not_list_for_it() {
    let server = Server::without_games();
    let mut paths = 0;
    for row in include_str!("../../../../protocol.md").lines() {
        let request = row.strip_prefix("- `").and_then(|row| row.split(['`', '?']).next());
        let Some((_, path)) = request.and_then(|request| request.split_once(" /api/")) else {
            continue;
        };
        server.refused("DELETE", &format!("/api/{path}"), "", 405);
        paths += 1;
    }
    assert!(paths > 25, "{paths}");
}
