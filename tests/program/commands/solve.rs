//! What `solve` proves and `tune` fits, from files and after interruptions.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::{Folder, Ran};

#[test]
fn positions_are_solved_from_standard_input_and_from_files_from_other_systems() {
    let folder = Folder::new();
    let positions = "<3,0,0,1,0,1,1,1,1> N\r\n<3,0,0,1,0,1,1,1,1> S\r\n";
    let marked = format!("\u{feff}{positions}");
    let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [positions.as_bytes(), marked.as_bytes(), &utf16] {
        folder.write("file", bytes);
        let mut piped = folder.command();
        piped.args(["solve", "--file", "-"]);
        piped.stdin(fs::File::open(folder.path("file")).unwrap());
        for ran in [piped.output().unwrap().into(), folder.run("solve --file file")] {
            assert!(ran.code == Some(0) && ran.shown.lines().count() == 2, "{ran:?}");
        }
    }
}

#[test]
fn weights_are_fitted_to_sampled_positions_and_refined() {
    let folder = Folder::new();
    let sample = "tune positions --pits 4 --seeds 3 --min-seeds 8 --max-seeds 20 --games 60";
    folder.shown("tables build --pits 4 --seeds 10 --tables dir");
    folder.shown(&format!("{sample} --tables dir -o read.tsv"));
    folder.shown(&format!("{sample} --table-seeds 10 -o built.tsv"));
    assert_eq!(folder.read("read.tsv"), folder.read("built.tsv"));
    folder.shown("tune eval read.tsv --epochs 2 -o first.txt");
    let refined = folder.shown("tune eval read.tsv --epochs 2 --from first.txt -o second.txt");
    let second = folder.read("second.txt");
    // The fit starts from the first one's weights, and the header records them.
    let error = |text: &str| text.split("error ").nth(1).unwrap()[..4].parse::<f64>().unwrap();
    let first = folder.read("first.txt");
    let held = first.split("seeds, ").nth(1).unwrap()[..4].parse::<f64>().unwrap();
    assert!((error(&refined) - held).abs() < 0.1, "{refined}{first}");
    assert!(second.contains("# Refined from first.txt:\n# Weights"));
    // The engine reads tables and weights for the boards of the suite.
    let suite = "bench --suite read.tsv --nodes 20 --option TablePath=dir";
    folder.shown(suite);
    let [ours, stores] = ["EvalFile=second.txt", "Evaluation=stores"]
        .map(|option| folder.shown(&format!("{suite} --option {option}")));
    assert_ne!(ours, stores);
    let six = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/engine/src/evaluation/networks/6.txt");
    let refused = folder.run(&format!("tune eval read.tsv --from {six} -o third.txt")).errors;
    assert!(refused.contains("6.txt: expected weights for 4 pits per row, got 6"), "{refused}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_solve_prints_what_it_has_proved_and_continues_from_there() {
    let folder = Folder::new();
    let ledger = folder.path("proofs");
    let mut command = folder.command();
    let line = "solve --table-seeds 8 --threads 1 --checkpoint proofs";
    command.args(line.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while fs::read_to_string(&ledger).map_or(0, |text| text.lines().count()) < 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
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
fn a_grid_is_compared_with_the_known_margins_of_either_rule() {
    let folder = Folder::new();
    for (grid, start, margin, rule, source) in [
        ("3x3", ["3", "3"], "+2", "standard", "this project, kalah solve --verify"),
        ("4x3", ["4", "3"], "+8", "empty-capture", "Irving, Donkers, Uiterwijk 2000"),
    ] {
        let shown = folder.shown(&format!("solve --grid {grid} --capture {rule} --threads 1"));
        let line = shown.lines().find(|line| line.split_whitespace().take(2).eq(start));
        let line = line.unwrap();
        assert!(line.split_whitespace().skip(2).take(2).eq([margin; 2]), "{shown}");
        assert!(line.contains(source), "{shown}");
    }
    let unlisted = folder.shown("solve --grid 1x7 --json --threads 1");
    assert!(unlisted.lines().last().unwrap().contains(r#""known":null"#), "{unlisted}");
}

#[test]
fn positions_to_solve_may_have_names_and_come_from_a_pipe() {
    let folder = Folder::new();
    let list = "\u{feff}# position\tmoves\n\n<2,0,0,1,1,1,1> S\t# AB\t+2\r\n<2,0,0,1,1,1,1> N# b\n";
    folder.write("list.tsv", list);
    let margins = |argument: &str| {
        let mut command = folder.command();
        command.args(["solve", "--table-seeds", "0", "--file", argument]);
        command.stdin(fs::File::open(folder.path("list.tsv")).unwrap());
        let ran = Ran::from(command.output().unwrap());
        let lines = ran.shown.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.map(|solved: serde_json::Value| solved["margin"].clone()).collect::<Vec<_>>()
    };
    for argument in ["list.tsv", "-"] {
        assert_eq!(margins(argument), [2, 2], "{argument}");
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
