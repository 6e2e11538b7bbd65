//! `kalah convert` and `kalah replay` from outside.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn kalah(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
    command.current_dir(directory).args(arguments).output().expect("kalah starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_match_converts_to_kgn_and_back_without_loss() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let played =
        ["match", "-o", "m.jsonl", "-e", "kalah nodes=200", "-e", "greedy", "--pairs", "3"];
    assert!(kalah(at, &played).status.success());
    assert!(kalah(at, &["convert", "m.jsonl", "-o", "m.kgn"]).status.success());
    let back = text(&kalah(at, &["convert", "m.kgn"]).stdout);
    let original = fs::read_to_string(at.join("m.jsonl")).unwrap();
    let games: Vec<_> = original.lines().skip(1).collect();
    assert_eq!(back.lines().collect::<Vec<_>>(), games);
}

#[test]
fn a_game_is_replayed_in_sentences_and_listed() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let record = "[South \"Ann\"]\n[North \"Bob\"]\n1. CF {+0.50/12 0.012s; bold} b *\n";
    fs::write(at.join("g.kgn"), record).unwrap();
    let shown = text(&kalah(at, &["replay", "g.kgn", "--plain"]).stdout);
    assert!(shown.starts_with("Ann (South) - Bob (North), unfinished, 3 moves"), "{shown}");
    assert!(shown.contains("2. South sowed F"), "{shown}");
    assert!(shown.contains("[expects +0.50, depth 12, 0.012 s, bold]"), "{shown}");
    let drawn = text(&kalah(at, &["replay", "g.kgn", "--ascii"]).stdout);
    assert!(drawn.lines().count() > shown.lines().count() + 12, "{drawn}");
    let list = text(&kalah(at, &["replay", "g.kgn", "--list"]).stdout);
    assert_eq!(list, "    1  Ann (South) - Bob (North), unfinished, 3 moves\n");
    let none = kalah(at, &["replay", "g.kgn", "--game", "2"]);
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn damaged_files_are_errors_with_their_line() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for (content, message) in [
        (&b"1. C\nx y"[..], "g.kgn: line 2, column 1: move 2"),
        (&b"{\"match\":{}}\n{\"south\":\n"[..], "g.kgn: line 2, column"),
        (&b"1. C \xff"[..], "expected UTF-8 text, got other bytes at byte 5"),
    ] {
        fs::write(at.join("g.kgn"), content).unwrap();
        for command in ["convert", "replay"] {
            let output = kalah(at, &[command, "g.kgn"]);
            assert_eq!(output.status.code(), Some(1));
            assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
        }
    }
    let missing = kalah(at, &["convert", "nothing.kgn"]);
    assert!(text(&missing.stderr).contains("cannot read nothing.kgn"));
}
