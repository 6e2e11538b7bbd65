//! Numbers for people, text wrapped into lines, and text for HTML.

use crate::{foreign, width::columns};

/// A whole number with commas between groups of three digits if it has five digits or more: `1234`,
/// `12,345`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    // Four digits are read at a glance, and years and ports would look odd with a comma.
    if digits.len() < 5 {
        return digits;
    }
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and its noun: `1 seed`, `12,345 seeds`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with `decimals` decimals. Minus signs are ASCII, so that texts can be searched
/// and read by programs.
pub fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    // A number that rounds to zero has no sign.
    match text.strip_prefix('-') {
        Some(size) if size.bytes().all(|byte| matches!(byte, b'0' | b'.')) => size.to_owned(),
        _ => text,
    }
}

/// Like [`fixed`], with its sign; a number that rounds to zero has none.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if is_zero || text.starts_with('-') { text } else { format!("+{text}") }
}

/// A large number in few characters: `950`, `12 k`, `3.4 M`.
pub fn short(number: f64) -> String {
    let size = number.abs();
    // A narrow no-break space keeps the number and its unit together.
    let (scaled, unit) = match size {
        _ if size >= 1e9 => (number / 1e9, "\u{202f}G"),
        _ if size >= 1e6 => (number / 1e6, "\u{202f}M"),
        _ if size >= 1e3 => (number / 1e3, "\u{202f}k"),
        _ => (number, ""),
    };
    let text = fixed(scaled, if scaled.abs() < 10.0 && scaled.fract() != 0.0 { 1 } else { 0 });
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A time in a suitable unit: `3.2 ms`, `45 s`, `3 min`, `2.5 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds < 120.0 => format!("{seconds:.1} s"),
        _ if seconds < 7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

/// `text` in lines of at most `width` columns, broken at spaces; a longer word has a
/// line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let fits = columns(&line) + 1 + columns(word) <= width;
            if !line.is_empty() && !fits {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += word;
        }
        lines.push(line);
    }
    lines
}

/// `text` for HTML, [`escaped`], with no-break spaces before `%` and after `±`, so that no
/// line ends there.
pub fn html(text: &str) -> String {
    escaped(text).replace(" %", "\u{a0}%").replace("± ", "±\u{a0}")
}

/// `text` with the special characters of HTML and SVG escaped, and control characters shown.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in foreign::lines(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ => safe.push(letter),
        }
    }
    safe
}
