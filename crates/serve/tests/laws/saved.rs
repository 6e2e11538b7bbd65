//! Games that the server saves, loads and lists.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, thread};

use kalah_game::{Capture, Position, Rules};
use kalah_record::Game;
use kalah_sys::random::SplitMix64;
use serde_json::{Value, json};

use super::Server;
use super::api::{document, random_game};

#[test]
fn games_that_are_saved_at_the_same_time_get_separate_files() {
    const PAGES: usize = 8;
    let folder = kalah_testing::folder();
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
    let folder = kalah_testing::folder();
    let server = Server::of_games(&folder.path().join("new"));
    let record = document(&Game::new(Position::start(Rules::default()), Default::default()));
    let name = "2026-11-23T105357Z-1k2j3.kgn";
    for _ in 0..2 {
        let (status, saved) = server.ask("PUT", &format!("/api/saved/{name}"), &record.to_string());
        assert_eq!((status, &saved["name"]), (200, &name.into()));
    }
    assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), 1);
}

/// The names of the files of games in a folder.
fn files_of_games(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let mut names: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".kgn"));
    names.sort();
    names
}

#[test]
fn a_page_does_not_overwrite_what_another_program_has_added() {
    let server = Server::in_new_folder();
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
    let server = Server::in_new_folder();
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
    let outside = kalah_testing::folder();
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
fn engines_that_think_do_not_hold_up_people() {
    let server = Server::without_games();
    let ask = |south: &str, intent: Value| {
        let wanted = json!({ "south": south, "north": "human", "pits": 7, "seeds": 7 });
        let game = server.post("/api/new", &wanted);
        json!({ "record": game["saved"], "intent": intent }).to_string()
    };
    let reply = ask("600s", "reply".into());
    let thinking: Vec<_> = (0..9).map(|_| server.send("POST", "/api/play", &reply)).collect();
    let sow = ask("human", json!({ "sow": "A" }));
    assert_eq!(server.ask("POST", "/api/play", &sow).0, 200);
    // One of nine engines is refused; the page asks again.
    kalah_testing::wait_for("a refusal", || {
        thinking.iter().find(|stream| {
            let mut head = [0; 12];
            stream.set_nonblocking(true).unwrap();
            stream.peek(&mut head).is_ok_and(|_| head.ends_with(b"503"))
        })
    });
}

#[test]
fn a_game_of_another_program_stays_in_its_file() {
    let folder = kalah_testing::folder();
    let text = "[South \"Ada\"]\n[North \"Bea\"]\n\n1. C *\n";
    fs::write(folder.path().join("1.kgn"), text).unwrap();
    let server = Server::of_games(folder.path());
    let shown = server.post("/api/play", &json!({ "name": "1.kgn" }));
    let sow = json!({ "name": "1.kgn", "seen": shown["version"], "intent": { "sow": "A" } });
    server.refused("POST", "/api/play", &sow.to_string(), 409);
    let copy = json!({ "name": "2.kgn", "record": shown["saved"], "intent": { "sow": "A" } });
    assert_eq!(server.post("/api/play", &copy)["name"], "2.kgn");
    assert_eq!(fs::read_to_string(folder.path().join("1.kgn")).unwrap(), text);
}

#[test]
fn no_game_is_played_in_a_file_with_several() {
    let folder = kalah_testing::folder();
    let server = Server::of_games(folder.path());
    let game = server.post("/api/new", &json!({ "south": "depth=1", "north": "human" }));
    let first = json!({ "record": game["saved"], "name": "1.kgn", "intent": { "coach": true } });
    server.post("/api/play", &first);
    let text = fs::read_to_string(folder.path().join("1.kgn")).unwrap();
    fs::write(folder.path().join("2.kgn"), text.repeat(2)).unwrap();
    let shown = server.post("/api/play", &json!({ "name": "2.kgn" }));
    let reply = json!({ "name": "2.kgn", "seen": shown["version"], "intent": "reply" });
    server.refused("POST", "/api/play", &reply.to_string(), 409);
}

#[test]
fn without_a_folder_games_are_not_saved() {
    let server = Server::without_games();
    let record = server.post("/api/new", &json!({}))["record"].clone();
    assert_eq!(server.post("/api/saved", &record)["name"], Value::Null);
    assert_eq!(server.get("/api/saved"), json!({ "games": [], "damaged": [] }));
}
