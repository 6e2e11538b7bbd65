//! Durations as people type them.

use std::time::Duration;

use kalah_text::duration::{MAX, parse, parse_or_number, shown};

#[test]
fn durations_have_an_explicit_or_an_implied_unit() {
    let ms = |count| Some(Duration::from_millis(count));
    for (text, with_unit, seconds, milliseconds) in [
        ("2s", ms(2000), ms(2000), ms(2000)),
        ("0.5s", ms(500), ms(500), ms(500)),
        ("500ms", ms(500), ms(500), ms(500)),
        ("0.4ms", None, None, None),
        ("0.0004s", None, None, None),
        ("999999.999s", ms(999_999_999), ms(999_999_999), ms(999_999_999)),
        ("2", None, ms(2000), ms(2)),
        ("1.5", None, ms(1500), None),
        ("-1s", None, None, None),
        ("1000001s", None, None, None),
        ("NaNs", None, None, None),
        ("s", None, None, None),
        ("", None, None, None),
        ("2 s", None, None, None),
        ("2m", None, None, None),
    ] {
        assert_eq!(parse(text), with_unit, "{text}");
        assert_eq!(parse_or_number(text, 1.0), seconds, "{text}");
        assert_eq!(parse_or_number(text, 1e-3), milliseconds, "{text}");
    }
}

#[test]
fn shown_durations_are_parsed_back() {
    for duration in [Duration::ZERO, Duration::from_millis(1), Duration::from_secs(90), MAX] {
        assert_eq!(parse(&shown(duration)), Some(duration));
    }
}
