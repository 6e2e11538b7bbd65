//! Plays the transcripts of `protocol.md`, and those of `transcripts.md`, which are too long for it.

use super::manager::Manager;
use super::specification::SPECIFICATION;

const FURTHER: &str = include_str!("transcripts.md");

/// A line of input and the expected answers.
#[derive(Debug)]
struct Exchange<'a> {
    /// The line of the document, from 1.
    number: usize,
    said: &'a str,
    answers: Vec<&'a str>,
}

/// The transcripts of a document, each as a list of exchanges.
fn transcripts(document: &str) -> Vec<Vec<Exchange<'_>>> {
    let mut transcripts: Vec<Vec<Exchange>> = Vec::new();
    let mut is_inside = false;
    for (number, line) in (1..).zip(document.lines()) {
        if line.starts_with("```") {
            is_inside = line == "```transcript";
            if is_inside {
                transcripts.push(Vec::new());
            }
        } else if is_inside {
            let exchanges = transcripts.last_mut().expect("a transcript has begun");
            if let Some(said) = line.strip_prefix("> ") {
                exchanges.push(Exchange { number, said, answers: Vec::new() });
            } else {
                let answer = line.strip_prefix("< ").expect("a line begins with > or <");
                exchanges.last_mut().expect("something is said first").answers.push(answer);
            }
        }
    }
    transcripts
}

/// Whether `lines` match the expected ones; a line `…` stands for any number of lines.
fn lines_match(expected: &[&str], lines: &[String]) -> bool {
    match (expected, lines) {
        ([], lines) => lines.is_empty(),
        (["…", rest @ ..], _) => (0..=lines.len()).any(|skip| lines_match(rest, &lines[skip..])),
        ([first, rest @ ..], [line, others @ ..]) => {
            line_matches(first, line) && lines_match(rest, others)
        }
        _ => false,
    }
}

/// Whether `line` matches the expected one; `…` stands for any text.
fn line_matches(expected: &str, line: &str) -> bool {
    match expected.split_once('…') {
        None => line == expected,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let ends = line.char_indices().map(|(end, _)| end).chain([line.len()]);
            ends.into_iter().any(|end| line_matches(rest, &line[end..]))
        }),
    }
}

/// The expected lines and those that came, with `-` and `+` before those that only one side has.
fn difference(expected: &[&str], lines: &[String]) -> String {
    let alike = |(one, other): &(&&str, &String)| line_matches(one, other);
    let start = expected.iter().zip(lines).take_while(alike).count();
    let rest = expected[start..].iter().rev().zip(lines[start..].iter().rev());
    let end = rest.take_while(alike).count();
    let mut shown: Vec<String> = lines[..start].iter().map(|line| format!("  {line}")).collect();
    shown.extend(expected[start..expected.len() - end].iter().map(|line| format!("- {line}")));
    shown.extend(lines[start..lines.len() - end].iter().map(|line| format!("+ {line}")));
    shown.extend(lines[lines.len() - end..].iter().map(|line| format!("  {line}")));
    shown.join("\n")
}

#[test]
fn the_program_answers_every_transcript_as_written() {
    let mut count = 0;
    for (name, document) in [("protocol.md", SPECIFICATION), ("transcripts.md", FURTHER)] {
        for transcript in transcripts(document) {
            let mut manager = Manager::new();
            for Exchange { number, said, answers } in transcript {
                let lines = manager.say(said);
                let difference = difference(&answers, &lines);
                assert!(lines_match(&answers, &lines), "{name}:{number}: > {said}\n{difference}");
            }
            count += 1;
        }
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn transcript_patterns_match_what_they_describe_and_nothing_else() {
    assert!(line_matches("a … c", "a b c") && line_matches("…c…", "abcd"));
    assert!(!line_matches("a … c", "a b d") && !line_matches("a", "ab"));
    let lines = ["a", "b", "c"].map(str::to_owned);
    assert!(lines_match(&["…", "c"], &lines) && lines_match(&["a", "b", "c", "…"], &lines));
    assert!(!lines_match(&["…", "b"], &lines) && !lines_match(&["a", "b"], &lines));
    let expected = ["a", "x…", "c"];
    assert_eq!(difference(&expected, &lines), "  a\n- x…\n+ b\n  c");
}
