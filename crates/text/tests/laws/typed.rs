//! Numbers and durations as people type them in options.

use std::time::Duration;

use kalah_text::typed::{ANY_TIME, POSITIVE_TIME, PlainNumber, duration, number, numbers};

#[test]
fn a_number_is_in_its_range_and_in_its_type() {
    let small = number::<u8>(1..=16);
    for (text, expected) in [("1", Some(1)), ("16", Some(16)), ("0", None), ("17", None)] {
        assert_eq!(small(text).ok(), expected, "{text}");
    }
    assert_eq!(number::<i32>(-5..=5)("-5"), Ok(-5));
    assert_eq!(number::<u64>(0..)(&u64::MAX.to_string()), Ok(u64::MAX));
    let largest = u128::MAX.to_string();
    for text in ["256", "-1", &largest] {
        assert!(number::<u8>(0..)(text).is_err(), "{text}");
    }
}

#[test]
fn the_error_for_a_number_names_the_ends_of_its_range() {
    let error = |text: &str| number::<u8>(1..=16)(text).unwrap_err();
    for text in ["x", "", "1.5", "0", "1000"] {
        assert_eq!(error(text), format!("expected a number from 1 to 16, got '{text}'"));
    }
    assert_eq!(number::<u8>(3..)("x").unwrap_err(), "expected a number from 3, got 'x'");
    assert_eq!(number::<u8>(..)("x").unwrap_err(), "expected a number, got 'x'");
}

#[test]
fn a_list_of_numbers_is_ascending_without_duplicates() {
    let list = |text: &str| numbers(1..=9)(text).map(|list| list.0);
    for (text, expected) in
        [("5", &[5][..]), ("4,2,4", &[2, 4]), ("1-3", &[1, 2, 3]), ("9, 3 - 5,4-4", &[3, 4, 5, 9])]
    {
        assert_eq!(list(text).as_deref(), Ok(expected), "{text}");
    }
    for (text, got) in [
        ("", ""),
        ("0", "0"),
        ("1,10", "10"),
        ("5-10", "5-10"),
        ("3-1", "3-1"),
        ("1,,2", ""),
        ("1-2-3", "1-2-3"),
    ] {
        let expected = format!("expected numbers from 1 to 9, such as 5, 2,4 or 1-5; got '{got}'");
        assert_eq!(list(text), Err(expected));
    }
}

#[test]
fn a_duration_is_in_its_range_and_a_plain_number_has_the_unit_of_the_option() {
    let seconds = duration(PlainNumber::Seconds, ANY_TIME);
    let milliseconds = duration(PlainNumber::Milliseconds, POSITIVE_TIME);
    assert_eq!(seconds("2"), Ok(Duration::from_secs(2)));
    assert_eq!(milliseconds("2"), Ok(Duration::from_millis(2)));
    assert_eq!(milliseconds("2s"), Ok(Duration::from_secs(2)));
    assert_eq!(seconds("0"), Ok(Duration::ZERO));
    for text in ["0", "x", "-1"] {
        let error = milliseconds(text).unwrap_err();
        assert!(error.contains("a number of milliseconds, from 1ms to "), "{error}");
        assert!(error.ends_with(&format!(", got '{text}'")), "{error}");
    }
    let second = Duration::from_secs(1);
    let error = duration(PlainNumber::Seconds, second..=2 * second)("3").unwrap_err();
    assert!(error.ends_with("a number of seconds, from 1s to 2s, got '3'"), "{error}");
}
