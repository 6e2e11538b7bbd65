//! Matches end properly whatever the engines do, and lose no games.

mod engines;
mod files;
mod plans;
mod results;

use std::env::consts::EXE_EXTENSION;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use kalah_record::{Game, Outcome, Reason, json};

use crate::folder::{Folder, Ran};

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

/// The games in the file of a match.
fn games(folder: &Folder, file: &str) -> Vec<Game> {
    let text = folder.read(file);
    let lines = text.lines().enumerate().skip(1);
    lines.map(|(index, line)| json::from_line(line, index + 1).expect("a game")).collect()
}

/// Plays pairs of games of the scripted engine against a random player. Unless the words limit its
/// time, it is limited by depth, because a busy machine may be late.
fn play_against_random(words: &str, more: &str) -> (Vec<Game>, Ran) {
    let folder = Folder::new();
    let limited = format!("{words} depth=1");
    let is_timed = words.contains("movetime=") || words.contains("tc=");
    let words = if is_timed { words } else { &limited };
    let pairs = if more.contains("--pairs") { "" } else { "--pairs 1" };
    let mut arguments = vec!["match", "-o", "x.jsonl", "-e", words, "-e", "random"];
    arguments.extend(more.split_whitespace().chain(pairs.split_whitespace()));
    let ran = folder.run_words(&arguments);
    (games(&folder, "x.jsonl"), ran)
}

/// Checks that the bad engine loses every game for `reason` and that the match continues.
/// Returns the games.
fn assert_loses(behaviour: &str, words: &str, reason: Reason) -> Vec<Game> {
    let words = format!("{} {words}", scripted_words(behaviour));
    // Only a hanging program may miss the deadline, even on a busy machine.
    let timeout = if behaviour == "hang-at-isready" { "1" } else { "30" };
    let (games, ran) = play_against_random(&words, &format!("--start-timeout {timeout}"));
    // A player that is never ready is an error, although every game has a result.
    assert_eq!(ran.code == Some(0), reason != Reason::NoStart, "{}", ran.errors);
    assert_eq!(games.len(), 2, "{behaviour}");
    for game in &games {
        let ending = game.ending().expect("an ending");
        assert_eq!(ending.reason, reason, "{behaviour}: {:?}", ending.detail);
        let Outcome::Won(winner) = ending.outcome else { panic!("a winner") };
        assert_eq!(game.players[winner.index()].name, "random");
        assert!(ending.detail.as_ref().is_some_and(|detail| !detail.is_empty()));
    }
    let failures = format!("bad lost games by failure: 2 {reason}");
    assert!(ran.shown.contains(&failures), "{}", ran.shown);
    games
}

/// A reproducible match of this engine against itself. Building endgame tables would take
/// longer than the games.
const DETERMINISTIC: &str = "match \
    -e 'kalah name=a nodes=300 option.Hash=1 option.TableSeeds=0' \
    -e 'kalah name=b nodes=150 option.Hash=1 option.TableSeeds=0' --pairs 12 --seed 5";

fn deterministic(folder: &Folder, more: &str) -> Ran {
    folder.run(&format!("{DETERMINISTIC} {more}"))
}

/// A match that is killed at the end of its test, however the test ends.
struct Running(Option<Child>);

impl Running {
    fn new(command: &mut std::process::Command) -> Self {
        Self(Some(command.spawn().expect("kalah starts")))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it has not been waited for")
    }

    /// Waits until the match has written this many lines to its file.
    fn wait_for_lines(&mut self, file: &Path, lines: usize) {
        let started = Instant::now();
        while fs::read_to_string(file).map_or(0, |text| text.lines().count()) < lines {
            assert!(self.child().try_wait().expect("a child").is_none(), "the match has ended");
            assert!(started.elapsed() < crate::PATIENCE, "no {lines} lines in the file");
            sleep(Duration::from_millis(5));
        }
    }

    fn kill(&mut self) {
        self.child().kill().expect("a child");
        self.child().wait().expect("a child");
    }

    fn finish(mut self) -> Ran {
        self.0.take().expect("a child").wait_with_output().expect("kalah ends").into()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
