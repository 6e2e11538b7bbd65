//! A line of the Kalah Game Protocol, and the strings in it.
//!
//! ```text
//! command = id name *(*1WSP argument) CRLF
//! id      = [[*1DIGIT] ["@" *1DIGIT] *1WSP]
//! ```

use std::fmt::{self, Write};

/// A command of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message<'a> {
    /// Its number, for answers to refer to.
    pub(super) id: Option<u64>,
    /// The number of the command that it answers.
    pub(super) reference: Option<u64>,
    /// Letters and digits, at least one.
    pub(super) name: &'a str,
    /// The rest of the line, trimmed.
    pub(super) arguments: &'a str,
}

impl<'a> Message<'a> {
    /// Parses a line; none if the grammar does not allow it.
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let line = line.trim();
        // Arguments are quoted in answers, which have to stay on one line.
        if line.contains(|character: char| character.is_control() && character != '\t') {
            return None;
        }
        let has_id = line.starts_with(|first: char| first.is_ascii_digit() || first == '@');
        let (head, command) =
            if has_id { line.split_once(char::is_whitespace)? } else { ("", line) };
        let (id, reference) = head.split_once('@').unwrap_or((head, ""));
        let command = command.trim_start();
        let (name, arguments) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        Some(Self {
            id: if id.is_empty() { None } else { Some(number(id)?) },
            reference: if head.contains('@') { Some(number(reference)?) } else { None },
            name,
            arguments: arguments.trim(),
        })
    }

    /// The option and the value of a `set`.
    pub(super) fn option(&self) -> Option<(&'a str, String)> {
        let (name, value) = self.arguments.split_once(char::is_whitespace)?;
        Some((name, unquoted(value.trim_start())))
    }
}

/// The number of digits alone: `parse` would take a sign too.
fn number(digits: &str) -> Option<u64> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The content of a quoted string, or the text of another argument as it is.
pub(super) fn unquoted(text: &str) -> String {
    let Some(content) = text.strip_prefix('"') else { return text.to_owned() };
    let mut value = String::new();
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => value.extend(characters.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                escaped => escaped,
            })),
            character => value.push(character),
        }
    }
    value
}

/// A text as a string of the protocol, on one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '\n' => f.write_str("\\n")?,
                '"' | '\\' => write!(f, "\\{character}")?,
                character if character.is_control() => f.write_char(' ')?,
                character => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

/// The seeds in South's pits, even on a board that is too large for a
/// [`Position`](crate::game::Position).
pub(super) fn south_row(board: &str) -> Option<Vec<u64>> {
    let numbers = board.strip_prefix('<')?.strip_suffix('>')?;
    let numbers: Option<Vec<u64>> =
        numbers.split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers = numbers?;
    let pits = usize::try_from(*numbers.first()?).ok()?;
    let is_board = pits.checked_mul(2)?.checked_add(3)? == numbers.len();
    let row = numbers.get(3..pits.checked_add(3)?)?;
    is_board.then(|| row.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<(Option<u64>, Option<u64>, &str, &str)> {
        let message = Message::parse(line)?;
        Some((message.id, message.reference, message.name, message.arguments))
    }

    #[test]
    fn commands_are_read_with_and_without_numbers() {
        assert_eq!(parsed("2 kgp 1 0 1"), Some((Some(2), None, "kgp", "1 0 1")));
        assert_eq!(parsed("10@8 stop"), Some((Some(10), Some(8), "stop", "")));
        assert_eq!(parsed("@8  stop \r"), Some((None, Some(8), "stop", "")));
        assert_eq!(parsed("goodbye"), Some((None, None, "goodbye", "")));
        assert_eq!(
            parsed(" 12\tstate\t<1,0,0,4,4> "),
            Some((Some(12), None, "state", "<1,0,0,4,4>"))
        );
    }

    #[test]
    fn a_line_that_the_grammar_does_not_allow_is_not_a_command() {
        let long = "9".repeat(40) + " ping";
        for line in [
            "",
            "  ",
            "7",
            "7@",
            "@",
            "@ ping",
            "@+3 ping",
            "7@x ping",
            "7ping 8",
            "-1 ping",
            "<6>",
            "pi:ng",
            "2 ping a\rb",
            "2 ping \0",
            &long,
        ] {
            assert_eq!(parsed(line), None, "{line}");
        }
    }

    #[test]
    fn strings_are_read_as_they_were_quoted() {
        for text in ["", "Kalah", "a \"b\" \\ c\nd", "ä"] {
            assert_eq!(unquoted(&Quoted(text).to_string()), text);
        }
        assert_eq!(Quoted("a\0b\r").to_string(), "\"a b \"");
        assert_eq!(unquoted("word"), "word");
        assert_eq!(unquoted("\"open"), "open");
        let message = Message::parse("4 set game:id \"a b\"").unwrap();
        assert_eq!(message.option(), Some(("game:id", "a b".to_owned())));
        assert_eq!(Message::parse("4 set game:id").unwrap().option(), None);
    }

    #[test]
    fn the_row_of_a_board_of_any_size_can_be_read() {
        assert_eq!(south_row("<2,0,9,1,99999999,0,0>"), Some(vec![1, 99_999_999]));
        for board in
            ["<>", "<2,0,0,1,1,1>", "<18446744073709551615,0,0>", "<1,0,0,-4,4>", "1,0,0,4,4"]
        {
            assert_eq!(south_row(board), None, "{board}");
        }
    }
}
