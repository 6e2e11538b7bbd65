//! Text that others wrote, for display: names and comments in records, names of files,
//! what engines and servers send.
//!
//! A terminal obeys some characters instead of showing them, and others reorder the text
//! around them. All of these are shown as JSON escapes, `\u001b`, so that JSON in which
//! they are escaped is the same value.

use std::fmt;
use std::io::{self, Write};

/// A text of others; its display is one line without control characters.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a>(pub &'a str);

impl fmt::Display for Foreign<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&escaped(self.0, is_control))
    }
}

/// As [`Foreign`] shows a text, but with its line ends and tabs.
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

/// Whether a character is C0, DEL, C1 or a bidirectional control.
pub fn is_control(character: char) -> bool {
    let is_bidirectional = matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || is_bidirectional
}

/// A writer that escapes all text as [`lines`] does.
#[derive(Debug)]
pub struct Escaping<W>(pub W);

impl<W: Write> Write for Escaping<W> {
    /// Text that is not UTF-8 is replaced.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(lines(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
