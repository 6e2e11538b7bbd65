//! Which options and files the commands accept, their help, manual pages and completions.

use std::fs;
use std::process::Command;

use crate::folder::{Folder, Ran};

#[test]
fn a_file_without_anything_usable_is_refused() {
    let folder = Folder::new();
    for contents in ["", "\n", "# a comment\n\n", "board\tcapture\tin_play\tbest\tgains\n"] {
        folder.write("x", contents);
        for line in [
            "solve --file x",
            "bench --suite x --nodes 1",
            "puzzles --make x",
            "match -e random -e greedy -o m.jsonl --openings x",
        ] {
            let output = folder.run(line);
            assert!(matches!(output.code, Some(1 | 2)), "{line}: {contents:?} {output:?}");
        }
    }
    // The first line is a position if it does not name the columns.
    let position = "<3,0,0,1,0,1,1,1,1> S\tstandard\t5\t1\t1,-,1\n";
    folder.write("x", position);
    let output = folder.run("bench --suite x --nodes 9");
    assert!(output.shown.starts_with("positions 1\n"), "{output:?}");
}

#[test]
fn a_dash_that_only_looks_like_a_hyphen_is_named() {
    let folder = Folder::new();
    for (words, expected) in [
        (&["play", "\u{2013}level", "expert"][..], "'\u{2013}' is not a hyphen; type --level"),
        (&["\u{2014}help"], "'\u{2014}' is not a hyphen; type --help"),
        (&["match", "\u{2013}\u{2013}pairs", "3"], "type --pairs"),
        (&["match", "\u{2212}c", "3"], "type -c"),
    ] {
        let output = folder.run_words(words);
        assert_eq!(output.code, Some(2), "{words:?}");
        assert!(output.errors.contains(expected), "{words:?}: {}", output.errors);
    }
}

#[test]
fn help_is_readable_whatever_columns_says() {
    for columns in ["0", "1", "-1", "x", "80"] {
        let mut command = crate::kalah();
        command.args(["play", "--help"]).env("COLUMNS", columns);
        let help = Ran::from(command.output().unwrap()).shown;
        let words = help.split_whitespace().count();
        assert!(help.lines().count() * 3 < words, "COLUMNS={columns}:\n{help}");
    }
}

// They come from an alias, and the typed options add nothing to them.
#[test]
fn options_for_the_terminal_may_repeat_and_imply_each_other() {
    let folder = Folder::new();
    folder.write("g.kgn", "1. C *\n");
    for (line, same) in [
        ("replay g.kgn --plain --ascii", "replay g.kgn --plain"),
        ("replay g.kgn --plain --plain", "replay g.kgn --plain"),
        ("replay g.kgn --list --plain --ascii", "replay g.kgn --list"),
        ("play --levels --plain --ascii --theme dark", "play --levels"),
        ("play --no-save --plain --ascii --theme dark", "play --no-save --plain"),
        ("games --games . --plain --all", "games --games . --plain"),
    ] {
        assert_eq!(folder.shown(line), folder.shown(same), "{line}");
    }
    let listed = folder.shown("games --games . --plain");
    assert!(listed.starts_with("1. South against North; unfinished, 1 move."), "{listed}");
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    for words in [&["help"][..], &["--version"], &["play", "--help"]] {
        let full = fs::File::create("/dev/full").unwrap();
        let refused = Ran::from(crate::kalah().args(words).stdout(full).output().unwrap());
        assert_eq!(refused.code, Some(1), "{words:?}");
        assert!(refused.errors.starts_with("error: cannot write the results: "));
    }
}

#[test]
fn a_list_of_levels_and_a_proof_that_is_only_replayed_take_no_other_options() {
    for (words, message) in [
        ("play --levels --depth 3", "'--levels' cannot be used with '--depth"),
        ("play --levels --pie", "'--levels' cannot be used with '--pie'"),
        ("proof check p --threads 1", "--sample <PROBABILITY>"),
        ("proof check p --hash 1", "--sample <PROBABILITY>"),
        ("proof check p --table-seeds 1", "--sample <PROBABILITY>"),
        ("proof check p --tables t", "--sample <PROBABILITY>"),
    ] {
        let output = Folder::new().run(words);
        let error = output.errors;
        assert!(output.code == Some(2) && error.contains(message), "{words}: {error}");
    }
}

#[test]
fn options_that_would_be_ignored_and_invalid_folders_are_errors() {
    let folder = Folder::new();
    folder.write("file", "");
    folder.write("six.txt", "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S\n");
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
        ("compare noe --position <6,0,0,1,1,1,1,1,1,1,1,1,1,1,1> --seeds 2", 2, "'--seeds"),
        ("bench --suite six.txt --deeper 1", 2, "cannot be used with '--deeper"),
        ("games --json --all", 2, "cannot be used with '--all'"),
        ("bench --suite six.txt --nodes 0", 2, "expected a number from 1, got '0'"),
        ("bench --suite six.txt --movetime 0", 2, "--movetime"),
        ("proof plan file/p", 1, "error: file/p: "),
        ("match -e random -e greedy -o -", 2, "'--out <FILE>': expected a file name, got '-'"),
        (
            "solve --pits 2 --checkpoint -",
            2,
            "'--checkpoint <FILE>': expected a file name, got '-'",
        ),
        (
            "play --seeds 5 --opening six.txt",
            2,
            "--opening, line 1: expected a position on the board that the options describe",
        ),
        ("puzzles --make nothing", 1, "cannot read nothing: "),
        ("convert file -o x.foo --to json", 1, "expected a game, got none"),
    ] {
        let Ran { code: got, shown, errors } = folder.run(words);
        assert_eq!((got, shown.as_str()), (Some(code), ""), "{words}: {errors}");
        assert!(errors.contains(message), "{words}: {errors}");
    }
    folder.write("g.kgn", "1. C *\n");
    let output = folder.run("convert g.kgn -o x.foo");
    assert_eq!((output.code, folder.path("x.foo").exists()), (Some(2), false));
    assert!(output.errors.contains("expected an extension .kgn or .jsonl"));
}

/// The completions that Tab offers after some words in bash.
#[cfg(unix)]
fn offered(words: &[&str]) -> Vec<String> {
    // The script exceeds the maximum length of a process's argument.
    let folder = Folder::new();
    folder.write("script", folder.shown("completions bash"));
    let complete = "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
        _kalah kalah \"${@: -1}\" \"${@: -2:1}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    let bash = bash.args(["-c", complete]).arg(folder.path("script")).arg("kalah").args(words);
    let output = Ran::from(bash.output().expect("bash starts"));
    output.shown.lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn completions_offer_values_commands_and_files() {
    assert_eq!(offered(&["play", "--level", "c"]), ["casual", "club"]);
    assert_eq!(offered(&["play", "--north", "hu"]), ["human"]);
    assert_eq!(offered(&["solve", "--capture", ""]), ["standard", "empty-capture"]);
    for (words, value) in [
        (["play", "--theme", "d"], "dark"),
        (["match", "--format", "g"], "gauntlet"),
        (["convert", "--to", "k"], "kgn"),
    ] {
        assert_eq!(offered(&words), [value]);
    }
    assert_eq!(offered(&["man", "rep"]), ["replay"]);
    assert!(offered(&["man", ""]).contains(&"merge".to_owned()));
    assert_eq!(offered(&["match", "--openings", "Cargo.t"]), ["Cargo.toml"]);
    assert_eq!(offered(&["replay", "x", "--report", "Cargo"]), [""; 1]);
    assert_eq!(offered(&["play", "--resume", "Cargo"]), ["Cargo"], "no files: it is a number");
}

#[test]
fn every_command_has_a_manual_page_with_its_examples_line_by_line() {
    let folder = Folder::new();
    let page = folder.shown("man match merge");
    assert!(page.contains(".TH kalah-match-merge 1"), "{page}");
    assert!(page.contains("\\fBkalah match merge\\fR"), "{page}");
    assert!(!page.contains("\\-\\-version"), "{page}");
    let examples = page.split(".SH EXAMPLES\n.nf").nth(1).unwrap();
    assert!(examples.contains("\n  kalah match merge part\\-1.jsonl part\\-2.jsonl\n"), "{page}");
    assert_eq!(folder.run("man match nothing").code, Some(2));
}

#[test]
fn durations_have_units_and_plain_numbers_keep_theirs() {
    let folder = Folder::new();
    let plan = |piece: &str, lease: &str| {
        folder.shown(&format!("proof plan p --pits 3 --piece {piece} --lease {lease}"));
        let ledger = folder.read("p/ledger.jsonl");
        ledger.lines().last().unwrap().to_owned()
    };
    let goal = plan("90s", "1500ms");
    assert!(goal.contains(r#""piece_seconds":90.0"#), "{goal}");
    assert!(goal.contains(r#""lease_seconds":1.5"#), "{goal}");
    assert_eq!(plan("90", "1.5"), goal);
    folder.shown("proof work p --threads 1 --table-seeds 8 --time 300ms");
    let game = "match -e random -e kalah --pairs 1 --pits 3 --seeds 2";
    for (index, words) in ["movetime=5ms", "movetime=5", "tc=2s+10ms"].into_iter().enumerate() {
        folder.shown(&format!("{game} --each {words} --margin 1s --patience 10s -o {index}.jsonl"));
    }
    for (file, limit) in [
        ("0.jsonl", r#""movetime":5"#),
        ("1.jsonl", r#""movetime":5"#),
        ("2.jsonl", r#""base":2000,"increment":10"#),
    ] {
        assert!(folder.read(file).contains(limit), "{}", folder.read(file));
    }
}
