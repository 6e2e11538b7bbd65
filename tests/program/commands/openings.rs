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
