//! The configuration of a match: players, openings, the schedule and the ids of its games.

use std::collections::{BTreeSet, HashSet};
use std::fs;

use kalah_game::Side;
use kalah_record::{Game, Outcome, json};
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

/// A match of this many random players.
fn random(players: usize, more: &str) -> Vec<Game> {
    let players: String =
        (0..players).map(|player| format!("-e 'random name=p{player}' ")).collect();
    played("", &format!("{players} --random-plies 4 {more}")).1
}

/// The error message of a refused match.
fn refused(options: &str) -> String {
    let ran = Folder::new().run(&format!("match -o x.jsonl {options}"));
    assert_eq!(ran.code, Some(2), "{options}");
    ran.errors.trim_end().to_owned()
}

/// The error message for a value of an option, whatever else is missing.
fn refused_value(option: &str, value: &str) -> String {
    let got = refused(&format!("{option} '{value}'"));
    assert!(got.starts_with(&format!("error: invalid value '{value}' for '{option} ")), "{got}");
    got
}

#[test]
fn words_make_players() {
    let own = "kalah name='two words' option.Hash=8 nodes=5";
    let program = format!("cmd={} arg=good proto=ugi tc=40/10+0.1", scripted().display());
    let all = "kalah depth=3 nodes=5 movetime=250 tc=40/1.5+0.1";
    let players = format!("-e \"{own}\" -e '{program}' -e '{all}'");
    let (config, games) = played("", &format!("{players} --each 'depth=3 nodes=1000' -p 1"));
    let players = &config["players"];
    assert_eq!(players[0]["name"], "two words");
    assert_eq!(players[0]["options"]["Hash"], "8");
    // A player's own words override the common ones.
    assert_eq!(players[0]["allowance"].to_string(), r#"{"depth":3,"nodes":5}"#);
    assert_eq!(players[1]["name"], "scripted_engine");
    let program = &players[1]["kind"]["process"];
    assert_eq!(
        (program["arguments"].to_string(), &program["protocol"]),
        ("[\"good\"]".into(), &"ugi".into())
    );
    let limits: BTreeSet<_> =
        games.iter().flat_map(|game| &game.players).map(|p| p.limit.as_deref()).collect();
    let [first, second, third] =
        ["depth=3 nodes=5", "depth=3 nodes=1000 40/10s+0.1s", "depth=3 nodes=5 250ms 40/1.5s+0.1s"];
    assert_eq!(limits, [Some(first), Some(second), Some(third)].into());
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

#[test]
fn limits_keep_the_names_and_the_order_of_files() {
    let folder = Folder::new();
    let player = "kalah depth=3 nodes=5 movetime=250 tc=40/1.5+0.1";
    folder.shown(&format!("match -o x.jsonl -e '{player}' -e random -p 1"));
    let file = folder.read("x.jsonl");
    let player = r#"{"name":"kalah","kind":"kalah","allowance":{"nodes":5,"depth":3,"movetime":250,"clock":{"base":1500,"increment":100,"moves":40}}}"#;
    assert!(file.contains(player), "{file}");
}

#[test]
fn unknown_words_are_quoted() {
    for (words, message) in [
        ("", "expected 'kalah', 'random', 'greedy' or cmd=PATH in ''"),
        ("kalah cmd=x", "expected 'kalah', 'random', 'greedy' or cmd=PATH in 'kalah cmd=x'"),
        ("stockfish", "option.NAME=, got 'stockfish'"),
        ("kalah ndoes=3", "got 'ndoes=3'"),
        ("kalah nodes=0", "nodes: expected a number of at least 1, got '0'"),
        ("kalah depth=501", "depth: expected a depth from 1 to 500, got '501'"),
        ("kalah tc=-1", "as in 0.1+0.01 or 40/10s+100ms, got '-1'"),
        ("kalah tc=0/1", "got '0/1'"),
        ("kalah proto=xboard", "proto: expected uci or ugi, got 'xboard'"),
        ("kalah arg=x", "expected no 'arg=x' with 'kalah'"),
        ("kalah 'option.random seed=5'", "expected no 'option.random seed=5' with 'kalah'"),
        ("kalah random", "expected one kind of player in 'kalah random', got several"),
        ("kalah nodes=5 nodes=7", "expected one nodes in 'kalah nodes=5 nodes=7', got several"),
        ("kalah proto=ugi", "expected no 'proto=ugi' with 'kalah'"),
        ("random nodes=5", "expected no 'nodes=5' with 'random'"),
        ("greedy option.Hash=1", "expected no 'option.Hash=1' with 'greedy'"),
        ("kalah name='x", "expected a closing quote in kalah name='x"),
    ] {
        let got = refused(&format!("-e \"{words}\""));
        assert!(got.ends_with(message), "{words}: {got}");
    }
}

#[test]
fn impossible_matches_are_refused() {
    assert!(refused("-e random").ends_with("expected at least two players, got 1"));
    assert!(refused("-e random -e random").contains("got 'random' twice"));
    for wrong in ["0/2", "3/2", "1", "a/b", "1/0"] {
        refused_value("--shard", wrong);
    }
    let tests = ["elo0", "elo0=x", "elo2=3", "model=bayes", "elo0=5 elo1=5", "elo1=NaN", "alpha=2"];
    for wrong in [&tests[..], &["alpha=0.6 beta=0.5"]].concat() {
        refused_value("--sprt", wrong);
    }
    assert!(refused_value("--sprt", "alpha=0").contains("got 0 and 0.05"));
}

#[test]
fn rules_for_scores_are_checked() {
    for (words, quoted) in [
        ("", "expected moves=N and score=SEEDS, got ''"),
        ("moves=3", "got 'moves=3'"),
        ("moves=0 score=1", "got 'moves=0'"),
        ("moves=3 score=-1", "got 'score=-1'"),
        ("moves=3 score=NaN", "got 'score=NaN'"),
        ("moves=3 score=1 move=2", "or twosided, got 'move=2'"),
    ] {
        for option in ["--adjudicate-resign", "--adjudicate-draw"] {
            let message = refused(&format!("{RANDOM} {option} '{words}'"));
            assert!(message.contains(quoted) && message.contains(option), "{message}");
        }
    }
    let rule = "score=0.5 moves=6 after=20 twosided=true";
    let (config, _) = played("", &format!("{RANDOM} -p 1 --adjudicate-resign '{rule}'"));
    let stored = r#"{"majority":false,"resign":{"after":20,"moves":6,"score":50,"twosided":true}}"#;
    assert_eq!(config["adjudication"].to_string(), stored);
}

#[test]
fn every_pair_has_one_opening_and_swapped_sides() {
    let (all, first) = ([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], [[0, 1], [0, 2], [0, 3]]);
    for (format, pairings) in [("round-robin", &all[..]), ("gauntlet", &first)] {
        let games = random(4, &format!("--format {format} -p 3"));
        assert_eq!(games.len(), 2 * 3 * pairings.len());
        for (pair, games) in games.chunks(2).enumerate() {
            let names = pairings[pair % pairings.len()].map(|player| format!("p{player}"));
            let [one, two] = games else { panic!("a pair") };
            assert_eq!(one.players.each_ref().map(|player| player.name.clone()), names);
            assert_eq!([&two.players[1], &two.players[0]], one.players.each_ref());
            assert_eq!(one.opening, Some(format!("random {}", pair / pairings.len() + 1)));
            assert_eq!(
                (&one.opening, one.position_after(4)),
                (&two.opening, two.position_after(4))
            );
        }
    }
}

fn first_id(more: &str) -> String {
    random(2, &format!("-p 1 {more}"))[0].id.clone().unwrap()
}

#[test]
fn ids_differ_and_what_changes_a_game_changes_them() {
    let games = random(3, "-p 10 --event test");
    let ids: HashSet<_> = games.iter().map(|game| &game.id).collect();
    assert_eq!(ids.len(), games.len());
    // Ids are the same in every version, so that a match can be continued.
    assert_eq!(games[0].id.as_deref(), Some("b56cfeca01e5abf14bd3"));
    let id = first_id("");
    assert_eq!(first_id("--event other"), id);
    for changed in
        ["--each option.Hash=1", "--seed 2", "--margin 0", "--adjudicate-majority", "--pits 5"]
    {
        assert_ne!(first_id(changed), id, "{changed}");
    }
}

#[test]
fn games_of_a_match_in_any_order_form_its_pairs() {
    let folder = Folder::new();
    let page = |games: &[Game]| {
        let lines: String = games.iter().map(|game| json::to_line(game) + "\n").collect();
        folder.write("games.jsonl", lines);
        folder.shown("replay games.jsonl --report page");
        folder.read("page/index.html")
    };
    let mut games = random(2, "-p 9");
    // The half points of p1, who plays South in the first game of the page. The first pair is
    // skipped because it lacks a game on the page.
    let mut counts = [0; 5];
    for pair in games.chunks(2).skip(1) {
        let points = pair.iter().map(|game| match game.ending().unwrap().outcome {
            Outcome::Draw => 1,
            Outcome::Won(side) => 2 * usize::from(game.players[side.index()].name == "p1"),
        });
        counts[points.sum::<usize>()] += 1;
    }
    games.reverse();
    let shown = page(&games[..17]);
    let pairs = counts.map(|count| count.to_string()).join(", ");
    let line = format!("Pairs with 0, ½, 1, 1½, 2 points: {pairs}.");
    assert!(shown.contains("p1 against p0: ") && shown.contains(&line), "{line} {shown}");
    let mut with_oneself = games[0].clone();
    with_oneself.players[1] = with_oneself.players[0].clone();
    let shown = page(&[with_oneself]);
    assert!(shown.contains("p1 (South)") && shown.contains("p1 (North)"), "{shown}");
}

/// The openings in the configuration of a match that reads them from a file.
fn openings(lines: &str, more: &str) -> Vec<Value> {
    let options = format!("{RANDOM} --openings openings.txt -p 20 {more}");
    let (mut config, _) = played(lines, &options);
    config["openings"].as_array_mut().map(std::mem::take).unwrap()
}

#[test]
fn positions_moves_and_both_are_openings() {
    let text = "# openings\n\nCFd # The usual\n<2,0,0,2,2,2,2>\n<2,0,0,2,2,2,2> N\n\
                <2,0,0,3,3,3,3> N a B\n<2,0,0,2,2,2,2> A\n<2,0,0,2,2,2,2> S\t# Ca\t+8\texact\n";
    let openings = openings(text, "");
    let shown: Vec<[&str; 3]> = openings
        .iter()
        .map(|opening| ["name", "position", "moves"].map(|key| opening[key].as_str().unwrap_or("")))
        .collect();
    let start = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S";
    assert_eq!(
        shown,
        [
            ["The usual", start, "CFd"],
            ["line 4", "<2,0,0,2,2,2,2> S", ""],
            ["line 5", "<2,0,0,2,2,2,2> N", ""],
            ["line 6", "<2,0,0,3,3,3,3> N", "aB"],
            ["line 7", "<2,0,0,2,2,2,2> S", "A"],
            ["Ca", "<2,0,0,2,2,2,2> S", ""],
        ]
    );
}

#[test]
fn errors_in_openings_report_their_place() {
    let folder = Folder::new();
    for (lines, message) in [
        ("# nothing", "expected at least one opening, got none"),
        ("C\nCG", "line 2, column 2: expected a pit's letter, A to F, got 'G'"),
        ("<2,0,0> S", "line 1: expected 7 numbers for 2 pits per row, got 3"),
        ("<2,0", "line 1: expected 7 numbers for 2 pits per row, got 2"),
        ("<2,0,0,0,1,1,1> SB", "line 1, column 17: expected a pit's letter, A to B, got 'S'"),
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
fn random_openings_differ_and_depend_on_the_seed_alone() {
    let of_seed = |seed| {
        let (config, games) = played("", &format!("{RANDOM} -p 50 --seed {seed}"));
        (config["openings"].clone(), games)
    };
    let (openings, games) = of_seed(7);
    assert_eq!(openings, of_seed(7).0);
    assert_ne!(openings, of_seed(8).0);
    let positions: HashSet<_> = games.iter().map(|game| *game.position_after(6)).collect();
    assert_eq!(positions.len(), 50);
    // Without random moves, all rounds share one position.
    assert_eq!(played("", &format!("{RANDOM} -p 3 --random-plies 0")).1.len(), 6);
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

#[test]
fn greedy_banks_the_most_seeds_then_prefers_to_move_again() {
    let lines = "<3,0,0,0,2,1,5,5,5> S\n<3,0,0,1,0,1,5,5,5> S\n<3,0,0,1,1,3,0,0,1> S";
    let options = "-e greedy -e random --openings openings.txt -p 3 --move-limit 1";
    let (_, games) = played(lines, options);
    // Two moves bank one seed and move again; a capture of six; one seed, nearest the store.
    let first: String =
        games.iter().step_by(2).map(|game| game.steps()[0].played.letter()).collect();
    assert_eq!(first, "CAC");
}

#[test]
fn random_players_depend_on_the_seed_alone() {
    let moves = |seed| {
        let of_game = |game: Game| game.moves().map(|r#move| r#move.pit).collect::<Vec<_>>();
        let games = random(2, &format!("-p 1 --seed {seed}"));
        games.into_iter().map(of_game).collect::<Vec<_>>()
    };
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));
}

#[test]
fn the_players_of_a_game_draw_different_random_numbers() {
    let games = random(2, "-p 100");
    let firsts = games.iter().map(|game| {
        Side::BOTH.map(|side| {
            let mut own =
                game.steps().iter().filter(|step| !step.r#move.book && step.played.side == side);
            own.next().map(|step| step.played.pit)
        })
    });
    let alike = firsts.filter(|[south, north]| south == north).count();
    assert!(alike < games.len() / 3, "{alike} of {}", games.len());
}
