//! Matches end properly whatever the engines do, and lose no games.

mod counting;
mod engines;
mod files;
mod plans;
mod results;

use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kalah_record::{Game, Outcome, Reason, json};

const KALAH: &str = env!("CARGO_BIN_EXE_kalah");

/// The engine of `examples/scripted_engine.rs`, which `cargo test` builds.
fn scripted() -> PathBuf {
    let mut path = std::env::current_exe().expect("the test's own path");
    path.pop();
    path.pop();
    let path = path.join("examples").join("scripted_engine").with_extension(EXE_EXTENSION);
    assert!(path.exists(), "{} is missing: cargo build --workspace --examples", path.display());
    path
}

fn scripted_words(behaviour: &str) -> String {
    format!("cmd={} name=bad arg={behaviour}", scripted().display())
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = crate::kalah();
    command.current_dir(directory).args(arguments).stdin(Stdio::null());
    command
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments).output().expect("kalah starts")
}

/// Output, with Unix paths on every system.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace(MAIN_SEPARATOR, "/")
}

/// The games in the file of a match.
fn games(path: &Path) -> Vec<Game> {
    let text = fs::read_to_string(path).expect("a file of games");
    let lines = text.lines().enumerate().skip(1);
    lines.map(|(index, line)| json::from_line(line, index + 1).expect("a game")).collect()
}

/// Plays pairs of games of the scripted engine against a random player. Unless the words limit its
/// time, it is limited by depth, because a busy machine may be late.
fn play_against_random(words: &str, more: &[&str]) -> (Vec<Game>, Output) {
    let directory = tempfile::tempdir().expect("a directory");
    let limited = format!("{words} depth=1");
    let is_timed = words.contains("movetime=") || words.contains("tc=");
    let words = if is_timed { words } else { &limited };
    let mut arguments = vec!["match", "-o", "x.jsonl", "-e", words, "-e", "random"];
    arguments.extend(more);
    if !more.contains(&"--pairs") {
        arguments.extend(["--pairs", "1"]);
    }
    let output = run(directory.path(), &arguments);
    (games(&directory.path().join("x.jsonl")), output)
}

/// Checks that the bad engine loses every game for `reason` and that the match continues.
/// Returns the games.
fn assert_loses(behaviour: &str, words: &str, reason: Reason) -> Vec<Game> {
    let words = format!("{} {words}", scripted_words(behaviour));
    // Only a hanging program may miss the deadline, even on a busy machine.
    let timeout = if behaviour == "hang-at-isready" { "1" } else { "30" };
    let (games, output) = play_against_random(&words, &["--start-timeout", timeout]);
    // A player that is never ready is an error, although every game has a result.
    assert_eq!(output.status.success(), reason != Reason::NoStart, "{}", text(&output.stderr));
    assert_eq!(games.len(), 2, "{behaviour}");
    for game in &games {
        let ending = game.ending().expect("an ending");
        assert_eq!(ending.reason, reason, "{behaviour}: {:?}", ending.detail);
        let Outcome::Won(winner) = ending.outcome else { panic!("a winner") };
        assert_eq!(game.players[winner.index()].name, "random");
        assert!(ending.detail.as_ref().is_some_and(|detail| !detail.is_empty()));
    }
    let summary = text(&output.stdout);
    assert!(summary.contains(&format!("bad lost games by failure: 2 {reason}")), "{summary}");
    games
}

/// A reproducible match of this engine against itself. Building endgame tables would take
/// longer than the games.
const DETERMINISTIC: [&str; 9] = [
    "match",
    "-e",
    "kalah name=a nodes=300 option.Hash=1 option.TableSeeds=0",
    "-e",
    "kalah name=b nodes=150 option.Hash=1 option.TableSeeds=0",
    "--pairs",
    "12",
    "--seed",
    "5",
];

fn deterministic(directory: &Path, more: &[&str]) -> Output {
    run(directory, &[&DETERMINISTIC, more].concat())
}
