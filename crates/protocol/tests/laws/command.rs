use std::collections::HashSet;

use kalah_game::Position;
use kalah_protocol::command::{self, COMMANDS, CommandSpec, EngineCommand};
use kalah_protocol::dialect::UgiQuery;

fn read(line: &str) -> EngineCommand {
    EngineCommand::parse(line).unwrap().unwrap().0
}

fn error(line: &str) -> String {
    EngineCommand::parse(line).unwrap_err().to_string()
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(EngineCommand::parse("joho debug on"), Ok(Some((EngineCommand::Debug(true), 1))));
    let odd_spaces = "joho\u{a0}\tdebug\u{b}on\u{2003}";
    assert_eq!(EngineCommand::parse(odd_spaces), Ok(Some((EngineCommand::Debug(true), 1))));
    assert_eq!(EngineCommand::parse(" \t "), Ok(None));
    assert_eq!(
        error("\0hello world"),
        "expected a command, got '\\u0000hello' (help lists the commands)"
    );
}

#[test]
fn options_may_have_several_words_in_name_and_value() {
    fn set(name: &str, value: &str) -> EngineCommand {
        EngineCommand::SetOption { name: name.to_owned(), value: value.to_owned() }
    }
    assert_eq!(read("setoption name Move Overhead value 20"), set("Move Overhead", "20"));
    assert_eq!(read("setoption name Clear Hash"), set("Clear Hash", ""));
    assert_eq!(read("setoption name T value a  value b"), set("T", "a value b"));
    assert_eq!(error("setoption Hash 3"), "setoption: expected name, got 'Hash'");
    assert_eq!(error("setoption name value 3"), "setoption: expected a name, got 'value'");
}

#[test]
fn a_position_is_the_start_or_a_text_then_moves() {
    fn position(text: Option<&str>, moves: &[&str]) -> EngineCommand {
        EngineCommand::Position { text: text.map(str::to_owned), moves: moves.join(" ") }
    }
    assert_eq!(read("position startpos"), position(None, &[]));
    assert_eq!(read("position startpos moves"), position(None, &[]));
    assert_eq!(
        read("position fen <1,0,0,4,4> N moves a A"),
        position(Some("<1,0,0,4,4> N"), &["a", "A"])
    );
    let start = Position::parse("<1,0,0,4,4> N", Default::default()).unwrap();
    for letters in ["", "aA"] {
        let words: Vec<_> = letters.split("").filter(|word| !word.is_empty()).collect();
        let written = command::position(&start, letters.chars());
        assert_eq!(read(&written), position(Some("<1,0,0,4,4> N"), &words));
    }
}

#[test]
fn every_command_of_the_table_is_parsed_to_one_of_its_own() {
    let mut parsed = HashSet::new();
    for CommandSpec { name, usage, .. } in &COMMANDS {
        let first_choice: Vec<&str> = usage.split('|').next().unwrap().split(' ').collect();
        let words = [&[*name][..], &first_choice].concat().join(" ");
        assert!(parsed.insert(format!("{:?}", read(&words))) || *name == "uginewgame", "{name}");
    }
}

#[test]
fn malformed_commands_name_what_was_expected() {
    for (line, expected) in [
        ("debug", "debug: expected on or off, got nothing"),
        ("debug maybe", "debug: expected on or off, got 'maybe'"),
        ("setoption", "setoption: expected name, got nothing"),
        ("position", "position: expected startpos or fen, got nothing"),
        ("position here", "position: expected startpos or fen, got 'here'"),
        ("position startpos A", "position: expected moves, got 'A'"),
        ("position fen moves A", "position: expected a position after fen, got nothing"),
        ("query", "query: expected p1turn, gameover or result, got nothing"),
        ("query winner", "query: expected p1turn, gameover or result, got 'winner'"),
    ] {
        assert_eq!(error(line), expected, "{line}");
    }
    for (one, other) in
        [("go wtime -0", "go wtime 0"), ("go nodes +7", "go nodes 7"), ("debug on x", "debug on")]
    {
        assert_eq!(read(one), read(other), "{one}");
    }
    let queries = ["p1turn", "gameover", "result"].map(|query| read(&format!("query {query}")));
    let expected = [UgiQuery::P1Turn, UgiQuery::GameOver, UgiQuery::Outcome];
    assert_eq!(queries, expected.map(EngineCommand::Query));
}
