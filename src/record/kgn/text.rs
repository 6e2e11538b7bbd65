//! Reading a text piece by piece, knowing the line and the column.

use super::super::{Problem, RecordError};
use crate::sys::names::shortened;

/// A piece of text for a message.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", shortened(text))
}

/// A line and a column, from 1.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    pub fn error(self, problem: Problem) -> RecordError {
        RecordError { line: self.line, column: self.column, problem }
    }

    pub fn unexpected(self, expected: &str, got: &str) -> RecordError {
        self.error(Problem::Unexpected { expected: expected.to_owned(), got: got.to_owned() })
    }
}

/// A text that is being read, and where.
pub(super) struct Text<'a> {
    pub rest: &'a str,
    pub place: Place,
}

impl<'a> Text<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text, place: Place { line: 1, column: 1 } }
    }

    /// Steps over `bytes` bytes and returns them.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        for character in taken.chars() {
            if character == '\n' {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        taken
    }

    fn take_while(&mut self, mut wanted: impl FnMut(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !wanted(character));
        self.take(end.unwrap_or(self.rest.len()))
    }

    /// Steps over spaces, line ends and comments from `;` to the end of a line.
    pub fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with(';') {
                return;
            }
            self.take_while(|character| character != '\n');
        }
    }

    pub fn word(&mut self) -> &'a str {
        self.take_while(|character| {
            !character.is_whitespace() && !['{', '[', ';'].contains(&character)
        })
    }

    fn expect(&mut self, wanted: &str) -> Result<(), RecordError> {
        if self.rest.starts_with(wanted) {
            self.take(wanted.len());
            return Ok(());
        }
        let place = self.place;
        let line = self.rest.lines().next().unwrap_or("");
        let got = if line.is_empty() { "the end of the line".to_owned() } else { quoted(line) };
        Err(place.unexpected(&format!("'{wanted}'"), &got))
    }

    /// The text between braces.
    pub fn comment(&mut self) -> Result<&'a str, RecordError> {
        let place = self.place;
        self.expect("{")?;
        let inside = self.take_while(|character| character != '}');
        if self.rest.is_empty() {
            return Err(place.unexpected("'}' after this '{'", "the end of the text"));
        }
        self.take(1);
        Ok(inside)
    }

    /// `[Name "value"]`
    pub fn tag(&mut self) -> Result<(String, String), RecordError> {
        self.expect("[")?;
        self.take_while(|character| character == ' ');
        let place = self.place;
        let name = self.take_while(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if name.is_empty() {
            let line = self.rest.lines().next().unwrap_or("");
            return Err(place.unexpected("a tag's name", &quoted(line)));
        }
        self.take_while(|character| character == ' ');
        self.expect("\"")?;
        let value = self.string()?;
        self.take_while(|character| character == ' ');
        self.expect("]")?;
        Ok((name.to_owned(), value))
    }

    /// The rest of a string and its closing quote.
    fn string(&mut self) -> Result<String, RecordError> {
        let mut value = String::new();
        loop {
            let place = self.place;
            value.push_str(self.take_while(|c| !['"', '\\', '\n'].contains(&c)));
            match self.rest.as_bytes().first() {
                Some(b'"') => {
                    self.take(1);
                    return Ok(value);
                }
                Some(b'\\') => {
                    self.take(1);
                    let escaped = self.rest.chars().next();
                    self.take(escaped.map_or(0, char::len_utf8));
                    value.push(match escaped {
                        Some('n') => '\n',
                        Some('r') => '\r',
                        Some(other @ ('"' | '\\')) => other,
                        _ => return Err(place.unexpected("'\\\\', '\\\"', '\\n' or '\\r'", "'\\'")),
                    });
                }
                _ => return Err(self.place.unexpected("'\"'", "the end of the line")),
            }
        }
    }
}
