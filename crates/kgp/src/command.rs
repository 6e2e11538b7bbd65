//! A line of the Kalah Game Protocol, and the strings in it.
//!
//! ```text
//! command = id name *(*1WSP argument) CRLF
//! id      = [[*1DIGIT] ["@" *1DIGIT] *1WSP]
//! ```

use std::fmt::{self, Write};

/// A command from a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ServerCommand<'a> {
    /// The command's number, to which replies refer.
    pub(super) id: Option<u64>,
    /// The number of the command to which this one replies.
    pub(super) reference: Option<u64>,
    /// At least one letter or digit.
    pub(super) name: &'a str,
    /// The rest of the line, trimmed.
    pub(super) arguments: &'a str,
}

impl<'a> ServerCommand<'a> {
    /// Parses a line; none if the grammar does not allow it.
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let line = line.trim();
        // Replies quote arguments, and must stay on one line.
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

/// Parses digits only: `parse` would also accept a sign.
fn number(digits: &str) -> Option<u64> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The content of a quoted string; other arguments are returned unchanged.
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

/// Displays a text as a quoted string of the protocol, on one line.
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

/// The seeds in South's pits, even if the board is too large for a
/// [`Position`](kalah_game::Position).
pub(super) fn south_row(board: &str) -> Option<Vec<u64>> {
    let numbers = board.strip_prefix('<')?.strip_suffix('>')?;
    let mut counts = Vec::new();
    for number in numbers.split(',') {
        counts.push(number.trim().parse().ok()?);
    }
    let pits = usize::try_from(*counts.first()?).ok()?;
    if pits.checked_mul(2)?.checked_add(3)? != counts.len() {
        return None;
    }
    Some(counts.get(3..pits.checked_add(3)?)?.to_vec())
}
