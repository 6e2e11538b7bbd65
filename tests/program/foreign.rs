//! Control characters in records, arguments, file names and answers never reach a terminal.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
#[cfg(feature = "kgp")]
use std::{
    io::Read,
    net::{Shutdown, TcpListener},
};

use kalah_game::{Pit, Position, Rules, Side};
use kalah_record::{Ending, Game, Move, Player, Reason, json, kgn};

/// An escape sequence that sets the title, a bell, a colour with a C1 control, a bidirectional
/// override, a carriage return, an isolate, two directional marks, DEL, and text that looks like a
/// JSON escape.
const HOSTILE: &str =
    "a\u{1b}]0;pwn\u{7}b\u{9b}31mc\u{202e}d\re\u{2066}f\u{200f}g\u{61c}h\u{7f}i\\u0041";

/// A folder for pages.
const PAGE: &str = "\u{1b}page";

fn hostile_game() -> Game {
    let text = || HOSTILE.to_owned();
    let options = [("Option".to_owned(), text())].into();
    let player = Player { name: text(), version: Some(text()), limit: Some(text()), options };
    let mut game = Game::new(Position::start(Rules::default()), [player.clone(), player]);
    (game.event, game.opening, game.id) = (Some(text()), Some(text()), Some(text()));
    (game.date, game.warnings) = (Some(text()), vec![text()]);
    game.tags.insert("Tag".to_owned(), text());
    let comment = Some(HOSTILE.replace('\r', ""));
    game.play(Move { comment, ..Move::new(Pit::new(2)) }).unwrap();
    let mut ending = Ending::lost_by(Side::South, Reason::Crash, Some(text()));
    ending.margin = None;
    game.finish(ending).unwrap();
    game
}

/// The output of a command, in which there must be no character that a terminal obeys.
fn shown(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = crate::kalah();
    command.current_dir(folder).args(arguments).env("RUST_LOG", "debug");
    command.env("XDG_STATE_HOME", "/dev/null");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { stdout, stderr, .. } = child.wait_with_output().unwrap();
    let output = String::from_utf8([stdout, stderr].concat()).unwrap();
    assert_harmless(&output, arguments);
    output
}

fn assert_harmless(text: &str, source: &[&str]) {
    let is_harmful = |c: char| {
        (c.is_control() && c != '\n' && c != '\t') || "\u{202e}\u{2066}\u{200f}\u{61c}".contains(c)
    };
    let found = text.find(is_harmful);
    assert_eq!(found, None, "{source:?}: {text:?}");
}

/// A record in which the control characters are not escaped.
fn raw_kgn(game: &Game) -> String {
    let controls = HOSTILE.chars().filter(|c| c.is_control() || *c as u32 >= 0x7f);
    controls.filter(|&c| c != '\r').fold(kgn::write(game), |text, c| {
        text.replace(&format!("\\u{:04x}", c as u32), &c.to_string())
    })
}

#[test]
fn no_command_shows_a_control_character_of_a_record_or_a_file_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let game = hostile_game();
    let file = |suffix: &str| format!("{HOSTILE}{suffix}");
    let [kgn_file, json_file, damaged, games] =
        [".kgn", ".jsonl", "-damaged.kgn", "-games"].map(file);
    let (kgn_file, json_file, games) = (&*kgn_file, &*json_file, &*games);
    fs::write(at.join(kgn_file), raw_kgn(&game)).unwrap();
    fs::write(at.join(json_file), json::to_line(&game) + "\n").unwrap();
    fs::write(at.join(&damaged), format!("1. C {HOSTILE}")).unwrap();
    fs::create_dir(at.join(games)).unwrap();
    for name in [kgn_file, &damaged] {
        fs::copy(at.join(name), at.join(games).join(name)).unwrap();
    }
    let mut unfinished = game.clone();
    unfinished.take_ending();
    fs::write(at.join(games).join("unfinished.kgn"), raw_kgn(&unfinished)).unwrap();
    let play = "moves\nboard\nsave\nanalyse\nfirst\nforward\nquit\n";
    for (arguments, input) in [
        (&["replay", kgn_file][..], ""),
        (&["replay", json_file, "--plain"], ""),
        (&["replay", json_file, "--ascii"], ""),
        (&["replay", kgn_file, "--list"], ""),
        (&["replay", kgn_file, "--report", games], ""),
        (&["convert", kgn_file], ""),
        (&["convert", json_file], ""),
        (&["convert", json_file, "--to", "json"], ""),
        (&["games", "--games", games], ""),
        (&["games", "1", "--games", games], ""),
        (&["games", "2", "--games", games, "--plain"], ""),
        (&["play", "--no-save", "--load", kgn_file], play),
        (&["play", "--resume", "--games", games, "--time", "10ms"], play),
        (&["play", "--no-save"], &format!("load {json_file}\nload {damaged}\n{HOSTILE}\nquit\n")),
        (&["puzzles", "--make", &damaged], ""),
        (&[], &format!("setoption name BookFile value {damaged}\n{HOSTILE}\nquit\n")),
        (&["convert", kgn_file, "--out", json_file], ""),
        (&["convert", kgn_file, "--out", HOSTILE], ""),
    ] {
        let output = shown(at, arguments, input);
        assert!(
            output.contains("\\u001b") || output.contains("\\u{1b}"),
            "{arguments:?}: {output}"
        );
    }
    let page = fs::read_to_string(at.join(games).join("index.html")).unwrap();
    assert_harmless(&page, &["page"]);
}

#[test]
fn no_error_shows_a_control_character_of_an_argument_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [good, damaged] = [".jsonl", "-damaged.kgn"].map(|suffix| format!("{HOSTILE}{suffix}"));
    fs::write(at.join(&good), json::to_line(&hostile_game()) + "\n").unwrap();
    fs::write(at.join(&damaged), format!("1. C {HOSTILE}")).unwrap();
    for arguments in [
        &["replay", &damaged][..],
        &["replay", HOSTILE],
        &["replay", &good, HOSTILE],
        &["convert", &damaged],
        &["match", "merge", &good, &damaged],
        &["match", "-o", HOSTILE, "-e", HOSTILE],
        &["match", "-o", HOSTILE, "-e", &format!("'cmd={HOSTILE}'"), "-e", "random"],
        &["match", "--openings", HOSTILE, "-o", "x", "-e", "random", "-e", "greedy"],
        &["tables", "verify", HOSTILE],
        &["solve", HOSTILE],
        &["play", "--load", HOSTILE],
        &["play", "--games", HOSTILE, "--resume"],
        &["kgp", "--token-file", HOSTILE],
    ] {
        let output = shown(at, arguments, "");
        assert!(output.contains("\\u009b"), "{arguments:?}: {output}");
    }
}

#[test]
fn no_match_shows_a_control_character_of_a_name_or_an_engine() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let script = format!(
        "while read line; do case $line in uci) echo 'id name {HOSTILE}'; echo uciok;; \
         isready) echo readyok;; go*) echo '{HOSTILE}'; echo 'bestmove {HOSTILE}';; esac; done"
    );
    fs::write(at.join("engine.sh"), script).unwrap();
    let engine = format!("'name={HOSTILE}' cmd=sh arg=engine.sh");
    let two = ["match", "-o", HOSTILE, "-e", &engine, "-e", "random", "--event", HOSTILE];
    let pairs = ["--pairs", "1", "--report", PAGE];
    for arguments in [
        &[&two[..], &pairs].concat(),
        &[&["match", "-o", "3.jsonl", "-e", "greedy"], &two[3..], &pairs].concat(),
        &["match", "-o", HOSTILE, "--resume"],
        &["match", "merge", HOSTILE, "--report", PAGE],
        &["replay", HOSTILE, "--report", PAGE],
        &["replay", HOSTILE],
    ] as [&[&str]; 6]
    {
        assert!(shown(at, arguments, "").contains("\\u001b"), "{arguments:?}");
        if arguments.contains(&PAGE) {
            assert_harmless(
                &fs::read_to_string(at.join(PAGE).join("index.html")).unwrap(),
                arguments,
            );
        }
    }
}

#[test]
fn control_characters_survive_every_conversion() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let original = json::to_line(&hostile_game());
    fs::write(at.join("original.jsonl"), &original).unwrap();
    let first = shown(at, &["convert", "original.jsonl"], "");
    fs::write(at.join("first.kgn"), first).unwrap();
    let second = shown(at, &["convert", "first.kgn"], "");
    assert_eq!(json::from_line(second.trim_end(), 1).unwrap(), hostile_game());
}

#[cfg(feature = "kgp")]
#[test]
fn no_client_shows_a_control_character_of_a_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let server = std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let text = HOSTILE.replace('\r', "");
        let lines = ["error ", "set info:comment ", "kgp ", ""].map(|line| {
            let quoted = text.replace('\u{1b}', "");
            format!("{line}\"{text}\"\r\n{line}\"{quoted}\"\r\n")
        });
        client.write_all(lines.concat().as_bytes()).unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        let _ = client.read_to_end(&mut Vec::new());
    });
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["kgp", "--host", "127.0.0.1", "--port", &port, "--retries", "0"];
    let output = shown(folder.path(), &arguments, "");
    assert!(output.contains("pwn"), "{output}");
    server.join().unwrap();
}
