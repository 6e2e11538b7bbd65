//! Durations as people type them: a number with a unit, `2s` or `500ms`.

use std::time::Duration;

/// What [`parse`] expects, for messages.
pub const EXPECTED: &str = "a time such as 2s or 500ms, in whole milliseconds";

/// The longest duration that is read: a million seconds.
pub const MAX: Duration = Duration::from_secs(1_000_000);

/// Reads `2s`, `0.5s` or `500ms`; none for any other text, for durations above [`MAX`], and for
/// parts of a millisecond, which must not be rounded in silence.
pub fn parse(text: &str) -> Option<Duration> {
    match text.strip_suffix("ms") {
        Some(number) => seconds(number, 1e-3),
        None => seconds(text.strip_suffix('s')?, 1.0),
    }
}

/// Reads a duration as [`parse`] does, or a plain number of units of `unit` seconds.
pub fn parse_or_number(text: &str, unit: f64) -> Option<Duration> {
    parse(text).or_else(|| seconds(text, unit))
}

/// Reads a number of units of `unit` seconds, at most [`MAX`] in all.
fn seconds(number: &str, unit: f64) -> Option<Duration> {
    let seconds = number.parse::<f64>().ok()? * unit;
    // Also refuses NaN.
    if !(0.0..=MAX.as_secs_f64()).contains(&seconds) {
        return None;
    }
    let milliseconds = seconds * 1000.0;
    let whole = milliseconds.round();
    // The error of a binary fraction is below this at any duration that is allowed.
    if (milliseconds - whole).abs() > 1e-5 {
        return None;
    }
    Some(Duration::from_millis(whole as u64))
}

/// A duration as [`parse`] reads it, rounded down to whole milliseconds: `2s`, `500ms`.
pub fn shown(duration: Duration) -> String {
    match duration.as_millis() {
        ms if ms.is_multiple_of(1000) => format!("{}s", ms / 1000),
        ms => format!("{ms}ms"),
    }
}
