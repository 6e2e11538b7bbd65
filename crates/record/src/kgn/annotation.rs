//! Annotations of moves, in braces after them: `{=+4/17 0.012s 4501n; a comment}`.

use std::time::Duration;

use crate::game::{Move, MoveEvaluation};
use kalah_game::{Depth, Gain, Value};
use kalah_text::foreign::{self, Foreign};

/// The text between the braces, `=+4/17 0.012s 4501n; a comment`; none if empty.
pub(super) fn write(r#move: &Move) -> Option<String> {
    let annotations = annotations(r#move).join(" ");
    let comment = r#move.comment.as_deref().map(tidy).filter(|comment| !comment.is_empty());
    match (annotations.is_empty(), comment) {
        (true, None) => None,
        (false, None) => Some(annotations),
        (false, Some(comment)) => Some(format!("{annotations}; {}", escaped(&comment))),
        // Without a leading separator, this comment would be cut at its `;` or be read as
        // annotations.
        (true, Some(comment))
            if comment.contains(';')
                || read_annotations(&comment, &mut Move::default()).is_some() =>
        {
            Some(format!("; {}", escaped(&comment)))
        }
        (true, Some(comment)) => Some(escaped(&comment)),
    }
}

/// The text between the braces of a comment that does not belong to a move; none if empty.
pub(super) fn write_comment(comment: &str) -> Option<String> {
    Some(escaped(&tidy(comment))).filter(|comment| !comment.is_empty())
}

/// A comment on one line, with parentheses in place of braces, which would end it.
fn tidy(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('}', ")").replace('{', "(")
}

/// A comment with control characters escaped, as well as text that would be read as an escape.
fn escaped(comment: &str) -> String {
    Foreign(&comment.replace("\\u", "\\u005cu")).to_string()
}

/// Undoes [`escaped`].
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u");
    let mut comment = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match foreign::unescaped(part) {
            Some(character) => {
                comment.push(character);
                comment += &part[4..];
            }
            None => comment += &format!("\\u{part}"),
        }
    }
    comment
}

fn annotations(r#move: &Move) -> Vec<String> {
    let mut words = Vec::new();
    if r#move.book {
        words.push("book".to_owned());
    }
    let mut value_and_depth = match r#move.evaluation {
        None => String::new(),
        Some(MoveEvaluation { margin, proved: false }) => margin.to_string(),
        Some(MoveEvaluation { margin, proved: true }) if margin.0 % Value::SEED == 0 => {
            format!("={}", Gain(margin.0 / Value::SEED))
        }
        Some(MoveEvaluation { margin, proved: true }) => format!("={margin}"),
    };
    if let Some(Depth(depth)) = r#move.depth {
        value_and_depth += &format!("/{depth}");
    }
    if !value_and_depth.is_empty() {
        words.push(value_and_depth);
    }
    words.extend(r#move.time.map(|time| format!("{}s", seconds(time))));
    words.extend(r#move.nodes.map(|nodes| format!("{nodes}n")));
    words.extend(r#move.leaves.map(|leaves| format!("{leaves}l")));
    words
}

/// Seconds to the microsecond, without trailing zeros.
fn seconds(time: Duration) -> String {
    let text = format!("{}.{:06}", time.as_secs(), time.subsec_micros());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Adds the annotations in braces to a move. Any other text is a comment.
pub(super) fn read(text: &str, r#move: &mut Move) {
    let (annotations, comment) = text.split_once(';').unwrap_or((text, ""));
    // All or nothing: a text that only begins like annotations is a comment.
    let mut changed = r#move.clone();
    let comment = match read_annotations(annotations, &mut changed) {
        Some(()) => {
            *r#move = changed;
            comment
        }
        None => text,
    };
    read_comment(comment, &mut r#move.comment);
}

/// Adds a text in braces to a comment.
pub(super) fn read_comment(text: &str, comment: &mut Option<String>) {
    let added = unescaped(&tidy(text));
    if !added.is_empty() {
        *comment = joined(comment.take(), Some(added));
    }
}

/// Two comments as one.
pub(super) fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first} {second}")),
        (first, second) => first.or(second),
    }
}

fn read_annotations(text: &str, r#move: &mut Move) -> Option<()> {
    for word in text.split_whitespace() {
        if word == "book" {
            r#move.book = true;
        } else if let Some(nodes) = word.strip_suffix('n') {
            r#move.nodes = Some(digits(nodes)?.parse().ok()?);
        } else if let Some(leaves) = word.strip_suffix('l') {
            r#move.leaves = Some(digits(leaves)?.parse().ok()?);
        } else if let Some(seconds) = word.strip_suffix('s') {
            r#move.time = Some(Duration::from_micros(fixed(seconds, 6)?));
        } else {
            let mut value = word;
            if let Some((before, depth)) = word.split_once('/') {
                value = before;
                r#move.depth = Some(Depth(digits(depth)?.parse().ok()?));
            }
            if !value.is_empty() {
                r#move.evaluation = Some(evaluation(value)?);
            }
        }
    }
    Some(())
}

fn evaluation(text: &str) -> Option<MoveEvaluation> {
    let number = text.strip_prefix('=').unwrap_or(text);
    let (sign, size) = match number.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, number.strip_prefix('+')?),
    };
    let margin = Value(sign * i32::try_from(fixed(size, 2)?).ok()?);
    Some(MoveEvaluation { margin, proved: text.starts_with('=') })
}

/// A number with at most `places` decimals, times ten to the power of `places`. Its digits are
/// read as an integer, so that no value is rounded.
fn fixed(text: &str, places: usize) -> Option<u64> {
    let mut whole = text;
    let mut part = "";
    if let Some((before, after)) = text.split_once('.') {
        whole = before;
        part = digits(after)?;
    }
    if part.len() > places {
        return None;
    }
    format!("{}{part:0<places$}", digits(whole)?).parse().ok()
}

fn digits(text: &str) -> Option<&str> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { Some(text) } else { None }
}
