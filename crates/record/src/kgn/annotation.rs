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
        (true, Some(comment)) if comment.contains(';') || is_annotation(&comment) => {
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
    let depth = r#move.depth.map(|Depth(depth)| format!("/{depth}")).unwrap_or_default();
    let value = r#move.evaluation.map(|MoveEvaluation { margin, proved }| {
        if !proved {
            margin.to_string()
        } else if margin.0 % Value::SEED == 0 {
            format!("={}", Gain(margin.0 / Value::SEED))
        } else {
            format!("={margin}")
        }
    });
    let first = value.unwrap_or_default() + &depth;
    let book = r#move.book.then(|| "book".to_owned());
    let time = r#move.time.map(|time| format!("{}s", seconds(time)));
    let nodes = r#move.nodes.map(|nodes| format!("{nodes}n"));
    let leaves = r#move.leaves.map(|leaves| format!("{leaves}l"));
    let first = Some(first).filter(|first| !first.is_empty());
    [book, first, time, nodes, leaves].into_iter().flatten().collect()
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
    let comments: Vec<_> = first.into_iter().chain(second).collect();
    (!comments.is_empty()).then(|| comments.join(" "))
}

/// Whether a comment would be read as annotations.
fn is_annotation(text: &str) -> bool {
    read_annotations(text, &mut Move::default()).is_some()
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
            let (value, depth) = word.split_once('/').map_or((word, None), |(v, d)| (v, Some(d)));
            if let Some(depth) = depth {
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
    let (proved, text) = text.strip_prefix('=').map_or((false, text), |rest| (true, rest));
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => (-1, size),
        None => (1, text.strip_prefix('+')?),
    };
    let size = i32::try_from(fixed(size, 2)?).ok()?;
    Some(MoveEvaluation { margin: Value(sign * size), proved })
}

/// A number with at most `places` decimals, times ten to the power of `places`. Its digits are
/// read as an integer, so that no value is rounded.
fn fixed(text: &str, places: usize) -> Option<u64> {
    let (whole, part) = text.split_once('.').map_or((text, None), |(w, p)| (w, Some(p)));
    let part = match part {
        Some(part) => digits(part).filter(|part| part.len() <= places)?,
        None => "",
    };
    format!("{}{part:0<places$}", digits(whole)?).parse().ok()
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}
