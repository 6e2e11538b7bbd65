//! Lists of openings and their manifest.

use kalah_engine::book::OpeningList;
use kalah_game::{Capture, Gain, Position, Rules};
use kalah_record::manifest::{Manifest, ManifestList};

fn start() -> Position {
    Position::start(Rules::new(3, 2, Capture::Standard).unwrap())
}

/// A list with the position after A, whose line gives these moves for it.
fn list(moves: &str) -> String {
    let mut after = start();
    after.play_moves(["A"]).unwrap();
    OpeningList::text(start().variant(), &[OpeningList::line(&after, moves, Gain(0), "exact")])
}

#[test]
fn a_list_is_checked_against_its_entry_and_its_moves_are_replayed() {
    let text = list("A");
    let entry = ManifestList::new("list.tsv".to_owned(), 1, &text);
    assert_eq!(entry.check(&text, &start()).unwrap()[0].moves, "A");
    let changed = text.replace("exact", "depth");
    let fault = entry.check(&changed, &start()).unwrap_err().to_string();
    assert_eq!(fault, format!("expected SHA-256 {}", entry.sha256));
    let of = |text: &str, positions| ManifestList::new("list.tsv".to_owned(), positions, text);
    let error = |text: &str, positions| of(text, positions).check(text, &start()).unwrap_err();
    assert_eq!(error(&text, 2).to_string(), "expected 2 positions, got 1");
    let (open, _) = text.split_once("# checksum").unwrap();
    assert_eq!(error(open, 1).to_string(), "expected a checksum in the last line, got none");
    assert!(error("", 1).to_string().starts_with("expected "), "{}", error("", 1));
    assert!(error(&list("AX"), 1).to_string().starts_with("line 2: expected a pit"));
    assert!(
        error(&list("B"), 1).to_string().starts_with("line 2: expected moves that lead to <3,")
    );
}

#[test]
fn a_manifest_names_its_start() {
    let text = r#"{"command":"","version":"","pits":3,"seeds":2,"capture":"standard","plies":1,
        "lists":[]}"#;
    assert_eq!(Manifest::parse(text).unwrap().start(), start());
    let none = Manifest::parse(&text.replace("\"pits\":3", "\"pits\":0")).unwrap_err();
    assert!(none.to_string().starts_with("expected 1 to 16 pits per row, got 0"), "{none}");
    let none = Manifest::parse("{}").unwrap_err().to_string();
    assert!(none.starts_with("missing field `command`"), "{none}");
}

#[test]
fn written_lists_agree_with_their_manifest() {
    let folder = kalah_testing::folder();
    let list = list("A");
    let line = list.lines().nth(1).unwrap().to_owned() + "\n";
    let rules = Rules::new(3, 2, Capture::Standard).unwrap();
    let written = Manifest::write(folder.path(), rules, 1, [&[line], &[]]).unwrap();
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    assert_eq!(Manifest::parse(&read("3x2-standard.json")).unwrap(), written);
    let command = "kalah openings make --pits 3 --seeds 2 --capture standard --plies 1";
    assert_eq!(written.command, command);
    let files: Vec<_> = written.lists.iter().map(|list| list.file.as_str()).collect();
    assert_eq!(files, ["3x2-standard.tsv", "3x2-standard-fair.tsv"]);
    assert_eq!(read(files[0]), list);
    for list in &written.lists {
        let text = read(&list.file);
        assert_eq!(list.check(&text, &start()).unwrap().len(), list.positions);
    }
}
