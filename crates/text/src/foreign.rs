//! Displaying text from elsewhere: names and comments in records, file names, and what engines and
//! servers send.
//!
//! A terminal obeys some characters instead of showing them, and others reorder the text
//! around them. All of these are shown as JSON escapes, such as `\u001b`, so that escaping
//! them in JSON keeps its value.

use alloc::format;
use alloc::string::String;
use core::fmt;
#[cfg(feature = "std")]
use std::io::{self, Write};

/// Text from elsewhere; it is displayed as one line without control characters.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a>(pub &'a str);

impl fmt::Display for Foreign<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&escaped(self.0, is_control))
    }
}

/// A text without the byte order mark with which some editors begin a file.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The text as [`Foreign`] shows it, but with its line ends and tabs.
pub fn lines(text: &str) -> String {
    escaped(text, |character| is_control(character) && !matches!(character, '\n' | '\t'))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            safe += &format!("\\u{:04x}", u32::from(character));
        } else {
            safe.push(character);
        }
    }
    safe
}

/// The character whose escape consists of `\u` and the first four digits of `text`.
pub fn unescaped(text: &str) -> Option<char> {
    let digits = text.get(..4).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

/// Whether a character is C0, DEL, C1, a bidirectional control, or one of the separators
/// U+2028 and U+2029, which end a line for some readers of JSON lines.
pub fn is_control(character: char) -> bool {
    let is_bidirectional = matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_separator = matches!(character, '\u{2028}' | '\u{2029}');
    character.is_control() || is_bidirectional || is_separator
}

/// A writer that escapes all text as [`lines`] does.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Escaping<W>(pub W);

#[cfg(feature = "std")]
impl<W: Write> Write for Escaping<W> {
    /// Bytes that are not UTF-8 are replaced.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_separators_are_escaped_in_every_form() {
        let text = "a\u{2028}b\u{2029}c";
        let escaped = "a\\u2028b\\u2029c";
        assert_eq!((Foreign(text).to_string(), lines(text)), (escaped.to_owned(), escaped.into()));
    }
}
