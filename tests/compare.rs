//! `kalah compare` as a user meets it.

#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Output};

fn compare(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
    command.arg("compare").args(arguments).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn refused(arguments: &[&str], code: i32, words: &str) {
    let output = compare(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(said.contains(words), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "nothing is printed before an error");
}

#[test]
fn arguments_that_make_no_sense_are_refused_before_any_work() {
    refused(&["noe", "--depths", "0"], 2, "--depths: expected numbers from 1 to 200");
    refused(
        &["noe", "--orders", "best"],
        2,
        "expected order 'far', 'near', 'random', 'static' or 'tt', got 'best'",
    );
    refused(&["noe", "--algorithms", "chess"], 2, "got 'chess'");
    refused(&["noe", "--algorithms", "scout+asp"], 2, "expected '+tt' or '+id' after scout");
    refused(
        &["noe", "--algorithms", "negascout-depth3", "--extra-turns", "ply"],
        2,
        "expected --extra-turns compound",
    );
    refused(&["noe", "--pits", "17"], 2, "expected numbers from 1 to 16");
    refused(&["noe", "--full", "--depths", "3"], 2, "got both");
    refused(
        &["noe", "--algorithms", "minimax", "--depths", "14", "--pits", "8", "--seeds", "8"],
        2,
        "for minimax at depth 14 on Kalah(8,8)",
    );
    refused(&["minimal", "--depths", "3"], 2, "expected even heights");
    refused(&["pearl", "--widths", "50", "--depths", "50"], 2, "at most");
    refused(&["games", "--rivals", "chess"], 2, "got 'chess'");
}

#[test]
fn a_report_that_cannot_be_written_fails_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below = file.join("report");
    refused(&["minimal", "--report", below.to_str().unwrap()], 1, "cannot write the report");
}

#[test]
fn every_line_for_programs_names_all_its_conditions() {
    let lines = text(&compare(&["noe", "--depths", "1-2", "--count", "4", "--format", "json"]));
    let mut rows = 0;
    for line in lines.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in [
            "pits",
            "seeds",
            "capture",
            "extra_turns",
            "order",
            "ensemble",
            "seed",
            "positions",
            "depth",
            "algorithm",
            "cut",
            "evaluation",
            "leaves",
            "distinct_leaves",
        ] {
            assert!(!row[field].is_null(), "{field} of {line}");
        }
        rows += 1;
    }
    assert_eq!(rows, 2 * 5, "two depths, five algorithms");
}

#[test]
fn a_report_holds_a_page_pictures_and_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    let printed = text(&compare(&[
        "noe",
        "--depths",
        "1-3",
        "--count",
        "4",
        "--format",
        "markdown",
        "--report",
        path.to_str().unwrap(),
    ]));
    assert!(printed.contains("| Kalah(6,4) standard | compound | far |"), "{printed}");
    let read = |name: &str| std::fs::read_to_string(Path::join(&path, name)).unwrap();
    assert!(read("index.html").contains("<svg"));
    assert!(read("saving-f1-6-4.svg").starts_with("<svg"));
    assert_eq!(read("rows.csv").lines().count(), 1 + 3 * 5);
}

#[test]
fn matches_are_the_same_at_any_number_of_threads() {
    let games = |threads| {
        text(&compare(&[
            "games",
            "--rivals",
            "f3,uct",
            "--leaves",
            "100",
            "--pairs",
            "2",
            "--depths",
            "none",
            "--format",
            "csv",
            "--threads",
            threads,
        ]))
    };
    assert_eq!(games("1"), games("3"));
}
