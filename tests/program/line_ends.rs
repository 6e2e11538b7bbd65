//! Files with CRLF, as Git and editors on Windows write them, are read like files with LF.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// Files and their texts; each command below reads one or more of them. A match adds two more.
const FILES: [(&str, &str); 6] = [
    ("ledger.jsonl", include_str!("../../openings/6x6-empty-capture-proof/ledger.jsonl")),
    ("6x3-standard.json", include_str!("../../openings/6x3-standard.json")),
    ("6x3-standard.tsv", include_str!("../../openings/6x3-standard.tsv")),
    ("6x3-standard-fair.tsv", include_str!("../../openings/6x3-standard-fair.tsv")),
    ("weights.txt", include_str!("../../crates/engine/src/evaluation/networks/6.txt")),
    ("positions.txt", "# two\n<1,0,0,1,1> S # a comment\n<1,1,1,2,2> S\n"),
];

fn kalah(folder: &Path, arguments: &str, input: &str) -> Output {
    let mut command = crate::kalah();
    command.current_dir(folder).args(shlex::split(arguments).unwrap());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Both streams, without times.
fn shown(folder: &Path, arguments: &str, input: &str) -> String {
    let Output { stdout, stderr, .. } = kalah(folder, arguments, input);
    let text = String::from_utf8([stdout, stderr].concat()).unwrap();
    text.lines()
        .map(|line| line.split(",\"seconds\"").next().unwrap_or(line).to_owned() + "\n")
        .collect()
}

#[test]
fn every_reader_accepts_both_line_ends() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [lf, crlf] = [one.path(), other.path()];
    FILES.iter().for_each(|(name, text)| fs::write(lf.join(name), text).unwrap());
    let play = "match -q -o games.jsonl -e 'random name=a' -e 'random name=b' -p 2";
    assert!(kalah(lf, play, "").status.success());
    assert!(kalah(lf, "convert games.jsonl -o games.kgn", "").status.success());
    for name in FILES.map(|(name, _)| name).iter().chain(&["games.jsonl", "games.kgn"]) {
        let text = fs::read_to_string(lf.join(name)).unwrap();
        fs::write(crlf.join(name), text.replace('\n', "\r\n")).unwrap();
    }
    for (arguments, input) in [
        ("proof status .", ""),
        ("openings verify 6x3-standard.json --sample 0 --table-seeds 0", ""),
        ("match merge games.jsonl", ""),
        ("match -o games.jsonl --resume", ""),
        ("convert games.jsonl", ""),
        ("convert games.kgn", ""),
        ("replay games.kgn --list", ""),
        ("solve --file positions.txt", ""),
        ("", "setoption name EvalFile value weights.txt\n"),
    ] {
        let [expected, got] = [lf, crlf].map(|folder| shown(folder, arguments, input));
        assert!(!expected.contains("error:"), "{arguments}: {expected}");
        assert_eq!(got, expected, "{arguments}");
    }
}
