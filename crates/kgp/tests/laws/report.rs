//! The events of a client as lines of text, and the transcript.

use std::fs;
use std::io::{self, Write};
use std::time::Duration;

use kalah_game::score::Value;
use kalah_kgp::client::ClientEvent;
use kalah_kgp::games::{GameResult, PlayedGame};
use kalah_kgp::report::ClientReport;

/// What a report prints for these events, on each stream.
fn printed(report: &mut ClientReport, events: Vec<ClientEvent<'_>>) -> [String; 2] {
    let mut out = Vec::new();
    let mut errors = Vec::new();
    for event in events {
        report.show(event, &mut out, &mut errors).unwrap();
    }
    [out, errors].map(|text| String::from_utf8(text).unwrap())
}

fn game(result: GameResult, moves: u64, expected: Option<Value>) -> ClientEvent<'static> {
    ClientEvent::GameOver(PlayedGame { result, moves, expected })
}

#[test]
fn games_are_numbered_and_the_summary_counts_each_result() {
    let mut report = ClientReport::new("localhost:2671".to_owned(), None).unwrap();
    assert_eq!(report.summary(0), None);
    let events = vec![
        ClientEvent::Connected,
        game(GameResult::Won, 1, Some(Value(5 * Value::SEED))),
        game(GameResult::Lost, 2, None),
        game(GameResult::Unknown, 0, None),
        game(GameResult::Drawn, 3, None),
        game(GameResult::Lost, 4, None),
    ];
    let [out, errors] = printed(&mut report, events);
    let margin = Value(5 * Value::SEED);
    let expected = format!(
        "connected to localhost:2671
game 1: won, 1 move, expected margin {margin}
game 2: lost, 2 moves
game 3: result unknown, 0 moves
game 4: drawn, 3 moves
game 5: lost, 4 moves
"
    );
    assert_eq!([out.as_str(), &errors], [&expected, ""]);
    let summary = report.summary(10);
    let expected = "5 games, 10 moves: 1 won, 1 drawn, 2 lost, 1 with unknown result";
    assert_eq!(summary.as_deref(), Some(expected));
}

struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_lost_connection_is_reported_among_the_errors_and_a_closed_stderr_ends_no_game() {
    let mut report = ClientReport::new("x:1".to_owned(), None).unwrap();
    let lost = || ClientEvent::Lost("the server has closed it", Duration::from_secs(4));
    let printed = printed(&mut report, vec![lost()]);
    assert_eq!(printed, ["", "x:1: the server has closed it; reconnecting in 4 s\n"]);
    report.show(lost(), &mut Vec::new(), &mut Closed).unwrap();
    assert!(report.show(ClientEvent::Connected, &mut Closed, &mut Vec::new()).is_err());
    // A client that was never connected has nothing to sum up.
    let mut report = ClientReport::new("x:1".to_owned(), None).unwrap();
    report.show(lost(), &mut Vec::new(), &mut Vec::new()).unwrap();
    assert_eq!(report.summary(0), None);
}

#[test]
fn a_transcript_is_appended_to_with_one_line_per_line_of_the_session() {
    let folder = kalah_testing::folder();
    let path = folder.path().join("lines.txt");
    fs::write(&path, "earlier\n").unwrap();
    let mut report = ClientReport::new("x:1".to_owned(), Some(&path)).unwrap();
    let events =
        vec![ClientEvent::Received("kgp 1 0 1"), ClientEvent::Sent("1 a\n0.000 < \u{1b}b")];
    assert_eq!(printed(&mut report, events), ["", ""]);
    // The report still exists: each line is in the file as soon as it is complete.
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "earlier"));
    for (line, expected) in [(lines[1], "< kgp 1 0 1"), (lines[2], "> 1 a 0.000 <  b")] {
        let (time, rest) = line.trim_start().split_once(' ').unwrap();
        assert_eq!(rest, expected);
        assert!((0.0..60.0).contains(&time.parse::<f64>().unwrap()), "{line}");
    }
    let error = ClientReport::new("x:1".to_owned(), Some(folder.path())).unwrap_err();
    assert!(error.to_string().starts_with("cannot write "), "{error}");
}
