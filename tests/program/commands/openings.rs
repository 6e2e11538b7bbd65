//! Lists of openings: how they are made and verified.

use std::collections::BTreeSet;
use std::fs;

use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use crate::folder::Folder;

#[test]
fn an_unusable_folder_is_refused_before_anything_is_solved() {
    let folder = Folder::new();
    folder.write("file", "");
    let ran = folder.run("openings make --pits 3 --seeds 2 --checkpoint proved --out file");
    assert_eq!(ran.code, Some(1));
    assert!(ran.errors.starts_with("error: cannot write file: "), "{}", ran.errors);
    assert_eq!(folder.read("proved").lines().count(), 1, "only the header");
}

#[test]
fn a_searched_list_of_openings_has_the_margins_that_are_proved() {
    let folder = Folder::new();
    let start = "--pits 3 --seeds 3";
    // A proof in small pieces leaves bounds of many positions in its ledger.
    folder.shown(&format!("proof plan p {start} --piece-nodes 20"));
    folder.shown("proof work p --threads 1 --table-seeds 0 --hash 1");
    let solved = folder.shown(&format!("solve {start} --moves --checkpoint p/ledger.jsonl --json"));
    let solved: serde_json::Value = serde_json::from_str(&solved).unwrap();
    let make = format!(
        "openings make {start} --plies 2 --depth 1 --checkpoint p/ledger.jsonl --out lists"
    );
    let mistyped = folder.run(&make.replace("p/ledger.jsonl", "q"));
    assert!(mistyped.errors.contains("q: "), "{}", mistyped.errors);
    assert!(mistyped.code != Some(0) && !folder.path("q").exists());
    folder.shown(&make);
    let list = folder.read("lists/3x3-standard.tsv");
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
        let solved = folder.run_words(&["solve", "--json", "--position", fields[0]]).shown;
        let solved: serde_json::Value = serde_json::from_str(&solved).unwrap();
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
    folder.shown("openings verify lists/3x3-standard.json");
}

#[test]
fn openings_without_a_manifest_are_refused_with_the_command_that_writes_one() {
    let output = Folder::new().run("openings verify");
    assert!(output.errors.contains("'kalah openings make'"), "{}", output.errors);
}

#[test]
fn lists_of_openings_are_verified_and_altered_ones_refused() {
    let folder = Folder::new();
    folder.shown("openings make --pits 4 --seeds 3 --plies 2 --threads 1 --out .");
    let [list, manifest] = ["4x3-standard.tsv", "4x3-standard.json"].map(|name| folder.path(name));
    let verify = "openings verify 4x3-standard.json --sample 1000 --threads 1";
    let verified = folder.shown(verify);
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
            "line 2: the margin of ",
        ),
    ] {
        fs::write(&list, &changed).unwrap();
        assert!(folder.run(verify).errors.contains("expected SHA-256"));
        let changed = with_checksum(&changed);
        fs::write(&list, &changed).unwrap();
        let [old, new] = [&lines, &changed].map(|text| {
            Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        });
        let whole = fs::read_to_string(&manifest).unwrap();
        assert!(whole.contains(&old), "{whole}");
        fs::write(&manifest, whole.replace(&old, &new)).unwrap();
        let error = folder.run(verify).errors;
        assert!(error.contains(message), "{error}");
        fs::write(&manifest, whole).unwrap();
    }
}

/// A copy of a list with the checksum that it should have.
fn with_checksum(list: &str) -> String {
    let lines = &list[..list.rfind("# checksum ").unwrap()];
    format!("{lines}# checksum {:016x}\n", xxh3_64(lines.as_bytes()))
}
