//! Columns of text on a terminal. Some characters take two, such as those of Chinese and most
//! emoji, and others none, such as combining marks.
//!
//! Terminals disagree about emoji that consist of several characters; here they count as they do
//! for ratatui, which draws full-screen mode.

use unicode_width::UnicodeWidthStr;

/// The columns that a text without control characters takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The longest beginning of a text that takes at most `columns`.
pub fn fitting(text: &str, columns: usize) -> &str {
    // At most 8 characters per column, more than real text has: this takes quadratic time.
    let ends = text.char_indices().map(|(end, _)| end).chain([text.len()]);
    ends.take(8 * columns + 2)
        .map(|end| &text[..end])
        .take_while(|beginning| beginning.width() <= columns)
        .last()
        .unwrap_or_default()
}

/// A text followed by spaces up to this many columns.
pub fn padded(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}
