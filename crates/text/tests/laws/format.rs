//! Numbers for people, and text for HTML and for a given width.

use kalah_text::format::{duration, fixed, grouped, html, short, signed, wrapped};

#[test]
fn numbers_are_grouped_and_signed_for_reading() {
    assert_eq!(grouped(9_999), "9999");
    assert_eq!(grouped(1_234_567), "1,234,567");
    assert_eq!(fixed(-1.25, 1), "-1.2");
    assert_eq!(fixed(-0.04, 1), "0.0");
    assert_eq!(signed(3.0, 0), "+3");
    assert_eq!([0.04, 0.0, -0.04].map(|number| signed(number, 1)), ["0.0"; 3]);
    assert_eq!(short(1234.0), "1.2\u{202f}k");
    assert_eq!(short(2e6), "2\u{202f}M");
    assert_eq!(short(950.0), "950");
    assert_eq!(duration(0.0032), "3.2 ms");
    assert_eq!(duration(9000.0), "2.5 h");
}

#[test]
fn a_quantity_is_on_one_line_of_a_page() {
    assert_eq!(html("73.9 % < -0.85 ± 0.90"), "73.9\u{a0}% &lt; -0.85 ±\u{a0}0.90");
}

#[test]
fn lines_are_broken_at_spaces() {
    assert_eq!(wrapped("one two three\nfour", 7), ["one two", "three", "four"]);
    assert_eq!(wrapped("unbreakable so", 4), ["unbreakable", "so"]);
}
