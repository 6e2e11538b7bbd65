//! The configuration of a match: players, openings, the schedule and the ids of its games.

use std::collections::BTreeSet;
use std::fs;

use kalah_record::Game;
use serde_json::Value;

use super::{games, scripted};
use crate::folder::{Folder, Ran};

/// Plays a match in a new folder with `openings` in its file of openings. Returns the
/// configuration in the match file and the games.
fn played(openings: &str, options: &str) -> (Value, Vec<Game>) {
    let folder = Folder::new();
    folder.write("openings.txt", openings);
    folder.shown(&format!("match -q -o x.jsonl {options}"));
    let whole = folder.read("x.jsonl");
    let mut header: Value = serde_json::from_str(whole.lines().next().unwrap()).unwrap();
    (header["match"].take(), games(&folder, "x.jsonl"))
}

const RANDOM: &str = "-e 'random name=p0' -e 'random name=p1'";

/// The error message of a refused match.
fn refused(options: &str) -> String {
    let ran = Folder::new().run(&format!("match -o x.jsonl {options}"));
    assert_eq!(ran.code, Some(2), "{options}");
    ran.errors.trim_end().to_owned()
}

#[test]
fn levels_are_players_and_a_match_without_a_file_name_chooses_one() {
    let folder = Folder::new();
    let ran = folder.run(
        "match -q -e level=starter -e 'name=strong nodes=50 elo=1200' --pairs 2 --seed 1 \
         --each 'depth=3 name=other'",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let name = ran.errors.split("written to ").nth(1).expect("a name").trim().trim_end_matches('.');
    let config = folder.read(name).lines().next().expect("a configuration").to_owned();
    for part in ["\"starter\"", "\"UCI_Elo\":\"135\"", "\"strong\"", "\"UCI_Elo\":\"1200\""] {
        assert!(config.contains(part), "{part}: {config}");
    }
    let error = folder.run("match -e level=godlike -e random -o x.jsonl").errors;
    assert!(error.contains("--engine 'level=godlike': expected a level: 'starter'"), "{error}");
    let error = folder.run("match -e 'random level=club' -e random -o x.jsonl").errors;
    assert!(error.contains("expected no 'level=club' with 'random'"), "{error}");
    let error = folder.run("match -e 'cmd=./x level=club' -e random -o x.jsonl").errors;
    assert!(error.contains("expected no level= or elo= with cmd=, got 'cmd=./x "), "{error}");
    let error = folder.run("match -e 'level=club elo=1200' -e random -o x.jsonl").errors;
    assert!(
        error.contains("expected one strength in 'level=club elo=1200', got several"),
        "{error}"
    );
    let error = folder.run("match -e kalah -e random --each elo=1200 -o x.jsonl").errors;
    assert!(error.contains("expected a strength in --engine, got 'elo=1200' in --each"), "{error}");
    folder.shown("match -q -o q.jsonl -e 'nodes=9 kalah level=club name=\"a  b\"' -e random -p 1");
    let error = folder.run("match -e elo=9999 -e random -o x.jsonl").errors;
    assert!(error.contains("expected elo=0 to elo=1450"), "{error}");
    // One player wins everything, which gives no rating.
    let lost =
        folder.shown("match -q -o s.jsonl -e random -e level=perfect --each nodes=2000 -p 2");
    assert!(lost.contains("Too few games for a rating."), "{lost}");
}

#[cfg(unix)]
#[test]
fn a_program_is_named_after_its_file_and_gets_every_argument() {
    let folder = Folder::new();
    let path = folder.path("x.sh");
    std::os::unix::fs::symlink(scripted(), &path).unwrap();
    let program = format!("'cmd={}' arg=good arg=1", path.display());
    let (config, _) = played("", &format!("-e \"{program}\" -e random -p 1"));
    let player = &config["players"][0];
    assert_eq!(player["name"], "x");
    assert_eq!(player["kind"]["process"]["arguments"].to_string(), r#"["good","1"]"#);
}

/// What is refused and why is stated in the laws of `kalah-arena`; here, each option reaches them.
#[test]
fn refusals_name_their_option_and_quote_the_word() {
    for (options, option, got) in [
        ("-e random", "", "got 1"),
        ("-e random -e random", "", "got 'random' twice"),
        ("-e 'kalah ndoes=3'", "--engine", "got 'ndoes=3'"),
        ("-e random -e greedy --each ndoes=3", "--engine", "got 'ndoes=3'"),
        ("-e random -e greedy --shard 0/2", "--shard", "got '0/2'"),
        ("-e random -e greedy --sprt elo2=3", "--sprt", "got 'elo2=3'"),
        ("-e random -e greedy --adjudicate-resign moves=0", "--adjudicate-resign", "got 'moves=0'"),
        ("-e random -e greedy --adjudicate-draw score=x", "--adjudicate-draw", "got 'score=x'"),
    ] {
        let message = refused(options);
        assert!(message.contains(option) && message.contains(got), "{options}: {message}");
    }
}

#[test]
fn options_reach_the_configuration_of_the_file() {
    let options = "-p 3 --format gauntlet --move-limit 5 --adjudicate-majority --event x \
        --adjudicate-resign 'score=0.5 moves=6 after=20 twosided=true' \
        --adjudicate-draw 'score=1 moves=2' --margin 7ms --seed 9";
    let (config, games) = played("", &format!("{RANDOM} {options}"));
    let rules = serde_json::json!({"majority": true, "move_limit": 5,
        "resign": {"after": 20, "moves": 6, "score": 50, "twosided": true},
        "draw": {"moves": 2, "score": 100}});
    assert_eq!(config["adjudication"], rules);
    assert_eq!((&config["format"], &config["event"]), (&"gauntlet".into(), &"x".into()));
    assert_eq!((&config["seed"], &config["timing"]["margin"]), (&9.into(), &7.into()));
    assert_eq!(games.len(), 6);
}

/// The openings in the configuration of a match that reads them from a file.
fn openings(lines: &str, more: &str) -> Vec<Value> {
    let options = format!("{RANDOM} --openings openings.txt -p 20 {more}");
    let (mut config, _) = played(lines, &options);
    config["openings"].as_array_mut().map(std::mem::take).unwrap()
}

#[test]
fn errors_in_openings_report_their_place() {
    let folder = Folder::new();
    for (lines, message) in [
        ("C\nCG", "line 2, column 2: expected a pit's letter, A to F, got 'G'"),
        ("<2,0,0> S", "line 1: expected 7 numbers for 2 pits per row, got 3"),
        ("<2,1,2,0,0,1,1> S", "got a finished game"),
    ] {
        folder.write("openings.txt", lines);
        let Ran { code, errors, .. } =
            folder.run("match -o x.jsonl -e random --openings openings.txt");
        assert_eq!(code, Some(2), "{lines}");
        assert!(errors.trim_end().ends_with(message), "{lines}: {errors}");
    }
}

#[test]
fn options_without_effect_are_refused() {
    for (more, message) in [
        ("--shard 3/3", "--shard: expected at most 2 parts, one per pair"),
        ("--logs x", "--logs: expected a player with cmd=, got none"),
        ("--start-timeout 1s", "--start-timeout: expected a player with cmd=, got none"),
    ] {
        let got = refused(&format!("{RANDOM} -p 2 {more}"));
        assert_eq!(got, format!("error: {message}"));
    }
}

#[test]
fn openings_that_differ_from_the_request_are_reported() {
    let report = |more: &str| {
        let board = "--pits 2 --seeds 2";
        let ran = Folder::new().run(&format!("match -o x.jsonl {board} {RANDOM} {more}"));
        assert_eq!(ran.code, Some(0), "{}", ran.errors);
        ran.errors
    };
    let repeated = report("--random-plies 1 -p 3");
    assert!(repeated.contains("2 openings for 3 pairs: openings are reused"), "{repeated}");
    let short = report("--random-plies 40 -p 1");
    assert!(short.contains("1 of 1 openings have fewer than 40 moves"), "{short}");
}

#[test]
fn options_for_the_board_must_agree_with_the_openings() {
    let folder = Folder::new();
    let start = "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S";
    folder.write("six.txt", format!("\u{feff}{start} CA\r\n"));
    let play = format!("match -o x.jsonl --openings six.txt -p 1 {RANDOM}");
    for (more, fits) in
        [("--seeds 4", false), ("--pits 4", false), ("--capture empty-capture", true)]
    {
        let ran = folder.run(&format!("{play} {more}"));
        // The rule is not part of a position, so it applies to every line.
        assert_eq!(ran.code == Some(0), fits, "{more}");
        let is_named = ran.errors.contains("--openings, line 1: expected a position");
        assert_eq!(is_named, !fits, "{more}");
        let _ = fs::remove_file(folder.path("x.jsonl"));
    }
    folder.shown(&format!("{play} --seeds 6"));
    let both = refused(&format!("{RANDOM} --position '{start}' --seeds 6"));
    assert!(both.contains("cannot be used with"), "{both}");
}

#[test]
fn a_shuffle_keeps_every_opening() {
    let lines: Vec<_> = "ABCDEF"
        .chars()
        .flat_map(|one| "ab".chars().map(move |two| format!("{one}{two}")))
        .collect();
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.starts_with('C')).collect();
    let lines = lines.join("\n");
    let [whole, shuffled] = ["", "--shuffle --seed 3"].map(|more| openings(&lines, more));
    assert_ne!(shuffled, whole);
    let texts = |openings: &[Value]| openings.iter().map(Value::to_string).collect::<BTreeSet<_>>();
    assert_eq!(texts(&shuffled), texts(&whole));
}
