//! Matches that are followed while they are written, and the other files named on the command
//! line.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use kalah_record::json;
use serde_json::{Value, json};

use super::Server;
use crate::folder::{Folder, Ran};

/// A match that has been played in part.
struct Played {
    folder: Folder,
    /// All lines of its file, with their line ends.
    lines: Vec<String>,
}

impl Played {
    /// Six games of two players.
    fn new([one, other]: [&str; 2]) -> Self {
        let folder = Folder::new();
        let play = ["match", "-o", "whole.jsonl", "--pairs", "3", "-q", "-e", one, "-e", other];
        let ran = folder.run_words(&play);
        assert_eq!(ran.code, Some(0), "{}", ran.errors);
        let text = folder.read("whole.jsonl");
        let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        assert_eq!(lines.len(), 7);
        Self { folder, lines }
    }

    fn path(&self) -> PathBuf {
        self.folder.path("match.jsonl")
    }

    /// Rewrites the file with this many games.
    fn write(&self, games: usize) {
        self.folder.write("match.jsonl", self.lines[..=games].concat());
    }

    fn append(&self, text: &str) {
        let mut file = OpenOptions::new().append(true).open(self.path()).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    fn serve(&self) -> Server {
        Server::start(&["--no-save", self.path().to_str().unwrap()])
    }
}

/// The number of finished games, and why the file cannot be read.
fn state(server: &Server) -> (u64, String) {
    let shown = server.get("/api/matches/1");
    let fault = shown["fault"].as_str().unwrap_or_default().to_owned();
    (shown["finished"].as_u64().unwrap(), fault)
}

#[test]
fn a_match_is_followed_while_it_is_written() {
    let played = Played::new(["greedy", "random"]);
    played.write(2);
    let server = played.serve();
    assert_eq!(
        server.get("/api/matches")["matches"],
        json!([{"number": 1, "name": "match.jsonl"}])
    );
    let shown = server.get("/api/matches/1");
    assert_eq!(shown["title"], "greedy against random");
    assert_eq!((&shown["finished"], &shown["scheduled"]), (&json!(2), &json!(6)));
    assert_eq!(shown["summary"][0], "Games: 2 of 6 finished, 2 counted.");
    played.append(&played.lines[3]);
    assert_eq!(state(&server), (3, String::new()));
    // A line that is being written is not yet a game, and not an error.
    let (begun, rest) = played.lines[4].split_at(played.lines[4].len() / 2);
    played.append(begun);
    assert_eq!(state(&server), (3, String::new()));
    played.append(rest);
    played.append(&played.lines[5]);
    assert_eq!(state(&server), (5, String::new()));
    let headings = server.get("/api/matches/1")["sections"].take();
    let headings = headings.as_array().unwrap().iter().map(|section| section["heading"].clone());
    let headings: Vec<Value> = headings.collect();
    assert_eq!(headings, ["Crosstable", "Charts", "How games ended", "Conditions"]);
    // Only what is new is fetched.
    let titles = server.get("/api/matches/1/games?from=3");
    let games = played.lines[4..6].iter().map(|line| json::from_line(line.trim_end(), 1).unwrap());
    for (title, game) in titles["games"].as_array().unwrap().iter().zip(games) {
        assert_eq!(title["number"], game.number.unwrap().to_string());
        assert_eq!(title["result"], game.ending().unwrap().to_string());
        let path = format!("/api/matches/1/games/{}", title["number"].as_str().unwrap());
        let shown = server.get(&path);
        let letters: String = game.steps().iter().map(|step| step.played.letter()).collect();
        assert_eq!(shown["games"][0]["moves"], letters);
    }
    assert_eq!(titles["games"].as_array().unwrap().len(), 2);
    assert_eq!(server.get("/api/matches/1/games?from=5")["games"], json!([]));
    // Following has not changed the file.
    assert_eq!(played.folder.read("match.jsonl"), played.lines[..6].concat());
}

#[test]
fn events_report_that_a_file_has_changed() {
    let played = Played::new(["greedy", "random"]);
    played.write(1);
    let server = played.serve();
    let mut events = BufReader::new(server.send("GET", "/api/matches/1/events", "")).lines();
    let mut next_event =
        || events.find_map(|line| Some(line.unwrap().strip_prefix("data: ")?.to_owned()));
    // One event comes immediately, for changes that may have happened before.
    assert_eq!(next_event().as_deref(), Some("0"));
    played.append(&played.lines[2]);
    assert_eq!(next_event().as_deref(), Some("1"));
    assert_eq!(state(&server).0, 2);
}

/// What a follower of a file notices is a law of `kalah-arena`.
#[test]
fn damaged_and_missing_files_are_reported_until_they_are_repaired() {
    let played = Played::new(["greedy", "random"]);
    played.write(2);
    let server = played.serve();
    played.append(&played.lines[3].replace("\"moves\"", "\"mowes\""));
    let (finished, fault) = state(&server);
    assert_eq!(finished, 2);
    assert!(fault.contains("match.jsonl: line 4 is damaged: expected checksum "), "{fault}");
    assert_eq!(server.get("/api/matches/1")["generation"], 0);
    played.write(4);
    assert_eq!(state(&server), (4, String::new()));
    assert_eq!(server.get("/api/matches/1")["generation"], 1);
    fs::rename(played.path(), played.folder.path("moved")).unwrap();
    let (finished, fault) = state(&server);
    assert!(finished == 4 && fault.contains("cannot read "), "{finished} {fault}");
    fs::rename(played.folder.path("moved"), played.path()).unwrap();
    assert_eq!(state(&server), (4, String::new()));
}

// Windows allows no such names.
#[cfg(unix)]
#[test]
fn names_are_text() {
    let played = Played::new(["greedy", "random 'name=<b onclick=x>\u{202e}&\"'"]);
    let name = "<i>\u{202e}.jsonl";
    played.folder.write(name, played.lines.concat());
    let path = played.folder.path(name);
    let server = Server::start(&["--no-save", path.to_str().unwrap()]);
    let listed = server.get("/api/matches");
    assert_eq!(listed["matches"][0]["name"], "<i>\\u202e.jsonl");
    let shown = server.get("/api/matches/1");
    assert_eq!(shown["players"][1], "<b onclick=x>\\u202e&\"");
    for section in shown["sections"].as_array().unwrap() {
        let html = section["html"].as_str().unwrap();
        assert!(!html.contains("<b ") && !html.contains('\u{202e}'), "{html}");
        // The content security policy allows no styles in elements.
        assert!(!html.contains(" style=") && !html.contains("<script"), "{html}");
    }
    let crosstable = shown["sections"][0]["html"].as_str().unwrap();
    assert!(crosstable.contains("&lt;b onclick=x&gt;\\u202e&amp;&quot;"), "{crosstable}");
}

#[test]
fn requests_about_matches_are_bounded_and_checked() {
    let played = Played::new(["greedy", "random"]);
    played.write(6);
    let server = played.serve();
    for (path, status, error) in [
        ("/api/matches/2", 404, "no match 2: there is only one"),
        ("/api/matches/0", 404, "no match 0: there is only one"),
        ("/api/matches/x", 400, "x"),
        ("/api/matches/1/games/7", 404, "no finished game 7"),
        ("/api/matches/1/games?from=-1", 400, "from"),
        ("/api/files/1", 404, "no file 1: there are none"),
    ] {
        let message = server.refused("GET", path, "", status);
        assert!(message.contains(error), "{path}: {message}");
    }
    let mut watching = Vec::new();
    for _ in 0..32 {
        let mut events = BufReader::new(server.send("GET", "/api/matches/1/events", ""));
        let mut head = String::new();
        events.read_line(&mut head).unwrap();
        assert!(head.contains(" 200 "), "{head}");
        watching.push(events);
    }
    let message = server.refused("GET", "/api/matches/1/events", "", 503);
    assert_eq!(message, "too many watching pages (limit 32)");
}

#[test]
fn files_of_games_are_offered_and_counted_with_the_matches() {
    let played = Played::new(["greedy", "random"]);
    played.write(6);
    let folder = &played.folder;
    let resigned = "[Result \"1-0\"]\n[Termination \"resignation\"]\n\n1. C 1-0\n";
    folder.write("games.kgn", resigned);
    let positions = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S C\n<2,0,0,1,1,1,1> S\n";
    folder.write("positions.txt", positions);
    let files = ["games.kgn", "match.jsonl", "positions.txt"].map(|name| folder.path(name));
    let files = files.each_ref().map(|file| file.to_str().unwrap());
    let server = Server::start(&[&["--no-save"], &files[..]].concat());
    let listed = json!([
        {"number": 1, "name": "games.kgn", "games": 1},
        {"number": 2, "name": "positions.txt", "games": 2},
    ]);
    assert_eq!(server.get("/api/files")["files"], listed);
    let games = server.get("/api/files/2?from=1");
    assert_eq!((&games["games"][0]["name"], &games["games"][0]["moves"]), (&json!("2"), &json!(0)));
    assert_eq!(server.get("/api/files/1/1")["steps"][0]["pit"], "C");
    server.refused("GET", "/api/files/1/2", "", 404);
    // Each finished game counts: those of the match, and the one in the record.
    let start = "%3C6,0,0,4,4,4,4,4,4,4,4,4,4,4,4%3E%20S";
    let explored = server.get(&format!("/api/openings?position={start}"));
    let mut expected =
        [("C".to_owned(), (1, 1.0))].into_iter().collect::<std::collections::BTreeMap<_, _>>();
    for line in &played.lines[1..] {
        let game = json::from_line(line.trim_end(), 1).unwrap();
        let step = &game.steps()[0];
        let (games, points) = expected.entry(step.played.letter().to_string()).or_default();
        *games += 1;
        *points += f64::from(game.ending().unwrap().outcome.half_points(step.played.side)) / 2.0;
    }
    assert_eq!(explored["games"], 7);
    for shown in explored["moves"].as_array().unwrap() {
        let known = expected.remove(shown["pit"].as_str().unwrap()).unwrap_or_default();
        assert_eq!((&shown["games"], &shown["points"]), (&json!(known.0), &json!(known.1)));
    }
    assert!(expected.is_empty(), "{expected:?}");
}

#[test]
fn unreadable_files_are_refused_at_startup() {
    let folder = Folder::new();
    for (name, text, expected) in [
        ("missing.jsonl", None, "cannot read missing.jsonl: "),
        ("text.txt", Some("Hello, world"), "text.txt: line 1"),
        ("empty.kgn", Some(""), "empty.kgn: line 1, column 1: expected a game, got none"),
        ("match.jsonl", Some("{\"match\":{}}\n"), "match.jsonl: line 1: missing field"),
        ("torn.jsonl", Some("{\"match\":{"), "torn.jsonl: expected a whole line, got none"),
    ] {
        if let Some(text) = text {
            folder.write(name, text);
        }
        let Ran { code, errors, .. } = folder.run(&format!("serve --no-save {name}"));
        assert_eq!(code, Some(1), "{name}: {errors}");
        assert!(errors.starts_with(&format!("error: {expected}")), "{name}: {errors}");
    }
}
