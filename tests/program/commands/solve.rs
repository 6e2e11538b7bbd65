//! What `solve` proves, from files and after interruptions.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use crate::folder::{Folder, Ran};
use crate::wait_for_lines;

#[cfg(unix)]
#[test]
fn an_interrupted_solve_prints_what_it_has_proved_and_continues_from_there() {
    let folder = Folder::new();
    let ledger = folder.path("proofs");
    let mut command = folder.command();
    let line = "solve --table-seeds 8 --threads 1 --checkpoint proofs";
    command.args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for_lines(&ledger, 2);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let Ran { code, shown, .. } = child.wait_with_output().unwrap().into();
    assert_eq!(code, Some(130));
    assert!(shown.starts_with("position  <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S standard\n"), "{shown}");
    assert!(shown.contains("\nmargin    ") && shown.contains(" to "), "{shown}");
    // The bounds of the small board below are not those of this one.
    let solved = folder.shown("solve --pits 3 --seeds 3 --checkpoint proofs --json");
    assert!(solved.contains("\"margin\":2,"), "{solved}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_solve_continues_when_its_proved_bounds_cannot_be_saved() {
    let folder = Folder::new();
    folder.shown("solve --pits 2 --seeds 2 --checkpoint p");
    let before = fs::read(folder.path("p")).unwrap();
    // Every write beyond the file's first blocks fails, as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 0; \"$0\" solve --pits 3 --seeds 3 --checkpoint p | cat";
    let output = Ran::from(folder.shell(script).output().unwrap());
    assert!(output.shown.contains("margin    +2"), "{}", output.errors);
    assert!(output.errors.contains("cannot save proved bounds: p: "));
    assert_eq!(fs::read(folder.path("p")).unwrap(), before);
}

#[test]
fn a_solved_position_is_put_into_words_and_may_follow_moves() {
    let folder = Folder::new();
    let shown = folder.shown("solve --pits 3 --seeds 3 --moves");
    assert!(shown.contains("\nresult    South wins by 2; best: "), "{shown}");
    let letters: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("move ")).collect();
    let letters: Vec<&str> = letters.iter().map(|line| &line[..1]).collect();
    assert_eq!(letters, ["A", "B", "C"], "{shown}");
    // A sows its three seeds up to the store, so South moves again.
    let after = folder.shown("solve --pits 3 --seeds 3 --after A");
    assert!(after.starts_with("position  <3,1,0,0,4,4,3,3,3> S standard\nresult    "), "{after}");
    assert!(!after.contains("+0"), "{after}");
    let refused = folder.run("solve --pits 3 --seeds 3 --after 'A x'");
    assert!(refused.errors.contains("--after: column 3: expected a pit's letter"), "{refused:?}");
}

#[test]
fn positions_to_solve_may_have_names_and_come_from_a_pipe() {
    let folder = Folder::new();
    let list = "\u{feff}# position\tmoves\n\n<2,0,0,1,1,1,1> S\t# AB\t+2\r\n<2,0,0,1,1,1,1> N# b\n";
    let utf16: Vec<u8> = list.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let margins = |argument: &str| {
        let mut command = folder.command();
        command.args(["solve", "--table-seeds", "0", "--file", argument]);
        command.stdin(fs::File::open(folder.path("list.tsv")).unwrap());
        let ran = Ran::from(command.output().unwrap());
        let lines = ran.shown.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.map(|solved: serde_json::Value| solved["margin"].clone()).collect::<Vec<_>>()
    };
    for bytes in [list.as_bytes(), list.trim_start_matches('\u{feff}').as_bytes(), &utf16] {
        folder.write("list.tsv", bytes);
        for argument in ["list.tsv", "-"] {
            assert_eq!(margins(argument), [2, 2], "{argument}");
        }
    }
    let commands = "position fen <2,0,0,1,1,1,1> S # a\n<2,0,0,1,1,1,1> S Ba\n";
    folder.write("list.tsv", commands);
    assert_eq!(margins("list.tsv").len(), 2);
    folder.write("list.tsv", "# nothing\n");
    let output = folder.run("solve --file list.tsv");
    assert_eq!(output.errors, "error: list.tsv: expected at least one position, got none\n");
}

/// Margins by pits, seeds and capture rule in one of the repository's lists.
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
fn known_margins_of_both_rules_have_their_source() {
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
