//! Files with CRLF, as Git and editors on Windows write them, are read like files with LF.

use crate::folder::{Folder, Ran};

/// Files and their texts; each command below reads one or more of them. A match adds two more.
const FILES: [(&str, &str); 6] = [
    ("ledger.jsonl", include_str!("../../openings/6x6-empty-capture-proof/ledger.jsonl")),
    ("6x3-standard.json", include_str!("../../openings/6x3-standard.json")),
    ("6x3-standard.tsv", include_str!("../../openings/6x3-standard.tsv")),
    ("6x3-standard-fair.tsv", include_str!("../../openings/6x3-standard-fair.tsv")),
    ("weights.txt", include_str!("../../crates/engine/src/evaluation/networks/6.txt")),
    ("positions.txt", "# two\n<1,0,0,1,1> S # a comment\n<1,1,1,2,2> S\n"),
];

/// Both streams, without times.
fn printed(folder: &Folder, line: &str, input: &str) -> String {
    let ran = Ran::with_input(folder.command_line(line), input);
    let text = ran.shown + &ran.errors;
    text.lines()
        .map(|line| line.split(",\"seconds\"").next().unwrap_or(line).to_owned() + "\n")
        .collect()
}

#[test]
fn every_reader_accepts_both_line_ends() {
    let [lf, crlf] = [(); 2].map(|()| Folder::new());
    FILES.iter().for_each(|(name, text)| lf.write(name, text));
    lf.shown("match -q -o games.jsonl -e 'random name=a' -e 'random name=b' -p 2");
    lf.shown("convert games.jsonl -o games.kgn");
    for name in FILES.map(|(name, _)| name).iter().chain(&["games.jsonl", "games.kgn"]) {
        crlf.write(name, lf.read(name).replace('\n', "\r\n"));
    }
    for (line, input) in [
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
        let [expected, got] = [&lf, &crlf].map(|folder| printed(folder, line, input));
        assert!(!expected.contains("error:"), "{line}: {expected}");
        assert_eq!(got, expected, "{line}");
    }
}
