//! The JSON API of `kalah serve` over HTTP, as protocol.md describes it.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::{fs, thread};

use kalah_game::{Capture, Pit, Position, Rules};
use kalah_record::{Game, Move, json};
use kalah_sys::random::SplitMix64;
use serde_json::{Value, json};

use super::Server;
use crate::folder::{Folder, Ran};

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
    assert_eq!(lifted, sowing["seeds"]);
    let sown = sowing["sown"].as_array().unwrap();
    assert_eq!(lifted, sown.len() as u64);
    for place in sown {
        change(place.as_str().unwrap(), &|seeds| seeds + 1);
    }
    let mover = SIDES.iter().find(|(side, ..)| sowing["side"] == *side).unwrap();
    let mut banked = sown.iter().filter(|place| *place == mover.1).count() as u64;
    if let Some(capture) = sowing["capture"].as_object() {
        let pits = capture["from"].as_array().unwrap();
        let captured: u64 = pits.iter().map(|pit| change(pit.as_str().unwrap(), &|_| 0)).sum();
        assert_eq!(captured, capture["seeds"]);
        change(mover.1, &|seeds| seeds + captured);
        banked += captured;
    }
    assert_eq!(banked, sowing["banked"]);
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
fn random_game(rules: Rules, random: &mut SplitMix64) -> Game {
    let mut game = Game::new(Position::start(rules), Default::default());
    while game.ending().is_none() {
        let moves: Vec<Pit> = game.position().moves().collect();
        if moves.is_empty() {
            break;
        }
        game.play(Move::new(moves[random.below(moves.len())])).unwrap();
    }
    game
}

fn document(game: &Game) -> Value {
    serde_json::from_str(&json::to_line(game)).unwrap()
}

#[test]
fn sown_captured_and_swept_seeds_lead_to_the_position_after_each_move() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
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
    assert_eq!(game["seats"]["S"]["go"], "movetime 500");
    assert_eq!(game["seats"]["S"]["options"]["UCI_Elo"], "560");
    assert_eq!(game["clock"]["left"], json!({ "S": 300.0, "N": 300.0 }));
    assert_eq!(game["record"]["tags"]["Flag"], "yes");

    let mut record = game["record"].clone();
    record["moves"] = json!([{ "pit": "A", "us": 10_000_000 }]);
    game = server.post("/api/game", &record);
    assert!(game["may_swap"] == true && game["position"]["side"] == "N", "{game}");
    assert_eq!(game["clock"]["left"], json!({ "S": 293.0, "N": 300.0 }));
    assert_eq!(letters(&game), "abcd");
    let swapped = server.post("/api/game", &game["swapped"]);
    assert_eq!(swapped["swapped_after"], 1);
    assert_eq!(swapped["names"], json!({ "S": "you", "N": "kalah, casual" }));
    assert_eq!(swapped["clock"]["left"], json!({ "S": 300.0, "N": 293.0 }));
    assert_eq!(swapped["seats"]["N"]["name"], "casual");

    let mut record = swapped["record"].clone();
    record["result"] = "0-1".into();
    record["reason"] = "resignation".into();
    let resigned = server.post("/api/game", &record);
    assert_eq!(resigned["result"], "South resigned; North wins.");
    assert!(resigned["over"] == true && resigned["legal"] == json!([]));
}

#[test]
fn values_of_a_record_become_marks_and_variations_keep_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let text = "[Event \"e\u{202e}vil\"]\n1. C {+8} F {+8.5/9} a {=+3; a \u{7}bell} \
                (c {-1} 2. B {+1}) 2. A {+2.5} d {+6} *";
    let read = server.post("/api/read", &json!({ "text": text }));
    let game = &read["games"][0];
    let steps = game["steps"].as_array().unwrap();
    assert_eq!((&steps[1]["value"], &steps[2]["proved"]), (&850.into(), &true.into()));
    assert_eq!(steps[2]["comment"], "a \\u0007bell");
    // South expected 8.5 seeds, and 2.5 at its next move.
    assert_eq!((&steps[1]["mark"], &steps[1]["lost"]), (&"??".into(), &6.0.into()));
    assert_eq!(game["judged"]["counts"][0], "1 blunder in 2 judged moves");
    let variation = &game["variations"][0];
    assert_eq!((&variation["after"], &variation["steps"][0]["pit"]), (&2.into(), &"c".into()));
    assert_eq!(variation["steps"][1]["value"], 100);
    assert_eq!(game["record"]["event"], "e\u{202e}vil");
    assert!(game["kgn"].as_str().unwrap().contains("e\\u202evil"));
    assert_eq!(server.post("/api/game", &game["record"])["steps"], game["steps"]);
}

#[test]
fn positions_moves_and_files_of_games_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let ends = |text: &str| -> Vec<String> {
        let pasted = json!({ "text": text, "capture": "empty-capture" });
        let read = server.post("/api/read", &pasted);
        let games = read["games"].as_array().unwrap().iter();
        games
            .map(|game| format!("{} {}", game["position"]["text"], game["position"]["capture"]))
            .collect()
    };
    let start = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
    let after = r#""<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S" "empty-capture""#;
    for text in [" C\n", &format!("{start} c"), "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>", "cc"] {
        if text == "cc" {
            server.refused("POST", "/api/read", &json!({ "text": text }).to_string(), 422);
        } else {
            assert_eq!(ends(text), [after], "{text}");
        }
    }
    assert_eq!(ends(&format!("{start} # a list\tof\n\n{start} C\n")).len(), 2);
    let standard = after.replace("empty-capture", "standard");
    let game = format!("[Position \"{start}\"]\n1. C *\n");
    assert_eq!(ends(&game.repeat(2)), [standard.clone(), standard.clone()]);
    let line = server.post("/api/read", &json!({ "text": game }))["games"][0]["record"].to_string();
    assert_eq!(ends(&format!("{{\"match\":{{}}}}\n{line}\n")), [standard]);
}

#[test]
fn games_that_are_saved_at_the_same_time_get_separate_files() {
    const PAGES: usize = 8;
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let record = document(&Game::new(Position::start(Rules::default()), Default::default()));
    let saved = thread::scope(|scope| {
        let pages = [(); PAGES].map(|()| scope.spawn(|| server.post("/api/saved", &record)));
        pages.map(|page| page.join().unwrap()["name"].to_string())
    });
    assert_eq!(BTreeSet::from(saved).len(), PAGES);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), PAGES);
}

#[test]
fn a_repeated_save_makes_no_second_file() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(&folder.path().join("new"));
    let record = document(&Game::new(Position::start(Rules::default()), Default::default()));
    let name = "2026-11-23T105357Z-1k2j3.kgn";
    for _ in 0..2 {
        let (status, saved) = server.ask("PUT", &format!("/api/saved/{name}"), &record.to_string());
        assert_eq!((status, &saved["name"]), (200, &name.into()));
    }
    assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 1);
}

#[test]
fn texts_that_are_wrong_or_too_large_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let refused =
        |text: &str| server.refused("POST", "/api/read", &json!({ "text": text }).to_string(), 422);
    assert_eq!(refused(""), "line 1, column 1: expected a game, got none");
    assert_eq!(refused("<6,0>"), "line 1: expected 15 numbers for 6 pits per row, got 2");
    assert_eq!(refused("CCX"), "column 2: pit C is empty");
    assert!(refused("1. C ?").starts_with("line 1, column 6: expected"));
    assert!(refused("{\"south\":1}").starts_with("line 1, column 10: "));
    assert_eq!(refused(&"1. C * ".repeat(101)), "expected at most 100 games, got more");
    let nested = refused(&format!("1. C {}", "( A".repeat(101)));
    assert!(nested.ends_with("expected at most 100 nested variations"), "{nested}");
    let long = format!("1. C {}*", "(A f) ".repeat(2001));
    assert!(refused(&long).contains("at most 2000 variations"));
    let whole = random_game(Rules::default(), &mut SplitMix64::new(5));
    assert!(whole.steps().len() > 20);
    let games = format!("{}\n", json::to_line(&whole));
    let pasted = json!({ "text": games.repeat(100) });
    assert_eq!(server.post("/api/read", &pasted)["games"].as_array().unwrap().len(), 100);
    server.refused("POST", "/api/read", "{\"text\":", 400);
    server.refused("POST", "/api/read", "{\"words\":\"C\"}", 422);
}

#[test]
fn records_that_are_wrong_or_too_long_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
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
    assert!(refused(&record).starts_with("expected at most 10000 moves, got 1"));
    // The text after such a game is not read.
    let pasted = json!({ "text": format!("{record}\n{{}}\n") }).to_string();
    let error = server.refused("POST", "/api/read", &pasted, 422);
    assert!(error.starts_with("expected at most 10000 moves, got 1"), "{error}");
    let rules = Rules::new(16, 1000, Capture::Standard).unwrap();
    let [mut rich, other] = [(); 2].map(|()| document(&random_game(rules, &mut random)));
    rich["variations"] = json!([{ "after": 0, "moves": other["moves"] }]);
    assert!(refused(&rich).starts_with("expected moves that sow at most 1000000 seeds"));
}

#[test]
fn players_boards_and_clocks_that_do_not_exist_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    for (wanted, error) in [
        (json!({ "pits": 17 }), "expected 1 to 16 pits per row, got 17"),
        (json!({ "seeds": 0 }), "expected 1 to 2730 seeds per pit with 6 pits per row, got 0"),
        (json!({ "north": "godlike" }), "expected a person ('human'), a level, "),
        (json!({ "clock": "5 minutes" }), "clock: expected MINUTES[+SECONDS], as in 5+3 or 0.5"),
        (json!({ "position": "6" }), "expected '<' at column 1, got '6'"),
        (json!({ "colour": "S" }), "Failed to deserialize the JSON body"),
    ] {
        let got = server.refused("POST", "/api/new", &wanted.to_string(), 422);
        assert!(got.starts_with(error), "{got}");
    }
}

/// The names of the files of games in a folder.
fn files_of_games(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let mut names: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".kgn"));
    names.sort();
    names
}

/// The output of a command on the games in a folder.
fn output(folder: &Folder, line: &str, input: &str) -> String {
    let mut command = folder.command_line(line);
    command.arg("--games").arg(folder.root());
    let ran = Ran::with_input(command, input);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.errors);
    ran.shown
}

#[test]
fn games_of_the_page_are_continued_in_the_terminal_and_vice_versa() {
    let folder = Folder::new();
    let server = Server::of_games(folder.root());
    let wanted = json!({
        "south": "human", "north": "beginner", "pits": 4, "seeds": 3, "clock": "5+3", "flag": true,
        "pie_rule": true,
    });
    let mut record = server.post("/api/new", &wanted)["record"].clone();
    let saved = server.post("/api/saved", &record);
    let name = saved["name"].as_str().unwrap();
    record["moves"] = json!([{ "pit": "A", "us": 1_000_000 }]);
    let moved = server.post("/api/game", &record);
    let path = format!("/api/saved/{name}");
    let seen = format!("{path}?seen={}", saved["version"].as_str().unwrap());
    let (status, again) = server.ask("PUT", &seen, &moved["swapped"].to_string());
    assert_eq!((status, &again["name"]), (200, &saved["name"]));

    let listed = server.get("/api/saved");
    let game = &listed["games"][0];
    assert_eq!(game["players"], json!(["kalah, beginner", "you"]));
    assert_eq!((&game["name"], &game["moves"]), (&saved["name"], &1.into()));
    assert_eq!((&game["result"], &game["unfinished"]), (&"unfinished".into(), &true.into()));
    assert!(output(&folder, "games", "").contains("kalah, beginner  you"));
    let shown = output(&folder, "play --resume", "save\nquit\n");
    assert!(shown.contains("South (beginner) against North (you), 2 moves"), "{shown}");

    // The terminal has saved it again.
    let loaded = server.get(&path);
    assert_eq!(loaded["names"], json!({ "S": "kalah, beginner", "N": "you" }));
    assert_eq!(loaded["clock"]["left"], json!({ "S": 300.0, "N": 302.0 }));
    assert_eq!((&loaded["clock"]["flag"], &loaded["swapped_after"]), (&true.into(), &1.into()));
    assert_eq!(loaded["record"]["tags"], moved["swapped"]["tags"]);
    assert_eq!(files_of_games(folder.root()), [name]);
}

#[test]
fn a_page_does_not_overwrite_what_another_program_has_added() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let wanted = json!({ "south": "human", "north": "human" });
    let mut record = server.post("/api/new", &wanted)["record"].clone();
    let name = server.post("/api/saved", &record)["name"].clone();
    let path = format!("/api/saved/{}", name.as_str().unwrap());
    let seen = |version: &Value| format!("{path}?seen={}", version.as_str().unwrap());
    // Two pages have loaded the same game.
    let version = server.get(&path)["version"].clone();
    record["moves"] = json!([{ "pit": "A" }]);
    let (status, saved) = server.ask("PUT", &seen(&version), &record.to_string());
    assert_eq!((status, &saved["name"]), (200, &name));
    assert_ne!(saved["version"], version);
    let mut other = record.clone();
    other["moves"] = json!([{ "pit": "B" }]);
    let error = server.refused("PUT", &seen(&version), &other.to_string(), 409);
    assert!(error.starts_with("another program has changed the game in "), "{error}");
    server.refused("PUT", &path, &other.to_string(), 409);
    server.refused("PUT", &format!("{path}?seen=x"), &other.to_string(), 400);
    assert_eq!(server.get(&path)["record"]["moves"], record["moves"]);
    // A save whose answer was lost can be repeated, and the next one continues from it.
    let (status, again) = server.ask("PUT", &seen(&version), &record.to_string());
    assert_eq!((status, &again), (200, &saved));
    record["moves"] = json!([{ "pit": "A" }, { "pit": "a" }]);
    assert_eq!(server.ask("PUT", &seen(&saved["version"]), &record.to_string()).0, 200);
}

#[test]
fn finished_games_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let game = random_game(Rules::new(2, 2, Capture::Standard).unwrap(), &mut SplitMix64::new(3));
    let finished = server.post("/api/game", &document(&game))["record"].clone();
    let name = server.post("/api/saved", &finished)["name"].clone();
    let path = format!("/api/saved/{}", name.as_str().unwrap());
    assert_eq!(server.ask("PUT", &path, &finished.to_string()).0, 200);
    let mut shorter = finished.clone();
    for field in ["result", "reason", "margin"] {
        shorter.as_object_mut().unwrap().remove(field);
    }
    shorter["moves"].as_array_mut().unwrap().pop();
    let seen = format!("{path}?seen={}", server.get(&path)["version"].as_str().unwrap());
    let error = server.refused("PUT", &seen, &shorter.to_string(), 409);
    assert_eq!(error, "the game in this file is finished; save this one under a different name");
    assert_eq!(server.get(&path)["record"]["moves"], finished["moves"]);
    let other = server.post("/api/saved", &shorter)["name"].clone();
    assert_ne!(other, name);
    assert_eq!(server.get("/api/saved")["games"].as_array().unwrap().len(), 2);
}

#[test]
fn names_lead_to_files_in_the_folder_and_nowhere_else() {
    let outside = tempfile::tempdir().unwrap();
    let folder = outside.path().join("games");
    fs::create_dir(&folder).unwrap();
    let text = "1. C F *\n";
    fs::write(outside.path().join("secret.kgn"), text).unwrap();
    fs::write(folder.join("two.kgn"), text.repeat(2)).unwrap();
    fs::write(folder.join("damaged.kgn"), "1. Z *").unwrap();
    fs::write(folder.join("notes.txt"), text).unwrap();
    let server = Server::of_games(&folder);
    let record = server.get("/api/saved/two.kgn")["record"].to_string();
    let absolute = outside.path().join("secret.kgn");
    let absolute = absolute.to_str().unwrap().replace('/', "%2F").replace(' ', "%20");
    for name in [
        "..%2Fsecret.kgn",
        "%2e%2e%2fsecret.kgn",
        ".%2F..%2Fsecret.kgn",
        "two.kgn%2F..%2F..%2Fsecret.kgn",
        &absolute,
        "..",
        "%2e%2e",
        ".",
        "notes.txt",
        "two",
        "two.kgn%00",
        "TWO.kgn",
        "%20",
        "new.kgn",
        "1..kgn",
        "1%2F2.kgn",
        &format!("1{}.kgn", "0".repeat(64)),
    ] {
        let path = format!("/api/saved/{name}");
        let error = server.refused("GET", &path, "", 404);
        assert!(!error.contains(text), "{error}");
        server.refused("PUT", &path, &record, 404);
    }
    assert_eq!(server.ask("GET", "/api/saved/%ff", "").0, 400);
    let error = server.refused("PUT", "/api/saved/two.kgn", &record, 409);
    assert_eq!(error, "the file holds other games; save this one under a different name");
    server.refused("GET", "/api/saved/damaged.kgn", "", 422);
    let damaged = server.get("/api/saved")["damaged"].clone();
    assert!(damaged[0].as_str().unwrap().contains("damaged.kgn: line 1, column 4"), "{damaged}");
    assert_eq!(fs::read_to_string(outside.path().join("secret.kgn")).unwrap(), text);
    assert_eq!(files_of_games(&folder), ["damaged.kgn", "two.kgn"]);
}

#[test]
fn without_a_folder_games_are_not_saved() {
    let server = Server::start(&["--no-save"]);
    let record = server.post("/api/new", &json!({}))["record"].clone();
    assert_eq!(server.post("/api/saved", &record)["name"], Value::Null);
    assert_eq!(server.get("/api/saved"), json!({ "games": [], "damaged": [] }));
}

const ENDING: &str = "<4,5,5,2,0,1,1,1,0,2,1> S";

#[test]
fn moves_are_judged_and_hints_have_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let hint = server.post("/api/hint", &json!({ "position": ENDING }));
    assert_eq!((&hint["pit"], &hint["margin"]), (&"D".into(), &2.0.into()), "{hint}");
    assert_eq!((&hint["proved"], &hint["pv"][0]), (&true.into(), &"D".into()));
    let sentence =
        "Hint: D (1 seed), an extra turn, for a margin of exactly +2 at the end, proved.";
    assert!(hint["sentence"].as_str().unwrap().starts_with(sentence), "{hint}");
    let judged = server.post("/api/judge", &json!({ "position": ENDING, "pit": "a" }));
    let sentence = "A lets North capture 2 from C; D keeps the turn, and C captures 1 from a: \
                    +2 instead of -4.";
    let expected = json!({
        "pit": "A", "margin": -4.0, "best": "D", "best_margin": 2.0, "lost": 6.0, "mark": "??",
        "proved": true, "sentence": sentence,
        "encouragement": "There is more in this position. A different pit would gain about 6 seeds more.",
    });
    assert_eq!(judged, expected);
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
        ("hint", json!({ "position": ENDING, "capture": "none" }), "Failed to deserialize"),
    ] {
        let got = server.refused("POST", &format!("/api/{path}"), &body.to_string(), 422);
        assert!(got.starts_with(error), "{got}");
    }
}

#[test]
fn too_many_hints_at_once_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let body = json!({ "position": "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S" }).to_string();
    let asked: Vec<_> = (0..12).map(|_| server.send("POST", "/api/hint", &body)).collect();
    let mut statuses: Vec<String> = asked
        .into_iter()
        .map(|stream| {
            let line = BufReader::new(stream).lines().next().unwrap().unwrap();
            line.split(' ').nth(1).unwrap().to_owned()
        })
        .collect();
    statuses.sort();
    assert_eq!((&*statuses[0], &*statuses[11]), ("200", "503"), "{statuses:?}");
}

/// A query with a position.
fn query(path: &str, position: &str) -> String {
    let position = position.replace('<', "%3C").replace('>', "%3E").replace(' ', "%20");
    format!("/api/{path}?position={position}")
}

#[test]
fn openings_have_their_proved_margins() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
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

/// The games in a file on the command line are counted from the mover's point of view.
#[test]
fn openings_have_the_results_of_the_games_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("played.kgn");
    let start = "[Position \"<2,0,0,1,1,1,1> S\"]";
    let text = format!(
        "{start}\n1. BA 1-0\n{start}[Termination \"time\"]\n1. A b 0-1\n\
         {start}[Termination \"move-limit\"]\n1. B 1/2-1/2\n{start}\n1. B *\n"
    );
    fs::write(&file, text).unwrap();
    let server = Server::start(&["--no-save", file.to_str().unwrap()]);
    let found = server.get(&query("openings", "<2,0,0,1,1,1,1> S"));
    assert_eq!(found["games"], 3);
    let moves = &found["moves"];
    assert_eq!((&moves[0]["games"], &moves[0]["points"]), (&1.into(), &0.0.into()));
    assert_eq!((&moves[1]["games"], &moves[1]["points"]), (&2.into(), &1.5.into()));
    // North's point of view.
    let found = server.get(&query("openings", "<2,0,0,0,2,1,1> N"));
    assert_eq!(found["games"], 1);
    assert_eq!(
        (&found["moves"][1]["games"], &found["moves"][1]["points"]),
        (&1.into(), &1.0.into())
    );
    let found = server.get(&query("openings", "<2,0,0,1,1,1,1> N"));
    assert_eq!(found["games"], 0);
}

#[test]
fn levels_are_options_that_the_engine_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let levels = server.get("/api/levels");
    assert_eq!((&levels["default"], &levels["elo"]), (&"starter".into(), &json!([0, 1450])));
    let levels = levels["levels"].as_array().unwrap();
    assert_eq!(levels.len(), kalah_coach::seat::LEVELS.len());
    let mut engine = kalah_engine::Engine::without_tables(1).unwrap();
    for (level, expected) in levels.iter().zip(kalah_coach::seat::LEVELS) {
        assert_eq!(level["name"], expected.name);
        for (name, value) in level["options"].as_object().unwrap() {
            engine.set_option(name, value.as_str().unwrap()).unwrap();
        }
        assert_eq!(engine.settings().strength(), expected.skill(), "{level}");
        let time = expected.limits().movetime.unwrap().as_millis();
        assert_eq!(
            (&level["go"], &level["go_on_clock"]),
            (&format!("movetime {time}").into(), &"".into())
        );
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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
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
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let long = query("solve", "<6,0,0,9,9,9,9,9,9,9,9,9,9,9,9> S");
    let first = server.send("GET", &long, "");
    let mut lines = BufReader::new(first);
    let begun = events(&mut lines, |_, data| data["nodes"].as_u64() > Some(0));
    assert!(begun.iter().all(|(name, data)| name == "move" && data["proved"] == false));
    server.refused("GET", &long, "", 503);
    drop(lines);
    let short = query("solve", ENDING);
    let answered = (0..100).any(|_| {
        let mut lines = BufReader::new(server.send("GET", &short, ""));
        let mut head = String::new();
        lines.read_line(&mut head).unwrap();
        head.contains(" 200 ") && !events(lines, |name, _| name == "done").is_empty()
    });
    assert!(answered);
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
    let specification = include_str!("../../../protocol.md");
    let examples = specification.split("```http\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = Server::of_games(folder.path());
    let mut count = 0;
    for example in format!("\n{examples}").split("\n> ").skip(1) {
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
    assert!(count > 10);
}
