//! Games that the server saves and the terminal continues.

use std::ffi::OsString;
use std::fs;

use serde_json::json;

use super::Server;
use crate::folder::{Folder, Ran};

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
        "south": "human", "north": "depth=4", "position": "<4,30,0,2,2,2,2,2,2,2,2> S", "clock": "5+3",
        "flag": true, "pie_rule": true,
    });
    let mut record = server.post("/api/new", &wanted)["record"].clone();
    record["moves"] = json!([{ "pit": "A", "us": 1_000_000 }]);
    // The engine swaps sides, because it expects to lose.
    let name = "1.kgn";
    let swap = json!({ "record": record, "name": name, "intent": "reply" });
    let swapped = server.post("/api/play", &swap);
    let path = format!("/api/saved/{name}");

    let listed = server.get("/api/saved");
    let game = &listed["games"][0];
    assert_eq!(game["players"], json!(["kalah, depth=4", "you"]));
    assert_eq!((&game["name"], &game["moves"]), (&name.into(), &1.into()));
    assert_eq!((&game["result"], &game["unfinished"]), (&"unfinished".into(), &true.into()));
    assert!(output(&folder, "games", "").contains("kalah, depth=4 against you"));
    let shown = output(&folder, "play --resume", "save\nquit\n");
    assert!(shown.contains("South (depth=4) against North (you), 2 moves"), "{shown}");

    // The terminal has saved it again.
    let loaded = server.get(&path);
    assert_eq!(loaded["names"], json!({ "S": "kalah, depth=4", "N": "you" }));
    assert_eq!(loaded["clock"]["left"], json!({ "S": 300.0, "N": 302.0 }));
    assert_eq!((&loaded["clock"]["flag"], &loaded["swapped_after"]), (&true.into(), &1.into()));
    assert_eq!(loaded["record"]["tags"], swapped["saved"]["tags"]);
    let files = fs::read_dir(folder.root()).unwrap().map(|file| file.unwrap().file_name());
    let games: Vec<OsString> =
        files.filter(|file| file.as_encoded_bytes().ends_with(b".kgn")).collect();
    assert_eq!(games, [name]);
}
