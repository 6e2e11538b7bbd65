//! The program `kalah-tune`: positions are sampled, weights fitted and refined, errors reported.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn tune(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kalah-tune"));
    command.current_dir(folder).args(line.split(' ')).output().expect("the program starts")
}

fn shown(folder: &Path, line: &str) -> String {
    let output = tune(folder, line);
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn refused(folder: &Path, line: &str) -> String {
    let output = tune(folder, line);
    assert!(!output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// The number after `name` in `text`.
fn number_after(name: &str, text: &str) -> f64 {
    let rest = text.split(name).nth(1).expect("the name");
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].parse().expect("a number")
}

#[test]
fn weights_are_fitted_to_sampled_positions_and_refined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sample = "positions --pits 4 --seeds 3 --min-seeds 8 --max-seeds 20 --games 60";
    let sampled = shown(folder, &format!("{sample} --table-seeds 10 -o a.tsv"));
    assert!(sampled.ends_with(" positions from 60 games in a.tsv\n"), "{sampled}");

    shown(folder, "eval a.tsv --epochs 2 -o first.txt");
    let first = fs::read_to_string(folder.join("first.txt")).unwrap();
    let refined = shown(folder, "eval a.tsv --epochs 2 --from first.txt -o second.txt");
    let second = fs::read_to_string(folder.join("second.txt")).unwrap();

    // The refinement starts from the first weights, which the file rounds, and the header records them.
    let before = number_after("before the fit: error ", &refined);
    let held_out = number_after("seeds, ", &first);
    assert!((before - held_out).abs() < 0.1, "{refined}{first}");
    assert!(second.contains("# Refined from first.txt:\n# Weights"), "{second}");
}

#[test]
fn what_cannot_be_sampled_or_fitted_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let reversed = refused(folder, "positions --min-seeds 20 --max-seeds 10 -o x.tsv");
    assert_eq!(reversed, "error: --min-seeds: expected at most --max-seeds, 10, got 20\n");
    assert!(!folder.join("x.tsv").exists());

    fs::write(folder.join("empty.tsv"), "board\tcapture\tin_play\tbest\tgains\n").unwrap();
    assert!(refused(folder, "eval empty.tsv -o w.txt").starts_with("error: "));

    shown(
        folder,
        "positions --pits 4 --seeds 3 --min-seeds 8 --max-seeds 20 --games 20 --table-seeds 8 -o a.tsv",
    );
    let six = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/evaluation/networks/6.txt");
    let other_width = refused(folder, &format!("eval a.tsv --from {six} -o w.txt"));
    assert!(
        other_width.ends_with("6.txt: expected weights for 4 pits per row, got 6\n"),
        "{other_width}"
    );
}
