//! Commands of the program, run as processes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

#[cfg(unix)]
use crate::play::pty::Session;

fn kalah(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = crate::kalah();
    command.current_dir(directory).args(arguments).output().expect("kalah starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_match_converts_to_kgn_and_back_without_loss() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let played = [
        "match",
        "-o",
        "m.jsonl",
        "-e",
        "kalah nodes=200 option.TableSeeds=0",
        "-e",
        "greedy",
        "--pairs",
        "3",
    ];
    assert!(kalah(at, &played).status.success());
    assert!(kalah(at, &["convert", "m.jsonl", "-o", "m.kgn"]).status.success());
    let back = text(&kalah(at, &["convert", "m.kgn"]).stdout);
    let original = fs::read_to_string(at.join("m.jsonl")).unwrap();
    let without_checksum = |line: &str| line.rsplit_once(",\"check\"").unwrap().0.to_owned() + "}";
    let games: Vec<_> = original.lines().skip(1).map(without_checksum).collect();
    assert_eq!(back.lines().collect::<Vec<_>>(), games);
}

#[test]
fn positions_are_solved_from_standard_input_and_from_files_of_other_systems() {
    let directory = tempfile::tempdir().unwrap();
    let positions = "<3,0,0,1,0,1,1,1,1> N\r\n<3,0,0,1,0,1,1,1,1> S\r\n";
    let marked = format!("\u{feff}{positions}");
    let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [positions.as_bytes(), marked.as_bytes(), &utf16] {
        fs::write(directory.path().join("file"), bytes).unwrap();
        let mut piped = crate::kalah();
        piped.args(["solve", "--file", "-"]);
        piped.stdin(fs::File::open(directory.path().join("file")).unwrap());
        let named = kalah(directory.path(), &["solve", "--file", "file"]);
        for output in [piped.output().unwrap(), named] {
            let solved = text(&output.stdout);
            assert!(output.status.success() && solved.lines().count() == 2, "{output:?}");
        }
    }
}

#[test]
fn a_file_of_which_nothing_is_used_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for contents in ["", "\n", "# a comment\n\n", "board\tcapture\tin_play\tbest\tgains\n"] {
        fs::write(directory.path().join("x"), contents).unwrap();
        for line in [
            "solve --file x",
            "bench --suite x --nodes 1",
            "puzzles --make x",
            "tune eval x -o weights",
            "replay x",
            "convert x",
            "match -e random -e greedy -o m.jsonl --openings x",
        ] {
            let output = kalah(directory.path(), &line.split(' ').collect::<Vec<_>>());
            assert!(matches!(output.status.code(), Some(1 | 2)), "{line}: {contents:?} {output:?}");
        }
    }
    // The first line is a position if it does not name the columns.
    let position = "<3,0,0,1,0,1,1,1,1> S\tstandard\t5\t1\t1,-,1\n";
    fs::write(directory.path().join("x"), position).unwrap();
    let output = kalah(directory.path(), &["bench", "--suite", "x", "--nodes", "9"]);
    assert!(text(&output.stdout).starts_with("positions 1\n"), "{output:?}");
}

#[test]
fn help_is_readable_whatever_columns_says() {
    for columns in ["0", "1", "-1", "x", "80"] {
        let mut command = crate::kalah();
        let help = text(
            &command.args(["play", "--help"]).env("COLUMNS", columns).output().unwrap().stdout,
        );
        let words = help.split_whitespace().count();
        assert!(help.lines().count() * 3 < words, "COLUMNS={columns}:\n{help}");
    }
}

#[test]
fn weights_are_fitted_to_sampled_positions_and_refined() {
    let directory = tempfile::tempdir().unwrap();
    let run = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        let ran = kalah(directory.path(), &words);
        if ran.status.success() { Ok(text(&ran.stdout)) } else { Err(text(&ran.stderr)) }
    };
    let sample = "tune positions --pits 4 --seeds 3 --min-seeds 8 --max-seeds 20 --games 60";
    run("tables build --pits 4 --seeds 10 --tables dir").unwrap();
    run(&format!("{sample} --tables dir -o read.tsv")).unwrap();
    run(&format!("{sample} --table-seeds 10 -o built.tsv")).unwrap();
    let [read, built] =
        ["read.tsv", "built.tsv"].map(|file| fs::read(directory.path().join(file)).unwrap());
    assert_eq!(read, built);
    run("tune eval read.tsv --epochs 2 -o first.txt").unwrap();
    let refined = run("tune eval read.tsv --epochs 2 --from first.txt -o second.txt").unwrap();
    let second = fs::read_to_string(directory.path().join("second.txt")).unwrap();
    // The fit starts from the first one's weights, and the header records them.
    let error = |text: &str| text.split("error ").nth(1).unwrap()[..4].parse::<f64>().unwrap();
    let first = fs::read_to_string(directory.path().join("first.txt")).unwrap();
    let held = first.split("seeds, ").nth(1).unwrap()[..4].parse::<f64>().unwrap();
    assert!((error(&refined) - held).abs() < 0.1, "{refined}{first}");
    assert!(second.contains("# Refined from first.txt:\n# Weights"));
    // The engine reads tables and weights for the boards of the suite.
    let suite = "bench --suite read.tsv --nodes 20 --option TablePath=dir";
    run(suite).unwrap();
    let [ours, stores] = ["EvalFile=second.txt", "Evaluation=stores"]
        .map(|option| run(&format!("{suite} --option {option}")).unwrap());
    assert_ne!(ours, stores);
    let six = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/engine/src/evaluation/networks/6.txt");
    let refused = run(&format!("tune eval read.tsv --from {six} -o third.txt")).unwrap_err();
    assert!(refused.contains("6.txt: expected weights for 4 pits per row, got 6"), "{refused}");
}

#[test]
fn a_game_is_replayed_in_sentences_and_listed() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let record = "[South \"Ann\"]\n[North \"Bob\"]\n1. CF {+0.50/12 0.012s; bold} b *\n";
    fs::write(at.join("g.kgn"), record).unwrap();
    let shown = text(&kalah(at, &["replay", "g.kgn", "--plain"]).stdout);
    assert!(shown.starts_with("Ann (South) - Bob (North), unfinished, 3 moves"), "{shown}");
    // Both moves belong to the first turn.
    assert!(shown.contains("1. South sowed F") && shown.contains("2. North sowed b"), "{shown}");
    assert!(shown.contains("[expects +0.50, depth 12, 0.012 s, bold]"), "{shown}");
    let drawn = text(&kalah(at, &["replay", "g.kgn", "--ascii"]).stdout);
    assert!(drawn.lines().count() > shown.lines().count() + 12, "{drawn}");
    let list = text(&kalah(at, &["replay", "g.kgn", "--list"]).stdout);
    assert_eq!(list, "    1  Ann (South) - Bob (North), unfinished, 3 moves\n");
    // The marks are those of the pages: F loses South's lead.
    let valued = "1. C {+1.90} F {+1.50} d {-1.00} 2. A {-3.00} b {+3.50} *";
    fs::write(at.join("valued.kgn"), valued).unwrap();
    let marked = text(&kalah(at, &["replay", "valued.kgn", "--plain"]).stdout);
    assert!(marked.contains(" [?, expects +1.50]"), "{marked}");
    // The list has the pages' numbers, too.
    assert!(marked.contains("\n  1. CF?      2. d\n  3. A"), "{marked}");
    let none = kalah(at, &["replay", "g.kgn", "--game", "2"]);
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn replay_shows_the_comment_on_the_game_and_players_without_names() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("g.kgn"), "{before} 1. A *").unwrap();
    let shown = text(&kalah(at, &["replay", "g.kgn", "--plain"]).stdout);
    assert!(shown.starts_with("South - North, unfinished, 1 move\n[before]\n\n1. "), "{shown}");
    let drawn = text(&kalah(at, &["replay", "g.kgn", "--ascii"]).stdout);
    assert!(drawn.contains("[before]") && drawn.contains("* South to move"), "{drawn}");
}

#[test]
fn replay_shows_the_comments_and_the_swap_of_a_variation() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let game = "[PieRule \"yes\"]\n1. A 2. a (2. b {bold} 3. BF {at (last)}) (2. swap) *\n";
    fs::write(at.join("g.kgn"), game).unwrap();
    let shown = text(&kalah(at, &["replay", "g.kgn", "--plain"]).stdout);
    assert!(shown.contains("\nVariation 1: 2. b [bold] 3. BF [at (last)]\n"), "{shown}");
    assert!(shown.contains("\nVariation 2: (swap)\n"), "{shown}");
}

/// What a command prints.
fn shown(directory: &Path, line: &str) -> String {
    let output = kalah(directory, &line.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

// They come from an alias, and what is typed adds nothing to them.
#[test]
fn options_for_the_terminal_may_repeat_and_imply_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("g.kgn"), "1. C *\n").unwrap();
    for (line, same) in [
        ("replay g.kgn --plain --ascii", "replay g.kgn --plain"),
        ("replay g.kgn --plain --plain", "replay g.kgn --plain"),
        ("replay g.kgn --list --plain --ascii", "replay g.kgn --list"),
        ("play --levels --plain --ascii --theme dark", "play --levels"),
        ("play --no-save --plain --ascii --theme dark", "play --no-save --plain"),
        ("games --games . --plain --all", "games --games . --plain"),
    ] {
        assert_eq!(shown(at, line), shown(at, same), "{line}");
    }
    let listed = shown(at, "games --games . --plain");
    assert!(listed.starts_with("1. South against North; unfinished, 1 move."), "{listed}");
}

#[test]
fn a_file_whose_last_line_was_cut_off_is_reported_by_every_reader() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("g.kgn"), "1. C *\n").unwrap();
    let line = text(&kalah(at, &["convert", "g.kgn"]).stdout);
    let torn = format!("{line}{}", &line[..line.len() / 2]);
    fs::create_dir(at.join("games")).unwrap();
    fs::write(at.join("games/1.kgn"), &torn).unwrap();
    let warning = "1.kgn: skipping the last line, which is incomplete";
    let loaded = "The last line of the file is incomplete";
    for (line, expected) in [
        ("games --games games", "1.kgn: the last line is incomplete, so its game is missing"),
        ("games --games games 1 --plain", warning),
        ("replay games/1.kgn", warning),
        ("convert games/1.kgn", warning),
        ("match -e random -e greedy -p 1 -o m.jsonl --openings games/1.kgn", warning),
        ("play --plain --south human --north human --games games --load games/1.kgn", loaded),
        ("play --plain --south human --north human --games games --resume", loaded),
    ] {
        let output = kalah(at, &line.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains(expected), "{line}: {all}");
    }
    assert_eq!(fs::read_to_string(at.join("games/1.kgn")).unwrap(), torn);
    // Nothing of such a file may be mistaken for all of it.
    fs::write(at.join("cut"), &line[..line.len() / 2]).unwrap();
    fs::write(
        at.join("list"),
        "# position\tmoves\n<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S\n<6,0,0,4,4,4,4,4,4,4,4,5,3,4,4>",
    )
    .unwrap();
    let list = "list: line 3: expected the columns of the line before it, got fewer";
    for (line, expected) in [
        ("replay cut", "cut: line 1, column 1: expected a game, got an incomplete line"),
        ("match -e random -e greedy -p 1 -o n.jsonl --openings list", list),
        ("solve --file list", list),
    ] {
        let output = kalah(at, &line.split(' ').collect::<Vec<_>>());
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.contains(expected), "{line}: {error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for words in [&["help"][..], &["--version"], &["play", "--help"]] {
        let full = fs::File::create("/dev/full").unwrap();
        let refused = crate::kalah().args(words).stdout(full).output().unwrap();
        assert_eq!(refused.status.code(), Some(1), "{words:?}");
        assert!(text(&refused.stderr).starts_with("error: cannot write the results: "));
    }
}

#[test]
fn damaged_files_are_errors_with_their_line() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for (content, message) in [
        (&b"1. C\nx y"[..], "g.kgn: line 2, column 1: move 2"),
        (&b"{\"match\":{}}\n{\"south\":\n"[..], "g.kgn: line 2, column"),
        (&b"1. C \xff"[..], "expected UTF-8 text, got invalid bytes at byte 5"),
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

#[test]
fn every_reader_of_games_accepts_every_format_by_its_content() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for (name, content) in [
        ("position.x", "position startpos moves C F\n"),
        ("board.JSONL", "# a list\n<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S CF # usual\n"),
        ("moves.kgn", "CF\n"),
        ("game.txt", "1. CF *\n"),
        ("comment.txt", "; from a lesson\nCF *\n"),
        ("result.txt", "CF *\n"),
    ] {
        fs::write(at.join(name), content).unwrap();
        let output = kalah(at, &["convert", name, "--to", "json"]);
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        fs::write(at.join("json.kgn"), output.stdout).unwrap();
        for file in [name, "json.kgn"] {
            for command in [
                &["replay", "--plain"][..],
                &["play", "--no-save", "--plain", "--load"],
                &["play", "--no-save", "--plain", "--south", "human", "--opening"],
            ] {
                let output = kalah(at, &[command, &[file]].concat());
                let shown = text(&output.stdout);
                assert!(output.status.success(), "{command:?} {file}: {}", text(&output.stderr));
                assert!(shown.contains("North"), "{command:?} {file}: {shown}");
            }
            let players = ["-e", "random", "-e", "greedy", "-p", "1", "--openings", file];
            let output = kalah(at, &[&["match", "-q", "-o", "m.jsonl"][..], &players].concat());
            assert!(output.status.success(), "{file}: {}", text(&output.stderr));
            // The file of the match is one of openings, too.
            let players = ["-e", "random", "-e", "greedy", "-p", "1", "--openings", "m.jsonl"];
            let output = kalah(at, &[&["match", "-q", "-o", "n.jsonl"][..], &players].concat());
            assert!(output.status.success(), "{file}: {}", text(&output.stderr));
            let config = fs::read_to_string(at.join("n.jsonl")).unwrap();
            assert!(config.lines().next().unwrap().contains("\"moves\":\"CF\""), "{config}");
            fs::remove_file(at.join("m.jsonl")).unwrap();
            fs::remove_file(at.join("n.jsonl")).unwrap();
        }
    }
}

#[test]
fn a_file_without_a_game_is_an_error_in_every_command_and_a_folder_is_named_as_one() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("empty"), "").unwrap();
    for command in [
        &["replay"][..],
        &["convert", "-o", "x.kgn"],
        &["match", "merge"],
        &["play", "--no-save", "--load"],
    ] {
        let output = kalah(at, &[command, &["empty"]].concat());
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(text(&output.stderr).contains("empty"), "{}", text(&output.stderr));
        let output = kalah(at, &[command, &["."]].concat());
        let expected = "error: cannot read .: expected a file, got a folder\n";
        assert_eq!(text(&output.stderr), expected, "{command:?}");
    }
    assert!(!at.join("x.kgn").exists());
}

#[test]
fn a_list_of_levels_and_a_proof_that_is_only_replayed_take_no_other_option() {
    let directory = tempfile::tempdir().unwrap();
    for (words, message) in [
        ("play --levels --depth 3", "'--levels' cannot be used with '--depth"),
        ("play --levels --pie", "'--levels' cannot be used with '--pie'"),
        ("proof check p --threads 1", "--sample <PROBABILITY>"),
        ("proof check p --hash 1", "--sample <PROBABILITY>"),
        ("proof check p --table-seeds 1", "--sample <PROBABILITY>"),
        ("proof check p --tables t", "--sample <PROBABILITY>"),
    ] {
        let output = kalah(directory.path(), &words.split(' ').collect::<Vec<_>>());
        let error = text(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(message), "{words}: {error}");
    }
}

#[test]
fn options_that_would_be_ignored_and_folders_that_are_none_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("file"), "").unwrap();
    fs::write(at.join("six.txt"), "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S\n").unwrap();
    for (words, code, message) in [
        ("replay file --report x --plain", 2, "cannot be used with '--plain'"),
        ("play --tui --plain", 2, "cannot be used with '--plain'"),
        ("play --level casual --level expert", 2, "cannot be used multiple times"),
        (
            "play --south expert --north 2s --nodes 5",
            2,
            "expected either --nodes or --south and --north",
        ),
        (
            "play --south human --north human --level expert",
            2,
            "expected either --level or --south and --north",
        ),
        ("games --games nothing", 1, "cannot read nothing: "),
        ("solve --position <2,0,0,1,1,1,1> --seeds 3", 2, "cannot be used with '--seeds"),
        ("perft 3 --position <2,0,0,1,1,1,1> --pits 3", 2, "cannot be used with '--pits"),
        ("play --position <2,0,0,1,1,1,1> --pits 2", 2, "cannot be used with '--pits"),
        ("proof plan p --position <2,0,0,1,1,1,1> --pits 2", 2, "cannot be used with '--pits"),
        (
            "compare tree --depth 3 --position <2,0,0,1,1,1,1> --pits 2",
            2,
            "cannot be used with '--pits",
        ),
        ("compare games --position <6,0,0,1,1,1,1,1,1,1,1,1,1,1,1> --seeds 2", 2, "'--seeds"),
        ("compare tree [[3,9],[5,6]] --pits 4", 2, "cannot be used with '--pits"),
        ("compare tree --uniform 2x2 --order near", 2, "cannot be used with '--order"),
        ("bench --suite six.txt --deeper 1", 2, "cannot be used with '--deeper"),
        ("games --json --all", 2, "cannot be used with '--all'"),
        (
            "tune positions --min-seeds 20 --max-seeds 10 -o x.tsv",
            2,
            "--min-seeds: expected at most --max-seeds, 10, got 20",
        ),
        ("match -e random -e greedy -o -", 2, "--out: expected a file name, got '-'"),
        ("solve --pits 2 --checkpoint -", 2, "--checkpoint: expected a file name, got '-'"),
        (
            "play --seeds 5 --opening six.txt",
            2,
            "--opening, line 1: expected a position of the board that the options describe",
        ),
        ("convert file -o x.foo --to json", 1, "expected a game, got none"),
    ] {
        let output = kalah(at, &words.split(' ').collect::<Vec<_>>());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {stderr}");
        assert!(stderr.contains(message), "{words}: {stderr}");
    }
    fs::write(at.join("g.kgn"), "1. C *\n").unwrap();
    let output = kalah(at, &["convert", "g.kgn", "-o", "x.foo"]);
    assert_eq!((output.status.code(), at.join("x.foo").exists()), (Some(2), false));
    assert!(text(&output.stderr).contains("expected an extension .kgn or .jsonl"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_solve_prints_what_is_proved_and_goes_on_from_it() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let ledger = at.join("proofs");
    let mut command = crate::kalah();
    let arguments = ["solve", "--table-seeds", "8", "--threads", "1", "--checkpoint", "proofs"];
    command.current_dir(at).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while fs::read_to_string(&ledger).map_or(0, |text| text.lines().count()) < 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let shown = text(&output.stdout);
    assert!(shown.starts_with("position  <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S standard\n"), "{shown}");
    assert!(shown.contains("\nmargin    ") && shown.contains(" to "), "{shown}");
    // The bounds of the small board below are not those of this one.
    let other = ["solve", "--pits", "3", "--seeds", "3", "--checkpoint", "proofs", "--json"];
    let solved = text(&kalah(at, &other).stdout);
    assert!(solved.contains("\"margin\":2,"), "{solved}");
}

#[test]
fn options_of_a_grid_and_of_a_position_exclude_each_other() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    for line in [
        "solve --pits 2 --seeds 2 --svg a.svg",
        "solve --position <2,0,0,1,1,1,1> --limit 1",
        "solve --grid 2x2 --moves",
        "solve --grid 2x2 --verify",
        "solve --verify --svg a.svg",
        "solve --moves --limit 1",
        "solve --keep-table t --limit 1",
    ] {
        let output = kalah(at, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
    assert!(!at.join("a.svg").exists());
}

#[test]
fn a_limit_that_is_no_time_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    for limit in ["--limit=nan", "--limit=-1", "--limit=x"] {
        let output = kalah(directory.path(), &["solve", "--grid", "2x2", limit]);
        assert_eq!(output.status.code(), Some(2), "{limit}");
        assert!(text(&output.stderr).contains("--limit"), "{limit}: {}", text(&output.stderr));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_solve_goes_on_when_what_it_proves_cannot_be_saved() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    assert!(
        kalah(at, &["solve", "--pits", "2", "--seeds", "2", "--checkpoint", "p"]).status.success()
    );
    let before = fs::read(at.join("p")).unwrap();
    // Every write beyond the file's first blocks fails, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 0; \"$0\" solve --pits 3 --seeds 3 --checkpoint p | cat";
    let output = Command::new("sh")
        .current_dir(at)
        .args(["-c", script, env!("CARGO_BIN_EXE_kalah")])
        .output()
        .unwrap();
    assert!(text(&output.stdout).contains("margin    +2"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("cannot save proved bounds: p: "));
    assert_eq!(fs::read(at.join("p")).unwrap(), before);
}

#[test]
fn convert_replaces_a_file_only_if_told_and_never_the_file_of_a_match() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    fs::write(at.join("g.kgn"), "1. C *\n").unwrap();
    fs::write(at.join("old.jsonl"), "precious").unwrap();
    fs::write(at.join("match.jsonl"), "{\"match\":{}}\n").unwrap();
    for (name, force) in
        [("old.jsonl", None), ("match.jsonl", None), ("match.jsonl", Some("--force"))]
    {
        let arguments = ["convert", "g.kgn", "-o", name].into_iter().chain(force);
        let before = read(name);
        let output = kalah(at, &arguments.collect::<Vec<_>>());
        assert_eq!((output.status.code(), read(name)), (Some(2), before));
        assert!(text(&output.stderr).contains(name), "{}", text(&output.stderr));
    }
    assert!(kalah(at, &["convert", "g.kgn", "-o", "old.jsonl", "--force"]).status.success());
    assert!(read("old.jsonl").starts_with("{\"south\""), "{}", read("old.jsonl"));
    // The output may replace the input, which is read first.
    assert!(
        kalah(at, &["convert", "g.kgn", "-o", "g.kgn", "--force", "--to", "kgn"]).status.success()
    );
    assert!(read("g.kgn").contains("\n1. C *"), "{}", read("g.kgn"));
}

/// The completions that Tab offers after some words in bash.
#[cfg(unix)]
fn offered(words: &[&str]) -> Vec<String> {
    // The script exceeds the maximum length of a process's argument.
    let script = tempfile::NamedTempFile::new().unwrap();
    fs::write(&script, kalah(Path::new("."), &["completions", "bash"]).stdout).unwrap();
    let complete = "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
        _kalah kalah \"${@: -1}\" \"${@: -2:1}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    let bash = bash.args(["-c", complete]).arg(script.path()).arg("kalah").args(words);
    let output = bash.output().expect("bash starts");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn completions_offer_values_commands_and_files() {
    assert_eq!(offered(&["play", "--level", "c"]), ["casual", "club"]);
    assert_eq!(offered(&["play", "--north", "hu"]), ["human"]);
    assert_eq!(offered(&["solve", "--capture", ""]), ["standard", "empty-capture"]);
    assert_eq!(offered(&["man", "rep"]), ["replay"]);
    assert!(offered(&["man", ""]).contains(&"merge".to_owned()));
    assert_eq!(offered(&["match", "--openings", "Cargo.t"]), ["Cargo.toml"]);
    assert_eq!(offered(&["replay", "x", "--report", "Cargo"]), [""; 1]);
    assert_eq!(offered(&["play", "--resume", "Cargo"]), ["Cargo"], "no files: it is a number");
}

#[test]
fn every_command_has_a_manual_page_with_its_examples_line_by_line() {
    let at = Path::new(".");
    let page = text(&kalah(at, &["man", "match", "merge"]).stdout);
    assert!(page.contains(".TH kalah-match-merge 1"), "{page}");
    assert!(page.contains("\\fBkalah match merge\\fR"), "{page}");
    assert!(!page.contains("\\-\\-version"), "{page}");
    let examples = page.split(".SH EXAMPLES\n.nf").nth(1).unwrap();
    assert!(examples.contains("\n  kalah match merge part\\-1.jsonl part\\-2.jsonl\n"), "{page}");
    assert_eq!(kalah(at, &["man", "match", "nothing"]).status.code(), Some(2));
}

#[test]
fn a_grid_stands_beside_what_is_known_of_either_rule() {
    for (grid, start, margin, rule, source) in [
        ("3x3", ["3", "3"], "+2", "standard", "this project, kalah solve --verify"),
        ("4x3", ["4", "3"], "+8", "empty-capture", "Irving, Donkers, Uiterwijk 2000"),
    ] {
        let words = ["solve", "--grid", grid, "--capture", rule, "--threads", "1"];
        let shown = text(&kalah(Path::new("."), &words).stdout);
        let line = shown.lines().find(|line| line.split_whitespace().take(2).eq(start));
        let line = line.unwrap();
        assert!(line.split_whitespace().skip(2).take(2).eq([margin; 2]), "{shown}");
        assert!(line.contains(source), "{shown}");
    }
    let unlisted = kalah(Path::new("."), &["solve", "--grid", "1x7", "--json", "--threads", "1"]);
    let unlisted = text(&unlisted.stdout);
    assert!(unlisted.lines().last().unwrap().contains(r#""known":null"#), "{unlisted}");
}

#[test]
fn positions_to_solve_may_have_names_and_come_from_a_pipe() {
    let directory = tempfile::tempdir().unwrap();
    let list = "\u{feff}# position\tmoves\n\n<2,0,0,1,1,1,1> S\t# AB\t+2\r\n<2,0,0,1,1,1,1> N# b\n";
    let file = directory.path().join("list.tsv");
    fs::write(&file, list).unwrap();
    let margins = |argument: &str, input: fs::File| {
        let solve = ["solve", "--table-seeds", "0", "--file", argument];
        let output = crate::kalah().current_dir(&directory).args(solve).stdin(input).output();
        let lines = text(&output.unwrap().stdout);
        let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.map(|solved: serde_json::Value| solved["margin"].clone()).collect::<Vec<_>>()
    };
    for argument in ["list.tsv", "-"] {
        assert_eq!(margins(argument, fs::File::open(&file).unwrap()), [2, 2], "{argument}");
    }
    let commands = "position fen <2,0,0,1,1,1,1> S # a\n<2,0,0,1,1,1,1> S Ba\n";
    fs::write(&file, commands).unwrap();
    assert_eq!(margins("list.tsv", fs::File::open(&file).unwrap()).len(), 2);
    fs::write(&file, "# nothing\n").unwrap();
    let output = kalah(directory.path(), &["solve", "--file", "list.tsv"]);
    assert_eq!(text(&output.stderr), "error: list.tsv: expected at least one position, got none\n");
}

#[test]
fn a_game_is_named_by_its_place_in_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    fs::write(at.join("g.kgn"), "[Round \"5\"]\n1. C *\n").unwrap();
    let shown = text(&kalah(at, &["replay", "g.kgn", "--game", "1", "--plain"]).stdout);
    assert!(
        shown.starts_with("South - North, unfinished, 1 move, number 5 of its match\n"),
        "{shown}"
    );
    fs::write(at.join("g.kgn"), "[Round \"1\"]\n1. C *\n").unwrap();
    let shown = text(&kalah(at, &["replay", "g.kgn", "--list"]).stdout);
    assert_eq!(shown, "    1  South - North, unfinished, 1 move\n");
    fs::write(at.join("g.kgn"), "[Number \"1\"]\n[Opening \"first\"]\n1. C *\n").unwrap();
    let shown = text(&kalah(at, &["replay", "g.kgn", "--list"]).stdout);
    assert_eq!(shown, "    1  South - North, unfinished, 1 move, opening first\n");
}

#[test]
fn a_searched_list_of_openings_has_the_margins_that_are_proved() {
    let directory = tempfile::tempdir().unwrap();
    let run = |line: &str| kalah(directory.path(), &line.split(' ').collect::<Vec<_>>());
    let start = "--pits 3 --seeds 3";
    // A proof in small pieces leaves bounds of many positions in its ledger.
    assert!(run(&format!("proof plan p {start} --piece-nodes 20")).status.success());
    assert!(run("proof work p --threads 1 --table-seeds 0 --hash 1").status.success());
    let solved = run(&format!("solve {start} --moves --checkpoint p/ledger.jsonl --json"));
    let solved: serde_json::Value = serde_json::from_slice(&solved.stdout).unwrap();
    let make = format!(
        "openings make {start} --plies 2 --depth 1 --checkpoint p/ledger.jsonl --out lists"
    );
    let mistyped = run(&make.replace("p/ledger.jsonl", "q"));
    assert!(text(&mistyped.stderr).contains("q: "), "{}", text(&mistyped.stderr));
    assert!(!mistyped.status.success() && !directory.path().join("q").exists());
    assert!(run(&make).status.success());
    let list = fs::read_to_string(directory.path().join("lists/3x3-standard.tsv")).unwrap();
    let (proved, searched): (Vec<&str>, Vec<&str>) = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .partition(|line| line.ends_with("\texact, proved before"));
    assert!(searched.iter().all(|line| line.contains("\tdepth 1, ")), "{list}");
    for first in solved["moves"].as_array().unwrap() {
        let (pit, margin) = (first["move"].as_str().unwrap(), first["margin"].as_i64().unwrap());
        let line = proved.iter().find(|line| line.contains(&format!("# {pit}\t"))).unwrap();
        // The margin of the list is that of the position's mover.
        let mover = if line.split('\t').next().unwrap().ends_with('S') { margin } else { -margin };
        assert!(line.contains(&format!("\t{mover:+}\t")), "{line}: {margin}");
    }
    // No move is worth more than the position in which it is played, so each line has a bound.
    assert!(!searched.is_empty(), "{list}");
    assert!(searched.iter().all(|line| line.ends_with(" proved")), "{list}");
    // Each bound holds for the exact margin and for the listed one.
    for line in searched {
        let fields: Vec<&str> = line.split('\t').collect();
        let (_, proved) = fields[3].split_once(" positions, ").unwrap();
        let solve = ["solve", "--json", "--position", fields[0]];
        let solved = kalah(directory.path(), &solve).stdout;
        let solved: serde_json::Value = serde_json::from_slice(&solved).unwrap();
        let margins = [solved["margin"].as_i64().unwrap(), fields[2].parse().unwrap()];
        for bound in proved.split(", ") {
            let words: Vec<&str> = bound.split(' ').collect();
            let (is_lower, bound) = (words[1] == "least", words[2].parse::<i64>().unwrap());
            assert!(
                margins.iter().all(|&m| if is_lower { m >= bound } else { m <= bound }),
                "{line}"
            );
        }
    }
    let verified = run("openings verify lists/3x3-standard.json");
    assert!(verified.status.success(), "{}", text(&verified.stderr));
}

#[test]
fn openings_without_a_manifest_say_where_one_comes_from() {
    let directory = tempfile::tempdir().unwrap();
    let output = kalah(directory.path(), &["openings", "verify"]);
    assert!(text(&output.stderr).contains("`kalah openings make`"), "{}", text(&output.stderr));
}

#[test]
fn each_kind_of_move_has_its_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let start = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> N";
    for (position, capture, letter, sentence) in [
        (start, "standard", "a", "North sowed a (4 seeds). South to move."),
        (
            start,
            "standard",
            "c",
            "North sowed c (4 seeds) and ended in its store. North moves again.",
        ),
        (start, "standard", "e", "North sowed e (4 seeds): 1 to its store. South to move."),
        (
            "<3,0,0,1,0,2,3,4,2> S",
            "standard",
            "A",
            "South sowed A (1 seed), ended in empty B and captured 4 from b: 5 to its store. \
             North to move.",
        ),
        (
            "<3,0,0,1,0,2,3,0,2> S",
            "empty-capture",
            "A",
            "South sowed A (1 seed), ended in empty B with nothing opposite in b: 1 to its \
             store. North to move.",
        ),
        // After a lap, the last seed falls into the pit that was sown.
        (
            "<3,0,0,7,0,1,1,1,1> S",
            "standard",
            "A",
            "South sowed A (7 seeds), ended in empty A and captured 2 from c: 4 to its \
             store. North to move.",
        ),
        (
            "<2,3,0,0,1,3,0> S",
            "standard",
            "B",
            "South sowed B (1 seed) and ended in its store. South has no seeds left; North \
             keeps its last 3. South wins 4 to 3.",
        ),
    ] {
        let game = format!("[Position \"{position}\"]\n[Capture \"{capture}\"]\n\n{letter} *\n");
        fs::write(directory.path().join("g.kgn"), game).unwrap();
        let shown = text(&kalah(directory.path(), &["replay", "g.kgn", "--plain"]).stdout);
        assert!(shown.contains(&format!("\n1. {sentence}\n")), "{shown}");
    }
}

/// Margins by pits, seeds and capture rule in a list of the repository.
fn listed(path: &str) -> BTreeMap<[String; 3], String> {
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned));
    rows.map(|mut row| {
        let start = [(); 3].map(|()| row.next().unwrap());
        let rest: Vec<_> = row.collect();
        (start, rest[..rest.len().min(2)].join(" "))
    })
    .collect()
}

#[test]
fn margins_are_known_of_both_rules_with_their_source() {
    let known = listed("crates/engine/src/book/known_margins.tsv");
    let start =
        |pits: u32, seeds: u32, rule: &str| [pits.to_string(), seeds.to_string(), rule.to_owned()];
    assert_eq!(known[&start(6, 4, "empty-capture")], "10 Irving, Donkers, Uiterwijk 2000");
    assert_eq!(known[&start(6, 4, "standard")], "8 this project, kalah solve --verify");
    assert_eq!(known[&start(6, 6, "standard")], "4 this project, openings/6x6-standard-proof");
    assert!(!known.contains_key(&start(6, 7, "standard")));
    // The reference values of the solver's tests are the same.
    for (start, margin) in listed("tests/data/solved.tsv") {
        if let Some(known) = known.get(&start) {
            assert_eq!(known.split(' ').next(), margin.split(' ').next(), "{start:?}");
        }
    }
}

#[test]
fn lists_of_openings_are_verified_and_altered_ones_refused() {
    let directory = tempfile::tempdir().unwrap();
    let run = |line: &str| kalah(directory.path(), &line.split(' ').collect::<Vec<_>>());
    let made = run("openings make --pits 4 --seeds 3 --plies 2 --threads 1 --out .");
    assert!(made.status.success(), "{}", text(&made.stderr));
    let [list, manifest] =
        ["4x3-standard.tsv", "4x3-standard.json"].map(|name| directory.path().join(name));
    let verify = || run("openings verify 4x3-standard.json --sample 1000 --threads 1");
    let verified = text(&verify().stdout);
    let lines = fs::read_to_string(&list).unwrap();
    let count = lines.lines().count() - 2;
    assert!(
        count > 10
            && verified.starts_with(&format!(
                "4x3-standard.tsv: {count} lines replayed, {count} of {count}"
            )),
        "{verified}"
    );
    let positions: BTreeSet<_> = lines.lines().map(|line| line.split('\t').next()).collect();
    assert_eq!(positions.len(), count + 2, "distinct, a header and a checksum");
    let (first, rest) = lines.split_at(lines.find('\n').unwrap() + 1);
    let margin = rest.split('\t').nth(2).unwrap();
    let other = format!("{:+}", margin.parse::<i32>().unwrap() + 2);
    for (changed, message) in [
        (lines.replacen("# A\t", "# B\t", 1), "line 2: expected moves that lead to"),
        (
            format!(
                "{first}{}",
                rest.replacen(&format!("\t{margin}\t"), &format!("\t{other}\t"), 1)
            ),
            "is not worth",
        ),
    ] {
        fs::write(&list, &changed).unwrap();
        assert!(text(&verify().stderr).contains("expected SHA-256"));
        let changed = with_checksum(&changed);
        fs::write(&list, &changed).unwrap();
        let [old, new] = [&lines, &changed].map(|text| {
            Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        });
        let whole = fs::read_to_string(&manifest).unwrap();
        assert!(whole.contains(&old), "{whole}");
        fs::write(&manifest, whole.replace(&old, &new)).unwrap();
        let error = text(&verify().stderr);
        assert!(error.contains(message), "{error}");
        fs::write(&manifest, whole).unwrap();
    }
}

/// A copy of a list with the checksum that it should have.
fn with_checksum(list: &str) -> String {
    let lines = &list[..list.rfind("# checksum ").unwrap()];
    format!("{lines}# checksum {:016x}\n", xxh3_64(lines.as_bytes()))
}

/// Whether a process has handlers for both signals that ask it to end.
#[cfg(target_os = "linux")]
fn catches_signals(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
    [2, 15].iter().all(|signal| caught >> (signal - 1) & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn every_long_command_ends_with_130_on_either_signal() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    assert!(kalah(at, &["proof", "plan", "six-six", "--seeds", "6"]).status.success());
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite_34_46.tsv");
    for line in [
        "",
        "perft 40",
        "solve --seeds 6 --threads 1 --hash 16 --table-seeds 8",
        "solve --grid 6x6 --threads 1 --table-seeds 20",
        "openings make --seeds 6 --threads 1 --hash 16 --table-seeds 8",
        "proof work six-six --threads 1 --hash 16 --table-seeds 8",
        "tables build --seeds 22 --threads 1 --tables tables",
        "match -o x.jsonl -e kalah -e greedy",
        "compare noe --full --threads 1",
        "tune positions --games 1000000 --threads 1 -o a.tsv",
        &format!("bench --suite {suite} --movetime 100000"),
        &format!("kgp --host 127.0.0.1 --port {}", silent.local_addr().unwrap().port()),
    ] {
        for signal in ["-INT", "-TERM"] {
            let mut command = crate::kalah();
            command.current_dir(at).args(line.split_whitespace());
            let [input, out, errors] = [Stdio::piped(), Stdio::null(), Stdio::null()];
            let mut child = command.stdin(input).stdout(out).stderr(errors).spawn().unwrap();
            while !catches_signals(child.id()) {
                std::thread::sleep(Duration::from_millis(2));
            }
            let id = child.id().to_string();
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            assert_eq!(child.wait().unwrap().code(), Some(130), "kalah {line}, {signal}");
            let _ = fs::remove_file(at.join("x.jsonl"));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_solve_that_cannot_start_a_thread_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let solve = |kibibytes: u32| {
        let script =
            format!("ulimit -v {kibibytes}; exec \"$0\" solve --pits 3 --seeds 3 --threads 1");
        let mut command = Command::new("sh");
        command.current_dir(directory.path()).args(["-c", &script, env!("CARGO_BIN_EXE_kalah")]);
        command.output().unwrap()
    };
    let output = solve(450_000);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("cannot start a thread with a stack of 512 MiB: "), "{error}");
    // Each question is solved on a new thread with this stack, one after the other.
    let output = solve(1_000_000);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn every_command_shows_a_percentage_which_ctrl_c_clears() {
    let directory = tempfile::tempdir().unwrap();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite_34_46.tsv");
    for line in [
        "solve --moves --threads 1 --table-seeds 22 --hash 16",
        "tables build --seeds 22 --threads 1 --tables tables",
        "match -o x.jsonl -e kalah -e greedy",
        "compare noe --full --threads 1",
        &format!("bench --suite {suite}"),
    ] {
        let mut command = crate::kalah();
        command.current_dir(directory.path()).args(line.split(' ')).env("TERM", "xterm");
        let mut session = Session::start(command, 24, 100);
        session.wait_for(" % [");
        session.send("\u{3}");
        assert_eq!(session.wait().code(), Some(130), "{line}");
        let screen = session.screen();
        let shown = screen.contents();
        assert!(!shown.contains(" % [") && shown.contains("error: interrupted"), "{line}: {shown}");
        assert_eq!(screen.cursor_position().1, 0, "{line}: the prompt begins a line");
    }
}

/// Tested with stacks that are too large, which fail as under too low a limit on processes.
#[cfg(unix)]
#[test]
fn a_command_that_cannot_start_a_thread_says_what_helps() {
    let directory = tempfile::tempdir().unwrap();
    for words in [&[][..], &["play", "--plain", "--no-save"], &["kgp", "--host", "localhost"]] {
        let mut command = crate::kalah();
        command.current_dir(directory.path()).args(words).env("XDG_STATE_HOME", "/dev/null");
        command.stdin(Stdio::null()).env("RUST_MIN_STACK", (1_u64 << 60).to_string());
        let output = command.output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {error}");
        assert!(error.contains("\nerror: cannot start a thread ("), "{words:?}: {error}");
        assert!(error.contains("'ulimit -u'"), "{words:?}: {error}");
    }
}

/// A stack of this many bytes exceeds every address space, so that no thread can be started.
#[cfg(unix)]
#[test]
fn a_signal_ends_a_process_that_cannot_start_a_thread() {
    use std::os::unix::process::ExitStatusExt;

    const SIGTERM: i32 = 15;
    let mut command = crate::kalah();
    command.args(["perft", "40"]).env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("kalah starts");
    // Its signal handling is set up before it prints its first line.
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    // Not SIGINT, which background jobs of a shell and their children ignore.
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let ended = (0..12_000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        child.try_wait().unwrap()
    });
    child.kill().unwrap();
    assert_eq!(ended.and_then(|status| status.signal()), Some(SIGTERM));
}

#[test]
fn durations_have_units_and_plain_numbers_keep_theirs() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let plan = |piece: &str, lease: &str| {
        let plan = ["proof", "plan", "p", "--pits", "3", "--piece", piece, "--lease", lease];
        let planned = kalah(at, &plan);
        assert!(planned.status.success(), "{}", text(&planned.stderr));
        let ledger = fs::read_to_string(at.join("p/ledger.jsonl")).unwrap();
        ledger.lines().last().unwrap().to_owned()
    };
    let goal = plan("90s", "1500ms");
    assert!(goal.contains(r#""piece_seconds":90.0"#), "{goal}");
    assert!(goal.contains(r#""lease_seconds":1.5"#), "{goal}");
    assert_eq!(plan("90", "1.5"), goal);
    let works = |line: &str| {
        let output = kalah(at, &line.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    works("proof work p --threads 1 --table-seeds 8 --time 300ms");
    let skipped = "solve --grid 6x4 --threads 1 --hash 16 --table-seeds 0 --limit";
    for limit in ["1ms", "0.001"] {
        let shown = works(&format!("{skipped} {limit}"));
        assert!(shown.contains("not solved within 0.001 s: "), "{shown}");
    }
    let game = "match -e random -e kalah --pairs 1 --pits 3 --seeds 2";
    for (index, words) in ["movetime=5ms", "movetime=5", "tc=2s+10ms"].into_iter().enumerate() {
        works(&format!("{game} --each {words} --margin 1s --patience 10s -o {index}.jsonl"));
    }
    let file = |index: u32| fs::read_to_string(at.join(format!("{index}.jsonl"))).unwrap();
    assert!(file(0).contains(r#""movetime":5"#) && file(1).contains(r#""movetime":5"#));
    assert!(file(2).contains(r#""base":2000,"increment":10"#), "{}", file(2));
}

/// Limits from too little for the program to start to more than enough.
#[cfg(target_os = "linux")]
#[test]
fn no_command_aborts_for_lack_of_address_space_without_naming_it() {
    let directory = tempfile::tempdir().unwrap();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite_34_46.tsv");
    let bench_suite = format!("bench --suite {suite} --nodes 1");
    for kibibytes in (60_000..=420_000).step_by(60_000) {
        for (line, input) in [
            (
                "",
                "isready\nposition startpos\ngo depth 4\nposition fen <4,0,0,1,2,3,4,1,2,3,4> S\ngo depth 4\n",
            ),
            (bench_suite.as_str(), ""),
            ("play --plain --depth 3", "CF\neval\nquit\n"),
            ("solve --pits 3 --seeds 2", ""),
            ("match -o x.jsonl -e kalah -e random --each nodes=9 --pairs 1", ""),
        ] {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"")]);
            command.arg(env!("CARGO_BIN_EXE_kalah")).args(line.split_whitespace());
            command.current_dir(directory.path()).env("XDG_CACHE_HOME", "/dev/null");
            command.env("XDG_STATE_HOME", directory.path()).env_remove("MALLOC_ARENA_MAX");
            let mut child = command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // A program that refuses to start does not read it.
            let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
            let output = child.wait_with_output().unwrap();
            let [shown, errors] = [text(&output.stdout), text(&output.stderr)];
            let what = format!("{kibibytes} {line}: {:?} {shown} {errors}", output.status);
            assert!(output.status.code().is_some_and(|code| code < 100), "{what}");
            assert!(!shown.contains("the search failed"), "{what}");
            assert!(output.status.success() || errors.contains("'ulimit -v'"), "{what}");
            let _ = fs::remove_file(directory.path().join("x.jsonl"));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_bench_refuses_to_start_with_too_little_address_space() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite_34_46.tsv");
    for arguments in [&["bench"][..], &["bench", "--suite", suite, "--nodes", "1"]] {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 130000; exec \"$0\" \"$@\""]);
        command.arg(env!("CARGO_BIN_EXE_kalah")).args(arguments);
        let output = command.env("XDG_CACHE_HOME", "/dev/null").output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        let expected = "MiB: raise 'ulimit -v'\n";
        assert!(
            error.contains("error: expected at least ") && error.ends_with(expected),
            "{error}"
        );
    }
}
