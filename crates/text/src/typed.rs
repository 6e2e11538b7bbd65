//! Numbers and durations as people type them in options, and the errors for other text.

use std::collections::BTreeSet;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::time::Duration;

use crate::duration::{EXPECTED, MAX, parse_or_number, shown};
use crate::names::shortened;

/// The parser for every option that takes a number in `range`. All of them refuse other text with
/// the same message.
pub fn number<T: TryFrom<i128> + 'static>(
    range: impl RangeBounds<i128> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        // Parsed as `i128`, which holds the numbers of all types in use, so that every number
        // outside the range gets the same message.
        if let Ok(number) = text.parse()
            && range.contains(&number)
            && let Ok(number) = T::try_from(number)
        {
            return Ok(number);
        }
        let expected = match (range.start_bound(), range.end_bound()) {
            (Bound::Included(min), Bound::Included(max)) => format!(" from {min} to {max}"),
            (Bound::Included(min), _) => format!(" from {min}"),
            _ => String::new(),
        };
        Err(format!("expected a number{expected}, got '{}'", shortened(text)))
    }
}

/// The numbers of a list that was typed, ascending and without duplicates.
#[derive(Clone, Debug)]
pub struct Numbers(pub Vec<u16>);

/// The parser for every option that takes numbers in `range`, such as `5`, `2,4,6` or `1-5`.
pub fn numbers(
    range: RangeInclusive<u16>,
) -> impl Fn(&str) -> Result<Numbers, String> + Clone + Send + Sync + 'static {
    move |text| {
        let mut numbers = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match (first.trim().parse(), last.trim().parse()) {
                (Ok(first), Ok(last))
                    if first <= last && range.contains(&first) && range.contains(&last) =>
                {
                    numbers.extend(first..=last);
                }
                _ => {
                    let min = range.start();
                    let max = range.end();
                    let got = shortened(part);
                    return Err(format!(
                        "expected numbers from {min} to {max}, such as 5, 2,4 or 1-5; got '{got}'"
                    ));
                }
            }
        }
        Ok(Numbers(numbers.into_iter().collect()))
    }
}

/// How an option that takes a duration interprets a number without a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainNumber {
    /// As seconds.
    Seconds,
    /// As milliseconds.
    Milliseconds,
}

/// All durations that can be typed.
pub const ANY_TIME: RangeInclusive<Duration> = Duration::ZERO..=MAX;

/// All durations that can be typed, except zero.
pub const POSITIVE_TIME: RangeInclusive<Duration> = Duration::from_millis(1)..=MAX;

/// The parser for every option that takes a duration, such as `2s` or `500ms`, in `range`.
pub fn duration(
    plain: PlainNumber,
    range: RangeInclusive<Duration>,
) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    move |text| {
        let (seconds, unit) = match plain {
            PlainNumber::Seconds => (1.0, "seconds"),
            PlainNumber::Milliseconds => (1e-3, "milliseconds"),
        };
        let time = parse_or_number(text, seconds);
        time.filter(|time| range.contains(time)).ok_or_else(|| {
            let min = shown(*range.start());
            let max = shown(*range.end());
            let got = shortened(text);
            format!("expected {EXPECTED}, or a number of {unit}, from {min} to {max}, got '{got}'")
        })
    }
}
